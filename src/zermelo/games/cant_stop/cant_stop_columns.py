"""Columns of Can't Stop in a word: five bits for the steps of each, column 2 lowest.

bits    0-4         5-9         10-14       ...
        column 2    column 3    column 4
"""

from zermelo.bits import popcount

BITS = 5
LOWEST = sum(1 << BITS * i for i in range(12))
"""The lowest bit of every column."""


def steps(word, column):
    """The steps in a column; what is below column 2 has none."""
    return word >> BITS * (column - 2) & 31 if column else 0


def step_in(column):
    """One step in a column, to be added to a word; nothing for column 0."""
    return 1 << BITS * (column - 2) if column else 0


def started(word):
    """How many columns have steps."""
    folded = word | word >> 1
    return popcount((folded | folded >> 2 | word >> 4) & LOWEST)


def packed(climbed) -> int:
    """The word of these steps in columns 2, 3, ...

    >>> packed((3, 0, 1))
    1027
    """
    return sum(number << BITS * i for i, number in enumerate(climbed))


def unpacked(word, columns) -> tuple[int, ...]:
    """The steps in so many columns.

    >>> unpacked(1027, 3)
    (3, 0, 1)
    """
    return tuple(steps(word, column) for column in range(2, columns + 2))
