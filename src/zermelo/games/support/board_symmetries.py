"""Sets of cells of a board, turned and turned over.

A set of cells is a word, and those of a square board are numbered row by row from the top left. The image of a word is
put together from those of its bytes, which are looked up.
"""

from zermelo.bits import bit, ones, reverse, shift_right, unsigned

TURNS = 8


def byte_images(ways):
    """An array [turn, byte of the word, what the byte is]: the image of that byte, as `image` reads it.

    For each turn, `ways` says where each cell goes.

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
    """The images of a square board, as `byte_images` has them.

    The board is mirrored left to right (turn & 1), top to bottom (turn & 2) and in the diagonal (turn & 4).

    >>> square_images(2)[:, 0, 0b0001].tolist()
    [1, 2, 4, 8, 1, 4, 2, 8]
    """
    return byte_images([{cell: _turned(cell, side, turn) for cell in range(side * side)} for turn in range(TURNS)])


def _turned(cell, side, turn):
    """Where a cell of a square board goes."""
    row, column = divmod(cell, side)
    row = side - 1 - row if turn & 2 else row
    column = side - 1 - column if turn & 1 else column
    return column * side + row if turn & 4 else row * side + column


def image(images, word, turn):
    """The image of a set of cells."""
    turned = 0
    for part in range(images.shape[1]):
        turned |= int(images[turn, part, word >> 8 * part & 255])
    return turned


def least_images(images, first, second):
    """Two sets of cells in that image in which the first is least, and then the second."""
    least, other = first, second
    for turn in range(1, images.shape[0]):
        turned = image(images, first, turn)
        if turned <= least:
            with_it = image(images, second, turn)
            if turned < least or with_it < other:
                least, other = turned, with_it
    return least, other


def half_turn(cells, size):
    """A set of cells of a board with `size` of them, turned by half a turn."""
    return shift_right(reverse(cells), 64 - size)


def mirrored(cells, side):
    """A set of cells with rows and columns exchanged."""
    image = unsigned(0)
    for cell in ones(cells):
        image |= bit(cell % side * side + cell // side)
    return image
