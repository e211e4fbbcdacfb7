"""Meanwhile: an answer in time, though the machine code is still being made.

A cold compilation takes seconds, and a clock that was set does not wait. So it goes on in a thread, and the search
begins interpreted. They had better take turns, since Python runs one thread at a time and the compiler lets go of it
often: Connect Four took 5.5 s to compile alone and 26 s beside an interpreted search. So a short search leaves an
answer, then the compiler has the time to itself, and when that runs out too the rest of it goes into the answer. It
never held Python for more than 0.12 s at a time.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from zermelo.search.deepening import deepen
from zermelo.search.threads import deadline
from zermelo.search.worker import ready

if TYPE_CHECKING:
    from zermelo.search.driver import Search

AT_ONCE = 0.03
"""Seconds in which machine code that the process already has is surely found."""

FIRST, SECOND = 0.1, 0.75
"""Parts of the time: when the first interpreted search ends, and when the second begins."""

LONGEST = 0.5
"""Seconds that the first takes at most."""


class Compilation:
    """Machine code for a search, made in the background; the search is paused when it is there.

    The thread is no daemon: a process that has its answer stays until the code is in the cache, for the next one.
    """

    def __init__(self, search: Search) -> None:
        self.search = search
        self.ended = self.succeeded = False
        self.failure: BaseException | None = None
        threading.Thread(target=self._run, name=f"compiling {search.game!r}", daemon=False).start()

    def _run(self) -> None:
        try:
            self.succeeded = ready(self.search.game, self.search.state, self.search.table)
        except BaseException as error:
            self.failure = error
        self.ended = True
        self.search.pause()
        self.search.news.set()


def compiled_meanwhile(search: Search) -> bool:
    """Whether there is machine code for the search, as soon as that is known, or when its time is over.

    Until then the search goes on, interpreted.
    """
    compilation = Compilation(search)
    search.news.wait(_least(AT_ONCE, search.seconds_left(FIRST)))
    if not compilation.ended:
        search.hire(compiled=False)
        _search_on(search, compilation, _least(LONGEST, search.seconds_left(FIRST)))
        if not (compilation.ended or search.finished):
            search.news.wait(search.seconds_left(SECOND))
        _search_on(search, compilation, None)
    if compilation.failure is not None:
        raise compilation.failure
    return compilation.succeeded


def _least(seconds: float, left: float | None) -> float:
    return seconds if left is None else min(seconds, left)


def _search_on(search: Search, compilation: Compilation, seconds: float | None) -> None:
    """Deepen for so many seconds, or until the compilation ends."""
    with search.lock:
        if compilation.ended:
            return
        search.resume()
    with deadline(seconds, search.pause):
        deepen(search, search.workers[0])
