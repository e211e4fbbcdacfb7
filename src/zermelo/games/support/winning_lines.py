"""Winning lines of a board, for pictures to point out."""

from itertools import groupby

from zermelo.board import EMPTY, NOWHERE

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps of rows, columns and diagonals, as (rows down, columns to the right)."""


def lines_in(cells, length):
    """Return the squares of all rows, columns and diagonals of at least `length` equal marks, in their order.

    >>> lines_in(("X.O", "OX.", "O.X"), 3), lines_in(("XX.", "OO.", "..."), 3)
    ((0, 4, 8), ())
    """
    height, width = len(cells), len(cells[0])
    found = set()
    for line in _lines(height, width):
        for mark, run in groupby(line, lambda square: cells[square // width][square % width]):
            squares = list(run)
            if mark not in (EMPTY, NOWHERE) and len(squares) >= length:
                found.update(squares)
    return tuple(sorted(found))


def _lines(height, width):
    """Yield every line of the board from its first square."""
    for row in range(height):
        for column in range(width):
            for down, right in DIRECTIONS:
                if not (row >= down and 0 <= column - right < width):  # nothing before it: a line begins here
                    reach = range(max(height, width))
                    line = [(row + down * i, column + right * i) for i in reach]
                    yield [y * width + x for y, x in line if y < height and 0 <= x < width]
