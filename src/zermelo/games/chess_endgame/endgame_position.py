"""A chess position of at most four pieces: attacks, moves and legality, seen by the player to move.

The mover's pawns go up; `endgame_tables` says how squares and pieces are numbered.
"""

from typing import NamedTuple

from zermelo.games.chess.chess_geometry import PAWN
from zermelo.games.chess_endgame.endgame_tables import (
    ATTACKS,
    BLOCKED,
    KING_REACH,
    PIECE_BIT,
    SIDE_OFFSET,
    SQUARE_BIT,
    THEIRS,
)


class State(NamedTuple):
    player: int  # to move: 0 is White, 1 is Black
    king: int  # the square of that player's king
    rival: int  # the square of the other king
    first: int  # the other pieces, the larger number first; 0 is no piece
    second: int
    passant: int  # 1 if their pawn has just made its double step and mine can capture it en passant


# -- attacks -----------------------------------------------------------------------------------------------------------


def attacked_squares(piece, king, rival, other):
    """Return the squares that a piece attacks, blocked by both kings and the other piece."""
    row = piece % 64 * 64
    blocked = BLOCKED[row + king] | BLOCKED[row + rival]
    if other:
        blocked |= BLOCKED[row + other % 64]
    return ATTACKS[piece] & ~blocked


def in_check(king, rival, first, second):
    """Return whether a piece of theirs attacks my king."""
    return (first >= THEIRS and attacks(first, king, rival, second)) or (
        second >= THEIRS and attacks(second, king, rival, first)
    )


def gives_check(king, rival, first, second):
    """Return whether a piece of mine attacks their king, which is illegal with me to move."""
    return (0 < first < THEIRS and attacks(first, rival, king, second)) or (
        0 < second < THEIRS and attacks(second, rival, king, first)
    )


def attacks(piece, square, king, other):
    """Return whether a piece attacks the square; a king and the other piece, if there is one, may block it."""
    if not ATTACKS[piece] & SQUARE_BIT[square]:
        return False
    row = piece % 64 * 64
    target = SQUARE_BIT[square]
    return not BLOCKED[row + king] & target and not (other and BLOCKED[row + other % 64] & target)


# -- moves -------------------------------------------------------------------------------------------------------------


def piece_after(piece, kind, from_square, to_square, captured):
    """Return a piece after a move: moved, promoted to `kind`, captured (0), or unchanged."""
    if piece == 0 or piece % 64 == captured:
        return 0
    if piece % 64 == from_square:
        return (kind * 64 if kind else piece - from_square) + to_square
    return piece


def moved(state, move):
    """Return both kings and both pieces after a move, before the board is flipped."""
    kind, from_square, to_square = move >> 12, move >> 6 & 63, move & 63
    captured = to_square
    if state.passant and from_square == state.second % 64 and (to_square - from_square) % 8:
        captured = state.first % 64
    king = to_square if from_square == state.king else state.king
    first = piece_after(state.first, kind, from_square, to_square, captured)
    second = piece_after(state.second, kind, from_square, to_square, captured)
    return king, state.rival, first, second


def is_safe(state, move):
    """Return whether a move leaves my king out of check."""
    king, rival, first, second = moved(state, move)
    return not in_check(king, rival, first, second)


def flipped(player, king, rival, first, second):
    """Return the position as `player`, the other side, sees it: sides exchanged, the board flipped vertically."""
    one, two = other_side(first), other_side(second)
    if one < two:
        one, two = two, one
    return State(player, rival ^ 56, king ^ 56, one, two, 0)


def other_side(piece):
    """Return the piece as the other side sees it."""
    if piece == 0:
        return 0
    return (piece ^ 56) - SIDE_OFFSET * 64 if piece >= THEIRS else (piece ^ 56) + SIDE_OFFSET * 64


def pseudo_legal_targets(state, piece, other):
    """Return the squares to which a piece of mine can go if check is ignored; they may include my own pieces."""
    if piece // 64 != PAWN:
        return attacked_squares(piece, state.king, state.rival, other)
    occupied = SQUARE_BIT[state.king] | SQUARE_BIT[state.rival] | PIECE_BIT[other]
    found = SQUARE_BIT[piece % 64 + 8] & ~occupied
    if found and piece % 64 < 16:
        found |= SQUARE_BIT[piece % 64 + 16] & ~occupied
    if other >= THEIRS:
        found |= ATTACKS[piece] & PIECE_BIT[other]
    if state.passant:
        found |= SQUARE_BIT[other % 64 + 8]
    return found


def unmove_sources(state, piece, other):
    """Return the squares from which a piece of theirs may have come without a capture; they may be occupied."""
    if piece // 64 != PAWN + SIDE_OFFSET:
        return attacked_squares(piece, state.king, state.rival, other)
    square = piece % 64
    found = PIECE_BIT[0]
    if square < 48 and not state.passant:
        found |= SQUARE_BIT[square + 8]
    occupied = SQUARE_BIT[state.king] | SQUARE_BIT[state.rival] | PIECE_BIT[other]
    if square // 8 == 4 and ep_possible(state) == state.passant and not SQUARE_BIT[square + 8] & occupied:
        found |= SQUARE_BIT[square + 16]
    return found


def ep_possible(state):
    """Return whether their pawn may have made its double step and mine can capture it en passant.

    The capture leaves a bare king: nothing can pin my pawn, so it is always legal.
    """
    theirs, mine = state.first % 64, state.second % 64
    if state.first // 64 != PAWN + SIDE_OFFSET or state.second // 64 != PAWN:
        return False
    if theirs // 8 != 4 or mine // 8 != 4 or abs(theirs - mine) != 1:
        return False
    kings = SQUARE_BIT[state.king] | SQUARE_BIT[state.rival]
    return not kings & (SQUARE_BIT[theirs + 8] | SQUARE_BIT[theirs + 16])


def with_ep(state):
    """Return the same position with the en passant capture available."""
    return State(state.player, state.king, state.rival, state.first, state.second, 1)


# -- legality ----------------------------------------------------------------------------------------------------------


def is_legal(state):
    """Return whether pieces have squares of their own, pawns are off the end ranks, and their king is not in check."""
    king, rival, first, second = state.king, state.rival, state.first, state.second
    if king == rival or KING_REACH[king] & SQUARE_BIT[rival] or (state.passant and not ep_possible(state)):
        return False
    if not (can_stand(first, king, rival) and can_stand(second, king, rival)):
        return False
    return not (second and first % 64 == second % 64) and not gives_check(king, rival, first, second)


def can_stand(piece, king, rival):
    """Return whether a piece, or no piece, may stand on its square beside these kings."""
    square = piece % 64
    if piece // 64 % SIDE_OFFSET == 0 and piece and not 8 <= square < 56:
        return False
    return piece == 0 or (square != king and square != rival)
