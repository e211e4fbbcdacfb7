"""Published values of games, and what Zermelo proves them to be: a row each, in a process of its own.

    python bench/values.py
    python bench/values.py --only kalah --markdown

Seconds are wall-clock time without compilation, which comes first.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from typing import Any

from rich.console import Console
from rich.table import Table

import zermelo as z
from zermelo.native.compile_timing import timed

WIN, LOSS, DRAW = "first player wins", "second player wins", "draw"

TABLE = 1024
"""Megabytes of the table of a search, which the longest ones need."""

ROWS: tuple[tuple[str, str, str], ...] = (
    ("tic_tac_toe", DRAW, "solve"),
    ("connect_four(4,4)", DRAW, "solve"),
    ("connect_four(5,4)", DRAW, "search"),
    ("connect_four(6,5)", DRAW, "search"),
    ("nim((3,4,5))", WIN, "solve"),
    ("kalah(4,3,True)", "+8", "search"),
    ("kalah(4,4)", "+2", "search"),
    ("kalah(5,3,True)", "+8", "search"),
    ("kalah(6,2,True)", "+10", "search"),
    ("othello(4)", "-8", "solve"),
    ("domineering(4,4)", WIN, "search"),
    ("domineering(5,5)", LOSS, "search"),
    ("domineering(6,6)", WIN, "search"),
    ("domineering(7,7)", WIN, "search"),
    ("dots_and_boxes(2,3)", "-2", "search"),
    ("dots_and_boxes(2,4)", "+2", "search"),
    ("dots_and_boxes(3,3)", "-3", "search"),
    ("hex(3)", WIN, "search"),
    ("hex(4)", WIN, "search"),
    ("y(4)", WIN, "solve"),
    ("y(5)", WIN, "solve"),
    ("y(6)", WIN, "search"),
    ("hexapawn", LOSS, "solve"),
    ("sim", LOSS, "solve"),
    ("chomp(10,8)", WIN, "solve"),
    ("kayles((30,))", WIN, "solve"),
    ("l_game", DRAW, "solve"),
    ("hare_and_hounds", WIN, "solve"),
    ("fox_and_geese", LOSS, "solve"),
    ("fox_and_geese(8,False)", WIN, "solve"),
    ("three_musketeers", LOSS, "decide"),
    ("mu_torere", DRAW, "solve"),
    ("teeko", DRAW, "solve"),
    ("teeko(True)", WIN, "solve"),
    ("fanorona(3,3)", WIN, "solve"),
    ("fanorona(3,5)", WIN, "solve"),
    ("fanorona(5,3)", WIN, "solve"),
    ("fanorona(3,9)", WIN, "prove"),
    ("fanorona(9,3)", WIN, "prove"),
    ("fanorona(5,5)", DRAW, "prove"),
    ("fanorona(7,5)", WIN, "prove"),
    ("three_mens_morris", WIN, "solve"),
    ("six_mens_morris", DRAW, "solve"),
    ("chess_endgame(KQK)", WIN, "solve"),
    ("pig(50)", "0.546151", "solve"),
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", default="", help="games whose name begins so")
    parser.add_argument("--markdown", action="store_true", help="a table for a page")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(*json.loads(options.one))))
        return 0
    rows = [apart(*row) for row in ROWS if row[0].startswith(options.only)]
    (show_markdown if options.markdown else show)(rows)
    return 0 if all(row["agree"] for row in rows) else 1


def apart(*row: str) -> dict[str, Any]:
    """A row in a process of its own."""
    command = [sys.executable, __file__, "--one", json.dumps(row)]
    found: dict[str, Any] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
    return found


def one(text: str, published: str, method: str) -> dict[str, Any]:
    """Prove the value of a game by a solution of all its states, by a search, or by a proof-number search."""
    game = z.load(text)
    start = time.perf_counter()
    with timed() as making:
        value, size = METHODS[method](game)
    seconds = time.perf_counter() - start - making.seconds
    words = f"{chance(value):.6f}" if "." in published else str(value)
    return {
        "game": text, "published": published, "ours": words, "agree": agrees(value, published), "method": method,
        "size": size, "seconds": seconds,
    }  # fmt: skip


def solved(game: z.Game) -> tuple[z.Value, str]:
    """The value of the first state in a solution of all states."""
    solution = z.solve(game)
    return solution.value(), f"{len(solution):,} states"


def searched(game: z.Game) -> tuple[z.Value, str]:
    """The value by an exact search."""
    report = z.search(game, exact=True, table=TABLE)
    return report.value, f"{report.nodes:,} nodes"


def proven(game: z.Game) -> tuple[z.Value, str]:
    """The value by two questions to proof-number search: whether the game is won, and whether it is at least a draw."""
    won = z.prove(game)
    if won.value.outcome == z.WIN:
        return won.value, f"{won.nodes:,} nodes"
    held = z.prove(game, at_least=z.DRAW)
    draw = won.value.score == held.value.score == 0 and (won.value.bound, held.value.bound) == ("upper", "lower")
    return z.Value.draw() if draw else held.value, f"{won.nodes + held.nodes:,} nodes"


def decided(game: z.Game) -> tuple[z.Value, str]:
    """An exact search until it is proven who wins; how soon may take far longer."""
    with z.analyze(game, exact=True, table=TABLE) as reports:
        for report in reports:
            if report.value.outcome is not None:
                break
    return report.value, f"{report.nodes:,} nodes"


METHODS = {"solve": solved, "search": searched, "prove": proven, "decide": decided}


def agrees(value: z.Value, published: str) -> bool:
    if published in (WIN, DRAW, LOSS):
        return value.outcome == {WIN: z.WIN, DRAW: z.DRAW, LOSS: z.LOSS}[published]
    if "." in published:
        return abs(chance(value) - float(published)) < 1e-6
    return value.score == int(published)


def chance(value: z.Value) -> float:
    """How likely the first player wins, where the value is what he wins or loses on average."""
    return (1 + value.score) / 2


def show(rows: list[dict[str, Any]]) -> None:
    table = Table("game", "published", "Zermelo", "", "by", "size", "seconds")
    for row in rows:
        table.add_row(*_cells(row))
    Console(width=None if sys.stdout.isatty() else 130).print(table)


def show_markdown(rows: list[dict[str, Any]]) -> None:
    print("| game | published | Zermelo | agreement | method | size | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        print(f"| {' | '.join(_cells(row))} |")


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    agree = "agrees" if row["agree"] else "differs"
    return (row["game"], row["published"], row["ours"], agree, row["method"], row["size"], f"{row['seconds']:.1f}")


if __name__ == "__main__":
    raise SystemExit(main())
