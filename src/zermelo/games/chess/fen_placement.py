"""The piece placement field of a FEN, and the pieces as boards draw them: shared by chess and its endgames."""

from functools import lru_cache

from zermelo.bits import WORD
from zermelo.board import Piece

NAMES = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
PIECES = (
    *(Piece(letter, 0, glyph, f"white {NAMES[letter]}") for letter, glyph in zip("KQRBNP", "♔♕♖♗♘♙", strict=True)),
    *(
        Piece(letter.lower(), 1, glyph, f"black {NAMES[letter]}")
        for letter, glyph in zip("KQRBNP", "♚♛♜♝♞♟", strict=True)
    ),
)

SETS = ("KQRBNP", "kqrbnp", "Pp", "Nn", "BbQq", "RrQq", "Kk")
"""The letters of each bitboard: White, Black, pawns, knights, diagonal and orthogonal sliders, kings."""


def rows_of(letters):
    """Return eight rows of letters and dots, the eighth rank first; `letters` maps squares to letters."""
    return tuple("".join(letters.get(rank * 8 + file, ".") for file in range(8)) for rank in range(7, -1, -1))


def placement(letters):
    """Return the piece placement field of a FEN.

    >>> placement({0: "K", 18: "k", 9: "R"})
    '8/8/8/8/8/2k5/1R6/K7'
    """
    rows = "/".join(rows_of(letters))
    for count in range(8, 0, -1):
        rows = rows.replace("." * count, str(count))
    return rows


def parse_placement(text):
    """Return (square, letter) of every piece. Raise ValueError if the text is no piece placement."""
    found = []
    for rank, row in zip(range(7, -1, -1), text.split("/"), strict=True):
        file = 0
        for sign in row:
            if sign in "12345678":
                file += int(sign)
            else:
                found.append((rank * 8 + file, sign))
                file += 1
        if file != 8:
            raise ValueError(row)
    return found


def parse_bitboards(text, flip):
    """Return the seven bitboards of SETS, flipped vertically if asked. Raise ValueError if it is no piece placement.

    Positions have many rows in common, so what was found for a row is kept, and a position is put together from eight.

    >>> parse_bitboards("8/8/8/8/8/8/8/Kk6", False)[:2], parse_bitboards("8/8/8/8/8/8/8/7K", True)[0] == 1 << 63
    ([1, 2], True)
    """
    rows = text.split("/")
    if len(rows) != 8:
        raise ValueError(text)
    all_sets = 0
    for row in rows if flip else reversed(rows):  # the row of the highest squares last, since it is shifted least
        all_sets = all_sets >> 8 | _row_sets(row)
    return [all_sets >> 64 * number & WORD for number in range(len(SETS))]


@lru_cache(1 << 16)
def _row_sets(row):
    """Return the pieces of a row: the highest byte of each bitboard, and the bitboards 64 bits apart."""
    marks = "".join("." * int(sign) if sign in "12345678" else sign for sign in row)
    if len(marks) != 8 or not set(marks) <= {".", *SETS[0], *SETS[1]}:
        raise ValueError(row)
    found = 0
    for number, letters in enumerate(SETS):
        found |= sum(1 << file for file, mark in enumerate(marks) if mark in letters) << 64 * number + 56
    return found
