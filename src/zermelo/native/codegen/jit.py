"""Jit plain Python functions and, recursively, the plain functions they name.

Numba compiles a function only if it knows everything the function names. Here every plain function that a rule or a
kernel names, at any depth, is replaced by a jitted one. This happens in a copy; the original does not change.
"""

from __future__ import annotations

import types as python
from collections.abc import Callable
from typing import Any

from numba import njit, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from zermelo.native.codegen import lazy_scipy  # noqa: F401  (before Numba compiles anything)
from zermelo.native.codegen.link_only import LINK_ONLY
from zermelo.native.fingerprints import function_fingerprint, named_values

INLINE_BYTECODE_SIZE = 1000
"""Bytes of bytecode below which a function is inlined: Connect Four ran 1.2 times as fast."""

_jitted: dict[tuple[python.FunctionType, str], Any] = {}


def jitted(function: Any) -> Any:
    """A plain function as a Numba function. It is not cached on disk, since the kernels that call it are.

    The values that the function names are frozen now. If one changes later, the next call jits the function anew.
    """
    with global_compiler_lock:  # a second lock of our own could deadlock with this one
        name = (function, function_fingerprint(function))
        if name not in _jitted:
            copy, link = _copy(function)
            # Only compiled code calls it. A Python wrapper would cost time, and that of a function which returns a
            # generator (`return self.free(state)`) would crash the process, since the inner generator has no wrapper.
            _jitted[name] = njit(nogil=True, **LINK_ONLY, **jit_options(function))(copy)
            _ignore_literals(_jitted[name])
            link()  # after the assignment: functions may be mutually recursive
        return _jitted[name]


def _ignore_literals(dispatcher: Any) -> None:
    """Compile one version for all constants: Numba would compile one for each int literal in a call."""
    for name in ("get_call_template", "fold_argument_types"):
        setattr(dispatcher, name, _without_literals(getattr(dispatcher, name)))


def _without_literals(method: Any) -> Any:
    return lambda args, named: method(
        tuple(types.unliteral(arg) for arg in args), {name: types.unliteral(arg) for name, arg in named.items()}
    )


def jit_options(function: Any) -> dict[str, Any]:
    """Compiler options: short functions are inlined, and array indices in an author's code are checked.

    Indices in Zermelo's own code are checked by the tests.
    """
    short = len(function.__code__.co_code) < INLINE_BYTECODE_SIZE
    return {"boundscheck": not str(function.__module__).startswith("zermelo."), "forceinline": short}


def compilable(function: python.FunctionType) -> python.FunctionType:
    """A copy of the function in which every plain function it names is jitted."""
    copy, link = _copy(function)
    link()
    return copy


def _copy(function: python.FunctionType) -> tuple[python.FunctionType, Callable[[], None]]:
    """A copy of the function, and a call that replaces what the copy names by compiled versions.

    The copy's module is this one: a process that loads the compiled code must not import the author's file.
    """
    scope = {**function.__globals__, "__name__": __name__}
    cells = tuple(python.CellType() for _ in function.__code__.co_freevars)
    copy = python.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells or None)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    return copy, lambda: _link(function, scope, cells)


def _link(function: python.FunctionType, scope: dict[str, Any], cells: tuple[python.CellType, ...]) -> None:
    """Fill the copy's globals and closure with compiled versions of what the function names."""
    free = function.__code__.co_freevars
    for name, cell in zip(free, cells, strict=True):
        original = function.__closure__[free.index(name)]  # type: ignore[index]
        try:
            cell.cell_contents = _compiled_version(original.cell_contents)
        except ValueError:  # the enclosing function has not set this variable yet
            continue
    paths = dict(named_values(function))
    for path, value in paths.items():
        name, *attributes = path.split(".")
        if not attributes and name not in free:
            scope[name] = _compiled_version(value)
    for path, value in paths.items():
        name, *attributes = path.split(".")
        if attributes and _compiled_version(value) is not value:
            scope[name] = _module_with(scope[name], attributes, _compiled_version(value))


def _compiled_version(value: Any) -> Any:
    """What compiled code uses for a global: a jitted function for a plain one, the inner function for a kernel."""
    if hasattr(value, "inner") and hasattr(value, "python"):  # a Kernel
        return value.inner
    if isinstance(value, python.FunctionType) and not _numba_knows(value):
        return jitted(value)
    return value


def _module_with(module: python.ModuleType, attributes: list[str], value: Any) -> python.ModuleType:
    """A copy of a module in which one attribute, perhaps of a submodule, is replaced."""
    name, *rest = attributes
    shadow = python.ModuleType(module.__name__)
    shadow.__dict__.update(module.__dict__)
    shadow.__dict__[name] = _module_with(getattr(module, name), rest, value) if rest else value
    return shadow


def _numba_knows(function: Any) -> bool:
    context = cpu_target.typing_context
    context.refresh()
    return context._lookup_global(function) is not None
