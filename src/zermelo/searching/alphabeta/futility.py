"""Futility pruning: near the horizon, a static evaluation far outside the window stands for a search.

It takes part where the game says by `futility` how much a quiet move changes the evaluation. A state whose evaluation
is above beta by that much for each ply of its depth is taken to stay there (reverse futility pruning). One that is far
below alpha is resolved by its noisy moves alone (razoring). Between the two, quiet moves that are futile or come late
are not searched. None of this is a proof: each counts as a heuristic leaf.
"""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.searching.runtime.thread_memory import FUTILITY, NOMINAL_PLY, SELDEPTH
from zermelo.value import DECISIVE, INFINITY

MAX_FUTILITY_DEPTH = 6
"""The greatest depth of a node that is pruned by its static evaluation."""

RAZOR_DEPTH = 2
"""The greatest depth of a node that is resolved by noisy moves alone."""

MAX_SKIP_DEPTH = 4
"""The greatest depth of a node whose quiet moves may be skipped."""

UNKNOWN = INFINITY
"""The estimate of a node at which nothing is pruned."""


def is_futility_node(depth, ply, alpha, beta, memory):
    """Whether a node is near the horizon and searched by a null window around a heuristic score.

    Not up to two plies below the root, so that no sacrifice is dismissed unseen; nor once all lines have been seen to
    end, when the search is about to prove something.
    """
    return (
        memory[FUTILITY] > 0
        and ply > 2
        and 0 < depth <= MAX_FUTILITY_DEPTH
        and beta - alpha == 1
        and -DECISIVE < beta < DECISIVE
        and memory[SELDEPTH] + 2 >= memory[NOMINAL_PLY]
    )


def is_above(estimate, depth, beta, memory):
    """Whether the estimate is so far above beta that the state is taken to stay there."""
    return estimate - memory[FUTILITY] * depth >= beta


def is_below(estimate, depth, alpha, memory):
    """Whether the estimate is so far below alpha that only noisy moves can help."""
    return depth <= RAZOR_DEPTH and estimate + memory[FUTILITY] * (2 * depth + 1) <= alpha


def futile_score(estimate, depth, memory):
    """What a quiet move can reach at the most."""
    return estimate + memory[FUTILITY] * (depth + 1)


@kernel
def may_skip(game, state, child, move, depth, tried, estimate, best, alpha, memory):
    """Whether a quiet move is not searched: it cannot reach alpha, or comes late in the order."""
    if estimate == UNKNOWN or tried == 0 or depth > MAX_SKIP_DEPTH or best <= -DECISIVE:
        return False
    if futile_score(estimate, depth, memory) > alpha and tried < 4 + 2 * depth * depth:
        return False
    return not (game.noisy(state, move) or game.forcing(child))
