"""Zermelo as an engine of NBoard, the Othello program, by version 2 of its protocol (C. Welty, NBoard Protocol)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from zermelo.game import GameError
from zermelo.protocols.engine_base import EngineBase, sentences

if TYPE_CHECKING:
    from zermelo.searching.report import Line, Report
    from zermelo.value import Value

DEFAULT_DEPTH = 8
"""Plies to look ahead before NBoard says how many."""

MAX_HINTS = 64
SURE = 64.0
"""Discs that a win of unknown margin is shown as: all of them."""


class NboardProtocol(EngineBase):
    """Knows the game that NBoard shows, gives hints and says which move it would play. It never plays one itself."""

    depth = DEFAULT_DEPTH

    def _complain(self, sentence: str) -> None:
        self._say(f"status {sentence}")

    def _obey(self, words: list[str]) -> None:
        """Obey a command; unknown ones are ignored. Older versions of NBoard send a move without a command."""
        name, *rest = words
        command = getattr(self, f"_on_{name}", None) if name.isidentifier() else None
        if command is not None:
            command(rest)
        elif re.fullmatch("[A-Ha-h][1-8]|PA", name):
            self._on_move(words)

    def _on_nboard(self, words: list[str]) -> None:
        self._say(f"set myname {self.name}")

    def _on_set(self, words: list[str]) -> None:
        """`set depth 12` and `set game (;GM[Othello]...;)`; other settings are ignored."""
        name, *rest = words or [""]
        if name == "depth":
            self._stop()
            self.depth = _whole_number(name, rest)
        elif name == "game":
            from zermelo.records.ggf import read

            self._stop()
            record = read(" ".join(rest), self.game)
            self.line.set(record.start, record.texts)

    def _on_move(self, words: list[str]) -> None:
        """A move with what its player thinks of it, and its time: F5/1.25/0.5."""
        cell = " ".join(words).partition("/")[0].strip().lower()
        self._stop()
        self.line.set(self.line.start, [*self.line.words, "pass" if cell in ("pa", "pass") else cell])

    def _on_ping(self, words: list[str]) -> None:
        self._stop()
        self._say(f"pong {' '.join(words)[:20]}")

    def _on_learn(self, words: list[str]) -> None:
        """Nothing is learned from single games, and NBoard waits for an answer."""
        self._say("learned")

    def _on_hint(self, words: list[str]) -> None:
        self._begin_search(self._end_hint, min(_whole_number("hint", words or ["1"]), MAX_HINTS))

    def _on_go(self, words: list[str]) -> None:
        self._begin_search(self._name_move, 1)

    # -- searching ---------------------------------------------------------------------------------------------------

    def _begin_search(self, answer: Any, lines: int) -> None:
        from zermelo.limits import Limit

        self._stop()
        if not self._moves(self.line.state):
            raise GameError("The game is over.")
        self._say(f"status {self.name} is thinking")
        self._start(Limit(depth=self.depth), None, lambda report: self._tell(report, lines), answer, lines=lines)

    def _tell(self, report: Report, lines: int) -> Iterator[str]:
        for line in report.lines[:lines]:
            pv = "".join(self._cells(report, line))
            yield f"search {pv} {discs(line.value):.2f} 0 {max(report.depth, 1)}"
        yield f"nodestats {report.nodes} {report.seconds:.2f}"

    def _end_hint(self, state: Any, found: Report | Exception | None) -> list[str]:
        return [f"status {sentence}" for sentence in sentences(found)] or ["status"]

    def _name_move(self, state: Any, found: Report | Exception | None) -> Iterator[str]:
        """The move that it would play."""
        yield from self._end_hint(state, found)
        if found is None or isinstance(found, Exception):
            yield f"=== {cell_name(self.game.move_text(state, self._any_move(state)))}"
        else:
            yield f"=== {self._cells(found, found.lines[0])[0]}/{discs(found.value):.2f}/{found.seconds:.2f}"

    def _cells(self, report: Report, line: Line) -> list[str]:
        cells, state = [], report.state
        for move in line.pv:
            cells.append(cell_name(self.game.move_text(state, move)))
            state = self.game.play(state, move)
        return cells


def cell_name(text: str) -> str:
    """A move as NBoard writes it: two letters.

    >>> cell_name("f5"), cell_name("pass")
    ('F5', 'PA')
    """
    return "PA" if text == "pass" else text.upper()


def discs(value: Value) -> float:
    """An evaluation for the player to move, at most all discs.

    >>> from zermelo.value import Value
    >>> discs(Value.win(3)), discs(Value.estimate(-2.5))
    (64.0, -2.5)
    """
    return max(-SURE, min(SURE, float(value.score)))


def _whole_number(name: str, words: list[str]) -> int:
    if len(words) != 1 or not re.fullmatch(r"[1-9]\d{0,2}", words[0]):
        raise GameError(f"{name} needs a number from 1 to 999.")
    return int(words[0])
