"""The graph of a game: every reachable state once, with its successors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zermelo import rules
from zermelo.game import ONGOING, Game, Move, State
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tree_node import NAME_LENGTH
from zermelo.value import Score


@dataclass(frozen=True, slots=True)
class Edge:
    """A move, or an outcome of chance, to the state with number `target`."""

    move: Move
    target: int
    changes_player: bool
    """The other player moves at the target: its value changes sign."""
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class Graph:
    """States numbered breadth first; the root is number 0."""

    game: Game
    states: list[State]
    numbers: dict[State, int]
    edges: list[list[Edge]]
    payoffs: list[int]
    """The payoff of the player to move in terminal states, ONGOING in others."""
    chance: list[bool]
    symmetric: bool = False

    def number(self, state: State) -> int | None:
        """The state's number, up to symmetry if the graph is symmetric; None if the state was not reached."""
        return self.numbers.get(self.game.canonical(state) if self.symmetric else state)


ProgressCallback = Callable[[str, int, int], None]
"""Called after each state with the phase, "forward" or "backward", the states that are finished, and all so far."""


def ignore_progress(phase: str, done: int, total: int) -> None:
    """The callback where nobody wants to know."""


def reachable_graph(
    game: Game, state: State = None, *, symmetric: bool = False, progress: ProgressCallback = ignore_progress
) -> Graph:
    """The graph of all states reachable from `state`. With `symmetric`, equivalent states are one."""
    root = rules.given_state(game, state)
    root = _canonical(game, root) if symmetric else root
    graph = Graph(game, [root], {root: 0}, [], [], [], symmetric)
    for state in graph.states:  # the list grows during the loop
        graph.payoffs.append(rules.payoff(game, state))
        over = graph.payoffs[-1] != ONGOING
        graph.chance.append(not over and game.is_chance(state))
        graph.edges.append([] if over else _edges(graph, state, graph.chance[-1]))
        progress("forward", len(graph.edges), len(graph.states))
    return graph


def _edges(graph: Graph, state: State, chance: bool) -> list[Edge]:
    """The edges of a state. New successors are added to the graph."""
    game = graph.game
    chosen = rules.listed_chances(game, state) if chance else [(move, 1.0) for move in rules.listed_moves(game, state)]
    edges = []
    for move, probability in chosen:
        child = rules.checked_play(game, state, move)
        turns = rules.changes_player(game, state, child)
        child = _canonical(game, child) if graph.symmetric else child
        if child not in graph.numbers:
            graph.numbers[child] = len(graph.states)
            graph.states.append(child)
        edges.append(Edge(move, graph.numbers[child], turns, probability))
    return edges


def _canonical(game: Game, state: State) -> State:
    return rules.checked_state(game, "canonical", game.canonical(state), state)


def start_trace(trace: Trace | None, algorithm: str) -> None:
    if trace is not None:
        trace.search(algorithm)


def trace_entry(trace: Trace | None, graph: Graph, number: int, value: Score, note: str, *, leaf: str = "") -> None:
    """Record that a state's entry is set. `leaf` is the remark after its value."""
    if trace is not None:
        state = graph.states[number]
        text = graph.game.state_text(state)
        name = text if "\n" not in text and len(text) <= 2 * NAME_LENGTH else f"state {number}"
        trace.set(name, value, note, state, text, leaf)
