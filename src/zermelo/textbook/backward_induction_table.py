"""Backward induction: the value of every state, level by level from the last to the root, as in Zermelo's proof."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo import rules
from zermelo.game import ONGOING, Game, GameError, State
from zermelo.textbook.game_graph import (
    Graph,
    ProgressCallback,
    ignore_progress,
    reachable_graph,
    start_trace,
    trace_entry,
)
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tree_node import check_game
from zermelo.textbook.value_table import Table, backed_up, table_of
from zermelo.value import DECISIVE, Score, Value, ending


class Repeats(GameError):
    """Play repeats a state, whose text is `where`."""

    def __init__(self, problem: str, where: str) -> None:
        super().__init__(problem)
        self.where = where


@dataclass(frozen=True, kw_only=True)
class Induction(Table):
    """A table with its levels: every move leads to a later level."""

    levels: tuple[tuple[State, ...], ...] = ()


def backward_induction(
    game: Game,
    state: State = None,
    *,
    symmetric: bool = False,
    trace: Trace | None = None,
    progress: ProgressCallback = ignore_progress,
) -> Induction:
    """The value of every state reachable from `state` (the initial one by default).

    Every state is evaluated once, however many paths lead to it: first the last level, where the game is over, then
    level by level up to the root. The game may have chance nodes but no cycles. With `symmetric`, equivalent states
    (by `symmetries` or `canonical`) are one. `progress` is called after each state with "forward" or "backward", the
    number of states that are finished, and that of all so far.

    >>> import zermelo as z
    >>> table = backward_induction(z.GameTree([[3, 12], [8, 2]]))
    >>> print(table.value, len(table), [len(level) for level in table.levels])
    +3 7 [1, 2, 4]
    """
    check_game("backward_induction", game, trace)
    graph = reachable_graph(game, state, symmetric=symmetric, progress=progress)
    levels = levels_of(graph)
    start_trace(trace, "backward_induction")
    scores: list[Score] = [0] * len(graph.states)
    done = 0
    for level, numbers in reversed(list(enumerate(levels))):
        for number in numbers:
            scores[number] = _score(graph, number, scores)
            trace_entry(trace, graph, number, scores[number], f"level {level}")
            done += 1
            progress("backward", done, len(graph.states))
    values = [_value(graph, number, score) for number, score in enumerate(scores)]
    named = tuple(tuple(graph.states[number] for number in level) for level in levels)
    return Induction(**table_of("backward_induction", graph, values), levels=named)


def levels_of(graph: Graph) -> list[list[int]]:
    """State numbers by level, the length of the longest path from the root: a topological order.

    Raise Repeats if there is none.
    """
    waiting = [0] * len(graph.states)  # incoming edges that are not processed yet
    for edges in graph.edges:
        for edge in edges:
            waiting[edge.target] += 1
    levels, done = [[0]] if not waiting[0] else [], 0
    while levels and levels[-1]:
        done += len(levels[-1])
        following: list[int] = []
        for number in levels[-1]:
            for edge in graph.edges[number]:
                waiting[edge.target] -= 1
                if not waiting[edge.target]:
                    following.append(edge.target)
        levels.append(following)
    if done < len(graph.states):
        _refuse_loop(graph, waiting)
    return levels[:-1]


def _refuse_loop(graph: Graph, waiting: list[int]) -> None:
    """Raise Repeats for a cycle: walk back through the states that are left until one repeats."""
    sources = {edge.target: number for number, edges in enumerate(graph.edges) if waiting[number] for edge in edges}
    number, visited = next(i for i, ways in enumerate(waiting) if ways), set()
    while number not in visited:
        visited.add(number)
        number = sources[number]
    game = graph.game
    other = "value_iteration" if rules.has_chance(game) else "retrograde"
    where = game.state_text(graph.states[number])
    raise Repeats(
        f"backward_induction of {game!r} needs a game without loops, but {where} repeats; "
        f"use {other}, which copes with loops.",
        where,
    )


def _score(graph: Graph, number: int, scores: list[Score]) -> Score:
    """A state's score: its payoff, the expected score of its outcomes, or the best score of its successors."""
    payoff = graph.payoffs[number]
    if payoff != ONGOING:
        return ending(payoff, 0) if rules.has_distance(graph.game) else _checked_points(graph, number, payoff)
    if graph.chance[number]:
        return sum(edge.probability * backed_up(edge, scores[edge.target]) for edge in graph.edges[number])
    return max(backed_up(edge, scores[edge.target]) for edge in graph.edges[number])


def _checked_points(graph: Graph, number: int, points: int) -> int:
    if abs(points) >= DECISIVE:
        raise GameError(
            f"backward_induction of {graph.game!r}: {graph.game.state_text(graph.states[number])} is worth {points} "
            f"points, and scores have room for less than {DECISIVE}."
        )
    return points


def _value(graph: Graph, number: int, score: Score) -> Value:
    chance = rules.has_chance(graph.game)
    return Value.of(score, exact=True, margin=graph.game.margin, chance=chance)
