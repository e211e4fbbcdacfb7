"""Chess beside its peers: perft against python-chess, nodes against sunfish, in one run.

    python bench/chess_contest.py --seconds 1

The peers come from PyPI into a virtual environment of their own, where they run under CPython. Speeds are CPU time of
one core. The exit code is 1 where counts of leaves differ, and 2 where the bench cannot run. Matches are those of
bench/programs.py.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import peer_venv
from rich.console import Console
from rich.table import Table
from worker import Worker, timed

import zermelo as z

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MIDDLE = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
POSITIONS = {"start": (START, 5, 4), "Kiwipete": (KIWIPETE, 5, 3), "middle game": (MIDDLE, 5, 3)}
"""The position, Zermelo's depth, and that of python-chess and of the rules interpreted."""

OPENINGS = (
    "e4 e5 Nf3 Nc6 Bb5 a6", "e4 e5 Nf3 Nc6 Bc4 Bc5", "e4 e5 Nf3 Nf6 Nxe5 d6", "e4 c5 Nf3 d6 d4 cxd4",
    "e4 c5 Nc3 Nc6 g3 g6", "e4 e6 d4 d5 Nc3 Nf6", "e4 e6 d4 d5 e5 c5", "e4 c6 d4 d5 Nc3 dxe4",
    "e4 d5 exd5 Qxd5 Nc3 Qa5", "e4 d6 d4 Nf6 Nc3 g6", "d4 d5 c4 e6 Nc3 Nf6", "d4 d5 c4 c6 Nf3 Nf6",
    "d4 d5 c4 dxc4 Nf3 Nf6", "d4 Nf6 c4 g6 Nc3 Bg7", "d4 Nf6 c4 e6 Nc3 Bb4", "d4 Nf6 c4 e6 Nf3 b6",
    "d4 f5 g3 Nf6 Bg2 e6", "c4 e5 Nc3 Nf6 g3 d5", "Nf3 d5 g3 c5 Bg2 Nc6", "d4 d5 Bf4 Nf6 e3 c5",
)  # fmt: skip
"""Well-known openings, for matches."""


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False, markup=False)
    try:
        record = measure(options, console)
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        Path(options.json).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return 1 if any(not row["agree"] for row in record["perft"]) else 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench/chess_contest.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--seconds", type=float, default=1.0, metavar="S", help="seconds for each search (1)")
    add("--offline", action="store_true", help="install nothing; what is missing is left out")
    add("--json", metavar="FILE", help="write what was measured")
    return parser


def measure(options: argparse.Namespace, console: Console) -> dict[str, Any]:
    """Everything, shown as it is found."""
    record: dict[str, Any] = {"perft": [], "search": [], "missing": []}
    missing = {name: peer_venv.missing(name, not options.offline) for name in ("chess", "sunfish")}
    record["missing"] = [sentence for sentence in missing.values() if sentence]
    for sentence in record["missing"]:
        console.print(sentence, style="red")
    game = z.load("chess")
    record["compile"] = compiled(game)
    console.print("Machine code: perft {perft:.1f} s, search {search:.1f} s.".format(**record["compile"]))
    python = sys.executable if all(missing.values()) else peer_venv.python()
    with Worker("peers", python, "worker_chess.py") as peers:
        record["perft"] = [perft(game, *row, None if missing["chess"] else peers) for row in POSITIONS.items()]
        console.print(perft_table(record["perft"]))
        record["search"] = [search(game, name, row[0], options.seconds, None if missing["sunfish"] else peers)
                            for name, row in POSITIONS.items()]  # fmt: skip
        console.print(search_table(record["search"], options.seconds))
    return record


def compiled(game: z.Game) -> dict[str, float]:
    """CPU seconds until the kernels are compiled."""
    return {
        "perft": timed(lambda: z.perft(game, 1))[1],
        "search": timed(lambda: z.search(game, limit=z.Limit(depth=1)))[1],
    }


# -- perft and nodes ---------------------------------------------------------------------------------------------------


def perft(game: z.Game, name: str, row: tuple[str, int, int], peers: Worker | None) -> dict[str, Any]:
    """Leaves a CPU second: compiled, interpreted, and by python-chess, whose count must be the same."""
    fen, depth, shallow = row
    state = game.parse_state(fen)
    leaves, cpu = timed(lambda: z.perft(game, depth, state))
    few, plain = timed(lambda: z.perft(game, shallow, state, interpreted=True))
    found = {"position": name, "depth": depth, "leaves": leaves, "rate": leaves / cpu, "interpreted": few / plain}
    peer = peers.ask("perft", fen=fen, depth=shallow) if peers else None
    rate = peer["leaves"] / peer["cpu"] if peer else None
    agree = z.perft(game, shallow, state) == few and (peer is None or peer["leaves"] == few)
    return found | {"python-chess": rate, "agree": agree}


def perft_table(rows: list[dict[str, Any]]) -> Table:
    table = Table(title="Perft of chess, leaves a second, one core", title_justify="left")
    for name in ("position", "depth", "leaves", "zermelo", "python-chess", "ratio", "interpreted", "ratio"):
        table.add_column(name, justify="left" if name == "position" else "right")
    for row in rows:
        peer = row["python-chess"]
        table.add_row(
            row["position"], str(row["depth"]), f"{row['leaves']:,}", f"{row['rate'] / 1e6:.0f} M",
            f"{peer / 1e6:.2f} M" if peer else "-", f"{row['rate'] / peer:.0f}x" if peer else "-",
            f"{row['interpreted'] / 1e6:.2f} M", f"{row['rate'] / row['interpreted']:.0f}x",
        )  # fmt: skip
    return table


def search(game: z.Game, name: str, fen: str, seconds: float, peers: Worker | None) -> dict[str, Any]:
    """Nodes per CPU second, and the depth reached in `seconds`."""
    report, cpu = timed(lambda: z.search(game, game.parse_state(fen), z.Limit(seconds=seconds)))
    found = {"position": name, "depth": report.depth, "nodes": report.nodes, "rate": report.nodes / cpu}
    peer = peers.ask("search", fen=fen, seconds=seconds) if peers else {"nodes": 0, "cpu": 1, "depth": 0}
    return found | {"sunfish": peer["nodes"] / peer["cpu"], "sunfish depth": peer["depth"]}


def search_table(rows: list[dict[str, Any]], seconds: float) -> Table:
    table = Table(title=f"Search of chess, {seconds:g} s, nodes a CPU second", title_justify="left")
    for name in ("position", "zermelo", "depth", "sunfish", "depth", "ratio"):
        table.add_column(name, justify="left" if name == "position" else "right")
    for row in rows:
        ratio = f"{row['rate'] / row['sunfish']:.0f}x" if row["sunfish"] else "-"
        table.add_row(row["position"], f"{row['rate'] / 1e6:.1f} M", str(row["depth"]),
                      f"{row['sunfish'] / 1e6:.3f} M", str(row["sunfish depth"]), ratio)  # fmt: skip
    return table


if __name__ == "__main__":
    start = time.perf_counter()
    code = main()
    print(f"{time.perf_counter() - start:.0f} s in all.")
    sys.exit(code)
