"""The chessboard as sets of squares, seen by the player to move: what attacks what, and what holds the king.

Squares are numbered 0 (a1) to 63 (h8) for White; for Black the board is upside down, so that the mover's pawns always
go up and each rule is written once. A set of squares is a 64-bit word.

    56 57 58 59 60 61 62 63      the far side: their men at the start, h8 is 63
     .  .  .
     8  9 10 11 12 13 14 15
     0  1  2  3  4  5  6  7      my side: my king at home on 4, e1

Queens are in two sets, that of the diagonals and that of the straight lines: whoever asks along which lines a square is
attacked need not ask for them apart.
"""

from typing import NamedTuple

import numpy as np

from zermelo.bits import WORD, bit, byte_swap, lsb, msb, ones, popcount, shift_left, unsigned
from zermelo.games.chess.square_tables import (
    BISHOP,
    JUMPS,
    KNIGHT,
    OBLIQUE,
    PAWN,
    QUEEN,
    ROOK,
    STRAIGHT,
    ray,
    steps,
    word_of,
)

KING = 6
"""The kind of man that `chess_squares` has no number for."""

FIRST = 0xFF
LAST = FIRST << 56
PASSED = FIRST << 40
"""The rank on which I take in passing."""

SHORT, LONG = KING << 12 | 4 << 6 | 6, KING << 12 | 4 << 6 | 2
"""The moves of my king when it castles to either side."""

BOTH = 1 | 1 << 56
"""The square a1 and the one across the board: where a piece of mine stands at the start, so does one of theirs."""

CORNERS = 0x81 * BOTH
NOT_A = 0xFEFEFEFEFEFEFEFE
NOT_H = 0x7F7F7F7F7F7F7F7F
DARK = 0xAA55AA55AA55AA55


class State(NamedTuple):
    mine: np.uint64  # the men of the player to move
    theirs: np.uint64
    pawns: np.uint64  # of both players, as are the next four
    knights: np.uint64
    diagonals: np.uint64  # bishops and queens
    straights: np.uint64  # rooks and queens
    kings: np.uint64
    rights: np.uint64  # the rooks that may still castle, and the square on which I can take a pawn in passing
    clock: int  # plies since a man was taken or a pawn moved
    ply: int  # plies since the start: even where White is to move


# -- tables ------------------------------------------------------------------------------------------------------------


def _words(sets):
    return np.array(sets, np.uint64)


def _between(square, other):
    """The squares between two on one line, and that line from edge to edge; none where no line joins them."""
    for step in STRAIGHT + OBLIQUE:
        squares = ray(square, step)
        if other in squares:
            back = ray(square, (-step[0], -step[1]))
            return word_of(squares[: squares.index(other)]), word_of([square, *squares, *back])
    return 0, 0


_PAIRS = [_between(square, other) for square in range(64) for other in range(64)]

BETWEEN = _words([between for between, _ in _PAIRS])
"""At square * 64 + square: the squares between them."""

THROUGH = _words([line for _, line in _PAIRS])
"""At square * 64 + square: the whole line through both."""

FILE, RANK, RISING, FALLING = (
    _words(steps((step, (-step[0], -step[1])), 7)) for step in ((0, 1), (1, 0), (1, 1), (-1, 1))
)
"""For each square, the other squares of its file, its rank and its two diagonals."""

BESIDE, JUMP, TAKES = (_words(steps(goals)) for goals in (STRAIGHT + OBLIQUE, JUMPS, ((1, 1), (-1, 1))))
"""For each square, where a king, a knight and a pawn of mine take from there."""

# -- sets of squares ---------------------------------------------------------------------------------------------------


def only(squares, wanted):
    """The set, or nothing."""
    return unsigned(squares) if wanted else unsigned(0)


def slide(line, square, occupied):
    """What a piece on a square attacks along a line: up to the first man above it, and down to the first below."""
    men = line & occupied
    above = men & -2 << square
    below = men & bit(square) - 1
    return unsigned(line & (above ^ above - 1) & -1 << msb(below | 1))


def diagonal(square, occupied):
    """What a bishop attacks."""
    return slide(unsigned(RISING[square]), square, occupied) | slide(unsigned(FALLING[square]), square, occupied)


def straight(square, occupied):
    """What a rook attacks."""
    return slide(unsigned(FILE[square]), square, occupied) | slide(unsigned(RANK[square]), square, occupied)


def spread(men, free, step, inside):
    """What all these line pieces attack together in one direction: after 1, 2 and 4 steps no free square is left out.

    `inside` are the squares that a step can reach without leaving at one side and coming in at the other.
    """
    free = free & inside
    men = men | free & shift_left(men, step)
    free = free & shift_left(free, step)
    men = men | free & shift_left(men, 2 * step)
    free = free & shift_left(free, 2 * step)
    men = men | free & shift_left(men, 4 * step)
    return unsigned(shift_left(men, step) & inside)


