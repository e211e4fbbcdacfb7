"""Kayles and Dawson's Kayles: skittles in a row; the player who knocks over the last ones wins.

In Kayles a ball knocks over one pin, or two that stand next to each other; in Dawson's Kayles always two. Between two
rows, as where a pin has fallen, there is a gap that no ball bridges. A player who cannot move loses, or in the misere
game wins.

A state is one bit for each place where a pin stands. Rows stand one after the other, with an empty place between them:

    Kayles((3, 4))      i i i . i i i i        three pins, then four
                        0 1 2 3 4 5 6 7

A move is `2 * place` for a single pin and `2 * place + 1` for that pin and the next. Only how many pins stand together
matters, not where: `canonical` puts the groups in order, the largest first.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import has_bit, ones, popcount
from zermelo.board import EMPTY, Grid, Piece
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.parameters import check_types
from zermelo.games.support.position_text import NoState
from zermelo.value import LOSS, WIN

PIECES = (Piece("i", None, "♟", "pin", "pin"),)


class State(NamedTuple):
    pins: int  # the pins that stand


class Kayles(Game):
    """Knock over one pin, or two next to each other; the player who cannot loses, or wins in the misere game."""

    rows: tuple[int, ...] = (12,)
    misere: bool = False

    alternates = True
    single = True  # one pin alone may be knocked over

    def __post_init__(self) -> None:
        whole = isinstance(self.rows, tuple) and all(type(row) is int and row >= 1 for row in self.rows)
        if not whole or not self.rows or self.places > 60:
            raise GameError(
                f"{self!r}: rows must be a tuple of whole numbers from 1 up, such as (3, 4), which with a gap between "
                "any two rows take at most 60 places."
            )
        check_types(self)

    def initial(self):
        return State(self.start)

    def moves(self, state):
        if self.single:
            for pin in ones(state.pins):
                yield 2 * pin
        for pin in ones(state.pins & state.pins >> 1):
            yield 2 * pin + 1

    def play(self, state, move):
        return State(state.pins & ~((3 if move & 1 else 1) << (move >> 1)))

    def result(self, state):
        if state.pins & state.pins >> 1 or (self.single and state.pins):
            return ONGOING
        return WIN if self.misere else LOSS

    def stage(self, state):
        """How few pins stand that can fall: in Dawson's Kayles one that stands alone cannot."""
        pins = state.pins if self.single else state.pins & (state.pins >> 1 | state.pins << 1)
        return self.places - popcount(pins)

    @cached_property
    def places(self):
        return sum(self.rows) + len(self.rows) - 1

    @cached_property
    def start(self):
        pins = 0
        for row in self.rows[::-1]:
            pins = (pins << 1) << row | (1 << row) - 1
        return pins

    # -- evaluation and symmetry -------------------------------------------------------------------------------

    def evaluate(self, state):
        """The exclusive or of the nim-values of all groups is 0 where the player to move loses.

        In the misere game this is a heuristic, and as in Nim it reverses once no group has a value above 1.
        """
        total, largest = 0, 0
        starts = state.pins & ~(state.pins << 1)
        for first in ones(starts):
            length = 1
            while state.pins >> first + length & 1:
                length += 1
            total ^= self.nim_values[length]
            largest = max(largest, self.nim_values[length])
        lead = 10 if total else -10
        return -lead if self.misere and largest <= 1 else lead

    @cached_property
    def nim_values(self):
        """Of a group of 0, 1, 2, ... pins: the least number that is not the value of what a ball can leave of it."""
        values = [0]
        for pins in range(1, self.longest + 1):
            left = {
                values[part] ^ values[pins - fallen - part]
                for fallen in ((1, 2) if self.single else (2,))
                for part in range(pins - fallen + 1)
            }
            values.append(min({*range(len(left) + 1)} - left))
        return tuple(values)

    def order(self, state, move):
        """The middle of the lanes first, where a row falls into equal parts and moves can be copied."""
        return -abs(2 * (move >> 1) + (move & 1) - (self.places - 1))

    def canonical(self, state):
        """The same groups of pins, the largest first, with one gap between any two, and none that cannot fall."""
        pins, place = 0, 0
        starts = state.pins & ~(state.pins << 1)
        for length in range(self.longest, 0 if self.single else 1, -1):
            for first in ones(starts):
                group = state.pins >> first
                if group & (1 << length + 1) - 1 == (1 << length) - 1:
                    pins |= (1 << length) - 1 << place
                    place += length + 1
        return State(pins)

    @cached_property
    def longest(self):
        return max(self.rows)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        return Grid((self.state_text(state),), tuple(str(place + 1) for place in range(self.places)), pieces=PIECES)

    def squares(self, state, move):
        return (move >> 1, (move >> 1) + 1) if move & 1 else (move >> 1,)

    def move_text(self, state, move):
        """The pins by their places: `3`, or `3-4` for two."""
        return f"{(move >> 1) + 1}-{(move >> 1) + 2}" if move & 1 else str((move >> 1) + 1)

    def state_text(self, state):
        return "".join("i" if has_bit(state.pins, place) else EMPTY for place in range(self.places))

    def parse_state(self, text):
        marks = text.strip().lower()
        if len(marks) != self.places or set(marks) - {"i", EMPTY}:
            example = self.state_text(self.initial())
            raise NoState(f"{self!r}: {text!r} does not describe a state; one looks like {example!r}.")
        return State(sum(1 << place for place, mark in enumerate(marks) if mark == "i"))


class DawsonsKayles(Kayles):
    """Knock over two pins next to each other; the player who cannot loses, or wins in the misere game."""

    single = False
