"""Nim: take any number of matches from one pile; by default, the player who takes the last match wins.

A state is the piles alone, smallest first, empty ones included. Which pile lies where does not matter, so piles
are kept sorted and of several equal piles only the first is taken from: equivalent states are one state, and
equivalent moves one move. A move is `pile * (largest + 1) + taken`, where `largest` is the largest pile at the start:

    Nim((3, 4, 5))      piles (3, 4, 5)      move 14 = 2 * 6 + 2 takes two from the pile of five, written 5-2
"""

from functools import cached_property
from typing import Any, NamedTuple

from zermelo.arguments import is_int
from zermelo.board import Piles
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.parameters import check_types
from zermelo.games.support.position_text import NoState
from zermelo.tuples import replace
from zermelo.value import LOSS, WIN

MAX_MATCHES, MAX_PILES = 24, 20
"""The largest pile, and the most piles, of which matches are clicked one by one."""


class State(NamedTuple):
    piles: tuple[int, ...]  # smallest first


class Nim(Game):
    """Take matches from one pile; the player who takes the last one wins, or loses in the misere game."""

    piles: tuple[int, ...] = (3, 4, 5)
    misere: bool = False

    alternates = True

    def __post_init__(self) -> None:
        if not isinstance(self.piles, tuple) or not self.piles or not all(_is_size(pile) for pile in self.piles):
            raise GameError(f"{self!r}: piles must be a tuple of whole numbers from 0 up, such as (3, 4, 5).")
        check_types(self)

    def initial(self):
        return State(self.start)

    def moves(self, state):
        for pile in range(len(state.piles)):
            if pile == 0 or state.piles[pile - 1] < state.piles[pile]:
                for taken in range(1, state.piles[pile] + 1):
                    yield pile * self.base + taken

    def play(self, state, move):
        pile, taken = move // self.base, move % self.base
        piles = state.piles
        left = piles[pile] - taken
        while pile > 0 and piles[pile - 1] > left:  # keep the piles sorted
            piles = replace(piles, pile, piles[pile - 1])
            pile -= 1
        return State(replace(piles, pile, left))

    def result(self, state):
        if state.piles[-1] > 0:
            return ONGOING
        return WIN if self.misere else LOSS

    def stage(self, state):
        return self.matches - self.matches_in(state)

    def matches_in(self, state):
        total = 0
        for pile in state.piles:
            total += pile
        return total

    @cached_property
    def start(self):
        return tuple(sorted(self.piles))

    @cached_property
    def base(self):
        return max(self.piles) + 1

    @cached_property
    def room(self):
        """The largest pile, where each match is a square of its own; 0 where piles are too large or too many."""
        largest = max(self.piles)
        return largest if largest <= MAX_MATCHES and len(self.piles) <= MAX_PILES else 0

    @cached_property
    def matches(self):
        return sum(self.piles)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        return Piles(state.piles, room=self.room)

    def squares(self, state, move):
        """The first of the matches that are taken, which are those from there to the end of the pile."""
        pile, taken = move // self.base, move % self.base
        return (pile * self.room + state.piles[pile] - taken,) if self.room else (pile,)

    def move_text(self, state, move):
        return f"{state.piles[move // self.base]}-{move % self.base}"

    def state_text(self, state):
        return " ".join(map(str, state.piles))

    def parse_state(self, text):
        words = text.replace(",", " ").strip("( )").split()
        piles = tuple(sorted(int(word) for word in words if word.isdecimal()))
        within = all(pile <= most for pile, most in zip(piles, self.start, strict=False))
        if len(piles) != len(words) or len(piles) != len(self.start) or not within:
            example = self.state_text(self.initial())
            raise NoState(f"{self!r}: {text!r} does not describe a state of this game, which starts from {example}.")
        return State(piles)


def _is_size(pile: Any) -> bool:
    return is_int(pile) and pile >= 0
