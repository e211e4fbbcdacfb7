"""A game whose `result` divides by zero once three are left; a text in its state keeps it interpreted."""

from typing import NamedTuple

from zermelo import LOSS, ONGOING, Game


class State(NamedTuple):
    left: int
    name: str


class Raising(Game):
    """Take one or two."""

    def initial(self):
        return State(5, "pile")

    def moves(self, state):
        return range(1, min(state.left, 2) + 1)

    def play(self, state, taken):
        return State(state.left - taken, state.name)

    def result(self, state):
        1 // (state.left - 3)
        return LOSS if state.left == 0 else ONGOING
