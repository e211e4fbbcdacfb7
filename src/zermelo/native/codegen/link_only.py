"""Parts: functions that only compiled code calls get no machine code of their own.

Numba would make it for each, with all that it calls, and a wrapper for C beside it; here nobody runs it, since kernels
have their parts linked in. Without it, Othello's search was compiled in 9.8 s in place of 13.1, the L game's in 6.3 s
in place of 8.4. To leave out the optimising as well took 2 s less, and perft was slower by up to a third.
"""

from __future__ import annotations

from typing import Any

from numba._dynfunc import make_function
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering
from numba.extending import overload as numba_overload
from numba.extending import overload_attribute as numba_overload_attribute
from numba.extending import overload_method as numba_overload_method

from zermelo.native.cache_entry import calls_in_a_circle


class Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function, to be linked into others."""

    runs_alone = False
    """Whether functions that call each other in a circle are among it, which need addresses."""

    def _optimize_final_module(self) -> None:
        self.runs_alone = calls_in_a_circle(self._final_module)
        super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if self.runs_alone:
            super()._finalize_final_module()
        else:
            self._finalize_dynamic_globals()
            self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):  # type: ignore[misc]
    """Lowering into a Part."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        context = state.targetctx
        state.library = library = Part(context.codegen(), state.func_id.func_qualname)
        library.enable_object_caching()
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        library._ensure_finalized()
        executable = context.get_executable if library.runs_alone else by_name
        entry = executable(library, lowered.fndesc, lowered.env)
        context.insert_user_function(entry, lowered.fndesc, [library])
        state.reload_init.extend(library._reload_init)
        state["cr"] = lowered._replace(cfunc=entry)
        return True


def by_name(library: Part, function: Any, environment: Any) -> Any:
    """What Numba knows the function by; there is no code at its address."""
    module, name = function.lookup_module(), function.qualname.rpartition(".")[2]
    return make_function(module, name, "", 0, environment, (library,))


class PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, but for how it ends."""

    def define_pipelines(self) -> list[Any]:
        pipelines: list[Any] = super().define_pipelines()
        for each in pipelines:
            each.passes = [(PartLowering if one is NativeLowering else one, why) for one, why in each.passes]
            each.finalize()
        return pipelines


PART = {"pipeline_class": PartCompiler, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of a function that only compiled code calls."""


def overload(function: Any) -> Any:
    """Numba's `overload`, for a part."""
    return numba_overload(function, jit_options=PART)


def overload_method(kind: Any, name: str, **options: Any) -> Any:
    """Numba's `overload_method`, for a part."""
    return numba_overload_method(kind, name, jit_options={**PART, **options})


def overload_attribute(kind: Any, name: str) -> Any:
    """Numba's `overload_attribute`, for a part."""
    return numba_overload_attribute(kind, name, jit_options=PART)
