"""Packing: the numbers of a state side by side, in as few words as they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from zermelo import rules
from zermelo.bits import signed
from zermelo.game import Game, State

FIRST_WORD_BITS, WORD_BITS = 62, 64
"""Bits of a word of a key. The first word is stored plus one, and is never negative."""

STEPS = 6
"""Steps that bring bits together: by 1, 2, 4, ... 32 places."""


class Range(NamedTuple):
    """What is known of a number of a state: its minimum and maximum, and all bits that were ever set."""

    low: int
    high: int
    used: int

    def including(self, number: int) -> Range:
        return Range(min(self.low, number), max(self.high, number), self.used | number)


@dataclass(frozen=True)
class Field:
    """Where a number of a state, less `low`, is in its key: `bits` bits at `shift` of a word.

    The bits are those of `used`, brought together.
    """

    low: int
    bits: int
    word: int
    shift: int
    used: int = -1

    @property
    def mask(self) -> int:
        """The bits that the number, less `low`, may have."""
        return signed((1 << self.bits) - 1) if self.used < 0 else self.used

    @cached_property
    def steps(self) -> list[int]:
        """The bits of `mask` that each step moves, and the steps that follow it do not find where they were.

        From Warren, Hacker's Delight, chapter 7: compress.
        """
        mask, moved = self.mask % (1 << WORD_BITS), []
        above = ~mask << 1
        for step in range(STEPS):
            odd = above  # each bit with an odd number of unused bits below it
            for i in range(STEPS):
                odd ^= odd << (1 << i)
            odd %= 1 << WORD_BITS
            move = odd & mask
            moved.append(move)
            mask = mask ^ move | move >> (1 << step)
            above &= ~odd
        return moved

    def compress(self, number: int) -> int:
        """Return the used bits of a number, brought together."""
        for step, move in enumerate(self.steps):
            moving = number & move
            number = number ^ moving | moving >> (1 << step)
        return number

    def expand(self, packed: int) -> int:
        """Return the number with these used bits: the inverse of `compress`."""
        for step, move in reversed(list(enumerate(self.steps))):
            packed = packed & ~move | packed << (1 << step) & move
        return packed & self.mask


@dataclass(frozen=True)
class Packing:
    """The fields of a state, in order, and the number of words of a key."""

    fields: tuple[Field, ...]
    words: int

    @classmethod
    def fitting(cls, ranges: Sequence[Range]) -> Packing:
        """Return a packing for numbers in these ranges. Spare bits widen the fields.

        The first numbers are highest in their word, so that keys sort as states do. Bits that no number ever has, such
        as those between the columns of a board, are left out where that saves a word.

        >>> Packing.fitting([Range(0, 7, 7), Range(0, 1, 1)]).words
        1
        """
        bits = [(high - low).bit_length() for low, high, _ in ranges]
        spare = (FIRST_WORD_BITS - sum(bits)) // max(1, len(bits))
        wider = [min(spare, 2) if spare > 0 and low == 0 else 0 for low, _, _ in ranges]
        whole = cls._laid_out(
            [(low, width + more, -1) for (low, _, _), width, more in zip(ranges, bits, wider, strict=True)]
        )
        sparse = cls._laid_out([_sparse(each) for each in ranges])
        return whole if whole.words <= sparse.words else sparse

    @classmethod
    def _laid_out(cls, widths: Sequence[tuple[int, int, int]]) -> Packing:
        """Return the packing of fields with these minima, widths and used bits, one after the other."""
        fields, room = [], [FIRST_WORD_BITS]
        for low, width, used in widths:
            if width > room[-1]:
                room.append(WORD_BITS)
            room[-1] -= width
            fields.append(Field(low, width, len(room) - 1, room[-1], used))
        return cls(tuple(fields), len(room))

    @property
    def is_valid(self) -> bool:
        """Whether the fields are laid out as `fitting` does, so that no file makes a kernel write out of bounds."""
        limit = 1 << WORD_BITS
        for field in self.fields:
            if not (0 <= field.bits <= WORD_BITS and -limit // 2 <= field.low < limit):
                return False
            if field.used != -1 and not (0 < field.used < limit // 2 and field.used.bit_count() == field.bits):
                return False
        return self == self._laid_out([(field.low, field.bits, field.used) for field in self.fields])

    @classmethod
    def from_list(cls, rows: Sequence[Sequence[int]]) -> Packing:
        """Return the packing that `to_list` wrote."""
        fields = tuple(Field(*row) for row in rows)
        return cls(fields, 1 + max((field.word for field in fields), default=0))

    def to_list(self) -> list[list[int]]:
        """Return a row for each field; the used bits end it, if they are not all."""
        return [
            [field.low, field.bits, field.word, field.shift, *([] if field.used < 0 else [field.used])]
            for field in self.fields
        ]

    def key(self, state: State) -> tuple[int, ...] | None:
        """Return the key of a state, as tables store it; None if a number is outside its field."""
        words = [0] * self.words
        for field, number in zip(self.fields, map(int, rules.numbers(state)), strict=True):
            above = number - field.low if field.bits < WORD_BITS else (number - field.low) % (1 << WORD_BITS)
            if field.used >= 0:
                if above & ~field.used:
                    return None
                above = field.compress(above)
            if above >> field.bits:
                return None
            words[field.word] |= above << field.shift
        return words[0] + 1, *map(signed, words[1:])

    def state(self, game: Game, key: Sequence[int]) -> State:
        """Return the state with this key."""
        words = [int(key[0]) - 1, *(int(word) % (1 << 64) for word in key[1:])]
        numbers = []
        for field in self.fields:
            packed = (words[field.word] >> field.shift) % (1 << field.bits)
            numbers.append((packed if field.used < 0 else field.expand(packed)) + field.low)
        return rules.state_from_words(game, numbers)


def _sparse(each: Range) -> tuple[int, int, int]:
    """Return the minimum, width and used bits of a field, without the bits that are never set where that is less."""
    width = (each.high - each.low).bit_length()
    if each.low < 0 or each.high >= 1 << WORD_BITS - 1 or each.used.bit_count() >= width:
        return each.low, width, -1
    return 0, each.used.bit_count(), each.used


def widened(ranges: Sequence[Range], beyond: Sequence[Sequence[int]]) -> list[Range]:
    """Return ranges that include these numbers of states as well, one of which is outside its range.

    A range has as much room again below and above where a number left it, as far as 64 bits go.

    >>> widened([Range(0, 9, 15), Range(100, 100, 100)], [(12, 100)])
    [Range(low=-10, high=19, used=15), Range(low=100, high=100, used=100)]
    """
    wider = []
    for place, each in enumerate(ranges):
        numbers = [row[place] for row in beyond]
        larger = each
        for number in numbers:
            larger = larger.including(number)
        if (larger.low, larger.high) != (each.low, each.high):
            larger = larger._replace(**dict(zip(("low", "high"), _wider(each.low, each.high), strict=True)))
            for number in numbers:
                larger = larger.including(number)
        wider.append(larger)
    return wider if wider != list(ranges) else [_without_limit(each) for each in ranges]


def _without_limit(each: Range) -> Range:
    """Return a wider range all of whose bits are used."""
    low, high = _wider(each.low, each.high)
    return Range(low, high, (1 << high.bit_length()) - 1)


def _wider(low: int, high: int) -> tuple[int, int]:
    span = high - low + 1
    if high >= 1 << WORD_BITS - 1:  # only an unsigned number is as large
        return 0, (1 << WORD_BITS) - 1
    return max(low - span, -(1 << WORD_BITS - 1)), min(high + span, (1 << WORD_BITS - 1) - 1)
