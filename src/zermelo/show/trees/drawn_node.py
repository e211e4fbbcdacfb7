"""A node of a tree picture, and how much a picture shows of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from zermelo.textbook import TraceNode
from zermelo.value import Score


@dataclass(frozen=True)
class Detail:
    """How much a picture shows of each node: its board, and symmetric siblings one by one or as one node."""

    boards: bool = False
    fold: bool = False
    unfold: frozenset[int] = frozenset()
    """The numbers of nodes whose successors are not folded."""


PLAIN = Detail()


@dataclass(slots=True)
class DrawnNode:
    """A node of the picture. One without `node` represents `more` nodes that are left out."""

    node: TraceNode | None = None
    more: int = 0
    visited: bool = True
    """False for a node that was pruned, or lies below one."""
    under: int | None = None
    """For a node below a pruned one, the number of the pruned one (its own number belongs to another trace); for
    several pruned nodes that are drawn as one, the number of the first."""
    window: tuple[Score, Score] | None = None
    """Alpha and beta when the node was left."""
    pv: bool = False
    known: bool = False
    probability: float | None = None
    each: float | None = None
    """The common probability of all outcomes of a chance node; then the outcomes do not repeat it."""
    folds: list[int] = field(default_factory=list)
    """The numbers of the symmetric siblings."""
    folded: int = 0
    """How many symmetric siblings this node stands for."""
    children: list[DrawnNode] = field(default_factory=list)

    def __iter__(self) -> Iterator[DrawnNode]:
        """Iterate over the node and its descendants."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))
