"""Zermelo beside its peers: the same work on the same core in one run, with values that must agree.

    python bench/peers.py --quick
    python bench/peers.py --positions DIR --count 100 --count L1_R3=5 --book
    python bench/peers.py --solver "./my_solver --exact" --score-field 2

The peers come from PyPI into a virtual environment of their own. Everything is CPU time of one process, the median of
rounds that go by turns. The exit code is 1 where values differ, and 2 where the bench cannot run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import peer_venv
from contest import ZERMELO, Answer, solving
from plain_contests import CONTESTS, searching
from positions import EMPTY, QUICK, STAGES, PositionSet, chosen_counts, from_directory, generated
from rich.console import Console
from solver import CommandSolver
from tables import complaints, show
from worker import BenchError, Worker

SCRIPTS = {"bitbully": "worker_bitbully.py", "open_spiel": "worker_openspiel.py", "easyAI": "worker_easyai.py"}
BITBULLY_TARGET = 2.0
FROM_FILES = 100
"""How many positions of a file are solved, unless --count says otherwise."""


def main(arguments: list[str] | None = None) -> int:
    try:
        options = parser().parse_args(arguments)
        record = measure(options)
        if options.json:
            Path(options.json).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    show(record, console())
    return 1 if complaints(record) else 0


def console() -> Console:
    """The terminal; a file or a pipe gets lines wide enough for the tables."""
    wide = None if sys.stdout.isatty() else 150
    return Console(width=wide, highlight=False, markup=False)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench/peers.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="a fifth of the positions")
    add(
        "--positions",
        metavar="DIR",
        help="solve those of the .txt files there: columns played and score, a line each",
    )
    add(
        "--count",
        metavar="[SET=]N",
        action="append",
        default=[],
        help="positions of each set, or of one; 0 for none",
    )
    add("--empty", action="store_true", help="solve the empty board too: minutes")
    add("--book", action="store_true", help="measure bitbully with its 12-ply book as well")
    add("--rounds", type=int, default=3, metavar="N", help="how often each system has its turn (3)")
    add("--seed", type=int, default=1, metavar="N", help="which random positions (1)")
    add("--table", type=float, default=64, metavar="MB", help="Zermelo's transposition table (64)")
    add(
        "--solver",
        metavar="COMMAND",
        help="a solver to run beside: it reads lines of columns 1 to 7 (an empty line is the empty board) and prints "
        "for each, in order, a line of fields, such as '4453 -2 1171 93': moves, score, nodes, microseconds",
    )
    add("--score-field", type=int, default=2, metavar="N", help="which field of its lines is the score (2)")
    add("--nodes-field", type=int, default=0, metavar="N", help="which field is the number of nodes (none)")
    add("--only", choices=("connect_four", "plain_games"), help="one of the two parts")
    add("--no-install", action="store_true", help="use the peers that are installed already")
    add("--json", metavar="FILE", help="write the figures there")
    return parser


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The record of a run: machine, versions, options, and the figures of both parts."""
    checked(options)
    sets = [] if options.only == "plain_games" else position_sets(options)
    if options.only == "connect_four" and not sets:
        raise BenchError("--count leaves no position to solve.")
    why_not = {name: peer_venv.missing(name, not options.no_install) for name in SCRIPTS if wanted(name, options)}
    missing = {name: sentence for name, sentence in why_not.items() if sentence}
    core = pinned()
    with ExitStack() as running:
        zermelo = running.enter_context(Worker(ZERMELO, sys.executable, "worker_zermelo.py"))
        versions, workers = zermelo.ask("versions"), {ZERMELO: zermelo}
        for name in [name for name in why_not if name not in missing]:
            worker = running.enter_context(Worker(name, peer_venv.python(), SCRIPTS[name]))
            try:
                versions |= worker.ask("versions")
                workers[name] = worker
            except BenchError as error:  # installed, and yet it does not run here
                missing[name] = f"{name} is left out: {error}"
        connect_four = solving(sets, solvers(workers, options), {"bitbully": BITBULLY_TARGET}) if sets else []
        plain_games = [] if options.only == "connect_four" else plain_records(workers, options)
    return {
        "machine": {**machine(), "core": core},
        "versions": versions,
        "options": vars(options),
        "missing": missing,
        "connect_four": connect_four,
        "plain_games": plain_games,
    }


def checked(options: argparse.Namespace) -> None:
    """Complain of what cannot be measured before anything is installed."""
    if options.rounds < 1 or options.score_field < 1 or options.nodes_field < 0 or options.table <= 0:
        raise BenchError("--rounds and --score-field must be at least 1, --nodes-field at least 0 and --table above 0.")
    if options.positions and not Path(options.positions).is_dir():
        raise BenchError(f"--positions {options.positions}: there is no such folder.")
    if options.json and not Path(options.json).absolute().parent.is_dir():
        raise BenchError(f"--json {options.json}: the folder does not exist.")


def position_sets(options: argparse.Namespace) -> list[PositionSet]:
    """What is to be solved: the user's files, or generated positions, and the empty board where it is asked for."""
    share = QUICK if options.quick else 1
    if options.positions:
        sets = from_directory(Path(options.positions), FROM_FILES // share, options.count, options.rounds)
    else:
        counts = chosen_counts({name: count // share for name, (_, _, count) in STAGES.items()}, options.count)
        sets = generated(counts, options.seed, options.rounds)
    return [*sets, EMPTY] if options.empty else sets


def wanted(package: str, options: argparse.Namespace) -> bool:
    """Whether the package takes part in what is measured."""
    return bool(options.only != ("plain_games" if package == "bitbully" else "connect_four"))


def solvers(workers: dict[str, Worker], options: argparse.Namespace) -> dict[str, Callable[[list[str]], Answer]]:
    """Who solves Connect Four, each as a function of positions."""
    zermelo = workers[ZERMELO]
    found: dict[str, Callable[[list[str]], Answer]] = {
        ZERMELO: lambda texts: zermelo.ask("solve", positions=texts, table=options.table)
    }
    if bitbully := workers.get("bitbully"):
        found["bitbully"] = lambda texts: bitbully.ask("solve", positions=texts, book=False)
        if options.book:
            found["bitbully + book"] = lambda texts: bitbully.ask("solve", positions=texts, book=True)
    if options.solver:
        command = CommandSolver(options.solver, options.score_field, options.nodes_field)
        found[command.name] = command.solve
    return found


def plain_records(workers: dict[str, Worker], options: argparse.Namespace) -> list[Answer]:
    peers = {name: worker for name, worker in workers.items() if name in ("open_spiel", "easyAI")}
    return [searching(contest, workers[ZERMELO], peers, options.rounds, options.seed) for contest in CONTESTS]


def pinned() -> int | None:
    """Keep this process, and all that it starts, on one core, where the system allows it: which one."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def machine() -> dict[str, Any]:
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
    }


def processor() -> str:
    """The processor's name, as the kernel gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    sys.exit(main())
