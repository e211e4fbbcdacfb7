"""The reference implementation: the values of a graph, computed plainly and without any code that it checks.

`Truth.scores` has the score of each node for its mover: 1_000_000 - n for a win in n plies, its negative for a loss, 0
for a draw, points, or an expected payoff. Play without end is worth 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from random_graphs import Graph

WIN_SCORE = 1_000_000
DECISIVE = 900_000

NEAR = 1e-12
"""How near the bounds of an expectation are brought where play has cycles."""


@dataclass(eq=False)
class Truth:
    """What a graph is worth."""

    graph: Graph
    scores: list[float]
    repetition: list[bool]
    """Drawn because nobody can force any end."""

    def of_move(self, node: int, move: int) -> float:
        """What the mover gets by the move in this place of the list."""
        return seen(self.graph, node, self.graph.targets[node][move], self.scores)

    def best(self, node: int) -> list[int]:
        """The places of all best moves; none where the game is over or chance moves."""
        if self.graph.end(node) is not None or self.graph.odds[node] is not None:
            return []
        scores = [self.of_move(node, move) for move in range(len(self.graph.targets[node]))]
        return [move for move, score in enumerate(scores) if same(score, max(scores))]


def truth(graph: Graph) -> Truth:
    """The value of every node."""
    repetition = [False] * len(graph)
    if graph.has_distance:
        scores, repetition = _outcomes(graph)
    elif not graph.loops:
        scores = [float(score) if graph.chance else int(score) for score in _backward(graph)]
    elif graph.chance:
        scores = _expectations(graph)
    else:
        scores = _thresholds(graph)
    return Truth(graph, scores, repetition)


def same(score: float, other: float) -> bool:
    """Whether two scores are equal; expectations are sums of floats."""
    return abs(score - other) <= 1e-9 * max(1.0, abs(score))


def seen(graph: Graph, node: int, target: int, scores: list[float]) -> float:
    """A target's score as the node's mover sees it, one ply earlier."""
    score = -scores[target] if graph.turns(node, target) else scores[target]
    if graph.has_distance and abs(score) >= DECISIVE:
        return score - 1 if score > 0 else score + 1
    return score


# -- wins and losses ---------------------------------------------------------------------------------------------------


def _outcomes(graph: Graph) -> tuple[list[float], list[bool]]:
    """Ply by ply from the ends: who wins in n plies, who loses in n; the rest is drawn."""
    scores: dict[int, int] = {}
    for node in range(len(graph)):
        if graph.end(node):
            scores[node] = WIN_SCORE * graph.end(node)
    for plies in range(1, len(graph) + 1):
        found = {}
        for node in range(len(graph)):
            if node not in scores and graph.targets[node]:
                ways = [_won(graph, node, target, scores) for target in graph.targets[node]]
                if 1 in ways:
                    found[node] = WIN_SCORE - plies
                elif set(ways) == {-1}:
                    found[node] = plies - WIN_SCORE
        scores.update(found)
    drawn = {node for node in range(len(graph)) if node not in scores}
    forced = _forced_draws(graph, drawn, scores, 0) | _forced_draws(graph, drawn, scores, 1)
    return (
        [scores.get(node, 0) for node in range(len(graph))],
        [node in drawn and node not in forced for node in range(len(graph))],
    )


def _won(graph: Graph, node: int, target: int, scores: dict[int, int]) -> int:
    """1 if this way is known to win for the node's mover, -1 if it is known to lose."""
    score = scores.get(target, 0)
    sign = (score > 0) - (score < 0)
    return -sign if graph.turns(node, target) else sign


def _forced_draws(graph: Graph, drawn: set[int], scores: dict[int, int], mine: int) -> set[int]:
    """The drawn nodes from which one player can bring about a drawn end: the mover (0) or the other one (1).

    Whose node it is changes along the way, so both sets are grown together, and the one that was asked for is given.
    """
    ends = {node for node in drawn if graph.end(node) == 0}
    sets = [set(ends), set(ends)]
    for _ in range(2 * len(graph)):
        for node in drawn - ends:
            ways = [target for target in graph.targets[node] if _won(graph, node, target, scores) != -1]
            reach = [[target in sets[who ^ graph.turns(node, target)] for target in ways] for who in (0, 1)]
            if any(reach[0]):
                sets[0].add(node)
            if all(reach[1]):
                sets[1].add(node)
    return sets[mine]


