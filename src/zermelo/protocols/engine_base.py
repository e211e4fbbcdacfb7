"""What engines of all protocols share: commands in lines, a game that is loaded and a search that runs in threads.

A greeting imports next to nothing, so that it comes at once. The game is loaded, and its search compiled, in the
background.
"""

from __future__ import annotations

import gc
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO

from zermelo.formatting import exception_text, one_line
from zermelo.game import Game, GameError

if TYPE_CHECKING:
    from zermelo.limits import Limit
    from zermelo.play.clock import Clock
    from zermelo.play.engine import Engine
    from zermelo.play.move_search import OnReport
    from zermelo.protocols.engine_options import EngineOptions
    from zermelo.protocols.move_words import PlayedLine
    from zermelo.protocols.running_search import RunningSearch
    from zermelo.searching.report import Report

MAX_COMMAND = 1 << 20
"""Bytes of a command; the longest are positions with thousands of moves."""

LOADING_SECONDS = 2.0
"""Seconds for which a GUI that asks whether the engine is ready waits for the game; chess takes a quarter of one."""

LOADING_SHARE = 0.5
"""The share of the time for a move for which its search waits at most for what is being loaded."""

WAIT_INTERVAL = 0.01
"""Seconds between two looks whether a search that waits is still wanted."""

PREPARATION_SECONDS = 10.0
"""Seconds for which a GUI that is about to start a clock waits for the compiler; after them rules are interpreted."""

