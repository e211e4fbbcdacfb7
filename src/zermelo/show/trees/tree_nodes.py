"""What is drawn of a trace: its nodes with all that is known of them, and how large trees are collapsed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from zermelo import textbook
from zermelo.game import Game, GameError
from zermelo.textbook import Trace, TraceNode
from zermelo.value import INFINITY, Score

MOST_DRAWN = 150
"""The nodes of a picture that nobody has limited."""

MOST_WHOLE = 100
"""The nodes of a tree that is drawn with all that was never visited."""

MOST_BESIDE = 24
"""The nodes that stand side by side, without others below them, in a picture for a sheet that nobody has limited."""

WIDTHS = (None, 8, 6, 5, 4, 3, 2)
"""Successors of a node that are drawn there, tried in turn."""

FEW = 3
"""So many successors with nothing to tell them apart are drawn as one."""

MOST_EVER = 4000
"""The nodes of any picture."""


@dataclass(slots=True)
class Drawn:
    """A node of the picture. One without `node` stands for `more` nodes that are left out."""

    node: TraceNode | None = None
    more: int = 0
    visited: bool = True
    """False for a node that was cut off, or lies below one."""
    under: int | None = None
    """Of a node below one that was cut off, the number of that one (its own counts in another record); of several that
    were cut off and are drawn as one, the number of the first."""
    window: tuple[Score, Score] | None = None
    """Alpha and beta when the node was left."""
    pv: bool = False
    known: bool = False
    probability: float | None = None
    each: float | None = None
    """The probability that all outcomes of a chance node have in common; then they do not repeat it."""
    children: list[Drawn] = field(default_factory=list)

    def __iter__(self) -> Iterator[Drawn]:
        """The node and all below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


def drawn(trace: Trace, depth: int | None = None, width: int | None = None, *, scrolls: bool = True) -> list[Drawn]:
    """The roots of the picture: to `depth` plies and with at most `width` successors a node, where those are given.

    Without them, the principal variation and as many levels as make a picture of MOST_DRAWN nodes; unless it
    `scrolls`, with so few successors that it fits on a sheet.
    """
    if any(step.action == "set" for step in trace.steps):
        raise GameError("tree_svg: this trace goes through states, not down a tree, and has no tree to draw.")
    if depth is not None or width is not None:
        return _limited(trace, depth, width, MOST_EVER)
    for each in (None,) if scrolls else WIDTHS:
        roots = _limited(trace, None, each, MOST_DRAWN)
        if sum(not node.children for root in roots for node in root) <= MOST_BESIDE:
            break
    return roots


