"""Link a kernel with the rules of a game, and turn both into machine code. LLVM does all of it, without Numba."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import llvmlite.binding as llvm

from zermelo.native.linking.weights import NETWORK_SYMBOL, WEIGHTS_SYMBOL

OPTIMISATION = 3
"""The level of optimisation."""

UNRESOLVED = ".numba.unresolved$"
"""How the names of pointers begin by which mutually recursive functions call each other."""

ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of pointers to the Python objects of a function begin."""


@functools.cache
def target_machine(level: int = OPTIMISATION) -> Any:
    """LLVM's description of this processor, for the compiler."""
    return new_target_machine(level)


def new_target_machine(level: int = OPTIMISATION) -> Any:
    """A description of this processor. An engine that runs code owns the one it was given, and deletes it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    cpu, features = host()
    return target.create_target_machine(
        cpu=cpu, features=features, opt=level, reloc="static" if target.name.startswith("x86") else "default",
        codemodel="jitdefault", jit=True,
    )  # fmt: skip


@functools.cache
def host() -> tuple[str, str]:
    """The name and the features of this processor."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def link(kernel: str, rules: Iterable[str], entry: str) -> Any:
    """The module of a kernel and of rules, in which only the entry can be called from outside."""
    module = llvm.parse_assembly(kernel)
    module.triple, module.data_layout = target_machine().triple, str(target_machine().target_data)
    for rule in rules:
        module.link_in(llvm.parse_assembly(rule))
    hide(module, entry)
    return module


def hide(module: Any, entry: str) -> None:
    """Make everything in a module but one function unknown outside, so that LLVM may drop what is not used."""
    for each in [*module.functions, *module.global_variables]:
        set_by_loader = each.name in (WEIGHTS_SYMBOL, NETWORK_SYMBOL) or each.name.startswith(ENVIRONMENT)
        outside = each.name == entry or set_by_loader
        if not each.is_declaration and not outside:
            each.linkage = "internal"


def simplify(module: Any, entry: str) -> None:
    """Optimise a kernel or a rule as far as it does not depend on what it is linked with, and remove what is not used.

    Loops are left as they are: how best to unroll them is known after linking.
    """
    _resolve_recursion(module)
    hide(module, entry)
    module.triple, module.data_layout = target_machine().triple, str(target_machine().target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    options.loop_unrolling = options.loop_vectorization = options.slp_vectorization = False
    builder = llvm.create_pass_builder(target_machine(), options)
    passes = builder.getModulePassManager()
    passes.add_refprune_pass()
    passes.run(module, builder)


def _resolve_recursion(module: Any) -> None:
    """Set the pointers by which mutually recursive functions call each other."""
    for pointer in [each.name for each in module.global_variables if each.name.startswith(UNRESOLVED)]:
        name = pointer.removeprefix(UNRESOLVED)
        module.link_in(llvm.parse_assembly(f'declare void @"{name}"()\n@"{pointer}" = global ptr @"{name}"'))


def optimise(module: Any) -> None:
    """Optimise a module. Rules are inlined into the kernel, and facts of the game become constants."""
    machine = target_machine()
    options = llvm.create_pipeline_tuning_options(speed_level=OPTIMISATION)
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.add_refprune_pass()
    passes.run(module, builder)


def inline(module: Any) -> None:
    """Inline the rules and facts that a kernel calls, and remove what they decide. The rest was optimised before."""
    builder = llvm.create_pass_builder(target_machine(), llvm.create_pipeline_tuning_options(speed_level=0))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, builder)


def machine_code(module: Any, level: int = OPTIMISATION) -> bytes:
    """The object code of a module."""
    code: bytes = target_machine(level).emit_object(module)
    return code


def undefined_symbols(module: Any) -> list[str]:
    """The functions and variables that a module takes from outside."""
    declared = [each for each in [*module.functions, *module.global_variables] if each.is_declaration]
    return sorted(each.name for each in declared if not each.name.startswith("llvm."))


def environments(module: Any) -> list[str]:
    """The pointers to Python objects that an optimised module still uses. The loader sets them."""
    text = str(module)
    pointers = [each.name for each in module.global_variables if each.name.startswith(ENVIRONMENT)]
    return sorted(name for name in pointers if text.count(name) > 1)
