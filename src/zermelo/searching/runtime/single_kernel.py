"""Solo: one kernel at one question about one state, on one thread; what prove and monte_carlo have in common."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod

from zermelo.game import Game, State
from zermelo.limits import Limit
from zermelo.searching.report import Report
from zermelo.searching.runtime.background_compilation import compiled_meanwhile
from zermelo.searching.runtime.move_encoding import Indexed
from zermelo.searching.runtime.search_threads import deadline, time_left
from zermelo.searching.runtime.thread_memory import MOST, STOP
from zermelo.word_arrays import Words


class Solo(ABC):
    """A search that ends with its answer, at its limit, or when somebody stops it.

    The clock runs from `start` on, though there may be no machine code yet; without a start, from when there is.
    """

    def __init__(self, game: Game, state: State, limit: Limit, memory: Words, start: float | None) -> None:
        self.game = game
        self.state = state
        self.limit = limit
        self.hurry = start is not None
        self.start = time.perf_counter() if start is None else start
        self.rules: Game = game
        self.compiled = False
        self.memory = memory
        self.memory[MOST] = limit.nodes or 1 << 62
        self.lock = threading.RLock()
        self.news = threading.Event()
        self.stopped = self.paused = False

    def run(self) -> Report:
        """Search until there is an answer, the limit is reached or somebody stops it: what is known then."""
        compiled = False
        if not self.hurry:
            compiled = self.ready()
            self.start = time.perf_counter()
        with deadline(self.seconds_left(), self.stop):
            if self.hurry:
                compiled = compiled_meanwhile(self)
            if not self.finished:
                self._prepare(compiled)
                self.resume()
                self._search()
        return self._report()

    def interpret(self) -> None:
        """Go on as far as it gets without machine code, until it is paused."""
        self._prepare(compiled=False)
        self._search()

    @abstractmethod
    def ready(self) -> bool:
        """Have machine code for the kernel; False if it must be interpreted."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether there is nothing left to do, or no leave to do it."""

    @abstractmethod
    def _search(self) -> None:
        """Run the kernel until it ends or is told to."""

    @abstractmethod
    def _report(self) -> Report:
        """What was found."""

    def _prepare(self, compiled: bool) -> None:
        """Go on with machine code, or interpreted."""
        self.compiled = compiled
        self.rules = self.game if compiled else Indexed(self.game)

    def seconds_left(self, part: float = 1) -> float | None:
        """How long until this part of the time is over; None where there is no limit of time."""
        return time_left(self.limit, self.start, part)

    # -- stopping --------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """End the search at its next state, for good."""
        with self.lock:
            self.stopped = True
            self.memory[STOP] = 1
        self.news.set()

    def pause(self) -> None:
        """End it at its next state, until `resume`."""
        with self.lock:
            self.paused = True
            self.memory[STOP] = 1

    def resume(self) -> None:
        """Go on after a pause, unless stopped."""
        with self.lock:
            self.paused = False
            self.memory[STOP] = self.stopped
            if not self.stopped:
                self.news.clear()

    @property
    def held(self) -> bool:
        """Whether somebody told it to stop or to pause."""
        return self.stopped or self.paused

    def _replace_memory(self, memory: Words, kept: tuple[int, ...]) -> None:
        """Take a wider memory in place of the old one, with these counters of it."""
        with self.lock:
            for counter in kept:
                memory[counter] = self.memory[counter]
            self.memory = memory
            self.memory[STOP] = self.held  # the clock may have run out meanwhile
