"""The parts of a trace: steps, nodes and cut-offs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zermelo.game import State
from zermelo.value import EXACT, INFINITY, Score, words


def plain(score: Score | None) -> str:
    """A score as trees show it: 3, -2, ∞, win in 5.

    >>> plain(3), plain(INFINITY), plain(None)
    ('3', '∞', '')
    """
    return "" if score is None else words(score).removeprefix("+")


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut-off: its kind, the inequality that caused it, and the node that set the bound."""

    name: str
    """'alpha' or 'beta'."""
    inequality: str
    """In numbers: '5 >= 3'."""
    reason: str
    """In words: 'value >= beta'."""
    reach: str
    """'shallow': the parent set the bound; 'deep': it was set two or more levels up; 'window': the caller set it."""
    owner: str | None
    """The name of the node that set the bound; None for the window of the search."""

    def __str__(self) -> str:
        whose = f"bound of {self.owner}" if self.owner is not None else "bound of the search window"
        reach = f"{self.reach}, " if self.owner is not None else ""
        return f"{self.name} cut-off: {self.inequality}, {self.reason} ({reach}{whose})"

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what was done at which node, and the node's alpha, beta and value after it.

    Actions: search, enter, leaf, update, cut, prune, known, leave, set. `node` is an index into `Trace.nodes`.
    """

    action: str
    node: int
    alpha: Score = -INFINITY
    beta: Score = INFINITY
    value: Score | None = None
    note: str = ""
    cut: Cut | None = None
    line: int | None = None
    """The line of the pseudo-code, counted from 0; None if it has none."""

    def to_dict(self, nodes: list[TraceNode]) -> dict[str, Any]:
        node = nodes[self.node] if self.node >= 0 else None
        return {
            "action": self.action,
            "node": self.node,
            "name": node.name if node else "",
            **_numbers(self.alpha, self.beta, self.value),
            "note": self.note,
            "cut": self.cut.to_dict() if self.cut else None,
            "line": self.line,
        }


@dataclass(slots=True)
class TraceNode:
    """A node of the recorded tree; one that was never visited is `pruned`."""

    number: int
    parent: int | None
    name: str
    move: str
    kind: str
    """max, min or chance; for a node never visited, empty."""
    ply: int
    state: State = None
    state_text: str = ""
    alpha: Score = -INFINITY
    beta: Score = INFINITY
    value: Score | None = None
    bound: str = EXACT
    leaf: str = ""
    """Why the node is a leaf: end, stuck, evaluate or repetition."""
    pruned: bool = False
    cut: Cut | None = None
    children: list[int] = field(default_factory=list)

    def to_dict(self, nodes: list[TraceNode]) -> dict[str, Any]:
        return {
            "number": self.number,
            "name": self.name,
            "move": self.move,
            "kind": self.kind,
            "ply": self.ply,
            "state": self.state_text,
            **_numbers(self.alpha, self.beta, self.value),
            "bound": self.bound,
            "leaf": self.leaf,
            "pruned": self.pruned,
            "cut": self.cut.to_dict() if self.cut else None,
            "children": [nodes[child].to_dict(nodes) for child in self.children],
        }


def _numbers(alpha: Score, beta: Score, value: Score | None) -> dict[str, Any]:
    """Numbers with their text. Infinities become None, since JSON has none."""
    scores = {"alpha": alpha, "beta": beta, "value": value}
    numbers = {name: None if score is None or abs(score) >= INFINITY else score for name, score in scores.items()}
    return numbers | {f"{name}_text": plain(score) for name, score in scores.items()}
