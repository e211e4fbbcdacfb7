"""A hand-made tree as a board: its nodes are points, and a piece marks the current node."""

from __future__ import annotations

from zermelo.board import Fields, Piece, Points
from zermelo.games.game_tree.tree_text import Numbered

MAX_DRAWN_NODES = 80
"""Nodes of a tree that is drawn; of a larger one, the node alone is described."""

MAX, MIN, CHANCE, LEAF = (
    Piece("^", 0, "▲", "Max to move"),
    Piece("v", 1, "▼", "Min to move"),
    Piece("?", None, "◆", "chance"),
    Piece("=", None, "■", "the end"),
)


def board(nodes: list[Numbered], node: int) -> Points | Fields:
    """The whole tree with a piece on one node; leaves are named by their payoff to Max."""
    here = _kind(nodes[node])
    if len(nodes) > MAX_DRAWN_NODES:
        return _described(nodes, nodes[node], here)
    cells = "".join(here.mark if number == node else "." for number in range(len(nodes)))
    lines = tuple((number, child) for number, parent in enumerate(nodes) for child in _children(parent))
    names = tuple(each.name if each.count else str(each.payoff) for each in nodes)
    return Points(cells, _places(nodes), lines, names, (MAX, MIN, CHANCE, LEAF))


def squares(nodes: list[Numbered], child: int) -> tuple[int, ...]:
    """The square of the node that a move leads to."""
    return (child,) if len(nodes) <= MAX_DRAWN_NODES else ()


def _described(nodes: list[Numbered], node: Numbered, here: Piece) -> Fields:
    if not node.count:
        return Fields(("node", "payoff to Max"), (node.name, str(node.payoff)))
    names = " ".join(nodes[child].name for child in _children(node))
    return Fields(("node", "turn", "successors"), (node.name, here.label, names))


def _kind(node: Numbered) -> Piece:
    if not node.count:
        return LEAF
    return CHANCE if node.chance else (MAX, MIN)[node.player]


def _children(node: Numbered) -> range:
    return range(node.first, node.first + node.count)


def _places(nodes: list[Numbered]) -> tuple[tuple[float, float], ...]:
    """Leaves side by side, in order; parents above the middle of their successors."""
    across = [0.0] * len(nodes)
    level = [0] * len(nodes)
    leaves = 0

    def place(number: int) -> None:
        nonlocal leaves
        for child in _children(nodes[number]):
            level[child] = level[number] + 1
            place(child)
        if not nodes[number].count:
            across[number], leaves = float(leaves), leaves + 1
        else:
            children = _children(nodes[number])
            across[number] = (across[children[0]] + across[children[-1]]) / 2

    place(0)
    return tuple(zip(across, (1.5 * depth for depth in level), strict=True))
