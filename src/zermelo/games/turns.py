"""Sets of cells of a square board, turned and turned over.

Cells are numbered row by row from the top left, and a set of them is a word. The image of a word is put together from
those of its bytes, which are looked up.
"""

from zermelo.bits import bit, ones, reverse, shift_right, unsigned

TURNS = 8


def square_images(side):
    """An array [turn, byte of the word, what the byte is]: the image of that byte.

    The board is mirrored left to right (turn & 1), top to bottom (turn & 2) and in the diagonal (turn & 4).

    >>> square_images(2)[:, 0, 0b0001].tolist()
    [1, 2, 4, 8, 1, 4, 2, 8]
    """
    import numpy as np

    images = np.zeros((TURNS, side * side + 7 >> 3, 256), np.int64)
    for turn, part, byte in np.ndindex(images.shape):
        for cell in ones(byte << 8 * part & (1 << side * side) - 1):
            row, column = divmod(cell, side)
            row = side - 1 - row if turn & 2 else row
            column = side - 1 - column if turn & 1 else column
            images[turn, part, byte] |= 1 << (column * side + row if turn & 4 else row * side + column)
    return images


def image(images, word, turn):
    """The image of a set of cells."""
    turned = 0
    for part in range(images.shape[1]):
        turned |= int(images[turn, part, word >> 8 * part & 255])
    return turned


def half_turn(cells, size):
    """A set of cells of a board with `size` of them, turned by half a turn."""
    return shift_right(reverse(cells), 64 - size)


def mirrored(cells, side):
    """A set of cells with rows and columns exchanged."""
    image = unsigned(0)
    for cell in ones(cells):
        image |= bit(cell % side * side + cell // side)
    return image
