"""Compile a kernel for any game into LLVM IR.

LLVM optimises it as far as it can without the rules (see opaque_state.py). Python calls a kernel through its entry,
which reads the arguments from words and writes the result to words:

    int32 entry(unused, exception, game, int64* arguments, length, int64* results, length)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba import types
from numba.core import codegen, compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from zermelo import rules
from zermelo.native.codegen.jit import jitted
from zermelo.native.codegen.link_only import LinkOnlyLibrary
from zermelo.native.linking.any_game import KIND_TYPES, StateType, any_game
from zermelo.native.linking.linker import simplify
from zermelo.native.linking.opaque_state import keeps_states_whole, with_unknown_lifetimes
from zermelo.native.linking.rule_interface import BOOL, INT, MAX_RESULT_WORDS, REAL, STATE, SYMBOL_PREFIX, WORDS
from zermelo.native.overloads import bit_overloads, key_overloads, rule_overloads  # noqa: F401  (registers them)
from zermelo.native.overloads.array_overloads import words_type


def kernel_ir(function: Any, kinds: tuple[str, ...]) -> tuple[dict[str, Any], str]:
    """A kernel whose arguments, after the game, have these kinds: its entry, its rules, its result, and the IR."""
    with global_compiler_lock, unoptimised():
        inner = jitted(function)
        result = _result_type(inner, kinds)
        found = compile_function(_entry(inner, kinds, result), (any_game, words_type, words_type), types.none)
        module = linked_module(found.library)
    entry, kinds = found.fndesc.llvm_func_name, result_kinds(result)
    assert len(kinds) <= MAX_RESULT_WORDS
    assert STATE not in kinds or len(kinds) == 1, "a state is the only result of its kernel"
    names = [each.name.removeprefix(SYMBOL_PREFIX) for each in module.functions if each.name.startswith(SYMBOL_PREFIX)]
    simplify(module, entry)
    text = with_unknown_lifetimes(str(module))
    assert keeps_states_whole(text), f"LLVM looked inside a state of {function.__name__}"
    return {"entry": entry, "result": kinds, "rules": sorted(names)}, text


@contextmanager
def unoptimised() -> Iterator[None]:
    """Compile without Numba's optimisations inside the block."""
    functions, module = codegen.CPUCodeLibrary._optimize_functions, codegen.CPUCodeLibrary._optimize_final_module
    codegen.CPUCodeLibrary._optimize_functions = lambda *_: None
    codegen.CPUCodeLibrary._optimize_final_module = lambda *_: None
    try:
        yield
    finally:
        codegen.CPUCodeLibrary._optimize_functions, codegen.CPUCodeLibrary._optimize_final_module = functions, module


def compile_function(function: Any, arguments: tuple[Any, ...], result: Any) -> Any:
    """Compile a function to LLVM without machine code. Arguments and result have these Numba types."""
    flags = compiler.Flags()
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.nrt = True
    flags.error_model = "python"
    typing, target = cpu_target.typing_context, cpu_target.target_context
    target.refresh()
    typing.refresh()
    library = LinkOnlyLibrary(target.codegen(), function.__name__)
    return compiler.compile_extra(typing, target, function, arguments, result, flags, {}, library=library)


def linked_module(library: Any) -> Any:
    """One module of a function and all that it calls."""
    library._ensure_finalized()
    return library._final_module


def _result_type(inner: Any, kinds: tuple[str, ...]) -> Any:
    """The Numba type that the kernel returns for arguments of these kinds."""
    arguments = (any_game, *(KIND_TYPES[kind] for kind in kinds))
    inner.compile(arguments)
    return inner.overloads[arguments].signature.return_type


def result_kinds(result: Any) -> tuple[str, ...]:
    """The kinds of a kernel's result."""
    if result == types.none:
        return ()
    if isinstance(result, types.BaseTuple):
        return tuple(kind for part in result for kind in result_kinds(part))
    if isinstance(result, StateType):
        return (STATE,)
    return (BOOL if result == types.boolean else REAL if isinstance(result, types.Float) else INT,)


def _entry(inner: Any, kinds: tuple[str, ...], result: Any) -> Callable[..., Any]:
    """The entry as a function of game, arguments and results."""
    given, at = [], 0
    for kind in kinds:
        given.append(_argument(kind, at))
        at += 2 if kind in (STATE, WORDS) else 1
    lines = ["def entry(game, arguments, results):", f"    found = inner({', '.join(['game', *given])})"]
    found = result_kinds(result)
    several = isinstance(result, types.BaseTuple)
    lines += [f"    {_store(kind, at, f'found[{at}]' if several else 'found')}" for at, kind in enumerate(found)]
    scope = {
        "inner": inner, "int64": types.int64, "state_from_words": rules.state_from_words,
        "state_to_words": rules.state_to_words,
    }  # fmt: skip
    exec("\n".join(lines), scope)
    entry: Callable[..., Any] = scope["entry"]
    return entry


def _argument(kind: str, at: int) -> str:
    """The expression that reads an argument from the words. A state is given by the address of its words."""
    return {
        STATE: f"state_from_words(game, arguments.follow({at}))", WORDS: f"arguments.follow({at})",
        INT: f"arguments[{at}]", BOOL: f"(arguments[{at}] != 0)", REAL: f"arguments.reals({at}, 1)[0]",
    }[kind]  # fmt: skip


def _store(kind: str, at: int, value: str) -> str:
    """The statement that writes a part of the result. A state is the only result of its kernel."""
    if kind == STATE:
        return f"state_to_words(game, {value}, results)"
    if kind == REAL:
        return f"results.reals({at}, 1)[0] = {value}"
    return f"results[{at}] = int64({value})"
