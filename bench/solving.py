"""How fast Zermelo solves games, and what memory that takes: each game in a process of its own.

    python bench/solving.py
    python bench/solving.py --quick --json solving.json
    python bench/solving.py --only 5x5      # what has this in its name: Connect Four 5x5, by 1, 2, 4, ... threads
    python bench/solving.py --long          # Connect Four 6x5 as well: minutes, 12 GB of memory, 10 GB of disk

A line is printed for each solve when it ends, and tables at the end. A game is solved twice, and the second time
counts: the first may compile, and makes the process larger. Memory is the peak of the second solve, less what the
process had before, without files that are mapped; `kept` is the bytes of an entry, without its key. States are counted
up to symmetry, positions with their mirror images. A rate a core is that of a second of processor time. The parallel
efficiency of n threads is how much faster they are than one, divided by n. The last table has the rate of Connect Four
on larger and larger boards.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import zermelo as z

SOLVES: dict[str, tuple[str, dict[str, Any]]] = {
    "Connect Four 5x5, into a file": ("connect_four(5,5)", {"file": True}),
    "Connect Four 5x4, into a file": ("connect_four(5,4)", {"file": True}),
    "king and queen against king and rook": ("chess_endgame(KQKR)", {}),
    "the same, wins, draws and losses alone": ("chess_endgame(KQKR)", {"wdl": True}),
    "six men's morris": ("six_mens_morris", {}),
    "nine men's morris, up to four against four": ("nine_mens_morris", {"stones": [4, 4]}),
    "Pig to 50, error below 1e-9": ("pig(50)", {}),
}
SCALED = (
    "Connect Four 5x5, into a file",
    "king and queen against king and rook",
    "six men's morris",
    "nine men's morris, up to four against four",
)
LARGE = {"nine men's morris, up to five against five": ("nine_mens_morris", {"stones": [5, 5]})}
LONG = {
    "Connect Four 6x5, into a file, 12 GB": (
        "connect_four(6,5)",
        {"file": True, "memory": "12GB", "before": "connect_four(5,4)"},
    )
}
"""Solves by 1, 2, 4, ... threads; and what takes minutes. `before` is solved first to compile, instead of the game."""

BOARDS = ("connect_four(5,4)", "connect_four(5,5)", "connect_four(6,5)")
"""Boards whose rates are compared."""

QUICK = ("Connect Four 5x4, into a file", "Pig to 50, error below 1e-9")
COMPARED = {"quick": "connect_four(4,4)", "full": "connect_four(5,4)"}
"""The game that is solved compiled and interpreted, side by side."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help="small games only")
    parser.add_argument("--large", action="store_true", help="nine men's morris up to five against five as well")
    parser.add_argument("--long", action="store_true", help="Connect Four 6x5 as well, with 12 GB of memory")
    parser.add_argument("--only", default="", help="only solves with this in their names, and no interpreted one")
    parser.add_argument("--json", help="write the figures to this file")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(*json.loads(options.one))))
        return 0
    more = (LARGE if options.large else {}) | (LONG if options.long else {})
    solves = {name: SOLVES[name] for name in QUICK} if options.quick else SOLVES | more
    solves = {name: solve for name, solve in solves.items() if options.only in name}
    figures: dict[str, Any] = {"solves": {name: told(name, *solve) for name, solve in solves.items()}}
    figures["threads"] = {name: scaled(name, *SOLVES[name]) for name in SCALED if name in solves}
    if not options.only:
        figures["compared"] = compared(COMPARED["quick" if options.quick else "full"])
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    show(figures)
    return 0


def told(name: str, text: str, how: dict[str, Any]) -> dict[str, Any]:
    """The figures of one solve, after a line about it."""
    found = apart(text, how)
    rate = f"{found['states_per_second'] / 1e6:.2f} M states/s, {found['states_per_core_second'] / 1e6:.2f} a core"
    print(f"{name}, {found['threads']} threads: {found['seconds']:.1f} s, {rate}", file=sys.stderr, flush=True)
    return found


def apart(text: str, how: dict[str, Any]) -> dict[str, Any]:
    """The figures of one solve, in a process of its own."""
    command = [sys.executable, __file__, "--one", json.dumps([text, how])]
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found


def scaled(name: str, text: str, how: dict[str, Any]) -> list[dict[str, Any]]:
    """The figures of a solve by 1, 2, 4, ... threads, and by as many as there are cores."""
    cores = os.cpu_count() or 1
    numbers = sorted({*(1 << i for i in range(cores.bit_length())), cores})
    return [told(name, text, {**how, "threads": threads}) for threads in numbers]


