"""What a chess position is worth: men, places, freedom to move, pawns and the king's safety; and what an exchange wins.

Everything is counted for the player whose view a state is; what the other player has is seen in the turned state, so
that each count is written once. Weights are in pawns, places in hundredths of a pawn.
"""

from typing import NamedTuple

import numpy as np

from zermelo.bits import bit, lsb, ones, popcount, shift_left, unsigned
from zermelo.games.chess.chess_attacks import (
    KING,
    NOT_A,
    NOT_H,
    attackers,
    beside,
    diagonal,
    jump,
    kind_at,
    my_king,
    my_pawns_attack,
    straight,
    their_pawns_attack,
)
from zermelo.games.chess.square_tables import BISHOP, KNIGHT, PAWN, QUEEN, ROOK

WORTH = np.array([0, 950, 500, 330, 320, 100, 10_000], np.int64)
"""What each kind of man counts in an exchange."""

FULL = 24
"""The pieces of the start, a minor piece counted once, a rook twice and a queen four times: the middle game."""

WEIGHTS = {
    "pawns": 0.9, "knights": 3.2, "bishops": 3.35, "rooks": 5.1, "queens": 9.7, "pairs of bishops": 0.35,
    "places in the middle game": 0.01, "places in the ending": 0.01,
    "knight's squares": 0.045, "bishop's squares": 0.045, "rook's squares": 0.025, "queen's squares": 0.012,
    "doubled": -0.12, "isolated": -0.13, "passed in the middle game": 0.025, "passed in the ending": 0.075,
    "attacked by pawns": 0.3, "open files": 0.22, "half-open files": 0.1, "shield": 0.11, "pressure on the king": 0.02,
    "driven to the edge": 0.05, "to move": 0.12,
}  # fmt: skip


class Counts(NamedTuple):
    """What one player has."""

    pair: int  # 1 with two bishops
    places: int  # in the middle game
    late_places: int  # in the ending
    knight_squares: int
    bishop_squares: int
    rook_squares: int
    queen_squares: int
    doubled: int
    isolated: int
    passed: int
    attacked: int  # their pieces that my pawns attack
    open_files: int  # with a rook of mine and no pawn
    half_open_files: int  # with a rook of mine and no pawn of mine
    shield: int  # my pawns before my king
    pressure: int  # on the squares beside their king


# -- places ------------------------------------------------------------------------------------------------------------


