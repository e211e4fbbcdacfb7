"""Perft of every game of the catalogue: leaves per second, compiled and interpreted, side by side in one run.

    python bench/perft_table.py
    python bench/perft_table.py --only chomp,cant_stop --seconds 4

Each game is counted to the depth that the interpreter reaches in about `--seconds`, by both in turn. The rates are
medians in CPU time of one core, without compilation. The exit code is 1 where the counts differ.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from worker import timed

import zermelo as z
from zermelo.games.registry import GAMES

SIZES = {
    "nim": "nim((5,6,7,8))",
    "kayles": "kayles((40,))",
    "dawsons_kayles": "dawsons_kayles((40,))",
    "chess_endgame": "chess_endgame(KQKR)",
    "random_tree": "random_tree(branching=6,depth=9)",
}
"""Sizes other than the usual ones: where there is none, or where the whole game is counted in an instant."""
WITHOUT = ("game_tree",)
"""A tree that a user writes has no rules to compile."""
ROUNDS = 3
GROWTH = 4
"""A ply more takes about this many times as long, or more."""


def main() -> int:
    options = parser().parse_args()
    chosen = [name for name in options.only.split(",") if name] or [name for name in GAMES if name not in WITHOUT]
    rows = []
    console = Console(width=None if sys.stdout.isatty() else 100, highlight=False)
    for name in chosen:
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows.append(measured(SIZES.get(name, name), options.seconds))
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    console.print(table(rows))
    worst = min(rows, key=lambda row: row["ratio"])
    console.print(f"Median {statistics.median(row['ratio'] for row in rows):.0f}x; least {worst['game']}.")
    return 0 if all(row["agree"] for row in rows) else 1


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", default="", help="these games, separated by commas")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds for the interpreter (1)")
    parser.add_argument("--json", help="write the figures to this file")
    return parser


def measured(text: str, seconds: float) -> dict[str, Any]:
    """The rates of one game, and whether the counts agree."""
    game = z.load(text)
    assert game.native_error is None, game.native_error
    z.perft(game, 1)  # compile
    depth = reached(lambda depth: z.perft(game, depth, interpreted=True), seconds)
    fast, slow = [], []
    for _ in range(ROUNDS):
        leaves, cpu = timed(lambda: z.perft(game, depth, interpreted=True))
        slow.append(leaves / cpu)
        fast.append(rate(lambda: z.perft(game, depth), seconds / 10))
    compiled, interpreted = statistics.median(fast), statistics.median(slow)
    return {
        "game": text, "depth": depth, "leaves": leaves, "compiled": compiled, "interpreted": interpreted,
        "ratio": compiled / interpreted, "agree": leaves == z.perft(game, depth),
    }  # fmt: skip


def reached(count: Callable[[int], int], seconds: float) -> int:
    """The depth that takes about this many CPU seconds; less where every game ends before."""
    depth = 1
    leaves, cpu = timed(lambda: count(1))
    while cpu < seconds / GROWTH:
        leaves, cpu = timed(lambda: count(depth + 1))  # noqa: B023  (called at once)
        if not leaves:
            return depth
        depth += 1
    return depth


def rate(count: Callable[[], int], seconds: float) -> float:
    """Leaves a CPU second, counted again until the clock has something to measure."""
    leaves = 0
    spent = 0.0
    while spent < seconds:
        more, cpu = timed(count)
        leaves, spent = leaves + more, spent + cpu
    return leaves / spent


def table(rows: list[dict[str, Any]]) -> Table:
    found = Table(title="Perft, leaves a CPU second, one core", title_justify="left")
    for name in ("game", "depth", "leaves", "compiled", "interpreted", "ratio"):
        found.add_column(name, justify="left" if name == "game" else "right")
    for row in sorted(rows, key=lambda row: -row["ratio"]):
        found.add_row(
            row["game"], str(row["depth"]), f"{row['leaves']:,}", f"{row['compiled'] / 1e6:.1f} M",
            f"{row['interpreted'] / 1e6:.3f} M", f"{row['ratio']:.0f}x" if row["agree"] else "counts differ",
        )  # fmt: skip
    return found


if __name__ == "__main__":
    sys.exit(main())
