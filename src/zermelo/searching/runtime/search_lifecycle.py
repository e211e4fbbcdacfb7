"""The lifecycle of a search: start, clock, compilation, pause, resume, stop and final report.

Alpha-beta search (search_driver.py), proof-number search and Monte Carlo tree search (single_kernel.py) share it.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod

from zermelo.game import Game, State
from zermelo.limits import Limit
from zermelo.native.interpretation import warn_if_interpreted
from zermelo.native.kernel_dispatch import Kernel
from zermelo.searching.report import Report
from zermelo.searching.runtime.background_compilation import compile_while_searching, search_twin
from zermelo.searching.runtime.search_threads import deadline, time_left
from zermelo.searching.runtime.tablebase_probing import original


class SearchLifecycle(ABC):
    """A search of one state that ends when it is finished, at its limit, or when it is stopped.

    With a `start` time the clock runs from then on, and the search is interpreted until its kernel is compiled. Without
    one it waits for the compiler, unless an interpreted twin is faster, and the clock starts afterwards.
    """

    def __init__(self, game: Game, state: State, limit: Limit, start: float | None) -> None:
        self.game = game
        self.state = state
        self.limit = limit
        self.start = time.perf_counter() if start is None else start
        self.waits_for_compiler = start is None
        self.lock = threading.RLock()
        self.wake = threading.Event()
        """Set when the search is stopped or its kernel is compiled."""
        self.stopped = self.paused = False
        self.twin: SearchLifecycle | None = None
        """The same search, interpreted while the kernel of this one is compiled."""

    def run(self) -> Report:
        """Search until it is finished, the limit is reached or it is stopped; return the final report."""
        compiled = False
        if self.waits_for_compiler:
            answer = self._answer_of_twin()
            if answer is not None:
                return answer
            compiled = self.compile()
            self.start = time.perf_counter()
        with deadline(self.seconds_left(), self.stop):
            if not self.waits_for_compiler:
                compiled = compile_while_searching(self)
            if not compiled:
                warn_if_interpreted(original(self.game))
            self._prepare(compiled)
            self.resume()
            self._search()
            return self._final_report()

    def interpret(self) -> None:
        """Search interpreted until it is finished or paused."""
        self._prepare(compiled=False)
        self._search_interpreted()

    def search_interpreted(self) -> None:
        """Search as `run` does, but interpreted, until it is finished or paused."""
        self._prepare(compiled=False)
        self._search()

    def _answer_of_twin(self) -> Report | None:
        """The report of an interpreted twin, if it is finished or stopped before the kernel is compiled; else None."""
        with self.lock:
            self.twin = None if self.stopped else self._new_twin()
        if self.twin is None:
            return None
        search_twin(self, self.twin)
        with self.lock:
            twin, self.twin = self.twin, None
        if twin.equals_compiled or (self.stopped and twin.has_answer):
            return self._answer_by(twin)
        self._forget_twin(twin)
        return None

    def _new_twin(self) -> SearchLifecycle | None:
        """A search like this one, if it may run while another process compiles; with several threads, none is."""
        return None

    def _answer_by(self, twin: SearchLifecycle) -> Report:
        """The report of a twin that was faster than the compiler."""
        return twin._final_report()

    def _forget_twin(self, twin: SearchLifecycle) -> None:
        """Start anew, compiled, after a twin that was not finished."""
        del twin

    @property
    def equals_compiled(self) -> bool:
        """Whether this interpreted search is finished, and a compiled one would give the same report."""
        return False

    @property
    def has_answer(self) -> bool:
        """Whether there is a move to report."""
        return False

    def seconds_left(self, part: float = 1) -> float | None:
        """Seconds until this part of the time limit is over; None without a time limit."""
        return time_left(self.limit, self.start, part)

    def stop(self) -> None:
        """End the search at its next node, for good."""
        with self.lock:
            self.stopped = True
            self._stop_kernels()
            twin = self.twin
        if twin is not None:
            twin.stop()
        self.wake.set()

    def pause(self) -> None:
        """End the kernels at their next node, and start no other until `resume`."""
        with self.lock:
            self.paused = True
            self._pause_kernels()

    def resume(self) -> None:
        """Continue after a pause, unless stopped."""
        with self.lock:
            self.paused = False
            self._resume_kernels()
            if not self.stopped:
                self.wake.clear()

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether there is nothing left to search, or the limit is reached, or the search is stopped."""

    @property
    @abstractmethod
    def kernel(self) -> Kernel:
        """The kernel that the search runs."""

    @abstractmethod
    def compile(self) -> bool:
        """Compile the kernel, and return whether it compiles; else it is interpreted."""

    @abstractmethod
    def _prepare(self, compiled: bool) -> None:
        """Get ready to search compiled or interpreted."""

    @abstractmethod
    def _search(self) -> None:
        """Search until it is finished, stopped or paused."""

    def _search_interpreted(self) -> None:
        """The same, before the kernel is compiled."""
        self._search()

    @abstractmethod
    def _final_report(self) -> Report: ...

    @abstractmethod
    def _stop_kernels(self) -> None: ...

    @abstractmethod
    def _pause_kernels(self) -> None: ...

    @abstractmethod
    def _resume_kernels(self) -> None: ...
