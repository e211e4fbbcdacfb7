"""Opening books: proven moves for positions whose value a short search does not find.

A book covers the positions that arise while one side follows it, whatever the other does, for either side. Every move
in it is proven to keep the win or the draw; a lost position has the move of the search that proved the loss. Positions
that a search of `nodes` solves are left out, and so are those after them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from zermelo import rules
from zermelo.files import Damaged, FileError, file_errors, read_file, write_text
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.games.registry import GAMES, load, name_of
from zermelo.games.support.move_reading import legal_move
from zermelo.games.support.position_text import RULE_ERRORS, read_state
from zermelo.limits import Limit
from zermelo.searching import DEFAULT_MEGABYTES, Line, Report, analyze, search
from zermelo.solving.game_identity import GameIdentity
from zermelo.value import DECISIVE, DRAW, LOSS, WIN, Value

FORMAT, FORMAT_WITHOUT_CHECKSUM = "zermelo book 2", "zermelo book 1"
"""The format field of a book; the first version has no checksum."""

EASY_NODES = 2_000_000
"""Nodes that a search visits in the time of one move, even a short one on a slow machine."""

DEFAULT_PLIES = 12
"""The last ply of a book, unless its maker says."""


class Answer(NamedTuple):
    """The move of a position, and its outcome for the player to move: WIN, DRAW or LOSS."""

    move: Move
    outcome: int


@dataclass
class Book:
    """The answers of a book by canonical state.

    >>> from zermelo.games.registry import load
    >>> game = load("tic_tac_toe")
    >>> book = Book(game, {game.canonical(game.initial()): Answer(4, DRAW)})
    >>> report = book.report(game.initial())
    >>> report.move, str(report.value)
    (4, 'draw')
    """

    game: Game
    answers: dict[State, Answer] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.answers)

    def report(self, state: State) -> Report | None:
        """The book's move in a state, as if a search without nodes had found it; None if the book has none."""
        home = self.game.canonical(state)
        answer = self.answers.get(home)
        if answer is None:
            return None
        wanted = self.game.canonical(self.game.play(home, answer.move))
        for move in rules.legal_actions(self.game, state):
            if self.game.canonical(self.game.play(state, move)) == wanted:
                value = outcome_value(answer.outcome).seen_by(rules.mover(self.game, state))
                return Report(self.game, state, (Line(value, (move,)),), depth=0, nodes=0, seconds=0.0)
        return None

    def save(self, path: str | Path) -> None:
        """Write the book to a file: all of it, or nothing if that fails."""
        game = self.game
        rows = [[game.state_text(state), game.move_text(state, a.move), a.outcome] for state, a in self.answers.items()]
        lines = ",\n".join(json.dumps(row) for row in rows)
        header = f'{self._header}, "checksum": "{checksum(rows)}"'
        write_text(Path(path), f'{{{header}, "positions": [\n{lines}\n]}}\n')

    @cached_property
    def _header(self) -> str:
        """The file's description of the game, computed once for many saves: it takes random play."""
        return json.dumps(
            {"format": FORMAT, "name": name_of(self.game, folder="")} | GameIdentity.of(self.game).to_dict()
        )[1:-1]


def outcome_value(outcome: int) -> Value:
    """A win, a draw or a loss, however far away."""
    if outcome == DRAW:
        return Value.draw()
    return Value.at_least(DECISIVE) if outcome == WIN else Value.at_most(-DECISIVE)


# -- files -------------------------------------------------------------------------------------------------------------


def open_book(game: Game, path: str | Path | Traversable, *, own: bool = False) -> Book:
    """Open a book. Raise FileError if the file is none, or one of other rules. `own` files come with Zermelo."""
    with file_errors(str(path), "read"):
        text = read_file(Path(path)) if isinstance(path, str | Path) else path.read_bytes()
    try:
        found: dict[str, Any] = json.loads(text)
        rows = found["positions"]
        right = found["format"] in (FORMAT, FORMAT_WITHOUT_CHECKSUM) and all(map(_is_row, rows))
    except (ValueError, KeyError, TypeError, RecursionError):
        right = False
    if not right:
        raise FileError(f"{path} is no opening book of this version.")
    GameIdentity.from_dict(found).check(game, path, "make", own=own)
    if found["format"] == FORMAT and found.get("checksum") != checksum(rows):
        raise Damaged(f"{path} is damaged: its positions are not as they were written.")
    try:
        return Book(game, dict(_answer(game, *row) for row in rows))
    except RULE_ERRORS as error:  # our errors, and what rules raise for a state that they do not know
        raise FileError(f"{path} is no opening book of {game!r}: {error}") from None


