"""Tic-tac-toe, and its larger relatives: k in a row on a board of m by n cells.

A state is two bitboards, one bit a cell, row by row from the bottom left. On the 3x3 board:

    3 | 6 7 8
    2 | 3 4 5
    1 | 0 1 2
        a b c

A line is a cell to start from and a step from bit to bit: 1 along the row, `width` up the column, `width + 1` and
`width - 1` along the diagonals. For each step, the cells from which a line can start are known, so that
shifting the whole board tests all lines of one direction at once.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import has_bit, ones, popcount
from zermelo.board import Grid
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.grid_notation import cells_of, read_rows
from zermelo.games.support.parameters import check_types
from zermelo.games.support.winning_lines import lines_in
from zermelo.value import DRAW, LOSS


class State(NamedTuple):
    mine: int  # cells of the player to move
    theirs: int  # cells of the other player


class TicTacToe(Game):
    """Mark a cell; enough in a row, in any direction, win."""

    width: int = 3
    height: int = 3
    in_a_row: int = 3

    alternates = True

    def __post_init__(self) -> None:
        check_types(self)
        if not 1 <= self.width <= 26 or self.height < 1 or self.width * self.height > 63:
            raise GameError(f"{self!r}: the width must be 1 to 26, the height at least 1, and the cells at most 63.")
        if not 1 <= self.in_a_row <= max(self.width, self.height):
            raise GameError(f"{self!r}: in_a_row must be at least 1 and at most the longer side of the board.")

    def initial(self):
        return State(0, 0)

    def moves(self, state):
        return ones(self.cells & ~(state.mine | state.theirs))

    def play(self, state, cell):
        return State(state.theirs, state.mine | 1 << cell)

    def result(self, state):
        for step, starts in self.directions:
            if self.runs(state.theirs, step) & starts:
                return LOSS
        return DRAW if state.mine | state.theirs == self.cells else ONGOING

    def mover(self, state):
        return popcount(state.mine | state.theirs) & 1

    def stage(self, state):
        return popcount(state.mine | state.theirs)

    def runs(self, cells, step):
        """The cells from which `in_a_row` cells, each a step on from the last, are all among these."""
        runs = cells
        for i in range(1, self.in_a_row):
            runs &= cells >> i * step
        return runs

    # -- evaluation and symmetry -------------------------------------------------------------------------------

    def evaluate(self, state):
        """The lines open to the mover minus those open to the opponent."""
        lead = 0
        for step, starts in self.directions:
            lead += popcount(self.runs(self.cells & ~state.theirs, step) & starts)
            lead -= popcount(self.runs(self.cells & ~state.mine, step) & starts)
        return lead

    def order(self, state, cell):
        """The number of lines through the cell: the centre first."""
        lines = 0
        for step, starts in self.directions:
            for i in range(self.in_a_row):
                lines += has_bit(starts, cell - i * step)
        return lines

    def symmetries(self, state):
        for turn in range(8 if self.width == self.height else 4):
            yield State(self.turned(state.mine, turn), self.turned(state.theirs, turn))

    def turned(self, cells, turn):
        """The cells mirrored left to right (turn & 1), top to bottom (turn & 2) and in the diagonal (turn & 4)."""
        image = 0
        for cell in ones(cells):
            row, column = cell // self.width, cell % self.width
            if turn & 1:
                column = self.width - 1 - column
            if turn & 2:
                row = self.height - 1 - row
            if turn & 4:
                row, column = column, row
            image |= 1 << row * self.width + column
        return image

    # -- constants of the board --------------------------------------------------------------------------------

    @cached_property
    def cells(self):
        return (1 << self.width * self.height) - 1

    @cached_property
    def directions(self):
        """For each direction its step, and the cells from which a line can start."""
        ways = ((1, 0), (0, 1), (1, 1), (-1, 1))
        return tuple((up * self.width + right, self.starts(right, up)) for right, up in ways)

    def starts(self, right, up):
        reach = self.in_a_row - 1
        starts = 0
        for row in range(self.height - up * reach):
            for column in range(self.width):
                if 0 <= column + right * reach < self.width:
                    starts |= 1 << row * self.width + column
        return starts

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        first, second = (state.theirs, state.mine) if self.mover(state) else (state.mine, state.theirs)
        marks = ["X" if has_bit(first, cell) else "O" if has_bit(second, cell) else "." for cell in ones(self.cells)]
        rows = [marks[row * self.width :][: self.width] for row in range(self.height)]
        columns = tuple("abcdefghijklmnopqrstuvwxyz"[: self.width])
        labels = tuple(str(row) for row in range(self.height, 0, -1))
        return Grid(tuple("".join(row) for row in reversed(rows)), columns, labels)

    def squares(self, state, cell):
        return ((self.height - 1 - cell // self.width) * self.width + cell % self.width,)

    def highlights(self, state):
        return lines_in(self.board(state).cells, self.in_a_row)

    def move_text(self, state, cell):
        return f"{chr(ord('a') + cell % self.width)}{cell // self.width + 1}"

    def state_text(self, state):
        return "/".join(self.board(state).cells)

    def parse_state(self, text):
        marks = "".join(reversed(read_rows(self, text, self.width, self.height)))
        first, second = cells_of(marks, "X"), cells_of(marks, "O")
        state = State(first, second) if popcount(first) == popcount(second) else State(second, first)
        if self.result(State(state.theirs, state.mine)) == LOSS:
            raise GameError(f"{self!r}: {text!r} cannot arise, since the player to move has won already.")
        return state
