"""Piece-square tables of chess: what a piece gains by standing on a square, in hundredths of a pawn."""

import numpy as np

from zermelo.bits import ones
from zermelo.games.chess.chess_geometry import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK


def _centrality(square):
    """Return how near a square is to the centre: 0 in the corners, 6 on d4, e4, d5 and e5."""
    return 7 - (abs(2 * (square % 8) - 7) + abs(2 * (square // 8) - 7)) // 2


def _middlegame(kind, square):
    file, rank, centre = square % 8, square // 8, _centrality(square)
    inner = min(file, 7 - file)  # 0 at the edge, 3 on the files d and e
    if kind == PAWN:
        return 4 * (rank - 1) + (5 * inner - 8 if rank in (2, 3, 4) else 0) - (14 if rank == 1 and inner == 3 else 0)
    if kind == KNIGHT:
        return 7 * centre - 26 - (8 if rank == 0 else 0) + (6 if rank in (4, 5) else 0)
    if kind == BISHOP:
        return 4 * centre - 12 - (8 if rank == 0 else 0)
    if kind == ROOK:
        return 4 * inner - 6 + (18 if rank == 6 else 0)
    if kind == QUEEN:
        return centre - 3
    return (24, 32, 18, -8)[inner] - 8 * (file == 2) - 24 * min(rank, 3)


def _endgame(kind, square):
    rank, centre = square // 8, _centrality(square)
    if kind == PAWN:
        return 2 * (rank - 1) * (rank - 1)
    if kind == ROOK:
        return 10 if rank == 6 else 0
    return {KNIGHT: 6, BISHOP: 4, QUEEN: 6, KING: 9}[kind] * (centre - 3)


def _table(bonus):
    return np.array([0] * 64 + [bonus(kind, square) for kind in range(1, 7) for square in range(64)], np.int64)


MIDDLEGAME_TABLE, ENDGAME_TABLE = _table(_middlegame), _table(_endgame)
"""At piece type * 64 + square: the bonus of a piece there."""


def piece_square_bonus(pieces, kind):
    """Return the sum of the bonuses of these pieces of one type, in the middlegame and in the endgame."""
    middlegame, endgame = 0, 0
    for square in ones(pieces):
        middlegame += int(MIDDLEGAME_TABLE[kind * 64 + square])
        endgame += int(ENDGAME_TABLE[kind * 64 + square])
    return middlegame, endgame
