"""The index of a chess endgame position: kings up to symmetry, then the squares of the other pieces, and back.

*Kinds* is one number for the kinds of the three pieces that are not kings: 121 * kind + 11 * kind + kind.
"""

from zermelo.games.chess.chess_geometry import PAWN
from zermelo.games.chess_endgame.endgame_position import State, in_order
from zermelo.games.chess_endgame.endgame_tables import (
    ATTACKS,
    EP_PLACEMENTS,
    HAS_PAWNS,
    KING_PAIR,
    KING_PAIR_COUNTS,
    KING_PAIR_SQUARES,
    LIKENESS,
    PAIRS,
    PLACEMENTS,
    PLACES,
    SIDE_OFFSET,
    SQUARE_BIT,
    TRANSFORMED,
    TRIPLES,
    WAYS,
)


def kinds_of(state):
    """Return the kinds of a position's pieces."""
    return (state.first >> 6) * 121 + (state.second >> 6) * 11 + (state.third >> 6)


def king_pair(state, kinds):
    """Return the entry of KING_PAIR for this position, whose pieces are of these kinds."""
    return int(KING_PAIR[int(HAS_PAWNS[kinds]) * 4096 + state.king * 64 + state.rival])


# -- placements --------------------------------------------------------------------------------------------------------


def placement_index(state, kinds, symmetry):
    """Return the index of the squares of three pieces after one of the board's symmetries."""
    row = symmetry * 704
    one, two, three = int(PLACES[row + state.first]), int(PLACES[row + state.second]), int(PLACES[row + state.third])
    likeness = LIKENESS[kinds]
    if likeness == 0:
        return (one * int(WAYS[state.second >> 6]) + two) * int(WAYS[state.third >> 6]) + three
    if likeness == 1:
        return pair_index(one, two) * int(WAYS[state.third >> 6]) + three
    if likeness == 2:
        ways = int(WAYS[state.second >> 6])
        return one * (ways * (ways - 1) // 2) + pair_index(two, three)
    high, middle, low = in_order(one, two, three)
    return high * (high - 1) * (high - 2) // 6 + pair_index(middle, low)


def pair_index(one, two):
    """Return the number of two different squares in any order."""
    high, low = max(one, two), min(one, two)
    return high * (high - 1) // 2 + low


def pieces_at(kinds, index):
    """Return the three pieces of these kinds with this index: the inverse of `placement_index`."""
    first, second, third = kinds // 121, kinds // 11 % 11, kinds % 11
    likeness = LIKENESS[kinds]
    if likeness == 3:
        squares = int(TRIPLES[index])
        one, two, three = squares >> 12, squares >> 6 & 63, squares & 63
    elif likeness == 2:
        ways = int(WAYS[second])
        pairs = ways * (ways - 1) // 2
        pair = int(PAIRS[index % pairs])
        one, two, three = index // pairs, pair >> 6, pair & 63
    else:
        ways = int(WAYS[third])
        rest, three = index // ways, index % ways
        if likeness == 1:
            pair = int(PAIRS[rest])
            one, two = pair >> 6, pair & 63
        else:
            one, two = rest // int(WAYS[second]), rest % int(WAYS[second])
    return piece_at(first, one), piece_at(second, two), piece_at(third, three)


def piece_at(kind, place):
    """Return the piece of this kind at a place, its square counted from 0; pawns begin on the second rank."""
    return (kind << 6) + place + (8 if kind % SIDE_OFFSET == 0 else 0) if kind else 0


def position_at(player, kinds, index):
    """Return the position of these kinds with this index, without an en passant capture."""
    places = int(PLACEMENTS[kinds])
    kings = int(KING_PAIR_SQUARES[index // places + int(HAS_PAWNS[kinds]) * KING_PAIR_COUNTS[0]])
    first, second, third = pieces_at(kinds, index % places)
    return State(player, kings >> 6, kings & 63, first, second, third, 0)


# -- en passant --------------------------------------------------------------------------------------------------------


def ep_index(state, kinds, pair):
    """Return the index of a position with an en passant capture: the kings, my pawn, side of theirs, other piece.

    Where two pawns can capture, it is the lower of two indices.
    """
    places = int(EP_PLACEMENTS[kinds])
    best = places
    for pawn, one, two in (
        (state.first, state.second, state.third),
        (state.second, state.first, state.third),
        (state.third, state.first, state.second),
    ):
        if pawn >> 6 == PAWN and ATTACKS[pawn] & SQUARE_BIT[state.passant]:
            theirs = ((PAWN + SIDE_OFFSET) << 6) + state.passant - 8
            best = min(best, ep_placement(pawn, theirs, two if one == theirs else one, pair & 7, places))
    return (pair >> 4) * places + best


def ep_placement(mine, theirs, other, symmetry, places):
    """Return the index of a pawn that captures, one that is captured, and the other piece, if there is one."""
    file = int(TRANSFORMED[symmetry * 64 + (mine & 63)]) & 7
    their_file = int(TRANSFORMED[symmetry * 64 + (theirs & 63)]) & 7
    return (2 * file + (their_file > file)) * (places >> 4) + int(PLACES[symmetry * 704 + other])


def ep_position_at(player, kinds, index):
    """Return the position with this index: the inverse of `ep_index`."""
    places = int(EP_PLACEMENTS[kinds])
    kings = int(KING_PAIR_SQUARES[KING_PAIR_COUNTS[0] + index // places])
    pawns, place = index % places // (places >> 4), index % (places >> 4)
    mine = (PAWN << 6) + 32 + (pawns >> 1)
    theirs = ((PAWN + SIDE_OFFSET) << 6) + 32 + (pawns >> 1) + (1 if pawns & 1 else -1)
    other = kinds // 121 + kinds // 11 % 11 + kinds % 11 - 2 * PAWN - SIDE_OFFSET
    first, second, third = in_order(mine, theirs, piece_at(other, place))
    return State(player, kings >> 6, kings & 63, first, second, third, (theirs & 63) + 8)


# -- symmetry ----------------------------------------------------------------------------------------------------------


def transformed(state, symmetry):
    """Return the position after one of the board's symmetries."""
    row = symmetry * 64
    first, second, third = in_order(
        transformed_piece(state.first, row), transformed_piece(state.second, row), transformed_piece(state.third, row)
    )
    passant = int(TRANSFORMED[row + state.passant]) if state.passant else 0
    king, rival = int(TRANSFORMED[row + state.king]), int(TRANSFORMED[row + state.rival])
    return State(state.player, king, rival, first, second, third, passant)


def transformed_piece(piece, row):
    """Return a piece after the symmetry whose squares begin at a row of TRANSFORMED."""
    return piece - (piece & 63) + int(TRANSFORMED[row + (piece & 63)]) if piece else 0
