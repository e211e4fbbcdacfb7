"""The piece placement field of a FEN, and the pieces as boards draw them: shared by chess and its endgames."""

from zermelo.board import Piece

NAMES = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
PIECES = (
    *(Piece(letter, 0, glyph, f"white {NAMES[letter]}") for letter, glyph in zip("KQRBNP", "♔♕♖♗♘♙", strict=True)),
    *(
        Piece(letter.lower(), 1, glyph, f"black {NAMES[letter]}")
        for letter, glyph in zip("KQRBNP", "♚♛♜♝♞♟", strict=True)
    ),
)


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
