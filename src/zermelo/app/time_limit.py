"""The time limit of a command counts from the start of its process, as far as starting takes longer than usual.

On a busy machine Python alone takes seconds to start, and a command that is given one second should not take four.
Where nothing says when the process was started, as in a program that runs commands, limits count from the search.
"""

from __future__ import annotations

import time
from dataclasses import replace

from zermelo.limits import Limit

USUAL_START = 0.3
"""Seconds that a start takes on an idle machine. The limit does not include them."""

LEAST_SHARE = 0.5
"""The part of its time that a search has at least, however long the start took."""

_started: float | None = None
"""When the process was started, by time.monotonic()."""


def count_from(moment: float) -> None:
    """Let the limits of this process count from a moment, by time.monotonic()."""
    global _started
    _started = moment


def from_start(limit: Limit) -> Limit:
    """Return what is left of a limit now, after a slow start.

    >>> from_start(Limit(seconds=1, depth=8))
    Limit(seconds=1, depth=8, nodes=None)
    """
    if _started is None or limit.seconds is None:
        return limit
    late = max(0.0, time.monotonic() - _started - USUAL_START)
    return replace(limit, seconds=max(limit.seconds - late, limit.seconds * LEAST_SHARE))
