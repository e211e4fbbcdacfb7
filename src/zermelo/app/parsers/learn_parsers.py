"""The parser of `zermelo learn`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from zermelo.app.options import Database, GameText, Json
from zermelo.arguments import MAX_THREADS


class Kind(StrEnum):
    """What is learned."""

    tuples = "tuples"
    layers = "layers"
    features = "features"


def learn(
    game: GameText,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where the weights are written.")],
    seconds: Annotated[float | None, typer.Option(help="Time for training; 60 by default.")] = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Games to play; the weights then follow from the seed.")
    ] = None,
    kind: Annotated[
        Kind, typer.Option(help="Groups of cells, a layered network, or the game's own features.")
    ] = Kind.tuples,
    tuples: Annotated[int, typer.Option(min=1, max=256, help="Groups of cells.")] = 24,
    table: Annotated[int, typer.Option(min=2, max=1 << 20, help="The most weights of a group.")] = 6561,
    hidden: Annotated[int, typer.Option(min=1, max=128, help="Units of the hidden layer.")] = 40,
    exploration: Annotated[float, typer.Option(min=0, max=1, help="The share of moves drawn by lot.")] = 0.1,
    trace: Annotated[float, typer.Option(min=0, max=1, help="The lambda of TD(lambda).")] = 0.7,
    opening: Annotated[
        int | None, typer.Option(min=0, max=100, help="The most plies drawn by lot at the start; by length, up to 6.")
    ] = None,
    plies: Annotated[
        int | None, typer.Option(min=2, help="Plies after which a game counts as drawn; by length.")
    ] = None,
    stage: Annotated[
        list[int] | None, typer.Option(min=1, help="A stage from which on other weights serve; may be given again.")
    ] = None,
    refit: Annotated[
        float, typer.Option(min=0, max=1, help="The last share of the budget fits searched values.")
    ] = 0.0,
    depth: Annotated[int, typer.Option(min=1, max=12, help="Plies of these searches.")] = 3,
    database: Database = None,
    start: Annotated[Path | None, typer.Option(metavar="FILE", help="Weights that are learned further.")] = None,
    seed: Annotated[int, typer.Option(help="The games follow from it.")] = 0,
    threads: Annotated[int | None, typer.Option(min=1, max=MAX_THREADS, help="Threads; all cores by default.")] = None,
    json: Json = False,
) -> None:
    """Learn an evaluation of a game from games against itself.

    The file is what --weights takes. A training that was interrupted goes on where it was. `zermelo plot learning FILE`
    draws the learning curve.
    """
    from zermelo.app.commands import learn_command

    options = {
        "seconds": seconds, "games": games, "kind": kind.value, "tuples": tuples, "table": table, "hidden": hidden,
        "exploration": exploration, "trace": trace, "opening": opening, "plies": plies,
        "stages": tuple(stage or ()), "refit": refit, "depth": depth, "database": database, "start": start,
        "seed": seed, "threads": threads,
    }  # fmt: skip
    learn_command.learn(game, output, options, as_json=json)
