"""The tree of Monte Carlo tree search.

It is one array of words, eight to a node, the root first and the children of a node side by side. Everything in a
node is seen by the mover of its parent; in the root, by the mover of the root:

    MOVE         the move that leads here; 0 for outcomes of chance, which are identified by their index
    FIRST_CHILD  the index of the first child; 0: none yet
    COUNT        the number of children
    VISITS       the number of playouts through the node
    TOTAL        the sum of their payoffs, in units of 1 / UNIT
    LOW          the payoff is at least this
    HIGH         the payoff is at most this
    SIGN         -1 if the other player moves here, else 1; 0: unknown
"""

from __future__ import annotations

from math import sqrt

from zermelo import bits
from zermelo.word_arrays import Words

MOVE, FIRST_CHILD, COUNT, VISITS, TOTAL, LOW, HIGH, SIGN = range(8)
NODE = 8
"""Words of a node."""

UNIT = 1 << 20
"""Sums are whole numbers of 1 / UNIT."""

UNKNOWN_PAYOFF = 1 << 30
"""A bound beyond every payoff."""


def new_tree(megabytes: float, moves: int, low: int, high: int) -> Words:
    """Return a tree of at most `megabytes`, but with room for every move of the root; its payoff is in [low, high]."""
    tree = Words.zeros(max(int(megabytes * (1 << 20)) // 8, (1 + moves) * NODE))
    tree[LOW], tree[HIGH], tree[SIGN] = low, high, 1
    return tree


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


def mean(node: int, tree: Words) -> float:
    """The mean payoff of a node, clamped to its proven bounds; 0 without visits."""
    payoff = tree[node + TOTAL] / UNIT / max(1, tree[node + VISITS])
    return min(max(payoff, float(tree[node + LOW])), float(tree[node + HIGH]))


def logarithm(n: int) -> float:
    """The natural logarithm, exact at powers of two and linear between them.

    The last digit of a library's logarithm depends on the library, and a search must not.
    """
    power = bits.msb(n)
    return 0.6931471805599453 * (power + n / (1 << power) - 1.0)


def backup_bounds(node: int, chance: bool, tree: Words) -> None:
    """Back up bounds from the children of a node: the best for a player, the widest where chance moves."""
    first = tree[node + FIRST_CHILD]
    low = tree[first + LOW]
    high = tree[first + HIGH]
    for child in range(first + NODE, first + tree[node + COUNT] * NODE, NODE):
        high = max(high, tree[child + HIGH])
        low = min(low, tree[child + LOW]) if chance else max(low, tree[child + LOW])
    narrow_bounds(node, low, high, tree)


def narrow_bounds(node: int, low: int, high: int, tree: Words) -> None:
    """Tighten the bounds of a node by (low, high), seen by the mover of the node."""
    if tree[node + SIGN] < 0:
        low, high = -high, -low
    tree[node + LOW] = max(tree[node + LOW], low)
    tree[node + HIGH] = min(tree[node + HIGH], high)
