"""The parsers of `zermelo match`, `tournament` and `tune`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo.app import shell_completion
from zermelo.app.options import Database, GameText, Json, limited

PLAYER_HELP = (
    "depth=4, seconds=0.1, nodes=2000 (Zermelo); monte_carlo,nodes=500; random; my_player.py:MyPlayer; "
    "uci:stockfish or ugi:COMMAND (another program); name=A,depth=4 names it."
)
PlayerText = Annotated[str, typer.Argument(metavar="PLAYER", help=PLAYER_HELP)]
MatchGame = Annotated[
    str,
    typer.Option(metavar="GAME", help="The game: as in other commands.", autocompletion=shell_completion.games),
]
Games = Annotated[int, typer.Option(min=1, help="The number of games, two for each opening.")]
MoveSeconds = Annotated[float | None, typer.Option(help="Time for a move, for players without a limit of their own.")]
MoveDepth = Annotated[int | None, typer.Option(help="Plies that such players look ahead.")]
MoveNodes = Annotated[int | None, typer.Option(help="Nodes that such players visit for a move.")]
GameClock = Annotated[
    str | None,
    typer.Option("--clock", metavar="TIME", help="Their time for a game: 1+0.5 is a minute and 0.5 s a move."),
]
Openings = Annotated[
    str,
    typer.Option(
        metavar="PLIES", help="Random plies of each opening, or a file: positions in lines, recorded games, or a book."
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of openings and dice.")]
Concurrency = Annotated[int, typer.Option(min=1, help="Games that are played at once, each in its own process.")]
MaxPlies = Annotated[int, typer.Option(min=1, help="Plies after which a game is drawn.")]
Resign = Annotated[
    tuple[float, int] | None,
    typer.Option(metavar="POINTS MOVES", help="A player loses whom both players see behind by POINTS for MOVES moves."),
]
Draw = Annotated[
    tuple[float, int, int] | None,
    typer.Option(
        metavar="POINTS MOVES PLY",
        help="From ply PLY on, a game is drawn that both see within POINTS of level for MOVES moves.",
    ),
]
Patience = Annotated[float, typer.Option(help="Seconds for a move of a player that has no time limit.")]
RecordFile = Annotated[
    Path | None,
    typer.Option("--record", "-o", metavar="FILE", help="Where each game is written; the same command goes on there."),
]
PgnFile = Annotated[
    Path | None, typer.Option("--pgn", metavar="FILE", help="Where the games of a chess match are written at the end.")
]


def match(
    first: PlayerText,
    second: PlayerText,
    game: MatchGame = "connect_four",
    games: Games = 100,
    seconds: MoveSeconds = None,
    depth: MoveDepth = None,
    nodes: MoveNodes = None,
    clock: GameClock = None,
    openings: Openings = "4",
    seed: Seed = 0,
    concurrency: Concurrency = 1,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="End as soon as a sequential test tells which difference holds."),
    ] = None,
    max_plies: MaxPlies = 1000,
    patience: Patience = 60.0,
    resign: Resign = None,
    draw: Draw = None,
    database: Database = None,
    record: RecordFile = None,
    pgn: PgnFile = None,
    json: Json = False,
) -> int:
    """Play a match and measure the difference in Elo points.

    Each opening is played twice with colours swapped. A player that crashes, does not answer or breaks the rules loses
    its game, and the match goes on. With --record every game is on disk when it ends, and a match that was killed goes
    on where it was. A game whose state is in the --database ends with its value.
    """
    from zermelo.app.commands import match_command

    options = _options(
        seconds, depth, nodes, openings,
        games=games, clock=clock, seed=seed, concurrency=concurrency, sprt=sprt, max_plies=max_plies,
        patience=patience, resign=resign, draw=draw, database=database, record=record,
    )  # fmt: skip
    return match_command.match(game, first, second, options, pgn, as_json=json)


class Kind(StrEnum):
    """Who plays whom in a tournament."""

    round_robin = "round-robin"
    gauntlet = "gauntlet"
    swiss = "swiss"


def tournament(
    players: Annotated[list[str], typer.Argument(metavar="PLAYER", help=f"Two or more players: {PLAYER_HELP}")],
    game: MatchGame = "connect_four",
    kind: Annotated[
        Kind, typer.Option(help="All against all, the first against the others, or by the standings.")
    ] = Kind.round_robin,
    games: Annotated[int, typer.Option(min=2, help="Games of two players who meet, two for each opening.")] = 10,
    rounds: Annotated[int | None, typer.Option(min=1, help="Rounds of a Swiss tournament.")] = None,
    seconds: MoveSeconds = None,
    depth: MoveDepth = None,
    nodes: MoveNodes = None,
    clock: GameClock = None,
    openings: Openings = "4",
    seed: Seed = 0,
    concurrency: Concurrency = 1,
    max_plies: MaxPlies = 1000,
    patience: Patience = 60.0,
    resign: Resign = None,
    draw: Draw = None,
    database: Database = None,
    record: RecordFile = None,
    pgn: PgnFile = None,
    json: Json = False,
) -> int:
    """Play a tournament and print the standings.

    The table has points, ratings, and who scored how much against whom. Players, openings, time and records
    are those of `zermelo match`.
    """
    from zermelo.app.commands import match_command

    options = _options(
        seconds, depth, nodes, openings,
        games=games, clock=clock, seed=seed, concurrency=concurrency, rounds=rounds, max_plies=max_plies,
        patience=patience, resign=resign, draw=draw, database=database, record=record,
    )  # fmt: skip
    return match_command.tournament(game, players, {"kind": kind.value.replace("-", " "), **options}, pgn, as_json=json)


def tune(
    game: GameText,
    seconds: Annotated[float, typer.Option(help="Time for a move of both players.")] = 0.1,
    games: Annotated[int, typer.Option(min=10, help="Games of each match, two for each opening.")] = 100,
    openings: Annotated[int, typer.Option(min=0, metavar="PLIES", help="Random plies of each opening.")] = 4,
    seed: Seed = 0,
    concurrency: Concurrency = 1,
    json: Json = False,
) -> int:
    """Find the better search of a game by matches.

    Settings of Monte Carlo tree search challenge the best search so far, alpha-beta at first. The last line says what
    to write into the class of the game, so that engines search it that way.
    """
    from zermelo.app.commands import match_command

    options: dict[str, Any] = {"seconds": seconds, "games": games, "openings": openings, "seed": seed}
    return match_command.tune(game, {**options, "concurrency": concurrency}, as_json=json)


def _options(
    seconds: float | None, depth: int | None, nodes: int | None, openings: str, **others: Any
) -> dict[str, Any]:
    """The options of a match or a tournament, as `z.match` takes them."""
    limit = limited(seconds, depth, nodes)
    return {"limit": None if limit.unlimited else limit, "openings": openings_of(openings), **others}


def openings_of(text: str) -> int | str:
    """A number of plies, or the name of a file."""
    return int(text) if text.isdecimal() and len(text) < 10 else text
