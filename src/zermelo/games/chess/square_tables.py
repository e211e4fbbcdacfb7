"""The chessboard in tables: what a man attacks, what hides behind a man, and boards that are the same up to symmetry.

Squares are numbered 0 (a1) to 63 (h8), rank by rank, and sets of squares are 64-bit words. A *man* is one number, its
kind times 64 plus its square. There are eleven kinds: none, and five for each side, mine and theirs. My pawns go up.

    kind     0      1 2 3 4 5        6 7 8 9 10
    man     none    Q R B N P mine   Q R B N P theirs
"""

import numpy as np

QUEEN, ROOK, BISHOP, KNIGHT, PAWN = range(1, 6)
SIDE = 5
"""From a man of mine to the same man of theirs, in kinds."""

THEIRS = 6 * 64
"""Men from here on are theirs."""

STRAIGHT = ((1, 0), (0, 1), (-1, 0), (0, -1))
OBLIQUE = ((1, 1), (-1, 1), (-1, -1), (1, -1))
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def ray(square, step, length=7):
    """The squares from here in one direction, nearest first, at most so many."""
    squares = []
    for i in range(1, length + 1):
        file, rank = square % 8 + i * step[0], square // 8 + i * step[1]
        if 0 <= file < 8 and 0 <= rank < 8:
            squares.append(rank * 8 + file)
    return squares


def word_of(squares):
    return sum(1 << square for square in squares)


def steps(directions, length=1):
    """For each square, what can be reached on an empty board."""
    return [word_of([to for step in directions for to in ray(square, step, length)]) for square in range(64)]


def _attacks():
    queen, rook, bishop = (steps(directions, 7) for directions in (STRAIGHT + OBLIQUE, STRAIGHT, OBLIQUE))
    pieces = [*queen, *rook, *bishop, *steps(JUMPS)]
    return [0] * 64 + pieces + steps(((1, 1), (-1, 1))) + pieces + steps(((1, -1), (-1, -1)))


def _beyond(square):
    """For each blocker, the squares that it hides from a line piece on `square`."""
    hidden = [0] * 64
    for step in STRAIGHT + OBLIQUE:
        squares = ray(square, step)
        for i, blocker in enumerate(squares):
            hidden[blocker] = word_of(squares[i + 1 :])
    return hidden


BIT = np.array([1 << square for square in range(64)], np.uint64)
STANDS = np.array([0] * 64 + [1 << square for _ in range(10) for square in range(64)], np.uint64)
"""For each man, its square as a set; empty for no man."""

KING = np.array(steps(STRAIGHT + OBLIQUE), np.uint64)
ATTACKS = np.array(_attacks(), np.uint64)
"""For each man, the squares it attacks on an empty board."""

BEYOND = np.array([_beyond(square) for square in range(64)], np.uint64).ravel()
"""At square * 64 + blocker: what a man on `square` attacks no more because of the blocker. It never matters to a king,
knight or pawn."""

# -- symmetry ----------------------------------------------------------------------------------------------------------


def _turned(square, way):
    """The square after one of eight symmetries: bit 2 of `way` mirrors files, bit 1 ranks, bit 0 then swaps both."""
    file, rank = square % 8 ^ 7 * (way >> 2), square // 8 ^ 7 * (way >> 1 & 1)
    return file * 8 + rank if way & 1 else rank * 8 + file


def _way(king, rival, pawns):
    """The symmetry that brings my king to the triangle a1-d1-d4 (with pawns: to files a to d), and if it has a twin.

    With my king on the diagonal, theirs goes below it. With both on it, either side of it will do: that is the twin.
    """
    way = 4 if king % 8 > 3 else 0
    if pawns:
        return way, False
    way |= 2 if king // 8 > 3 else 0
    for square in (king, rival):
        image = _turned(square, way)
        if image % 8 != image // 8:
            return way | (image // 8 > image % 8), False
    return way, True


def _pairs(pawns):
    """At king * 64 + rival: 16 times the number of the pair of kings, 8 if there is a twin, the symmetry; or -1.

    Equivalent pairs have one number; kings side by side have none. Also returned: for each number, king * 64 + rival.
    """
    found = {}
    table = [-1] * 4096
    for king in range(64):
        for rival in range(64):
            if king != rival and not int(KING[king]) >> rival & 1:
                way, twin = _way(king, rival, pawns)
                number = found.setdefault((_turned(king, way), _turned(rival, way)), len(found))
                table[king * 64 + rival] = number * 16 + 8 * twin + way
    return table, [king * 64 + rival for king, rival in found]


_PIECES, _PIECES_BACK = _pairs(False)
_PAWNS, _PAWNS_BACK = _pairs(True)

PAIR_COUNTS = (len(_PIECES_BACK), len(_PAWNS_BACK))
"""How many pairs of kings there are up to symmetry, without pawns and with pawns."""

PAIRS = np.array(_PIECES + _PAWNS, np.int16)
"""The two tables of `_pairs`, the one with pawns behind the other."""

KINGS = np.array(_PIECES_BACK + _PAWNS_BACK, np.int16)
"""For each number of a pair of kings, king * 64 + rival, in the same order."""

TURNED = np.array([_turned(square, way) for way in range(8) for square in range(64)], np.int16)
"""At way * 64 + square: the square after that symmetry."""

# -- where two men can stand -------------------------------------------------------------------------------------------


def _places(kinds):
    """How many ways there are to place two men of these kinds; two of the same kind are not told apart."""
    ways = [1 if kind == 0 else 48 if kind % SIDE == 0 else 64 for kind in divmod(kinds, 11)]
    return ways[0] * (ways[0] - 1) // 2 if kinds % 12 == 0 and kinds else ways[0] * ways[1]


PLACES = np.array([_places(kinds) for kinds in range(121)], np.int64)
"""At 11 * kind + kind: how many ways there are to place these two men."""

WITH_PAWNS = np.array([any(kind and kind % SIDE == 0 for kind in divmod(kinds, 11)) for kinds in range(121)], np.int64)
"""At 11 * kind + kind: 1 if one of these two men is a pawn, else 0."""

COUPLES = np.array([high * 64 + low for high in range(64) for low in range(high)], np.int16)
"""Two different squares as 64 * high + low: number high * (high - 1) / 2 + low."""
