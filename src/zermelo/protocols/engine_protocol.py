"""Zermelo as an engine of UCI or UGI."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from zermelo.formatting import one_line
from zermelo.game import Game, GameError
from zermelo.protocols import engine_base
from zermelo.protocols.engine_base import EngineBase, sentences

if TYPE_CHECKING:
    from zermelo.protocols.dialects import Dialect
    from zermelo.protocols.go_command import GoCommand
    from zermelo.searching.report import Report

NO_MOVE = "(none)"
"""The answer where no move can be made."""


class EngineProtocol(EngineBase):
    """Answers the commands of a GUI in a dialect."""

    def __init__(
        self, dialect: Dialect, load: Callable[[], Game], write: Callable[[str], object], name: str = "Zermelo"
    ) -> None:
        self.dialect = dialect
        self._pondering: GoCommand | None = None
        self._announced = False
        super().__init__(load, write, name)

    def _obey(self, words: list[str]) -> None:
        """Obey a command; unknown ones are ignored, as the protocols want it."""
        command = getattr(self, f"_on_{words[0]}", None) if words[0].isidentifier() else None
        if words[0] in (self.dialect.name, self.dialect.new_game):
            command = self._greet if words[0] == self.dialect.name else self._new_game
        if command is not None:
            command(words[1:])

    def _complain(self, sentence: str) -> None:
        self._say(f"info string {sentence}")

    # -- what needs no game ------------------------------------------------------------------------------------------

    def _greet(self, words: list[str]) -> None:
        from zermelo.protocols.engine_options import OPTIONS

        self._say(f"id name {self.name}")
        self._say("id author the Zermelo developers")
        for option in OPTIONS:
            self._say(option.announcement())
        self._say(self.dialect.confirmation)

    def _on_isready(self, words: list[str]) -> None:
        """Answer when game and search are loaded, unless that takes long; then `stop` has nothing to wait for.

        Only between the announcement of the first game and its clock, the compiler is waited for.
        """
        if self._announced and self._unprepared and not self._searching:
            self._wait_for_compiler()
        self._wait_until_loaded(engine_base.LOADING_SECONDS, lambda: self._searching)
        self._say("readyok")

    def _on_setoption(self, words: list[str]) -> None:
        self._stop()
        self.options.set(words)

    def _new_game(self, words: list[str]) -> None:
        self._announced = True
        self._stop()
        self.line.set("", ())

    def _on_position(self, words: list[str]) -> None:
        self._stop()
        kind, *rest = words or [""]
        at = rest.index("moves") if "moves" in rest else len(rest)
        if kind not in ("startpos", "fen") or (kind == "fen" and not rest[:at]):
            raise GameError("A position is `startpos` or `fen` and a state, then `moves` and moves.")
        self.line.set("" if kind == "startpos" else " ".join(rest[:at]), rest[at + 1 :])

    def _on_query(self, words: list[str]) -> None:
        """UGI's questions about the state."""
        from zermelo import rules
        from zermelo.game import ONGOING

        payoff = rules.payoff(self.game, self.line.state)
        if words == ["p1turn"]:
            answer = _true(self.line.player == 0)
        elif words == ["gameover"]:
            answer = _true(payoff != ONGOING)
        elif words == ["result"]:
            winner = self.line.player if payoff > 0 else 1 - self.line.player
            answer = "none" if payoff == ONGOING else "draw" if payoff == 0 else f"p{winner + 1}win"
        else:
            raise GameError(f"There is no query {' '.join(words)!r}; the queries are p1turn, gameover and result.")
        self._say(f"response {answer}")

    def _on_d(self, words: list[str]) -> None:
        """Show the state, for people at a terminal."""
        self._say(f"info string {one_line(self.game.state_text(self.line.state))}")

    # -- searching ---------------------------------------------------------------------------------------------------

    def _on_go(self, words: list[str]) -> None:
        from zermelo.protocols.go_command import GoCommand

        self._stop()
        go = GoCommand.read(words, self.dialect)
        self._pondering = go if go.ponder else None
        clock = go.clock(self.line.player, self.options.overhead)
        self._start(go.limit, clock, self._tell, self._answer, waits=go.waits_for_stop)

    def _tell(self, report: Report) -> Iterator[str]:
        from zermelo.protocols.search_info import info_lines

        return info_lines(self.dialect, report, self.options.values["MultiPV"])

    def _answer(self, state: Any, found: Report | Exception | None) -> list[str]:
        return [f"info string {sentence}" for sentence in sentences(found)] + [f"bestmove {self._best(state, found)}"]

    def _best(self, state: Any, found: Report | Exception | None) -> str:
        """The move, and the reply to ponder on, if there is one."""
        from zermelo.protocols.move_words import move_word
        from zermelo.protocols.search_info import pv_words

        if found is None or isinstance(found, Exception):
            move = self._any_move(state)
            return NO_MOVE if move is None else move_word(self.game, state, move)
        best, *replies = pv_words(found, found.lines[0])
        return f"{best} ponder {replies[0]}" if replies else best

    def _on_ponderhit(self, words: list[str]) -> None:
        """The expected move was played: from now on the clock runs."""
        search = self._search
        if self._pondering is None or search is None:
            return
        seconds = self._pondering.seconds(self.line.player, self.options.overhead)
        self._pondering = None
        search.release()
        if seconds is not None:
            timer = threading.Timer(seconds, search.stop)
            timer.daemon = True
            timer.start()

    def _on_stop(self, words: list[str]) -> None:
        self._stop()

    def _stop(self) -> None:
        self._pondering = None
        super()._stop()


def _true(fact: bool) -> str:
    return "true" if fact else "false"
