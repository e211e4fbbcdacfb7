"""The pace of a pass: how many states of a long stage are a part, after which what was found is kept."""

from __future__ import annotations

import time
from collections.abc import Iterator

PART_SECONDS = 20.0
"""Seconds of work that a kill may cost, about."""

MIN_PART = 1 << 22
"""States of a part, at least: smaller ones take longer to keep than to find again."""

ALIGNMENT = 64
"""Parts begin at multiples of this, so that entries of different parts are in different words."""


class Pace:
    """The rate at which states were handled so far."""

    def __init__(self) -> None:
        self.rate = 0.0
        """States a second; 0 before any were handled, so that the first part of a process is a small one."""

    def stops(self, start: int, count: int, in_parts: bool) -> Iterator[int]:
        """Yield where each part of a stage ends, from the state `start` on; the last one at `count`.

        The caller handles the states of a part before it asks for the next one.
        """
        while start < count:
            left = count - start
            size = max(MIN_PART, int(self.rate * PART_SECONDS)) if in_parts else left
            stop = start + -(-left // -(-left // size))
            stop = min(count, -(-stop // ALIGNMENT) * ALIGNMENT)
            began = time.monotonic()
            yield stop
            self.rate = (stop - start) / max(1e-6, time.monotonic() - began)
            start = stop
