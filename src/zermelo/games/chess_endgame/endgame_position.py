"""A chess position of at most five pieces: attacks, moves, un-moves and legality, seen by the player to move.

The mover's pawns go up; `endgame_tables` says how squares and pieces are numbered.
"""

from typing import NamedTuple

from zermelo.games.chess.chess_geometry import PAWN
from zermelo.games.chess_endgame.endgame_tables import (
    ATTACKS,
    BETWEEN,
    BLOCKED,
    KING_REACH,
    PIECE_BIT,
    PLACES,
    SIDE_OFFSET,
    SQUARE_BIT,
    THEIRS,
)


class State(NamedTuple):
    player: int  # to move: 0 is White, 1 is Black
    king: int  # the square of that player's king
    rival: int  # the square of the other king
    first: int  # the other pieces, larger numbers first; 0 is no piece
    second: int
    third: int
    passant: int  # the square on which a pawn of mine can capture en passant; 0 if none can


def in_order(one, two, three):
    """Return three numbers, the largest first."""
    high, low = max(one, two), min(one, two)
    return max(high, three), max(low, min(high, three)), min(low, three)


def occupied_squares(state):
    """Return the squares of all pieces."""
    kings = SQUARE_BIT[state.king] | SQUARE_BIT[state.rival]
    return kings | PIECE_BIT[state.first] | PIECE_BIT[state.second] | PIECE_BIT[state.third]


def own_squares(state):
    """Return the squares of my pieces."""
    own = SQUARE_BIT[state.king]
    for piece in (state.first, state.second, state.third):
        if piece < THEIRS:
            own |= PIECE_BIT[piece]
    return own


# -- attacks -----------------------------------------------------------------------------------------------------------


def attacked_squares(piece, blocker, one, two):
    """Return the squares that a piece attacks, blocked by the piece on one square and two others, if there are such."""
    row = (piece & 63) << 6
    blocked = BLOCKED[row + blocker]
    if one:
        blocked |= BLOCKED[row + (one & 63)]
    if two:
        blocked |= BLOCKED[row + (two & 63)]
    return ATTACKS[piece] & ~blocked


def attacks(piece, square, occupied):
    """Return whether a piece attacks the square, with these squares occupied."""
    if not ATTACKS[piece] & SQUARE_BIT[square]:
        return False
    return not BETWEEN[((piece & 63) << 6) + square] & occupied


def in_check(king, rival, first, second, third):
    """Return whether a piece of theirs attacks my king."""
    occupied = SQUARE_BIT[rival] | PIECE_BIT[first] | PIECE_BIT[second] | PIECE_BIT[third]
    found = False
    for piece in (first, second, third):
        found |= piece >= THEIRS and attacks(piece, king, occupied)
    return found


def screen(king, piece, occupied):
    """Return where something must stand, or capture, so that a piece does not attack my king: anywhere if it does not.

    `occupied` are the squares of the pieces that stay.
    """
    if piece < THEIRS or not ATTACKS[piece] & SQUARE_BIT[king]:
        return ~PIECE_BIT[0]
    between = BETWEEN[((piece & 63) << 6) + king]
    return ~PIECE_BIT[0] if between & occupied else between | PIECE_BIT[piece]


# -- moves -------------------------------------------------------------------------------------------------------------


def king_targets(state, own):
    """Return the squares to which my king can go; it does not shield a square behind it."""
    attacked = KING_REACH[state.rival] | own
    for piece, one, two in (
        (state.first, state.second, state.third),
        (state.second, state.first, state.third),
        (state.third, state.first, state.second),
    ):
        if piece >= THEIRS:
            attacked |= attacked_squares(piece, state.rival, one, two)
    return KING_REACH[state.king] & ~attacked


def targets(state, piece, one, two, occupied, own):
    """Return the squares to which a piece of mine can go, the other two being these."""
    if piece >> 6 == PAWN:
        found = pawn_targets(state, piece, occupied, own)
    else:
        found = attacked_squares(piece, state.king, one, two) & ~(own | BLOCKED[((piece & 63) << 6) + state.rival])
    others = occupied ^ PIECE_BIT[piece]
    found &= screen(state.king, one, others) & screen(state.king, two, others)
    if state.passant and piece >> 6 == PAWN and captures_ep(state, piece, state.passant):
        found |= SQUARE_BIT[state.passant]
    return found


def pawn_targets(state, pawn, occupied, own):
    """Return the squares to which a pawn of mine can go if check is ignored, without captures en passant."""
    found = SQUARE_BIT[(pawn & 63) + 8] & ~occupied
    if found and pawn & 63 < 16:
        found |= SQUARE_BIT[(pawn & 63) + 16] & ~occupied
    return found | ATTACKS[pawn] & occupied & ~(own | SQUARE_BIT[state.rival])


def piece_after(piece, kind, from_square, to_square, captured):
    """Return a piece after a move: moved, promoted to `kind`, captured (0), or unchanged."""
    if piece == 0 or piece & 63 == captured:
        return 0
    if piece & 63 == from_square:
        return (kind << 6 if kind else piece - from_square) + to_square
    return piece


def has_piece(state, piece):
    """Return whether the position has this piece."""
    return piece == state.first or piece == state.second or piece == state.third


