"""Awari, also called oware: sow seeds around the board, capture twos and threes; the payoff is the lead in seeds.

All seeds of a pit are sown one by one into the pits that follow, around the board, leaving out the pit they come from.
If the last seed makes two or three in a pit of the other player, these are captured, and so are twos and threes in that
player's pits right before it, without a gap. Capturing all seeds of the other player is a grand slam, and
`grand_slam` says what happens then:

    nothing       the move is made, and nothing is captured
    captures      they are captured
    forbidden     there is no such move

If the other player has no seeds, the mover must sow some there. The game ends if the mover cannot move, or after
`patience` moves without a capture; then each player takes the seeds on their own side. With patience = 0 the moves are
not counted, and play can cycle; play without end is a draw.

A state is seen by the player to move, whose pits are `mine`, in the order of sowing; from there the places go on to the
other player's. With three pits:

    theirs   5 4 3
    mine     0 1 2
"""

import re
from functools import cached_property
from typing import NamedTuple

from zermelo.board import Pits
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.grid_notation import COLUMN_LETTERS
from zermelo.games.support.parameters import check_whole
from zermelo.games.support.position_text import NoState
from zermelo.tuples import replace

GRAND_SLAM_RULES = ("nothing", "captures", "forbidden")


class State(NamedTuple):
    mine: tuple[int, ...]  # seeds in the pits of the player to move, in the order of sowing
    theirs: tuple[int, ...]  # in the pits of the other player, in that player's order
    store: int  # what the player to move has captured
    their_store: int  # what the other player has captured
    quiet: int  # moves since the last capture, if they are counted
    player: int  # 0 or 1: who is to move


