"""Breakthrough: the first to bring a man to the other player's first row wins (Dan Troyka, 2000).

Either player begins with two rows of men. A man goes one cell forward, straight or diagonally, to a free cell; only
diagonally it also takes a man of the other player. A player without men has lost. There is always a move, since the
foremost man can go to a side, and no draw.

Cells are numbered row by row as the player to move sees them, from the left of that player's first row. For the second
player the board is rotated. With four columns:

    8  9 10 11
    4  5  6  7       the player to move goes up
    0  1  2  3

A move is the cell it leads to, plus 64 times the direction: straight, left or right.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from zermelo.arguments import check_int
from zermelo.bits import bit, has_bit, ones, popcount, reverse, shift_left, shift_right, unsigned
from zermelo.board import COLOURS, Grid, Piece
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.grid_notation import COLUMN_LETTERS, PLAYERS, read_cells, rows_of
from zermelo.value import LOSS, loss_in, win_in

STRAIGHT, LEFT, RIGHT = 0, 1, 2

PIECES = (Piece("X", 0, "○", "white man"), Piece("O", 1, "●", "black man"))


class State(NamedTuple):
    mine: np.uint64  # men of the player to move, who goes up
    theirs: np.uint64  # men of the other player
    player: int  # 0 or 1: who is to move


class Breakthrough(Game):
    """Bring a man to the other player's first row; men take diagonally."""

    width: int = 8
    height: int = 8

    alternates = True
    reductions = True
    ranks = 2  # rows of men with which either player begins

    def __post_init__(self) -> None:
        check_int(repr(self), width=self.width, height=self.height)
        if not 2 <= self.width <= 16 or self.height < 4 or self.width * self.height > 64:
            raise GameError(f"{self!r}: the width must be 2 to 16, the height at least 4, and the cells at most 64.")

    def initial(self):
        men = (1 << self.ranks * self.width) - 1
        return State(men, men << self.width * (self.height - self.ranks), 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        for cell in ones(shift_left(state.mine, self.width) & self.cells & ~(state.mine | state.theirs)):
            yield cell
        for cell in ones(self.aside(state.mine, LEFT) & ~state.mine):
            yield LEFT << 6 | cell
        for cell in ones(self.aside(state.mine, RIGHT) & ~state.mine):
            yield RIGHT << 6 | cell

    def aside(self, men, way):
        """The cells diagonally before these men, on one side."""
        if way == LEFT:
            return shift_left(men & ~self.left, self.width - 1) & self.cells
        return shift_left(men & ~self.right, self.width + 1) & self.cells

    def play(self, state, move):
        goal, origin = bit(move & 63), bit(self.from_cell(move))
        mine, theirs = state.mine & ~origin | goal, state.theirs & ~goal
        return State(self.turned(theirs), self.turned(mine), 1 - state.player)

    def from_cell(self, move):
        """Return the from-cell of a move."""
        way = move >> 6
        return (move & 63) - self.width + (way == LEFT) - (way == RIGHT)

    def result(self, state):
        return LOSS if state.theirs & self.row or not state.mine else ONGOING

    def turned(self, cells):
        """As the other player sees them."""
        return shift_right(reverse(cells), 64 - self.width * self.height)

    # -- constants of the board --------------------------------------------------------------------------------

    @cached_property
    def cells(self):
        return (1 << self.width * self.height) - 1

    @cached_property
    def row(self):
        """The first row of the player to move."""
        return (1 << self.width) - 1

    @cached_property
    def left(self):
        """The first column."""
        return sum(1 << row * self.width for row in range(self.height))

    @cached_property
    def right(self):
        return self.left << self.width - 1

    # -- evaluation --------------------------------------------------------------------------------------------

    def evaluate(self, state):
        """Men count 10, plus a bonus that grows with the rows gained, and 2 if another man protects them."""
        theirs = self.turned(state.theirs)
        return self.strength(state.mine) - self.strength(theirs) + 3

    def strength(self, men):
        strength = 10 * popcount(men)
        strength += 2 * popcount(men & (self.aside(men, LEFT) | self.aside(men, RIGHT)))
        for row in range(2, self.height):
            strength += row * (row - 1) // 2 * popcount(shift_right(men, row * self.width) & self.row)
        return strength

    def bounds(self, state):
        """A man one row before the goal wins at once; two of theirs, or one that cannot be taken, win a ply later."""
        if shift_right(state.mine, self.width * (self.height - 2)):
            return win_in(1), win_in(1)
        if not state.theirs & state.theirs - unsigned(1):
            return loss_in(2), win_in(1)
        threats = state.theirs & self.row << self.width
        attacked = self.aside(state.mine, LEFT) | self.aside(state.mine, RIGHT)
        if threats & ~attacked or threats & threats - unsigned(1):
            return loss_in(2), loss_in(2)
        return loss_in(4) if not threats else loss_in(2), win_in(3)

    def order(self, state, move):
        """Captures first, above all of men that are far ahead; then the foremost men."""
        goal = move & 63
        row = goal // self.width
        return 100 + 10 * (self.height - row) if has_bit(state.theirs, goal) else row

    def noisy(self, state, move):
        """Captures."""
        return has_bit(state.theirs, move & 63)

    # -- symmetry and solving ----------------------------------------------------------------------------------

    def symmetries(self, state):
        yield State(self.mirrored(state.mine), self.mirrored(state.theirs), state.player)

    def canonical(self, state):
        """The position or its mirror image; it is seen by the player to move, so it does not matter who that is."""
        mine, theirs = self.mirrored(state.mine), self.mirrored(state.theirs)
        if mine < state.mine or (mine == state.mine and theirs < state.theirs):
            return State(mine, theirs, 0)
        return State(state.mine, state.theirs, 0)

    def mirrored(self, cells):
        """The first column last, and so on."""
        image = unsigned(0)
        for column in range(self.width):
            image |= shift_left(shift_right(cells, column) & self.left, self.width - 1 - column)
        return image

    def stage(self, state):
        """Men only advance, and captures are final."""
        theirs = self.turned(state.theirs)
        gained = self.height * (2 * self.ranks * self.width - popcount(state.mine) - popcount(theirs))
        for row in range(1, self.height):
            gained += row * popcount(shift_right(state.mine, row * self.width) & self.row)
            gained += row * popcount(shift_right(theirs, row * self.width) & self.row)
        return gained

    # -- display and notation ----------------------------------------------------------------------------------
    # A Grid is numbered from the top left: as the second player, who sits there, counts from the right.

    def board(self, state):
        rows = rows_of(*self.sides(state), self.width, self.height)
        labels = tuple(str(self.height - row) for row in range(self.height))
        return Grid(rows, tuple(COLUMN_LETTERS[: self.width]), labels, pieces=PIECES, checkered=True, sides=COLOURS)

    def sides(self, state):
        """The men of the first player and of the second, by the cells of the Grid."""
        mine, theirs = (sum(1 << self.square(cell, state.player) for cell in ones(men)) for men in state[:2])
        return (theirs, mine) if state.player else (mine, theirs)

    def square(self, cell, player):
        """The cell's number on the Grid, and the other way round."""
        row, column = divmod(cell, self.width)
        if player:
            return row * self.width + self.width - 1 - column
        return (self.height - 1 - row) * self.width + column

    def squares(self, state, move):
        return self.square(self.from_cell(move), state.player), self.square(move & 63, state.player)

    def move_text(self, state, move):
        origin, goal = self.squares(state, move)
        return f"{self.name(origin)}{'x' if has_bit(state.theirs, move & 63) else '-'}{self.name(goal)}"

    def name(self, square):
        return f"{COLUMN_LETTERS[square % self.width]}{self.height - square // self.width}"

    def state_text(self, state):
        return f"{'/'.join(self.board(state).cells)} {PLAYERS[state.player]}"

    def parse_state(self, text):
        *sides, player = read_cells(self, text, self.width, self.height)
        first, second = (sum(1 << self.square(cell, player) for cell in ones(men)) for men in sides)
        state = State(second, first, 1) if player else State(first, second, 0)
        if max(popcount(first), popcount(second)) > self.ranks * self.width:
            raise GameError(f"{self!r}: {text!r} has more than {self.ranks * self.width} men of a player.")
        if shift_right(state.mine, self.width * (self.height - 1)) or not state.theirs:
            raise GameError(f"{self!r}: {text!r} cannot arise, since the player to move has won already.")
        return state
