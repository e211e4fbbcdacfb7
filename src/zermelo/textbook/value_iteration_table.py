"""Value iteration: games of chance that may go round in loops, by improving all values until they stand still."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.formatting import count_text
from zermelo.game import ONGOING, Game, GameError, State
from zermelo.textbook.game_graph import Graph, begin, reachable, trace_entry
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tree_node import check_game
from zermelo.textbook.value_table import Table, table_of
from zermelo.value import Score, Value

NEAR = 1e-9
"""Values as near as this are taken to be equal."""


@dataclass(frozen=True, kw_only=True)
class Iteration(Table):
    """A table with the number of sweeps it took, summed over the stages."""

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
    """The expected payoff of every state that can be reached from `state`, to the player to move there.

    Every sweep gives each state the best, or at a chance state the expected, value of its successors, beginning with 0
    for what is not over, until no value changes by more than `epsilon`; after `sweeps` it says that they do not settle.
    Stages (see the game's `stage`) are settled one by one, the last first, since no move leads back. With
    payoffs WIN and LOSS the probability of winning is (1 + value) / 2.

    Play that never ends is worth 0. Where a player can bring that about, the sweeps may settle on values that nobody
    can reach; that is found out, and said.

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
    graph = reachable(game, state, symmetric=symmetric)
    terms = [[(edge.target, edge.probability * (-1 if edge.turns else 1)) for edge in edges] for edges in graph.edges]
    values: list[Score] = [0 if payoff == ONGOING else payoff for payoff in graph.payoffs]
    total = 0
    for stage in _stages(graph):
        total += _settle(graph, stage, terms, values, epsilon, sweeps)
        _prove(graph, stage, terms, values, max(2 * epsilon, NEAR))
    begin(trace, "value_iteration")
    for number, value in enumerate(values):
        trace_entry(trace, graph, number, value, f"after {count_text(total, 'sweep')}")
    return Iteration(**table_of("value_iteration", graph, [Value.expected(value) for value in values]), sweeps=total)


def _stages(graph: Graph) -> list[list[int]]:
    """The numbers of the unfinished states by stage, the last stage first.

    Within a stage the states found last come first: they are nearest to the ends, so that news travels a long way in
    one sweep.
    """
    stages: dict[int, list[int]] = {}
    for number in range(len(graph.states) - 1, -1, -1):
        if graph.edges[number]:
            stages.setdefault(graph.game.stage(graph.states[number]), []).append(number)
    return [stages[stage] for stage in sorted(stages, reverse=True)]


def _settle(
    graph: Graph, stage: list[int], terms: list[list[tuple[int, float]]], values: list[Score], epsilon: float, most: int
) -> int:
    """Sweep over the states of one stage until their values stand still, and return how often."""
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


def _prove(
    graph: Graph, stage: list[int], terms: list[list[tuple[int, float]]], values: list[Score], near: float
) -> None:
    """Refuse values that are not those of the game, though each is the best or the expected one of its successors.

    That is so where a player is promised more than 0, and the other one can go round for ever: in a set of states of
    one value that chance does not leave, the first cannot leave by a best move, and the other need not. Where there is
    no such set, best moves that lead out of every loop bring what is promised, and the values are proven.
    """
    trapped = {number for number in stage if abs(values[number]) > near}
    shrinks = True
    while shrinks:
        free = {number for number in trapped if not _stays(graph, number, terms[number], values, trapped, near)}
        trapped, shrinks = trapped - free, bool(free)
    if trapped:
        state = graph.game.state_text(graph.states[max(trapped, key=lambda number: abs(values[number]))])
        raise GameError(
            f"value_iteration of {graph.game!r}: play can go round for ever at {state}, and its sweeps settle on a "
            "value there that nobody can reach."
        )


def _stays(
    graph: Graph, number: int, ways: list[tuple[int, float]], values: list[Score], trapped: set[int], near: float
) -> bool:
    """Whether play at this state can be kept among those trapped, against the player who is promised something."""
    if graph.chance[number]:
        value = abs(values[number])
        return all(target in trapped and abs(abs(values[target]) - value) <= near for target, _ in ways)
    best = [target for target, weight in ways if abs(weight * values[target] - values[number]) <= near]
    return (all if values[number] > 0 else any)(target in trapped for target in best)
