"""The tree of Monte Carlo tree search.

It is one array of words, ten to a node, the root first and the children of a node side by side. Everything in a
node is seen by the mover of its parent; in the root, by the mover of the root:

    MOVE         the move that leads here; 0 for outcomes of chance, which are identified by their index
    FIRST_CHILD  the index of the first child; 0: none yet
    COUNT        the number of children
    VISITS       the number of playouts through the node
    TOTAL        the sum of their payoffs, in units of 1 / UNIT
    LOW          the payoff is at least this
    HIGH         the payoff is at most this
    SIGN         -1 if the other player moves here, else 1; 0: unknown
    RAVE_VISITS  the number of playouts through the parent in which its mover played this move at any time afterwards
    RAVE_TOTAL   the sum of their payoffs, as TOTAL
"""

from __future__ import annotations

from zermelo import bits
from zermelo.word_arrays import Words

MOVE, FIRST_CHILD, COUNT, VISITS, TOTAL, LOW, HIGH, SIGN, RAVE_VISITS, RAVE_TOTAL = range(10)
NODE = 10
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
