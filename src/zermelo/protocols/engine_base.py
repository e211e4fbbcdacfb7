"""What engines of all protocols share: commands in lines, a game that loads meanwhile, a search in a thread of its own.

A greeting imports next to nothing, so that it comes at once. The game is loaded and its search compiled meanwhile.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from zermelo.formatting import exception_text, one_line
from zermelo.game import Game, GameError

if TYPE_CHECKING:
    from zermelo.play.engine import Engine
    from zermelo.protocols.engine_options import EngineOptions
    from zermelo.protocols.move_words import PlayedLine
    from zermelo.searching.runtime.reused_threads import RunningJob

MAX_COMMAND = 1 << 20
"""Bytes of a command; the longest are positions with thousands of moves."""

PREPARATION_SECONDS = 10.0
"""Seconds for which a GUI that is about to start a clock waits for the compiler; after them rules are interpreted."""

STOP_INTERVAL = 0.003
"""Seconds between two attempts to stop a search that has just begun."""


class EngineBase(ABC):
    """An engine under a name, for one game. `write` gets each line of its answers."""

    def __init__(self, load: Callable[[], Game], write: Callable[[str], object], name: str = "Zermelo") -> None:
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
        self._unprepared = True
        self._search: RunningJob | None = None
        self._released = threading.Event()
        """Set when the answer may be given: from the start, unless the GUI wants to stop the search itself."""
        self._loading = threading.Thread(target=self._load, args=(load,), daemon=True, name="loading")
        self._loading.start()

    # -- commands ----------------------------------------------------------------------------------------------------

    def run(self, lines: BinaryIO) -> None:
        """Obey the commands of a stream until `quit` or its end. At its end a search with a limit is waited for."""
        while line := lines.readline(MAX_COMMAND):
            if not self.obey(line.decode("utf-8", "replace")):
                return
        if self._released.is_set() and self._search is not None:
            self._search.join()
        self._stop()

    def obey(self, line: str) -> bool:
        """Obey a command; return whether to go on. What is wrong with a command is said."""
        words = line.split()
        if words == ["quit"]:
            self._stop()
            return False
        try:
            if words:
                self._obey(words)
        except GameError as error:
            self._complain(one_line(str(error)))
        except Exception as error:  # a rule of the user's own
            self._complain(f"{type(error).__name__}: {exception_text(error)}")
        return True

    @abstractmethod
    def _obey(self, words: list[str]) -> None:
        """Obey a command other than `quit`."""

    @abstractmethod
    def _complain(self, sentence: str) -> None:
        """Say what is wrong."""

    def _say(self, line: str) -> None:
        with self._lock:
            self._write(line)

    # -- the game and the engine -------------------------------------------------------------------------------------

    def _load(self, load: Callable[[], Game]) -> None:
        """Load the game and begin to compile its search, in a thread of its own."""
        try:
            self._game = load()
            from zermelo.play.engine import Engine

            if self._game.native is not False:
                self._compiling = Engine(self._game, book=False)
                self._compiling.prepare()
            import zermelo.protocols.move_words
            import zermelo.protocols.search_info  # noqa: F401  what the first answer needs
        except BaseException as error:
            self._error = error

    def _wait_for_compiler(self) -> None:
        """Wait until a search is compiled and has run once, before a clock starts; not for ever, and not twice."""
        self._loading.join()
        engine, self._unprepared = self._compiling, False
        if engine is None or self._error is not None:
            return
        engine.wait_for_compiler(PREPARATION_SECONDS)
        if not engine.compiling:
            from zermelo.limits import Limit
            from zermelo.rules import initial_state

            engine.limit = Limit(nodes=1)
            with suppress(Exception):  # a rule that raises is reported where a move is wanted
                engine.choose(initial_state(engine.game), lambda report: None)

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
        """The moves so far."""
        if self._line is None:
            from zermelo.protocols.move_words import PlayedLine

            self._line = PlayedLine(self.game)
        return self._line

    @property
    def options(self) -> EngineOptions:
        if self._options is None:
            from zermelo.protocols.engine_options import EngineOptions

            self._options = EngineOptions()
        return self._options

    @property
    def engine(self) -> Engine:
        """The engine with the options as they are."""
        if self._engine is None:
            from zermelo.play.engine import Engine

            self._engine = Engine(self.game, **self.options.for_engine())
        return self._engine

    # -- searching ---------------------------------------------------------------------------------------------------

    def _start(self, answer: Callable[[Engine, Any, list[Any]], None], *, waits: bool = False) -> None:
        """Call `answer` in a thread, with the engine, the state and those before; it waits for `stop` if it is to."""
        engine = self.engine
        # several threads would wait for the compiler, and `stop` with them
        compiling = self._compiling is not None and self._compiling.compiling
        engine.threads = 1 if compiling else self.options.values["Threads"]
        self._released.clear()
        if not waits:
            self._released.set()
        from zermelo.searching.runtime.reused_threads import start_thread

        state, history = self.line.state, self.line.history
        self._search = start_thread(lambda: answer(engine, state, history), "go")

    def _stop(self) -> None:
        """Stop the search, if one runs, and wait until its answer is given."""
        search = self._search
        self._released.set()
        while search is not None and search.is_alive():
            if self._engine is not None:
                self._engine.stop()
            search.join(STOP_INTERVAL)
        self._search = None

    def _any_move(self, state: Any) -> Any:
        """A legal move, where a search has failed; None if there is none."""
        from zermelo.rules import legal_actions

        try:
            return legal_actions(self.game, state)[0]
        except Exception:
            return None
