"""The nodes of a tree picture, made from a trace; large trees are collapsed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from zermelo import textbook
from zermelo.game import Game, GameError
from zermelo.show.trees.drawn_node import PLAIN, Detail, DrawnNode
from zermelo.show.trees.tree_cards import room_for_nodes
from zermelo.show.trees.tree_folding import fold_siblings
from zermelo.textbook import Trace, TraceNode
from zermelo.value import INFINITY, Score

DEFAULT_MAX_NODES = 150
"""The nodes of a picture without an explicit limit."""

MAX_FULL_TREE = 100
"""The nodes of a tree that is drawn together with its unvisited nodes."""

MAX_LEAVES_ON_PAGE = 24
"""The leaves of a picture that fits on a page, without an explicit limit."""

WIDTH_LIMITS = (None, 8, 6, 5, 4, 3, 2)
"""Limits of successors per node for such a picture, tried in turn."""

MIN_BUNDLE = 3
"""The least number of unvisited successors, or of equal probabilities, that are drawn as one."""

MAX_NODES = 4000
"""The nodes of a picture with an explicit depth or width."""


def drawn(
    trace: Trace, depth: int | None = None, width: int | None = None, *, scrolls: bool = True, detail: Detail = PLAIN
) -> list[DrawnNode]:
    """Return the roots of the picture: to `depth` plies and with at most `width` successors a node, if given.

    Without them, the principal variation and as many levels as fit into DEFAULT_MAX_NODES nodes; unless the picture
    `scrolls`, the number of successors is limited so that it fits on a page.
    """
    if any(step.action == "set" for step in trace.steps):
        raise GameError("tree_svg: this trace goes through states, not down a tree, and has no tree to draw.")
    if depth is not None or width is not None:
        return _limited(trace, depth, width, MAX_NODES, detail)
    most = DEFAULT_MAX_NODES
    if detail.boards:
        most = room_for_nodes(trace.game, trace.nodes[trace.roots[0]].state, most)
    for each in (None,) if scrolls else WIDTH_LIMITS:
        roots = _limited(trace, None, each, most, detail)
        if sum(not node.children for root in roots for node in root) <= MAX_LEAVES_ON_PAGE:
            break
    return roots


def _limited(trace: Trace, depth: int | None, width: int | None, most: int, detail: Detail) -> list[DrawnNode]:
    roots = [_Grower(trace, number).grown() for number in trace.roots]
    for root in roots:
        fold_siblings(root, trace.game, detail)
        for node in list(root) if width is not None else ():
            _narrow(node, max(1, width or 1))
        _collapse(root, depth, most // len(roots))
    return roots


def has_bounds(trace: Trace) -> bool:
    """Return whether alpha or beta was ever set: minimax has none."""
    return any(abs(bound) < INFINITY for step in trace.steps for bound in (step.alpha, step.beta))


# -- from the trace to the picture -----------------------------------------------------------------------------------


class _Grower:
    """Builds the nodes of one search, and below pruned nodes those of the full tree."""

    def __init__(self, trace: Trace, root: int) -> None:
        self.trace, self.root = trace, root
        self.windows: dict[int, tuple[Score, Score]] = {}
        self.best: dict[int, int] = {}
        self.known: set[int] = set()
        self._read_steps()
        self.pv = set(_line(trace, root, self.best))
        self.full = full_trace(trace, root)

    def grown(self) -> DrawnNode:
        top = None if self.full is None else self.full.nodes[self.full.roots[0]]
        return self._visited(self.trace.nodes[self.root], top, None)

    def _read_steps(self) -> None:
        """Collect the last window of each node, its best successor, and the values used again."""
        closed = -1
        for step in self.trace.steps:
            if step.action in ("enter", "update", "cut", "leave", "leaf"):
                self.windows[step.node] = (step.alpha, step.beta)
            if step.action in ("leave", "leaf"):
                closed = step.node
            elif step.action == "known":
                closed = self._child(step.node, step.note.rpartition(" is known: ")[0])
                self.known.add(closed)
            elif step.action == "update" and closed >= 0 and self.trace.nodes[closed].parent == step.node:
                self.best[step.node] = closed

    def _child(self, number: int, move: str) -> int:
        return next(child for child in self.trace.nodes[number].children if self.trace.nodes[child].move == move)

    def _visited(self, node: TraceNode, twin: TraceNode | None, probability: float | None) -> DrawnNode:
        """Return a node of the trace; `twin` is the same node of the full tree, if that is known."""
        if node.pruned:
            return self._cut_off(node, twin, probability)
        chances, each = _chances(self.trace.game, node)
        twins = {} if twin is None or self.full is None else {self._move(n): self.full.nodes[n] for n in twin.children}
        nodes = [self.trace.nodes[number] for number in node.children]
        children = [self._visited(child, twins.get(child.move), chances.get(child.move)) for child in nodes]
        return DrawnNode(
            node,
            window=self.windows.get(node.number),
            pv=node.number in self.pv,
            known=node.number in self.known,
            probability=probability,
            each=each,
            children=children if self.full else _bundled(children),
        )

    def _move(self, number: int) -> str:
        assert self.full is not None
        return self.full.nodes[number].move

    def _cut_off(self, node: TraceNode, twin: TraceNode | None, probability: float | None) -> DrawnNode:
        if twin is None:
            return DrawnNode(node, visited=False, probability=probability)
        below = self._ghost(twin, node.number, probability)
        below.node, below.under = _like(node, twin), None
        return below

    def _ghost(self, node: TraceNode, under: int, probability: float | None) -> DrawnNode:
        assert self.full is not None
        chances, each = _chances(self.full.game, node)
        children = [self.full.nodes[number] for number in node.children]
        below = [self._ghost(child, under, chances.get(child.move)) for child in children]
        return DrawnNode(node, visited=False, under=under, probability=probability, each=each, children=below)


def _like(node: TraceNode, twin: TraceNode) -> TraceNode:
    """Return an unvisited node with the facts of the full tree."""
    return TraceNode(
        node.number, node.parent, node.name, node.move, twin.kind, node.ply, twin.state, twin.state_text,
        value=twin.value, leaf=twin.leaf, pruned=True,
    )  # fmt: skip


def _line(trace: Trace, root: int, best: dict[int, int]) -> Iterator[int]:
    """The principal variation; it ends where chance moves."""
    number: int | None = root
    while number is not None:
        yield number
        number = None if trace.nodes[number].kind == "chance" else best.get(number)


def _bundled(children: list[DrawnNode]) -> list[DrawnNode]:
    """Return the successors, with many pruned ones drawn as one."""
    visited = [child for child in children if child.visited]
    cut_off = [child.node for child in children if not child.visited and child.node is not None]
    if len(cut_off) < MIN_BUNDLE:
        return children
    return [*visited, DrawnNode(more=len(cut_off), visited=False, under=cut_off[0].number)]


def _chances(game: Game | None, node: TraceNode) -> tuple[dict[str, float], float | None]:
    """The probabilities of a chance node's outcomes by their texts, or the one that many of them share."""
    if game is None or node.kind != "chance" or node.leaf:
        return {}, None
    chances = {game.move_text(node.state, outcome): probability for outcome, probability in game.chances(node.state)}
    first = next(iter(chances.values()))
    if len(chances) > MIN_BUNDLE and set(chances.values()) == {first}:
        return {}, first
    return chances, None


