"""Meanwhile: an answer in time, though the machine code is still being made.

A cold compilation takes seconds, and a clock that was set does not wait. So it goes on in a thread, and the search
begins interpreted. They had better take turns, since Python runs one thread at a time and the compiler lets go of it
often: Connect Four took 5.5 s to compile alone and 26 s beside an interpreted search. So a short search leaves an
answer, then the compiler has the time to itself, and when that runs out too the rest of it goes into the answer.
native/background_compiler.py sees to it that the compiler does not hold Python for long when the time is over.
"""

from __future__ import annotations

import threading
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from zermelo.game import Game
from zermelo.native.background_compiler import responsive_compilation
from zermelo.searching.runtime.search_threads import deadline
from zermelo.searching.runtime.tablebase_probing import original

AT_ONCE = 0.03
"""Seconds in which machine code that the process already has is surely found."""

FIRST, SECOND = 0.1, 0.75
"""Parts of the time: when the first interpreted search ends, and when the second begins."""

LONGEST = 0.5
"""Seconds that the first takes at most."""

COMPILING = "compiling "
"""How the names of threads begin that make machine code which a search no longer waits for."""


_at_hand: WeakKeyDictionary[type[Game], set[tuple[Any, ...]]] = WeakKeyDictionary()
"""The machine code that this process has, by the class of a game: for which searches, databases and parameters."""


class Hurried(Protocol):
    """A search whose clock runs though it may not have machine code yet."""

    game: Game
    lock: threading.RLock
    news: threading.Event
    """Set once there is something else to do: the search was stopped, or the compiler has finished."""

    @property
    def finished(self) -> bool: ...
    def ready(self) -> bool: ...
    def interpret(self) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def seconds_left(self, part: float = 1) -> float | None: ...


class Compilation:
    """Machine code for a search, made in the background; the search is paused when it is there.

    The thread is no daemon: a process that has its answer stays until the code is in the cache, for the next one.
    """

    def __init__(self, search: Hurried) -> None:
        self.search = search
        self.ended = self.succeeded = False
        self.failure: BaseException | None = None
        threading.Thread(target=self._run, name=f"{COMPILING}{search.game!r}", daemon=False).start()

    def _run(self) -> None:
        try:
            with responsive_compilation():
                self.succeeded = self.search.ready()
        except BaseException as error:
            self.failure = error
        with self.search.lock:
            self.search.pause()  # before anybody can see that it has ended, and resume
            self.ended = True
        self.search.news.set()


def compiled_meanwhile(search: Hurried) -> bool:
    """Whether there is machine code for the search, as soon as that is known, or when its time is over.

    Until then the search goes on, interpreted.
    """
    author = type(original(search.game))  # that of a game which was lent a database is another one each time
    kind = (type(search), type(search.game)._probe, repr(search.game))
    if kind in _at_hand.get(author, ()):  # a thread could be late, and a short search over before it
        return search.ready()
    compilation = Compilation(search)
    search.news.wait(_least(AT_ONCE, search.seconds_left(FIRST)))
    if not compilation.ended:
        _search_on(search, compilation, _least(LONGEST, search.seconds_left(FIRST)))
        if not (compilation.ended or search.finished):
            search.news.wait(search.seconds_left(SECOND))
        _search_on(search, compilation, None)
    if compilation.failure is not None:
        raise compilation.failure
    if compilation.succeeded:
        _at_hand.setdefault(author, set()).add(kind)
    return compilation.succeeded


def _least(seconds: float, left: float | None) -> float:
    return seconds if left is None else min(seconds, left)


def _search_on(search: Hurried, compilation: Compilation, seconds: float | None) -> None:
    """Go on interpreted for so many seconds, or until the compilation ends."""
    with search.lock:
        if compilation.ended:
            return
        search.resume()
    with deadline(seconds, search.pause):
        search.interpret()
