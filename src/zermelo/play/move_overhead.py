"""What a move costs beyond its search: starting it, ending it, pipes, a GUI, a machine with other work to do.

It is measured, since it is half a millisecond in one program and fifty on a busy machine with a graphical board: by how
much the clock has lost between two moves more than the search was meant to take. Mean and deviation are estimated as
the round trip of a network packet is (V. Jacobson, Congestion Avoidance and Control, 1988).

On a machine with many more programs than cores a process that has used its share now and then waits for a tenth of a
second or more. No mean foretells that, so the worst of the recent moves is kept in reserve.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from zermelo.play.clock import MOVE_OVERHEAD, OVERHEAD_DEVIATION, Clock

MEAN_RATE = DEVIATION_RATE = 0.25
"""How much of a new measurement enters the mean and the deviation."""

WORST_DECAY = 0.99
"""What is left of the worst overhead after each move: half of it after 69 moves, a long game."""

MOST = 1.0
"""Seconds above which no overhead is believed: somebody has stopped the program, or set the clock."""


def crowding() -> float:
    """How many programs want each core of the processor now, and 1 at least: what the first moves have to expect."""
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):  # not on this system
        return 1.0
    return max(load / (os.cpu_count() or 1), 1.0)


class _Planned(NamedTuple):
    """A move that was searched on a clock: its ply, what the clock showed, and what the search was meant to take."""

    ply: int
    left: float
    search: float


class MoveOverhead:
    """The overhead of one engine's moves.

    >>> overhead, clock = MoveOverhead(), Clock(60, 1)
    >>> for ply in range(0, 80, 2):
    ...     overhead.prepare(clock, ply)
    ...     overhead.planned(clock, ply, 1.0)
    ...     clock.spend(1.0 + 0.004)
    >>> round(overhead.mean, 3), round(overhead.deviation, 3)
    (0.004, 0.0)
    """

    def __init__(self) -> None:
        factor = crowding()
        self.mean, self.deviation, self.worst = MOVE_OVERHEAD * factor, OVERHEAD_DEVIATION * factor, 0.0
        self._last: _Planned | None = None

    def prepare(self, clock: Clock, ply: int) -> None:
        """Measure the last move by what the clock shows before the next one, and give the clock the estimate."""
        last, self._last = self._last, None
        if last is not None and ply == last.ply + 2:
            self._note(last.left + clock.increment - clock.left - last.search)
        clock.overhead, clock.overhead_deviation, clock.worst_overhead = self.mean, self.deviation, self.worst

    def planned(self, clock: Clock, ply: int, search: float) -> None:
        """Remember what a search is meant to take; `clock` shows the time before it."""
        self._last = _Planned(ply, clock.left, search)

    def _note(self, seconds: float) -> None:
        if not 0 <= seconds <= MOST:  # a new time control, or another game
            return
        self.worst = max(seconds, WORST_DECAY * self.worst)
        error = seconds - self.mean
        self.mean += MEAN_RATE * error
        self.deviation += DEVIATION_RATE * (abs(error) - self.deviation)
