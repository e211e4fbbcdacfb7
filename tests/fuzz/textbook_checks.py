"""The algorithms of the textbook: those that walk a tree, to its end or to a depth, and those that fill a table."""

from __future__ import annotations

import random
from typing import Any

import zermelo as z
from case import Case, check_value, refused, require
from random_graphs import Graph
from reference import WIN_SCORE, same
from zermelo import Limit, textbook

SMALL = 3_000
"""Nodes of the largest tree that is walked."""


def trees(case: Case, rng: random.Random) -> None:
    """Minimax and its variants from one node, to the end of the game where the tree is small, and to a depth."""
    graph = case.graph
    for node in case.roots(rng, 3):
        repetition = "draw" if graph.loops and (not graph.chance or rng.random() < 0.5) else None
        if _tree_size(graph, node, None, repetition) < SMALL and not (graph.loops and graph.chance):
            _walk(case, rng, node, None, repetition)
        depth = rng.randrange(5)
        if _tree_size(graph, node, depth, None) < SMALL:
            _walk(case, rng, node, depth, None)


def _walk(case: Case, rng: random.Random, node: int, depth: int | None, repetition: str | None) -> None:
    """One algorithm, drawn at random, against the reference's walk."""
    graph = case.graph
    limited = depth is not None
    beyond = case.wild or (case.evaluation == "large" and not graph.has_distance)  # evaluations that count as others
    true = _limited(case, node, depth) if limited and not beyond else case.truth.scores[node]
    window = _window(true, rng)
    options: dict[str, Any] = {"depth": depth, "repetition": repetition}
    order = {"order": rng.random() < 0.5}
    asks: dict[str, dict[str, Any]] = {"expectiminimax": {}, "star1": order, "star2": order | {"window": window}}
    if not graph.chance:
        forms = {"form": rng.choice(("maxmin", "negamax")), "cut": rng.choice(("equal", "beyond"))}
        fails = {"fail": rng.choice(("soft", "hard")), "window": window}
        asks |= {"minimax": {}, "negamax": {}, "alphabeta": forms | fails | order, "root_search": order}
        guess = {"guess": rng.choice((0, rng.randint(-9, 9), 999_990)), "margin": rng.choice((1, 0.5, 1000))}
        asks["aspiration"] = guess | order
        if not limited and not graph.margin:
            asks["win_loss"] = order
    name = rng.choice(sorted(asks))
    if name == "win_loss":
        options = {"repetition": repetition}
    case.counts["calls"] += 1
    try:
        result = getattr(textbook, name)(case.game, case.codes[node], **options, **asks[name])
    except z.GameError as error:
        if refused(case, error):
            return
        raise
    if name == "win_loss":
        _check_outcome(result, true)
    else:
        _check_result(case, node, result, None if beyond and limited else true)


def _window(true: float, rng: random.Random) -> tuple[float, float]:
    """Open, around the truth, or anywhere."""
    low = rng.choice((-2_000_000, true - 1, true, true - 5, rng.randint(-9, 9)))
    return low, low + rng.choice((1, 2, 10, 4_000_000))


def _check_outcome(result: Any, true: float) -> None:
    """What win_loss says: won, lost, or at most drawn."""
    if result.bound == "upper":
        require(true <= 0, f"{result}, truth {true}")
    else:
        require(result.value.score == (true > 0) - (true < 0), f"{result}, truth {true}")


def _check_result(case: Case, node: int, result: Any, true: float | None) -> None:
    """The score is that of the reference's walk, or a bound of it; what is called exact is the value of the game."""
    score = result.value.score
    require(score == score, f"{result} is no number")
    if result.value.exact:
        case.counts["exact"] += 1
        check_value(case, result.value, case.truth.scores[node], case.graph.mover[node])
        _check_pv(case, node, result)
    elif result.value.outcome is not None:
        check_value(case, result.value, case.truth.scores[node])
    if true is None:
        return
    if result.bound == "exact":
        require(same(score, true), f"{result}, truth {true}")
    elif result.bound == "lower":
        require(true >= score or same(true, score), f"{result}, truth {true}")
    else:
        require(true <= score or same(true, score), f"{result}, truth {true}")


def _check_pv(case: Case, node: int, result: Any) -> None:
    """The principal variation of an exact value is perfect play."""
    here = node
    for move in result.pv if result.bound == "exact" else ():
        following = case.after(here, move)
        score, kept = case.truth.scores[here], case.truth.of_move(here, case.place(here, move))
        require(same(score, kept), f"the line of {result} plays {move!r}: {kept} in place of {score}")
        here = following


def deepening(case: Case, rng: random.Random) -> None:
    """textbook.iterative_deepening under a limit: what it calls exact is so."""
    for node in case.roots(rng, 1):
        limit = Limit(depth=rng.randint(1, 5), nodes=rng.choice((1, 50, SMALL)))
        repetition = rng.choice((None, "draw")) if case.graph.loops else None
        case.counts["calls"] += 1
        try:
            result = textbook.iterative_deepening(case.game, case.codes[node], limit, order=True, repetition=repetition)
        except z.GameError as error:
            if refused(case, error):
                return
            raise
        for each in (result, *result.iterations):
            _check_result(case, node, each, None)


def tables(case: Case, rng: random.Random) -> None:
    """Backward induction, retrograde analysis and value iteration: every state and its best moves."""
    graph, found = case.graph, []
    symmetric = rng.random() < 0.5
    if not graph.loops:
        found.append(textbook.backward_induction(case.game, case.codes[0], symmetric=symmetric))
    if graph.has_distance:
        found.append(textbook.retrograde(case.game, case.codes[0], symmetric=symmetric))
    if graph.chance:
        found.append(textbook.value_iteration(case.game, case.codes[0], symmetric=symmetric))
    case.counts["calls"] += len(found)
    for table in found:
        for node in graph.reachable():
            state = case.codes[node]
            check_value(case, table[state], case.truth.scores[node])
            require(table[state].exact, f"{table[state]} of {state!r} is not exact")
            if table.algorithm == "retrograde":
                require(table[state].repetition == case.truth.repetition[node], f"{table[state]} of {state!r}")
            if not symmetric:
                best = [case.moves[node][move] for move in case.truth.best(node)]
                require(
                    graph.chance or list(table.best(state)) == best, f"best moves {table.best(state)}, truth {best}"
                )


# -- the reference's walk ----------------------------------------------------------------------------------------------


def _limited(case: Case, node: int, depth: int, ply: int = 0) -> float:
    """The score of a walk to `depth` plies, distances counted from its root; evaluations at the horizon."""
    graph, end = case.graph, case.graph.end(node)
    if end is not None:
        return (WIN_SCORE - ply) * end if graph.has_distance else end
    if depth == 0:
        return case.game.evaluate(case.codes[node])
    ways = [
        -score if graph.turns(node, way) else score
        for way in graph.targets[node]
        for score in [_limited(case, way, depth - 1, ply + 1)]
    ]
    odds = graph.odds[node]
    return max(ways) if odds is None else sum(p * way for p, way in zip(odds, ways, strict=True))


def _tree_size(graph: Graph, node: int, depth: int | None, repetition: str | None) -> int:
    """How many nodes a walk enters, counted up to SMALL."""
    waiting, size = [(node, 0, frozenset((node,)))], 0
    while waiting and size < SMALL:
        here, ply, path = waiting.pop()
        size += 1
        if graph.end(here) is None and ply != depth and (ply == 0 or repetition is None or here not in path):
            waiting += [(way, ply + 1, path | {here}) for way in graph.targets[here]]
    return size
