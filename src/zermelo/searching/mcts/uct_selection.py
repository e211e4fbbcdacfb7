"""Selection in Monte Carlo tree search: UCB1, among the children that can still be best."""

from __future__ import annotations

from math import sqrt

from zermelo.searching.mcts.uct_tree import (
    COUNT,
    FIRST_CHILD,
    HIGH,
    LOW,
    NODE,
    UNKNOWN_PAYOFF,
    VISITS,
    logarithm,
    mean,
)
from zermelo.word_arrays import Words


def select_child(node: int, allow_proven: bool, exploration: float, payoff_scale: int, tree: Words) -> int:
    """Select a child: the first without visits, or the best by UCB1, among those that can still be best.

    With `allow_proven`, a proven child may be selected too, as long as another one may be worse. Payoffs are divided by
    `payoff_scale`, the largest absolute payoff so far.
    """
    first = tree[node + FIRST_CHILD]
    end = first + tree[node + COUNT] * NODE
    floor = -UNKNOWN_PAYOFF
    for child in range(first, end, NODE):
        floor = max(floor, tree[child + LOW])
    risky = False
    for child in range(first, end, NODE):
        if allow_proven and tree[child + LOW] < floor < tree[child + HIGH]:
            risky = True
    explored = logarithm(tree[node + VISITS] + 1)
    best = first
    most = -1e300
    for child in range(first, end, NODE):
        visits = tree[child + VISITS]
        if tree[child + HIGH] > floor or (risky and tree[child + LOW] == floor):
            if visits == 0:
                return child
            promise = mean(child, tree) / payoff_scale + exploration * sqrt(explored / visits)
            if promise > most:
                most = promise
                best = child
    return best
