"""The parser of `zermelo report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.app import shell_completion
from zermelo.app.options import GameText, Json


def report(
    game: GameText,
    versus: Annotated[
        str,
        typer.Option(
            metavar="GAME", help="Another version of the game, beside it.", autocompletion=shell_completion.games
        ),
    ] = "",
    minutes: Annotated[float, typer.Option(help="Time for each game, without the compiler.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Seed of the games.")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write a page with plots (HTML).")
    ] = None,
    json: Json = False,
) -> None:
    """Measure a game for its designer.

    Moves and length, first-player advantage by random play, by self-play at several strengths and proven where that
    can be; draws, lead changes, comebacks, how much skill matters, the pie rule, stalling, rules that never fire.
    """
    from zermelo.app.commands import report_command

    if not 0 < minutes < 1e6:
        raise typer.BadParameter(f"--minutes must be above zero, not {minutes:g}.")
    report_command.report(game, versus, minutes, seed, output, as_json=json)
