"""A game with its true values, and what every answer about it must satisfy."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import zermelo as z
from random_graphs import Graph
from reference import DECISIVE, WIN_SCORE, Truth, same

INFINITY = 2_000_000


class Wrong(AssertionError):
    """An answer that the reference knows to be wrong."""


@dataclass(eq=False)
class Case:
    """A game, its graph, and which state and which moves stand for each node."""

    game: Any
    graph: Graph
    truth: Truth
    codes: list[Any]
    moves: list[list[Any]]
    evaluation: str = "level"
    dress: str = "as it is"
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.numbers = {state: node for node, state in enumerate(self.codes)}

    @property
    def compiled(self) -> bool:
        """Whether the game's rules run as machine code."""
        return self.game.native is not False

    @property
    def wild(self) -> bool:
        """Whether evaluations may be no numbers at all, which searches may refuse with a sentence."""
        return self.evaluation in ("nan", "infinite", "huge") and self.game.has("evaluate")

    def roots(self, rng: random.Random, count: int) -> list[int]:
        """Some nodes to search: the first one, where it is one to search, and others."""
        nodes = [node for node in self.graph.decisions() if node in self.graph.reachable()]
        return [*nodes[:1], *rng.sample(nodes[1:], min(count - 1, len(nodes) - 1))] if nodes else []

    def after(self, node: int, move: Any) -> int:
        """The node after a move, which must be legal."""
        require(move in self.moves[node], f"{move!r} is not a move in {self.codes[node]!r}")
        return self.graph.targets[node][self.place(node, move)]

    def place(self, node: int, move: Any) -> int:
        return self.moves[node].index(move)


def require(holds: Any, sentence: str) -> None:
    if not holds:
        raise Wrong(sentence)


# -- reports -----------------------------------------------------------------------------------------------------------


def check_report(
    case: Case,
    node: int,
    report: Any,
    *,
    whole: bool = False,
    most: int = 1,
    sampled: bool = False,
    ranked: bool = True,
) -> None:
    """All that a report says of a node is true; where it is `whole`, exact lines go on to the end."""
    case.counts["reports"] += 1
    true = case.truth.scores[node]
    require(case.numbers[report.state] == node, f"the report is about {report.state!r}")
    require(1 <= len(report.lines) <= min(most, len(case.moves[node])), f"{len(report.lines)} lines")
    first = [line.pv[0] for line in report.lines]
    require(all(move not in first[:i] for i, move in enumerate(first)), f"moves come twice: {first}")
    for line in report.lines:
        _check_line(case, node, line, whole=whole, sampled=sampled)
    low, high = report.bounds
    require(
        low <= high and (low <= true or same(low, true)) and (true <= high or same(high, true)),
        f"bounds {report.bounds}, truth {true}",
    )
    if report.value.exact:
        case.counts["exact"] += 1
        require(same(report.value.score, true), f"{report.value} is called exact, truth {true}")
    exact = [line.value.score for line in report.lines if line.value.exact]
    falling = all(a >= b or same(a, b) for a, b in pairwise(exact))
    require(falling or not ranked, "lines are not best first")
    require(report.nodes >= 0 and report.depth >= 0, f"nodes {report.nodes}, depth {report.depth}")


def _check_line(case: Case, node: int, line: Any, *, whole: bool, sampled: bool) -> None:
    """A line is legal, its value is true of its first move, and where it is exact it is perfect play."""
    value, graph = line.value, case.graph
    require(line.pv, "a line has no move")
    require(not (sampled and value.exact), "a value of samples is called exact")
    true = case.truth.of_move(node, case.place(node, line.pv[0])) if line.pv[0] in case.moves[node] else 0
    check_value(case, value, true, graph.mover[node], f" by {line.pv[0]!r}")
    here, best = node, value.exact
    for ply, move in enumerate(line.pv):
        following = case.after(here, move)
        if best and ply > 0:
            score, kept = case.truth.scores[here], case.truth.of_move(here, case.place(here, move))
            require(same(score, kept), f"the line of {value} plays {move!r} at ply {ply}: {kept} in place of {score}")
        here = following
        if ply + 1 < len(line.pv):
            require(graph.end(here) is None and graph.odds[here] is None, "a line goes on after its end")
    if best and graph.has_distance and abs(value.score) >= DECISIVE:
        case.counts["won lines"] += 1
        left = WIN_SCORE - abs(value.score) - len(line.pv)
        require(left >= 0, f"the line of {value} has {len(line.pv)} plies")
        require(not whole or left == 0, f"the line of {value} ends after {len(line.pv)} plies")
    if best and whole and not graph.loops and not graph.chance:
        require(graph.end(here) is not None, f"the line of {value} ends before the game does")


def check_value(case: Case, value: Any, true: float, player: int | None = None, how: str = "") -> None:
    """A value holds: exactly, as a bound, or as an outcome."""
    flag = "exact" if value.exact else value.bound
    sentence = f"{value}{how} ({flag}, {value.score}), truth {true}"
    if case.graph.free and player is not None and value.bound != "unknown":
        require(value.player == player, f"{value!r} is seen by player {value.player}, not {player}")
    if value.bound == "lower":
        require(true >= value.score or same(true, value.score), sentence)
    elif value.bound == "upper":
        require(true <= value.score or same(true, value.score), sentence)
    elif value.exact:
        require(same(value.score, true), sentence)
    if value.outcome is not None:
        require(value.outcome == (true > 0) - (true < 0), sentence)
    if value.plies is not None and case.graph.has_distance and value.outcome:
        require(value.exact and value.plies == WIN_SCORE - abs(true), sentence)
    require(value.score == value.score, f"{value!r} is no number")
    if case.graph.chance and value.bound != "unknown":
        most = case.graph.greatest
        require(-most - 1e-9 <= value.score <= most + 1e-9, f"{value!r} is beyond all payoffs")


def refused(case: Case, error: Exception) -> bool:
    """Whether an error is the game's own fault: an evaluation that is no number, or beyond its bounds."""
    faulty = case.evaluation in ("nan", "infinite", "huge", "large") and case.game.has("evaluate")
    return faulty and isinstance(error, z.GameError) and ("`evaluate`" in str(error) or "estimate" in str(error))
