"""Checks and pins in chess: whether the king is attacked, where other pieces may go, and which of them are pinned."""

from zermelo.bits import bit, ones, unsigned
from zermelo.games.chess.chess_attacks import (
    ANTIDIAGONAL_MASK,
    BETWEEN,
    DIAGONAL_MASK,
    FILE_MASK,
    RANK_MASK,
    attackers_to,
    knight_attacks,
    pawn_attacks,
)
from zermelo.games.chess.chess_state import my_king


def in_check(state):
    """Return whether the mover's king is attacked."""
    return attackers_to(state, my_king(state), state.mine | state.theirs) & state.theirs != 0


def check_mask_and_pins(state):
    """Return the squares to which pieces other than the king may go, and those of my pieces that are pinned.

    Without check the mask is every square. In check it holds the checker and the squares between it and the king; in
    double check it is empty. A pinned piece may move along its line with the king.
    """
    king = my_king(state)
    occupied = state.mine | state.theirs
    checkers = unsigned((knight_attacks(king) & state.knights | pawn_attacks(king) & state.pawns) & state.theirs)
    mask = checkers
    pinned = unsigned(0)
    snipers = unsigned(DIAGONAL_MASK[king] | ANTIDIAGONAL_MASK[king]) & state.diagonals
    snipers |= unsigned(FILE_MASK[king] | RANK_MASK[king]) & state.straights
    for square in ones(snipers & state.theirs):
        between = unsigned(BETWEEN[king * 64 + square])
        blockers = between & occupied
        if blockers == 0:
            checkers |= bit(square)
            mask |= between | bit(square)
        elif blockers & blockers - 1 == 0:
            pinned |= blockers & state.mine
    if checkers == 0:
        mask = ~mask
    elif checkers & checkers - 1:
        mask = unsigned(0)
    return mask, pinned
