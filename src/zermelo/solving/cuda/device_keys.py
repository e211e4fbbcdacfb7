"""Keys of states on a GPU: functions that are generated for one packing, with its masks and shifts as constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.game import Game
from zermelo.native.device.device_numbers import machine_casts
from zermelo.native.device.device_states import number_texts, state_text
from zermelo.solving.enumeration.compressed_keys import FOLLOWED, GROUP_BITS, unused_bits
from zermelo.solving.enumeration.state_packing import WORD_BITS, Field, Packing

WORD_MASK = (1 << WORD_BITS) - 1

GROUP_DIGITS = 19
"""Digits in base 3 that fit into 31 bits."""


def unpack_state(game: Any, keys: Any, place: int) -> Any:
    """The state whose key is at a place of an array of keys."""
    raise NotImplementedError


def pack_state(game: Any, state: Any) -> Any:
    """The words of the state's key, as tables store it; the first is 0 if a number is outside its field."""
    raise NotImplementedError


def store_key(keys: Any, place: int, key: Any) -> None:
    """Write a key to a place of an array of keys."""
    raise NotImplementedError


def find_key(heads: Any, starts: Any, stream: Any, low: int, high: int, end: int, block_bits: int, key: Any) -> int:
    """The place of a key among the sorted keys of the blocks from `low` to `high`, which end before place `end`.

    -1 if it is not there. A block has 2**block_bits keys, a single one where they are not compressed.
    """
    raise NotImplementedError


def key_functions(game: Game, packing: Packing) -> dict[Any, Callable[..., Any]]:
    """The functions above for one game and packing."""
    return {
        unpack_state: _unpacker(game, packing),
        pack_state: _packer(game, packing),
        store_key: _storer(packing.words),
        find_key: _block_finder(unused_bits(packing)) if packing.words == 1 else _finder(packing.words),
    }


def _word(number: int) -> str:
    return f"cast_uint64({number % (1 << WORD_BITS)})"


def _unpacker(game: Game, packing: Packing) -> Any:
    lines = ["def unpack_state(game, keys, place):"]
    for word in range(packing.words):
        stored = f"cast_uint64(keys[place * {packing.words} + {word}])"
        lines.append(f"    w{word} = {stored}" if word else f"    w{word} = {stored} - {_word(1)}")
    for number, field in enumerate(packing.fields):
        if field.digit != 2:
            lines.append(f"    n{number} = w{field.word} >> {_word(field.shift)} & {_word((1 << field.width) - 1)}")
        if field.digit == 1:
            lines += _both_from_base_3(number, field)
    for number, field in enumerate(packing.fields):
        if field.used >= 0:
            for step, move in reversed(list(enumerate(field.steps))):
                if move:
                    moved = f"n{number} << {_word(1 << step)} & {_word(move)}"
                    lines.append(f"    n{number} = n{number} & {_word(~move)} | {moved}")
            lines.append(f"    n{number} = n{number} & {_word(field.mask)}")
        lines.append(f"    n{number} = cast_uint64(n{number} + {_word(field.low)})")
    lines += [
        f"    n{n} = n{n} | n{each.partner}" for n, each in enumerate(packing.fields) if each.digit == 2 and each.inside
    ]
    text, scope = state_text(game, [f"cast_int64(n{number})" for number in range(len(packing.fields))])
    exec("\n".join([*lines, f"    return {text}"]), scope)
    return scope["unpack_state"]


def _packer(game: Game, packing: Packing) -> Any:
    lines = ["def pack_state(game, state):", "    fits = True"]
    lines += [f"    w{word} = {_word(0)}" for word in range(packing.words)]
    texts = number_texts(game, "state")
    for number, (field, text) in enumerate(zip(packing.fields, texts, strict=True)):
        lines.append(f"    n{number} = cast_uint64(cast_uint64({text}) - {_word(field.low)})")
    for number, field in enumerate(packing.fields):
        if field.digit == 2:
            if field.inside:
                lines.append(f"    n{number} = n{number} ^ n{field.partner}")
            lines.append(f"    fits = fits and n{number} & n{field.partner} == {_word(0)}")
    for number, field in enumerate(packing.fields):
        lines += _packed_field(number, field)
        if field.digit == 2:
            lines += _in_base_3(number, field)
    first = f"cast_int64(w0 + {_word(1)}) if fits else cast_int64(0)"
    rest = "".join(f"cast_int64(w{word}), " for word in range(1, packing.words))
    scope: dict[str, Any] = {**machine_casts()}
    exec("\n".join([*lines, f"    return ({first}, {rest})"]), scope)
    return scope["pack_state"]


def _packed_field(number: int, field: Field) -> list[str]:
    """Lines that put a number into the word of its field."""
    lines = []
    mask = field.mask % (1 << WORD_BITS)
    if mask != WORD_MASK:
        lines.append(f"    fits = fits and n{number} & {_word(~mask)} == {_word(0)}")
    if field.used >= 0:
        for step, move in enumerate(field.steps):
            if move:
                lines.append(f"    m = n{number} & {_word(move)}")
                lines.append(f"    n{number} = n{number} ^ m | m >> {_word(1 << step)}")
    if field.digit:
        return lines
    return [*lines, f"    w{field.word} = w{field.word} | n{number} << {_word(field.shift)}"]


