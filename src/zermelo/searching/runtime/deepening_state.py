"""The state of iterative deepening: the rounds so far and the best lines of the root."""

from __future__ import annotations

from zermelo.searching.runtime.search_worker import RootMove, Worker
from zermelo.value import DECISIVE


class DeepeningState:
    """Depth, nodes and best lines of the rounds so far. Callers hold the lock of the search."""

    def __init__(self, count: int, max_depth: int) -> None:
        self.count = count
        """How many lines are searched."""
        self.max_depth = max_depth
        self.depth = 0
        self.lines: list[RootMove] = []
        self.rounds: list[int] = []
        """Nodes of each round; 0 if another thread was a round ahead."""
        self._counted_nodes = 0

    @property
    def best_move(self) -> int | None:
        """The best move; None before the first round."""
        return self.lines[0].line[0] if self.depth else None

    def next_depth(self, worker: Worker) -> int:
        """Choose the depth of a worker's next round; every other worker searches a ply deeper."""
        worker.target_depth = min(self.depth + 1 + worker.number % 2, self.max_depth)
        return worker.target_depth

    def add_round(self, depth: int, nodes: int) -> None:
        """Record a finished round; `nodes` are those of the search so far."""
        self.rounds += [0] * (depth - self.depth - 1) + [nodes - self._counted_nodes]
        self._counted_nodes = nodes
        self.depth = depth

    def exclude_nodes(self, nodes: int) -> None:
        """Leave nodes of a proof out of the next round."""
        self._counted_nodes += nodes

    def merged(self, found: list[RootMove]) -> list[RootMove]:
        """Merge lines with the exact ones of earlier rounds, which stay as they are; best first."""
        exact = {line.line[0]: line for line in self.lines if line.exact}
        lines = [exact.pop(line.line[0], line) for line in found]
        return sorted([*lines, *exact.values()], key=lambda line: (-line.score, not line.exact))[: self.count]

    def merged_unfinished(self, found: list[RootMove], untried: list[int]) -> list[RootMove]:
        """Merge the lines of a round that was cut short with those of the last round; best first.

        If all known lines lose, an untried move comes first, though it scored no better in the last round.
        """
        taken = [line.line[0] for line in found]
        former = [line for line in self.lines if line.line[0] not in taken]
        unknown = [move for move in untried if move not in [line.line[0] for line in former]]
        lines = self.merged([*found, *former])
        if lines[0].score <= -DECISIVE and unknown:
            lines.insert(0, RootMove(self.lines[-1].score, (unknown[0],)))
        return lines[: self.count]
