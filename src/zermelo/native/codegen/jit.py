"""The author's plain Python, made ready for Numba.

Numba compiles a function only if everything it names is known to Numba. Here every plain function that a rule or kernel
names, however deep, is replaced by a jitted twin, in a copy of the function that leaves the original alone.
"""

from __future__ import annotations

import types as python
from collections.abc import Callable
from typing import Any

from numba import njit, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from zermelo.native.codegen.link_only import PART, overload
from zermelo.native.fingerprints import function_fingerprint, named_values

SHORT = 1000
"""Bytes of bytecode below which a function is worth inlining: Connect Four ran 1.2 times as fast."""

_jitted: dict[tuple[python.FunctionType, str], Any] = {}


def jitted(function: Any) -> Any:
    """A plain function as a Numba function; not cached on disk, since the kernels that call it are.

    What the function names is frozen now. If any of it has changed by the next time, that is another function.
    """
    with global_compiler_lock:  # no lock of our own: two of them, taken in either order, would be a deadlock
        name = (function, function_fingerprint(function))
        if name not in _jitted:
            copy, link = _copy(function)
            # Compiled code alone calls it: a wrapper for Python would only cost time, and one that returns a generator
            # (`return self.free(state)`) would end the process, since the inner generator has none to lean on.
            _jitted[name] = njit(nogil=True, **PART, **options(function))(copy)
            _forget_literals(_jitted[name])
            link()  # after remembering: functions may call each other in a circle
        return _jitted[name]


def _forget_literals(dispatcher: Any) -> None:
    """Have one compiled form serve all constants: Numba would compile another for each int written in a call."""
    for name in ("get_call_template", "fold_argument_types"):
        setattr(dispatcher, name, _with_plain_types(getattr(dispatcher, name)))


def _with_plain_types(method: Any) -> Any:
    return lambda args, named: method(
        tuple(types.unliteral(arg) for arg in args), {name: types.unliteral(arg) for name, arg in named.items()}
    )


def options(function: Any) -> dict[str, Any]:
    """Compiler options: short functions become part of their callers; authors' indices into arrays are checked.

    (Those of our own code are checked by the tests.)
    """
    short = len(function.__code__.co_code) < SHORT
    return {"boundscheck": not str(function.__module__).startswith("zermelo."), "forceinline": short}


def compilable(function: python.FunctionType) -> python.FunctionType:
    """A copy of the function in which every plain function it names is a jitted one."""
    copy, link = _copy(function)
    link()
    return copy


def _copy(function: python.FunctionType) -> tuple[python.FunctionType, Callable[[], None]]:
    """A copy of the function, and the call that links it to the compilable forms of what it names.

    The copy's module is this one: compiled code must not ask another process to import the author's file.
    """
    scope = {**function.__globals__, "__name__": __name__}
    cells = tuple(python.CellType() for _ in function.__code__.co_freevars)
    copy = python.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells or None)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    return copy, lambda: _link(function, scope, cells)


def _link(function: python.FunctionType, scope: dict[str, Any], cells: tuple[python.CellType, ...]) -> None:
    """Fill the copy's globals and closure with the compilable forms of what the function names."""
    free = function.__code__.co_freevars
    for name, cell in zip(free, cells, strict=True):
        original = function.__closure__[free.index(name)]  # type: ignore[index]
        try:
            cell.cell_contents = _counterpart(original.cell_contents)
        except ValueError:  # a variable that its enclosing function has not set yet
            continue
    paths = dict(named_values(function))
    for path, value in paths.items():
        name, *attributes = path.split(".")
        if not attributes and name not in free:
            scope[name] = _counterpart(value)
    for path, value in paths.items():
        name, *attributes = path.split(".")
        if attributes and _counterpart(value) is not value:
            scope[name] = _shadow(scope[name], attributes, _counterpart(value))


def _counterpart(value: Any) -> Any:
    """What compiled code sees in place of a global: a jitted function for a plain one, an inner kernel for a kernel."""
    if hasattr(value, "inner") and hasattr(value, "python"):  # a Kernel
        return value.inner
    if isinstance(value, python.FunctionType) and not _numba_knows(value):
        return jitted(value)
    return value


def _shadow(module: python.ModuleType, attributes: list[str], value: Any) -> python.ModuleType:
    """A stand-in for a module in which one attribute, perhaps of a module inside it, is replaced."""
    name, *rest = attributes
    shadow = python.ModuleType(module.__name__)
    shadow.__dict__.update(module.__dict__)
    shadow.__dict__[name] = _shadow(getattr(module, name), rest, value) if rest else value
    return shadow


def _numba_knows(function: Any) -> bool:
    context = cpu_target.typing_context
    context.refresh()
    return context._lookup_global(function) is not None


def form_of(function: Any) -> Callable[[Any], Any]:
    """Declare the compiled form of a function: Numba's overload, for choosers that carry annotations."""

    def declare(choose: Any) -> Any:
        return overload(function)(bare(choose))

    return declare


def bare(function: Any) -> Any:
    """The function without annotations: Numba compares signatures to the letter."""
    function.__annotations__ = {}
    return function
