"""The parsers of `zermelo tree`, `analyze` and `bench`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo.app import shell_completion
from zermelo.app.options import (
    ALGORITHMS,
    Cut,
    Database,
    Fail,
    Form,
    GameText,
    Json,
    Method,
    Position,
    Repetition,
    Table,
    WeightsFile,
    limited,
    number,
    window,
)
from zermelo.arguments import MAX_THREADS


def tree(
    game: GameText,
    position: Position = "",
    algorithm: Annotated[
        str,
        typer.Option(metavar="NAME", help=f"One of {ALGORITHMS}.", autocompletion=shell_completion.one_of(ALGORITHMS)),
    ] = "alphabeta",
    depth: Annotated[
        int | None, typer.Option(min=0, help="Plies to search; by default to the end of the game.")
    ] = None,
    form: Annotated[Form | None, typer.Option(help="The form in which alphabeta is written.")] = None,
    fail: Annotated[Fail | None, typer.Option(help="Values outside the window: soft or hard.")] = None,
    cut: Annotated[Cut | None, typer.Option(help="Cut at equality, or only beyond it.")] = None,
    window: Annotated[
        Any, typer.Option(parser=window, metavar="LOW,HIGH", help="Alpha and beta at the root; open if not given.")
    ] = None,
    guess: Annotated[
        Any, typer.Option(parser=number, metavar="NUMBER", help="The value that aspiration expects.")
    ] = None,
    margin: Annotated[
        Any, typer.Option(parser=number, metavar="NUMBER", help="Half the width of the first aspiration window.")
    ] = None,
    order: Annotated[bool, typer.Option("--order", help="Try moves by the game's order rule.")] = False,
    symmetric: Annotated[bool, typer.Option("--symmetric", help="Count equivalent states as one.")] = False,
    repetition: Annotated[Repetition | None, typer.Option(help="Count a state that repeats as a draw.")] = None,
    max_nodes: Annotated[int, typer.Option(min=1, help="The largest tree that is shown.")] = 1000,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the tree to a picture instead.")] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page instead that steps through the search.")
    ] = None,
    max_depth: Annotated[int | None, typer.Option(min=1, help="Plies that are drawn.")] = None,
    max_width: Annotated[
        int | None,
        typer.Option(min=1, help="Successors of a node that are drawn."),
    ] = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw the tree in plain ASCII.")] = False,
    json: Json = False,
) -> None:
    """Run a textbook algorithm and print its trace and its tree.

    --svg and --html write the tree to a file instead.
    """
    from zermelo.app.commands import tree_command

    chosen: dict[str, Any] = {"depth": depth, "form": form, "fail": fail, "cut": cut, "repetition": repetition}
    chosen |= {"window": window, "guess": guess, "margin": margin, "order": order or None}
    chosen |= {"symmetric": symmetric or None}
    given = {name: str(value) if isinstance(value, StrEnum) else value for name, value in chosen.items()}
    if svg is None and html is None and (max_depth or max_width):
        raise typer.BadParameter("--max-depth and --max-width are for --svg and --html.")
    pictures = tree_command.Pictures(svg, html, max_depth, max_width)
    tree_command.show(game, position, algorithm, given, max_nodes, pictures=pictures, ascii=ascii, as_json=json)


def analyze(
    game: GameText,
    position: Position = "",
    seconds: Annotated[float | None, typer.Option(help="Time for the analysis.")] = None,
    depth: Annotated[int | None, typer.Option(help="Plies to look ahead.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Nodes to visit.")] = None,
    lines: Annotated[int | None, typer.Option(min=1, help="How many moves get a line; 1 by default.")] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, max=MAX_THREADS, help="Threads that search together; 1 by default.")
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Prove the value, by null windows.")] = False,
    table: Table = None,
    method: Annotated[Method, typer.Option(help="Alpha-beta, proof-number search or Monte Carlo tree search.")] = (
        Method.search
    ),
    at_least: Annotated[
        int | None, typer.Option(help="What proof asks for: 1, a win, by default; 0, a draw; or a number of points.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of monte-carlo.")] = None,
    database: Database = None,
    weights: WeightsFile = None,
    json: Annotated[bool, typer.Option("--json", help="Print one record a line, the last one final.")] = False,
) -> None:
    """Search a position and print the result of each round.

    The result is the depth, the value and the best line. Without a limit the search runs until the value is proven.
    Ctrl-C stops it and prints the answer so far.
    """
    from zermelo.app.commands import analyze_command

    limit = limited(seconds, depth, nodes)
    options: dict[str, Any] = {"exact": exact or None, "lines": lines, "threads": threads, "table": table}
    options |= {"at_least": at_least, "seed": seed, "database": database, "weights": weights}
    analyze_command.analyze(game, position, limit, method.value, options, as_json=json)


def bench(
    startup: Annotated[
        bool, typer.Option("--startup", help="Time first answers with an empty cache too; this takes minutes.")
    ] = False,
    json: Json = False,
) -> None:
    """Measure the search: its number of nodes and its speed.

    Bench is the number of nodes that searches of fixed positions to a fixed depth visit. It is the same on every
    machine, and changes only when the search changes. Speeds are ratios of two times, measured side by side: compiled
    against interpreted rules, and the start of a second process against the import of numba. --startup also compares
    the time to a first answer with the import of numba: with an empty cache, after an edit of a rule, and with a full
    cache.
    """
    from zermelo.app.commands.bench_command import bench as run_bench

    run_bench(json, startup)
