"""Expectiminimax: minimax with chance nodes, whose value is the expected value of their successors."""

from __future__ import annotations

from zermelo.game import Game, State
from zermelo.textbook.search_result import Result
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tree_node import Node
from zermelo.textbook.tree_walk import Walk
from zermelo.value import INFINITY, Score


def expectiminimax(
    game: Game,
    state: State = None,
    *,
    depth: int | None = None,
    repetition: str | None = None,
    trace: Trace | None = None,
) -> Result:
    """The expected payoff of `state` to the player to move there, with best play of both sides.

    Options as for minimax. A chance outcome counts as a ply. The principal variation ends at a chance node.

    >>> import zermelo as z
    >>> die = z.GameTree("die[1/6: 1, 1/6: 2, 1/6: 3, 1/6: 4, 1/6: 5, 1/6: 6]")
    >>> print(expectiminimax(die))
    expectiminimax: +3.50 (7 nodes, 6 leaves, 0 cut-offs)
    """
    walk = Walk("expectiminimax", game, state, depth=depth, repetition=repetition, trace=trace, chance=True)
    return walk.result(walk.run(lambda root: node_value(walk, root)))


def node_value(walk: Walk, node: Node) -> Score:
    """The value of a node seen by Max: the greatest, the least or the expected value of its successors."""
    if (score := walk.enter(node)) is not None:
        return score
    if node.chance:
        return walk.leave(node, expected_value(walk, node))
    best: Score = -INFINITY * node.sign
    for child in walk.children(node):
        score = node_value(walk, child)
        if score > best if node.sign > 0 else score < best:
            best = score
            walk.update(node, child, best)
    return walk.leave(node, best)


def expected_value(walk: Walk, node: Node) -> Score:
    """The sum of probability times value, over the outcomes of a chance node."""
    total: Score = 0
    for child, probability in walk.outcomes(node):
        total += probability * node_value(walk, child)
        walk.update(node, None, total)
    return total