PLAIN = {"style": "exact", "weights": True, "book": False, "syzygy": None, "database": None}
"""What an engine gets in place of an option that cannot be used, such as a file that is missing. The database is the
last: it may take long to load."""


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
        self._engine_arguments: dict[str, Any] = {}
        self._compiling: Engine | None = None
        """What has the search compiled in the background."""
        self._unprepared = True
        self._search: RunningSearch | None = None
        self._playable = threading.Event()
        """Set when the game is loaded, or an error is known."""
        self._heard = 0.0
        """When the last command came."""
        self._loading = threading.Thread(target=self._load, args=(load,), daemon=True, name="loading")
        self._loading.start()

    # -- commands ----------------------------------------------------------------------------------------------------

    def run(self, lines: BinaryIO) -> None:
        """Obey the commands of a stream until `quit` or its end. At its end a search with a limit is waited for."""
        while line := lines.readline(MAX_COMMAND):
            if not self.obey(line.decode("utf-8", "replace")):
                return
        if self._search is not None and not self._search.waits:
            self._search.join()
        self._stop()

    def obey(self, line: str) -> bool:
        """Obey a command; return whether to go on. What is wrong with a command is said."""
        self._heard = time.monotonic()
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
            import zermelo.native.linking.loader
            import zermelo.protocols.go_command
            import zermelo.protocols.move_words
            import zermelo.protocols.running_search
            import zermelo.protocols.search_info
            import zermelo.searching.runtime.search_driver  # noqa: F401  what the first search needs

            self._playable.set()
            import numpy  # noqa: F401  what a table needs that grows; it took a tenth of a second of the first search
        except BaseException as error:
            self._error = error
        self._playable.set()

    def _wait_until_loaded(self, seconds: float, unwanted: Callable[[], bool]) -> None:
        """Wait until the game and its search are loaded, for some seconds at most, or until that is unwanted.

        A search that begins before would only take turns with what it needs: Python runs one thread at a time.
        """
        end = time.monotonic() + seconds
        self._loading.join(seconds)
        while (engine := self._compiling) is not None and engine.loading and not unwanted():
            if (left := end - time.monotonic()) <= 0:
                return
            engine.wait_for_compiler(min(left, WAIT_INTERVAL))

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
            gc.freeze()  # a full collection of what is loaded would take ten milliseconds of some move

    @property
    def game(self) -> Game:
        self.check_loaded()
        assert self._game is not None
        return self._game

    def check_loaded(self) -> None:
        """Wait until the game is loaded. Raise what went wrong with that."""
        self._playable.wait()
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
        return self._engine_with(self.options.for_engine())

    def _engine_with(self, arguments: dict[str, Any]) -> Engine:
        """An engine of the game, the one before if its arguments were the same: it remembers its searches.

        What is wrong with an argument is said once; then the engine plays without that one.
        """
        if self._engine is None or self._engine.game is not self.game or self._engine_arguments != arguments:
            from zermelo.play.engine import Engine

            try:
                self._engine = Engine(self.game, **arguments)
            except GameError:
                self._engine = self._engine_with_usable(arguments)
            self._engine_arguments = arguments
        return self._engine

    def _engine_with_usable(self, arguments: dict[str, Any]) -> Engine:
        """An engine with those of the arguments that can be used; of each other one the reason is said."""
        from zermelo.play.engine import Engine

        usable = arguments | PLAIN
        engine = Engine(self.game, **usable)
        for name, plain in PLAIN.items():
            if arguments[name] != plain:
                try:
                    engine = Engine(self.game, **usable | {name: arguments[name]})
                except GameError as error:
                    self._complain(one_line(str(error)))
                else:
                    usable[name] = arguments[name]
        return engine

    # -- searching ---------------------------------------------------------------------------------------------------

    def _start(
        self,
        limit: Limit,
        clock: Clock | None,
        tell: Callable[[Report], Iterable[str]],
        answer: Callable[[Any, Report | Exception | None], Iterable[str]],
        *,
        lines: int | None = None,
        waits: bool = False,
    ) -> None:
        """Begin a search of the state as it is now. `answer` gets the state too; for the rest see RunningSearch.

        What passes before the search begins is part of the time for the move.
        """
        from zermelo.protocols.running_search import RunningSearch

        heard = self._heard
        state, history, arguments = self.line.state, self.line.history, self.options.for_engine()

        def choose(running: RunningSearch, on_report: OnReport) -> Report | None:
            if not self._moves(state):
                return None
            end = heard + _loading_seconds(limit, clock)
            self._wait_until_loaded(end - time.monotonic(), lambda: running.answered)
            engine = running.engine = self._engine_with(arguments)
            engine.limit, engine.clock = _less(limit, clock, time.monotonic() - heard)
            engine.lines = lines or arguments["lines"]
            # several threads would wait for the compiler
            compiling = self._compiling is not None and self._compiling.compiling
            engine.threads = 1 if compiling else arguments["threads"]
            return engine.choose(state, on_report, history)

        here = clock is not None and self._is_quick(arguments, clock, len(history))
        self._search = RunningSearch(
            choose, tell, lambda found: answer(state, found), self._say, waits=waits, before=self._search, here=here
        )

    def _is_quick(self, arguments: dict[str, Any], clock: Clock, ply: int) -> bool:
        """Whether a search takes a few milliseconds at most, and nothing else has to end before it."""
        engine = self._engine
        if engine is None or engine.game is not self.game or self._engine_arguments != arguments:
            return False
        return not (self._search is not None and self._search.running) and engine.is_quick(clock, ply)

    @property
    def _searching(self) -> bool:
        """Whether a search runs whose answer is not given yet."""
        return self._search is not None and not self._search.answered

    def _stop(self) -> None:
        """Stop the search, if one runs; its answer is given before this returns."""
        if self._search is not None:
            self._search.stop()

    def _cancel(self) -> None:
        """End the search, if one runs, without its answer."""
        if self._search is not None:
            self._search.cancel()

    def _moves(self, state: Any) -> Sequence[Any]:
        """The moves among which a player chooses: none where the game is over or dice are to be rolled."""
        from zermelo.rules import legal_actions

        return () if self.game.is_chance(state) else legal_actions(self.game, state)

    def _any_move(self, state: Any) -> Any:
        """A legal move, where a search has found none; None if there is none."""
        with suppress(Exception):  # a rule that raises was reported
            return next(iter(self._moves(state)), None)


def _loading_seconds(limit: Limit, clock: Clock | None) -> float:
    """Seconds for which a search within this limit, or on this clock, waits for what is being loaded."""
    seconds = limit.seconds if clock is None else clock.budget().soft
    return LOADING_SECONDS if seconds is None else min(LOADING_SHARE * seconds, LOADING_SECONDS)


def _less(limit: Limit, clock: Clock | None, spent: float) -> tuple[Limit, Clock | None]:
    """What is left of a limit and of a clock, of which some seconds were spent already."""
    from zermelo.protocols.go_command import MIN_SECONDS

    if clock is not None:
        clock.left = max(clock.left - spent, MIN_SECONDS)
    return limit if limit.seconds is None else replace(limit, seconds=max(limit.seconds - spent, MIN_SECONDS)), clock


def sentences(found: Report | Exception | None) -> list[str]:
    """What went wrong with a search, if something did."""
    return [one_line(str(found)) or type(found).__name__] if isinstance(found, Exception) else []
