"""Packing: the numbers of a state side by side, in as few words as they need.

The boards of two players never share a bit, or one board contains the other. Where that saves a word, both make one
number in base 3, with a digit for each bit: 0 where neither has the bit, 1 where the first has it, else 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from zermelo import rules
from zermelo.bits import signed
from zermelo.game import Game, State

FIRST_WORD_BITS, WORD_BITS = 62, 64
"""Bits of a word of a key. The first word is stored plus one, and is never negative."""

STEPS = 6
"""Steps that bring bits together: by 1, 2, 4, ... 32 places."""

MAX_DIGITS = 39
"""Digits in base 3 that fit into the first word."""

MAX_PAIRED = 16
"""Numbers of a state, at most, which are compared with each other."""


class Range(NamedTuple):
    """What is known of a number of a state: its minimum and maximum, and all bits that were ever set.

    `within` and `apart` are sets of other numbers, as bits: those that always had all bits of this one, and those that
    never had any.
    """

    low: int
    high: int
    used: int
    within: int = 0
    apart: int = 0

    def including(self, number: int) -> Range:
        return self._replace(low=min(self.low, number), high=max(self.high, number), used=self.used | number)


def related(ranges: Sequence[Range], rows: Sequence[Sequence[int]]) -> list[Range]:
    """Return the ranges with what these states, rows of numbers, show of each two numbers."""
    others = (1 << len(ranges)) - 1 if len(ranges) <= MAX_PAIRED else 0
    found = [each._replace(within=others & ~(1 << i), apart=others & ~(1 << i)) for i, each in enumerate(ranges)]
    for row in rows if others else ():
        found = including_state(found, row)
    return found


def including_state(ranges: Sequence[Range], numbers: Sequence[int]) -> list[Range]:
    """Return the ranges extended by the numbers of a state."""
    found = []
    for each, number in zip(ranges, numbers, strict=True):
        within, apart = each.within, each.apart
        for j, other in enumerate(numbers if within | apart else ()):
            within &= ~(1 << j) if number & ~other else -1
            apart &= ~(1 << j) if number & other else -1
        found.append(each.including(number)._replace(within=within, apart=apart))
    return found


@dataclass(frozen=True)
class Field:
    """Where a number of a state, less `low`, is in its key: `bits` bits at `shift` of a word.

    The bits are those of `used`, brought together. With a `partner`, another number of the state, both are one number
    in base 3: a bit of this number is the digit `digit`. Where the first of the two is `inside` the second, the second
    counts with the bits that it has alone.
    """

    low: int
    bits: int
    word: int
    shift: int
    used: int = -1
    partner: int = -1
    digit: int = 0
    inside: int = 0

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

    @property
    def width(self) -> int:
        """Bits of the key that this number takes, together with its partner if it has one."""
        return (3**self.bits - 1).bit_length() if self.digit else self.bits

    def in_base_3(self, number: int) -> int:
        """Return the used bits of a number as digits."""
        return sum(self.digit * 3**i for i in range(self.bits) if self.compress(number) >> i & 1)

    def from_base_3(self, packed: int) -> int:
        """Return the number whose bits are these digits: the inverse of `in_base_3`, of both numbers together."""
        return self.expand(sum((packed // 3**i % 3 == self.digit) << i for i in range(self.bits)))


@dataclass(frozen=True)
class Packing:
    """The fields of a state, in order, and the number of words of a key."""

    fields: tuple[Field, ...]
    words: int

    @classmethod
    def fitting(cls, ranges: Sequence[Range]) -> Packing:
        """Return a packing for numbers in these ranges. Spare bits widen the fields.

        The first numbers are highest in their word, so that keys sort as states do. Bits that no number ever has, such
        as those between the columns of a board, are left out where that saves a word; and so it is with base 3.

        >>> Packing.fitting([Range(0, 7, 7), Range(0, 1, 1)]).words
        1
        """
        bits = [(each.high - each.low).bit_length() for each in ranges]
        spare = (FIRST_WORD_BITS - sum(bits)) // max(1, len(bits))
        wider = [min(spare, 2) if spare > 0 and each.low == 0 else 0 for each in ranges]
        whole = cls._laid_out(
            [(each.low, width + more, -1) for each, width, more in zip(ranges, bits, wider, strict=True)]
        )
        sparse = cls._laid_out([_sparse(each) for each in ranges])
        ternary = cls._laid_out(_paired(ranges)) if min(whole.words, sparse.words) > 1 else sparse
        return min((whole, sparse, ternary), key=lambda packing: packing.words)

    @classmethod
    def _laid_out(cls, widths: Sequence[tuple[int, ...]]) -> Packing:
        """Return the packing of fields one after the other; each has a minimum, a width and used bits, perhaps more.

        Two numbers in base 3 are where the first of them is.
        """
        fields: list[Field] = []
        room = [FIRST_WORD_BITS]
        for number, row in enumerate(widths):
            field = Field(row[0], row[1], 0, 0, *row[2:])
            if 0 <= field.partner < number:
                other = fields[field.partner]
                fields.append(replace(field, word=other.word, shift=other.shift))
                continue
            if field.width > room[-1]:
                room.append(WORD_BITS)
            room[-1] -= field.width
            fields.append(replace(field, word=len(room) - 1, shift=room[-1]))
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
        if not all(self._is_paired(number) for number in range(len(self.fields))):
            return False
        return self == self._laid_out([_unplaced(field) for field in self.fields])

    def _is_paired(self, number: int) -> bool:
        """Whether a field has no partner, or one that has it."""
        field = self.fields[number]
        if (field.partner, field.digit, field.inside) == (-1, 0, 0):
            return True
        if not 0 <= field.partner < len(self.fields) or field.partner == number:
            return False
        other = self.fields[field.partner]
        alike = (field.used, field.bits, field.low, 0) == (other.used, other.bits, other.low, field.low)
        paired = other.partner == number and {field.digit, other.digit} == {1, 2} and field.inside == other.inside
        return alike and paired and field.used > 0 and field.bits <= MAX_DIGITS and field.inside in (0, 1)

    @classmethod
    def from_list(cls, rows: Sequence[Sequence[int]]) -> Packing:
        """Return the packing that `to_list` wrote."""
        fields = tuple(Field(*row) for row in rows)
        return cls(fields, 1 + max((field.word for field in fields), default=0))

    def to_list(self) -> list[list[int]]:
        """Return a row for each field; the used bits end it, if they are not all, or what base 3 needs."""
        return [
            [field.low, field.bits, field.word, field.shift, *([] if field.used < 0 else [field.used])]
            + ([field.partner, field.digit, field.inside] if field.digit else [])
            for field in self.fields
        ]

    def key(self, state: State) -> tuple[int, ...] | None:
        """Return the key of a state, as tables store it; None if a number is outside its field."""
        words = [0] * self.words
        numbers = list(map(int, rules.numbers(state)))
        for field, number in zip(self.fields, numbers, strict=True):
            if field.digit:
                alone = number ^ numbers[field.partner] if field.digit == 2 and field.inside else number
                if alone & ~field.used or (field.digit == 2 and alone & numbers[field.partner]):
                    return None
                words[field.word] += field.in_base_3(alone) << field.shift
                continue
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
            packed = (words[field.word] >> field.shift) % (1 << field.width)
            if field.digit:
                numbers.append(field.from_base_3(packed))
            else:
                numbers.append((packed if field.used < 0 else field.expand(packed)) + field.low)
        for number, field in enumerate(self.fields):
            if field.digit == 2 and field.inside:
                numbers[number] |= numbers[field.partner]
        return rules.state_from_words(game, numbers)


def _sparse(each: Range) -> tuple[int, int, int]:
    """Return the minimum, width and used bits of a field, without the bits that are never set where that is less."""
    width = (each.high - each.low).bit_length()
    if each.low < 0 or each.high >= 1 << WORD_BITS - 1 or each.used.bit_count() >= width:
        return each.low, width, -1
    return 0, each.used.bit_count(), each.used


def _paired(ranges: Sequence[Range]) -> list[tuple[int, ...]]:
    """Return rows of fields, as `_sparse` does, with two numbers in base 3 wherever that takes fewer bits."""
    rows: list[tuple[int, ...]] = [_sparse(each) for each in ranges]
    for number, each in enumerate(ranges):
        for other in range(number + 1, len(ranges)):
            first, second = number, other
            if ranges[other].within >> number & 1:
                first, second = other, number
            inside = ranges[first].within >> second & 1
            used = each.used | ranges[other].used
            apart = inside or each.apart >> other & 1
            fits = min(each.low, ranges[other].low) >= 0 and 0 < used < 1 << WORD_BITS - 1
            if len(rows[first]) > 3 or len(rows[second]) > 3 or not (apart and fits):
                continue
            digits = used.bit_count()
            if digits <= MAX_DIGITS and (3**digits - 1).bit_length() < rows[first][1] + rows[second][1]:
                rows[first] = 0, digits, used, second, 1, inside
                rows[second] = 0, digits, used, first, 2, inside
    return rows


def _unplaced(field: Field) -> tuple[int, ...]:
    """Return the row of a field, from which `_laid_out` places it."""
    return field.low, field.bits, field.used, field.partner, field.digit, field.inside


def widened(ranges: Sequence[Range], beyond: Sequence[Sequence[int]]) -> list[Range]:
    """Return ranges that include these numbers of states as well, one of which is outside its range.

    A range has as much room again below and above where a number left it, as far as 64 bits go.

    >>> widened([Range(0, 9, 15), Range(100, 100, 100)], [(12, 100)])
    [Range(low=-10, high=19, used=15, within=0, apart=0), Range(low=100, high=100, used=100, within=0, apart=0)]
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
    for row in beyond:
        wider = including_state(wider, row)
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
