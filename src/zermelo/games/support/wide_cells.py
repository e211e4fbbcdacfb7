"""Sets of up to 128 cells, as two words: bit i of the first is cell i, bit i of the second is cell 64 + i."""

import numpy as np

from zermelo.bits import bit, lsb, ones, popcount, reverse, shift_left, shift_right, unsigned

MAX_CELLS = 128
"""The most cells of a set."""

Cells = tuple[np.uint64, np.uint64]
"""The type of a set, in a state."""


def words_of(number):
    """Return a number of 128 bits as two words.

    >>> words_of(1 << 64 | 5)
    (5, 1)
    """
    return number & (1 << 64) - 1, number >> 64


def number_of(cells):
    """Return two words as a number of 128 bits, which only interpreted code can hold.

    >>> number_of((5, 1)) == 1 << 64 | 5
    True
    """
    return int(cells[0]) | int(cells[1]) << 64


def either(a, b):
    return unsigned(a[0] | b[0]), unsigned(a[1] | b[1])


def both(a, b):
    return unsigned(a[0] & b[0]), unsigned(a[1] & b[1])


def without(a, b):
    return unsigned(a[0] & ~b[0]), unsigned(a[1] & ~b[1])


def is_empty(cells):
    return cells[0] | cells[1] == 0


def meet(a, b):
    """Return whether two sets have a common cell."""
    return a[0] & b[0] | a[1] & b[1] != 0


def count(cells):
    return popcount(cells[0]) + popcount(cells[1])


def one_cell(cell):
    """Return the set of one cell.

    >>> one_cell(3), one_cell(64)
    ((8, 0), (0, 1))
    """
    return bit(cell), bit(cell - 64)


def first_cell(cells):
    """Return the least cell of a set that is not empty."""
    return lsb(cells[0]) if cells[0] else 64 + lsb(cells[1])


def is_less(a, b):
    """Compare two sets as numbers of 128 bits."""
    return unsigned(a[1]) < unsigned(b[1]) or (a[1] == b[1] and unsigned(a[0]) < unsigned(b[0]))


def cells_in(cells):
    """Yield the cells of a set, the least first.

    >>> list(cells_in((5, 1)))
    [0, 2, 64]
    """
    for word in range(2):
        for cell in ones(cells[word]):
            yield 64 * word + cell


def moved_up(cells, steps):
    """Return the set with `steps` added to every cell.

    >>> moved_up((1 << 63, 0), 1), moved_up((3, 0), 65)
    ((0, 1), (0, 6))
    """
    return shift_left(cells[0], steps), shift_left(cells[1], steps) | shift_right(cells[0], 64 - steps)


def moved_down(cells, steps):
    """Return the set with `steps` taken off every cell; cells below 0 are lost.

    >>> moved_down((0, 1), 1) == (1 << 63, 0), moved_down((1, 6), 65)
    (True, (3, 0))
    """
    return shift_right(cells[0], steps) | shift_left(cells[1], 64 - steps), shift_right(cells[1], steps)


def half_turn(cells, size):
    """Return a set of cells after half a turn of a board with `size` cells."""
    return moved_down((reverse(cells[1]), reverse(cells[0])), MAX_CELLS - size)
