"""Piece types, directions and rays: the geometry of a chessboard, from which attack tables are made.

Squares are numbered 0 (a1) to 63 (h8), rank by rank. A bitboard is a 64-bit word with a bit for each square.
"""

QUEEN, ROOK, BISHOP, KNIGHT, PAWN, KING = range(1, 7)
"""Piece types; 0 is an empty square."""

ROOK_DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))
BISHOP_DIRECTIONS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
QUEEN_DIRECTIONS = ROOK_DIRECTIONS + BISHOP_DIRECTIONS
KNIGHT_DIRECTIONS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
PAWN_CAPTURES = ((1, 1), (-1, 1))


def ray(square, direction, length=7):
    """Return the squares in one direction, nearest first, up to `length` of them.

    >>> ray(8, (1, 1), length=3)
    [17, 26, 35]
    """
    squares = []
    for i in range(1, length + 1):
        file, rank = square % 8 + i * direction[0], square // 8 + i * direction[1]
        if 0 <= file < 8 and 0 <= rank < 8:
            squares.append(rank * 8 + file)
    return squares


def bitboard(squares):
    """Return the set of these squares as a word."""
    return sum(1 << square for square in squares)


def empty_board_attacks(directions, length=1):
    """Return, for each square, the bitboard that a piece attacks from there on an empty board."""
    return [bitboard([to for step in directions for to in ray(square, step, length)]) for square in range(64)]


def square_name(square):
    """Return the name of a square.

    >>> square_name(0), square_name(63)
    ('a1', 'h8')
    """
    return "abcdefgh"[square % 8] + str(square // 8 + 1)
