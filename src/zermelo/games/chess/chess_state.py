"""A chess position as bitboards, seen by the player to move.

Squares are numbered 0 (a1) to 63 (h8) for White; for Black the board is flipped vertically, so that the mover's pawns
always go up and each rule is written once.

    56 57 58 59 60 61 62 63      the far side: their pieces at the start, h8 is 63
     .  .  .
     8  9 10 11 12 13 14 15
     0  1  2  3  4  5  6  7      my side: my king starts on 4, e1

Queens are in two bitboards, that of the diagonal sliders and that of the orthogonal ones, as attacks need them.
"""

from typing import NamedTuple

import numpy as np

from zermelo.bits import bit, byte_swap, lsb, popcount
from zermelo.games.chess.chess_geometry import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

RANK_1 = 0xFF
RANK_3 = RANK_1 << 16
RANK_8 = RANK_1 << 56
NOT_FILE_A = 0xFEFEFEFEFEFEFEFE
NOT_FILE_H = 0x7F7F7F7F7F7F7F7F
DARK_SQUARES = 0xAA55AA55AA55AA55

A1_A8 = 1 | 1 << 56
"""The square a1 and its mirror image a8: where a piece of mine stands at the start, so does one of theirs."""

CORNERS = 0x81 * A1_A8
"""The home squares of the rooks: the castling rights in `State.rights`. Its other bit is the en passant square."""


class State(NamedTuple):
    mine: np.uint64  # the pieces of the player to move
    theirs: np.uint64
    pawns: np.uint64  # of both players, as are the next four
    knights: np.uint64
    diagonals: np.uint64  # bishops and queens
    straights: np.uint64  # rooks and queens
    kings: np.uint64
    rights: np.uint64  # the rooks that may still castle, and the en passant square where I can capture on it
    clock: int  # plies since a capture or a pawn move
    ply: int  # plies since the start: even where White is to move


def my_king(state):
    """Return the square of the mover's king."""
    return lsb(state.kings & state.mine)


def piece_type_at(state, square):
    """Return the type of the piece on a square; 0 if it is empty."""
    here = bit(square)
    if state.pawns & here:
        return PAWN
    if state.knights & here:
        return KNIGHT
    if state.diagonals & here:
        return QUEEN if state.straights & here else BISHOP
    if state.straights & here:
        return ROOK
    return KING if state.kings & here else 0


def flipped_board(mine, theirs, pawns, knights, diagonals, straights, kings, rights, clock, ply):
    """Return the position of these bitboards as the other player sees it: flipped vertically, the sides exchanged."""
    return State(
        byte_swap(theirs),
        byte_swap(mine),
        byte_swap(pawns),
        byte_swap(knights),
        byte_swap(diagonals),
        byte_swap(straights),
        byte_swap(kings),
        byte_swap(rights),
        clock,
        ply,
    )


def flipped(state):
    """Return the position as the other player sees it, who cannot capture en passant."""
    mine, theirs, pawns, knights, diagonals, straights, kings, rights, clock, ply = state
    return flipped_board(mine, theirs, pawns, knights, diagonals, straights, kings, rights & CORNERS, clock, ply)


def insufficient_material(state):
    """Return whether no sequence of moves can end in mate: bare kings, one minor piece, bishops on one colour."""
    if state.pawns | state.straights:
        return False
    if state.knights:
        return state.diagonals == 0 and popcount(state.knights) == 1
    return state.diagonals & DARK_SQUARES == 0 or state.diagonals & ~DARK_SQUARES == 0