def spread_straight(men, free):
    up_down = spread(men, free, 8, WORD) | spread(men, free, -8, WORD)
    return up_down | spread(men, free, 1, NOT_A) | spread(men, free, -1, NOT_H)


def spread_diagonal(men, free):
    rising = spread(men, free, 9, NOT_A) | spread(men, free, -9, NOT_H)
    return rising | spread(men, free, 7, NOT_H) | spread(men, free, -7, NOT_A)


def beside(square):
    """What a king attacks."""
    return unsigned(BESIDE[square])


def jump(square):
    """What a knight attacks."""
    return unsigned(JUMP[square])


def jumps(knights):
    """What all these knights attack."""
    found = unsigned(0)
    for square in ones(knights):
        found |= jump(square)
    return found


def takes(square):
    """What a pawn of mine attacks; and the squares from which a pawn of theirs attacks this one."""
    return unsigned(TAKES[square])


def my_pawns_attack(pawns):
    return unsigned(shift_left(pawns, 9) & NOT_A | shift_left(pawns, 7) & NOT_H)


def their_pawns_attack(pawns):
    return unsigned(shift_left(pawns, -7) & NOT_A | shift_left(pawns, -9) & NOT_H)


# -- positions ---------------------------------------------------------------------------------------------------------


def my_king(state):
    return lsb(state.kings & state.mine)


def kind_at(state, square):
    """The kind of man on a square; 0 where there is none."""
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


def attackers(state, square, occupied):
    """The men of both players that attack a square, where so many squares are occupied."""
    found = jump(square) & state.knights | beside(square) & state.kings
    found |= takes(square) & state.pawns & state.theirs
    found |= their_pawns_attack(bit(square)) & state.pawns & state.mine
    found |= diagonal(square, occupied) & state.diagonals | straight(square, occupied) & state.straights
    return unsigned(found & occupied)


def in_check(state):
    """Whether my king is attacked."""
    return attackers(state, my_king(state), state.mine | state.theirs) & state.theirs != 0


def unsafe(state):
    """The squares that they attack, my king lifted off the board: it cannot hide in its own shadow."""
    free = ~(state.mine & ~state.kings | state.theirs)
    found = their_pawns_attack(state.pawns & state.theirs) | jumps(state.knights & state.theirs)
    found |= beside(lsb(state.kings & state.theirs))
    found |= spread_diagonal(state.diagonals & state.theirs, free)
    return unsigned(found | spread_straight(state.straights & state.theirs, free))


def restraints(state):
    """Where men other than the king may go for its sake, and which of mine are pinned to their line with it.

    Without check they may go anywhere; in check they must take who gives it, or step in between; in double check
    nothing helps.
    """
    king = my_king(state)
    occupied = state.mine | state.theirs
    checkers = unsigned((jump(king) & state.knights | takes(king) & state.pawns) & state.theirs)
    helpful = checkers
    pinned = unsigned(0)
    aimed = unsigned(RISING[king] | FALLING[king]) & state.diagonals
    aimed |= unsigned(FILE[king] | RANK[king]) & state.straights
    for square in ones(aimed & state.theirs):
        between = unsigned(BETWEEN[king * 64 + square])
        men = between & occupied
        if men == 0:
            checkers |= bit(square)
            helpful |= between | bit(square)
        elif men & men - 1 == 0:
            pinned |= men & state.mine
    if checkers == 0:
        helpful = ~helpful
    elif checkers & checkers - 1:
        helpful = unsigned(0)
    return helpful, pinned


def can_take_in_passing(state, origin, passed):
    """Whether my pawn may take the one that has just passed a square: my king must not be attacked after that."""
    occupied = (state.mine | state.theirs) & ~(bit(origin) | shift_left(passed, -8)) | passed
    return attackers(state, my_king(state), occupied) & state.theirs == 0


def turned(mine, theirs, pawns, knights, diagonals, straights, kings, rights, clock, ply):
    """What the other player sees: the board upside down, and the men of both exchanged."""
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


def other_view(state):
    """The position as the other player sees it, who could not take in passing."""
    mine, theirs, pawns, knights, diagonals, straights, kings, rights, clock, ply = state
    return turned(mine, theirs, pawns, knights, diagonals, straights, kings, rights & CORNERS, clock, ply)


def with_passing(state, passed):
    """The position in which a pawn of theirs has just passed this square: it counts if I may take it there."""
    mine, theirs, pawns, knights, diagonals, straights, kings, rights, clock, ply = state
    for origin in ones(their_pawns_attack(passed) & pawns & mine):
        if can_take_in_passing(state, origin, passed):
            return State(mine, theirs, pawns, knights, diagonals, straights, kings, rights | passed, clock, ply)
    return state


def cannot_mate(state):
    """Whether no moves could ever end in mate: bare kings, one minor piece, bishops on one colour."""
    if state.pawns | state.straights:
        return False
    if state.knights:
        return state.diagonals == 0 and popcount(state.knights) == 1
    return state.diagonals & DARK == 0 or state.diagonals & ~DARK == 0
