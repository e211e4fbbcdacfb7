"""Teeko of John Scarne: four men each on five by five cells; four in a row, or in a square, win.

First the players place their four men in turn, one on any free cell. Then they move one of them to a free cell next to
it, straight or diagonally. All four in a row, along a row, a column or a diagonal, or on the corners of a
square of two by two, win. In `advanced` Teeko the corners of larger squares win as well. Without `centre`, the first
man of all may not be placed there. Play can cycle.

Cells are numbered row by row from the top left, where a5 is, and a set of them is a word. A goal is four cells: a first
one, another at a distance, and both once more at a second distance:

    X X X X      distances 1 and 2        X X      distances 1 and 5
    . . . .                               X X

A move is `to | from_cell << 5`, where the from_cell of a man that is placed is NO_CELL.
"""

from functools import cached_property
from typing import NamedTuple

from zermelo.bits import ones, popcount
from zermelo.board import Grid, Piece
from zermelo.game import ONGOING, GameError
from zermelo.games.support.board_symmetries import TURNS, image
from zermelo.games.support.grid_notation import COLUMN_LETTERS, PLAYERS, read_cells, rows_of
from zermelo.games.support.parameters import check_types
from zermelo.games.support.square_orbits import SquareOrbits
from zermelo.value import LOSS

SIDE, MEN = 5, 4
CENTRE = 12
NO_CELL = 31
"""No cell: the bit that stays empty."""

PIECES = (Piece("X", 0, "●", "man of the first player"), Piece("O", 1, "○", "man of the second player"))
GOAL_VALUES = (0, 1, 4, 12, 0)
"""The value of a goal by the number of men on it, with none of the other player's."""


class State(NamedTuple):
    mine: int  # men of the player to move
    theirs: int  # men of the other player
    player: int  # 0 or 1: who is to move


