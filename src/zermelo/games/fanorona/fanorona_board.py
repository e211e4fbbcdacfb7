r"""The board of Fanorona: points in rows, joined along rows and columns, and along the diagonals of strong points.

A point is strong if its row and column, counted from 0, make an even sum, as those of the corners do: diagonals join
strong points to strong points. Points are numbered row by row from the top left, and a set of them is a word:

     5  a5 - b5 - c5 - d5 - e5           0    1    2    3    4
        |  \  |  /  |  \  |  /  |
     4  a4 - b4 - c4 - d4 - e4           5    6    7    8    9
        |  /  |  \  |  /  |  \  |
     3  a3 - b3 - c3 - d3 - e3          10   11   12   13   14

There are eight ways to go, and way 7 - w is the opposite of way w:

    0  1  2
    3     4
    5  6  7
"""

from functools import cached_property

from zermelo.bits import ones
from zermelo.game import Game
from zermelo.games.support.board_symmetries import byte_images
from zermelo.games.support.grid_notation import COLUMN_LETTERS

WAYS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
"""Rows down and columns to the right."""

NO_WAY = 8
"""The last way of a stone at the beginning of a turn."""


class Lattice(Game):
    """The board, without rules: what follows from how many rows and columns it has."""

    rows = 5
    columns = 9

    @cached_property
    def size_of_board(self):
        return self.rows * self.columns

    @cached_property
    def points(self):
        return (1 << self.size_of_board) - 1

    @cached_property
    def strong(self):
        return sum(1 << point for point in range(self.size_of_board) if sum(divmod(point, self.columns)) % 2 == 0)

    @cached_property
    def shifts(self):
        """How much larger the number of the next point is, by way."""
        return tuple(down * self.columns + right for down, right in WAYS)

    @cached_property
    def leaving(self):
        """The points from which a line goes on, by way."""
        found = []
        for down, right in WAYS:
            inside = 0
            for point in ones(self.strong if down and right else self.points):
                row, column = divmod(point, self.columns)
                if 0 <= row + down < self.rows and 0 <= column + right < self.columns:
                    inside |= 1 << point
            found.append(inside)
        return tuple(found)

    def stepped(self, points, way):
        """The points one step on, where there is a line."""
        points &= self.leaving[way]
        return points << self.shifts[way] if way >= 4 else points >> self.shifts[7 - way]

    @cached_property
    def pairs(self):
        """The points that a line joins."""
        return tuple((point, point + self.shifts[way]) for way in range(4, 8) for point in ones(self.leaving[way]))

    # -- images ------------------------------------------------------------------------------------------------

    @cached_property
    def turns(self):
        """How many images there are: the board is mirrored left to right (1), top to bottom (2), and where it is a
        square in the diagonal (4).
        """
        return 8 if self.rows == self.columns else 4

    @cached_property
    def point_images(self):
        """An array [turn, point] of points."""
        import numpy as np

        images = np.zeros((self.turns, self.size_of_board), np.int64)
        for turn, point in np.ndindex(images.shape):
            row, column = divmod(point, self.columns)
            row = self.rows - 1 - row if turn & 2 else row
            column = self.columns - 1 - column if turn & 1 else column
            images[turn, point] = column * self.columns + row if turn & 4 else row * self.columns + column
        return images

    @cached_property
    def images(self):
        return byte_images([dict(enumerate(points)) for points in self.point_images.tolist()])

    @cached_property
    def way_images(self):
        """An array [turn, way] of ways; what is no way stays what it is."""
        import numpy as np

        images = np.full((self.turns, 9), NO_WAY, np.int64)
        for turn in range(self.turns):
            for way, (down, right) in enumerate(WAYS):
                down, right = -down if turn & 2 else down, -right if turn & 1 else right
                images[turn, way] = WAYS.index((right, down) if turn & 4 else (down, right))
        return images

    # -- names -------------------------------------------------------------------------------------------------

    @cached_property
    def names(self):
        return tuple(
            f"{COLUMN_LETTERS[point % self.columns]}{self.rows - point // self.columns}"
            for point in range(self.size_of_board)
        )

    @cached_property
    def places(self):
        return tuple((point % self.columns, point // self.columns) for point in range(self.size_of_board))