def _is_row(row: Any) -> bool:
    """Whether a row is a position, a move and an outcome."""
    texts = isinstance(row, list) and len(row) == 3 and all(isinstance(text, str) for text in row[:2])
    return texts and type(row[2]) is int and abs(row[2]) <= 1


def checksum(rows: list[list[Any]]) -> str:
    """A checksum of the positions, which detects changes after they were written."""
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:20]


def _answer(game: Game, text: str, move: str, outcome: int) -> tuple[State, Answer]:
    state = read_canonical(game, text)
    return state, Answer(legal_move(game, state, move), outcome)


def read_canonical(game: Game, text: str) -> State:
    """Read a state of a book. Raise GameError if it is not canonical: its moves would be those of another state."""
    state = read_state(game, text)
    if game.canonical(state) != state:
        raise GameError(f"{text} is not the canonical one of its symmetric states.")
    return state


def own_book(game: Game) -> Book | None:
    """The book that comes with a game of Zermelo's own; None where there is none."""
    name = name_of(game, folder="")
    return _own_book(name) if name in GAMES else None  # with other parameters it is another game


@cache
def _own_book(name: str) -> Book | None:
    file = own_file(name, ".json")
    return None if file is None else open_book(load(name), file, own=True)


def own_file(name: str, suffix: str) -> Traversable | None:
    """The file of a book that comes with a game of Zermelo's own; None where there is none of this kind."""
    file = files("zermelo.games") / "books" / f"{name}{suffix}"
    return file if file.is_file() else None


# -- making ------------------------------------------------------------------------------------------------------------


def make_book(
    game: Game,
    plies: int = DEFAULT_PLIES,
    nodes: int = EASY_NODES,
    book: Book | None = None,
    table: float | str = DEFAULT_MEGABYTES,
) -> Iterator[tuple[int, Book]]:
    """Make a book, or extend one; yield the ply and the book so far after each added position.

    Positions are added ply by ply, so that an unfinished book is one of fewer plies. The memory of
    the table is given as in `search`.

    >>> from zermelo.games.registry import load
    >>> [(ply, len(book)) for ply, book in make_book(load("tic_tac_toe"), plies=2, nodes=50)]
    [(0, 1), (1, 2), (1, 3), (1, 4)]
    """
    if game.loops or rules.has_chance(game) or not rules.has_distance(game):
        raise GameError(
            f"{game!r} has no proven opening book: that needs wins and losses without chance, and no cycles. A learned "
            "book serves every game: --learn counts recorded games, and --positions evaluates moves by search."
        )
    book = Book(game) if book is None else book
    first = rules.initial_state(game)
    levels: list[dict[State, None]] = [{} for _ in range(plies)]  # sets in order of insertion
    for ours in (True, False):
        _collect(game, first, ours, 0, levels)
    for ply, level in enumerate(levels):
        for state in level:
            if state not in book.answers:
                if (answer := _solve(game, state, nodes, table)) is None:
                    continue
                book.answers[state] = answer
                yield ply, book
            after = game.play(state, book.answers[state].move)
            _collect(game, after, not rules.changes_player(game, state, after), ply + 1, levels)


def _collect(game: Game, state: State, ours: bool, ply: int, levels: list[dict[State, None]]) -> None:
    """Add the next states in which the side that follows the book is to move, whatever the other plays until then."""
    if ply >= len(levels) or game.result(state) != ONGOING:
        return
    if ours:
        levels[ply][game.canonical(state)] = None
        return
    for move in rules.legal_actions(game, state):
        child = game.play(state, move)
        _collect(game, child, rules.changes_player(game, state, child), ply + 1, levels)


def _solve(game: Game, state: State, nodes: int, table: float | str) -> Answer | None:
    """The proven answer to a state; None if a search of `nodes` nodes finds it."""
    if _outcome(search(game, state, Limit(nodes=nodes))) is not None:
        return None
    with analyze(game, state, exact=True, table=table) as reports:
        for report in reports:
            if (outcome := _outcome(report)) is not None:
                return Answer(report.move, outcome)
    raise GameError(f"{game!r}: {game.state_text(state)} goes on for too long to be proven.")


def _outcome(report: Report) -> int | None:
    """The proven outcome, seen by the player to move; None if there is none."""
    low, high = report.bounds
    if report.value.exact:
        return report.value.outcome
    if low >= DECISIVE:
        return WIN if report.value.outcome == WIN else None  # won, but the winning move is not known yet
    return LOSS if high <= -DECISIVE else None
