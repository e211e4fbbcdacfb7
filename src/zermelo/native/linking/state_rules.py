"""The rules that follow from the layout of a state alone, as LLVM IR: its words, its key and its check.

They are written here for states of whole numbers, which nearly all games have. Numba takes longer for them than for the
author's own rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo import bits, keys
from zermelo.game import Game
from zermelo.native.linking.default_rules import external_function, state_ir
from zermelo.native.state_layout import Layout

WHOLE_TYPES = ("int64", "uint64", "bool")
"""The types of numbers that fill their word. Numba compiles these rules for states with others."""


def state_rule(game: Game, layout: Layout, name: str) -> str | None:
    """The IR of a rule that only the layout of a state decides; None if Numba has to compile it."""
    if any(number.dtype not in WHOLE_TYPES for number in layout.numbers()):
        return None
    if name == "state_from_words":
        return external_function(name, _words_to_state(layout))
    if name == "state_to_words":
        return external_function(name, _state_to_words(layout))
    if name == "structural_key" or (name == "state_key" and not keys.key_is_exact(game)):
        return external_function(name, _mixed(layout, check=False))
    if name == "structural_check" or (name == "state_check" and not keys.key_is_exact(game)):
        return external_function(name, _mixed(layout, check=True))
    return None


def _words_to_state(layout: Layout) -> str:
    lines = []
    for at, (place, dtype) in enumerate(_places(layout)):
        lines += [f"%from{at} = getelementptr i64, ptr %a0, i64 {at}", f"%word{at} = load i64, ptr %from{at}"]
        lines.append(f"%to{at} = getelementptr {state_ir(layout)}, ptr %r0, {place}")
        if dtype == "bool":
            lines += [f"%bit{at} = icmp ne i64 %word{at}, 0", f"%byte{at} = zext i1 %bit{at} to i8"]
        lines.append(f"store i8 %byte{at}, ptr %to{at}" if dtype == "bool" else f"store i64 %word{at}, ptr %to{at}")
    return _text(lines)


def _state_to_words(layout: Layout) -> str:
    lines = _loads(layout)
    for at, _ in enumerate(layout.numbers()):
        lines += [f"%to{at} = getelementptr i64, ptr %a1, i64 {at}", f"store i64 %word{at}, ptr %to{at}"]
    return _text(lines)


def _mixed(layout: Layout, *, check: bool) -> str:
    """Key or check of a state: the arithmetic of keys.py, done with words that write instructions."""
    lines = _loads(layout)
    key: Any
    found: Any
    key, found = (Word(lines, str(bits.signed(seed))) for seed in keys.seeds(tuple(_shape(layout))))
    for at, number in enumerate(layout.numbers()):
        word: Any = Word(lines, f"%word{at}")
        kind: Any = word >> 63 if number.dtype == "uint64" else Word(lines, "0")  # HUGE is 1
        if check:
            found = keys.mix_check(found ^ key, kind)
        key = keys.mix_key(key ^ word)
    mixed = _mix(found if check else key)
    return _text([*lines, f"store i64 {mixed.name}, ptr %r0"])


def _mix(word: Word) -> Word:
    """`bits.mix`, which takes ints only."""
    word = word + 0x9E3779B97F4A7C15
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9
    word = (word ^ word >> 27) * 0x94D049BB133111EB
    return word ^ word >> 31


class Word:
    """A 64-bit word of a function. Arithmetic with it appends instructions to the function."""

    def __init__(self, lines: list[str], name: str) -> None:
        self.lines = lines
        self.name = name

    def __xor__(self, other: Word) -> Word:
        return self._result("xor", other.name)

    def __add__(self, other: Word | int) -> Word:
        return self._result("add", other.name if isinstance(other, Word) else str(bits.signed(other)))

    def __mul__(self, factor: int) -> Word:
        return self._result("mul", str(bits.signed(factor)))

    def __rshift__(self, count: int) -> Word:
        return self._result("lshr", str(count))

    def __and__(self, mask: int) -> Word:
        assert mask == bits.WORD, "words wrap of themselves"
        return self

    def _result(self, operation: str, operand: str) -> Word:
        name = f"%mixed{len(self.lines)}"
        self.lines.append(f"{name} = {operation} i64 {self.name}, {operand}")
        return Word(self.lines, name)


def _loads(layout: Layout) -> list[str]:
    """Instructions that read the numbers of a state as words."""
    lines = []
    for at, (place, dtype) in enumerate(_places(layout)):
        lines.append(f"%from{at} = getelementptr {state_ir(layout)}, ptr %a0, {place}")
        if dtype == "bool":
            lines += [f"%byte{at} = load i8, ptr %from{at}", f"%word{at} = zext i8 %byte{at} to i64"]
        else:
            lines.append(f"%word{at} = load i64, ptr %from{at}")
    return lines


def _places(layout: Layout, place: str = "i32 0") -> Iterator[tuple[str, str]]:
    """The indices of each number inside a state, and its type."""
    if layout.cls is None:
        yield place, layout.dtype
    for at, part in enumerate(layout.parts):
        yield from _places(part, f"{place}, i32 {at}")


def _shape(layout: Layout) -> Iterator[int]:
    """The shape of a state, as in keys.py."""
    if layout.cls is None:
        yield keys.NUMBER
    else:
        yield from (keys.TUPLE, len(layout.parts))
        for part in layout.parts:
            yield from _shape(part)


def _text(lines: list[str]) -> str:
    return "".join(f"  {line}\n" for line in lines)