def moved(state, move):
    """Return my king and the three pieces after a move, before the board is flipped."""
    kind, from_square, to_square = move >> 12, move >> 6 & 63, move & 63
    captured = to_square
    if state.passant == to_square and state.passant and has_piece(state, (PAWN << 6) + from_square):
        captured = to_square - 8
    return (
        to_square if from_square == state.king else state.king,
        piece_after(state.first, kind, from_square, to_square, captured),
        piece_after(state.second, kind, from_square, to_square, captured),
        piece_after(state.third, kind, from_square, to_square, captured),
    )


def flipped(player, king, rival, first, second, third):
    """Return the position as `player`, the other side, sees it: sides exchanged, the board flipped vertically."""
    one, two, three = in_order(other_side(first), other_side(second), other_side(third))
    return State(player, rival ^ 56, king ^ 56, one, two, three, 0)


def other_side(piece):
    """Return the piece as the other side sees it."""
    if piece == 0:
        return 0
    return (piece ^ 56) - SIDE_OFFSET * 64 if piece >= THEIRS else (piece ^ 56) + SIDE_OFFSET * 64


# -- en passant --------------------------------------------------------------------------------------------------------


def captures_ep(state, pawn, target):
    """Return whether a pawn of mine can capture the pawn below the target en passant, and my king is safe then."""
    if not ATTACKS[pawn] & SQUARE_BIT[target]:
        return False
    from_square, captured = pawn & 63, target - 8
    return not in_check(
        state.king,
        state.rival,
        piece_after(state.first, 0, from_square, target, captured),
        piece_after(state.second, 0, from_square, target, captured),
        piece_after(state.third, 0, from_square, target, captured),
    )


def ep_possible(state, target, occupied):
    """Return whether their pawn may just have made its double step over the target, and mine can capture it."""
    if (SQUARE_BIT[target] | SQUARE_BIT[target + 8]) & occupied:
        return False
    for pawn in (state.first, state.second, state.third):
        if pawn >> 6 == PAWN and captures_ep(state, pawn, target):
            return True
    return False


def ep_targets(state):
    """Return the squares on which a pawn of mine could capture, if theirs had just made a double step."""
    found = PIECE_BIT[0]
    occupied = occupied_squares(state)
    for pawn in (state.first, state.second, state.third):
        if pawn >> 3 == ((PAWN + SIDE_OFFSET) << 3) + 4 and ep_possible(state, (pawn & 63) + 8, occupied):
            found |= SQUARE_BIT[(pawn & 63) + 8]
    return found


def with_ep(state, target):
    """Return the same position with an en passant capture on the target."""
    return State(state.player, state.king, state.rival, state.first, state.second, state.third, target)


# -- un-moves ----------------------------------------------------------------------------------------------------------


def king_sources(state, occupied):
    """Return the squares from which their king may have come, with my king out of check then."""
    others = occupied ^ SQUARE_BIT[state.rival]
    found = KING_REACH[state.rival] & ~(KING_REACH[state.king] | occupied)
    for piece in (state.first, state.second, state.third):
        found &= screen(state.king, piece, others)
    return found


def sources(state, piece, one, two, occupied):
    """Return the squares from which a piece of theirs may have come without a capture, the other two being these."""
    others = occupied ^ PIECE_BIT[piece]
    found = screen(state.king, one, others) & screen(state.king, two, others) & ~occupied
    if piece >> 6 == PAWN + SIDE_OFFSET:
        return found & pawn_sources(state, piece, occupied) & ~ATTACKS[(PAWN << 6) + state.king]
    if state.passant:
        return PIECE_BIT[0]
    kings = BLOCKED[((piece & 63) << 6) + state.king]
    checking = attacked_squares(piece - (piece & 63) + state.king, state.rival, one, two)
    return found & attacked_squares(piece, state.rival, one, two) & ~(kings | checking)


def pawn_sources(state, pawn, occupied):
    """Return the squares from which a pawn of theirs may have come by a step or a double step."""
    square = pawn & 63
    found = PIECE_BIT[0]
    if square < 48 and not state.passant:
        found |= SQUARE_BIT[square + 8]
    if square >> 3 == 4 and not SQUARE_BIT[square + 8] & occupied:
        capturable = ep_possible(state, square + 8, occupied)
        if state.passant == square + 8 or not (state.passant or capturable):
            found |= SQUARE_BIT[square + 16]
    return found


# -- legality ----------------------------------------------------------------------------------------------------------


def is_legal(state):
    """Return whether pieces have squares of their own, pawns are off the end ranks, and their king is not in check."""
    kings = SQUARE_BIT[state.king] | SQUARE_BIT[state.rival]
    first, second, third = PIECE_BIT[state.first], PIECE_BIT[state.second], PIECE_BIT[state.third]
    if kings & (first | second | third) or first & second or (first | second) & third:
        return False
    if PLACES[state.first] < 0 or PLACES[state.second] < 0 or PLACES[state.third] < 0:
        return False
    occupied = kings | first | second | third
    for piece in (state.first, state.second, state.third):
        if piece < THEIRS and attacks(piece, state.rival, occupied):
            return False
    return not state.passant or is_ep(state, occupied)


def is_ep(state, occupied):
    """Return whether the position is one in which a pawn of mine can capture en passant as it says."""
    captured = ((PAWN + SIDE_OFFSET) << 6) + state.passant - 8
    return state.passant >> 3 == 5 and has_piece(state, captured) and ep_possible(state, state.passant, occupied)
