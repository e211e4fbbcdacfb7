"""Table: the result of an algorithm that computes the value of every state, not only of the root."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from zermelo import rules
from zermelo.game import GameError, Move, State
from zermelo.textbook.game_graph import Edge, Graph
from zermelo.textbook.search_result import Result
from zermelo.value import Score, Value, later


@dataclass(frozen=True, kw_only=True)
class Table(Result):
    """A result with the value of every reachable state; `nodes` is their number."""

    graph: Graph
    values: list[Value]
    """By the numbers of the states in the graph; each value is seen by the player to move there."""

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[State]:
        return iter(self.graph.states)

    def __getitem__(self, state: State) -> Value:
        """The state's value, seen by its player to move."""
        return self.values[self._number(state)]

    def best(self, state: State) -> list[Move]:
        """All best moves of a state; empty at a chance node or if the game is over."""
        number = self._number(state)
        return best_moves(self.graph, number, lambda i: self.values[i].score)

    def to_dict(self) -> dict[str, Any]:
        graph = self.graph
        plain = Result(**{field.name: getattr(self, field.name) for field in fields(Result)})
        states = [
            {"state": graph.game.state_text(state), "value": value.to_dict()}
            for state, value in zip(graph.states, self.values, strict=True)
        ]
        return plain.to_dict() | {"states": states}

    def _number(self, state: State) -> int:
        number = self.graph.number(state)
        if number is None:
            game = self.graph.game
            raise GameError(f"{self.algorithm} of {game!r}: {game.state_text(state)} cannot be reached from the root.")
        return number


def backed_up(edge: Edge, score: Score) -> Score:
    """A successor's score backed up by one ply, seen by the player to move."""
    return later(-score if edge.changes_player else score)


def best_moves(graph: Graph, number: int, score: Callable[[int], Score]) -> list[Move]:
    """The moves of a state that lead to its greatest score."""
    edges = [] if graph.chance[number] else graph.edges[number]
    scores = [backed_up(edge, score(edge.target)) for edge in edges]
    return [edge.move for edge, found in zip(edges, scores, strict=True) if found == max(scores)]


def table_of(algorithm: str, graph: Graph, values: list[Value]) -> dict[str, Any]:
    """The fields of a Table whose values are known."""
    game = graph.game
    values = [value.seen_by(rules.mover(game, state)) for value, state in zip(values, graph.states, strict=True)]
    pv, line = _principal_variation(graph, values)
    return {
        "algorithm": algorithm,
        "graph": graph,
        "values": values,
        "value": values[0],
        "move": pv[0] if pv else None,
        "pv": pv,
        "line": line,
        "nodes": len(graph.states),
        "leaves": sum(not edges for edges in graph.edges),
    }


def _principal_variation(graph: Graph, values: list[Value]) -> tuple[tuple[Move, ...], tuple[str, ...]]:
    """Best play from the root until the game ends, a chance node is reached, or a state repeats."""
    game, number = graph.game, 0
    pv: list[Move] = []
    line: list[str] = []
    visited: set[int] = set()
    while number not in visited and (best := best_moves(graph, number, lambda i: values[i].score)):
        visited.add(number)
        edge = next(edge for edge in graph.edges[number] if edge.move in best[:1])  # nan is not equal to itself
        pv.append(edge.move)
        line.append(game.move_text(graph.states[number], edge.move))
        number = edge.target
    return tuple(pv), tuple(line)
