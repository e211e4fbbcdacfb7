"""Kalah: sow seeds around the board; the payoff is the difference in seeds.

A state is seen by the player to move. That player's pits are `mine`, sown from left to right into the store, then into
the pits of the other player, who sits opposite; the other's store is left out. With three pits:

    theirs      2   1   0
    their store             store
    mine        0   1   2

so pit i lies opposite pit `pits - 1 - i`. The way around is a ring of 2 * pits + 1 places: mine, the store, theirs.

    last seed into the store                   the same player moves again
    last seed into an empty pit of one's own   it goes into the store with all the seeds opposite

The standard game captures only if there are seeds opposite; with `empty_capture` the last seed goes into the store even
if there are none, the rule of Irving, Donkers and Uiterwijk, who solved the game for many sizes (2000).
"""

import re
from functools import cached_property
from typing import NamedTuple

from zermelo.board import Pits
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.parameters import check_types, check_whole
from zermelo.games.support.position_text import NoState
from zermelo.tuples import replace


class State(NamedTuple):
    mine: tuple[int, ...]  # seeds in the pits of the player to move, in the order of sowing
    theirs: tuple[int, ...]  # in the pits of the other player, in that player's order
    store: int  # what the player to move has taken
    their_store: int  # what the other player has taken
    player: int  # 0 or 1: who is to move


class Kalah(Game):
    """Sow seeds and gather them in your store; the last seed may capture, or give another turn."""

    pits: int = 6
    seeds: int = 4
    empty_capture: bool = False

    margin = True

    def __post_init__(self) -> None:
        check_whole(self, pits=(1, 20), seeds=(1, 100))
        check_types(self)

    def initial(self):
        return State((self.seeds,) * self.pits, (self.seeds,) * self.pits, 0, 0, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        for pit in range(self.pits):
            if state.mine[pit] > 0:
                yield pit

    def play(self, state, pit):
        seeds = state.mine[pit]
        mine, theirs = replace(state.mine, pit, 0), state.theirs
        for i in range(self.pits):
            mine = replace(mine, i, mine[i] + self.sown(pit, seeds, i))
            theirs = replace(theirs, i, theirs[i] + self.sown(pit, seeds, self.pits + 1 + i))
        store = state.store + self.sown(pit, seeds, self.pits)
        last = (pit + seeds) % self.ring
        if last == self.pits:
            return State(mine, theirs, store, state.their_store, state.player)
        if last < self.pits and mine[last] == 1 and (self.empty_capture or theirs[self.pits - 1 - last] > 0):
            store += 1 + theirs[self.pits - 1 - last]
            mine, theirs = replace(mine, last, 0), replace(theirs, self.pits - 1 - last, 0)
        return State(theirs, mine, state.their_store, store, 1 - state.player)

    def sown(self, pit, seeds, place):
        """Return how many seeds of a pit reach a place of the ring: one each lap, and one of the remainder."""
        return seeds // self.ring + (0 < (place - pit) % self.ring <= seeds % self.ring)

    def result(self, state):
        """Once a side is empty the game is over, and the seeds of the other side belong to its owner."""
        mine, theirs = self.total(state.mine), self.total(state.theirs)
        return state.store + mine - state.their_store - theirs if mine == 0 or theirs == 0 else ONGOING

    def total(self, pits):
        total = 0
        for seeds in pits:
            total += seeds
        return total

    @cached_property
    def ring(self):
        """The places that a player sows into."""
        return 2 * self.pits + 1

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
        """Seeds in a store stay there."""
        return 2 * state.store - self.all_seeds, self.all_seeds - 2 * state.their_store

    def order(self, state, pit):
        """Another turn first, from the pit nearest to the store, then the largest capture."""
        seeds = state.mine[pit]
        last = (pit + seeds) % self.ring
        if last == self.pits:
            return 1000 + pit
        captured = 0
        if last < self.pits and seeds <= self.ring and (state.mine[last] == 0 or last == pit):
            captured = state.theirs[self.pits - 1 - last] + self.sown(pit, seeds, self.ring - 1 - last)
        return 2 * captured + (seeds > self.pits - 1 - pit)

    def stage(self, state):
        """A number that rises with every move, so that no position repeats.

        Seeds never leave a store. A move that brings none there, neither by sowing nor by capture, stays among the
        mover's own pits, where every seed it sows comes at least one place nearer to the store. So of two positions
        with equally many seeds in the stores the later one has a smaller sum of distances between the seeds and the
        stores they are sown towards; and that sum is never more than `pits` for each seed.
        """
        farthest = self.pits * self.all_seeds
        distance = 0
        for pit in range(self.pits):
            distance += (self.pits - pit) * (state.mine[pit] + state.theirs[pit])
        return (state.store + state.their_store) * (farthest + 1) + farthest - distance

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
        return str(pit + 1)

    def state_text(self, state):
        sides = [" ".join(map(str, (*pits, f"[{store}]"))) for pits, store in self.sides(state)]
        return f"{' '.join(sides)} {('first', 'second')[state.player]}"

    def parse_state(self, text):
        sides = re.fullmatch(r"\s*([\d\s]+)\[\s*(\d+)\s*\]([\d\s]+)\[\s*(\d+)\s*\]\s*(first|second)\s*", text)
        first, second = (tuple(map(int, side.split())) for side in (sides[1], sides[3])) if sides else ((), ())
        if not sides or len(first) != self.pits or len(second) != self.pits:
            example = self.state_text(self.initial())
            raise NoState(f"{self!r}: {text!r} does not describe a state; one looks like {example!r}.")
        stores = int(sides[2]), int(sides[4])
        if sum(first) + sum(second) + sum(stores) != self.all_seeds:
            raise GameError(f"{self!r}: {text!r} has not {self.all_seeds} seeds, as this game has.")
        if sides[5] == "first":
            return State(first, second, *stores, 0)
        return State(second, first, *stores[::-1], 1)
