"""Games as a user writes them at first: the four rules and nothing else, no order, no bounds, no symmetry.

Each has the rules of one of OpenSpiel's own games, whose name is beside it.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo import DRAW, LOSS, ONGOING, Game


class Cells(NamedTuple):
    mine: int  # cells of the player to move, one bit each
    theirs: int


class InARow(Game):
    """Mark a cell; `length` in a row, in any direction, win. OpenSpiel: mnk."""

    width: int = 4
    length: int = 4

    def initial(self):
        return Cells(0, 0)

    def moves(self, state):
        for cell in range(self.width * self.width):
            if not (state.mine | state.theirs) >> cell & 1:
                yield cell

    def play(self, state, cell):
        return Cells(state.theirs, state.mine | 1 << cell)

    def result(self, state):
        for line in self.lines:
            if state.theirs & line == line:
                return LOSS
        return DRAW if state.mine | state.theirs == (1 << self.width * self.width) - 1 else ONGOING

    @cached_property
    def lines(self):
        return lines(self.width, self.length)


class FourInAColumn(Game):
    """Drop a stone into one of seven columns of six; four in a row, in any direction, win. OpenSpiel: connect_four.

    Bit 7 * column + row is a cell, and the bit above each column stays empty.
    """

    def initial(self):
        return Cells(0, 0)

    def moves(self, state):
        for column in range(7):
            if not (state.mine | state.theirs) >> (7 * column + 5) & 1:
                yield column

    def play(self, state, column):
        stones = state.mine | state.theirs
        return Cells(state.theirs, state.mine | stones + (1 << 7 * column) & ~stones)

    def result(self, state):
        for step in (1, 6, 7, 8):
            pairs = state.theirs & state.theirs >> step
            if pairs & pairs >> 2 * step:
                return LOSS
        return DRAW if state.mine | state.theirs == self.cells else ONGOING

    @cached_property
    def cells(self):
        return sum(63 << 7 * column for column in range(7))


class Pawns(NamedTuple):
    mine: int
    theirs: int
    up: bool  # whether the player to move goes towards the higher rows


class Breakthrough(Game):
    """Pawns go one step forward, straight or aslant, and capture aslant; who reaches the far row wins.

    OpenSpiel: breakthrough. Bit width * row + column is a cell; a move is three times the cell it leaves, plus 0, 1 or
    2 for left, straight and right.
    """

    width: int = 6

    def initial(self):
        ours = (1 << 2 * self.width) - 1
        return Pawns(ours, ours << self.width * (self.width - 2), True)

    def moves(self, state):
        forward = self.width if state.up else -self.width
        for cell in range(self.width * self.width):
            if state.mine >> cell & 1:
                for side in range(3):
                    column = cell % self.width + side - 1
                    target = cell + forward + side - 1
                    blockers = state.mine | state.theirs if side == 1 else state.mine
                    if 0 <= column < self.width and not blockers >> target & 1:
                        yield 3 * cell + side

    def play(self, state, move):
        cell = move // 3
        target = 1 << cell + (self.width if state.up else -self.width) + move % 3 - 1
        return Pawns(state.theirs & ~target, state.mine ^ 1 << cell | target, not state.up)

    def result(self, state):
        home = (1 << self.width) - 1 if state.up else (1 << self.width) - 1 << self.width * (self.width - 1)
        return LOSS if state.theirs & home or not state.mine else ONGOING


def lines(width: int, length: int) -> tuple[int, ...]:
    """Every line of `length` cells on a board of `width` by `width`, one bit a cell."""
    found = []
    for row in range(width):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * right) for i in range(length)]
                if all(0 <= r < width and 0 <= c < width for r, c in cells):
                    found.append(sum(1 << r * width + c for r, c in cells))
    return tuple(found)
