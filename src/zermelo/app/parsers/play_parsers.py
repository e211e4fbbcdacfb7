"""The parsers of `zermelo play` and `serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.app import shell_completion
from zermelo.app.options import Database, GameText, Position, Side, Style, WeightsFile, limited
from zermelo.arguments import MAX_THREADS


def play(
    game: GameText = "",
    position: Position = "",
    first: Annotated[Side, typer.Option(help="Who plays the first player's side.")] = Side.human,
    opponent: Annotated[Side | None, typer.Option(help="Who plays the other side; by default the other kind.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Time for a move of the engine; 1 by default.")] = None,
    depth: Annotated[int | None, typer.Option(help="Plies the engine looks ahead.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Nodes the engine may visit for a move.")] = None,
    clock: Annotated[
        str | None, typer.Option(metavar="TIME", help="The engine's time for the game: 5+3 or 40/90+30.")
    ] = None,
    level: Annotated[
        int, typer.Option(min=1, max=10, help="The engine's strength, from 1, a beginner, to 10, full strength.")
    ] = 10,
    style: Annotated[Style, typer.Option(help="Which of equally good moves the engine plays.")] = Style.exact,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the dice, and of the engine's choice between moves.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=MAX_THREADS, help="Threads of the engine.")] = 1,
    database: Database = None,
    weights: WeightsFile = None,
    book: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An opening book, as `zermelo book -o` writes it.")
    ] = None,
    no_book: Annotated[bool, typer.Option("--no-book", help="Search from the first move on.")] = False,
    load: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a game that was saved; its record names the game.")
    ] = None,
    full_screen: Annotated[bool, typer.Option("--full-screen", help="Fill the terminal, and use the mouse.")] = False,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw boards in plain ASCII.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a record of the game at the end.")] = False,
) -> None:
    """Play in the terminal.

    Play against the engine or a friend, or watch the engine play itself. The default game is connect_four.
    """
    from zermelo.app import exit_handling
    from zermelo.app.terminal import game_dialogue

    nothing_set = seconds is None and depth is None and nodes is None
    if clock is not None and not nothing_set:
        raise typer.BadParameter("--clock is for the whole game; it excludes --seconds, --depth and --nodes.")
    if book is not None and (no_book or seed is not None or style is not Style.exact or level < 10):
        raise typer.BadParameter("--book is for level 10 in the exact style without a seed; it excludes --no-book.")
    if style is not Style.exact and level < 10:
        raise typer.BadParameter(f"--style {style.value} is for level 10; level {level} draws its moves.")
    limit = limited(1.0 if nothing_set else seconds, depth, nodes)
    other = opponent or (Side.engine if first is Side.human else Side.human)
    files = database, book or not no_book, weights or True
    options = game_dialogue.EngineOptions(limit, clock, level, style.value, seed, threads, *files)
    session = options.session(game, position, load)
    options = options.opened(session.game)
    options.require_native(session.game)
    if full_screen:
        from zermelo.app.terminal.fullscreen_game import play as begin
    else:
        from zermelo.app.terminal.terminal_game import play as begin
    exit_handling.leave_at_once()
    begin(session, (first.value, other.value), options, ascii=ascii, as_json=json)


def serve(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            help="The games to serve; all of Zermelo's by default.",
            autocompletion=shell_completion.games,
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen at; with 0.0.0.0 other machines can reach it.")] = (
        "127.0.0.1"
    ),
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port; 8000 by default, or the next that is free.")
    ] = None,
    database: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A solution, as `zermelo solve -o` writes it; any number.")
    ] = None,
    open: Annotated[bool | None, typer.Option("--open/--no-open", help="Open the page in a browser.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, max=MAX_THREADS, help="Searches that may run at once.")] = None,
) -> None:
    """Serve the web page and its API.

    On the page you play, analyze positions, explore databases, and step through a search.
    """
    from zermelo.app.commands import serve_command

    serve_command.serve(games or [], host, port, database or [], opens=open, threads=threads)