def _in_base_3(number: int, field: Field) -> list[str]:
    """Lines that put two numbers, whose bits have been brought together, into a word: a digit for each bit.

    Groups of digits are computed in 32 bits, which is most of what a GPU can do at a time.
    """
    lines = [f"    b{number} = {_word(0)}", "    one = cast_uint32(1)"]
    for start in reversed(range(0, field.bits, GROUP_DIGITS)):
        digits = min(GROUP_DIGITS, field.bits - start)
        lines += [
            f"    x = cast_uint32(n{field.partner} >> {_word(start)} & {_word((1 << digits) - 1)})",
            f"    y = cast_uint32(n{number} >> {_word(start)} & {_word((1 << digits) - 1)})",
            "    z = cast_uint32(0)",
            f"    for i in range({digits - 1}, -1, -1):",
            "        at = cast_uint32(i)",
            "        z = cast_uint32(z * cast_uint32(3) + (x >> at & one) + ((y >> at & one) << one))",
            f"    b{number} = b{number} * {_word(3**digits)} + cast_uint64(z)",
        ]
    return [*lines, f"    w{field.word} = w{field.word} + (b{number} << {_word(field.shift)})"]


def _both_from_base_3(number: int, field: Field) -> list[str]:
    """Lines that take a number in base 3 apart into two, whose bits are its digits 1 and 2."""
    both = f"n{number}", f"n{field.partner}"
    lines = [f"    v = {both[0]}", "    one = cast_uint32(1)", *(f"    {each} = {_word(0)}" for each in both)]
    for start in range(0, field.bits, GROUP_DIGITS):
        digits = min(GROUP_DIGITS, field.bits - start)
        lines += [
            f"    z = cast_uint32(v % {_word(3**digits)})",
            f"    v = v // {_word(3**digits)}",
            "    x = cast_uint32(0)",
            "    y = cast_uint32(0)",
            f"    for i in range({digits}):",
            "        at = cast_uint32(i)",
            "        digit = cast_uint32(z % cast_uint32(3))",
            "        z = cast_uint32(z // cast_uint32(3))",
            "        x = cast_uint32(x | (digit & one) << at)",
            "        y = cast_uint32(y | (digit >> one) << at)",
            *(
                f"    {each} = {each} | cast_uint64({own}) << {_word(start)}"
                for each, own in zip(both, "xy", strict=True)
            ),
        ]
    return lines


def _storer(words: int) -> Any:
    scope: dict[str, Any] = {}
    lines = [f"    keys[place * {words} + {word}] = key[{word}]" for word in range(words)]
    exec("\n".join(["def store_key(keys, place, key):", *lines]), scope)
    return scope["store_key"]


def _block_finder(shift: int) -> Any:
    """Binary search for the block, then its steps one after the other (enumeration/compressed_keys.py)."""
    text = f"""
def find_key(heads, starts, stream, low, high, end, block_bits, key):
    first = low
    while low < high:
        middle = (low + high) >> 1
        if heads[middle] <= key[0]:
            low = middle + 1
        else:
            high = middle
    block = low - 1
    if block < first:
        return -1
    rest = key[0] - heads[block] >> {shift}
    place = block << block_bits
    stop = min(place + (1 << block_bits), end)
    if rest == 0 or place + 1 >= stop:
        return place if rest == 0 else -1
    at = starts[block]
    word = cast_uint32(0)
    left = 0
    while rest > 0:
        place += 1
        if place >= stop:
            return -1
        bit = 0
        group = cast_uint32({FOLLOWED})
        while group >= cast_uint32({FOLLOWED}):
            if left == 0:
                word = cast_uint32(stream[at])
                at += 1
                left = 8
            group = word & cast_uint32(15)
            word = cast_uint32(word >> cast_uint32(4))
            left -= 1
            rest -= cast_int64(group & cast_uint32({FOLLOWED - 1})) << bit
            bit += {GROUP_BITS}
    return place if rest == 0 else -1
"""
    scope: dict[str, Any] = {**machine_casts()}
    exec(text, scope)
    return scope["find_key"]


def _finder(words: int) -> Any:
    """Binary search. Words are compared one after the other, as signed numbers."""
    less, equal = "False", " and ".join(f"keys[low * {words} + {word}] == key[{word}]" for word in range(words))
    for word in reversed(range(words)):
        here = f"keys[middle * {words} + {word}]"
        less = (
            f"({here} < key[{word}] or ({here} == key[{word}] and {less}))"
            if less != "False"
            else f"{here} < key[{word}]"
        )
    text = f"""
def find_key(keys, starts, stream, low, high, end, block_bits, key):
    while low < high:
        middle = (low + high) >> 1
        if {less}:
            low = middle + 1
        else:
            high = middle
    if low < end and {equal}:
        return low
    return -1
"""
    scope: dict[str, Any] = {}
    exec(text, scope)
    return scope["find_key"]
