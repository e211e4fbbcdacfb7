"""What the commands take: arguments that several share, choices, and how numbers are read."""

from __future__ import annotations

import contextlib
import math
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo.app import shell_completion
from zermelo.arguments import megabytes
from zermelo.limits import Limit

GameText = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A name, 'connect_four(5, 4)', or path/to/my_game.py:MyGame(n=3).",
        autocompletion=shell_completion.games,
    ),
]
Position = Annotated[str, typer.Argument(help="Moves from the start in the game's notation, or a state.")]
Database = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A solution of the game, as `zermelo solve -o` writes it.")
]
WeightsFile = Annotated[
    Path | None, typer.Option("--weights", metavar="FILE", help="An evaluation, as `zermelo learn -o` writes it.")
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]

ALGORITHMS = (
    "minimax, negamax, alphabeta, root_search, aspiration, iterative_deepening, win_loss, expectiminimax, star1, "
    "star2, backward_induction, retrograde, value_iteration"
)
"""The textbook algorithms, for a help that need not import them."""


class Device(StrEnum):
    """Where random games are played, leaves counted and states solved."""

    CPU = "cpu"
    CUDA = "cuda"


On = Annotated[Device, typer.Option("--on", help="All cores, or an NVIDIA GPU.")]


class Side(StrEnum):
    """Who plays a side in the terminal."""

    human = "human"
    engine = "engine"


class Style(StrEnum):
    """Which of equally good moves the engine plays."""

    exact = "exact"
    longest = "longest"
    trickiest = "trickiest"


class Method(StrEnum):
    """How a position is analysed."""

    search = "search"
    proof = "proof"
    monte_carlo = "monte-carlo"


class Form(StrEnum):
    """The two ways to write minimax and alpha-beta."""

    maxmin = "maxmin"
    negamax = "negamax"


class Fail(StrEnum):
    """What a search returns outside its window."""

    soft = "soft"
    hard = "hard"


class Cut(StrEnum):
    """Whether a value equal to the bound is cut off."""

    equal = "equal"
    beyond = "beyond"


class Repetition(StrEnum):
    """The value of a state that repeats on its own path."""

    draw = "draw"


def limited(seconds: float | None, depth: int | None, nodes: int | None) -> Limit:
    """The limit that the options name."""
    for option, amount in (("--seconds", seconds), ("--depth", depth), ("--nodes", nodes)):
        if amount is not None and not 0 < amount < math.inf:
            raise typer.BadParameter(f"{option} must be above zero, not {amount:g}.")
    return Limit(seconds, depth, nodes)


def number(text: str) -> int | float:
    """A number as typed: whole where it is written so."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            if (read := kind(text)) == read:  # which nan is not
                return read
    raise typer.BadParameter(f"{text!r} is not a number.")


def table_size(text: str) -> float:
    """The megabytes that a size of memory names: 64, 64MB, 1GB."""
    if (found := megabytes(text)) is None:
        raise typer.BadParameter(f"--table must be a size of memory up to 1 TB, such as 64MB or 1GB, not {text!r}.")
    return found


Table = Annotated[
    Any,
    typer.Option(parser=table_size, metavar="SIZE", help="Memory of the table, as 64 (megabytes, the default) or 1GB."),
]


def window(text: str) -> tuple[int | float, ...]:
    """Two numbers with a comma between them; an open end is written inf or -inf."""
    parts = text.split(",")
    if len(parts) != 2:
        raise typer.BadParameter(f"{text!r} is not two numbers LOW,HIGH, such as -1,1 or 0,inf.")
    return tuple(number(part.strip()) for part in parts)
