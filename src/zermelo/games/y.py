"""Y: join all three sides of a triangle with one chain of stones (Craige Schensted and Charles Titus, 1953).

The players take turns to place a stone on any free cell. A cell at a corner lies on two sides. A full board joins the
three sides for exactly one player, so there is no draw, and Hex is Y with some stones on the board already.

Cells are numbered row by row from the top left, where a1 is, as if every row were as long as the first; each row lies
half a cell to the right of the one above, so that a cell has six neighbours. With side 3:

    0 1 2            4 lies beside 3, below 1 and 2, and above 6
     3 4
      6

A move is a cell. The winner is found by Y-reduction: every three mutually adjacent cells, a cell, the one to its
right and the one below, become one cell of a triangle whose side is smaller by one, and it belongs to the player who
has two of the three. A chain that joins the sides stays one that does so, down to the last cell, whose owner has won
(van Rijswijck, Search and Evaluation in Hex, 2002). All cells are reduced together, by shifting the word.
"""

from functools import cached_property
from itertools import permutations
from typing import NamedTuple

from zermelo.bits import ones, popcount
from zermelo.board import Hexes
from zermelo.game import ONGOING, Game, GameError
from zermelo.games.support.board_symmetries import byte_images, image, least_images
from zermelo.games.support.grid_notation import COLUMN_LETTERS, PLAYERS, read_cells, rows_of
from zermelo.games.support.parameters import check_whole
from zermelo.value import LOSS, loss_in, win_in


class State(NamedTuple):
    mine: int  # stones of the player to move
    theirs: int  # stones of the other player
    player: int  # 0 or 1: who is to move


class Y(Game):
    """Join all three sides of the triangle with a chain of stones; there is no draw."""

    side: int = 7

    alternates = True

    def __post_init__(self) -> None:
        check_whole(self, side=(1, 8))

    def initial(self):
        return State(0, 0, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        return ones(self.cells & ~(state.mine | state.theirs))

    def play(self, state, cell):
        return State(state.theirs, state.mine | 1 << cell, 1 - state.player)

    def result(self, state):
        return LOSS if self.joined(state.theirs) else ONGOING

    def joined(self, stones):
        """Return whether a chain of these stones joins the three sides."""
        for _ in range(self.side - 1):
            right, below = stones >> 1, stones >> self.side
            stones = stones & (right | below) | right & below
        return stones & 1 == 1

    def stage(self, state):
        return popcount(state.mine | state.theirs)

    # -- evaluation --------------------------------------------------------------------------------------------

    def evaluate(self, state):
        """The lead in cells, summed over all reduced boards.

        Here a cell goes to the player with more of the three, since most of them are free.
        """
        mine, theirs, lead = state.mine, state.theirs, 0
        for side in range(self.side - 1, 0, -1):
            right, below = mine >> 1, mine >> self.side
            their_right, their_below = theirs >> 1, theirs >> self.side
            some, two = mine | right | below, mine & (right | below) | right & below
            their_some = theirs | their_right | their_below
            their_two = theirs & (their_right | their_below) | their_right & their_below
            mine = (two | some & ~their_some) & self.triangles[side]
            theirs = (their_two | their_some & ~some) & self.triangles[side]
            lead += popcount(mine) - popcount(theirs)
        return lead

    def bounds(self, state):
        """A chain that joins the sides has at least as many stones as a side has cells."""
        mine, theirs = self.side - popcount(state.mine), self.side - popcount(state.theirs)
        return loss_in(2 * max(theirs, 1)), win_in(2 * max(mine, 1) - 1)

    def order(self, state, cell):
        """From the centre to the sides, and beside stones before others."""
        row, column = cell // self.side, cell % self.side
        near = popcount(self.neighbours[cell] & (state.mine | state.theirs))
        return near + 3 * min(row, column, self.side - 1 - row - column)

    # -- constants of the board --------------------------------------------------------------------------------

    @cached_property
    def triangles(self):
        """The cells of each triangle in the upper left corner, by the length of its side."""
        import numpy as np

        rows = [[(1 << side - row) - 1 << self.side * row for row in range(side)] for side in range(self.side + 1)]
        return np.array([sum(each) for each in rows], np.int64)

    @cached_property
    def cells(self):
        return int(self.triangles[self.side])

    @cached_property
    def neighbours(self):
        """The neighbours of each cell."""
        import numpy as np

        beside = np.zeros(self.side * self.side, np.int64)
        for cell in ones(self.cells):
            column, row = cell % self.side, cell // self.side
            for x, y in ((1, 0), (0, 1), (1, -1)):
                if column + x + row + y < self.side and row + y >= 0:
                    other = cell + x + self.side * y
                    beside[cell] |= 1 << other
                    beside[other] |= 1 << cell
        return beside

    # -- symmetry ----------------------------------------------------------------------------------------------

    def symmetries(self, state):
        for turn in range(1, len(self.images)):
            yield State(image(self.images, state.mine, turn), image(self.images, state.theirs, turn), state.player)

    def canonical(self, state):
        mine, theirs = least_images(self.images, state.mine, state.theirs)
        return State(mine, theirs, state.player)

    @cached_property
    def images(self):
        """The six symmetries of the triangle, as `byte_images` has them.

        A cell has a distance from each of the three sides; a symmetry permutes the sides.
        """
        away = {}
        for cell in ones(self.cells):
            row, column = divmod(cell, self.side)
            away[cell] = (column, row, self.side - 1 - row - column)
        return byte_images(
            [{cell: far[x] + self.side * far[y] for cell, far in away.items()} for x, y, _ in permutations(range(3))]
        )

    # -- display and notation ----------------------------------------------------------------------------------

    def board(self, state):
        rows = tuple(row.ljust(self.side) for row in self.rows(state))
        return Hexes(rows, tuple(COLUMN_LETTERS[: self.side]), tuple(str(row + 1) for row in range(self.side)))

    def rows(self, state):
        first, second = (state.theirs, state.mine) if state.player else (state.mine, state.theirs)
        rows = rows_of(first, second, self.side, self.side)
        return [cells[: self.side - row] for row, cells in enumerate(rows)]

    def squares(self, state, cell):
        return (cell,)

    def highlights(self, state):
        """The chain that joins the three sides."""
        left = state.theirs if self.result(state) == LOSS else 0
        while left:
            chain = self.connected(left, left & -left)
            if self.joined(chain):
                return tuple(ones(chain))
            left &= ~chain
        return ()

    def connected(self, stones, some):
        """Return the stones that are connected with some of them."""
        chain = 0
        while some:
            chain |= some
            beside = 0
            for cell in ones(some):
                beside |= int(self.neighbours[cell])
            some = beside & stones & ~chain
        return chain

    def move_text(self, state, cell):
        return f"{COLUMN_LETTERS[cell % self.side]}{cell // self.side + 1}"

    def state_text(self, state):
        return f"{'/'.join(self.rows(state))} {PLAYERS[state.player]}"

    def parse_state(self, text):
        first, second, player = read_cells(self, text, self.side, self.side, triangle=True)
        if popcount(first) - popcount(second) != player:
            raise GameError(f"{self!r}: {text!r} cannot arise, since the players take turns and X moves first.")
        state = State(second, first, 1) if player else State(first, second, 0)
        if self.joined(state.mine):
            raise GameError(f"{self!r}: {text!r} cannot arise, since the player to move has won already.")
        return state
