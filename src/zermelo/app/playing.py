"""What the terminal game and the full-screen one share: how the engine plays, and how things are said."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from zermelo.app.commands import opened
from zermelo.app.output import certainty
from zermelo.board import Grid, Piece
from zermelo.game import Game, GameError
from zermelo.games.registry import position
from zermelo.limits import Limit
from zermelo.play import Clock, Engine, Session
from zermelo.play.record import resume
from zermelo.play.session import PLAYERS
from zermelo.search import Report
from zermelo.value import DRAW

USUAL = "connect_four"
"""What is played where no game is named."""


@dataclass(frozen=True)
class Manner:
    """How the engine plays: a limit for each move or a clock for the game, its style, its seed,
    its threads, and a database it may ask.
    """

    limit: Limit
    clock: str | None = None
    style: str = "exact"
    seed: int | None = None
    threads: int = 1
    database: Path | None = None

    def engine(self, game: Game) -> Engine:
        """A player of one side, with a clock of his own."""
        limit = Clock.parse(self.clock) if self.clock else self.limit
        return Engine(game, limit, style=self.style, seed=self.seed, threads=self.threads, database=self.database)

    def adviser(self, game: Game) -> Engine:
        """Who answers a person that asks for a hint: no clock runs, and the best move is wanted."""
        return Engine(game, self.limit, threads=self.threads, database=self.database)

    def session(self, text: str, moves: str, record: Path | None) -> Session:
        """The game to play: from the start or a position, or a record taken up again."""
        if record is None:
            game = opened(text or USUAL)
            return Session(game, position(game, moves), self.seed)
        if moves:
            raise GameError(f"{record} has its own moves; it cannot go on from {moves!r}.")
        return resume(record, opened(text) if text else None)


def names_of(session: Session, sides: tuple[str, str]) -> tuple[str, str]:
    """What the players are called: by their kind where these differ, else by their pieces."""
    if sides[0] != sides[1]:
        return ("You", "Zermelo") if sides[0] == "human" else ("Zermelo", "You")
    board = session.game.board(session.state)
    if not isinstance(board, Grid) or any(isinstance(piece, Piece) for piece in board.pieces):
        return PLAYERS
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
