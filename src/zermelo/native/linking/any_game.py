"""The Numba types of a linked kernel: a game of which only the rule interface is known, and a state without content.

A call of a rule is a call of an external function (see rule_interface.py). Facts of the game are such calls too. When
the rules are linked in, LLVM inlines them, and a fact becomes a constant again.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from zermelo import keys, rules
from zermelo.native.codegen.link_only import overload, overload_attribute, overload_method
from zermelo.native.linking.opaque_state import STATE_BYTES
from zermelo.native.linking.rule_interface import (
    BOOL,
    FUNCTIONS,
    INT,
    METHODS,
    REAL,
    REALS,
    RULES,
    STATE,
    STATE_TYPE,
    SYMBOL_PREFIX,
    WORDS,
    RuleSignature,
)
from zermelo.native.overloads.array_overloads import reals_type, words_type

WORD, DOUBLE, POINTER, CODE = ir.IntType(64), ir.DoubleType(), ir.IntType(8).as_pointer(), ir.IntType(32)
"""The LLVM types of the rule interface."""


class AnyGameType(types.Type):  # type: ignore[misc]
    """The type of the game in a linked kernel."""


class StateType(types.Type):  # type: ignore[misc]
    """The type of a state in a linked kernel."""


any_game, any_state = AnyGameType("AnyGame"), StateType("AnyState")
register_model(AnyGameType)(models.OpaqueModel)

_state_struct = ir.global_context.get_identified_type(STATE_TYPE)
if _state_struct.is_opaque:
    _state_struct.set_body(ir.IntType(8 * STATE_BYTES))  # the linker puts the layout of the game here


@register_model(StateType)
class _StateModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, typ: Any) -> None:
        super().__init__(manager, typ, _state_struct)


KIND_TYPES = {
    STATE: any_state, INT: types.int64, BOOL: types.boolean, REAL: types.float64, WORDS: words_type, REALS: reals_type,
}  # fmt: skip
"""The Numba type of each kind."""

RESULT_SLOTS = {STATE: _state_struct, INT: WORD, BOOL: WORD, REAL: DOUBLE}
"""The LLVM type that a result of each kind is returned in."""


def external_type(signature: RuleSignature) -> ir.FunctionType:
    """The LLVM type of the external function of a rule."""
    arguments = []
    for kind in signature.arguments:
        arguments += {
            STATE: [_state_struct.as_pointer()], INT: [WORD], BOOL: [WORD], REAL: [DOUBLE],
            WORDS: [POINTER, WORD], REALS: [POINTER, WORD],
        }[kind]  # fmt: skip
    results = [RESULT_SLOTS[kind].as_pointer() for kind in signature.results]
    return ir.FunctionType(CODE, [*results, POINTER, *arguments])


def _external(name: str, signature: RuleSignature) -> Any:
    """An intrinsic that calls the external function of a rule."""
    results = [KIND_TYPES[kind] for kind in signature.results]
    returned = types.none if not results else results[0] if len(results) == 1 else types.Tuple(results)
    typed = returned(*(KIND_TYPES[kind] for kind in signature.arguments))

    def generate(context: Any, builder: Any, _: Any, args: Any) -> Any:
        function = cgutils.get_or_insert_function(builder.module, external_type(signature), SYMBOL_PREFIX + name)
        slots = [cgutils.alloca_once(builder, RESULT_SLOTS[kind]) for kind in signature.results]
        exception = context.call_conv._get_excinfo_argument(builder.function)
        given = [_passed(builder, kind, value) for kind, value in zip(signature.arguments, args, strict=True)]
        flat = [each for values in given for each in values]
        code = builder.call(function, [*slots, builder.bitcast(exception, POINTER), *flat])
        with builder.if_then(builder.icmp_signed("!=", code, CODE(0)), likely=False):
            builder.ret(code)
        found = [_returned(builder, kind, slot) for kind, slot in zip(signature.results, slots, strict=True)]
        if not found:
            return context.get_dummy_value()
        return found[0] if len(found) == 1 else context.make_tuple(builder, returned, found)

    scope = {"typed": typed, "generate": generate}
    names = ", ".join(["context", *signature.symbols])
    exec(f"def {name}({names}):\n    return typed, generate", scope)
    return intrinsic(scope[name])


def _passed(builder: Any, kind: str, value: Any) -> list[Any]:
    """An argument as the external function takes it."""
    if kind == STATE:
        slot = cgutils.alloca_once(builder, _state_struct)
        builder.store(value, slot)
        return [slot]
    if kind in (WORDS, REALS):
        return [builder.bitcast(builder.extract_value(value, 0), POINTER), builder.extract_value(value, 1)]
    return [builder.zext(value, WORD) if kind == BOOL else value]


def _returned(builder: Any, kind: str, slot: Any) -> Any:
    """A result of an external function."""
    value = builder.load(slot)
    return builder.icmp_unsigned("!=", value, WORD(0)) if kind == BOOL else value


_CASTS = {INT: "int64({})", REAL: "float64({})", BOOL: "boolean({})"}


def _call(name: str, signature: RuleSignature, names: Sequence[str]) -> Any:
    """An implementation of a rule, with these argument names, that calls the external function."""
    given = [_CASTS.get(kind, "{}").format(each) for kind, each in zip(signature.arguments, names[1:], strict=True)]
    scope: dict[str, Any] = {
        "external": _external(name, signature), "int64": types.int64, "float64": types.float64,
        "boolean": types.boolean,
    }  # fmt: skip
    exec(f"def implementation({', '.join(names)}):\n    return external({', '.join(given)})", scope)
    return scope["implementation"]


def _overload(name: str, signature: RuleSignature, names: Sequence[str]) -> Any:
    """An overload of a rule for the game of a linked kernel; no answer for other types."""
    implementation = _call(name, signature, names)
    scope = {"choose": lambda game: implementation if isinstance(game, AnyGameType) else None}
    exec(f"def overload({', '.join(names)}):\n    return choose({names[0]})", scope)
    return scope["overload"]


def _register() -> None:
    for name, signature in METHODS.items():
        overload_method(AnyGameType, name, forceinline=True)(_overload(name, signature, ["game", *signature.symbols]))
    for name in ("loops", "reductions"):
        overload_attribute(AnyGameType, name)(_overload(name, RULES[name], ["game"]))
    for name, signature in RULES.items():
        function = getattr(rules, name, None) or getattr(keys, name, None)
        if function is not None and name not in METHODS:
            overload(function)(_overload(name, signature, list(inspect.signature(function).parameters)))


_register()
same_state = _external("same_state", FUNCTIONS["same_state"])


@overload(operator.eq)
def _equal(one: Any, other: Any) -> Any:
    if isinstance(one, StateType) and isinstance(other, StateType):
        return lambda one, other: same_state(one, other)
    return None


@overload(operator.ne)
def _different(one: Any, other: Any) -> Any:
    if isinstance(one, StateType) and isinstance(other, StateType):
        return lambda one, other: not same_state(one, other)
    return None