def one(text: str, how: dict[str, Any]) -> dict[str, Any]:
    """Solve a game twice, or another one before it; the figures of the second time."""
    game = z.load(text)
    assert game.native_error is None
    options = {name: how[name] for name in ("wdl", "threads", "memory") if name in how}
    if "stones" in how:
        options |= {"stage": game.stage_of(*how["stones"])}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "solution") if how.get("file") else None
        if "before" in how:
            z.solve(z.load(how["before"]), Path(folder, "before"))
        else:
            z.solve(game, path, **options)
        memory, start, cpu = MemoryPeak(), time.perf_counter(), time.process_time()
        solution = z.solve(game, path, **options)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        size = os.path.getsize(path) if path else None
        taken = memory.taken()
        entries = sum(table.length for table in solution.tables.values())
        kept = sum(table.length * table.bits / 8 for table in solution.tables.values())
    return {
        "game": text, "states": len(solution), "positions": solution.positions, "numbers": entries, "seconds": seconds,
        "cpu": cpu, "states_per_second": len(solution) / seconds, "positions_per_second": solution.positions / seconds,
        "states_per_core_second": len(solution) / cpu,
        "memory": taken, "bytes_per_state": taken / len(solution), "kept_per_entry": kept / entries,
        "file": size, "threads": how.get("threads", os.cpu_count()),
    }  # fmt: skip


class MemoryPeak:
    """The most memory that this process takes from now on, in bytes, looked at many times a second."""

    def __init__(self) -> None:
        self.before = self.most = memory_now()
        self.done = threading.Event()
        self.watcher = threading.Thread(target=self.watch, daemon=True)
        self.watcher.start()

    def watch(self) -> None:
        while not self.done.wait(0.01):
            self.most = max(self.most, memory_now())

    def taken(self) -> int:
        """Return the most there was, less what there was at first."""
        self.done.set()
        self.watcher.join()
        return self.most - self.before


def memory_now() -> int:
    """The memory of this process in bytes, without files that are mapped; its peak where the system does not tell."""
    with suppress(OSError):
        text = Path("/proc/self/status").read_text()
        return 1024 * sum(map(int, re.findall(r"(?:RssAnon|RssShmem):\s*(\d+) kB", text)))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def compared(text: str) -> dict[str, Any]:
    """States a second of the same game compiled and interpreted."""
    game = z.load(text)
    z.solve(game)
    start = time.perf_counter()
    states = len(z.solve(game))
    fast = states / (time.perf_counter() - start)
    plain = type(type(game).__name__, (type(game),), {"native": False})(game.width, game.height)
    start = time.perf_counter()
    assert len(z.solve(plain)) == states
    slow = states / (time.perf_counter() - start)
    return {"game": text, "compiled": fast, "interpreted": slow, "ratio": fast / slow}


def show(figures: dict[str, Any]) -> None:
    console = Console(width=None if sys.stdout.isatty() else 150, highlight=False)
    table = Table(title="Solving, all cores", title_justify="left")
    columns = "", "states", "positions", "seconds", "M positions/s", "M states/s a core", "memory MB", "bytes/state"
    for name in (*columns, "kept", "file MB"):
        table.add_column(name, justify="left" if not name else "right")
    for name, found in figures["solves"].items():
        table.add_row(
            name, f"{found['states']:,}", f"{found['positions']:,}", f"{found['seconds']:.1f}",
            f"{found['positions_per_second'] / 1e6:.2f}", f"{found['states_per_core_second'] / 1e6:.2f}",
            f"{found['memory'] / 1e6:.0f}",
            f"{found['bytes_per_state']:.1f}", f"{found['kept_per_entry']:.2f}",
            "" if found["file"] is None else f"{found['file'] / 1e6:.1f}",
        )  # fmt: skip
    console.print(table)
    if figures["threads"]:
        console.print(threads_table(figures["threads"]))
    boards = [solve for board in BOARDS for solve in figures["solves"].values() if solve["game"] == board]
    if len(boards) > 1:
        console.print(boards_table(boards))
    if found := figures.get("compared"):
        console.print(
            f"{found['game']}: {found['compiled'] / 1e6:.2f} M states/s compiled, {found['interpreted'] / 1e3:.1f} "
            f"thousand interpreted: {found['ratio']:.0f} times as fast"
        )


def boards_table(boards: list[dict[str, Any]]) -> Table:
    table = Table(title="Larger and larger boards", title_justify="left")
    for name in ("", "states", "M states/s", "M states/s a core", "against the board before", "bytes/state"):
        table.add_column(name, justify="left" if not name else "right")
    for before, found in zip([None, *boards], boards, strict=False):
        ratio = f"{found['states_per_second'] / before['states_per_second']:.2f}" if before else ""
        table.add_row(
            found["game"], f"{found['states']:,}", f"{found['states_per_second'] / 1e6:.2f}",
            f"{found['states_per_core_second'] / 1e6:.2f}", ratio, f"{found['bytes_per_state']:.1f}",
        )  # fmt: skip
    return table


def threads_table(solves: dict[str, list[dict[str, Any]]]) -> Table:
    table = Table(title="By threads", title_justify="left")
    for name in ("", "threads", "seconds", "M states/s", "M states/s a core", "efficiency", "bytes/state"):
        table.add_column(name, justify="left" if not name else "right")
    for name, runs in solves.items():
        for found in runs:
            efficiency = runs[0]["seconds"] / (found["threads"] * found["seconds"])
            table.add_row(
                name, str(found["threads"]), f"{found['seconds']:.1f}", f"{found['states_per_second'] / 1e6:.2f}",
                f"{found['states_per_core_second'] / 1e6:.2f}", f"{efficiency:.2f}", f"{found['bytes_per_state']:.1f}",
            )  # fmt: skip
    return table


if __name__ == "__main__":
    raise SystemExit(main())
