"""What the terminal game and the full-screen one share: how the engine plays, and how things are said."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any

from zermelo.app.commands.game_commands import opened
from zermelo.app.output import certainty, named
from zermelo.board import Grid, Piece
from zermelo.game import Game, GameError
from zermelo.games.registry import position
from zermelo.limits import Limit
from zermelo.play import Clock, Engine, Session
from zermelo.play.record import resume
from zermelo.play.session import PLAYERS
from zermelo.searching import Report
from zermelo.value import DRAW

USUAL = "connect_four"
"""What is played where no game is named."""

PATIENCE = 1.0
"""Seconds for which a person waits for machine code: it is loaded in that time, or else has to be made."""

LONGEST = 60
"""Letters of a game's text that the name of its file has."""


@dataclass(frozen=True)
class Manner:
    """How the engine plays: a limit for each move or a clock for the game, its style, its seed,
    its threads, a database it may ask and an opening book in place of the game's own.
    """

    limit: Limit
    clock: str | None = None
    style: str = "exact"
    seed: int | None = None
    threads: int = 1
    database: Path | None = None
    book: Path | bool = True

    def engine(self, game: Game) -> Engine:
        """A player of one side, with a clock of his own."""
        limit = Clock.parse(self.clock) if self.clock else self.limit
        return self._engine(game, limit, style=self.style, seed=self.seed)

    def adviser(self, game: Game) -> Engine:
        """Who answers a person that asks for a hint: no clock runs, and the best move is wanted."""
        return self._engine(game, self.limit)

    def _engine(self, game: Game, limit: Limit | Clock, **manner: Any) -> Engine:
        return Engine(game, limit, threads=self.threads, database=self.database, book=self.book, **manner)

    def insist(self, game: Game) -> None:
        """Where the game says native = True, have its machine code before anything else; a sentence if it cannot be."""
        self.adviser(game).insist()

    def prepare(self, engines: Iterable[Engine], sides: tuple[str, str]) -> None:
        """Have machine code made for the engines, unless none of them plays."""
        for engine in engines if "engine" in sides else ():
            engine.prepare(self.patience(sides))

    def patience(self, sides: tuple[str, str]) -> float | None:
        """Seconds for which a move waits for machine code; None where nobody waits for the move, and games repeat."""
        repeats = self.clock is None and self.limit.seconds is None
        return None if repeats and not people(sides) else PATIENCE

    def session(self, text: str, moves: str, record: Path | None) -> Session:
        """The game to play: from the start or a position, or a record taken up again."""
        if record is None:
            game = opened(text or USUAL)
            return Session(game, position(game, moves), self.seed)
        if moves:
            raise GameError(f"{record} has its own moves; it cannot go on from {moves!r}.")
        return resume(record, opened(text) if text else None)


def file_for(session: Session) -> Path:
    """A name for the record of a game at which nothing lies yet, in the current folder: the game's, and a number."""
    name = re.sub(r"\W+", "_", named(session.game)).strip("_")[:LONGEST]
    numbered = (f"{name}_{number}" for number in count(2))
    return next(path for each in chain([name], numbered) if not os.path.lexists(path := Path(f"{each}.json")))


def names_of(session: Session, sides: tuple[str, str]) -> tuple[str, str]:
    """What the players are called: by their kind where these differ, else by their sides or pieces."""
    if sides[0] != sides[1]:
        return ("You", "Zermelo") if sides[0] == "human" else ("Zermelo", "You")
    board = session.game.board(session.state)
    if not isinstance(board, Grid) or board.sides or any(isinstance(piece, Piece) for piece in board.pieces):
        return session.names
    return f"{PLAYERS[0]} ({board.pieces[0]})", f"{PLAYERS[1]} ({board.pieces[1]})"


def thoughts(report: Report, name: str) -> str:
    """What the engine says of its choice: its value for `name`, whether it is proven, depth, nodes, time and line."""
    whom = "" if report.value.outcome == DRAW else f" for {'you' if name == 'You' else name}"
    return (
        f"value {report.value}{whom} ({certainty(report.value)}), depth {report.depth}, {report.nodes:,} "
        f"{'node' if report.nodes == 1 else 'nodes'}, {report.seconds:.2f} s, line {' '.join(report.pv_text)}"
    )


def people(sides: tuple[str, str]) -> list[int]:
    """The players who are people.

    >>> people(("human", "engine"))
    [0]
    """
    return [player for player, side in enumerate(sides) if side == "human"]
