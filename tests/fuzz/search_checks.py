"""Every search, run on random nodes with random options, and compared with the reference."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any

import zermelo as z
from case import Case, check_report, check_value, refused, require
from zermelo import Limit, rules

TABLES = (0.00004, 0.0005, 0.02, 1.0)
"""Megabytes: two buckets, a few, hundreds, and more than there are states."""

ENOUGH = 5_000
"""Nodes that settle any question about graphs of this size, but for bad luck."""


def limit_of(rng: random.Random, *, depth: bool = True) -> Limit:
    """A limit of one kind or several; searches without one may never end where play has cycles."""
    kind = rng.choice(("depth", "nodes", "both", "seconds") if depth else ("nodes", "nodes", "seconds"))
    deep, nodes = rng.choice((1, 2, 3, 5, 8, 13, 30)), rng.choice((1, 2, 5, 20, 100, 700, 3000))
    if kind == "depth":
        return Limit(depth=deep, nodes=ENOUGH)
    if kind == "nodes":
        return Limit(nodes=nodes)
    if kind == "both":
        return Limit(depth=deep, nodes=nodes)
    return Limit(seconds=rng.choice((1e-9, 0.0005, 0.003)), nodes=2000)


def answered(case: Case, ask: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a question about the game gets; None where the game deserves the sentence it got."""
    case.counts["calls"] += 1
    try:
        return ask(case.game, *arguments, **options)
    except z.GameError as error:
        if refused(case, error):
            case.counts["refused"] += 1
            return None
        raise


def search(case: Case, rng: random.Random) -> None:
    """z.search with any limit and any options."""
    for node in case.roots(rng, 4):
        samples = rng.choice((None, 1, 2)) if case.graph.chance else None
        limit, lines = limit_of(rng), rng.choice((1, 1, 2, 3, 9))
        shared = {"threads": rng.choice((1, 1, 1, 2)), "table": rng.choice(TABLES)}
        drawn = {"samples": samples, "seed": rng.randrange(99)}
        report = answered(case, z.search, case.codes[node], limit, lines=lines, **shared, **drawn)
        if report is not None:
            whole = report.nodes < (limit.nodes or ENOUGH) // 2 and limit.seconds is None
            check_report(case, node, report, most=lines, sampled=samples is not None, whole=whole)


def shared(case: Case, rng: random.Random) -> None:
    """Searches that share a table, with a game before each, some stopped and some to the end: none spoils another."""
    table = z.TranspositionTable(rng.choice(TABLES))
    endless = not case.graph.chance and not case.graph.loops
    for node in case.roots(rng, 2) * 2:
        samples = rng.choice((None, 1)) if case.graph.chance else None
        exact, lines = endless and rng.random() < 0.4, rng.choice((1, 1, 2, 9))
        whole = exact and rng.random() < 0.5
        limit = Limit() if whole else limit_of(rng, depth=not exact)
        options = {"exact": exact, "lines": lines, "threads": rng.choice((1, 1, 1, 2)), "table": table}
        drawn = {"samples": samples, "seed": rng.randrange(3), "history": played(case, rng)}
        report = answered(case, z.search, case.codes[node], limit, **options, **drawn)
        if report is not None:
            check_report(case, node, report, most=lines, sampled=samples is not None, whole=whole)
            require(not whole or report.value.exact, "an exact search proved nothing")


def played(case: Case, rng: random.Random) -> list[Any]:
    """States of a game before a search, most of them more than once."""
    return rng.choices([case.codes[node] for node in case.graph.decisions()], k=rng.choice((0, 3, 20)))


def proofs(case: Case, rng: random.Random) -> None:
    """z.search that goes on to the end, exact or deepening, and an exact one that is stopped."""
    if case.graph.chance or case.graph.loops:
        return
    for node in case.roots(rng, 2):
        state, lines, table = case.codes[node], rng.choice((1, 2, 5)), rng.choice(TABLES)
        exact, threads = rng.random() < 0.7, rng.choice((1, 2))
        # Where some moves are searched less deeply, a proof may need more plies than the graph has nodes.
        endless = exact or not rules.is_full_width(case.game)
        limit = Limit() if endless else Limit(depth=len(case.graph))
        room = table if exact else max(table, TABLES[2])  # deepening with two buckets takes for ever
        report = answered(case, z.search, state, limit, exact=exact, lines=lines, threads=threads, table=room)
        if report is not None:
            check_report(case, node, report, most=lines, whole=True)
            require(all(line.value.exact for line in report.lines), "a search to the end proved nothing")
        report = answered(case, z.search, state, limit_of(rng, depth=False), exact=True, lines=lines, table=table)
        if report is not None:
            check_report(case, node, report, most=lines)


def many(case: Case, rng: random.Random) -> None:
    """z.search_many, proving or with a limit for each state."""
    graph, roots = case.graph, case.roots(rng, 6)
    exact = not graph.chance and not graph.loops and rng.random() < 0.7
    limit = None if exact and rng.random() < 0.5 else limit_of(rng, depth=not exact)
    options = {"exact": exact, "threads": rng.choice((1, 2)), "table": rng.choice(TABLES)}
    reports = answered(case, z.search_many, [case.codes[node] for node in roots], limit, **options)
    if reports is not None:
        require(len(reports) == len(roots), f"{len(reports)} reports about {len(roots)} states")
        for node, report in zip(roots, reports, strict=True):
            check_report(case, node, report)
            require(limit is not None or report.value.exact, "search_many proved nothing")


