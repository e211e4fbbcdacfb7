"""Report: what a search found, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from zermelo.formatting import Pretty, count_text
from zermelo.game import Game, Move, State
from zermelo.value import INFINITY, Score, Value, words

if TYPE_CHECKING:
    from zermelo.searching.tree_statistics import TreeStatistics


class Line(NamedTuple):
    """A move's value for the player to move, and the play that both sides then consider best.

    Where the value is exact, each move of the line is proven to be best, and it goes to the end that the value claims,
    or as far as that could be proven.
    """

    value: Value
    pv: tuple[Move, ...]


@dataclass(frozen=True)
class Report(Pretty):
    """The best lines known, best first, and what they cost. `move`, `value` and `pv` are those of the first.

    `depth` is the number of plies searched in full. `rounds` are the nodes of each iteration of iterative deepening, 0
    where another thread was an iteration ahead. Nodes are those of all threads, without the few that extended the
    lines. `bounds` are scores between which the value is proven to lie: an exact search that was stopped has narrowed
    them.
    """

    game: Game
    state: State
    lines: tuple[Line, ...]
    depth: int
    nodes: int
    seconds: float
    rounds: tuple[int, ...] = ()
    bounds: tuple[Score, Score] = (-INFINITY, INFINITY)

    @property
    def value(self) -> Value:
        return self.lines[0].value

    @property
    def move(self) -> Move:
        return self.pv[0]

    @property
    def pv(self) -> tuple[Move, ...]:
        return self.lines[0].pv

    @property
    def moves(self) -> dict[Move, Value]:
        """The value of each move of the lines."""
        return {line.pv[0]: line.value for line in self.lines}

    @property
    def growth(self) -> float | None:
        """How many times the nodes of the iteration before it the last iteration took; None after a single one."""
        if len(self.rounds) < 2 or not self.rounds[-2]:
            return None
        return self.rounds[-1] / self.rounds[-2]

    @property
    def statistics(self) -> TreeStatistics:
        """The nodes of each iteration beside the full and the minimal tree, and the branching factors."""
        from zermelo.searching.tree_statistics import measure

        return measure(self.game, self.state, self.rounds)

    @property
    def pv_text(self) -> list[str]:
        """The principal variation in the game's notation."""
        return self._texts(self.pv)

    def _texts(self, pv: tuple[Move, ...]) -> list[str]:
        texts, state = [], self.state
        for move in pv:
            texts.append(self.game.move_text(state, move))
            state = self.game.play(state, move)
        return texts

    def to_dict(self) -> dict[str, object]:
        """A record for JSON."""
        return {
            "value": self.value.to_dict(),
            "move": self.game.move_text(self.state, self.move),
            "pv": self.pv_text,
            "lines": [{"value": line.value.to_dict(), "pv": self._texts(line.pv)} for line in self.lines],
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "growth": self.growth,
            "rounds": list(self.rounds),
            "bounds": [words(bound) for bound in self.bounds],
        }

    def __str__(self) -> str:
        speed = f", {self.nodes / self.seconds / 1e6:.2f} M/s" if self.seconds > 0 else ""
        return f"{self.value}, depth {self.depth}, {count_text(self.nodes, 'node')}{speed}: {' '.join(self.pv_text)}"
