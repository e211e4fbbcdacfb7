"""Compile the rules of a game into LLVM IR: the external functions that a linked kernel calls.

A rule that the author did not write needs no compiler: its function is one of a few lines of IR. Any other rule is
compiled by Numba, and an adapter with the interface of rule_interface.py calls it.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from zermelo import keys, rules
from zermelo.game import Game, GameError
from zermelo.native.cache.numba_entry import JSON_TYPES
from zermelo.native.codegen.jit import jitted
from zermelo.native.game_type import numba_type
from zermelo.native.linking.any_game import CODE, DOUBLE, POINTER, WORD
from zermelo.native.linking.kernel_ir import compile_function, linked_module, unoptimised
from zermelo.native.linking.linker import ENVIRONMENT, simplify
from zermelo.native.linking.rule_interface import (
    BOOL,
    INT,
    METHODS,
    REAL,
    REALS,
    RULES,
    STATE,
    SYMBOL_PREFIX,
    WORDS,
    RuleSignature,
)
from zermelo.native.linking.weights import NETWORK_SYMBOL, WEIGHTS_SYMBOL, data_weights, network_words
from zermelo.native.overloads.array_overloads import reals_type, words_type
from zermelo.native.overloads.state_types import state_type

SCRATCH_WORDS = 192
"""Words of scratch memory that a learned evaluation gets, beyond those of a state (networks/network_format.py)."""

_SYMBOL = re.compile(f'@("?){ENVIRONMENT}')


class RuleCompiler:
    """Compiles rules of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.type = numba_type(game)
        self.layout = self.type.layout
        self.state_type = state_type(self.layout)
        self.context = cpu_target.target_context
        self.context.refresh()
        self.state_data = self.context.get_data_type(self.state_type)
        self.kinds = {
            STATE: self.state_type, INT: types.int64, BOOL: types.boolean, REAL: types.float64, WORDS: words_type,
            REALS: reals_type,
        }  # fmt: skip

    def rule(self, name: str) -> Any:
        """The LLVM module of a rule: a function of the rule interface and all that it calls."""
        signature = RULES[name]
        function = self._function(name, signature)
        results = [self.kinds[kind] for kind in signature.results]
        returned = types.none if not results else results[0] if len(results) == 1 else types.Tuple(results)
        arguments = (self.type, *(self.kinds[kind] for kind in signature.arguments))
        self.type.register()
        with global_compiler_lock, unoptimised():
            found = compile_function(function, arguments, returned)
            adapter = found.library.create_ir_module(name)
            self._adapt(adapter, name, signature, found.fndesc, (arguments, returned))
            found.library.add_ir_module(adapter)
            return linked_module(found.library)

    def _function(self, name: str, signature: RuleSignature) -> Any:
        """A function of the game and the rule's arguments that returns what the interface says."""
        names = ["game", *signature.symbols]
        scope: dict[str, Any] = {"int64": types.int64, "float64": types.float64, "bool": types.boolean}
        if name == "evaluate" and data_weights(self.game) is not None:
            scope["weighted_features"] = jitted(weighted_features)
            call = f"weighted_features({', '.join(names)})"
        elif name == "evaluate" and network_words(self.game) is not None:
            scope |= {
                "network": _network,
                "scratch": _stack_words(sum(1 for _ in self.layout.numbers()) + SCRATCH_WORDS),
            }
            call = f"game._evaluate_network({names[1]}, network(), scratch())"
        elif name == "same_state":
            call = f"{names[1]} == {names[2]}"
        elif name in METHODS:
            call = f"game.{name}({', '.join(names[1:])})"
        else:
            scope[name] = getattr(rules, name, None) or getattr(keys, name)
            call = f"{name}({', '.join(names)})"
        if signature.results == (REAL, REAL):
            body = f"low, high = {call}\n    return float64(low), float64(high)"
        else:
            cast = {REAL: "float64", BOOL: "bool", INT: "int64"}.get("".join(signature.results), "")
            body = f"return {cast}({call})"
        exec(f"def rule({', '.join(names)}):\n    {body}", scope)
        return scope["rule"]

    def _adapt(self, module: Any, name: str, signature: RuleSignature, callee: Any, types: tuple[Any, Any]) -> None:
        """Write the function of the rule interface. It calls the compiled rule, which has these types."""
        arguments, returned = types
        pointers, passed = self._llvm_types()
        given = [each for kind in signature.arguments for each in passed[kind]]
        function_type = ir.FunctionType(CODE, [*(pointers[kind] for kind in signature.results), POINTER, *given])
        function = ir.Function(module, function_type, SYMBOL_PREFIX + name)
        function.attributes.add("alwaysinline")
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        results = len(signature.results)
        values, at = [self.context.get_dummy_value()], results + 1
        for kind in signature.arguments:
            values.append(self._value(builder, kind, function.args[at : at + len(passed[kind])]))
            at += len(passed[kind])
        target = self.context.declare_function(module, callee)
        slot = builder.alloca(self.context.call_conv.get_return_type(returned).pointee)
        exception = builder.bitcast(function.args[results], target.args[1].type)
        flat = self.context.get_arg_packer(arguments).as_arguments(builder, values)
        code = builder.call(target, [slot, exception, *flat])
        failed = builder.or_(builder.icmp_signed(">", code, CODE(0)), builder.icmp_signed("==", code, CODE(-1)))
        with builder.if_then(failed, likely=False):
            builder.ret(code)
        if results:
            value = self.context.get_returned_value(builder, returned, builder.load(slot))
            parts = [value] if results == 1 else [builder.extract_value(value, i) for i in range(results)]
            for kind, part, pointer in zip(signature.results, parts, function.args, strict=False):
                self._store(builder, kind, part, pointer)
        builder.ret(CODE(0))

    def _llvm_types(self) -> tuple[dict[str, Any], dict[str, list[Any]]]:
        """The LLVM types of results and of arguments, by kind."""
        state, word, double = self.state_data.as_pointer(), WORD.as_pointer(), DOUBLE.as_pointer()
        array = [POINTER, WORD]
        passed = {STATE: [state], INT: [WORD], BOOL: [WORD], REAL: [DOUBLE], WORDS: array, REALS: array}
        return {STATE: state, INT: word, BOOL: word, REAL: double}, passed

    def _value(self, builder: Any, kind: str, given: Any) -> Any:
        """An argument of the interface as the compiled rule takes it."""
        if kind == STATE:
            return self.context.unpack_value(builder, self.state_type, given[0])
        if kind in (WORDS, REALS):
            model = self.context.get_value_type(self.kinds[kind])
            value = ir.Constant(model, ir.Undefined)
            value = builder.insert_value(value, builder.bitcast(given[0], model.elements[0]), 0)
            return builder.insert_value(value, given[1], 1)
        return builder.icmp_unsigned("!=", given[0], WORD(0)) if kind == BOOL else given[0]

    def _store(self, builder: Any, kind: str, value: Any, pointer: Any) -> None:
        if kind == STATE:
            self.context.pack_value(builder, self.state_type, value, pointer)
        else:
            builder.store(builder.zext(value, WORD) if kind == BOOL else value, pointer)


