"""Games over random graphs, interpreted: the rules a graph needs, any of the optional ones, and states in disguise.

`game_of(kind, seed)` makes a game; everything about it follows from these two. Evaluations are worthless on purpose.
`bounds` and `candidates` are sound, since they come from the reference.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from disguises import MOVES, OUTCOMES, STATES, UNORDERED, states
from random_graphs import Graph, made
from reference import Truth, truth
from zermelo import ONGOING, Game

MOST, LEAST = 1_000_000, -1_000_000


@dataclass(eq=False)
class Plan:
    """All that the rules of one game read."""

    graph: Graph
    truth: Truth
    rules: tuple[str, ...]
    evaluation: str
    disguise: str
    codes: list[Any]
    moves: list[list[Any]]
    numbers: dict[Any, int] = field(default_factory=dict)
    evaluations: list[float] = field(default_factory=list)
    guesses: list[int] = field(default_factory=list)
    skips: list[int] = field(default_factory=list)
    bounds: list[tuple[int, int]] = field(default_factory=list)
    candidates: list[list[int]] = field(default_factory=list)

    def node(self, state: Any) -> int:
        return self.numbers[state]

    def place(self, node: int, move: Any) -> int:
        """Which of the node's moves, or outcomes, this is."""
        return self.moves[node].index(move)


@functools.lru_cache(maxsize=8)
def plan_of(kind: str, seed: int) -> Plan:
    """The plan of a game; everything is drawn from its kind and seed."""
    graph, rng = made(kind, seed), random.Random(f"plan {kind} {seed}")
    disguise = rng.choice(("numbers", *STATES))
    how, outcomes = MOVES[rng.choice(("places", *MOVES))], OUTCOMES[rng.choice((*OUTCOMES,))]
    labels = [
        [how(node, i) if graph.odds[node] is None else outcomes(i) for i in range(len(graph.targets[node]))]
        for node in range(len(graph))
    ]
    plan = Plan(
        graph,
        truth(graph),
        _rules(graph, rng, disguise),
        rng.choice(EVALUATIONS),
        disguise,
        states(disguise, len(graph), rng),
        labels,
    )
    plan.numbers = {state: node for node, state in enumerate(plan.codes)}
    _advise(plan, rng)
    return plan


EVALUATIONS = ("level", "points", "halves", "truth", "large", "huge", "nan", "infinite")


def _rules(graph: Graph, rng: random.Random, disguise: str) -> tuple[str, ...]:
    """The optional rules of the game, in order."""
    rules = {"stuck", "stage"} & {rule for rule in ("stuck", "stage") if rng.random() < 0.8}
    if any(graph.payoff[node] is None and not graph.targets[node] for node in range(len(graph))):
        rules.add("stuck")
    rules |= {rule for rule in ("order", "noisy", "forcing", "bounds", "candidates") if rng.random() < 0.3}
    if graph.margin and graph.loops:  # a move that keeps the points may put off their payment for ever
        rules.discard("candidates")
    if rng.random() < 0.7:
        rules.add("evaluate")
    if graph.free:
        rules.add("mover")
    if graph.chance:
        rules |= {"is_chance", "chances"}
    if graph.twin[0] and rng.random() < 0.8:
        rules.add("canonical" if disguise in UNORDERED or rng.random() < 0.5 else "symmetries")
    if disguise != "mixed" and rng.random() < 0.2:
        rules.add("skip")
    if rng.random() < 0.2:
        rules.add("key")
    if rng.random() < 0.2:
        rules.add("reductions")
    if rng.random() < 0.2:
        rules.add("futility")
    if rng.random() < 0.3:
        rules.add("singular")
    if graph.chance and graph.seed % 4 == 0:
        rules.add("replies")
    return tuple(sorted(rules))


def _advise(plan: Plan, rng: random.Random) -> None:
    """Evaluations, and bounds and candidates that are sound."""
    graph, scores = plan.graph, plan.truth.scores
    for node in range(len(graph)):
        plan.evaluations.append(_evaluated(plan.evaluation, graph, scores[node], rng))
        plan.guesses.append(rng.randrange(1 << 30))
        passed = [way for way in range(len(graph)) if graph.turns(node, way) and graph.end(way) is None]
        plan.skips.append(rng.choice(passed) if passed and rng.random() < 0.7 else node)
        low, high = math.floor(scores[node]), math.ceil(scores[node])
        if graph.chance and rng.random() < 0.5:  # an expectation lies between whole numbers, and so may its bounds
            low, high = float(scores[node]) - 0.01, float(scores[node]) + 0.01
        limit = MOST if graph.has_distance else graph.greatest
        plan.bounds.append((rng.choice((-limit, -limit, low)), rng.choice((limit, limit, high))))
        best, ways = plan.truth.best(node), range(len(graph.targets[node]))
        kept = [rng.choice(best)] if best else []
        plan.candidates.append([move for move in ways if move in kept or rng.random() < 0.6])