class Awari(Game):
    """Sow seeds around the board and capture twos and threes; the player with more seeds wins by the difference."""

    pits: int = 6
    seeds: int = 4
    grand_slam: str = "nothing"
    patience: int = 100

    margin = True
    alternates = True

    def __post_init__(self) -> None:
        check_whole(self, pits=(1, 20), seeds=(1, 100), patience=(0, 1000))
        if self.grand_slam not in GRAND_SLAM_RULES:
            raise GameError(
                f"{self!r}: grand_slam must be {', '.join(GRAND_SLAM_RULES[:-1])} or {GRAND_SLAM_RULES[-1]}."
            )

    @cached_property
    def loops(self):
        return self.patience == 0

    def initial(self):
        return State((self.seeds,) * self.pits, (self.seeds,) * self.pits, 0, 0, 0, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        hungry = self.total(state.theirs) == 0
        for pit in range(self.pits):
            seeds = state.mine[pit]
            if seeds > 0 and (not hungry or seeds >= self.pits - pit) and self.allowed(state, pit):
                yield pit

    def allowed(self, state, pit):
        """Return whether a move is legal: no grand slam, if these are forbidden."""
        if not self.slam_forbidden:
            return True
        seeds = state.mine[pit]
        return not self.slams(self.sown(state.theirs, pit, seeds, self.pits), pit, seeds)

    def play(self, state, pit):
        seeds = state.mine[pit]
        mine = replace(self.sown(state.mine, pit, seeds, 0), pit, 0)
        theirs = self.sown(state.theirs, pit, seeds, self.pits)
        last = self.last(pit, seeds) - self.pits
        captured = 0
        if self.slam_captures or not self.slams(theirs, pit, seeds):
            while last >= 0 and 2 <= theirs[last] <= 3:
                captured += theirs[last]
                theirs = replace(theirs, last, 0)
                last -= 1
        quiet = state.quiet + 1 if self.patience and not captured else 0
        return State(theirs, mine, state.their_store, state.store + captured, quiet, 1 - state.player)

    def sown(self, pits, from_pit, seeds, first):
        """The pits from place `first` on, after sowing: a seed for each lap, and one for each place of the rest."""
        around = 2 * self.pits - 1
        for i in range(self.pits):
            distance = (first + i - from_pit) % (2 * self.pits)
            pits = replace(pits, i, pits[i] + seeds // around + (0 < distance <= seeds % around))
        return pits

    def last(self, pit, seeds):
        """The place where the last seed falls."""
        return (pit + 1 + (seeds - 1) % (2 * self.pits - 1)) % (2 * self.pits)

    def slams(self, theirs, pit, seeds):
        """Return whether this sowing, after which these are the other player's pits, would capture all of them."""
        last = self.last(pit, seeds) - self.pits
        captured = 0
        while last >= 0 and 2 <= theirs[last] <= 3:
            captured += theirs[last]
            last -= 1
        return captured > 0 and captured == self.total(theirs)

    def result(self, state):
        return self.stuck(state) if 0 < self.patience <= state.quiet else ONGOING

    def stuck(self, state):
        """Each player takes the seeds on their own side."""
        return state.store + self.total(state.mine) - state.their_store - self.total(state.theirs)

    def total(self, pits):
        total = 0
        for seeds in pits:
            total += seeds
        return total

    # -- constants ---------------------------------------------------------------------------------------------

    @cached_property
    def slam_captures(self):
        return self.grand_slam == "captures"

    @cached_property
    def slam_forbidden(self):
        return self.grand_slam == "forbidden"

    @cached_property
    def all_seeds(self):
        return 2 * self.pits * self.seeds

    @cached_property
    def payoff_bounds(self):
        return -self.all_seeds, self.all_seeds

    # -- evaluation and solving --------------------------------------------------------------------------------

    def evaluate(self, state):
        return state.store - state.their_store

    def bounds(self, state):
        """Captured seeds stay captured."""
        return 2 * state.store - self.all_seeds, self.all_seeds - 2 * state.their_store

    def order(self, state, pit):
        """The largest capture first, then the pit nearest to the other player."""
        return 32 * (self.play(state, pit).their_store - state.store) + pit

    def noisy(self, state, pit):
        return self.play(state, pit).their_store > state.store

    def stage(self, state):
        """The seeds captured and, where they are counted, the moves since: then every move raises it."""
        return (state.store + state.their_store) * (self.patience + 1) + state.quiet

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        (first, store), (second, other_store) = self.sides(state)
        return Pits(first, second, (store, other_store))

    def squares(self, state, pit):
        return (pit + state.player * (self.pits + 1),)

    def sides(self, state):
        """The pits and the store of the first player, then those of the second."""
        sides = (state.mine, state.store), (state.theirs, state.their_store)
        return sides if state.player == 0 else sides[::-1]

    def move_text(self, state, pit):
        """A capital letter for the first player, a small one for the second."""
        return COLUMN_LETTERS[pit] if state.player else COLUMN_LETTERS[pit].upper()

    def state_text(self, state):
        """The sides, who is to move, and how many moves were made since the last capture."""
        sides = [" ".join(map(str, (*pits, f"[{store}]"))) for pits, store in self.sides(state)]
        return f"{' '.join(sides)} {('first', 'second')[state.player]} {state.quiet}"

    def parse_state(self, text):
        sides = re.fullmatch(r"\s*([\d\s]+)\[\s*(\d+)\s*\]([\d\s]+)\[\s*(\d+)\s*\]\s*(first|second)\s*(\d+)\s*", text)
        first, second = (tuple(map(int, side.split())) for side in (sides[1], sides[3])) if sides else ((), ())
        if not sides or len(first) != self.pits or len(second) != self.pits or int(sides[6]) > self.patience:
            example = self.state_text(self.initial())
            raise NoState(f"{self!r}: {text!r} does not describe a state; one looks like {example!r}.")
        stores, quiet = (int(sides[2]), int(sides[4])), int(sides[6])
        if sum(first) + sum(second) + sum(stores) != self.all_seeds:
            raise GameError(f"{self!r}: {text!r} has not {self.all_seeds} seeds, as this game has.")
        if sides[5] == "first":
            return State(first, second, *stores, quiet, 0)
        return State(second, first, *stores[::-1], quiet, 1)