def full_trace(trace: Trace, root: int) -> Trace | None:
    """Return the full tree of which a search has visited a part; None if it is too large or unknown."""
    game, node = trace.game, trace.nodes[root]
    if game is None or not any(each.pruned for each in trace.nodes):
        return None
    leaves = {each.leaf: each.ply for each in trace.nodes}
    repetition = "draw" if "repetition" in leaves else None
    try:
        full = Trace(limit=4 * MAX_FULL_TREE)
        textbook.expectiminimax(game, node.state, depth=leaves.get("evaluate"), repetition=repetition, trace=full)
    except GameError:
        return None
    return full if len(full.nodes) <= MAX_FULL_TREE else None


# -- large trees -----------------------------------------------------------------------------------------------------


def _narrow(node: DrawnNode, width: int) -> None:
    """Drop successors beyond `width`, but keep the principal variation and the count of pruned ones."""
    cut_off = [child for child in node.children if child.node is None and not child.visited]
    children = node.children[: len(node.children) - len(cut_off)]
    if len(children) <= width:
        return
    kept = children[:width]
    best = [child for child in children[width:] if child.pv]
    kept[width - len(best) :] = best
    left_out = [child for child in children if not any(child is one for one in kept)]
    node.children = [*kept, DrawnNode(more=sum(map(_size, left_out))), *cut_off]


def _collapse(root: DrawnNode, depth: int | None, most: int) -> None:
    """Expand the principal variation and then level by level, within `depth` and `most` nodes; collapse the rest."""
    opened: dict[int, DrawnNode] = {}
    room = most - 1

    def opens(node: DrawnNode) -> bool:
        nonlocal room
        if id(node) not in opened and _may_open(node, depth) and len(node.children) <= room:
            opened[id(node)] = node
            room -= len(node.children)
        return id(node) in opened

    all(opens(node) for node in root if node.pv)
    waiting = deque([root])
    while waiting:
        node = waiting.popleft()
        if opens(node):
            waiting.extend(node.children)
    _close(root, set(opened))


def _may_open(node: DrawnNode, depth: int | None) -> bool:
    return node.node is not None and bool(node.children) and (depth is None or node.node.ply < depth)


def _close(node: DrawnNode, opened: set[int]) -> None:
    """Replace the descendants of a collapsed node by one node that counts them."""
    if node.children and id(node) not in opened:
        node.children = [DrawnNode(more=_size(node) - 1)]
    for child in node.children:
        _close(child, opened)


def _size(node: DrawnNode) -> int:
    return sum(each.more or 1 for each in node)
