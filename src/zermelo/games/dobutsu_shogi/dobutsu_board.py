"""The board of dobutsu shogi as a word: four bits for each of twelve squares, row by row from the top left.

A piece of the player who sees the board from below is CHICK to HEN; one of the other player's has THEIRS added. A hand
is a word of two bits for each of chick, elephant and giraffe.
"""

from zermelo.bits import byte_swap, signed
from zermelo.board import EMPTY, Piece

WIDTH, CELLS = 3, 12
CHICK, ELEPHANT, GIRAFFE, LION, HEN = 1, 2, 3, 4, 5
THEIRS = 8
PIECE_LETTERS = ".CEGLH"

UP, DOWN, LEFT, RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)
UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT = (-1, -1), (-1, 1), (1, -1), (1, 1)
STRAIGHT, DIAGONAL = (UP, DOWN, LEFT, RIGHT), (UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT)
STEPS = ((), (UP,), DIAGONAL, STRAIGHT, (*STRAIGHT, *DIAGONAL), (*STRAIGHT, UP_LEFT, UP_RIGHT))
"""Where each piece moves, as (rows down, columns to the right)."""

SIDES = ("Black", "White")
ANIMALS = ("", "chick", "elephant", "giraffe", "lion", "hen")
PIECES = tuple(
    Piece(letter if player == 0 else letter.lower(), player, letter, f"{SIDES[player].lower()} {animal}", animal)
    for player in (0, 1)
    for letter, animal in zip(PIECE_LETTERS[1:], ANIMALS[1:], strict=True)
)


def piece_at(board, square):
    """The piece on a square: 0 if there is none, and with 8 added if it is the other player's."""
    return board >> 4 * square & 15


def held(hand, piece):
    """Return how many of a piece are in hand."""
    return hand >> 2 * (piece - 1) & 3


def find(board, piece):
    """The square of a piece; CELLS if it is not on the board."""
    for square in range(CELLS):
        if piece_at(board, square) == piece:
            return square
    return CELLS


def turned(board):
    """The board as the other player sees it: the squares in reverse order, and every piece of the other side."""
    word = signed(byte_swap(board << 16))
    word = word >> 4 & 0x0F0F0F0F0F0F | (word & 0x0F0F0F0F0F0F) << 4
    pieces = (word | word >> 1 | word >> 2) & 0x111111111111
    return word ^ pieces << 3


def mirrored(board):
    """Left and right exchanged: in each row the first square and the last."""
    return board << 8 & 0xF00F00F00F00 | board & 0x0F00F00F00F0 | board >> 8 & 0x00F00F00F00F


def packed(cells):
    """The board with these letters, capitals for the player who sees it from below."""
    pieces = (PIECE_LETTERS.index(mark.upper()) + (THEIRS if mark.islower() else 0) for mark in cells)
    return sum(piece << 4 * square for square, piece in enumerate(pieces))


def hand_text(hand):
    """Two places for each of chick, elephant and giraffe."""
    return "".join((PIECE_LETTERS[piece] * held(hand, piece)).ljust(2, EMPTY) for piece in (CHICK, ELEPHANT, GIRAFFE))


def count(marks, animals):
    return sum(mark in animals for mark in marks.upper())


def square_name(square):
    return f"{'abc'[square % WIDTH]}{square // WIDTH + 1}"
