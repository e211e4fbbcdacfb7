"""zermelo bench: one number that identifies the search, and speed as ratios taken side by side in one run.

The signature is the number of nodes that fixed positions take to a fixed depth. It is the same on every machine; a
change that moves it has changed what the search does, and its commit says so.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from zermelo.games.registry import load, position
from zermelo.limits import Limit
from zermelo.perft_divide import count_leaves
from zermelo.searching import search

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

START_UP = """
import json, time
before = time.perf_counter()
import numba
imported = time.perf_counter()
import zermelo
from zermelo.native import kernels
zermelo.search(zermelo.load("connect_four"), limit=zermelo.Limit(depth=1))
ready = time.perf_counter()
compiled = sum(sum(k.compiled.stats.cache_misses.values()) for k in kernels if "compiled" in vars(k))
print(json.dumps([imported - before, ready - before, compiled]))
"""


def bench(as_json: bool = False) -> None:
    """Print the signature and the ratios."""
    figures: dict[str, Any] = {}
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
        f"{start['ratio']:.2f} times; {start['compiled']} kernels compiled anew"
    )
    print(f"Bench: {figures['signature']}")


def signature() -> int:
    """Total nodes of the fixed searches."""
    return sum(_nodes(*each) for each in POSITIONS)


def _nodes(spec: str, moves: str, depth: int) -> int:
    game = load(spec)
    return search(game, position(game, moves), Limit(depth=depth)).nodes


def perft_ratio(rounds: int = 5) -> dict[str, float]:
    """Leaves a second, compiled and interpreted by turns on the same machine; medians and their ratio."""
    game = load("connect_four")
    count_leaves(game, game.initial(), 1)
    compiled, interpreted = [], []
    for _ in range(rounds):
        compiled.append(_rate(lambda: count_leaves(game, game.initial(), 9)))
        interpreted.append(_rate(lambda: count_leaves.interpreted(game, game.initial(), 6)))
    fast, slow = statistics.median(compiled), statistics.median(interpreted)
    return {"compiled": fast, "interpreted": slow, "ratio": fast / slow}


def _rate(count: Callable[[], int]) -> float:
    start = time.perf_counter()
    leaves = count()
    return leaves / (time.perf_counter() - start)


def start_up_ratio(rounds: int = 5) -> dict[str, Any]:
    """How long a new process takes to its first search when the cache has the kernels, against numba's import."""
    runs = [_start_up() for _ in range(rounds + 1)][1:]  # the first may compile
    numba, ready, compiled = zip(*runs, strict=True)
    return {
        "numba": statistics.median(numba),
        "ready": statistics.median(ready),
        "ratio": statistics.median(r / n for r, n in zip(ready, numba, strict=True)),
        "compiled": max(compiled),
    }


def _start_up() -> tuple[float, float, int]:
    # A user's installation has its bytecode; a shell that forbids writing it would measure Python's parser instead.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", START_UP]
    output = subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout
    imported, ready, compiled = json.loads(output)
    return imported, ready, compiled


PARTS: tuple[tuple[str, str, Callable[[], Any]], ...] = (
    ("signature", "Searching fixed positions", signature),
    ("perft", "Counting leaves, compiled and interpreted", perft_ratio),
    ("start_up", "Starting further processes", start_up_ratio),
)
"""The parts of the bench: name, message, and measurement."""
