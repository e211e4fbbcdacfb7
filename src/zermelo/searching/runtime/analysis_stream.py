"""Analysis: a search in the background, as a stream of its reports."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING

from zermelo.searching.report import Report
from zermelo.searching.runtime.search_threads import TICK

if TYPE_CHECKING:
    from zermelo.searching.runtime.search_driver import Search


class Analysis(Iterator[Report]):
    """Reports of a search that runs meanwhile in a thread of its own: better and better ones, the last one final.

    It begins with the block, or with the first report that is asked for, and ends with the block, at once, wherever
    it is. What the rules raise is raised where the next report is asked for.
    """

    def __init__(self, search: Search, every_round: bool = True) -> None:
        self._search = search
        self._reports: SimpleQueue[Report | BaseException | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._ended = False
        if every_round:
            search.tell = self._reports.put
        # the thread knows the search and the queue, not the analysis: one that nobody holds any more is stopped
        weakref.finalize(self, search.stop)

    def __enter__(self) -> Analysis:
        self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __next__(self) -> Report:
        for report in self._until_the_end(TICK):
            if report is not None:
                return report
        raise StopIteration

    def live(self, seconds: float) -> Iterator[Report]:
        """The reports, and where none comes for so long, what is known by then: the nodes go on in the meantime."""
        for report in self._until_the_end(seconds):
            if report is not None:
                yield report
            elif (now := self._search.now()) is not None:
                yield now

    def _until_the_end(self, seconds: float) -> Iterator[Report | None]:
        """Each report that was told, and None where none came for so long."""
        self._begin()
        while not self._ended:
            try:
                told = self._reports.get(timeout=seconds)
            except Empty:
                yield None
                continue
            if isinstance(told, Report):
                yield told
                continue
            self._ended = True
            if told is not None:
                raise told

    def stop(self) -> None:
        """End the search; reports that are not read yet can still be, and the last one is final."""
        self._search.stop()

    def close(self) -> None:
        """End the search, wait until it has ended, and forget what was not read."""
        self.stop()
        self._ended = True
        if self._thread is not None:
            self._thread.join()

    def last(self) -> Report:
        """The final report, when the search has ended."""
        with self:
            for report in self:
                last = report
        return last

    def _begin(self) -> None:
        if self._thread is None and not self._ended:
            self._thread = threading.Thread(
                target=_run, args=(self._search, self._reports), daemon=True, name="analysis"
            )
            self._thread.start()


def _run(search: Search, reports: SimpleQueue[Report | BaseException | None]) -> None:
    try:
        reports.put(search.run())
        reports.put(None)
    except BaseException as error:
        reports.put(error)
