"""Castling in chess: the two moves, when they are legal, and where the rook goes."""

from zermelo.games.chess.chess_geometry import KING
from zermelo.games.chess.chess_state import RANK_1

CASTLE_SHORT, CASTLE_LONG = KING << 12 | 4 << 6 | 6, KING << 12 | 4 << 6 | 2
"""The moves of the king, e1-g1 and e1-c1."""

ROOK_OF_LETTER = {"K": 7, "Q": 0, "k": 63, "q": 56}
"""The home square of the rook that a letter of a FEN's castling field stands for."""


def can_castle_short(state, occupied, attacked):
    """Return whether f1 and g1 are empty, none of e1, f1, g1 is attacked, and the right is left."""
    return state.rights & 0x80 != 0 and occupied & 0x60 == 0 and attacked & 0x70 == 0


def can_castle_long(state, occupied, attacked):
    """Return whether b1, c1 and d1 are empty, none of c1, d1, e1 is attacked, and the right is left."""
    return state.rights & 0x01 != 0 and occupied & 0x0E == 0 and attacked & 0x1C == 0


def is_castling(state, move):
    """Return whether a legal move castles."""
    return move in (CASTLE_SHORT, CASTLE_LONG) and state.rights & RANK_1 != 0


def castling_rook(move):
    """Return the two squares of the rook, before and after a castling move, as a bitboard."""
    return 0xA0 if move == CASTLE_SHORT else 0x09
