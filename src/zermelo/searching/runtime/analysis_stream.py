"""Analysis: a search in a background thread, as a stream of its reports."""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING

from zermelo.searching.report import Report
from zermelo.searching.runtime.reused_threads import RunningJob, start_thread
from zermelo.searching.runtime.search_threads import POLL_SECONDS

if TYPE_CHECKING:
    from typing import TypeAlias

    from zermelo.searching.mcts.monte_carlo_search import MonteCarloSearch
    from zermelo.searching.runtime.search_driver import AlphaBetaSearch

    AnySearch: TypeAlias = AlphaBetaSearch | MonteCarloSearch

FINAL_SECONDS = 0.005
"""Seconds for which a reader in a hurry waits for the final report. The thread of a search has used up its share of
the processor: with fifteen processes on two cores, one search in ten ended 10 to 50 ms after it was stopped."""


class _Hurry:
    """What is put among the reports to wake their reader."""


class Analysis(Iterator[Report]):
    """A stream of reports of a search that runs in a background thread; the last report is final.

    The search starts with the `with` block, or with the first report that is read, and leaving the block stops it at
    once. An exception of the rules is raised where the next report is read.
    """

    def __init__(self, search: AnySearch, every_round: bool = True) -> None:
        self._search = search
        self._reports: SimpleQueue[Report | BaseException | _Hurry | None] = SimpleQueue()
        self._thread: RunningJob | None = None
        self._ended = self._told = False
        self._leave_at: float | None = None
        if every_round:
            search.tell = self._reports.put
        # the thread holds the search and the queue, not the Analysis: once that is garbage, the search is stopped
        weakref.finalize(self, search.stop)

    def __enter__(self) -> Analysis:
        self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __next__(self) -> Report:
        for report in self._poll(POLL_SECONDS):
            if report is not None:
                return report
        raise StopIteration

    def live(self, seconds: float) -> Iterator[Report]:
        """Yield the reports, and after `seconds` without one, a report of the current state of the search."""
        for report in self._poll(seconds):
            if report is not None:
                yield report
            elif (now := self._search.now()) is not None:
                yield now

    def _poll(self, seconds: float) -> Iterator[Report | None]:
        """Yield each report, and None after `seconds` without one."""
        self._begin()
        while not self._ended:
            left = None if self._leave_at is None or not self._told else self._leave_at - time.perf_counter()
            try:
                told = self._reports.get(timeout=seconds if left is None else min(seconds, max(left, 0)))
            except Empty:
                if left is not None and left <= seconds:
                    self._ended = True
                else:
                    yield None
                continue
            if isinstance(told, Report):
                self._told = True
                yield told
            elif not isinstance(told, _Hurry):
                self._ended = True
                if told is not None:
                    raise told

    def stop(self) -> None:
        """Stop the search; reports that are not read yet stay readable, and the last one is final."""
        self._search.stop()

    def hurry(self) -> None:
        """Stop the search; the reader need not wait for its end, if there is a report."""
        self.stop()
        self.leave_after(0)
        self._reports.put(_Hurry())

    def leave_after(self, seconds: float) -> None:
        """From then on the reader need not wait for the end of the search, if there is a report."""
        end = time.perf_counter() + seconds + FINAL_SECONDS
        self._leave_at = end if self._leave_at is None else min(self._leave_at, end)

    def close(self) -> None:
        """Stop the search, wait until it has ended, and discard unread reports."""
        self.leave()
        self.join()

    def leave(self) -> None:
        """Stop the search and discard unread reports, without waiting."""
        self.stop()
        self._ended = True

    def join(self) -> None:
        """Wait until the search has ended."""
        if self._thread is not None:
            self._thread.join()

    def last(self) -> Report:
        """Wait for the search to end, and return the final report."""
        with self:
            for report in self:
                last = report
        return last

    def _begin(self) -> None:
        if self._thread is None and not self._ended:
            search, reports = self._search, self._reports
            self._thread = start_thread(lambda: _run(search, reports), "analysis")


def _run(search: AnySearch, reports: SimpleQueue[Report | BaseException | _Hurry | None]) -> None:
    try:
        reports.put(search.run())
        reports.put(None)
    except BaseException as error:
        reports.put(error)
