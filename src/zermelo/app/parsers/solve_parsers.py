"""The parsers of `zermelo solve`, `probe`, `export` and `book`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo.app import shell_completion
from zermelo.app.options import GameText, Json, Position, Table
from zermelo.arguments import MAX_THREADS
from zermelo.play.book import DEFAULT_PLIES, EASY_NODES


def solve(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="As in other commands; --verify needs it only for a game of your own.",
            autocompletion=shell_completion.games,
        ),
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where the solution is written.")
    ] = None,
    wdl: Annotated[bool, typer.Option("--wdl", help="Keep wins, draws and losses without their distance.")] = False,
    stage: Annotated[int | None, typer.Option(help="Solve this stage and those it leads to.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, max=MAX_THREADS, help="Threads; all cores by default.")] = None,
    epsilon: Annotated[
        float | None, typer.Option(help="The greatest error of an expectation; 1e-9 by default.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew, whatever an earlier run has kept.")] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Go on from a checkpoint made elsewhere; a forged one can do harm.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Try it though the game seems too large.")] = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only say how many states there are, and what they would take.")
    ] = False,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Such as 8GB; three quarters of what is free by default.")
    ] = None,
    scratch: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="For what does not fit into memory; beside FILE by default.")
    ] = None,
    verify: Annotated[Path | None, typer.Option(metavar="FILE", help="Check a solution instead.")] = None,
    sample: Annotated[
        int | None, typer.Option(min=0, help="How many states --verify searches forward; 100 by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Find the exact value of every state of a game, by the method that suits its rules.

    With -o the solution is written to a file. What is finished on the way is kept beside it, so that the same command
    goes on where an earlier one was interrupted. --verify FILE computes every entry of such a file once more, from its
    successors, and some of them by search. --estimate solves nothing: it prints the states by stage, counted or from
    samples, and the time, memory and disk that a solve would take.
    """
    from zermelo.app.commands import solve_command

    chosen: dict[str, Any] = {"wdl": wdl or None, "stage": stage, "threads": threads, "epsilon": epsilon}
    chosen |= {"fresh": fresh or None, "trust": trust or None, "force": force or None}
    chosen |= {"memory": memory, "scratch": scratch}
    given = {name: value for name, value in chosen.items() if value is not None}
    if verify is None and sample is not None:
        raise typer.BadParameter("--sample is for --verify.")
    if estimate and (verify is not None or output is not None or given.keys() - {"wdl", "stage", "threads"}):
        raise typer.BadParameter("--estimate takes a game, --wdl, --stage, --threads and --json.")
    if verify is not None:
        if output is not None or given.keys() - {"threads"}:
            raise typer.BadParameter("--verify takes a game, --sample, --threads and --json.")
        given |= {} if sample is None else {"sample": sample}
        solve_command.verify(verify, game, given, as_json=json)
    elif not game:
        raise typer.BadParameter("Name the game to solve.")
    elif estimate:
        solve_command.estimate(game, given, as_json=json)
    else:
        solve_command.solve(game, output, given, as_json=json)


def probe(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `zermelo solve -o FILE` wrote.")],
    position: Position = "",
    game: Annotated[str, typer.Option(metavar="GAME", help="The game, where it is not one of Zermelo's own.")] = "",
    json: Json = False,
) -> None:
    """Look a position up in a solution: its value, those of its moves, and a perfect game."""
    from zermelo.app.commands import probe_command

    probe_command.probe(file, game, position, as_json=json)


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `zermelo solve -o FILE` wrote.")],
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="Where to write: NAME.csv or NAME.parquet.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="The game, where it is not one of Zermelo's own.")] = "",
    best: Annotated[bool, typer.Option("--best", help="List the best moves too, which takes much longer.")] = False,
) -> None:
    """Write every state of a solution with its value to a CSV or Parquet file."""
    from zermelo.app.commands import export_command

    export_command.export(file, table, game, best=best)


def book(
    game: GameText,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where the book is, or is to be.")],
    plies: Annotated[int, typer.Option(min=1, max=100, help="How far it reaches at most.")] = DEFAULT_PLIES,
    nodes: Annotated[int, typer.Option(min=1, help="It ends where this many nodes decide who wins.")] = EASY_NODES,
    table: Table = None,
) -> None:
    """Make an opening book: moves that are proven to keep the win or the draw, whatever the other side plays."""
    from zermelo.app.commands import book_command

    book_command.book(game, output, plies, nodes, table)
