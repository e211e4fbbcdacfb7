"""Verify a solution: recompute every entry from its successors, and prove a random sample by forward search."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from zermelo import rules
from zermelo.arguments import check_int, checked_threads
from zermelo.game import ONGOING, GameError, State
from zermelo.limits import Limit
from zermelo.searching import search
from zermelo.solving import Progress
from zermelo.solving.solution import Solution
from zermelo.solving.verification import Verification, recompute
from zermelo.value import EXACT, Value

SEARCH_NODES = 200_000
"""Nodes for one state of the sample; a state that is not proven by then does not count."""


def verify(
    solution: Solution | str | Path,
    *,
    sample: int = 100,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Verification:
    """Recompute every entry of a solution from its successors, and prove a random sample by forward search.

    Raise GameError with the state if one is wrong. Only the states of the sample that the search proves count. The
    result does not depend on the number of `threads`; None is all cores.

    >>> import zermelo as z
    >>> print(z.verify(z.solve(z.load("nim")), sample=10))
    48 entries follow from their successors; a forward search proved 10 of 10 random states, with the same values
    """
    start = time.perf_counter()
    check_int("verify", least=0, sample=sample)
    check_int("verify", seed=seed)
    threads = checked_threads("verify", threads)
    solution = solution if isinstance(solution, Solution) else Solution.open(solution)
    checked = recompute(solution, threads, progress)
    proven = [_proven_by_search(solution, state) for state in _states(solution, sample, random.Random(seed))]
    return Verification(checked, sum(proven), len(proven), time.perf_counter() - start)


def _states(solution: Solution, count: int, chooser: random.Random) -> Iterator[State]:
    """Different random states of a solution, without finished states and chance nodes."""
    game, tables = solution.game, list(solution.tables.values())
    weights = [table.length for table in tables]
    found: set[State] = set()
    for table in chooser.choices(tables, weights, k=20 * count):
        state = table.state(chooser.randrange(table.length))
        if len(found) == count:
            return
        if state in found or state not in solution or game.is_chance(state) or rules.payoff(game, state) != ONGOING:
            continue
        found.add(state)
        yield state


def _proven_by_search(solution: Solution, state: State) -> bool:
    """Whether a search proves the state's value. Raise GameError if it proves another value."""
    game, stored = solution.game, solution.value(state)
    found = search(game, state, Limit(nodes=SEARCH_NODES)).value
    if not found.exact:
        return False
    if not _agrees(found, stored, solution.header.error):
        raise GameError(
            f"{solution.path or 'the solution'} is wrong about {game!r}: {game.state_text(state)} is stored as "
            f"{stored}, and a search proves {found}."
        )
    return True


def _agrees(found: Value, stored: Value, error: float) -> bool:
    if stored.bound != EXACT:  # an outcome without its distance
        return found.outcome == stored.outcome
    return abs(found.score - stored.score) <= error + 1e-9
