"""The index of a chess endgame position: kings up to symmetry, then the squares of the other pieces, and back."""

from zermelo.games.chess.chess_geometry import PAWN
from zermelo.games.chess_endgame.endgame_position import State
from zermelo.games.chess_endgame.endgame_tables import (
    HAS_PAWNS,
    KING_PAIR,
    KING_PAIR_COUNTS,
    KING_PAIR_SQUARES,
    PLACEMENTS,
    SIDE_OFFSET,
    SQUARE_PAIRS,
    TRANSFORMED,
)

EP_KINDS = 11 * (PAWN + SIDE_OFFSET) + PAWN
"""The kinds with which en passant captures occur: a pawn of theirs and one of mine."""


def half_size(kinds):
    """Return how many indices the positions with pieces of these kinds and one side to move take."""
    return KING_PAIR_COUNTS[int(HAS_PAWNS[kinds])] * int(PLACEMENTS[kinds])


def king_pair(state, kinds):
    """Return the entry of KING_PAIR for this position, whose pieces are of these kinds."""
    return int(KING_PAIR[int(HAS_PAWNS[kinds]) * 4096 + state.king * 64 + state.rival])


def placement_index(first, second, symmetry):
    """Return the index of the squares of two pieces after one of the board's symmetries."""
    one, two = square_index(first, symmetry), square_index(second, symmetry)
    if first // 64 != second // 64:
        return one * ((48 if second // 64 % SIDE_OFFSET == 0 else 64) if second else 1) + two
    if one < two:
        one, two = two, one
    return one * (one - 1) // 2 + two if first else 0


def square_index(piece, symmetry):
    """Return a piece's square after a symmetry, counted from 0; pawns have 48 squares."""
    if piece == 0:
        return 0
    return int(TRANSFORMED[symmetry * 64 + piece % 64]) - (8 if piece // 64 % SIDE_OFFSET == 0 else 0)


def pieces_at(kinds, index):
    """Return the two pieces of these kinds with this index: the inverse of `placement_index`."""
    first, second = kinds // 11, kinds % 11
    ways = (48 if second % SIDE_OFFSET == 0 else 64) if second else 1
    one, two = index // ways, index % ways
    if first == second:
        pair = int(SQUARE_PAIRS[index])
        one, two = pair // 64, pair % 64
    return piece_at_index(first, one), piece_at_index(second, two)


def piece_at_index(kind, index):
    """Return the piece of this kind whose square has this index: the inverse of `square_index`."""
    return kind * 64 + index + (8 if kind % SIDE_OFFSET == 0 else 0) if kind else 0


def ep_index(state, pair):
    """Return the index of a position with an en passant capture: the kings, my pawn's file, and the side of theirs."""
    symmetry = pair % 8
    mine = int(TRANSFORMED[symmetry * 64 + state.second % 64]) % 8
    theirs = int(TRANSFORMED[symmetry * 64 + state.first % 64]) % 8
    return pair // 16 * 16 + 2 * mine + (theirs > mine)


def ep_position_at(index):
    """Return the position with this index: the inverse of `ep_index`."""
    kings = int(KING_PAIR_SQUARES[KING_PAIR_COUNTS[0] + index // 16])
    mine = 32 + index % 16 // 2
    theirs = mine + 1 if index % 2 else mine - 1
    return State(0, kings // 64, kings % 64, (PAWN + SIDE_OFFSET) * 64 + theirs, PAWN * 64 + mine, 1)


def transformed(state, symmetry):
    """Return the position after one of the board's symmetries."""
    first, second = transformed_piece(state.first, symmetry), transformed_piece(state.second, symmetry)
    if first < second:
        first, second = second, first
    king, rival = int(TRANSFORMED[symmetry * 64 + state.king]), int(TRANSFORMED[symmetry * 64 + state.rival])
    return State(state.player, king, rival, first, second, state.passant)


def transformed_piece(piece, symmetry):
    """Return a piece after a symmetry."""
    return piece - piece % 64 + int(TRANSFORMED[symmetry * 64 + piece % 64]) if piece else 0
