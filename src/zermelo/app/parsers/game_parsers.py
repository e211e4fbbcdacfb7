"""The parsers of `zermelo games`, `check`, `perft` and `playouts`."""

from __future__ import annotations

from typing import Annotated

import typer

from zermelo.app.options import Device, GameText, Json, On, Position
from zermelo.arguments import MAX_THREADS
from zermelo.simulation.perft_divide import MAX_PERFT_DEPTH


def games(json: Json = False) -> None:
    """List the games that come with Zermelo."""
    from zermelo.app.commands import game_commands

    game_commands.games(json)


def check(
    game: GameText,
    seconds: Annotated[float, typer.Option(help="Time for each part of the check.")] = 1.0,
    states: Annotated[int, typer.Option(min=1, help="States to visit.")] = 1000,
    games: Annotated[int, typer.Option(min=1, help="Games to play at random.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the states and games.")] = 0,
    strict: Annotated[bool, typer.Option("--strict", help="Notes are errors.")] = False,
    json: Json = False,
) -> None:
    """Check that a game keeps the contract.

    Call its rules on many states, compiled and interpreted, and compare the answers.
    """
    from zermelo.app.commands import game_commands

    options = {"seconds": seconds, "states": states, "games": games, "seed": seed, "strict": strict}
    game_commands.check(game, options, as_json=json)


def perft(
    game: GameText,
    depth: Annotated[int, typer.Argument(min=0, max=MAX_PERFT_DEPTH, help="Plies.")],
    position: Position = "",
    divide: Annotated[bool, typer.Option("--divide", help="Count after each move.")] = False,
    on: On = Device.CPU,
    interpreted: Annotated[bool, typer.Option("--interpreted", help="Do not compile.")] = False,
    json: Json = False,
) -> None:
    """Count the move sequences of exactly DEPTH plies."""
    if interpreted and on != Device.CPU:
        raise typer.BadParameter("--interpreted counts on the CPU.")
    from zermelo.app.commands import game_commands

    game_commands.perft(game, depth, position, divide=divide, interpreted=interpreted, on=on.value, as_json=json)


def playouts(
    game: GameText,
    position: Position = "",
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="Games.")] = 1_000_000,
    on: On = Device.CPU,
    seed: Annotated[int, typer.Option(help="The games follow from it.")] = 0,
    limit: Annotated[int, typer.Option(min=1, max=1 << 24, help="Plies after which a game is unfinished.")] = 10_000,
    threads: Annotated[int | None, typer.Option(min=1, max=MAX_THREADS, help="Threads; all cores by default.")] = None,
    json: Json = False,
) -> None:
    """Play random games and measure them.

    Print who wins how often, how long games take, and between how many moves players choose.
    """
    from zermelo.app.commands import playouts_command

    playouts_command.playouts(game, position, number, on.value, seed, limit, threads, as_json=json)