def _evaluated(evaluation: str, graph: Graph, score: float, rng: random.Random) -> float:
    """An evaluation of a node, of one kind for the whole game."""
    most = graph.greatest
    if evaluation in ("nan", "infinite", "huge", "large") and rng.random() < 0.7:
        return rng.randint(-most, most)
    kinds: dict[str, Callable[[], float]] = {
        "level": lambda: 0,
        "points": lambda: rng.randint(-most, most),
        "halves": lambda: rng.uniform(-most, most),
        "truth": lambda: max(-9 * most, min(9 * most, score)),
        "large": lambda: rng.choice((899_999, -899_998.5)),
        "huge": lambda: rng.choice((900_000, -(10**6), 1e30, 10**400, -(2**63))),
        "nan": lambda: math.nan,
        "infinite": lambda: rng.choice((math.inf, -math.inf)),
    }
    return kinds[evaluation]()


# -- the rules ---------------------------------------------------------------------------------------------------------


class GraphGame(Game):
    """A random graph in disguise; the optional rules are added by `game_of`."""

    kind: str
    seed: int

    native = False

    @property
    def plan(self) -> Plan:
        return plan_of(self.kind, self.seed)

    def initial(self):
        return self.plan.codes[0]

    def moves(self, state):
        plan = self.plan
        return tuple(plan.moves[plan.node(state)])

    def play(self, state, move):
        plan = self.plan
        node = plan.node(state)
        return plan.codes[plan.graph.targets[node][plan.place(node, move)]]

    def result(self, state):
        payoff = self.plan.graph.payoff[self.plan.node(state)]
        return ONGOING if payoff is None else payoff


def _mover(self, state):
    return self.plan.graph.mover[self.plan.node(state)]


def _stuck(self, state):
    return self.plan.graph.stuck[self.plan.node(state)]


def _is_chance(self, state):
    return self.plan.graph.odds[self.plan.node(state)] is not None


def _chances(self, state):
    plan, node = self.plan, self.plan.node(state)
    yield from zip(plan.moves[node], plan.graph.odds[node], strict=True)


def _evaluate(self, state):
    return self.plan.evaluations[self.plan.node(state)]


def _guess(self, state, move, salt):
    """Some bits for a move of a state."""
    plan, node = self.plan, self.plan.node(state)
    return random.Random(plan.guesses[node] + salt + 8 * plan.place(node, move)).randrange(8)


def _order(self, state, move):
    return _guess(self, state, move, 0) - 4


def _noisy(self, state, move):
    return _guess(self, state, move, 1) < 4


def _forcing(self, state):
    return self.plan.guesses[self.plan.node(state)] % 3 == 0


def _skip(self, state):
    return self.plan.codes[self.plan.skips[self.plan.node(state)]]


def _bounds(self, state):
    return self.plan.bounds[self.plan.node(state)]


def _candidates(self, state):
    plan, node = self.plan, self.plan.node(state)
    return [plan.moves[node][place] for place in plan.candidates[node]]


def _symmetries(self, state):
    yield self.plan.codes[self.plan.graph.twin[self.plan.node(state)]]


def _canonical(self, state):
    node = self.plan.node(state)
    return self.plan.codes[min(node, self.plan.graph.twin[node])]


def _key(self, state):
    return self.plan.node(state) * 0x9E3779B97F4A7C15 % 2**64


def _stage(self, state):
    return self.plan.graph.stage[self.plan.node(state)]


RULES = {
    "mover": _mover, "stuck": _stuck, "is_chance": _is_chance, "chances": _chances, "evaluate": _evaluate,
    "order": _order, "noisy": _noisy, "forcing": _forcing, "skip": _skip, "bounds": _bounds,
    "candidates": _candidates, "symmetries": _symmetries, "canonical": _canonical, "key": _key, "stage": _stage,
    "reductions": True, "futility": 0.5, "singular": 0.1, "replies": 1,
}  # fmt: skip


@functools.cache
def _class(rules: tuple[str, ...], loops: bool, margin: bool, greatest: int) -> type[GraphGame]:
    facts = {"loops": loops, "margin": margin, "payoff_bounds": (-greatest, greatest)}
    return type("Graph", (GraphGame,), {**facts, **{rule: RULES[rule] for rule in rules}, "__module__": __name__})


def game_of(kind: str, seed: int) -> GraphGame:
    """The game of a kind and a seed."""
    plan = plan_of(kind, seed)
    graph = plan.graph
    return _class(plan.rules, graph.loops, graph.margin, graph.greatest)(kind, seed)
