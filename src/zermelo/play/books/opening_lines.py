"""Opening lines (.lines): a book that people write. Each line has a weight, and moves from the start:

    # the Spanish and the Italian game
    10 e4 e5 Nf3 Nc6 Bb5 a6
     8 e4 e5 Nf3 Nc6 Bc4 Bc5

Nothing in it is proven. It gives a player the openings that people know, and games that begin in different ways: one of
the moves of a position is drawn, by the weights of the lines that go through it.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from zermelo import rules
from zermelo.files import FileError, file_errors, read_file
from zermelo.game import ONGOING, Game, Move, State
from zermelo.games.support.move_reading import NO_MOVE, MoveReader
from zermelo.games.support.position_text import RULE_ERRORS
from zermelo.play.move_choice import with_first
from zermelo.searching import Line, Report
from zermelo.value import Value

SUFFIX = ".lines"
"""How the name of such a file ends."""

COMMENT = re.compile(r"(?:^|\s)#")
"""What begins a comment; Qh4# is a move."""

WEIGHTED = re.compile(r"([1-9][0-9]{0,5})\s+(\S.*)", re.ASCII)
"""A weight up to 999,999 and moves."""


class OpeningLines:
    """The moves of lines, by canonical state.

    >>> from zermelo.games.registry import load
    >>> book = OpeningLines(load("tic_tac_toe"), "3 b2 a1 c3")
    >>> report = book.report(book.game.initial())
    >>> report.pv_text, str(report.value), len(book)
    (['b2'], '0', 3)
    """

    def __init__(self, game: Game, text: str, name: str = "opening lines") -> None:
        self.game = game
        self.text = text
        self.name = name

    @cached_property
    def weights(self) -> dict[State, dict[State, int]]:
        """By a canonical state, the weights of those after its moves.

        The lines are read when they are first needed. Raise FileError, with the number of the line, if one cannot be
        played.
        """
        weights: dict[State, dict[State, int]] = {}
        for number, row in enumerate(self.text.splitlines(), 1):
            if line := COMMENT.split(row, maxsplit=1)[0].strip():
                where = f"{self.name}, line {number}"
                found = WEIGHTED.fullmatch(line)
                if found is None:
                    raise FileError(f"{where} has no weight, a whole number from 1 to 999,999, or no moves after it.")
                for state, after in pairwise(self._states(found[2], where)):
                    children = weights.setdefault(state, {})
                    children[after] = children.get(after, 0) + int(found[1])
        return weights

    def _states(self, text: str, where: str) -> Iterator[State]:
        """Yield the canonical states of a line of moves, from the start."""
        game, reader = self.game, MoveReader.of(self.game)
        state = reader.first
        try:
            yield game.canonical(state)
            while text:
                ended = game.result(state) != ONGOING
                move, rest = (NO_MOVE, text) if ended else reader.next_move(state, text)
                if move is NO_MOVE:
                    raise FileError(f"{where}: {text.split()[0]!r} is no move of {game!r} in {game.state_text(state)}.")
                state, text = rules.checked_play(game, state, move), rest
                yield game.canonical(state)
        except RULE_ERRORS as error:
            if isinstance(error, FileError):
                raise
            raise FileError(f"{where} cannot be played in {game!r}: {error}") from None

    def __len__(self) -> int:
        return len(self.weights)

    def moves(self, state: State) -> dict[Move, float]:
        """The known moves of a state, and their weights. Those that lead to the same state share one."""
        known = self.weights.get(self.game.canonical(state), {})
        if not known or self.game.is_chance(state):
            return {}
        game = self.game
        after = {move: game.canonical(game.play(state, move)) for move in rules.legal_actions(game, state)}
        same = Counter(after.values())
        return {move: known[child] / same[child] for move, child in after.items() if child in known}

    def report(self, state: State) -> Report | None:
        """The known moves of a state, the heaviest first, each as even; None without any."""
        return self._report(state, self.moves(state))

    def _report(self, state: State, moves: dict[Move, float]) -> Report | None:
        lines = [Line(Value.estimate(0.0), (move,)) for move in sorted(moves, key=lambda move: -moves[move])]
        return Report(self.game, state, tuple(lines), depth=0, nodes=0, seconds=0.0) if lines else None

    def drawn(self, state: State, dice: random.Random) -> Report | None:
        """The same, with a move first that is drawn by the weights."""
        moves = self.moves(state)
        report = self._report(state, moves)
        if report is None:
            return None
        (move,) = dice.choices([*moves], [*moves.values()])
        return with_first(report, next(line for line in report.lines if line.pv[0] == move))


def open_lines(game: Game, path: str | Path) -> OpeningLines:
    """Open a file of lines. Raise FileError if it is no text, or a line cannot be played."""
    with file_errors(path, "read"):
        data = read_file(Path(path))
    try:
        book = OpeningLines(game, data.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError:
        raise FileError(f"{path} is no text of opening lines.") from None
    if not book.weights:
        raise FileError(f"{path} has no opening lines.")
    return book
