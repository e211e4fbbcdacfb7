"""What the terminal game and the full-screen one share: the engine's options, names, and the words on its moves."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.app.commands.game_commands import DEFAULT_GAME, open_game
from zermelo.app.output import certainty, named, unicode
from zermelo.board import sides_of
from zermelo.game import Game, GameError
from zermelo.games.registry import position
from zermelo.limits import Limit
from zermelo.play import Clock, Engine, Session
from zermelo.play.levels import FULL_STRENGTH
from zermelo.play.record import resume
from zermelo.play.session import PLAYERS
from zermelo.searching import Report
from zermelo.searching.runtime.tablebase_probing import checked_solution
from zermelo.show.text.side_words import signs_of
from zermelo.value import DRAW

if TYPE_CHECKING:
    from zermelo.solving.solution import Solution

MAX_COMPILE_WAIT = 1.0
"""Seconds for which a person waits for the compiler: enough to load a compiled search from the cache."""

MAX_FILE_NAME_LENGTH = 60
"""Characters of the game's text in the name of its file."""


@dataclass(frozen=True)
class EngineOptions:
    """The options of the engine: a limit for each move or a clock for the game, level, style, threads, and files.

    `book` and `weights` are files in place of the game's own, or False for none.
    """

    limit: Limit
    clock: str | None = None
    level: int = FULL_STRENGTH
    style: str = "exact"
    seed: int | None = None
    threads: int = 1
    database: Solution | Path | None = None
    book: Path | bool = True
    weights: Path | bool = True

    def opened(self, game: Game) -> EngineOptions:
        """The same options with the database read from its file, once for all engines."""
        if self.database is None:
            return self
        return replace(self, database=checked_solution("play", game, self.database))

    def engine(self, game: Game) -> Engine:
        """The engine of one side, with a clock of its own."""
        limit = Clock.parse(self.clock) if self.clock else self.limit
        return self._engine(game, limit, level=self.level, style=self.style, seed=self.seed)

    def adviser(self, game: Game) -> Engine:
        """The engine that gives hints: without a clock, at full strength and in the exact style."""
        return self._engine(game, self.limit)

    def _engine(self, game: Game, limit: Limit | Clock, **options: Any) -> Engine:
        options |= {"threads": self.threads, "database": self.database, "book": self.book, "weights": self.weights}
        return Engine(game, limit, **options)

    def require_native(self, game: Game) -> None:
        """Compile a game with native = True before anything else. Raise GameError if it cannot be compiled."""
        self.adviser(game).require_native()

    def prepare(self, engines: Iterable[Engine], sides: tuple[str, str]) -> None:
        """Compile the searches of the engines in the background, if one of them plays."""
        for engine in engines if "engine" in sides else ():
            engine.prepare(self.max_wait(sides))

    def max_wait(self, sides: tuple[str, str]) -> float | None:
        """Seconds for which a move waits for the compiler; None, no limit, where no person waits and games repeat."""
        repeats = self.clock is None and self.limit.seconds is None
        return None if repeats and not people(sides) else MAX_COMPILE_WAIT

    def session(self, text: str, moves: str, record: Path | None) -> Session:
        """The session to play: a new game from a position, or a resumed record."""
        if record is None:
            game = open_game(text or DEFAULT_GAME)
            return Session(game, position(game, moves), self.seed)
        if moves:
            raise GameError(f"{record} has its own moves; it cannot go on from {moves!r}.")
        return resume(record, open_game(text) if text else None)


def file_for(session: Session) -> Path:
    """A file name for the record that does not exist yet, in the current folder: the game's name, and a number."""
    name = re.sub(r"\W+", "_", named(session.game)).strip("_")[:MAX_FILE_NAME_LENGTH]
    numbered = (f"{name}_{number}" for number in count(2))
    return next(path for each in chain([name], numbered) if not os.path.lexists(path := Path(f"{each}.json")))


def names_of(session: Session, sides: tuple[str, str]) -> tuple[str, str]:
    """What the players are called: by their kind where these differ, else by their sides or pieces."""
    if sides[0] != sides[1]:
        return ("You", "Zermelo") if sides[0] == "human" else ("Zermelo", "You")
    board = session.game.board(session.state)
    signs = ["" if sides_of(board) else signs_of(board, player, unicode=unicode()) for player in (0, 1)]
    if not all(signs) or signs[0] == signs[1]:
        return session.names
    return f"{PLAYERS[0]} ({signs[0]})", f"{PLAYERS[1]} ({signs[1]})"


def thoughts(report: Report, name: str) -> str:
    """The engine's words on its choice: its value for `name`, whether it is proven, depth, nodes, time and line."""
    whom = "" if report.value.outcome == DRAW else f" for {'you' if name == 'You' else name}"
    value = f"value {report.value}{whom} ({certainty(report.value)})"
    if not report.nodes and not report.depth and report.value.outcome is None:  # a search has nodes, a database proofs
        return f"{value}, from the opening book" if report.value.score else "from the opening book"
    nodes = f"{report.nodes:,} {'node' if report.nodes == 1 else 'nodes'}"
    return f"{value}, depth {report.depth}, {nodes}, {report.seconds:.2f} s, line {' '.join(report.pv_text)}"


def people(sides: tuple[str, str]) -> list[int]:
    """The players who are people.

    >>> people(("human", "engine"))
    [0]
    """
    return [player for player, side in enumerate(sides) if side == "human"]
