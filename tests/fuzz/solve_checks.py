"""z.solve: every state, in memory and from a file, verified, and as a database inside a search."""

from __future__ import annotations

import functools
import random
import tempfile
from pathlib import Path
from typing import Any

import zermelo as z
from case import Case, check_report, check_value, require
from cyclic_families import Bundle
from search_checks import TABLES, answered, limit_of
from zermelo.solving.plan import plan_if_compiled
from zermelo.solving.small_games import solve_small
from zermelo.solving.solve_api import EPSILON

MEMORY, FILE = "memory", "file"


def solve(case: Case, rng: random.Random) -> None:
    """A solution of the whole game, asked about every state."""
    if case.compiled:
        _solve_stage(case, rng)
        return
    if case.graph.loops and rng.random() < 0.7:  # random play, of which a solution keeps a record, takes long there
        return
    case.counts["calls"] += 1
    with tempfile.TemporaryDirectory() as folder:
        solution = _solved(case, rng, Path(folder) / "solution")
        _check_solution(case, solution)
        if rng.random() < 0.3:  # a search for the sample goes on for long where play has cycles
            sample, seed = 0 if case.graph.loops else 2, rng.randrange(99)
            answered(case, lambda _: z.verify(solution, sample=sample, seed=seed))
        search_with(case, rng, solution)


def _solved(case: Case, rng: random.Random, path: Path) -> Any:
    """In memory, or written to a file and read again; states that are no literals cannot be."""
    solution = z.solve(case.game)
    if rng.random() < 0.4:
        try:
            solution.save(path)
            solution = z.Solution.open(path, case.game)
            case.counts["files"] += 1
        except z.GameError as error:
            require("cannot be written as a literal" in str(error), str(error))
    return solution


def _solve_stage(case: Case, rng: random.Random) -> None:
    """One game of a family that numbers its states: the stage it begins in, and those that it leads to."""
    if isinstance(case.game, Bundle):
        solution = _solved_bundle(case.game)
        for node in range(len(case.graph)):
            check_solved(case, solution, node)
        search_with(case, rng, solution)
    if not case.game.has("index"):
        return
    wdl = case.graph.has_distance and rng.random() < 0.3
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "solution" if rng.random() < 0.3 else None
        case.counts["calls"] += 1
        solution = z.solve(
            case.game, path, stage=case.graph.stage[0], wdl=wdl, threads=rng.choice((1, 2)), force=rng.random() < 0.9
        )
        if path is not None:
            solution = z.Solution.open(path, case.game)
            case.counts["files"] += 1
        for node in range(len(case.graph)):
            check_solved(case, solution, node, wdl=wdl)
        if rng.random() < 0.2:
            z.verify(solution, sample=0)
        search_with(case, rng, solution)


@functools.lru_cache(maxsize=1)
def _solved_bundle(game: Bundle) -> Any:
    """All games of a bundle, solved in memory; a solution in a file is the same."""
    solution = z.solve(game, threads=2)
    with tempfile.TemporaryDirectory() as folder:
        filed = z.solve(game, Path(folder) / "bundle")
        require(list(filed.items()) == list(solution.items()), "a solution in memory and one in a file differ")
        z.verify(filed, sample=0)
    small = solve_small(game, plan_if_compiled(game), False, EPSILON, lambda: False)
    require(list(small.items()) == list(solution.items()), "plain Python and compiled kernels solve differently")
    require(small.header.counts == solution.header.counts, "plain Python and compiled kernels count differently")
    return solution


def _check_solution(case: Case, solution: Any) -> None:
    """Each state's value, best moves and line, and how many there are."""
    graph = case.graph
    nodes = graph.reachable()
    symmetric = case.game.has("symmetries") or case.game.has("canonical")
    standing = {min(node, graph.twin[node]) for node in nodes} if symmetric else nodes
    require(len(solution) == len(standing), f"{len(solution)} states were solved, of {len(standing)}")
    require(sum(1 for _ in solution) == len(standing), "states are missing or come twice")
    for node in nodes:
        check_solved(case, solution, node)
    outside = next((state for node, state in enumerate(case.codes) if node not in nodes | set(graph.twin)), None)
    require(outside is None or outside not in solution, f"{outside!r} was never reached")


def check_solved(case: Case, solution: Any, node: int, *, wdl: bool = False) -> None:
    """What a solution says about one node."""
    state, graph, true = case.codes[node], case.graph, case.truth.scores[node]
    value = solution.value(state)
    require(state in solution, f"{state!r} is not in its own solution")
    check_value(case, value, true, graph.mover[node])
    case.counts["solved"] += 1
    if wdl:
        require(value.outcome == (true > 0) - (true < 0), f"{value}, truth {true}")
        return
    require(value.exact and value.repetition == case.truth.repetition[node], f"{value!r} of {state!r}, truth {true}")
    best = {case.moves[node][move] for move in case.truth.best(node)}
    if not graph.chance:
        require(set(solution.best(state)) == best, f"best moves {solution.best(state)}, truth {best}")
    here = node
    for move in solution.line(state)[:40]:
        require(graph.chance or case.place(here, move) in case.truth.best(here), f"the line plays {move!r}")
        here = case.after(here, move)
    if graph.margin and not graph.chance and true and len(solution.line(state)) <= 40:
        case.counts["paid lines"] += 1
        require(graph.end(here) is not None, f"the line of {value} from {state!r} does not end")


def search_with(case: Case, rng: random.Random, solution: Any) -> None:
    """A search that asks the solution about every state."""
    for node in case.roots(rng, 2):
        exact = not case.graph.chance and rng.random() < 0.5
        limit = None if exact and rng.random() < 0.5 else limit_of(rng, depth=not exact)
        lines = rng.choice((1, 3))
        options = {"exact": exact, "lines": lines, "table": rng.choice(TABLES), "database": solution}
        try:
            report = answered(case, z.search, case.codes[node], limit, **options)
        except z.GameError as error:
            counted = exact and limit is None and solution.header.wdl and case.graph.loops
            require(counted and "not in how many plies" in str(error), str(error))
            continue
        if report is not None:
            check_report(case, node, report, most=lines)
