"""Verifying a solution: every entry from its successors, and a random sample by a search that knows nothing of them."""

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

NODES = 200_000
"""How long one state is searched; what is not proven by then is no evidence."""


def verify(
    solution: Solution | str | Path,
    *,
    sample: int = 100,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Verification:
    """Compute every entry of a solution once more from its successors, and search a random sample forward.

    A contradiction is a GameError that names the state. Of the sample, as many count as the search can prove. The
    result does not depend on the number of `threads`; None is all cores.

    >>> import zermelo as z
    >>> print(z.verify(z.solve(z.load("nim")), sample=10))
    48 entries follow from their successors, 10 of 10 states drawn at random were proven by a forward search, and agree
    """
    start = time.perf_counter()
    check_int("verify", least=0, sample=sample)
    check_int("verify", seed=seed)
    threads = checked_threads("verify", threads)
    solution = solution if isinstance(solution, Solution) else Solution.open(solution)
    checked = recompute(solution, threads, progress)
    proven = [_searched(solution, state) for state in _states(solution, sample, random.Random(seed))]
    return Verification(checked, sum(proven), len(proven), time.perf_counter() - start)


def _states(solution: Solution, count: int, chooser: random.Random) -> Iterator[State]:
    """Some states of a solution, drawn at random; finished ones, and those where chance moves, are drawn in vain."""
    game, tables = solution.game, list(solution.tables.values())
    weights = [table.length for table in tables]
    found = 0
    for table in chooser.choices(tables, weights, k=20 * count):
        state = table.state(chooser.randrange(table.length))
        if found < count and state in solution and rules.payoff(game, state) == ONGOING and not game.is_chance(state):
            found += 1
            yield state


def _searched(solution: Solution, state: State) -> bool:
    """Whether a search proves the state's value; a sentence if it proves another one."""
    game, stored = solution.game, solution.value(state)
    found = search(game, state, Limit(nodes=NODES)).value
    if not found.exact:
        return False
    if not _same(found, stored, solution.header.error):
        raise GameError(
            f"{solution.path or 'the solution'} is wrong about {game!r}: {game.state_text(state)} is stored as "
            f"{stored}, and a search proves {found}."
        )
    return True


def _same(found: Value, stored: Value, error: float) -> bool:
    if stored.bound != EXACT:  # an outcome without its distance
        return found.outcome == stored.outcome
    return abs(found.score - stored.score) <= error + 1e-9
