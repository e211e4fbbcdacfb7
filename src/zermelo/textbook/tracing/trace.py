"""Trace: every step of a search, to print, to draw and to replay.

Numbers in a trace are seen by Max, the player to move at the root, in whatever form the algorithm is written: at a
Min node a value at or below alpha is an *alpha cut-off*, at a Max node a value at or above beta a *beta cut-off*.
Distances count from the root, as the search compares them, so a bound is the same number at every node it reaches.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from zermelo.formatting import Pretty
from zermelo.game import Game, GameError, State
from zermelo.textbook.pseudocode import Pseudocode
from zermelo.textbook.tracing.replay import Replay, Snapshot, snapshot
from zermelo.textbook.tracing.trace_steps import Cut, Step, TraceNode, plain
from zermelo.textbook.tracing.trace_text import steps_text, tree_text
from zermelo.value import EXACT, LOWER, UPPER, Score


@dataclass(slots=True)
class _Open:
    """An open node: its current window, and the nodes that set its bounds (None: the window of the search)."""

    node: TraceNode
    alpha: Score
    beta: Score
    alpha_owner: TraceNode | None = None
    beta_owner: TraceNode | None = None
    value: Score | None = None
    probing: bool = False
    probed: bool = False
    cut_line: int | None = None


class Trace(Pretty):
    """A record of a search, given to any textbook algorithm as `trace=`.

    >>> import zermelo as z
    >>> trace = z.Trace()
    >>> z.textbook.alphabeta(z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))"), trace=trace).value.score
    3
    >>> [str(step.cut) for step in trace if step.cut]  # doctest: +NORMALIZE_WHITESPACE
    ['beta cut-off: 5 >= 3, value >= beta (shallow, bound of B)',
     'alpha cut-off: 1 <= 3, value <= alpha (shallow, bound of A)']

    `limit` is the maximal number of steps. A search that needs more raises GameError.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit
        self.game: Game | None = None  # the game of the tree, to draw it
        self.code: Pseudocode | None = None  # of the search
        self.steps: list[Step] = []
        self.nodes: list[TraceNode] = []
        self.roots: list[int] = []
        self._open: list[_Open] = []

    # -- recording, called by a Walk -------------------------------------------------------------------------------

    def search(self, title: str) -> None:
        """A new search starts, perhaps after an interrupted one."""
        self._open.clear()
        self._add(Step("search", -1, note=title))

    def enter(
        self, name: str, move: str, kind: str, ply: int, alpha: Score, beta: Score, state: State, state_text: str
    ) -> None:
        """A node is entered, with its window."""
        node = self._node(name, move, ply)
        node.kind, node.state, node.state_text, node.pruned = kind, state, state_text, False
        node.alpha, node.beta = alpha, beta
        self._open.append(self._opened(node, alpha, beta))
        self._add(Step("enter", node.number, alpha, beta))

    def leaf(self, value: Score, reason: str) -> None:
        """The open node is a leaf and is closed with its value."""
        now = self._open[-1]
        now.node.value, now.node.leaf = value, reason
        self._add(Step("leaf", now.node.number, now.alpha, now.beta, value, reason))
        self._open.pop()

    def update(self, value: Score, alpha: Score, beta: Score, note: str = "") -> None:
        """The open node's value changed, and perhaps alpha or beta."""
        now = self._open[-1]
        if alpha > now.alpha:
            now.alpha, now.alpha_owner = alpha, now.node
        if beta < now.beta:
            now.beta, now.beta_owner = beta, now.node
        now.value = value
        self._add(Step("update", now.node.number, now.alpha, now.beta, value, note))

    def known(self, move: str, value: Score) -> None:
        """A successor of the open node was searched before, and its value is used again."""
        now = self._open[-1]
        self._add(Step("known", now.node.number, now.alpha, now.beta, now.value, f"{move} is known: {plain(value)}"))

    def cut(self, value: Score, bound: Score, name: str, sign: str, rest: Iterable[tuple[str, str]]) -> None:
        """The open node's other successors, `rest`, are cut off because of `value` and `bound`."""
        now = self._open[-1]
        owner = now.alpha_owner if name == "alpha" else now.beta_owner
        ply = now.node.ply
        cut = Cut(
            name,
            f"{plain(value)} {sign} {plain(bound)}",
            f"value {sign} {name}",
            "window" if owner is None else "shallow" if owner.number == now.node.parent else "deep",
            None if owner is None else owner.name,
        )
        now.node.cut = cut
        self._add(Step("cut", now.node.number, now.alpha, now.beta, value, str(cut), cut))
        now.cut_line = self.steps[-1].line
        for child, move in rest:
            self._prune(child, move, ply + 1)

    def probe(self, probing: bool) -> None:
        """The open chance node begins, or ends, to probe its successors."""
        self._open[-1].probing = probing

    def postpone(self, rest: Iterable[tuple[str, str]]) -> None:
        """The open node is only probed: `rest`, its other successors, stay unvisited unless it is entered again."""
        for name, move in rest:
            node = self._node(name, move, self._open[-1].node.ply + 1)
            node.pruned = not node.kind

    def leave(self, value: Score, bound: str = "") -> None:
        """The open node is closed with its value; outside its window the value is only a bound."""
        now = self._open[-1]
        node = now.node
        node.value = value
        node.bound = bound or (LOWER if value >= node.beta else UPPER if value <= node.alpha else EXACT)
        self._add(Step("leave", node.number, now.alpha, now.beta, value, node.bound))
        self._open.pop()

    def set(self, name: str, value: Score, note: str, state: State, state_text: str, leaf: str = "") -> None:
        """An entry of a table is set: for the algorithms over states, not trees."""
        node = TraceNode(len(self.nodes), None, name, "", "", 0, state, state_text, value=value, leaf=leaf)
        self.nodes.append(node)
        self.roots.append(node.number)
        self._add(Step("set", node.number, value=value, note=note))

    def path(self) -> list[str]:
        """The moves that lead from the root to the open node."""
        return [now.node.move for now in self._open[1:]]

    def state(self) -> State:
        """The state of the open node; None before the root is entered."""
        return self._open[-1].node.state if self._open else None

    def _add(self, step: Step) -> None:
        if self.limit is not None and len(self.steps) >= self.limit:
            raise GameError(
                f"The trace has reached its limit of {self.limit} steps; search less deep, or raise `limit`."
            )
        self.steps.append(step if self.code is None else replace(step, line=self._line(step)))

    def _line(self, step: Step) -> int | None:
        """The line of the pseudo-code for a step at the open node."""
        if self.code is None or not self._open:
            return None
        now = self._open[-1]
        if step.action == "prune" or (
            step.action == "leave" and now.node.kind == "chance" and now.cut_line is not None
        ):
            return now.cut_line
        return self.code.line(step.action, _role(now, step))

    def _node(self, name: str, move: str, ply: int) -> TraceNode:
        """The child of the open node by `move`; the same node when it is visited again."""
        parent = self._open[-1].node if self._open else None
        for number in parent.children if parent else ():
            if self.nodes[number].move == move:
                return self.nodes[number]
        node = TraceNode(len(self.nodes), None if parent is None else parent.number, name, move, "", ply)
        self.nodes.append(node)
        (self.roots if parent is None else parent.children).append(node.number)
        return node

    def _opened(self, node: TraceNode, alpha: Score, beta: Score) -> _Open:
        """The node with the owners of its bounds: the parent set those that differ from its own window."""
        if not self._open:
            return _Open(node, alpha, beta)
        above = self._open[-1]
        alpha_owner = above.alpha_owner if alpha == above.alpha else above.node
        beta_owner = above.beta_owner if beta == above.beta else above.node
        probed = above.probing and above.node.kind == "chance"
        return _Open(node, alpha, beta, alpha_owner, beta_owner, probed=probed)

    def _prune(self, name: str, move: str, ply: int) -> None:
        node = self._node(name, move, ply)
        if not node.kind:
            node.pruned = True
            self._add(Step("prune", node.number, note="never visited"))

    # -- reading -----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, index: int) -> Step:
        return self.steps[index]

    def at(self, count: int) -> Snapshot:
        """The snapshot after the first `count` steps: the open path with its windows, and the values found so far."""
        if not 0 <= count <= len(self.steps):
            raise GameError(f"The trace has steps 0 to {len(self.steps)}, not {count}.")
        return snapshot(self, count)

    def replay(self) -> Replay:
        """A cursor that steps forward and backward, placed before the first step."""
        return Replay(self)

    @property
    def cuts(self) -> list[tuple[TraceNode, Cut]]:
        """Every cut-off with the node at which it happened, in order."""
        return [(self.nodes[step.node], step.cut) for step in self.steps if step.cut]

    @property
    def pruned(self) -> list[str]:
        """The names of the nodes never visited, in order."""
        return [node.name for node in self.nodes if node.pruned]

    def __str__(self) -> str:
        return steps_text(self)

    def tree_text(self) -> str:
        """The visited tree as text, with values, cut-offs and the nodes that were never visited."""
        return tree_text(self)

    def to_dict(self) -> dict[str, Any]:
        """The steps, the nested tree and the lines of the pseudo-code as plain records; an infinite bound is None."""
        return {
            "code": [] if self.code is None else list(self.code.lines),
            "steps": [step.to_dict(self.nodes) for step in self.steps],
            "tree": [self.nodes[root].to_dict(self.nodes) for root in self.roots],
        }

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)


def _role(now: _Open, step: Step) -> str:
    """What a node is to the pseudo-code: its kind, whether it probes or is probed, or the bound that cuts it off."""
    if now.probed and step.action in ("enter", "leave"):
        return "probed"
    if now.node.kind == "chance" and step.action in ("update", "cut"):
        return "probing" if now.probing else "chance" if step.cut is None else step.cut.name
    return now.node.kind