# -- points and expectations without loops -----------------------------------------------------------------------------


def _backward(graph: Graph) -> list[Fraction]:
    """Each node after its targets, in exact fractions."""
    scores: dict[int, Fraction] = {}
    waiting = list(range(len(graph)))
    while waiting:
        node = waiting[-1]
        missing = [target for target in graph.targets[node] if target not in scores]
        if node in scores or not missing:
            waiting.pop()
            if node not in scores:
                scores[node] = _from_targets(graph, node, scores)
        else:
            waiting += missing
    return [scores[node] for node in range(len(graph))]


def _from_targets(graph: Graph, node: int, scores: dict[int, Fraction]) -> Fraction:
    end = graph.end(node)
    if end is not None:
        return Fraction(end)
    ways = [-scores[way] if graph.turns(node, way) else scores[way] for way in graph.targets[node]]
    odds = graph.odds[node]
    if odds is None:
        return max(ways)
    return sum((Fraction(p) * way for p, way in zip(odds, ways, strict=True)), Fraction(0))


# -- expectations with loops -------------------------------------------------------------------------------------------


def _expectations(graph: Graph) -> list[float]:
    """Bounds from both sides that close in, since all play ends some time."""
    most = float(graph.greatest)
    ends = [graph.end(node) for node in range(len(graph))]
    lows = [-most if end is None else float(end) for end in ends]
    highs = [most if end is None else float(end) for end in ends]
    for _ in range(100_000):
        for node in range(len(graph) - 1, -1, -1):
            if ends[node] is None:
                ways = [(target, graph.turns(node, target)) for target in graph.targets[node]]
                least = [-highs[way] if turned else lows[way] for way, turned in ways]
                greatest = [-lows[way] if turned else highs[way] for way, turned in ways]
                odds = graph.odds[node]
                if odds is None:
                    lows[node], highs[node] = max(least), max(greatest)
                else:
                    lows[node] = sum(p * low for p, low in zip(odds, least, strict=True))
                    highs[node] = sum(p * high for p, high in zip(odds, greatest, strict=True))
        if max(high - low for low, high in zip(lows, highs, strict=True)) <= NEAR * most:
            return [(low + high) / 2 for low, high in zip(lows, highs, strict=True)]
    raise AssertionError(f"play of {graph.kind} {graph.seed} does not end with probability 1")


# -- points with loops -------------------------------------------------------------------------------------------------


def _thresholds(graph: Graph) -> list[float]:
    """The most that each mover can be sure of: asked for every number of points that is paid, and for 0."""
    paid = {0, *(end for node in range(len(graph)) if (end := graph.end(node)) is not None)}
    goals = sorted(paid | {-points for points in paid})
    scores: list[float] = [goals[0]] * len(graph)
    for goal in goals[1:]:
        sure = _sure(graph, goal)
        scores = [goal if node in sure else score for node, score in enumerate(scores)]
    return scores


def _sure(graph: Graph, goal: int) -> set[int]:
    """The nodes whose mover gets at least `goal`.

    A position is a node with the player who wants the goal: 0 the mover, 1 the other one, who must be kept from getting
    more than -goal by his own mover. Above 0 the goal must be reached; else its miss must be avoided for ever.
    """
    positions = [(node, who) for node in range(len(graph)) for who in (0, 1)]
    reach = goal > 0
    settled: set[tuple[int, int]] = set()
    for node, who in positions:
        end = graph.end(node)
        if end is not None and ((end if who == 0 else -end) >= goal) == reach:
            settled.add((node, who))
    grown = True
    while grown:
        grown = False
        for node, who in positions:
            if (node, who) not in settled and graph.end(node) is None:
                ways = [(target, who ^ graph.turns(node, target)) in settled for target in graph.targets[node]]
                enough = any(ways) if (who == 0) == reach else all(ways)
                if enough:
                    settled.add((node, who))
                    grown = True
    return {node for node in range(len(graph)) if ((node, 0) in settled) == reach}
