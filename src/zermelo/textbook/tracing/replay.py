"""Replay: step through a trace forward and backward."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.formatting import Pretty
from zermelo.game import GameError
from zermelo.textbook.tracing.trace_steps import Step, plain
from zermelo.textbook.tracing.trace_text import step_text
from zermelo.value import Score

if TYPE_CHECKING:
    from zermelo.textbook.tracing.trace import Trace


@dataclass(frozen=True, slots=True)
class OpenNode:
    """A node on the current path: its window and its value so far (None before its first successor returns)."""

    node: int
    name: str
    kind: str
    ply: int
    alpha: Score
    beta: Score
    value: Score | None

    def __str__(self) -> str:
        numbers = f"alpha {plain(self.alpha)}, beta {plain(self.beta)}"
        value = "" if self.value is None else f", value {plain(self.value)}"
        return f"{self.name} ({self.kind}): {numbers}{value}"


@dataclass(frozen=True, slots=True)
class Snapshot(Pretty):
    """The state of a search after `count` steps: the path from the root, and the nodes that are closed or cut off."""

    count: int
    step: Step | None
    path: tuple[OpenNode, ...]
    closed: dict[int, Score | None]
    """Values by node number."""
    pruned: tuple[int, ...]
    text: str
    """The last step in words."""

    def __str__(self) -> str:
        return "\n".join([f"{self.count}. {self.text}", *(f"  {node}" for node in self.path)])


def snapshot(trace: Trace, count: int) -> Snapshot:
    """The snapshot after `count` steps, by replaying them from the first."""
    path: list[OpenNode] = []
    closed: dict[int, Score | None] = {}
    pruned: list[int] = []
    for step in trace.steps[:count]:
        if step.action == "search":
            path.clear()
        elif step.action == "enter":
            path.append(_open(trace, step))
            closed.pop(step.node, None)
        elif step.action in ("leaf", "leave"):
            path.pop()
            closed[step.node] = step.value
        elif step.action == "set":
            closed[step.node] = step.value
        elif step.action == "prune":
            pruned.append(step.node)
        else:
            path[-1] = _open(trace, step)
    last = trace.steps[count - 1] if count else None
    return Snapshot(
        count, last, tuple(path), closed, tuple(pruned), step_text(trace, last) if last else "before the search"
    )


def _open(trace: Trace, step: Step) -> OpenNode:
    node = trace.nodes[step.node]
    return OpenNode(node.number, node.name, node.kind, node.ply, step.alpha, step.beta, step.value)


class Replay(Pretty):
    """A cursor in a trace. It is after `position` steps; moving it returns the snapshot there.

    >>> import zermelo as z
    >>> trace = z.Trace()
    >>> _ = z.textbook.minimax(z.GameTree([[3, 12], [8, 2]]), trace=trace)
    >>> replay = trace.replay()
    >>> [replay.forward().text for _ in range(2)]
    ['minimax', 'enter root (max)']
    >>> replay.back().text
    'minimax'
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.position = 0

    @property
    def snapshot(self) -> Snapshot:
        return self.trace.at(self.position)

    def forward(self, steps: int = 1) -> Snapshot:
        """Move forward by some steps, at most to the end."""
        return self.goto(min(self.position + steps, len(self.trace)))

    def back(self, steps: int = 1) -> Snapshot:
        """Move back by some steps, at most to the beginning."""
        return self.goto(max(self.position - steps, 0))

    def goto(self, position: int) -> Snapshot:
        """Move to `position`; negative positions count from the end, -1 is after the last step."""
        length = len(self.trace)
        target = position + length + 1 if position < 0 else position
        if not 0 <= target <= length:
            raise GameError(f"The trace has steps 0 to {length}, not {position}.")
        self.position = target
        return self.snapshot

    def __str__(self) -> str:
        return str(self.snapshot)

    def __iter__(self) -> Iterator[Snapshot]:
        """Iterate over the snapshots from here to the end."""
        while self.position < len(self.trace):
            yield self.forward()
