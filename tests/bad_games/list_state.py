"""A game whose state holds a list, which cannot be stored in a table."""

from typing import NamedTuple

from zermelo import LOSS, ONGOING, Game


class State(NamedTuple):
    piles: list


class ListState(Game):
    """Take one match from a pile."""

    def initial(self):
        return State([1, 2])

    def moves(self, state):
        return [pile for pile, count in enumerate(state.piles) if count]

    def play(self, state, pile):
        return State([count - (number == pile) for number, count in enumerate(state.piles)])

    def result(self, state):
        return ONGOING if any(state.piles) else LOSS
