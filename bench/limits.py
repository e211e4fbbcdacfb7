"""How punctual time limits are: seconds from the call to the answer, less the limit, in milliseconds.

    python bench/limits.py
    python bench/limits.py --only connect_four,hex --cold 0

Warm searches find their kernels compiled and follow each other in one process. Loading ones are the first of a fresh
process that finds its kernels in the cache. Cold ones are the first of a fresh process with an empty cache: the
compiler is still running when the time is over. Searches that end before their limit do not count.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import zermelo as z
from zermelo.play import Session

GAMES = ("connect_four", "othello", "hex", "chess", "checkers", "backgammon", "nine_mens_morris", "gomoku(side=9)")
INTERPRETED = ("connect_four", "othello")
"""Games whose rules are searched as plain Python as well, as those that do not compile are."""
LIMITS = (0.05, 0.1, 0.3)
COLD_LIMITS = (0.5, 1.0)
PLIES = (0, 4, 9, 14)
"""Random plies before the position that is searched."""
SEED = 1

Ask = Callable[..., Any]


def main() -> int:
    options = parser().parse_args()
    if options.one:
        print(json.dumps(first_search(json.loads(options.one))), flush=True)
        os._exit(0)  # it would stay until the compiler is done, which nobody needs here
    chosen = [name for name in options.only.split(",") if name] or list(GAMES)
    late = {"warm": list(warm_searches(chosen, options.warm))}
    late["loading"] = list(fresh_searches(chosen, options.cold, cache=None))
    late["cold"] = list(fresh_searches(chosen, options.cold, cache="empty"))
    if options.json:
        Path(options.json).write_text(json.dumps(late, indent=2) + "\n", encoding="utf-8")
    Console(width=None if sys.stdout.isatty() else 100, highlight=False).print(table(late))
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", default="", help="these games, separated by commas")
    parser.add_argument("--warm", type=int, default=100, help="searches with compiled kernels (100)")
    parser.add_argument("--cold", type=int, default=16, help="first searches of a process, loading and cold each (16)")
    parser.add_argument("--json", help="write every figure to this file, in seconds")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    return parser


def warm_searches(chosen: list[str], count: int) -> Iterator[dict[str, Any]]:
    """One search after the other, by all games, ways and limits in turn."""
    found = 0
    dice = random.Random(SEED)
    jobs = [(name, way) for name in chosen for way in ways(name)]
    for job in jobs:
        run(*job, 0, position(*job, 0, dice))  # without a limit of time it waits for the compiler
    while found < count:
        for name, way in jobs:
            limit = dice.choice(LIMITS)
            row = run(name, way, limit, position(name, way, dice.choice(PLIES), dice))
            if row["late"] > 0 and found < count:
                found += 1
                yield row
            print(f"\rwarm {found}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def ways(name: str) -> list[str]:
    """How a game is asked: compiled, interpreted where that is tried, by several threads, by other searches."""
    chance = bool(z.load(name).has("chances"))
    kinds = ["search", "two threads", "monte_carlo", *([] if chance else ["prove"])]
    return [*kinds, *(["interpreted"] if name in INTERPRETED else [])]


def run(name: str, way: str, limit: float, state: Any) -> dict[str, Any]:
    """One search, and by how much it was late; below zero where it ended of its own accord."""
    game = loaded(name, way)
    ask: dict[str, Ask] = {"prove": z.prove, "monte_carlo": z.monte_carlo}
    options = {"threads": 2} if way == "two threads" else {}
    begun = time.perf_counter()
    ask.get(way, z.search)(game, state, z.Limit(seconds=limit) if limit else z.Limit(nodes=1), **options)
    return {"game": name, "way": way, "limit": limit, "late": time.perf_counter() - begun - limit}


def loaded(name: str, way: str) -> z.Game:
    game = z.load(name)
    if way != "interpreted":
        return game
    kind = type("Interpreted", (type(game),), {"native": False})
    return kind(*(getattr(game, field.name) for field in dataclasses.fields(game)))


def position(name: str, way: str, plies: int, dice: random.Random) -> Any:
    """A state after some random plies, in which a player moves."""
    session = Session(loaded(name, way), seed=dice.randrange(1 << 30))
    while session.outcome is None and (session.is_chance or len(session.history) < plies):
        session.roll() if session.is_chance else session.play(dice.choice(session.moves))
    return session.state if session.outcome is None else position(name, way, 0, dice)


def fresh_searches(chosen: list[str], count: int, cache: str | None) -> Iterator[dict[str, Any]]:
    """The first searches of several processes, one after the other."""
    kind = "cold" if cache else "loading"
    for number in range(count):
        order = {"game": chosen[number % len(chosen)], "limit": COLD_LIMITS[number // len(chosen) % len(COLD_LIMITS)]}
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, **({"ZERMELO_CACHE": folder} if cache else {})}
            command = [sys.executable, __file__, "--one", json.dumps(order)]
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
        row = json.loads(done.stdout)
        print(f"\r{kind} {number + 1}", end="", file=sys.stderr, flush=True)
        if row["late"] > 0:
            yield row
    print(file=sys.stderr)


def first_search(order: dict[str, Any]) -> dict[str, Any]:
    """The first search of this process."""
    return run(order["game"], "search", order["limit"], position(order["game"], "search", 0, random.Random(SEED)))


def table(late: dict[str, list[dict[str, Any]]]) -> Table:
    found = Table(title="Milliseconds after the limit", title_justify="left")
    for heading in ("searches", "", "median", "p95", "most", "by"):
        found.add_column(heading, justify="right" if heading not in ("", "by") else "left")
    for kind, rows in late.items():
        if not rows:
            continue
        times = sorted(1000 * row["late"] for row in rows)
        worst = max(rows, key=lambda row: row["late"])
        p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
        by = f"{worst['game']}, {worst['way']}, {worst['limit']:g} s"
        found.add_row(str(len(rows)), kind, f"{statistics.median(times):.1f}", f"{p95:.1f}", f"{times[-1]:.1f}", by)
    return found


if __name__ == "__main__":
    sys.exit(main())
