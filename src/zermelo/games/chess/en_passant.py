"""En passant captures in chess: the en passant square, and when a capture on it is legal.

The en passant square is the one that a pawn has just passed by its double step. It is part of a position only if a
capture there is legal, so that equal positions have equal states.
"""

from zermelo.bits import bit, ones, shift_left
from zermelo.games.chess.chess_attacks import attackers_to, their_pawn_attacks
from zermelo.games.chess.chess_geometry import PAWN
from zermelo.games.chess.chess_state import RANK_1, State, my_king

EP_RANK = RANK_1 << 40
"""The rank of the en passant square, seen by the player who captures."""


def can_capture_en_passant(state, from_square, ep_square):
    """Return whether my pawn may capture on the en passant square, a bitboard: my king is not in check after it."""
    occupied = (state.mine | state.theirs) & ~(bit(from_square) | shift_left(ep_square, -8)) | ep_square
    return attackers_to(state, my_king(state), occupied) & state.theirs == 0


def with_ep_square(state, ep_square):
    """Return the position with this en passant square, a bitboard, if I can capture there; else the same position."""
    mine, theirs, pawns, knights, diagonals, straights, kings, rights, clock, ply = state
    for from_square in ones(their_pawn_attacks(ep_square) & pawns & mine):
        if can_capture_en_passant(state, from_square, ep_square):
            return State(mine, theirs, pawns, knights, diagonals, straights, kings, rights | ep_square, clock, ply)
    return state


def is_en_passant(state, move):
    """Return whether a legal move captures en passant."""
    return move >> 12 == PAWN and bool(state.rights & EP_RANK & bit(move & 63))
