"""Numba overloads of keys.py. The shape of a state and its seeds are compile-time constants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import float64, int64, types, uint64
from numba.core.errors import TypingError
from numba.extending import intrinsic

from zermelo import bits, keys
from zermelo.native.codegen.jit import jitted
from zermelo.native.codegen.link_only import overload

if TYPE_CHECKING:
    from zermelo.native.game_type import GameType

_S, _T = np.uint64(keys.KEY_MULTIPLIER), np.uint64(keys.CHECK_MULTIPLIER)
_FRACTION = keys.FRACTION


@overload(keys.state_key)
def _state_key(game: GameType, state: Any) -> Any:
    if not hasattr(game, "game"):
        return None
    if keys.key_is_exact(game.game):
        return lambda game, state: bits.signed(bits.mix(game.key(state)))
    return lambda game, state: keys.structural_key(game, state)


@overload(keys.state_check)
def _state_check(game: GameType, state: Any) -> Any:
    if not hasattr(game, "game"):
        return None
    if keys.key_is_exact(game.game):
        return lambda game, state: 0
    return lambda game, state: keys.structural_check(game, state)


@overload(keys.structural_key)
def _whole_key(game: GameType, state: Any) -> Any:
    if not hasattr(game, "game"):
        return None
    lines = [f"    key = stir_key(key ^ number_word({number}))" for number, _ in numbers(state, "state")]
    return _defined("key", state, lines)


@overload(keys.structural_check)
def _whole_check(game: GameType, state: Any) -> Any:
    if not hasattr(game, "game"):
        return None
    lines = []
    for number, _ in numbers(state, "state"):
        lines.append(f"    check = stir_check(check ^ key, number_kind({number}))")
        lines.append(f"    key = stir_key(key ^ number_word({number}))")
    return _defined("check", state, lines)


def _defined(result: str, state: Any, lines: list[str]) -> Any:
    """A function of game and state that mixes the numbers of the state into its seeds, line by line."""
    key, check = keys.seeds(tuple(_shape(state)))
    scope: dict[str, Any] = {
        "bits": bits, "KEY": np.uint64(key), "CHECK": np.uint64(check), "stir_key": keys.mix_key,
        "stir_check": keys.mix_check, "number_word": number_word, "number_kind": number_kind,
    }  # fmt: skip
    head = ["def implementation(game, state):", "    key = KEY", "    check = CHECK"]
    exec("\n".join([*head, *lines, f"    return bits.signed(bits.mix({result}))"]), scope)
    return scope["implementation"]


def numbers(typ: Any, name: str) -> list[tuple[str, Any]]:
    """Every number of a state: the expression that reads it, and its type."""
    if not isinstance(typ, types.BaseTuple):
        return [(name, typ)]
    return [number for i, part in enumerate(typ) for number in numbers(part, f"{name}[{i}]")]


def _shape(typ: Any) -> Iterator[int]:
    if not isinstance(typ, types.BaseTuple):
        yield keys.NUMBER
        return
    yield keys.TUPLE
    yield len(typ)
    for part in typ:
        yield from _shape(part)


# -- numbers to words ------------------------------------------------------------------------------------------------


def number_word(number: Any) -> Any:
    """The word of a number."""
    raise NotImplementedError


def number_kind(number: Any) -> Any:
    """The kind of a number."""
    raise NotImplementedError


@overload(number_word)
def _number_word(number: Any) -> Any:
    if isinstance(number, types.Float):
        whole = jitted(is_whole)
        return lambda number: uint64(int64(number)) if whole(number) else _float_bits(float64(number))
    if not isinstance(number, types.Integer | types.Boolean):
        raise TypingError(f"a state holds numbers, and this is of type {number}")
    return lambda number: uint64(number)


@overload(number_kind)
def _number_kind(number: Any) -> Any:
    if isinstance(number, types.Float):
        whole = jitted(is_whole)
        return lambda number: uint64(0) if whole(number) else uint64(_FRACTION)
    if number == types.uint64:
        return lambda number: number >> uint64(63)  # HUGE is 1
    return lambda number: uint64(0)


def is_whole(number):  # type: ignore[no-untyped-def]
    """Whether a float is an int of 64 bits."""
    return -9223372036854775808.0 < number < 9223372036854775808.0 and number == int(number)


@intrinsic
def _float_bits(context, number):  # type: ignore[no-untyped-def]
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return uint64(float64), generate


@overload(keys.mix_key)
def _stir_key(word: Any) -> Any:
    def stir(word):  # type: ignore[no-untyped-def]
        word = (word ^ word >> uint64(32)) * _S
        return word ^ word >> uint64(29)

    return stir


@overload(keys.mix_check)
def _stir_check(word: Any, kind: Any) -> Any:
    def stir(word, kind):  # type: ignore[no-untyped-def]
        word = ((word ^ word >> uint64(29)) + kind) * _T
        return word ^ word >> uint64(31)

    return stir
