"""Othello: enclose the other player's discs and turn them over; the payoff is the difference in discs.

A disc is placed so that it and another of one's own enclose an unbroken line of the other player's discs, along a row,
a column or a diagonal; all lines that it encloses are turned over. A player who cannot do so passes, and only then. The
game is over once neither player can; the payoff is the difference in discs, and empty cells count for neither.

A state is two bitboards. Cells are numbered row by row from the top left, where a1 is. On the board of side 4:

        a  b  c  d
    1   0  1  2  3
    2   4  O  X  7       X, who is black, moves first
    3   8  X  O 11
    4  12 13 14 15

A move is a cell, or the number of cells for a pass.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from zermelo.arguments import check_choice
from zermelo.bits import bit, has_bit, ones, popcount, shift_left, shift_right, unsigned
from zermelo.board import Grid, Piece
from zermelo.game import ONGOING, Game
from zermelo.games.support.board_symmetries import half_turn, mirrored
from zermelo.games.support.grid_notation import COLUMN_LETTERS, PLAYERS, read_cells, rows_of
from zermelo.games.support.parameters import check_types

PIECES = (Piece("X", 0, "●", "black disc"), Piece("O", 1, "○", "white disc"))

MAX_DISCS_WITH_SYMMETRY = 16
"""Symmetries are used up to this number of discs; later, equivalent positions hardly ever meet."""


class State(NamedTuple):
    mine: np.uint64  # discs of the player to move
    theirs: np.uint64  # discs of the other player
    player: int  # 0 or 1: who is to move


class Othello(Game):
    """Enclose lines of discs to turn them over; the player with more discs in the end wins by the difference."""

    side: int = 8

    alternates = True
    margin = True

    def __post_init__(self) -> None:
        check_choice(repr(self), (4, 6, 8), side=self.side)
        check_types(self)

    def initial(self):
        middle = self.side // 2 * (self.side + 1)
        mine = 1 << middle - self.side | 1 << middle - 1
        theirs = 1 << middle | 1 << middle - self.side - 1
        return State(mine, theirs, 0)

    def moves(self, state):
        places = self.places(state.mine, state.theirs)
        for cell in ones(places):
            yield cell
        if not places and self.places(state.theirs, state.mine):
            yield self.passing

    def play(self, state, cell):
        if cell == self.passing:
            return State(state.theirs, state.mine, 1 - state.player)
        turned = self.turned_over(state, cell)
        return State(state.theirs & ~turned, state.mine | turned | bit(cell), 1 - state.player)

    def result(self, state):
        if self.places(state.mine, state.theirs) or self.places(state.theirs, state.mine):
            return ONGOING
        return popcount(state.mine) - popcount(state.theirs)

    def mover(self, state):
        return state.player

    def places(self, mine, theirs):
        """The cells where a disc encloses some of theirs: next to a line of them with one of mine at its other end."""
        places = self.ends(mine, theirs & self.columns, 1) | self.ends(mine, theirs & self.rows, self.side)
        places |= self.ends(mine, theirs & self.inside, self.side - 1)
        places |= self.ends(mine, theirs & self.inside, self.side + 1)
        return places & self.cells & ~(mine | theirs)

    def ends(self, mine, between, step):
        """The cells behind a line of cells that begins next to mine, in both directions of a step."""
        between = unsigned(between)
        up, down = between & shift_left(mine, step), between & shift_right(mine, step)
        for _ in range(self.side - 3):
            up |= between & shift_left(up, step)
            down |= between & shift_right(down, step)
        return shift_left(up, step) | shift_right(down, step)

    def turned_over(self, state, cell):
        """The discs that one on this cell turns over."""
        mine, theirs, placed = state.mine, state.theirs, bit(cell)
        turned = self.enclosed(mine, theirs & self.columns, placed, 1)
        turned |= self.enclosed(mine, theirs & self.rows, placed, self.side)
        turned |= self.enclosed(mine, theirs & self.inside, placed, self.side - 1)
        return turned | self.enclosed(mine, theirs & self.inside, placed, self.side + 1)

    def enclosed(self, mine, between, placed, step):
        """The lines from the placed disc to one of mine, in both directions of a step."""
        between = unsigned(between)
        up, down = between & shift_left(placed, step), between & shift_right(placed, step)
        for _ in range(self.side - 3):
            up |= between & shift_left(up, step)
            down |= between & shift_right(down, step)
        enclosed = unsigned(0)
        if shift_left(up, step) & mine:
            enclosed |= up
        if shift_right(down, step) & mine:
            enclosed |= down
        return enclosed

    # -- constants of the board --------------------------------------------------------------------------------
    # A line of discs that is enclosed along a row does not touch the left or the right edge, and so on. So no line ever
    # runs on from one row into the next.

    @cached_property
    def passing(self):
        """The move of a player who cannot place a disc."""
        return self.side * self.side

    @cached_property
    def cells(self):
        return (1 << self.side * self.side) - 1

    @cached_property
    def columns(self):
        """All columns but the first and the last."""
        row = (1 << self.side - 1) - 2
        return sum(row << self.side * number for number in range(self.side))

    @cached_property
    def rows(self):
        """All rows but the first and the last."""
        return (1 << self.side * (self.side - 1)) - (1 << self.side)

    @cached_property
    def inside(self):
        return self.columns & self.rows

    @cached_property
    def corners(self):
        """For each corner its cell, the cell diagonal to it, and the two beside it, as sets."""
        last, up = self.side - 1, self.side
        ways = ((0, 1, up), (last, -1, up), (last * up, 1, -up), (last * up + last, -1, -up))
        return tuple((at, 1 << at + step + row, 1 << at + step | 1 << at + row) for at, step, row in ways)

    @cached_property
    def payoff_bounds(self):
        return -self.passing, self.passing

    # -- evaluation --------------------------------------------------------------------------------------------

    def evaluate(self, state):
        """Corners, mobility, few frontier discs; late in the game, discs.

        The sum is squashed to a margin in discs that never exceeds the number of cells.
        """
        mine, theirs = state.mine, state.theirs
        my_moves, their_moves = popcount(self.places(mine, theirs)), popcount(self.places(theirs, mine))
        empty = self.cells & ~(mine | theirs)
        open_cells = self.around(empty)
        lead = 160 * (my_moves - their_moves) // (my_moves + their_moves + 2)
        lead -= 6 * (popcount(mine & open_cells) - popcount(theirs & open_cells))
        for corner, diagonal, beside in self.corners:
            if has_bit(empty, corner):
                lead -= 40 * (popcount(mine & diagonal) - popcount(theirs & diagonal))
                lead -= 15 * (popcount(mine & beside) - popcount(theirs & beside))
            else:
                lead += 90 if has_bit(mine, corner) else -90
        left = popcount(empty)
        if 4 * left < self.passing:
            lead += (popcount(mine) - popcount(theirs)) * (self.passing - 4 * left) * 10 // self.passing
        return self.passing * lead // (abs(lead) + 4 * self.passing)

    def around(self, cells):
        """The cells next to some of these, in any direction; a row's end may look around the edge at the next row."""
        near = shift_left(cells, 1) | shift_right(cells, 1)
        for step in (self.side - 1, self.side, self.side + 1):
            near |= shift_left(cells, step) | shift_right(cells, step)
        return near

    def order(self, state, cell):
        """Corners first, cells diagonal to one last; of others those that leave the opponent the fewest moves."""
        if cell == self.passing:
            return 0
        child = self.play(state, cell)
        guess = -popcount(self.places(child.mine, child.theirs))
        for corner, diagonal, _ in self.corners:
            if cell == corner:
                guess += 20
            elif diagonal == bit(cell) and not has_bit(state.mine, corner):
                guess -= 10
        return guess

    # -- symmetry and solving ----------------------------------------------------------------------------------

    def symmetries(self, state):
        """The symmetries of the initial position: reflection in both diagonals, and half a turn."""
        if popcount(state.mine | state.theirs) <= MAX_DISCS_WITH_SYMMETRY:
            mine, theirs = mirrored(state.mine, self.side), mirrored(state.theirs, self.side)
            yield State(half_turn(state.mine, self.passing), half_turn(state.theirs, self.passing), state.player)
            yield State(mine, theirs, state.player)
            yield State(half_turn(mine, self.passing), half_turn(theirs, self.passing), state.player)

    def canonical(self, state):
        """The least image; the discs are seen by the player to move, so that it does not matter who that is."""
        least = State(state.mine, state.theirs, 0)
        for image in self.symmetries(state):
            if image.mine < least.mine or (image.mine == least.mine and image.theirs < least.theirs):
                least = State(image.mine, image.theirs, 0)
        return least

    def stage(self, state):
        """A disc is placed with every move, but for a pass, after which there is a move."""
        return 2 * popcount(state.mine | state.theirs) + (self.places(state.mine, state.theirs) != 0)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        first, second = (state.theirs, state.mine) if state.player else (state.mine, state.theirs)
        rows = rows_of(first, second, self.side, self.side)
        labels = tuple(str(row + 1) for row in range(self.side))
        return Grid(rows, tuple(COLUMN_LETTERS[: self.side]), labels, pieces=PIECES, sides=("Black", "White"))

    def squares(self, state, cell):
        """The cell alone, so that one click places a disc; those that are turned over need none."""
        return () if cell == self.passing else (cell,)

    def move_text(self, state, cell):
        return "pass" if cell == self.passing else f"{COLUMN_LETTERS[cell % self.side]}{cell // self.side + 1}"

    def state_text(self, state):
        return f"{'/'.join(self.board(state).cells)} {PLAYERS[state.player]}"

    def parse_state(self, text):
        first, second, player = read_cells(self, text, self.side, self.side)
        return State(second, first, 1) if player else State(first, second, 0)
