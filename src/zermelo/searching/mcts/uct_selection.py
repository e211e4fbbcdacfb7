"""Selection in Monte Carlo tree search: UCB1, among the children that can still be best.

With RAVE (Gelly and Silver, Monte-Carlo tree search and rapid action value estimation in computer Go, 2011) the mean of
a child is mixed with that of all playouts in which its move was played later. The share of these falls with the visits
of the child: it is sqrt(rave / (3 * visits + rave)), one half after `rave` visits.
"""

from __future__ import annotations

from math import sqrt

from zermelo.searching.mcts.uct_tree import (
    COUNT,
    FIRST_CHILD,
    HIGH,
    LOW,
    NODE,
    RAVE_TOTAL,
    RAVE_VISITS,
    UNIT,
    UNKNOWN_PAYOFF,
    VISITS,
    logarithm,
    mean,
)
from zermelo.word_arrays import Words


def select_child(node: int, allow_proven: bool, exploration: float, rave: float, payoff_scale: int, tree: Words) -> int:
    """Select a child: the first without visits, or the best by UCB1, among those that can still be best.

    With `allow_proven`, a proven child may be selected too, as long as another one may be worse. Payoffs are divided by
    `payoff_scale`, the largest absolute payoff so far. With `rave`, a child without visits has the mean of its move.
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
            if visits == 0 and (rave == 0.0 or tree[child + RAVE_VISITS] == 0):
                return child
            payoff = mean(child, tree)
            if rave > 0.0 and tree[child + RAVE_VISITS] > 0:
                share = sqrt(rave / (3.0 * visits + rave))
                payoff = (1.0 - share) * payoff + share * (tree[child + RAVE_TOTAL] / UNIT / tree[child + RAVE_VISITS])
            promise = payoff / payoff_scale + exploration * sqrt(explored / max(1, visits))
            if promise > most:
                most = promise
                best = child
    return best
