"""A search for a GUI: it runs in a thread of its own, and its answer is given once.

A GUI wants the answer to `stop` at once, whatever the engine is doing then: it may be compiling, loading a database, or
waiting for the end of the search before. So `stop` waits a few milliseconds for the thread of the search, and then
gives the answer itself, by the last report.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.play.engine import Engine
    from zermelo.play.move_search import OnReport
    from zermelo.searching.report import Report

ANSWER_SECONDS = 0.005
"""Seconds that the thread of a search has to answer after `stop`. One that is awake needs two or three milliseconds."""


class Answered(Exception):
    """Ends a search whose answer was given without it."""


class RunningSearch:
    """A search that has begun. `choose` sets its `engine`, and returns the final report; None if there is no move.

    `tell` makes lines of each report, and `answer` of the last one, or of what the search raised, or of None where it
    has found nothing yet; `say` gets these lines. A search that `waits` has no answer before it is stopped or released.
    The thread begins when the search `before` has ended, since both use one engine. A quick search runs `here`, before
    the call returns: on a busy machine another thread would come late.
    """

    def __init__(
        self,
        choose: Callable[[RunningSearch, OnReport], Report | None],
        tell: Callable[[Report], Iterable[str]],
        answer: Callable[[Report | Exception | None], Iterable[str]],
        say: Callable[[str], None],
        *,
        waits: bool = False,
        before: RunningSearch | None = None,
        here: bool = False,
    ) -> None:
        from zermelo.searching.runtime.reused_threads import RunningJob, start_thread

        self.engine: Engine | None = None
        """The engine that searches, once it is made."""
        self.answered = False
        self._choose, self._tell, self._answer, self._say = choose, tell, answer, say
        self._found: Report | Exception | None = None
        self._before = before
        self._lock = threading.Lock()
        self._released = threading.Event()
        if not waits:
            self._released.set()
        if here:
            self._job = RunningJob(self._run, "go")
            self._run()
            self._job.ended.set()
        else:
            self._job = start_thread(self._run, "go")

    @property
    def running(self) -> bool:
        """Whether the thread has not ended; it may go on for a while after the answer was given."""
        return self._job.is_alive()

    @property
    def waits(self) -> bool:
        """Whether the answer waits for `stop` or `release`."""
        return not self._released.is_set()

    def release(self) -> None:
        """Allow the answer when the search ends."""
        self._released.set()

    def stop(self) -> None:
        """End the search and have its answer given, in any case before this returns."""
        self._released.set()
        self._stop_engine()
        if not self.answered:  # else its thread may still be busy, and the next command need not wait for that
            self._job.join(ANSWER_SECONDS)
            self._give_answer()

    def cancel(self) -> None:
        """End the search; it has no answer."""
        with self._lock:
            self.answered = True
        self._released.set()
        self._stop_engine()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._job.join()

    def _stop_engine(self) -> None:
        if self.engine is not None:
            self.engine.stop()

    def _run(self) -> None:
        before, self._before = self._before, None
        if before is not None:
            before.join()
        try:
            report = None if self.answered else self._choose(self, self._hear)
            if report is not None:
                self._hear(report)
        except Answered:
            return
        except Exception as error:
            self._found = error
        self._released.wait()
        self._give_answer()

    def _hear(self, report: Report) -> None:
        """Keep a report, and tell about it unless the answer was given."""
        lines = list(self._tell(report))
        with self._lock:
            if self.answered:
                raise Answered
            self._found = report
            for line in lines:
                self._say(line)

    def _give_answer(self) -> None:
        with self._lock:
            if not self.answered:
                self.answered = True
                for line in self._answer(self._found):
                    self._say(line)
