"""Rotations and reflections of sets of cells.

A set of cells is a word, and those of a square board are numbered row by row from the top left. The image of a word is
put together from those of its bytes, which a table holds.
"""

from zermelo.bits import bit, ones, reverse, shift_right, unsigned

TURNS = 8


def byte_images(ways):
    """Return an array [turn, byte of the word, value of the byte]: the image of that byte, as `image` reads it.

    For each turn, `ways` maps each cell to its image.

    >>> byte_images([{0: 0, 8: 8}, {0: 8, 8: 0}])[:, :, 1].tolist()
    [[1, 256], [256, 1]]
    """
    import numpy as np

    images = np.zeros((len(ways), max(ways[0]) + 8 >> 3, 256), np.int64)
    for turn, way in enumerate(ways):
        for cell, to in way.items():
            images[turn, cell >> 3] |= (np.arange(256) >> (cell & 7) & 1) << to
    return images


def square_images(side):
    """Return the images of a square board, as `byte_images` does.

    The board is mirrored left to right (turn & 1), top to bottom (turn & 2) and in the diagonal (turn & 4).

    >>> square_images(2)[:, 0, 0b0001].tolist()
    [1, 2, 4, 8, 1, 4, 2, 8]
    """
    return byte_images([{cell: _turned(cell, side, turn) for cell in range(side * side)} for turn in range(TURNS)])


def _turned(cell, side, turn):
    """Return the image of a cell of a square board."""
    row, column = divmod(cell, side)
    row = side - 1 - row if turn & 2 else row
    column = side - 1 - column if turn & 1 else column
    return column * side + row if turn & 4 else row * side + column


def image(images, word, turn):
    """Return the image of a set of cells."""
    turned = 0
    for part in range(images.shape[1]):
        turned |= int(images[turn, part, word >> 8 * part & 255])
    return turned


def least_images(images, first, second):
    """Return the image of two sets of cells in which the first is least, and then the second."""
    least, other = first, second
    for turn in range(1, images.shape[0]):
        turned = image(images, first, turn)
        if turned <= least:
            with_it = image(images, second, turn)
            if turned < least or with_it < other:
                least, other = turned, with_it
    return least, other


def half_turn(cells, size):
    """Return a set of cells after half a turn of a board with `size` cells."""
    return shift_right(reverse(cells), 64 - size)


def mirrored(cells, side):
    """Return a set of cells with rows and columns exchanged."""
    image = unsigned(0)
    for cell in ones(cells):
        image |= bit(cell % side * side + cell // side)
    return image