class Teeko(SquareOrbits):
    """Place four men, then move them about; four in a row or in a square win."""

    advanced: bool = False
    centre: bool = True

    side = SIDE
    most = MEN
    alternates = True
    loops = True

    def __post_init__(self) -> None:
        check_types(self)

    def initial(self):
        return State(0, 0, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        free = self.cells & ~(state.mine | state.theirs)
        if popcount(state.mine) < MEN:
            closed = 1 << CENTRE if state.theirs == 0 and not self.centre else 0
            for to in ones(free & ~closed):
                yield to | NO_CELL << 5
        else:
            for from_cell in ones(state.mine):
                for to in ones(free & self.neighbours[from_cell]):
                    yield to | from_cell << 5

    def play(self, state, move):
        mine = (state.mine | 1 << (move & 31)) & ~(1 << (move >> 5))
        return State(state.theirs, mine, 1 - state.player)

    def result(self, state):
        return LOSS if self.is_goal(state.theirs) else ONGOING

    def is_goal(self, men):
        """Return whether four of these men are in a row or a square."""
        for near, far, firsts in self.shapes:
            pairs = men & men >> near
            if pairs & pairs >> far & firsts:
                return True
        return False

    # -- the board ---------------------------------------------------------------------------------------------

    @cached_property
    def neighbours(self):
        """The cells next to each cell."""
        import numpy as np

        cells = [divmod(cell, SIDE) for cell in range(SIDE * SIDE)]
        near = [[max(abs(r - row), abs(c - column)) == 1 for r, c in cells] for row, column in cells]
        return np.array([sum(1 << i for i, each in enumerate(row) if each) for row in near], np.int64)

    @cached_property
    def shapes(self):
        """The two distances of each kind of goal, and the cells where one can begin."""
        rows = [((0, 1), (0, 2)), ((1, 0), (2, 0)), ((1, 1), (2, 2)), ((1, -1), (2, -2))]
        squares = [((0, size), (size, 0)) for size in range(1, SIDE if self.advanced else 2)]
        return tuple((_step(near), _step(far), _firsts(near, far)) for near, far in rows + squares)

    @cached_property
    def goals(self):
        """The cells of each goal: 44, or 58 with the larger squares."""
        return tuple(
            1 << first | 1 << first + near | 1 << first + far | 1 << first + near + far
            for near, far, firsts in self.shapes
            for first in ones(firsts)
        )

    @cached_property
    def goals_through(self):
        """The number of goals that each cell is part of."""
        import numpy as np

        return np.array([sum(goal >> cell & 1 for goal in self.goals) for cell in range(SIDE * SIDE)], np.int64)

    # -- evaluation --------------------------------------------------------------------------------------------

    def evaluate(self, state):
        """The goals on which only one player has men."""
        lead = 0
        for goal in self.goals:
            mine, theirs = popcount(state.mine & goal), popcount(state.theirs & goal)
            if theirs == 0:
                lead += GOAL_VALUES[mine]
            elif mine == 0:
                lead -= GOAL_VALUES[theirs]
        return lead

    def order(self, state, move):
        """A goal first, then cells that are part of many."""
        return 100 * self.noisy(state, move) + self.goals_through[move & 31]

    def noisy(self, state, move):
        return self.is_goal((state.mine | 1 << (move & 31)) & ~(1 << (move >> 5)))

    # -- symmetry and solving ----------------------------------------------------------------------------------

    def symmetries(self, state):
        for turn in range(TURNS):
            yield State(image(self.images, state.mine, turn), image(self.images, state.theirs, turn), state.player)

    def canonical(self, state):
        """The least image; once all men are placed, it does not matter who is to move."""
        theirs, mine = self.least(state.theirs, state.mine)
        return State(mine, theirs, popcount(mine | theirs) & 1)

    def key(self, state):
        return state.mine | state.theirs << 25 | state.player << 50

    def stage(self, state):
        """The men on the board."""
        return popcount(state.mine | state.theirs)

    def size(self, stage):
        return self.numbers_of(stage + 1 >> 1, stage >> 1) if 0 <= stage <= 2 * MEN else 0

    def index(self, state):
        """The other player, with as many men or one more, comes first; -1 if the mover has won already."""
        return -1 if self.is_goal(state.mine) else self.number(state.theirs, state.mine)

    def at(self, stage, index):
        theirs, mine = self.sets_at(index, stage + 1 >> 1, stage >> 1)
        return State(mine, theirs, stage & 1)

    def predecessors(self, state):
        """The positions with all men from which the other player can have moved."""
        if popcount(state.mine) == MEN and not self.is_goal(state.mine):
            for to in ones(state.theirs):
                for from_cell in ones(self.neighbours[to] & ~(state.mine | state.theirs)):
                    mine = state.theirs ^ 1 << to ^ 1 << from_cell
                    if not self.is_goal(mine):
                        yield State(mine, state.mine, 1 - state.player)

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        first, second = (state.mine, state.theirs) if state.player == 0 else (state.theirs, state.mine)
        rows = tuple(str(SIDE - row) for row in range(SIDE))
        return Grid(rows_of(first, second, SIDE, SIDE), tuple(COLUMN_LETTERS[:SIDE]), rows, pieces=PIECES)

    def squares(self, state, move):
        to, from_cell = move & 31, move >> 5
        return (to,) if from_cell == NO_CELL else (from_cell, to)

    def highlights(self, state):
        """The four men that have won."""
        return tuple(ones(state.theirs)) if self.is_goal(state.theirs) else ()

    def move_text(self, state, move):
        """`c3` places a man, and `c3-d4` moves it."""
        to, from_cell = move & 31, move >> 5
        return _name(to) if from_cell == NO_CELL else f"{_name(from_cell)}-{_name(to)}"

    def state_text(self, state):
        return f"{'/'.join(self.board(state).cells)} {PLAYERS[state.player]}"

    def parse_state(self, text):
        first, second, player = read_cells(self, text, SIDE, SIDE)
        state = State(second, first, 1) if player else State(first, second, 0)
        if reason := self.impossible(state):
            raise GameError(f"{self!r}: {text!r} cannot arise, since {reason}.")
        return state

    def impossible(self, state):
        """Return why the state is impossible, or an empty text."""
        mine, theirs = popcount(state.mine), popcount(state.theirs)
        if max(mine, theirs) > MEN:
            return f"a player has {max(mine, theirs)} men"
        if theirs - mine != (state.player if mine < MEN else 0):
            return "the players place their men in turn, X first"
        if self.is_goal(state.mine):
            return "the player to move has won already"
        return ""


def _name(cell):
    return f"{COLUMN_LETTERS[cell % SIDE]}{SIDE - cell // SIDE}"


def _step(way):
    """Return the difference between a cell and the one `way` rows down and columns to the right."""
    return way[0] * SIDE + way[1]


def _firsts(near, far):
    """Return the cells from which both steps, and their sum, stay on the board."""
    down, right = near[0] + far[0], near[1] + far[1]
    cells = [(row, column) for row in range(SIDE - down) for column in range(SIDE) if 0 <= column + right < SIDE]
    return sum(1 << row * SIDE + column for row, column in cells)
