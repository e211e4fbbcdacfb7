"""A race with a coin: walk two steps, or toss a coin.

The player to move walks two steps or tosses a coin: heads is four steps, tails is one. The first player to reach the
goal wins. Three rules make it a game of chance: `mover`, `is_chance` and `chances`.

    zermelo check examples/coin_race.py
    zermelo tree "examples/coin_race.py:CoinRace(goal=4)" --algorithm expectiminimax
"""

from typing import NamedTuple

from zermelo import LOSS, ONGOING, Game
from zermelo.board import Grid

WALK, TOSS = 0, 1
HEADS, TAILS = 0, 1


class State(NamedTuple):
    player: int  # 0 or 1: the player to move
    mine: int  # steps that player has made
    theirs: int
    tossing: bool  # the coin is to be tossed


class CoinRace(Game):
    """Walk two steps, or toss: heads four steps, tails one. First to the goal wins."""

    goal: int = 10

    def initial(self):
        return State(0, 0, 0, False)

    def mover(self, state):
        return state.player

    def moves(self, state):
        yield WALK
        yield TOSS

    def is_chance(self, state):
        return state.tossing

    def chances(self, state):
        yield HEADS, 0.5
        yield TAILS, 0.5

    def play(self, state, move):
        if state.tossing:
            return self.walked(state, 4 if move == HEADS else 1)
        if move == TOSS:
            return State(state.player, state.mine, state.theirs, True)
        return self.walked(state, 2)

    def walked(self, state, steps):
        return State(1 - state.player, state.theirs, state.mine + steps, False)

    def result(self, state):
        return LOSS if state.theirs >= self.goal else ONGOING

    def board(self, state):
        steps = (state.theirs, state.mine) if state.player else (state.mine, state.theirs)
        first, second = (min(step, self.goal) for step in steps)
        tracks = ("." * first + "X").ljust(self.goal + 1, "."), ("." * second + "O").ljust(self.goal + 1, ".")
        return Grid(tracks, columns=tuple(map(str, range(self.goal + 1))), rows=("first", "second"))

    def move_text(self, state, move):
        names = ("heads", "tails") if state.tossing else ("walk", "toss")
        return names[move]
