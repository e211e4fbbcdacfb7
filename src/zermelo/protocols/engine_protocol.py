"""Zermelo as an engine of UCI or UGI: commands come in lines, a search runs in a thread of its own.

The greeting imports next to nothing, so that it comes at once. The game is loaded and its search compiled meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO

from zermelo.formatting import exception_text, one_line
from zermelo.game import Game, GameError

if TYPE_CHECKING:
    from zermelo.play.engine import Engine
    from zermelo.protocols.dialects import Dialect
    from zermelo.protocols.engine_options import EngineOptions
    from zermelo.protocols.go_command import GoCommand
    from zermelo.protocols.move_words import PlayedLine
    from zermelo.searching.report import Report

MAX_COMMAND = 1 << 20
"""Bytes of a command; the longest are positions with thousands of moves."""

STOP_INTERVAL = 0.003
"""Seconds between two attempts to stop a search that has just begun."""

NO_MOVE = "(none)"


class EngineProtocol:
    """Answers the commands of a GUI under a name. `write` gets each line of the answers."""

    def __init__(
        self, dialect: Dialect, load: Callable[[], Game], write: Callable[[str], object], name: str = "Zermelo"
    ) -> None:
        self.dialect = dialect
        self.name = name
        self._write = write
        self._lock = threading.Lock()
        self._options: EngineOptions | None = None
        self._game: Game | None = None
        self._error: BaseException | None = None
        self._line: PlayedLine | None = None
        self._engine: Engine | None = None
        self._compiling: Engine | None = None
        """What has the search compiled in the background."""
        self._search: threading.Thread | None = None
        self._released = threading.Event()
        """Set when the answer may be given: from the start, unless the GUI wants to stop the search itself."""
        self._pondering: GoCommand | None = None
        self._loading = threading.Thread(target=self._load, args=(load,), daemon=True, name="loading")
        self._loading.start()

    def run(self, lines: BinaryIO) -> None:
        """Obey the commands of a stream until `quit` or its end. At its end a search with a limit is waited for."""
        while line := lines.readline(MAX_COMMAND):
            if not self.obey(line.decode("utf-8", "replace")):
                return
        if self._released.is_set() and self._search is not None:
            self._search.join()
        self._stop()

    def obey(self, line: str) -> bool:
        """Obey a command; return whether to go on. What is wrong with a command is said in an info line."""
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            self._stop()
            return False
        command = getattr(self, f"_on_{words[0]}", None) if words[0].isidentifier() else None
        if words[0] in (self.dialect.name, self.dialect.new_game):
            command = self._greet if words[0] == self.dialect.name else self._new_game
        try:
            if command is not None:
                command(words[1:])
        except GameError as error:
            self._say(f"info string {one_line(str(error))}")
        except Exception as error:  # a rule of the user's own
            self._say(f"info string {type(error).__name__}: {exception_text(error)}")
        return True

    # -- what needs no game ------------------------------------------------------------------------------------------

    def _greet(self, words: list[str]) -> None:
        from zermelo.protocols.engine_options import OPTIONS

        self._say(f"id name {self.name}")
        self._say("id author the Zermelo developers")
        for option in OPTIONS:
            self._say(option.announcement())
        self._say(self.dialect.confirmation)

    def _on_isready(self, words: list[str]) -> None:
        self._say("readyok")

    def _on_setoption(self, words: list[str]) -> None:
        self._stop()
        self.options.set(words)
        self._engine = None

    @property
    def options(self) -> EngineOptions:
        if self._options is None:
            from zermelo.protocols.engine_options import EngineOptions

            self._options = EngineOptions()
        return self._options

    def _say(self, line: str) -> None:
        with self._lock:
            self._write(line)

    # -- the game ----------------------------------------------------------------------------------------------------

    def _load(self, load: Callable[[], Game]) -> None:
        """Load the game and begin to compile its search, in a thread of its own."""
        try:
            self._game = load()
            from zermelo.play.engine import Engine

            if self._game.native is not False:
                self._compiling = Engine(self._game, book=False)
                self._compiling.prepare()
        except BaseException as error:
            self._error = error

    @property
    def game(self) -> Game:
        self.check_loaded()
        assert self._game is not None
        return self._game

    def check_loaded(self) -> None:
        """Wait until the game is loaded. Raise what went wrong with that."""
        self._loading.join()
        if self._error is not None:
            raise self._error

    @property
    def line(self) -> PlayedLine:
        if self._line is None:
            from zermelo.protocols.move_words import PlayedLine

            self._line = PlayedLine(self.game)
        return self._line

    @property
    def engine(self) -> Engine:
        """The engine with the options as they are."""
        if self._engine is None:
            from zermelo.play.engine import Engine

            self._engine = Engine(self.game, **self.options.for_engine())
        return self._engine

    def _new_game(self, words: list[str]) -> None:
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
        engine = self.engine
        engine.limit, engine.clock = go.limit, go.clock(self.line.player, self.options.overhead)
        # several threads would wait for the compiler, and `stop` with them
        compiling = self._compiling is not None and self._compiling.compiling
        engine.threads = 1 if compiling else self.options.values["Threads"]
        self._pondering = go if go.ponder else None
        self._released.clear()
        if not go.waits_for_stop:
            self._released.set()
        history, state = self.line.history, self.line.state
        self._search = threading.Thread(target=self._answer, args=(engine, state, history), daemon=True, name="go")
        self._search.start()

    def _answer(self, engine: Engine, state: Any, history: list[Any]) -> None:
        """Search, tell about it, and give the answer when it may be given."""
        try:
            answer = self._best_move(engine, state, history)
        except Exception as error:
            self._say(f"info string {one_line(str(error)) or type(error).__name__}")
            answer = self._any_move(state)
        self._released.wait()
        self._say(f"bestmove {answer}")

    def _best_move(self, engine: Engine, state: Any, history: list[Any]) -> str:
        from zermelo.protocols.search_info import info_lines, pv_words
        from zermelo.rules import legal_actions

        if self.game.is_chance(state) or not legal_actions(self.game, state):
            return NO_MOVE

        def tell(report: Report) -> None:
            for line in info_lines(self.dialect, report, engine.lines):
                self._say(line)

        report = engine.choose(state, tell, history)
        tell(report)
        best, *replies = pv_words(report, report.lines[0])
        return f"{best} ponder {replies[0]}" if replies else best

    def _any_move(self, state: Any) -> str:
        """A legal move, where the search has failed."""
        from zermelo.protocols.move_words import move_word
        from zermelo.rules import legal_actions

        try:
            return move_word(self.game, state, legal_actions(self.game, state)[0])
        except Exception:
            return NO_MOVE

    def _on_ponderhit(self, words: list[str]) -> None:
        """The expected move was played: from now on the clock runs."""
        if self._pondering is None or self._search is None:
            return
        seconds = self._pondering.seconds(self.line.player, self.options.overhead)
        self._pondering = None
        self._released.set()
        if seconds is not None:
            timer = threading.Timer(seconds, self._interrupt, [self._search])
            timer.daemon = True
            timer.start()

    def _interrupt(self, search: threading.Thread) -> None:
        if search is self._search and self._engine is not None:
            self._engine.stop()

    def _on_stop(self, words: list[str]) -> None:
        self._stop()

    def _stop(self) -> None:
        """Stop the search, if one runs, and wait until its answer is given."""
        search, self._pondering = self._search, None
        self._released.set()
        while search is not None and search.is_alive():
            if self._engine is not None:
                self._engine.stop()
            search.join(STOP_INTERVAL)
        self._search = None


def _true(fact: bool) -> str:
    return "true" if fact else "false"