def _limited(trace: Trace, depth: int | None, width: int | None, most: int) -> list[Drawn]:
    roots = [_Grower(trace, number).grown() for number in trace.roots]
    for root in roots:
        for node in list(root) if width is not None else ():
            _narrow(node, max(1, width or 1))
        _collapse(root, depth, most // len(roots))
    return roots


def has_bounds(trace: Trace) -> bool:
    """Whether alpha or beta was ever set: minimax has none."""
    return any(abs(bound) < INFINITY for step in trace.steps for bound in (step.alpha, step.beta))


# -- from the trace to the picture -----------------------------------------------------------------------------------


class _Grower:
    """Grows the picture of one search: its nodes, and below those that were cut off what the rules say is there."""

    def __init__(self, trace: Trace, root: int) -> None:
        self.trace, self.root = trace, root
        self.windows: dict[int, tuple[Score, Score]] = {}
        self.best: dict[int, int] = {}
        self.known: set[int] = set()
        self._read_steps()
        self.pv = set(_line(trace, root, self.best))
        self.full = full_trace(trace, root)

    def grown(self) -> Drawn:
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

    def _visited(self, node: TraceNode, twin: TraceNode | None, probability: float | None) -> Drawn:
        """A node of the trace; `twin` is the same node of the whole tree, where that is known."""
        if node.pruned:
            return self._cut_off(node, twin, probability)
        chances, each = _chances(self.trace.game, node)
        twins = {} if twin is None or self.full is None else {self._move(n): self.full.nodes[n] for n in twin.children}
        nodes = [self.trace.nodes[number] for number in node.children]
        children = [self._visited(child, twins.get(child.move), chances.get(child.move)) for child in nodes]
        return Drawn(
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

    def _cut_off(self, node: TraceNode, twin: TraceNode | None, probability: float | None) -> Drawn:
        if twin is None:
            return Drawn(node, visited=False, probability=probability)
        below = self._ghost(twin, node.number, probability)
        below.node, below.under = _like(node, twin), None
        return below

    def _ghost(self, node: TraceNode, under: int, probability: float | None) -> Drawn:
        assert self.full is not None
        chances, each = _chances(self.full.game, node)
        children = [self.full.nodes[number] for number in node.children]
        below = [self._ghost(child, under, chances.get(child.move)) for child in children]
        return Drawn(node, visited=False, under=under, probability=probability, each=each, children=below)


def _like(node: TraceNode, twin: TraceNode) -> TraceNode:
    """A node never visited, with what the whole tree knows of it."""
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


def _bundled(children: list[Drawn]) -> list[Drawn]:
    """The successors, with those that were cut off as one where they are many and nothing is known of them."""
    visited = [child for child in children if child.visited]
    cut_off = [child.node for child in children if not child.visited and child.node is not None]
    if len(cut_off) < FEW:
        return children
    return [*visited, Drawn(more=len(cut_off), visited=False, under=cut_off[0].number)]


def _chances(game: Game | None, node: TraceNode) -> tuple[dict[str, float], float | None]:
    """The probabilities of a chance node's outcomes by their texts, or the one that many of them share."""
    if game is None or node.kind != "chance" or node.leaf:
        return {}, None
    chances = {game.move_text(node.state, outcome): probability for outcome, probability in game.chances(node.state)}
    first = next(iter(chances.values()))
    if len(chances) > FEW and set(chances.values()) == {first}:
        return {}, first
    return chances, None


def full_trace(trace: Trace, root: int) -> Trace | None:
    """The whole tree of which a search has seen a part; None where it is too large, or not known."""
    game, node = trace.game, trace.nodes[root]
    if game is None or not any(each.pruned for each in trace.nodes):
        return None
    leaves = {each.leaf: each.ply for each in trace.nodes}
    repetition = "draw" if "repetition" in leaves else None
    try:
        full = Trace(limit=4 * MOST_WHOLE)
        textbook.expectiminimax(game, node.state, depth=leaves.get("evaluate"), repetition=repetition, trace=full)
    except GameError:
        return None
    return full if len(full.nodes) <= MOST_WHOLE else None


# -- large trees -----------------------------------------------------------------------------------------------------


def _narrow(node: Drawn, width: int) -> None:
    """Leave out what is beyond `width` successors, but never the principal variation, nor that some were cut off."""
    cut_off = [child for child in node.children if child.node is None and not child.visited]
    children = node.children[: len(node.children) - len(cut_off)]
    if len(children) <= width:
        return
    kept = children[:width]
    best = [child for child in children[width:] if child.pv]
    kept[width - len(best) :] = best
    left_out = [child for child in children if not any(child is one for one in kept)]
    node.children = [*kept, Drawn(more=sum(map(_size, left_out))), *cut_off]


def _collapse(root: Drawn, depth: int | None, most: int) -> None:
    """Open the principal variation and then level by level, as far as `depth` and `most` nodes go; close the rest."""
    opened: dict[int, Drawn] = {}
    room = most - 1

    def opens(node: Drawn) -> bool:
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


def _may_open(node: Drawn, depth: int | None) -> bool:
    return node.node is not None and bool(node.children) and (depth is None or node.node.ply < depth)


def _close(node: Drawn, opened: set[int]) -> None:
    """Replace what is below a node that is not opened by one node that counts it."""
    if node.children and id(node) not in opened:
        node.children = [Drawn(more=_size(node) - 1)]
    for child in node.children:
        _close(child, opened)


def _size(node: Drawn) -> int:
    return sum(each.more or 1 for each in node)
