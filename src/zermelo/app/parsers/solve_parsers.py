"""The parsers of `zermelo solve`, `probe`, `export` and `book`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo.app import shell_completion
from zermelo.app.options import GameText, Json, Position, Table, limited
from zermelo.arguments import MAX_THREADS
from zermelo.game import Game
from zermelo.limits import Limit
from zermelo.play.books.proven_book import DEFAULT_PLIES, EASY_NODES


def solve(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="The game, as in other commands. --verify needs it only for a game of your own.",
            autocompletion=shell_completion.games,
        ),
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The file to write the solution to.")
    ] = None,
    on: Annotated[
        str,
        typer.Option(
            metavar="PLACE", help="cpu: all cores. cuda: an NVIDIA GPU. ray or ray://HOST:PORT: a Ray cluster."
        ),
    ] = "cpu",
    nodes: Annotated[
        int | None, typer.Option(min=1, help="With --on ray: wait until the cluster has this number of nodes.")
    ] = None,
    wdl: Annotated[bool, typer.Option("--wdl", help="Store only win, draw or loss, not the distance.")] = False,
    stage: Annotated[int | None, typer.Option(help="Solve only this stage and those it leads to.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, max=MAX_THREADS, help="Threads; all cores by default.")] = None,
    epsilon: Annotated[
        float | None, typer.Option(help="The largest error of an expected value; 1e-9 by default.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start again, without the work of an earlier run.")] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Resume from a checkpoint made elsewhere; a forged one can do harm.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Solve even if the game seems too large.")] = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only print how many states there are, and what a solve would take.")
    ] = False,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", help="The memory limit, such as 8GB; by default three quarters of the free memory."
        ),
    ] = None,
    scratch: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Where to put data beyond the memory limit; by default beside the output. With --on ray: a folder "
            "that all nodes see, or a URL.",
        ),
    ] = None,
    reuse: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="A solution, or a folder of them; stages they hold are not solved again."),
    ] = None,
    verify: Annotated[Path | None, typer.Option(metavar="FILE", help="Verify a solution instead of solving.")] = None,
    sample: Annotated[
        int | None, typer.Option(min=0, help="How many states --verify searches forward; 100 by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Compute the exact value of every state of a game.

    The rules of the game determine the method. With -o, the solution is written to a file. Finished work is kept beside
    the file, so the same command resumes after an interruption. --verify FILE computes every entry of a solution again
    from its successors, and searches some states forward. --estimate solves nothing: it prints how many states each
    stage has, counted or from samples, and the time, memory and disk that a solve would take.
    """
    chosen: dict[str, Any] = {"wdl": wdl or None, "stage": stage, "threads": threads, "epsilon": epsilon}
    chosen |= {"fresh": fresh or None, "trust": trust or None, "force": force or None}
    chosen |= {"memory": memory, "scratch": scratch, "reuse": reuse, "on": None if on == "cpu" else on, "nodes": nodes}
    if on not in ("cpu", "cuda", "ray") and not on.startswith("ray://"):
        raise typer.BadParameter(f"--on takes cpu, cuda, ray or ray://HOST:PORT, not {on}.")
    given = {name: value for name, value in chosen.items() if value is not None}
    if verify is None and sample is not None:
        raise typer.BadParameter("--sample is for --verify.")
    if estimate and (verify is not None or output is not None or given.keys() - {"wdl", "stage", "threads"}):
        raise typer.BadParameter("--estimate takes a game, --wdl, --stage, --threads and --json.")
    if verify is not None and (output is not None or given.keys() - {"threads"}):
        raise typer.BadParameter("--verify takes a game, --sample, --threads and --json.")
    if verify is None and not game:
        raise typer.BadParameter("Name the game to solve.")
    opened = None if verify is not None or estimate else _opened_for_solve(game)
    from zermelo.app.commands import solve_command

    if verify is not None:
        given |= {} if sample is None else {"sample": sample}
        solve_command.verify(verify, game, given, as_json=json)
    elif opened is None:
        solve_command.estimate(game, given, as_json=json)
    else:
        solve_command.solve(opened, output, given, as_json=json)


def _opened_for_solve(text: str) -> Game:
    """Load a game and start to compile what solves it, before all that takes long to import."""
    from zermelo.app.commands.game_commands import open_game
    from zermelo.app.compile_ahead import compile_elsewhere
    from zermelo.solving.plan import solve_kernels

    game = open_game(text)
    compile_elsewhere(game, solve_kernels(game), quick=True)
    return game


def probe(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `zermelo solve -o FILE` wrote.")],
    position: Position = "",
    game: Annotated[str, typer.Option(metavar="GAME", help="The game, where it is not one of Zermelo's own.")] = "",
    json: Json = False,
) -> None:
    """Look up a position in a solution.

    Print the value of the position, the values of its moves, and a perfect line.
    """
    from zermelo.app.commands import probe_command

    probe_command.probe(file, game, position, as_json=json)


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `zermelo solve -o FILE` wrote.")],
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="Where to write: NAME.csv or NAME.parquet.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="The game, where it is not one of Zermelo's own.")] = "",
    best: Annotated[bool, typer.Option("--best", help="List the best moves too; this takes much longer.")] = False,
) -> None:
    """Write every state of a solution to a CSV or Parquet file."""
    from zermelo.app.commands import export_command

    export_command.export(file, table, game, best=best)


def book(
    game: GameText,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file of the book, which may exist.")
    ],
    plies: Annotated[int, typer.Option(min=1, max=100, help="The length of its longest lines.")] = DEFAULT_PLIES,
    nodes: Annotated[
        int, typer.Option(min=1, help="A line ends where a search of this many nodes decides who wins.")
    ] = EASY_NODES,
    learn: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Count the moves of recorded games: PGN, SGF, JSON ...; may be repeated."),
    ] = None,
    positions: Annotated[
        int, typer.Option(min=0, help="Evaluate the moves of this many more positions by search.")
    ] = 0,
    seconds: Annotated[
        float | None, typer.Option(help="Time for each of these positions; 1 second if none is given.")
    ] = None,
    depth: Annotated[int | None, typer.Option(help="Plies for each of these positions.")] = None,
    table: Table = None,
) -> None:
    """Make an opening book.

    Its moves are proven to keep the win or the draw, whatever the opponent plays. With --learn or --positions it is a
    learned book, for any game: it plays what brought points in recorded games and what searches find best.
    """
    from zermelo.app.commands import book_command

    if learn or positions:
        limit = limited(seconds, depth, None)
        chosen = Limit(seconds=1) if limit.unlimited else limit
        book_command.learned_book(game, output, learn or [], positions, chosen, plies)
    else:
        book_command.book(game, output, plies, nodes, table)
