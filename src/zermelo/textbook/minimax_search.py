"""Minimax: the value of a game tree, in max/min form and as negamax."""

from __future__ import annotations

from zermelo.game import Game, State
from zermelo.textbook.search_result import Result
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tree_node import Node
from zermelo.textbook.tree_walk import Walk
from zermelo.value import INFINITY, Score


def minimax(
    game: Game,
    state: State = None,
    *,
    depth: int | None = None,
    repetition: str | None = None,
    trace: Trace | None = None,
) -> Result:
    """The value of `state` (the initial one by default) with best play of both sides, in max/min form.

    Max is the player to move at the root and takes the greatest successor, Min the least. With `depth`, states
    that many plies down are scored by the game's `evaluate`. Raise RepetitionError if a state repeats on the path,
    unless `repetition="draw"` or a depth is given.

    >>> import zermelo as z
    >>> print(minimax(z.GameTree([[3, 12], [8, 2]])))
    minimax: +3 by 1 1 (7 nodes, 4 leaves, 0 cut-offs)
    """
    walk = Walk("minimax", game, state, depth=depth, repetition=repetition, trace=trace)
    return walk.result(walk.run(lambda root: node_value(walk, root)))


def node_value(walk: Walk, node: Node) -> Score:
    return max_value(walk, node) if node.sign > 0 else min_value(walk, node)


def max_value(walk: Walk, node: Node) -> Score:
    """The value of a node where Max moves: the greatest of its successors' values."""
    if (score := walk.enter(node)) is not None:
        return score
    best: Score = -INFINITY
    for child in walk.children(node):
        score = node_value(walk, child)
        if score > best:
            best = score
            walk.update(node, child, best)
    return walk.leave(node, best)


def min_value(walk: Walk, node: Node) -> Score:
    """The value of a node where Min moves: the least of its successors' values."""
    if (score := walk.enter(node)) is not None:
        return score
    best: Score = INFINITY
    for child in walk.children(node):
        score = node_value(walk, child)
        if score < best:
            best = score
            walk.update(node, child, best)
    return walk.leave(node, best)


def negamax(
    game: Game,
    state: State = None,
    *,
    depth: int | None = None,
    repetition: str | None = None,
    trace: Trace | None = None,
) -> Result:
    """The same value as minimax, with every node seen by its player to move: the maximum of -value.

    >>> import zermelo as z
    >>> print(negamax(z.GameTree([[3, 12], [8, 2]])))
    negamax: +3 by 1 1 (7 nodes, 4 leaves, 0 cut-offs)
    """
    walk = Walk("negamax", game, state, depth=depth, repetition=repetition, trace=trace, negamax=True)
    return walk.result(walk.run(lambda root: negamax_value(walk, root)))


def negamax_value(walk: Walk, node: Node) -> Score:
    """The value of a node for its player to move."""
    if (score := walk.enter(node)) is not None:
        return score
    best: Score = -INFINITY
    for child in walk.children(node):
        score = walk.seen_by_parent(node, child, negamax_value(walk, child))
        if score > best:
            best = score
            walk.update(node, child, best)
    return walk.leave(node, best)
