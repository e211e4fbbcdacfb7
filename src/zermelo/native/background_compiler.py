"""Compiling in the background, beside threads that must not be late.

Python runs one thread at a time. The compiler hands Python over when it is asked to, but only after 5 ms, once for
every step of those who wait; and a full collection of its hundred thousands of objects, of which hardly any is garbage,
stopped everybody for 0.1 s, several times. So it is asked more often, and nothing is collected until it is done, which
took 40 MB for Connect Four and 70 MB for chess.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERVAL = 0.0005
"""Seconds after which the compiler hands Python over to a thread that waits for it."""

_lock = threading.Lock()
_under_way = 0
_before = (0.005, True)


@contextmanager
def background_compilation() -> Iterator[None]:
    """Have the compiler hold nobody up as long as the block lasts, in any number of threads."""
    _begin()
    try:
        yield
    finally:
        _end()


def _begin() -> None:
    global _under_way, _before
    with _lock:
        if not _under_way:
            _before = sys.getswitchinterval(), gc.isenabled()
            sys.setswitchinterval(min(INTERVAL, _before[0]))
            gc.disable()
        _under_way += 1


def _end() -> None:
    global _under_way
    with _lock:
        _under_way -= 1
        if not _under_way:
            interval, collecting = _before
            sys.setswitchinterval(interval)
            if not gc.get_freeze_count():  # or what somebody else froze would thaw
                gc.freeze()  # what is left of the compiler becomes old at once: the first collection, of all that is
                gc.unfreeze()  # young, would take as long as those that were spared
            if collecting:
                gc.enable()
