"""Columns of Can't Stop in a word: five bits for the steps of each, column 2 lowest.

bits    0-4         5-9         10-14       ...
        column 2    column 3    column 4
"""

from zermelo.bits import popcount

BITS_PER_COLUMN = 5
LOWEST_BITS = sum(1 << BITS_PER_COLUMN * i for i in range(12))
"""The lowest bit of every column."""


def steps(word, column):
    """Return the steps in a column; 0 below column 2."""
    return word >> BITS_PER_COLUMN * (column - 2) & 31 if column else 0


def step_in(column):
    """Return one step in a column, to be added to a word; 0 for column 0."""
    return 1 << BITS_PER_COLUMN * (column - 2) if column else 0


def started(word):
    """Return how many columns have steps."""
    folded = word | word >> 1
    return popcount((folded | folded >> 2 | word >> 4) & LOWEST_BITS)


def packed(climbed) -> int:
    """Return the word of these steps in columns 2, 3, ...

    >>> packed((3, 0, 1))
    1027
    """
    return sum(number << BITS_PER_COLUMN * i for i, number in enumerate(climbed))


def unpacked(word, columns) -> tuple[int, ...]:
    """Return the steps in the first `columns` columns.

    >>> unpacked(1027, 3)
    (3, 0, 1)
    """
    return tuple(steps(word, column) for column in range(2, columns + 2))
