"""The parser of `zermelo convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.app import shell_completion

FORMATS_HELP = "PGN, PDN, SGF, GGF, .mat, .json or .jsonl, by the end of its name"


def convert(
    source: Annotated[Path, typer.Argument(metavar="FILE", help=f"The games: {FORMATS_HELP}.")],
    target: Annotated[Path, typer.Argument(metavar="NEW_FILE", help="Where they are written, in its format.")],
    game: Annotated[
        str,
        typer.Option(
            metavar="GAME",
            help="The game, if it is one of your own; as in other commands.",
            autocompletion=shell_completion.games,
        ),
    ] = "",
) -> None:
    """Convert game records.

    Every move is checked against the rules. Comments, evaluations, clocks and variations are kept where the new format
    has them. JSON (.json for one game, .jsonl for many) holds the games of any game, and `zermelo play --load` and the
    page read it.
    """
    from zermelo.app.commands import export_command

    export_command.convert(source, target, game)
