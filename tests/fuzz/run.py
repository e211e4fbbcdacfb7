"""The fuzzer: random games of every kind, and every algorithm on them, against the reference implementation.

    python tests/fuzz/run.py                                            all kinds, one process, until Ctrl-C
    python tests/fuzz/run.py --jobs 2 --minutes 60 --seed 100000        an hour on two cores, from another seed on
    python tests/fuzz/run.py --kind cyclic --seed 12 --check search     one check of one game: what a failure prints

A failure is one line that reproduces it. The exit status is 1 if there was any.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import search_checks
import solve_checks
import textbook_checks
from case import Case
from compiled_families import FAMILIES, compiled_case
from interpreted_games import game_of, plan_of
from random_graphs import KINDS

os.environ["ZERMELO_INTERPRET_FIRST"] = "0"  # compiled kernels answer, not the twins that run beside the compiler

CHECK_TIMEOUT = 60
"""CPU seconds after which a check is taken to hang."""

CHECKS: dict[str, Callable[[Case, random.Random], None]] = {
    check.__name__: check
    for check in (
        search_checks.search, search_checks.shared, search_checks.proofs, search_checks.many, search_checks.analyze,
        search_checks.prove, search_checks.monte_carlo, search_checks.perft, search_checks.twins,
        textbook_checks.trees, textbook_checks.deepening, textbook_checks.tables,
        solve_checks.solve,
    )
}  # fmt: skip


def case_of(kind: str, seed: int) -> Case:
    """The case of a kind, or of a compiled family, and a seed."""
    if kind in FAMILIES:
        return compiled_case(kind, seed)
    plan = plan_of(kind, seed)
    return Case(game_of(kind, seed), plan.graph, plan.truth, plan.codes, plan.moves, plan.evaluation, plan.disguise)


def tried(kind: str, seed: int, checks: tuple[str, ...]) -> tuple[Counter[str], list[str]]:
    """All checks of one game: what was counted, and a line for each failure."""
    case, failures = case_of(kind, seed), []
    signal.signal(signal.SIGPROF, _hangs)
    case.counts["games"] += 1
    case.counts["states"] += len(case.graph)
    for check in checks:
        try:
            signal.setitimer(signal.ITIMER_PROF, CHECK_TIMEOUT)
            CHECKS[check](case, random.Random(f"{check} {kind} {seed}"))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            failures.append(f"{reproduction(kind, seed, check)}  # {case.dress}: {in_short(error)}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    return case.counts, failures


def reproduction(kind: str, seed: int, check: str) -> str:
    return f"python tests/fuzz/run.py --kind {kind} --seed {seed} --check {check}"


def in_short(error: BaseException) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:300]} ({Path(where.filename).name}:{where.lineno})"


# -- many games --------------------------------------------------------------------------------------------------------


def work(first: int, step: int, kinds: tuple[str, ...], checks: tuple[str, ...], seconds: float, queue: Any) -> None:
    """Try games for a number of CPU seconds, and report what was found."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for seed in _seeds(first, step):
        for kind in kinds:
            if time.process_time() > seconds or os.getppid() == 1:
                return
            queue.put(tried(kind, seed, checks))


def _seeds(first: int, step: int) -> Iterator[int]:
    while True:
        yield first
        first += step


def _hangs(*_: Any) -> None:
    raise TimeoutError(f"no answer within {CHECK_TIMEOUT} seconds of the processor")


def fuzz(seed: int, kinds: tuple[str, ...], checks: tuple[str, ...], minutes: float, jobs: int, first: bool) -> int:
    """Run worker processes until the time is over, Ctrl-C, or the `first` failure. Return the number of failures."""
    context = multiprocessing.get_context("spawn")
    queue: Any = context.Queue()
    workers = [
        context.Process(target=work, args=(seed + job, jobs, kinds, checks, 60 * minutes, queue)) for job in range(jobs)
    ]
    for worker in workers:
        worker.start()
    total: Counter[str] = Counter()
    told, start = time.monotonic(), time.monotonic()
    try:
        while any(worker.is_alive() for worker in workers) or not queue.empty():
            if not queue.empty():
                counts, failures = queue.get()
                total.update(counts)
                total["failures"] += len(failures)
                for failure in failures:
                    print(failure, flush=True)
            else:
                time.sleep(0.02)
            if first and total["failures"]:
                break
            if time.monotonic() > told + 10:
                told = time.monotonic()
                print(f"[{told - start:.0f} s] {in_words(total)}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        pass
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join()  # whose time of the processor is counted then
    print(f"{time.monotonic() - start:.0f} s: {in_words(total)}")
    return total["failures"]


def in_words(total: Counter[str]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in total.items())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; with --kind and --check, the only one")
    parser.add_argument(
        "--kind", "--kinds", default=",".join((*KINDS, *FAMILIES)), help="kinds of games, with commas between"
    )
    parser.add_argument("--check", "--checks", default=",".join(CHECKS), help="checks, with commas between")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="of the processor; else until Ctrl-C")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--first", action="store_true", help="end with the first failure")
    given = parser.parse_args()
    kinds, checks = tuple(given.kind.split(",")), tuple(given.check.split(","))
    if len(kinds) == len(checks) == 1 and given.minutes == float("inf"):
        CHECKS[checks[0]](case_of(kinds[0], given.seed), random.Random(f"{checks[0]} {kinds[0]} {given.seed}"))
        print("holds")
        return 0
    return 1 if fuzz(given.seed, kinds, checks, given.minutes, given.jobs, given.first) else 0


if __name__ == "__main__":
    sys.exit(main())
