"""Perft: counting move sequences, the classic test of a move generator and of speed."""

from __future__ import annotations

from zermelo.game import ONGOING, Game, Move, State
from zermelo.native import kernel
from zermelo.rules import moves_into, successors


@kernel(example=lambda game: (game.initial(), 1))
def count_leaves(game, state, depth):
    """Move sequences of exactly `depth` plies from a state; a finished game has no successors."""
    if depth == 0:
        return 1
    if game.result(state) != ONGOING:
        return 0
    total = 0
    if depth == 1:
        for _ in game.moves(state):
            total += 1
        return total
    for move in game.moves(state):
        total += count_leaves(game, game.play(state, move), depth - 1)
    return total
