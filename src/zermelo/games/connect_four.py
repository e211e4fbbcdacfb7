"""Connect Four: four in a row, and stones fall.

A state is two bitboards. Bit column * (height + 1) + row is a cell; the row above the board stays empty
and keeps lines from running on from one column into the next. On the 7x6 board:

     6 13 20 27 34 41 48     always empty
     5 12 19 26 33 40 47     top row
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42     bottom row
"""

from typing import NamedTuple

from zermelo.bits import popcount
from zermelo.board import Grid
from zermelo.game import ONGOING, Game, GameError
from zermelo.value import DRAW, LOSS


class State(NamedTuple):
    mine: int  # stones of the player to move
    mask: int  # all stones


class ConnectFour(Game):
    """Drop a stone into a column; four in a row, in any direction, win."""

    width: int = 7
    height: int = 6

    alternates = True

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or self.width * (self.height + 1) > 63:
            raise GameError(
                f"{self!r}: width and height must be at least 1 and width * (height + 1) at most 63, to fit in a word."
            )

    def initial(self):
        return State(0, 0)

    def moves(self, state):
        for column in range(self.width):
            if not state.mask >> (column * (self.height + 1) + self.height - 1) & 1:
                yield column

    def play(self, state, column):
        return State(state.mine ^ state.mask, state.mask | state.mask + (1 << column * (self.height + 1)))

    def result(self, state):
        if self.four(state.mine ^ state.mask):
            return LOSS
        return DRAW if state.mask == self.full() else ONGOING

    def mover(self, state):
        return popcount(state.mask) & 1

    def four(self, stones):
        for step in (1, self.height, self.height + 1, self.height + 2):
            pairs = stones & stones >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    def full(self):
        cells = 0
        for column in range(self.width):
            cells |= (1 << self.height) - 1 << column * (self.height + 1)
        return cells
