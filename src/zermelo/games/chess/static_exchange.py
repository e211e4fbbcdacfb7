"""Static exchange evaluation (SEE) in chess: whether a capture loses material once every recapture is counted."""

import numpy as np

from zermelo.bits import bit, lsb
from zermelo.games.chess.chess_attacks import attackers_to, bishop_attacks, rook_attacks
from zermelo.games.chess.chess_geometry import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from zermelo.games.chess.chess_state import piece_type_at

PIECE_VALUES = np.array([0, 950, 500, 330, 320, 100, 10_000], np.int64)
"""The value of each piece type in an exchange, in hundredths of a pawn."""


def see_nonnegative(state, move):
    """Return whether a capture loses nothing if both players then recapture while it pays.

    Each recapture is made by the least valuable attacker. Sliders behind a capturing piece join in (x-ray attackers).
    """
    to_square, from_square = move & 63, move >> 6 & 63
    captured, capturing = piece_type_at(state, to_square), piece_type_at(state, from_square)
    balance = int(PIECE_VALUES[captured] - PIECE_VALUES[capturing])  # if the capturing piece is lost
    occupied = (state.mine | state.theirs) & ~bit(from_square)
    attackers = attackers_to(state, to_square, occupied)
    my_turn = False  # to recapture
    while balance < 0:
        own = attackers & (state.mine if my_turn else state.theirs)
        if own == 0:
            break
        kind, attacker = least_valuable_attacker(state, own)
        occupied &= ~attacker
        attackers |= bishop_attacks(to_square, occupied) & state.diagonals
        attackers |= rook_attacks(to_square, occupied) & state.straights
        attackers &= occupied
        if kind == KING and attackers & (state.theirs if my_turn else state.mine):
            break  # a king may not capture a protected piece
        my_turn = not my_turn
        balance = -1 - balance - int(PIECE_VALUES[kind])
    return not my_turn


def least_valuable_attacker(state, attackers):
    """Return the type of the least valuable of these pieces, and the square of one of them as a bitboard."""
    kind, found = KING, attackers
    if attackers & state.pawns:
        kind, found = PAWN, attackers & state.pawns
    elif attackers & state.knights:
        kind, found = KNIGHT, attackers & state.knights
    elif attackers & state.diagonals & ~state.straights:
        kind, found = BISHOP, attackers & state.diagonals & ~state.straights
    elif attackers & state.straights & ~state.diagonals:
        kind, found = ROOK, attackers & state.straights & ~state.diagonals
    elif attackers & state.straights:
        kind, found = QUEEN, attackers & state.straights
    return kind, bit(lsb(found))
