"""Tables of chess endgames: attacks, blocked squares, and pairs of kings up to symmetry.

Squares are numbered 0 (a1) to 63 (h8), rank by rank, and sets of squares are 64-bit words. A *piece* is one number, its
kind times 64 plus its square. There are eleven kinds: none, and five piece types for each side. My pawns go up.

    kind      0      1 2 3 4 5        6 7 8 9 10
    piece    none    Q R B N P mine   Q R B N P theirs
"""

import numpy as np

from zermelo.games.chess.chess_geometry import (
    BISHOP_DIRECTIONS,
    KNIGHT_DIRECTIONS,
    PAWN_CAPTURES,
    QUEEN_DIRECTIONS,
    ROOK_DIRECTIONS,
    bitboard,
    empty_board_attacks,
    ray,
)

SIDE_OFFSET = 5
"""From a kind of mine to the same piece type of theirs."""

THEIRS = 6 * 64
"""Pieces from this number on are theirs."""


def _attacks():
    sliders = (QUEEN_DIRECTIONS, ROOK_DIRECTIONS, BISHOP_DIRECTIONS)
    queen, rook, bishop = (empty_board_attacks(directions, 7) for directions in sliders)
    pieces = [*queen, *rook, *bishop, *empty_board_attacks(KNIGHT_DIRECTIONS)]
    mine, theirs = empty_board_attacks(PAWN_CAPTURES), empty_board_attacks(((1, -1), (-1, -1)))
    return [0] * 64 + pieces + mine + pieces + theirs


def _blocked(square):
    """Return, for each blocker, the squares behind it, seen by a slider on `square`."""
    blocked = [0] * 64
    for direction in QUEEN_DIRECTIONS:
        squares = ray(square, direction)
        for i, blocker in enumerate(squares):
            blocked[blocker] = bitboard(squares[i + 1 :])
    return blocked


SQUARE_BIT = np.array([1 << square for square in range(64)], np.uint64)
PIECE_BIT = np.array([0] * 64 + [1 << square for _ in range(10) for square in range(64)], np.uint64)
"""For each piece, its square as a bitboard; empty for no piece."""

KING_REACH = np.array(empty_board_attacks(QUEEN_DIRECTIONS), np.uint64)
"""For each square, the squares next to it."""

ATTACKS = np.array(_attacks(), np.uint64)
"""For each piece, the squares it attacks on an empty board."""

BLOCKED = np.array([_blocked(square) for square in range(64)], np.uint64).ravel()
"""At square * 64 + blocker: the squares that a piece on `square` cannot attack because of the blocker. For a king,
knight or pawn this never includes a square it attacks."""

# -- symmetry ----------------------------------------------------------------------------------------------------------


def _transformed(square, symmetry):
    """Return the square after one of eight symmetries: bit 2 mirrors files, bit 1 ranks, bit 0 then swaps both."""
    file, rank = square % 8 ^ 7 * (symmetry >> 2), square // 8 ^ 7 * (symmetry >> 1 & 1)
    return file * 8 + rank if symmetry & 1 else rank * 8 + file


def _normalising(king, rival, pawns):
    """Return the symmetry that brings my king to the triangle a1-d1-d4, and whether both kings are on the diagonal.

    With pawns, only files are mirrored: my king comes to the files a to d. With my king on the diagonal, theirs goes
    below it; with both on it, the mirror image in the diagonal has the same kings.
    """
    symmetry = 4 if king % 8 > 3 else 0
    if pawns:
        return symmetry, False
    symmetry |= 2 if king // 8 > 3 else 0
    for square in (king, rival):
        image = _transformed(square, symmetry)
        if image % 8 != image // 8:
            return symmetry | (image // 8 > image % 8), False
    return symmetry, True


def _king_pairs(pawns):
    """Return two tables: from pairs of kings to their numbers, and back.

    At king * 64 + rival: 16 times the number of the pair, plus 8 if both kings are on the diagonal, plus the symmetry;
    -1 for adjacent kings. Equivalent pairs have one number. For each number, the second table has king * 64 + rival.
    """
    found = {}
    table = [-1] * 4096
    for king in range(64):
        for rival in range(64):
            if king != rival and not int(KING_REACH[king]) >> rival & 1:
                symmetry, diagonal = _normalising(king, rival, pawns)
                pair = _transformed(king, symmetry), _transformed(rival, symmetry)
                table[king * 64 + rival] = found.setdefault(pair, len(found)) * 16 + 8 * diagonal + symmetry
    return table, [king * 64 + rival for king, rival in found]


_PAWNLESS, _PAWNLESS_BACK = _king_pairs(False)
_PAWNFUL, _PAWNFUL_BACK = _king_pairs(True)

KING_PAIR_COUNTS = (len(_PAWNLESS_BACK), len(_PAWNFUL_BACK))
"""How many pairs of kings there are up to symmetry, without pawns and with pawns."""

KING_PAIR = np.array(_PAWNLESS + _PAWNFUL, np.int16)
"""The first table of `_king_pairs` without pawns, followed by the one with pawns."""

KING_PAIR_SQUARES = np.array(_PAWNLESS_BACK + _PAWNFUL_BACK, np.int16)
"""For each number of a pair of kings, king * 64 + rival, in the same order."""

TRANSFORMED = np.array([_transformed(square, symmetry) for symmetry in range(8) for square in range(64)], np.int16)
"""At symmetry * 64 + square: the square after that symmetry."""

# -- placements of two pieces ------------------------------------------------------------------------------------------


def _placements(kinds):
    """Return how many placements two pieces of these kinds have; two of the same kind are interchangeable."""
    ways = [1 if kind == 0 else 48 if kind % SIDE_OFFSET == 0 else 64 for kind in divmod(kinds, 11)]
    return ways[0] * (ways[0] - 1) // 2 if kinds % 12 == 0 and kinds else ways[0] * ways[1]


PLACEMENTS = np.array([_placements(kinds) for kinds in range(121)], np.int64)
"""At 11 * kind + kind: how many placements these two pieces have."""

HAS_PAWNS = np.array(
    [any(kind and kind % SIDE_OFFSET == 0 for kind in divmod(kinds, 11)) for kinds in range(121)], np.int64
)
"""At 11 * kind + kind: 1 if one of these two pieces is a pawn, else 0."""

SQUARE_PAIRS = np.array([high * 64 + low for high in range(64) for low in range(high)], np.int16)
"""Two different squares as 64 * high + low: number high * (high - 1) / 2 + low."""
