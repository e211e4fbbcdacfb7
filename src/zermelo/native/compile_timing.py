"""Measure the time spent compiling."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_timers: list[CompileTimer] = []
"""The timers that are running."""


class CompileTimer:
    """The seconds spent compiling so far, and whether the compiler runs now. Calls may nest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._depth = 0
        self._earlier = self._since = 0.0

    @property
    def busy(self) -> bool:
        return self._depth > 0

    @property
    def seconds(self) -> float:
        return self._earlier + (time.perf_counter() - self._since if self.busy else 0.0)

    def begin(self) -> None:
        """The compiler starts, perhaps inside another compilation."""
        with self._lock:
            if not self.busy:
                self._since = time.perf_counter()
            self._depth += 1

    def end(self) -> None:
        with self._lock:
            if self._depth == 1:
                self._earlier = self.seconds
            self._depth -= 1


@contextmanager
def compile_timer() -> Iterator[CompileTimer]:
    """Time the compilations of all threads while the block runs. Kernels loaded from the cache take no time."""
    timer = CompileTimer()
    _timers.append(timer)
    try:
        yield timer
    finally:
        _timers.remove(timer)


@contextmanager
def compiling() -> Iterator[None]:
    """Tell all timers that the block compiles."""
    told = list(_timers)
    for timer in told:
        timer.begin()
    try:
        yield
    finally:
        for timer in told:
            timer.end()
