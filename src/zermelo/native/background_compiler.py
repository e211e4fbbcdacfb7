"""Compile in a background thread without delaying the other threads: `BackgroundCompilation`.

Python runs one thread at a time. The compiler releases the interpreter lock on request, but only after the switch
interval of 5 ms, and other threads wait that long at each of their steps. A full garbage collection of the compiler's
hundreds of thousands of objects, hardly any of them garbage, stopped every thread for 0.1 s, several times. So the
switch interval is shorter while the compiler runs, and garbage collection is off. That cost 40 MB of memory for
Connect Four and 70 MB for chess.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from zermelo.game import Game

if TYPE_CHECKING:
    from zermelo.native.kernel_dispatch import Kernel

THREAD_PREFIX = "compiling "
"""How the names of threads that compile begin."""

SWITCH_INTERVAL = 0.0005
"""Seconds until the compiler releases the interpreter lock to a waiting thread."""

_lock = threading.Lock()
_active = 0
_settings_before = (0.005, True)


class BackgroundCompilation:
    """A compilation in a thread of its own: `compile` says whether the rules compile, and `error` is what it raised.

    With a linked `kernel`, another process compiles it into the disk cache, if it can load the game; it does not end
    with this one. Otherwise, with `keeps_process`, this process does not exit before the thread, so that the kernel
    gets there.
    `at_end` is called in the thread, with `lock` held, before `running` becomes False.
    """

    def __init__(
        self,
        game: Game,
        compile: Callable[[], object],
        *,
        kernel: Kernel | None = None,
        keeps_process: bool = False,
        lock: threading.RLock | None = None,
        at_end: Callable[[], None] = lambda: None,
    ) -> None:
        self.running = True
        self.error: BaseException | None = None
        self._game, self._kernel = game, kernel
        self.cached = False
        """Whether the kernel is only loaded from the cache."""
        self.elsewhere = kernel is not None and self._start_elsewhere(kernel)
        self._compile = compile
        self._compiled = False
        self._lock = lock or threading.RLock()
        self._at_end = at_end
        daemon = self.elsewhere or not keeps_process
        self.thread = threading.Thread(target=self._run, name=f"{THREAD_PREFIX}{game!r}", daemon=daemon)
        self.thread.start()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the compilation ends, or for some seconds."""
        self.thread.join(seconds)

    def result(self) -> bool:
        """Return whether the rules compile; False while the compilation runs. Raise what it raised."""
        if self.error is not None:
            raise self.error
        return self._compiled

    def _run(self) -> None:
        try:
            if self.elsewhere and self._kernel is not None:
                from zermelo.native.compile_process import wait_for

                wait_for(self._game, self._kernel.name)
            with responsive_compilation():
                self._compiled = bool(self._compile())
        except BaseException as error:
            self.error = error
        with self._lock:
            self._at_end()
            self.running = False

    def _start_elsewhere(self, kernel: Kernel) -> bool:
        """Have another process compile the kernel; return False if that is not possible or not needed."""
        from zermelo.native.compilability import known_error
        from zermelo.native.compile_process import start_compiling

        if not kernel.is_linked or known_error(self._game):
            return False
        self.cached = kernel.is_cached(self._game)
        return not self.cached and start_compiling(self._game, [kernel.name])


def compiling_threads() -> list[threading.Thread]:
    """The threads that compile and that the process waits for."""
    return [each for each in threading.enumerate() if each.name.startswith(THREAD_PREFIX) and not each.daemon]


@contextmanager
def responsive_compilation() -> Iterator[None]:
    """Keep other threads responsive while the block compiles. Several threads may be inside at once."""
    _begin()
    try:
        yield
    finally:
        _end()


def _begin() -> None:
    global _active, _settings_before
    with _lock:
        if not _active:
            _settings_before = sys.getswitchinterval(), gc.isenabled()
            sys.setswitchinterval(min(SWITCH_INTERVAL, _settings_before[0]))
            gc.disable()
        _active += 1


def _end() -> None:
    global _active
    with _lock:
        _active -= 1
        if not _active:
            interval, collecting = _settings_before
            sys.setswitchinterval(interval)
            if not gc.get_freeze_count():  # unfreezing would also thaw objects that other code froze
                gc.freeze()  # move the compiler's objects to the oldest generation: the next collection of the young
                gc.unfreeze()  # would otherwise take as long as the collections that were left out
            if collecting:
                gc.enable()
