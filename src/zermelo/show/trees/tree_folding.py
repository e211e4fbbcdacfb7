"""Folding: siblings that a symmetry of the game turns into each other are drawn as one node."""

from __future__ import annotations

from zermelo.game import Game
from zermelo.show.trees.drawn_node import Detail, DrawnNode


def fold_siblings(root: DrawnNode, game: Game | None, detail: Detail) -> None:
    """Fold the symmetric successors of every node, except of those that `detail` unfolds."""
    if game is None or not detail.fold or not (game.has("symmetries") or game.has("canonical")):
        return
    for node in root:
        unfolded = node.node is not None and node.node.number in detail.unfold and node.under is None
        node.children = _folded(game, node.children, unfolded)


def _folded(game: Game, children: list[DrawnNode], unfolded: bool) -> list[DrawnNode]:
    """Return one node of each class of symmetric ones: that of the principal variation, else the first."""
    classes: dict[object, list[DrawnNode]] = {}
    for child in children:
        known = child.node is not None and child.node.state is not None
        key = (child.visited, game.canonical(child.node.state)) if known and child.node else id(child)
        classes.setdefault(key, []).append(child)
    kept = []
    for alike in classes.values():
        first = next((child for child in alike if child.pv), alike[0])
        others = [child for child in alike if child is not first]
        first.folds = [child.node.number for child in others if child.node is not None and child.under is None]
        first.folded = 0 if unfolded else len(others)
        kept += alike if unfolded else [first]
    return kept
