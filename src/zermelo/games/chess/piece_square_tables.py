"""Piece-square tables of chess: what a piece gains by standing on a square, in hundredths of a pawn."""

import numpy as np

from zermelo.bits import ones
from zermelo.games.chess.chess_geometry import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

# From the first rank of the player to the last; the files a to d, which those from h to e mirror.

_MIDDLEGAME = {
    QUEEN: (
           9,  -15,  -13,   -8,
           6,    2,   -3,  -11,
          -3,   -1,   -4,   -8,
          -8,   -2,    4,   -3,
          23,  -13,   -1,    1,
          11,    8,    8,   12,
           9,   -3,    2,    4,
         -10,   -7,   -1,    7,
    ),
    ROOK: (
         -13,  -16,   -1,    7,
         -23,   -4,   10,   -4,
          -3,   -4,    6,    5,
         -23,    5,   -8,    1,
          -3,   -7,    1,   11,
          -8,    3,    6,    9,
          11,   22,   18,   27,
          -2,   -4,    3,    5,
    ),
    BISHOP: (
         -20,  -15,  -13,  -20,
          -6,   17,    7,   -9,
           2,    7,    8,   -1,
           3,   -1,   12,   31,
          -6,    5,   13,   14,
          -8,   -5,    0,   12,
         -23,  -11,  -13,    1,
         -19,  -10,   -8,   -4,
    ),
    KNIGHT: (
         -34,  -29,  -26,  -10,
         -15,   -6,   -3,   -7,
         -11,  -13,   -3,    4,
          -3,    2,   20,   21,
          -4,   -2,   21,   26,
          -7,    5,   14,   25,
         -23,  -10,   -9,    1,
         -33,  -19,  -12,   -9,
    ),
    PAWN: (
           0,    0,    0,    0,
         -14,   10,    5,   -4,
         -16,    3,    3,    4,
          -4,   -8,   11,   18,
          10,    2,   12,    6,
          20,   21,   16,    7,
          26,   19,   23,   22,
           0,    0,    0,    0,
    ),
    KING: (
          33,   24,   -2,   -8,
          20,   12,  -27,  -46,
         -26,  -18,  -36,  -54,
         -49,  -39,  -63,  -79,
         -49,  -38,  -64,  -83,
         -50,  -41,  -64,  -82,
         -49,  -42,  -64,  -80,
         -50,  -39,  -65,  -82,
    ),
}  # fmt: skip

_ENDGAME = {
    QUEEN: (
         -11,  -15,  -12,  -22,
          -6,   -2,    2,   -3,
          -6,   -1,    3,    5,
          -5,    9,   13,   17,
           5,    5,    7,   21,
          -3,    5,   12,   15,
         -10,    1,    1,   11,
         -17,  -12,   -2,    4,
    ),
    ROOK: (
         -20,    2,   -4,   -9,
          -6,    1,    1,   -4,
          -8,   -1,    3,    0,
          -4,    5,    1,    5,
          13,    7,    5,    6,
           0,    6,    8,    4,
          10,   13,   17,   10,
           8,    2,    2,    4,
    ),
    BISHOP: (
          -7,   -8,    1,   -3,
           1,   -9,    2,   10,
          -1,    3,    4,    3,
           5,   10,   12,   15,
          -2,    3,   14,   19,
          -4,   -7,    4,   15,
         -10,   -9,   -9,   -1,
         -12,  -14,   -1,    0,
    ),
    KNIGHT: (
         -14,  -11,  -12,    4,
         -12,    0,    2,    8,
          -8,   -7,   -1,   12,
          -2,    9,   18,   20,
           3,   -2,    0,   31,
          -2,   -3,   11,    2,
         -13,    1,  -10,    4,
         -11,   -9,   -6,   -6,
    ),
    PAWN: (
           0,    0,    0,    0,
           9,   12,    5,    7,
          -5,   -5,    5,   -4,
           3,    6,    5,  -17,
           4,   31,   11,   15,
          10,   26,   41,   26,
          43,   48,   55,   32,
           0,    0,    0,    0,
    ),
    KING: (
         -17,  -23,  -26,  -12,
         -10,   -8,    0,    0,
          -7,    7,   15,   17,
           5,   16,   13,   24,
           2,   14,   18,   12,
         -12,    8,    5,   13,
         -14,   -9,    2,   11,
         -25,  -12,  -11,    2,
    ),
}  # fmt: skip


def _table(bonuses):
    """Return a table by piece type * 64 + square; no piece has type 0."""
    table = np.zeros((7, 8, 8), np.int64)
    for kind, halves in bonuses.items():
        half = np.array(halves).reshape(8, 4)
        table[kind] = np.hstack([half, half[:, ::-1]])
    return table.ravel()


MIDDLEGAME_TABLE, ENDGAME_TABLE = _table(_MIDDLEGAME), _table(_ENDGAME)
"""At piece type * 64 + square: the bonus of a piece there."""


def piece_square_bonus(pieces, kind):
    """Return the sum of the bonuses of these pieces of one type, in the middlegame and in the endgame."""
    middlegame, endgame = 0, 0
    for square in ones(pieces):
        middlegame += int(MIDDLEGAME_TABLE[kind * 64 + square])
        endgame += int(ENDGAME_TABLE[kind * 64 + square])
    return middlegame, endgame
