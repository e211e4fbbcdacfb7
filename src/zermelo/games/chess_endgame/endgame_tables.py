"""Tables of chess endgames: attacks, blocked squares, pairs of kings up to symmetry, placements of pieces.

Squares are numbered 0 (a1) to 63 (h8), rank by rank, and sets of squares are 64-bit words. A *piece* is one number, its
kind times 64 plus its square. There are eleven kinds: none, and five piece types for each side. My pawns go up.

    kind      0      1 2 3 4 5        6 7 8 9 10
    piece    none    Q R B N P mine   Q R B N P theirs
"""

from math import comb

import numpy as np

from zermelo.games.chess.chess_geometry import (
    BISHOP_DIRECTIONS,
    KNIGHT_DIRECTIONS,
    PAWN,
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


def _between(square):
    """Return, for each other square, those between the two."""
    between = [0] * 64
    for direction in QUEEN_DIRECTIONS:
        squares = ray(square, direction)
        for i, other in enumerate(squares):
            between[other] = bitboard(squares[:i])
    return between


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

BETWEEN = np.array([_between(square) for square in range(64)], np.uint64).ravel()
"""At square * 64 + other: the squares between the two on a rank, file or diagonal; none for other pairs."""

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

# -- placements of three pieces ----------------------------------------------------------------------------------------


def _kinds_of(number):
    """Return the three kinds of a number."""
    return number // 121, number // 11 % 11, number % 11


def _is_pawn(kind):
    return kind > 0 and kind % SIDE_OFFSET == 0


def _ways(kind):
    """Return on how many squares a piece of this kind can stand."""
    return 1 if kind == 0 else 48 if _is_pawn(kind) else 64


def _likeness(first, second, third):
    """Return which of three kinds are the same, as LIKENESS says."""
    return (1 if first == second and first else 0) + (2 if second == third and second else 0)


def _placements(*kinds):
    """Return how many placements three pieces of these kinds have; pieces of one kind are interchangeable."""
    ways = [_ways(kind) for kind in kinds]
    return (
        ways[0] * ways[1] * ways[2],
        comb(ways[0], 2) * ways[2],
        ways[0] * comb(ways[1], 2),
        comb(ways[0], 3),
    )[_likeness(*kinds)]


def _ep_placements(*kinds):
    """Return how many placements the pieces have beside a pawn that captures and one that is captured en passant."""
    others = list(kinds)
    if PAWN not in others or PAWN + SIDE_OFFSET not in others:
        return 0
    others.remove(PAWN)
    others.remove(PAWN + SIDE_OFFSET)
    return 16 * _ways(others[0])


_KINDS = [_kinds_of(number) for number in range(11**3)]

WAYS = np.array([_ways(kind) for kind in range(11)], np.int64)
"""For each kind, on how many squares a piece of it can stand."""

LIKENESS = np.array([_likeness(*kinds) for kinds in _KINDS], np.int8)
"""At 121 * kind + 11 * kind + kind: 1 if the first two are the same, 2 if the last two are, 3 if all are, else 0."""

PLACEMENTS = np.array([_placements(*kinds) for kinds in _KINDS], np.int64)
"""At the same place: how many placements these three pieces have."""

HAS_PAWNS = np.array([any(_is_pawn(kind) for kind in kinds) for kinds in _KINDS], np.int8)
"""At the same place: 1 if one of these three pieces is a pawn, else 0."""

HALF_SIZES = np.array([KING_PAIR_COUNTS[pawns] for pawns in HAS_PAWNS], np.int64) * PLACEMENTS
"""At the same place: how many numbers the positions with these pieces and one side to move take."""

EP_PLACEMENTS = np.array([_ep_placements(*kinds) for kinds in _KINDS], np.int64)
"""At the same place: how many numbers the positions with an en passant capture take for each pair of kings."""


def _places(symmetry):
    """Return the places of all pieces after a symmetry."""
    found = [0] * 64
    for kind in range(1, 11):
        low = 8 if _is_pawn(kind) else 0
        for square in range(64):
            allowed = low <= square < 64 - low
            found.append(_transformed(square, symmetry) - low if allowed else -1)
    return found


PLACES = np.array([_places(symmetry) for symmetry in range(8)], np.int16).ravel()
"""At symmetry * 704 + piece: the piece's square after that symmetry, counted from 0, where pawns have 48 squares; -1
for a pawn on the first or the last rank."""

PAIRS = np.array([high * 64 + low for high in range(64) for low in range(high)], np.int16)
"""Two different squares as 64 * high + low: number high * (high - 1) / 2 + low."""

TRIPLES = np.array(
    [high * 4096 + middle * 64 + low for high in range(64) for middle in range(high) for low in range(middle)], np.int32
)
"""Three different squares in the same way: number high * (high - 1) * (high - 2) / 6, plus that of the other two."""