@intrinsic  # type: ignore[untyped-decorator]
def weight_at(context: Any, i: Any) -> Any:
    """The i-th weight of the game, which the loader has put into a global array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = cgutils.add_global_variable(builder.module, ir.ArrayType(DOUBLE, 0), WEIGHTS_SYMBOL)
        array.linkage = "external"
        return builder.load(builder.gep(array, [WORD(0), args[0]]))

    return types.float64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _network(context: Any) -> Any:
    """The words of the game's learned evaluation, whose address the loader has put into a global."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pair = cgutils.add_global_variable(builder.module, ir.ArrayType(WORD, 2), NETWORK_SYMBOL)
        pair.linkage = "external"
        address, length = (builder.load(builder.gep(pair, [WORD(0), WORD(place)])) for place in (0, 1))
        return _words(context, builder, builder.inttoptr(address, WORD.as_pointer()), length)

    return words_type(), generate


def _stack_words(length: int) -> Any:
    """A function that returns words of the caller's stack frame."""

    def stack_words(context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _words(context, builder, cgutils.alloca_once(builder, WORD, size=length), WORD(length))

        return words_type(), generate

    return intrinsic(stack_words)


def _words(context: Any, builder: Any, pointer: Any, length: Any) -> Any:
    struct = cgutils.create_struct_proxy(words_type)(context, builder)
    struct.data, struct.length = pointer, length
    return struct._getvalue()


def weighted_features(game: Any, state: Any) -> float:
    """The default of `evaluate`, with weights that are data."""
    total = 0.0
    features = game.features(state)
    for i in range(len(features)):
        total += weight_at(i) * features[i]
    return total


def compile_rule(game: Game, name: str) -> tuple[str, dict[str, list[Any]], bool]:
    """Compile a rule: its IR, the Python objects of its functions, and whether it holds no address of this process."""
    compiler = RuleCompiler(game)
    if compiler.type.layout_error is not None:
        raise GameError(compiler.type.layout_error)
    module = compiler.rule(name)
    simplify(module, SYMBOL_PREFIX + name)
    names = [each.name for each in module.global_variables]
    environments = {each: lookup_environment(each) for each in names if each.startswith(ENVIRONMENT)}
    constants = {each: list(found.consts) if found else [] for each, found in environments.items()}
    plain = all(type(value) in JSON_TYPES for values in constants.values() for value in values)
    fixed = any(each.startswith("numba.dynamic.globals") for each in names)
    if not plain or fixed:
        return str(module), constants, False
    return *with_unique_environments(str(module), constants), True


def with_unique_environments(text: str, constants: dict[str, list[Any]]) -> tuple[str, dict[str, list[Any]]]:
    """The IR and the Python objects of a rule, with names that no rule from another process has.

    Numba's names hold a number that it counts from 1 in each process. Rules of several processes are linked into one
    kernel, and there a name has one meaning.
    """
    unique = ENVIRONMENT + hashlib.sha256(repr((text, constants)).encode()).hexdigest()[:16]
    renamed = {name.replace(ENVIRONMENT, unique, 1): values for name, values in constants.items()}
    return _SYMBOL.sub(rf"@\1{unique}", text), renamed  # messages name environments too, and have a length
