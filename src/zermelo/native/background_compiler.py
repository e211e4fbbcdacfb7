"""Compile in a background thread without delaying the other threads.

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
from collections.abc import Iterator
from contextlib import contextmanager

SWITCH_INTERVAL = 0.0005
"""Seconds until the compiler releases the interpreter lock to a waiting thread."""

_lock = threading.Lock()
_active = 0
_settings_before = (0.005, True)


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
