"""zermelo bench: one number that identifies the search, and speed as ratios taken side by side in one run.

The signature is the number of nodes that fixed positions take to a fixed depth. It is the same on every machine; a
change that moves it has changed what the search does, and its commit says so.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from zermelo.app.commands.startup_bench import ROUNDS, StartUp, start_up_rows, warm_script
from zermelo.games.registry import load, position
from zermelo.limits import Limit
from zermelo.native.cache.cache_maintenance import cache_folder
from zermelo.searching import search
from zermelo.simulation.perft_divide import perft

POSITIONS = (
    ("connect_four", "", 9),
    ("connect_four", "4453", 9),
    ("connect_four", "44444222", 9),
    ("connect_four(5,4)", "", 10),
    ("tic_tac_toe", "", 9),
    ("tic_tac_toe(4,4,4)", "", 6),
    ("nim(piles=(3,4,5))", "", 6),
    ("random_tree(branching=6,depth=7,seed=1)", "", 7),
    ("pig(20)", "", 5),
)
"""Game, position and depth of each search of the signature."""


def bench(as_json: bool = False, start_up: bool = False) -> None:
    """Print the signature and the ratios, and the table of start-up times before them if asked for."""
    figures: dict[str, Any] = {}
    if start_up:
        figures["start_up_table"] = {"rounds": ROUNDS, "rows": [row._asdict() for row in _start_up(not as_json)]}
    for name, doing, measure in PARTS:
        print(f"{doing} ...", file=sys.stderr, flush=True)
        figures[name] = measure()
    if as_json:
        print(json.dumps(figures, indent=2))
        return
    perft, start = figures["perft"], figures["start_up"]
    print(
        f"perft connect_four   compiled {perft['compiled'] / 1e6:.0f} M leaves/s, interpreted "
        f"{perft['interpreted'] / 1e6:.2f} M leaves/s: {perft['ratio']:.0f} times as fast"
    )
    print(
        f"second process       numba's import {start['numba']:.2f} s, first search done after {start['ready']:.2f} s: "
        f"{start['ratio']:.2f} times"
    )
    print(f"Bench: {figures['signature']}")


def _start_up(show: bool) -> Iterator[StartUp]:
    """Measure the rows of the start-up table, and print each as soon as it is known."""
    print("Starting processes with empty caches, which takes minutes ...", file=sys.stderr, flush=True)
    if show:
        print(f"First answers as multiples of `import numba`, medians of {ROUNDS}:", flush=True)
    for row in start_up_rows():
        if show:
            print(f"  {row.name:<53} {row.ratio:5.2f}  {row.seconds:6.2f} s, numba {row.numba:.2f} s", flush=True)
        yield row


def signature() -> int:
    """Total nodes of the fixed searches."""
    return sum(_nodes(*each) for each in POSITIONS)


def _nodes(spec: str, moves: str, depth: int) -> int:
    game = load(spec)
    return search(game, position(game, moves), Limit(depth=depth)).nodes


def perft_ratio(rounds: int = 5) -> dict[str, float]:
    """Leaves a second, compiled and interpreted by turns on the same machine; medians and their ratio."""
    game = load("connect_four")
    perft(game, 1)
    compiled, interpreted = [], []
    for _ in range(rounds):
        compiled.append(_rate(lambda: perft(game, 9)))
        interpreted.append(_rate(lambda: perft(game, 6, interpreted=True)))
    fast, slow = statistics.median(compiled), statistics.median(interpreted)
    return {"compiled": fast, "interpreted": slow, "ratio": fast / slow}


def _rate(count: Callable[[], int]) -> float:
    start = time.perf_counter()
    leaves = count()
    return leaves / (time.perf_counter() - start)


def second_process() -> dict[str, Any]:
    """How long a new process takes to its first search when the cache has the kernels, against `import numba`."""
    (found,) = start_up_rows((("connect_four", warm_script("connect_four", cache_folder())),))
    return {"numba": found.numba, "ready": found.seconds, "ratio": found.ratio}


PARTS: tuple[tuple[str, str, Callable[[], Any]], ...] = (
    ("signature", "Searching fixed positions", signature),
    ("perft", "Counting leaves, compiled and interpreted", perft_ratio),
    ("start_up", "Starting further processes", second_process),
)
"""The parts of the bench: name, message, and measurement."""
