"""Value iteration: games of chance with cycles, by sweeping over all values until they converge."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.formatting import count_text
from zermelo.game import ONGOING, Game, GameError, State
from zermelo.textbook.game_graph import Edge, Graph, reachable_graph, start_trace, trace_entry
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tree_node import check_game
from zermelo.textbook.value_table import Table, table_of
from zermelo.value import Score, Value

TOLERANCE = 1e-9
"""Values that differ by less count as equal."""


@dataclass(frozen=True, kw_only=True)
class Iteration(Table):
    """A table with the number of sweeps, summed over the stages."""

    sweeps: int


def value_iteration(
    game: Game,
    state: State = None,
    *,
    epsilon: float = 1e-12,
    symmetric: bool = False,
    sweeps: int = 100_000,
    trace: Trace | None = None,
) -> Iteration:
    """The expected payoff of every state reachable from `state`, to the player to move there.

    Values of unfinished states start at 0. Each sweep sets every state to the best value of its successors, or to the
    expected value at a chance node, until no value changes by more than `epsilon`. Raise GameError if the values do not
    converge within `sweeps`. Stages (see the game's `stage`) are solved one by one, the last first, since no move leads
    back. With payoffs WIN and LOSS the probability of winning is (1 + value) / 2.

    Play that never ends has the value 0. If a player can force that, the sweeps may converge to values that neither
    player can achieve. Raise GameError then too.

    >>> import zermelo as z
    >>> class Duel(z.Game):
    ...     '''Take turns to roll a die; the first six wins.'''
    ...     loops = True
    ...     def initial(self): return (0, -1)
    ...     def moves(self, state): return ()
    ...     def is_chance(self, state): return True
    ...     def chances(self, state): yield 1, 1 / 6; yield 0, 5 / 6
    ...     def play(self, state, six): return (1 - state[0], state[0] if six else -1)
    ...     def result(self, state): return z.ONGOING if state[1] < 0 else z.LOSS
    ...     def mover(self, state): return state[0]
    >>> round((1 + value_iteration(Duel()).value.score) / 2, 9) == round(6 / 11, 9)
    True
    """
    check_game("value_iteration", game, trace)
    graph = reachable_graph(game, state, symmetric=symmetric)
    terms = [[(edge.target, _weight(edge)) for edge in edges] for edges in graph.edges]
    values: list[Score] = [0 if payoff == ONGOING else payoff for payoff in graph.payoffs]
    total = 0
    for stage in _stages(graph):
        total += _iterate(graph, stage, terms, values, epsilon, sweeps)
        _check_cycles(graph, stage, terms, values, max(2 * epsilon, TOLERANCE))
    start_trace(trace, "value_iteration")
    for number, value in enumerate(values):
        trace_entry(trace, graph, number, value, f"after {count_text(total, 'sweep')}")
    return Iteration(**table_of("value_iteration", graph, [Value.expected(value) for value in values]), sweeps=total)


def _weight(edge: Edge) -> float:
    """The factor of a successor's value: its probability, negated if the player changes."""
    return -edge.probability if edge.changes_player else edge.probability


def _stages(graph: Graph) -> list[list[int]]:
    """The numbers of the unfinished states by stage, the last stage first.

    Within a stage the states found last come first: they are nearest to the terminal states, so values propagate far in
    one sweep.
    """
    stages: dict[int, list[int]] = {}
    for number in range(len(graph.states) - 1, -1, -1):
        if graph.edges[number]:
            stages.setdefault(graph.game.stage(graph.states[number]), []).append(number)
    return [stages[stage] for stage in sorted(stages, reverse=True)]


def _iterate(
    graph: Graph, stage: list[int], terms: list[list[tuple[int, float]]], values: list[Score], epsilon: float, most: int
) -> int:
    """Sweep over the states of one stage until their values converge, and return the number of sweeps."""
    for count in range(1, most + 1):
        change = 0.0
        for number in stage:
            parts = [weight * values[target] for target, weight in terms[number]]
            value = sum(parts) if graph.chance[number] else max(parts)
            change = max(change, abs(value - values[number]))
            values[number] = value
        if change <= epsilon:
            return count
    raise GameError(
        f"value_iteration of {graph.game!r}: after {count_text(most, 'sweep')} values still change by {change:g}, more "
        "than epsilon."
    )


def _check_cycles(
    graph: Graph, stage: list[int], terms: list[list[tuple[int, float]]], values: list[Score], near: float
) -> None:
    """Raise GameError if the values are a fixed point but not the values of the game.

    That happens if a player has a positive value and the other player can cycle forever: in a set of states of one
    value that chance does not leave, the first player cannot leave by a best move and the other need not. If there is
    no such set, best moves lead out of every cycle and achieve the values, so these are proven.
    """
    trapped = {number for number in stage if abs(values[number]) > near}
    shrinks = True
    while shrinks:
        free = {number for number in trapped if not _stays(graph, number, terms[number], values, trapped, near)}
        trapped, shrinks = trapped - free, bool(free)
    if trapped:
        state = graph.game.state_text(graph.states[max(trapped, key=lambda number: abs(values[number]))])
        raise GameError(
            f"value_iteration of {graph.game!r}: play can cycle forever at {state}, and its sweeps converge to a "
            "value there that neither player can achieve."
        )


def _stays(
    graph: Graph, number: int, ways: list[tuple[int, float]], values: list[Score], trapped: set[int], near: float
) -> bool:
    """Whether play from this state can stay in the trapped set against the player with the positive value."""
    if graph.chance[number]:
        value = abs(values[number])
        return all(target in trapped and abs(abs(values[target]) - value) <= near for target, _ in ways)
    best = [target for target, weight in ways if abs(weight * values[target] - values[number]) <= near]
    return (all if values[number] > 0 else any)(target in trapped for target in best)
