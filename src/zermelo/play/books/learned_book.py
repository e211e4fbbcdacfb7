"""Learned books: what was played in a position and how it ended, and what searches say of its moves.

Nothing in such a book is proven, so it serves every game: with chance, points and cycles too. A position has a row for
each move that is known: its evaluation by search, how many games went on with it, and the points they brought. The
evaluation counts as much as EVALUATION_GAMES games, and the move with the highest expected score is played.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo import rules
from zermelo.arguments import is_number
from zermelo.files import Damaged, FileError, file_errors, read_file, write_text
from zermelo.game import Game, Move, State
from zermelo.games.registry import name_of
from zermelo.games.support.move_reading import legal_move
from zermelo.games.support.position_text import RULE_ERRORS
from zermelo.play.books.proven_book import checksum, read_canonical
from zermelo.play.win_probability import estimated_value, win_probability
from zermelo.searching import Line, Report
from zermelo.solving.game_identity import GameIdentity
from zermelo.value import Value

LEARNED_FORMAT = "zermelo learned book 1"

EVALUATION_GAMES = 20
"""Games that tell as much as an evaluation does."""

UNKNOWN_GAMES = 4
"""Games of level score that stand in for an evaluation where there is none."""

MIN_GAMES = 2
"""Games that a move without an evaluation must have."""


@dataclass
class KnownMove:
    """What is known of a move: its evaluation, seen by the player to move; games, and the points that they brought."""

    evaluation: float | None = None
    games: int = 0
    points: float = 0.0

    def expected(self, game: Game) -> float:
        """The score to expect, from 0 to 1.

        >>> from zermelo.games.registry import load
        >>> KnownMove(games=4, points=3).expected(load("chess")), KnownMove(0.0, 20, 20.0).expected(load("chess"))
        (0.625, 0.75)
        """
        if self.evaluation is None:
            prior, weight = 0.5, UNKNOWN_GAMES
        else:
            prior, weight = win_probability(game, Value.estimate(self.evaluation)), EVALUATION_GAMES
        return (self.points + weight * prior) / (self.games + weight)


@dataclass
class LearnedBook:
    """The known moves by canonical state.

    >>> from zermelo.games.registry import load
    >>> game = load("tic_tac_toe")
    >>> book = LearnedBook(game)
    >>> for _ in range(3):
    ...     book.learn(game.initial(), [4, 0, 8], winner=0)
    >>> report = book.report(game.initial())
    >>> game.move_text(report.state, report.move), len(book)
    ('b2', 3)
    """

    game: Game
    positions: dict[State, dict[Move, KnownMove]] = field(default_factory=dict)
    _rows: dict[tuple[State, State], KnownMove] = field(default_factory=dict, repr=False, compare=False)
    """The rows that were asked for, by the canonical states before and after the move."""

    def __len__(self) -> int:
        return len(self.positions)

    def known(self, state: State, move: Move) -> KnownMove:
        """The row of a move in a state, new where there is none yet. Moves that lead to the same state share one."""
        home, wanted = self.game.canonical(state), self.game.canonical(self.game.play(state, move))
        row = self._rows.get((home, wanted))
        if row is None:
            rows = self.positions.setdefault(home, {})
            candidates = [*rows, *([move] if home == state else []), *rules.legal_actions(self.game, home)]
            same = next(each for each in candidates if self.game.canonical(self.game.play(home, each)) == wanted)
            row = self._rows[home, wanted] = rows.setdefault(same, KnownMove())
        return row

    def learn(self, start: State, moves: Iterable[Move], winner: int | None, plies: int = 1 << 30) -> None:
        """Count a game that was played from `start`, up to a number of plies; `winner` is 0, 1 or None for a draw."""
        state = start
        for ply, move in enumerate(moves):
            if ply >= plies:
                return
            if not self.game.is_chance(state):
                mover = rules.mover(self.game, state)
                player = ply % 2 if mover is None else mover
                row = self.known(state, move)
                row.games += 1
                row.points += 0.5 if winner is None else float(winner == player)
            state = self.game.play(state, move)

    def report(self, state: State) -> Report | None:
        """The book's moves in a state, best first, as if a search without nodes had found them; None without any."""
        home = self.game.canonical(state)
        rows = self.positions.get(home)
        if not rows or self.game.is_chance(state):
            return None
        mover = rules.mover(self.game, state)
        after = {self.game.canonical(self.game.play(home, move)): row for move, row in rows.items()}
        found = []
        for move in rules.legal_actions(self.game, state):
            row = after.get(self.game.canonical(self.game.play(state, move)))
            if row is not None and (row.evaluation is not None or row.games >= MIN_GAMES):
                found.append((row.expected(self.game), move))
        lines = [
            Line(estimated_value(self.game, expected).seen_by(mover), (move,))
            for expected, move in sorted(found, key=lambda each: -each[0])
        ]
        return Report(self.game, state, tuple(lines), depth=0, nodes=0, seconds=0.0) if lines else None

    # -- files -------------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the book to a file: all of it, or nothing if that fails."""
        game = self.game
        rows = [
            [
                game.state_text(state),
                [[game.move_text(state, m), k.evaluation, k.games, k.points] for m, k in of.items()],
            ]
            for state, of in self.positions.items()
        ]
        head: dict[str, Any] = {"format": LEARNED_FORMAT, "name": name_of(game, folder="")}
        head |= GameIdentity.of(game).to_dict() | {"checksum": checksum(rows)}
        lines = ",\n".join(json.dumps(row) for row in rows)
        write_text(Path(path), f'{json.dumps(head)[:-1]}, "positions": [\n{lines}\n]}}\n')


def is_learned(path: str | Path) -> bool:
    """Whether a file says that it is a learned book."""
    with file_errors(path, "read"):
        return LEARNED_FORMAT.encode() in read_file(Path(path))[:100]


def open_learned(game: Game, path: str | Path) -> LearnedBook:
    """Open a learned book. Raise FileError if the file is none, or one of other rules."""
    with file_errors(path, "read"):
        text = read_file(Path(path))
    try:
        found: dict[str, Any] = json.loads(text)
        rows = found["positions"]
        right = found["format"] == LEARNED_FORMAT and all(map(_is_position, rows))
    except (ValueError, KeyError, TypeError, RecursionError):
        right = False
    if not right:
        raise FileError(f"{path} is no learned book of this version.")
    GameIdentity.from_dict(found).check(game, path, "make", own=False)
    if found.get("checksum") != checksum(rows):
        raise Damaged(f"{path} is damaged: its positions are not as they were written.")
    book = LearnedBook(game)
    try:
        for state_text, moves in rows:
            state = read_canonical(game, state_text)
            for move_text, evaluation, games, points in moves:
                home = book.positions.setdefault(state, {})
                home[legal_move(game, state, move_text)] = KnownMove(evaluation, games, points)
    except RULE_ERRORS as error:
        raise FileError(f"{path} is no learned book of {game!r}: {error}") from None
    return book


def _is_position(row: Any) -> bool:
    return isinstance(row, list) and len(row) == 2 and isinstance(row[0], str) and all(map(_is_known_move, row[1]))


def _is_known_move(row: Any) -> bool:
    """Whether a row is a move, its evaluation or none, a number of games and their points."""
    if not (isinstance(row, list) and len(row) == 4 and isinstance(row[0], str)):
        return False
    evaluation, games, points = row[1:]
    whole = type(games) is int and 0 <= games < 1 << 53
    return (evaluation is None or is_number(evaluation)) and whole and is_number(points) and 0 <= points <= games
