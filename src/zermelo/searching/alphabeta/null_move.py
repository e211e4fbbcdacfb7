"""Null-move pruning: a player who may pass and still reaches beta will hardly do worse by moving.

It takes part where the game has the rule `skip`. The search of the state after the pass is in pvs.py.
"""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import changes_player
from zermelo.searching.alphabeta.static_evaluation import static_eval
from zermelo.searching.alphabeta.transposition_table import UNLIMITED
from zermelo.searching.runtime.thread_memory import NO_MOVE, NOMINAL_PLY, PLAYED, SELDEPTH
from zermelo.value import DECISIVE

MIN_NULL_MOVE_DEPTH = 3
"""The least depth of a node that tries a null move."""


@kernel
def may_pass(game, state, skipped, ply, beta, unit, memory):
    """Whether to try a null move that leads to `skipped`.

    Not in reply to a move of the root, where a zugzwang would stay hidden at every depth; not twice in a row, nor once
    all lines have been seen to end, when the search is about to prove something; and only where the static evaluation
    reaches beta.
    """
    if ply == 1 or memory[PLAYED + ply - 1] == NO_MOVE or memory[SELDEPTH] + 2 < memory[NOMINAL_PLY]:
        return False
    if skipped != state and changes_player(game, state, skipped):
        return static_eval(game, state, ply, unit, memory) >= beta
    return False


def is_null_move_node(depth, alpha, beta):
    """Whether a node is searched deep enough, and by a null window around a heuristic score."""
    return MIN_NULL_MOVE_DEPTH <= depth < UNLIMITED and beta - alpha == 1 and -DECISIVE < beta < DECISIVE


def null_move_depth(depth):
    """The reduced depth of the search after a null move."""
    return max(depth - 3 - depth // 6, 0)
