"""Static evaluation of chess: material, piece-square tables, mobility, pawn structure and king safety.

The terms are those of the player to move; those of the opponent are the terms of the flipped position, so that each is
written once. Weights are in pawns. The evaluation is tapered: middlegame terms fade out as pieces leave the board.
"""

from typing import NamedTuple

from zermelo.bits import bit, lsb, ones, popcount, shift_left, unsigned
from zermelo.games.chess.chess_attacks import (
    bishop_attacks,
    king_attacks,
    knight_attacks,
    my_pawn_attacks,
    rook_attacks,
    their_pawn_attacks,
)
from zermelo.games.chess.chess_geometry import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from zermelo.games.chess.chess_state import NOT_FILE_A, NOT_FILE_H, my_king
from zermelo.games.chess.piece_square_tables import ENDGAME_TABLE, MIDDLEGAME_TABLE, piece_square_bonus

MAX_PHASE = 24
"""The game phase of the start: a minor piece counts once, a rook twice and a queen four times."""

WEIGHTS = {
    "pawns": 0.883, "knights": 2.87, "bishops": 3.35, "rooks": 4.85, "queens": 9.94, "bishop pair": 0.147,
    "piece-square middlegame": 0.01, "piece-square endgame": 0.01, "knight mobility": 0.0655,
    "bishop mobility": 0.0448, "rook mobility": 0.0505, "queen mobility": 0.0321, "doubled": -0.0738,
    "isolated": -0.0752, "passed middlegame": 0.028, "passed endgame": 0.193, "king and passed pawns": 0.0679,
    "protected pawns": 0.0835, "pawn threats": 0.53, "minor threats": 0.541, "open files": 0.286,
    "half-open files": 0.213, "pawn shield": 0.198, "king attack": 0.0419, "mop-up": 0.05, "tempo": 0.122,
}  # fmt: skip
"""The weight of each feature, in the order of `Chess.features`."""


class Terms(NamedTuple):
    """Evaluation terms of one player, other than material."""

    bishop_pair: int  # 1 with two bishops
    piece_square_middlegame: int
    piece_square_endgame: int
    knight_mobility: int
    bishop_mobility: int
    rook_mobility: int
    queen_mobility: int
    doubled: int  # pawns
    isolated: int
    passed: int
    king_and_passed: int  # how much nearer my king is to the squares before my passed pawns than theirs
    protected_pawns: int  # by pawns
    pawn_threats: int  # their pieces that my pawns attack
    minor_threats: int  # their rooks and queens that my knights and bishops attack
    open_files: int  # with a rook of mine and no pawn
    half_open_files: int  # with a rook of mine and no pawn of mine
    pawn_shield: int  # my pawns in front of my king
    king_attack: int  # my attacks on the squares next to their king


# -- pawns -------------------------------------------------------------------------------------------------------------


def front_spans(pawns):
    """Return the squares in front of my pawns, to the edge of the board."""
    pawns = shift_left(pawns, 8)
    pawns = pawns | shift_left(pawns, 8)
    pawns = pawns | shift_left(pawns, 16)
    return pawns | shift_left(pawns, 32)


def rear_spans(pawns):
    """Return the squares behind my pawns, which are those in front of theirs."""
    pawns = shift_left(pawns, -8)
    pawns = pawns | shift_left(pawns, -8)
    pawns = pawns | shift_left(pawns, -16)
    return pawns | shift_left(pawns, -32)


def adjacent_files(squares):
    """Return the left and right neighbours of these squares."""
    return shift_left(squares, 1) & NOT_FILE_A | shift_left(squares, -1) & NOT_FILE_H


def passed_pawns(pawns, theirs, king, rival):
    """Return the weighted count of passed pawns, and how much nearer `king` is to them than `rival`.

    The further a pawn is advanced, the greater is its weight. The distance is that to the square in front of it.
    """
    stopped = rear_spans(theirs)
    count, nearer = 0, 0
    for square in ones(pawns & ~(stopped | adjacent_files(stopped))):
        advance = square // 8 - 1
        count += advance * advance // 2 + 1
        nearer += advance * (distance(rival, square + 8) - distance(king, square + 8))
    return count, nearer


