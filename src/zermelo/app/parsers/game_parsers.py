"""The parsers of `zermelo games`, `check` and `perft`."""

from __future__ import annotations

from typing import Annotated

import typer

from zermelo.app.options import GameText, Json, Position
from zermelo.perft_divide import MAX_PERFT_DEPTH


def games(json: Json = False) -> None:
    """List the games that come with Zermelo."""
    from zermelo.app.commands import game_commands

    game_commands.games(json)


def check(game: GameText, json: Json = False) -> None:
    """Check that a game keeps the contract: its rules are asked on many states, compiled and interpreted."""
    from zermelo.app.commands import game_commands

    game_commands.check(game, json)


def perft(
    game: GameText,
    depth: Annotated[int, typer.Argument(min=0, max=MAX_PERFT_DEPTH, help="Plies.")],
    position: Position = "",
    divide: Annotated[bool, typer.Option("--divide", help="Count after each move.")] = False,
    interpreted: Annotated[bool, typer.Option("--interpreted", help="Do not compile.")] = False,
    json: Json = False,
) -> None:
    """Count the move sequences of exactly DEPTH plies."""
    from zermelo.app.commands import game_commands

    game_commands.perft(game, depth, position, divide=divide, interpreted=interpreted, as_json=json)
