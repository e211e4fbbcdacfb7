"""Attacks of chess pieces as bitboards, seen by the player to move: tables, sliding attacks, attackers of a square."""

import numpy as np

from zermelo.bits import WORD, bit, lsb, msb, ones, shift_left, unsigned
from zermelo.games.chess.chess_geometry import (
    KNIGHT_DIRECTIONS,
    PAWN_CAPTURES,
    QUEEN_DIRECTIONS,
    bitboard,
    empty_board_attacks,
    ray,
)
from zermelo.games.chess.chess_state import NOT_FILE_A, NOT_FILE_H

# -- tables ------------------------------------------------------------------------------------------------------------


def _words(bitboards):
    return np.array(bitboards, np.uint64)


def _line(square, other):
    """Return the squares between two squares, and their line from edge to edge; 0 and 0 if no line joins them."""
    for direction in QUEEN_DIRECTIONS:
        squares = ray(square, direction)
        if other in squares:
            back = ray(square, (-direction[0], -direction[1]))
            return bitboard(squares[: squares.index(other)]), bitboard([square, *squares, *back])
    return 0, 0


_LINES = [_line(square, other) for square in range(64) for other in range(64)]

BETWEEN = _words([between for between, _ in _LINES])
"""At square * 64 + square: the squares strictly between them."""

LINE = _words([line for _, line in _LINES])
"""At square * 64 + square: the whole line through both."""

FILE_MASK, RANK_MASK, DIAGONAL_MASK, ANTIDIAGONAL_MASK = (
    _words(empty_board_attacks((step, (-step[0], -step[1])), 7)) for step in ((0, 1), (1, 0), (1, 1), (-1, 1))
)
"""For each square, the other squares of its file, its rank, and its rising and falling diagonal."""

KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS = (
    _words(empty_board_attacks(directions)) for directions in (QUEEN_DIRECTIONS, KNIGHT_DIRECTIONS, PAWN_CAPTURES)
)
"""For each square, what a king, a knight and a pawn of mine attack from there."""

# -- attacks from one square -------------------------------------------------------------------------------------------


def king_attacks(square):
    """Return the squares that a king attacks."""
    return unsigned(KING_ATTACKS[square])


def knight_attacks(square):
    """Return the squares that a knight attacks."""
    return unsigned(KNIGHT_ATTACKS[square])


def pawn_attacks(square):
    """Return what a pawn of mine attacks: also the squares from which a pawn of theirs attacks this one."""
    return unsigned(PAWN_ATTACKS[square])


def line_attacks(line, square, occupied):
    """Return what a slider attacks along a line: up to the first blocker above it and down to the first below."""
    blockers = line & occupied
    above = blockers & -2 << square
    below = blockers & bit(square) - 1
    return unsigned(line & (above ^ above - 1) & -1 << msb(below | 1))


def bishop_attacks(square, occupied):
    """Return the squares that a bishop attacks."""
    rising = line_attacks(unsigned(DIAGONAL_MASK[square]), square, occupied)
    return rising | line_attacks(unsigned(ANTIDIAGONAL_MASK[square]), square, occupied)


def rook_attacks(square, occupied):
    """Return the squares that a rook attacks."""
    file = line_attacks(unsigned(FILE_MASK[square]), square, occupied)
    return file | line_attacks(unsigned(RANK_MASK[square]), square, occupied)


# -- attacks of a set of pieces ----------------------------------------------------------------------------------------


def fill_attacks(sliders, empty, step, inside):
    """Return what all these sliders attack in one direction: an occluded fill by 1, 2 and 4 steps (Kogge-Stone).

    `inside` are the squares that a step can reach without wrapping round the edge of the board.
    """
    empty = empty & inside
    sliders = sliders | empty & shift_left(sliders, step)
    empty = empty & shift_left(empty, step)
    sliders = sliders | empty & shift_left(sliders, 2 * step)
    empty = empty & shift_left(empty, 2 * step)
    sliders = sliders | empty & shift_left(sliders, 4 * step)
    return unsigned(shift_left(sliders, step) & inside)


def all_rook_attacks(rooks, empty):
    """Return the squares that any of these rooks attacks."""
    file = fill_attacks(rooks, empty, 8, WORD) | fill_attacks(rooks, empty, -8, WORD)
    return file | fill_attacks(rooks, empty, 1, NOT_FILE_A) | fill_attacks(rooks, empty, -1, NOT_FILE_H)


def all_bishop_attacks(bishops, empty):
    """Return the squares that any of these bishops attacks."""
    rising = fill_attacks(bishops, empty, 9, NOT_FILE_A) | fill_attacks(bishops, empty, -9, NOT_FILE_H)
    return rising | fill_attacks(bishops, empty, 7, NOT_FILE_H) | fill_attacks(bishops, empty, -7, NOT_FILE_A)


def all_knight_attacks(knights):
    """Return the squares that any of these knights attacks."""
    found = unsigned(0)
    for square in ones(knights):
        found |= knight_attacks(square)
    return found


def my_pawn_attacks(pawns):
    """Return the squares that any of these pawns attacks, if they are mine."""
    return unsigned(shift_left(pawns, 9) & NOT_FILE_A | shift_left(pawns, 7) & NOT_FILE_H)


def their_pawn_attacks(pawns):
    """Return the squares that any of these pawns attacks, if they are theirs."""
    return unsigned(shift_left(pawns, -7) & NOT_FILE_A | shift_left(pawns, -9) & NOT_FILE_H)


# -- attacks in a position ---------------------------------------------------------------------------------------------


def attackers_to(state, square, occupied):
    """Return the pieces of both players that attack a square, given the occupied squares."""
    found = knight_attacks(square) & state.knights | king_attacks(square) & state.kings
    found |= pawn_attacks(square) & state.pawns & state.theirs
    found |= their_pawn_attacks(bit(square)) & state.pawns & state.mine
    found |= bishop_attacks(square, occupied) & state.diagonals | rook_attacks(square, occupied) & state.straights
    return unsigned(found & occupied)


def king_danger_squares(state):
    """Return the squares that they attack when my king is off the board: it cannot hide behind itself."""
    empty = ~(state.mine & ~state.kings | state.theirs)
    found = their_pawn_attacks(state.pawns & state.theirs) | all_knight_attacks(state.knights & state.theirs)
    found |= king_attacks(lsb(state.kings & state.theirs))
    found |= all_bishop_attacks(state.diagonals & state.theirs, empty)
    return unsigned(found | all_rook_attacks(state.straights & state.theirs, empty))