def distance(square, other):
    """Return how many moves a king takes from a square to another."""
    return max(abs(square % 8 - other % 8), abs(square // 8 - other // 8))


# -- terms -------------------------------------------------------------------------------------------------------------


def mobility(pieces, kind, occupied, free, king_zone, targets):
    """Return four counts: attacks on free squares, on the king zone and on targets, and pieces that attack the zone."""
    squares, zone_attacks, zone_attackers, threats = 0, 0, 0, 0
    for square in ones(pieces):
        attacks = unsigned(0)
        if kind == KNIGHT:
            attacks = knight_attacks(square)
        if kind in (BISHOP, QUEEN):
            attacks |= bishop_attacks(square, occupied)
        if kind in (ROOK, QUEEN):
            attacks |= rook_attacks(square, occupied)
        squares += popcount(attacks & free)
        zone_attacks += popcount(attacks & king_zone)
        zone_attackers += 1 if attacks & king_zone else 0
        threats += popcount(attacks & targets)
    return squares, zone_attacks, zone_attackers, threats


def evaluation_terms(state):
    """Return the terms of the player to move."""
    mine, occupied = state.mine, state.mine | state.theirs
    pawns, theirs = state.pawns & mine, state.pawns & state.theirs
    queens = state.diagonals & state.straights & mine
    bishops, rooks = state.diagonals & mine & ~queens, state.straights & mine & ~queens
    knights = state.knights & mine
    king = my_king(state)
    free = ~(state.kings & mine | pawns | their_pawn_attacks(theirs))
    rival = lsb(state.kings & state.theirs)
    zone, majors = king_attacks(rival), state.straights & state.theirs
    middlegame, endgame = int(MIDDLEGAME_TABLE[KING * 64 + king]), int(ENDGAME_TABLE[KING * 64 + king])
    for pieces, kind in ((pawns, PAWN), (knights, KNIGHT), (bishops, BISHOP), (rooks, ROOK), (queens, QUEEN)):
        in_middlegame, in_endgame = piece_square_bonus(pieces, kind)
        middlegame, endgame = middlegame + in_middlegame, endgame + in_endgame
    by_knights, attacks, attackers, threats = mobility(knights, KNIGHT, occupied, free, zone, majors)
    by_bishops, more, others, threats_by_bishops = mobility(bishops, BISHOP, occupied, free, zone, majors)
    attacks, attackers = attacks + more, attackers + others
    by_rooks, more, others, _ = mobility(rooks, ROOK, occupied, free, zone, unsigned(0))
    attacks, attackers = attacks + 2 * more, attackers + others
    by_queens, more, others, _ = mobility(queens, QUEEN, occupied, free, zone, unsigned(0))
    attacks, attackers = attacks + 3 * more, attackers + others
    files = front_spans(pawns) | rear_spans(pawns) | pawns
    their_files = front_spans(theirs) | rear_spans(theirs) | theirs
    passed, nearer = passed_pawns(pawns, theirs, king, rival)
    pawn_attacks = my_pawn_attacks(pawns)
    shield = (king_attacks(king) | shift_left(king_attacks(king), 8)) & ~(bit(king) - 1)
    return Terms(
        1 if popcount(bishops) > 1 else 0,
        middlegame,
        endgame,
        by_knights,
        by_bishops,
        by_rooks,
        by_queens,
        popcount(pawns & front_spans(pawns)),
        popcount(pawns & ~adjacent_files(files)),
        passed,
        nearer,
        popcount(pawns & pawn_attacks),
        popcount(pawn_attacks & state.theirs & ~theirs),
        threats + threats_by_bishops,
        popcount(rooks & ~(files | their_files)),
        popcount(rooks & ~files & their_files),
        popcount(pawns & shield),
        attacks * (attackers - 1) if attackers > 1 else 0,
    )


def game_phase(state):
    """Return how much of the middlegame is left, from MAX_PHASE to 0."""
    pieces = popcount(state.knights) + popcount(state.diagonals & ~state.straights)
    pieces += 2 * popcount(state.straights) + 2 * popcount(state.straights & state.diagonals)
    return min(pieces, MAX_PHASE)


def material_balance(state, pieces):
    """Return how many of these pieces the mover has more than the opponent."""
    return popcount(state.mine & pieces) - popcount(state.theirs & pieces)


def mop_up(state):
    """Return a bonus for driving a bare king to the edge and bringing up the own king; 0 unless one king is bare."""
    king, rival = my_king(state), lsb(state.kings & state.theirs)
    near = 7 - distance(king, rival)
    if state.theirs & ~state.kings == 0:
        return 2 * max(abs(2 * (rival % 8) - 7), abs(2 * (rival // 8) - 7)) + near
    if state.mine & ~state.kings == 0:
        return -2 * max(abs(2 * (king % 8) - 7), abs(2 * (king // 8) - 7)) - near
    return 0
