"""Link-only functions: functions that only compiled code calls get no machine code of their own.

Numba would generate machine code for each function with all that it calls, and a C wrapper. Nothing runs that code,
since the functions are linked into the kernels. Without it, Othello's search compiled in 9.8 s instead of 13.1 s and
the L game's in 6.3 s instead of 8.4 s. Skipping the optimisation too saved 2 s more but made perft up to a third
slower.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba._dynfunc import make_function
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering
from numba.extending import overload as numba_overload
from numba.extending import overload_attribute as numba_overload_attribute
from numba.extending import overload_method as numba_overload_method

from zermelo.native.cache.numba_entry import is_mutually_recursive


class LinkOnlyLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of a function, to be linked into others."""

    has_address = False
    """Whether the function needs an address because it is part of a mutual recursion."""

    def _optimize_final_module(self) -> None:
        self.has_address = is_mutually_recursive(self._final_module)
        super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if self.has_address:
            super()._finalize_final_module()
        else:
            self._finalize_dynamic_globals()
            self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class LinkOnlyLowering(NativeLowering):  # type: ignore[misc]
    """Lowering into a LinkOnlyLibrary."""

    _name = "link_only_lowering"

    def run_pass(self, state: Any) -> bool:
        context = state.targetctx
        state.library = library = LinkOnlyLibrary(context.codegen(), state.func_id.func_qualname)
        library.enable_object_caching()
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        library._ensure_finalized()
        executable = context.get_executable if library.has_address else function_without_code
        entry = executable(library, lowered.fndesc, lowered.env)
        context.insert_user_function(entry, lowered.fndesc, [library])
        state.reload_init.extend(library._reload_init)
        state["cr"] = lowered._replace(cfunc=entry)
        return True


def function_without_code(library: LinkOnlyLibrary, function: Any, environment: Any) -> Any:
    """A function object for Numba's bookkeeping, with no code at its address."""
    module, name = function.lookup_module(), function.qualname.rpartition(".")[2]
    return make_function(module, name, "", 0, environment, (library,))


class LinkOnlyCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler with LinkOnlyLowering as its last step."""

    def define_pipelines(self) -> list[Any]:
        pipelines: list[Any] = super().define_pipelines()
        for each in pipelines:
            each.passes = [(LinkOnlyLowering if one is NativeLowering else one, why) for one, why in each.passes]
            each.finalize()
        return pipelines


LINK_ONLY = {"pipeline_class": LinkOnlyCompiler, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Compiler options of a function that only compiled code calls."""


def overload(function: Any) -> Callable[[Any], Any]:
    """Numba's `overload`, link-only."""
    return _annotated(numba_overload(function, jit_options=LINK_ONLY))


def overload_method(kind: Any, name: str, **options: Any) -> Callable[[Any], Any]:
    """Numba's `overload_method`, link-only."""
    return _annotated(numba_overload_method(kind, name, jit_options={**LINK_ONLY, **options}))


def overload_attribute(kind: Any, name: str) -> Callable[[Any], Any]:
    """Numba's `overload_attribute`, link-only."""
    return _annotated(numba_overload_attribute(kind, name, jit_options=LINK_ONLY))


def _annotated(register: Any) -> Callable[[Any], Any]:
    """Let an overload carry annotations: Numba compares its signature with the implementation's, annotations too."""

    def registered(overload: Any) -> Any:
        overload.__annotations__ = {}
        return register(overload)

    return registered