def _centre(square):
    """How near a square is to the middle: 0 in the corners, 6 on d4, e4, d5 and e5."""
    return 7 - (abs(2 * (square % 8) - 7) + abs(2 * (square // 8) - 7)) // 2


def _middle_game(kind, square):
    file, rank, centre = square % 8, square // 8, _centre(square)
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


def _ending(kind, square):
    rank, centre = square // 8, _centre(square)
    if kind == PAWN:
        return 2 * (rank - 1) * (rank - 1)
    if kind == ROOK:
        return 10 if rank == 6 else 0
    return {KNIGHT: 6, BISHOP: 4, QUEEN: 6, KING: 9}[kind] * (centre - 3)


def _table(places):
    return np.array([0] * 64 + [places(kind, square) for kind in range(1, 7) for square in range(64)], np.int64)


MIDDLE, END = _table(_middle_game), _table(_ending)
"""At kind * 64 + square: what a man gains by standing there."""


# -- counts ------------------------------------------------------------------------------------------------------------


def upwards(men):
    """The squares above these, to the edge of the board."""
    men = shift_left(men, 8)
    men = men | shift_left(men, 8)
    men = men | shift_left(men, 16)
    return men | shift_left(men, 32)


def downwards(men):
    men = shift_left(men, -8)
    men = men | shift_left(men, -8)
    men = men | shift_left(men, -16)
    return men | shift_left(men, -32)


def sideways(men):
    """The squares to the left and the right of these."""
    return shift_left(men, 1) & NOT_A | shift_left(men, -1) & NOT_H


def placed(men, kind):
    """What the places of these men are worth in the middle game, and in the ending."""
    middle, end = 0, 0
    for square in ones(men):
        middle += int(MIDDLE[kind * 64 + square])
        end += int(END[kind * 64 + square])
    return middle, end


def roaming(men, kind, occupied, free, zone):
    """How many free squares these pieces attack, how many of the zone, and how many pieces attack one of it."""
    squares, hits, hitting = 0, 0, 0
    for square in ones(men):
        reached = unsigned(0)
        if kind == KNIGHT:
            reached = jump(square)
        if kind in (BISHOP, QUEEN):
            reached |= diagonal(square, occupied)
        if kind in (ROOK, QUEEN):
            reached |= straight(square, occupied)
        squares += popcount(reached & free)
        hits += popcount(reached & zone)
        hitting += 1 if reached & zone else 0
    return squares, hits, hitting


def passed_pawns(pawns, theirs):
    """The pawns that none of theirs can stop, each counted the more the farther it has come."""
    guarded = downwards(theirs)
    count = 0
    for square in ones(pawns & ~(guarded | sideways(guarded))):
        count += (square // 8 - 1) * (square // 8 - 1) // 2 + 1
    return count


def counted(state):
    """What the player to move has."""
    mine, occupied = state.mine, state.mine | state.theirs
    pawns, theirs = state.pawns & mine, state.pawns & state.theirs
    queens = state.diagonals & state.straights & mine
    bishops, rooks = state.diagonals & mine & ~queens, state.straights & mine & ~queens
    knights = state.knights & mine
    king = my_king(state)
    free = ~(state.kings & mine | pawns | their_pawns_attack(theirs))
    zone = beside(lsb(state.kings & state.theirs))
    middle, end = int(MIDDLE[KING * 64 + king]), int(END[KING * 64 + king])
    for men, kind in ((pawns, PAWN), (knights, KNIGHT), (bishops, BISHOP), (rooks, ROOK), (queens, QUEEN)):
        one, two = placed(men, kind)
        middle, end = middle + one, end + two
    by_knights, hits, hitting = roaming(knights, KNIGHT, occupied, free, zone)
    by_bishops, more, others = roaming(bishops, BISHOP, occupied, free, zone)
    hits, hitting = hits + more, hitting + others
    by_rooks, more, others = roaming(rooks, ROOK, occupied, free, zone)
    hits, hitting = hits + 2 * more, hitting + others
    by_queens, more, others = roaming(queens, QUEEN, occupied, free, zone)
    hits, hitting = hits + 3 * more, hitting + others
    files = upwards(pawns) | downwards(pawns) | pawns
    their_files = upwards(theirs) | downwards(theirs) | theirs
    shelter = (beside(king) | shift_left(beside(king), 8)) & ~(bit(king) - 1)
    return Counts(
        1 if popcount(bishops) > 1 else 0,
        middle,
        end,
        by_knights,
        by_bishops,
        by_rooks,
        by_queens,
        popcount(pawns & upwards(pawns)),
        popcount(pawns & ~sideways(files)),
        passed_pawns(pawns, theirs),
        popcount(my_pawns_attack(pawns) & state.theirs & ~theirs),
        popcount(rooks & ~(files | their_files)),
        popcount(rooks & ~files & their_files),
        popcount(pawns & shelter),
        hits * (hitting - 1) if hitting > 1 else 0,
    )


def phase_of(state):
    """How much of the middle game is left: from FULL to 0."""
    pieces = popcount(state.knights) + popcount(state.diagonals & ~state.straights)
    pieces += 2 * popcount(state.straights) + 2 * popcount(state.straights & state.diagonals)
    return min(pieces, FULL)


def more(state, men):
    """How many of these men I have more than the other player."""
    return popcount(state.mine & men) - popcount(state.theirs & men)


def edged(state):
    """How far a bare king of theirs has been driven to the edge, and how near mine is; less for mine, 0 for others."""
    king, rival = my_king(state), lsb(state.kings & state.theirs)
    near = 7 - max(abs(king % 8 - rival % 8), abs(king // 8 - rival // 8))
    if state.theirs & ~state.kings == 0:
        return 2 * max(abs(2 * (rival % 8) - 7), abs(2 * (rival // 8) - 7)) + near
    if state.mine & ~state.kings == 0:
        return -2 * max(abs(2 * (king % 8) - 7), abs(2 * (king // 8) - 7)) - near
    return 0


# -- exchanges ---------------------------------------------------------------------------------------------------------


def keeps_even(state, move):
    """Whether a capture loses nothing, if both players then take on its goal while it pays, the least man first."""
    goal, origin = move & 63, move >> 6 & 63
    ahead = int(WORTH[kind_at(state, goal)] - WORTH[kind_at(state, origin)])  # if the taker is taken in turn
    occupied = (state.mine | state.theirs) & ~bit(origin)
    left = attackers(state, goal, occupied)
    me = False  # to take next
    while ahead < 0:
        takers = left & (state.mine if me else state.theirs)
        if takers == 0:
            break
        kind, taker = least(state, takers)
        occupied &= ~taker
        left |= diagonal(goal, occupied) & state.diagonals | straight(goal, occupied) & state.straights
        left &= occupied
        if kind == KING and left & (state.theirs if me else state.mine):
            break  # a king does not step where it can be taken
        me = not me
        ahead = -1 - ahead - int(WORTH[kind])
    return not me


def least(state, men):
    """The kind of the least of these men, and one of that kind."""
    kind, found = KING, men
    if men & state.pawns:
        kind, found = PAWN, men & state.pawns
    elif men & state.knights:
        kind, found = KNIGHT, men & state.knights
    elif men & state.diagonals & ~state.straights:
        kind, found = BISHOP, men & state.diagonals & ~state.straights
    elif men & state.straights & ~state.diagonals:
        kind, found = ROOK, men & state.straights & ~state.diagonals
    elif men & state.straights:
        kind, found = QUEEN, men & state.straights
    return kind, bit(lsb(found))
