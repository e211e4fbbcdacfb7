"""Packing: the numbers of a state side by side, in as few words as they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo import rules
from zermelo.bits import signed
from zermelo.game import Game, State
from zermelo.solving.random_play import random_games

FIRST_WORD_BITS, WORD_BITS = 62, 64
"""Bits of a word of a key. The first word is stored plus one, and is never negative."""

RANGE_GAMES, RANGE_PLIES = 64, 400
"""Random games, and plies of each, from which the ranges of the numbers of a state are estimated."""


@dataclass(frozen=True)
class Field:
    """Where a number of a state, less `low`, is in its key: `bits` bits at `shift` of a word."""

    low: int
    bits: int
    word: int
    shift: int

    @property
    def mask(self) -> int:
        return signed((1 << self.bits) - 1)


@dataclass(frozen=True)
class Packing:
    """The fields of a state, in order, and the number of words of a key."""

    fields: tuple[Field, ...]
    words: int

    @classmethod
    def fitting(cls, ranges: Sequence[tuple[int, int]]) -> Packing:
        """Return a packing for numbers in these ranges. Spare bits widen the fields.

        The first numbers are highest in their word, so that keys sort as states do.

        >>> Packing.fitting([(0, 7), (0, 1)]).words
        1
        """
        bits = [(high - low).bit_length() for low, high in ranges]
        spare = (FIRST_WORD_BITS - sum(bits)) // max(1, len(bits))
        wider = [min(spare, 2) if spare > 0 and low == 0 else 0 for low, _ in ranges]
        return cls._laid_out([(low, width + more) for (low, _), width, more in zip(ranges, bits, wider, strict=True)])

    @classmethod
    def _laid_out(cls, widths: Sequence[tuple[int, int]]) -> Packing:
        """Return the packing of fields with these minima and widths, one after the other."""
        fields, room = [], [FIRST_WORD_BITS]
        for low, width in widths:
            if width > room[-1]:
                room.append(WORD_BITS)
            room[-1] -= width
            fields.append(Field(low, width, len(room) - 1, room[-1]))
        return cls(tuple(fields), len(room))

    @property
    def is_valid(self) -> bool:
        """Whether the fields are laid out as `fitting` does, so that no file makes a kernel write out of bounds."""
        limit = 1 << WORD_BITS
        if not all(0 <= field.bits <= WORD_BITS and -limit // 2 <= field.low < limit for field in self.fields):
            return False
        return self == self._laid_out([(field.low, field.bits) for field in self.fields])

    @classmethod
    def from_list(cls, rows: Sequence[Sequence[int]]) -> Packing:
        """Return the packing that `to_list` wrote."""
        fields = tuple(Field(*row) for row in rows)
        return cls(fields, 1 + max((field.word for field in fields), default=0))

    def to_list(self) -> list[list[int]]:
        return [[field.low, field.bits, field.word, field.shift] for field in self.fields]

    def key(self, state: State) -> tuple[int, ...] | None:
        """Return the key of a state, as tables store it; None if a number is outside its field."""
        words = [0] * self.words
        for field, number in zip(self.fields, map(int, rules.numbers(state)), strict=True):
            above = number - field.low if field.bits < WORD_BITS else (number - field.low) % (1 << WORD_BITS)
            if above >> field.bits:
                return None
            words[field.word] |= above << field.shift
        return words[0] + 1, *map(signed, words[1:])

    def state(self, game: Game, key: Sequence[int]) -> State:
        """Return the state with this key."""
        words = [int(key[0]) - 1, *(int(word) % (1 << 64) for word in key[1:])]
        numbers = [(words[f.word] >> f.shift) % (1 << f.bits) + f.low for f in self.fields]
        return rules.state_from_words(game, numbers)


def widened(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges with as much room again below and above, as far as 64 bits go.

    >>> widened([(0, 9), (100, 100)])
    [(-10, 19), (99, 101)]
    """
    return [_wider(low, high) for low, high in ranges]


def _wider(low: int, high: int) -> tuple[int, int]:
    span = high - low + 1
    if high >= 1 << WORD_BITS - 1:  # only an unsigned number is as large
        return 0, (1 << WORD_BITS) - 1
    return max(low - span, -(1 << WORD_BITS - 1)), min(high + span, (1 << WORD_BITS - 1) - 1)


def ranges_of(game: Game) -> list[tuple[int, int]]:
    """Return the minimum and maximum of each number of a state over some random games."""
    first = list(map(int, rules.numbers(game.initial())))
    low, high = list(first), list(first)
    for states in random_games(game, RANGE_GAMES, RANGE_PLIES, seed=1, folded=True):
        for state, _ in states:
            for place, number in enumerate(map(int, rules.numbers(state))):
                low[place], high[place] = min(low[place], number), max(high[place], number)
    return list(zip(low, high, strict=True))