def analyze(case: Case, rng: random.Random) -> None:
    """Every report of z.analyze, which is left or stopped somewhere."""
    for node in case.roots(rng, 2):
        exact = not case.graph.chance and not case.graph.loops and rng.random() < 0.4
        lines, stop, leave = rng.choice((1, 1, 2, 4)), rng.choice((2, 5, 999)), rng.choice((1, 4, 999))
        options = {"exact": exact, "lines": lines, "threads": rng.choice((1, 1, 2)), "table": rng.choice(TABLES)}
        reports = answered(case, _reports, case.codes[node], limit_of(rng, depth=not exact), options, stop, leave)
        for report in reports or ():
            check_report(case, node, report, most=lines)


def _reports(game: z.Game, state: Any, limit: Limit, options: dict[str, Any], stop: int, leave: int) -> list[Any]:
    """The reports of an analysis that is told to stop after some of them, or left."""
    found = []
    with z.analyze(game, state, limit, **options) as analysis:
        for report in analysis:
            found.append(report)
            if len(found) == stop:
                analysis.stop()
            if len(found) == leave:
                break
    return found


def twins(case: Case, rng: random.Random) -> None:
    """A compiled search and an interpreted one of the same game are one search, down to the nodes and the lines."""
    if not case.compiled:
        return
    slow = _interpreted(type(case.game))()
    for node in case.roots(rng, 2):
        limit = Limit(depth=rng.randint(1, 6), nodes=ENOUGH)
        options = {"lines": rng.choice((1, 2)), "table": rng.choice(TABLES), "history": played(case, rng)}
        told = [
            answered(case, lambda _, game, *asked, **options: z.search(game, *asked, **options), game, case.codes[node],
                     limit, **options)
            for game in (case.game, slow)
        ]  # fmt: skip
        if None not in told:
            first, second = ([r.nodes, r.depth, [(line.value, line.pv) for line in r.lines]] for r in told)
            require(first == second, f"compiled {first}, interpreted {second}")


@functools.cache
def _interpreted(family: type[z.Game]) -> type[z.Game]:
    return type(family.__name__, (family,), {"native": False, "__module__": family.__module__})


def prove(case: Case, rng: random.Random) -> None:
    """z.prove: the answer is right, and each move of its line keeps the cause that is won."""
    graph = case.graph
    if graph.chance:
        return
    for node in case.roots(rng, 3):
        goal = rng.randint(-graph.greatest, graph.greatest) if graph.margin else rng.choice((z.WIN, z.DRAW))
        limit = rng.choice((limit_of(rng, depth=False), Limit(nodes=ENOUGH)))
        report = answered(case, z.prove, case.codes[node], limit, at_least=goal, table=rng.choice(TABLES))
        if report is None:
            continue
        true = case.truth.scores[node]
        check_value(case, report.value, true, graph.mover[node])
        low, high = report.bounds
        require(low <= true <= high, f"bounds {report.bounds}, truth {true}")
        if report.value.bound != "unknown":
            case.counts["proofs"] += 1
            _follow_proof(case, node, report, goal)


def _follow_proof(case: Case, node: int, report: Any, goal: int) -> None:
    """Whoever moves, the answer stays what it is: the one whose cause is won plays so, and the other cannot help it."""
    graph, sign, here = case.graph, 1, node
    for ply, move in enumerate(report.pv):
        following = case.after(here, move)
        sign = -sign if graph.turns(here, following) else sign
        here = following
        score = sign * case.truth.scores[here]
        points = (score > 0) - (score < 0) if graph.has_distance else score
        require(
            (points >= goal) == (report.value.bound == "lower"),
            f"after {report.pv[: ply + 1]} of {report.value}, at_least={goal}, the value is {score}",
        )


def monte_carlo(case: Case, rng: random.Random) -> None:
    """z.monte_carlo: what it calls proven is so."""
    for node in case.roots(rng, 2):
        nodes = rng.choice((3, 10, 20) if case.graph.loops else (10, 60, 300))  # playouts may cycle for long
        limit = Limit(nodes=nodes, seconds=rng.choice((None, 0.001)))
        options = {"seed": rng.randrange(99), "exploration": rng.choice((0.0, 1.4, 30.0)), "table": rng.choice(TABLES)}
        if rng.random() < 0.4:
            options |= {"rave": rng.choice([1, 50, 1e6]), "exploration": rng.choice([0.0, 0.3])}
        if rng.random() < 0.3:
            options["playout_plies"] = rng.randint(0, 3)
        report = answered(case, z.monte_carlo, case.codes[node], limit, **options)
        if report is not None:
            check_report(case, node, report, most=len(case.moves[node]), ranked=False)


def perft(case: Case, rng: random.Random) -> None:
    """z.perft and z.divide count the ways through the graph."""
    graph, depth = case.graph, rng.randrange(6)
    node = rng.randrange(len(graph))
    case.counts["calls"] += 2
    found = z.perft(case.game, depth, case.codes[node])
    require(found == _ways(graph, node, depth), f"perft to {depth} plies is {found}, truth {_ways(graph, node, depth)}")
    if depth:
        ways = graph.targets[node] if graph.payoff[node] is None else ()
        truth = {move: _ways(graph, way, depth - 1) for move, way in zip(case.moves[node], ways, strict=False)}
        found = z.divide(case.game, depth, case.codes[node])
        require(list(found.values()) == list(truth.values()), f"divide to {depth} plies is {found}, truth {truth}")


def _ways(graph: Any, node: int, depth: int) -> int:
    counts = [1] * len(graph)
    for _ in range(depth):
        counts = [
            sum(counts[way] for way in graph.targets[node]) if graph.payoff[node] is None else 0
            for node in range(len(graph))
        ]
    return counts[node]
