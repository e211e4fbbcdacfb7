"""Search interpreted until the kernel is compiled, so that a report comes in time.

A cold compilation takes seconds, and a time limit does not wait for it. So another process compiles, and the search
runs interpreted until the kernel is there. A game that no other process can load is compiled in a thread. There the two
take turns, since Python runs one thread at a time and the compiler yields often. So a short interpreted search finds a
first move; then the compiler runs alone; if it is not done in time, the rest of the time limit is the interpreted
search's as well. native/background_compiler.py runs the thread, and keeps the compiler from holding Python for long.

A search without a time limit gives the same report each time, so it cannot go on compiled where it was interrupted. An
interpreted twin of it runs while the other process compiles. If the twin is finished first, its report is the answer:
compiled and interpreted searches visit the same nodes. Otherwise the compiled search starts anew.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from zermelo.game import Game
from zermelo.native.background_compiler import BackgroundCompilation
from zermelo.native.compile_process import wait_for
from zermelo.native.kernel_dispatch import Kernel
from zermelo.searching.runtime.search_threads import deadline
from zermelo.searching.runtime.tablebase_probing import original

IN_PROCESS_SECONDS = 0.03
"""Seconds in which a kernel that this process has compiled before is surely found."""

FIRST_PART, SECOND_PART = 0.1, 0.75
"""Parts of the time limit: when the first interpreted search ends, and when the second begins."""

MAX_FIRST_SECONDS, MAX_ALONE_SECONDS = 0.5, 10.0
"""Seconds that the first takes at most, and that the compiler has for itself after it."""

_compiled_kinds: WeakKeyDictionary[type[Game], set[tuple[Any, ...]]] = WeakKeyDictionary()
"""The kernels that this process has compiled, by the class of the game: for which searches, tablebases, parameters."""


class PausableSearch(Protocol):
    """What a search offers that may be interpreted while its kernel is compiled (see search_lifecycle.py)."""

    game: Game
    lock: threading.RLock
    wake: threading.Event

    @property
    def kernel(self) -> Kernel: ...
    @property
    def finished(self) -> bool: ...
    def compile(self) -> bool: ...
    def interpret(self) -> None: ...
    def search_interpreted(self) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def seconds_left(self, part: float = 1) -> float | None: ...


def compile_while_searching(search: PausableSearch) -> bool:
    """Return whether the kernel of a search compiles, once it is compiled or the time limit is over.

    Until then the search is interpreted. Raise what the compiler raises.
    """
    game_class = type(original(search.game))  # a game with a tablebase has a new class each time
    kind = (type(search), type(search.game)._probe, type(search.game).evaluate, repr(search.game))
    if kind in _compiled_kinds.get(game_class, ()):  # a thread could start late, after a short search is over
        return search.compile()
    compilation = _start(search)
    search.wake.wait(_least(IN_PROCESS_SECONDS, search.seconds_left(FIRST_PART)))
    if compilation.running:
        if not compilation.elsewhere:
            _search_beside(search, compilation, _least(MAX_FIRST_SECONDS, search.seconds_left(FIRST_PART)))
            if compilation.running and not search.finished:
                search.wake.wait(_least(MAX_ALONE_SECONDS, search.seconds_left(SECOND_PART)))
        _search_beside(search, compilation, None)
    if not compilation.result():
        return False
    _compiled_kinds.setdefault(game_class, set()).add(kind)
    return True


def search_twin(search: PausableSearch, twin: PausableSearch) -> None:
    """Run an interpreted twin of a search until it is finished or stopped; pause it when the kernel is compiled."""
    ended = threading.Event()

    def pause_when_compiled() -> None:
        game, kernel = search.game, search.kernel
        wait_for(game, kernel.name, lambda: ended.is_set() or kernel.is_cached(game))
        with twin.lock:
            if not ended.is_set():
                twin.pause()

    threading.Thread(target=pause_when_compiled, daemon=True, name="twin").start()
    try:
        with suppress(Exception):  # compiled rules raise it again, and then it is reported
            twin.search_interpreted()
    finally:
        with twin.lock:
            ended.set()


def _start(search: PausableSearch) -> BackgroundCompilation:
    """Compile the kernel of a search beside it, and pause the search at the end of that.

    The process does not exit before a thread that compiles, so that the kernel is in the cache for the next process.
    """

    def pause() -> None:
        search.pause()
        search.wake.set()

    return BackgroundCompilation(
        search.game, search.compile, kernel=search.kernel, keeps_process=True, lock=search.lock, at_end=pause
    )


def _least(seconds: float, left: float | None) -> float:
    return seconds if left is None else min(seconds, left)


def _search_beside(search: PausableSearch, compilation: BackgroundCompilation, seconds: float | None) -> None:
    """Search interpreted for some seconds, or until the compilation ends."""
    with search.lock:
        if not compilation.running:
            return
        search.resume()
    with deadline(seconds, search.pause):
        search.interpret()
