"""Progress of a solve: its phase, how far it is, and how many states it has found and solved."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.solving.estimation.size_estimate import Estimate
    from zermelo.solving.memory_budget import MemoryBudget

RATE_WINDOW = 10.0
"""Seconds from which the rate is computed."""

REPORT_INTERVAL = 0.1
"""Seconds between two calls of the listener."""


@dataclass
class Progress:
    """Counters of a solve, and a `listener` that is called a few times a second."""

    listener: Callable[[Progress], None] | None = None
    phase: str = ""
    """'forward', 'backward', 'writing', 'finding' (states once more, to compare them) or 'verifying'; before
    all of them, 'estimating' (whether it fits)."""
    enumeration_phase: str = "forward"
    """The phase that enumeration reports."""
    stage: int = 0
    done: int = 0
    """States of the stage that are finished, of `total`."""
    total: int = 0
    states: int = 0
    """States found so far."""
    solved: int = 0
    expected: int | None = None
    """States in all: an estimate until all are found, then their number; None if there is no estimate."""
    passes: int = 1
    """How often each state is handled: twice where states are found first and solved then."""
    sweeps: int = 0
    """How often the bounds of the stage were tightened, in a game of chance that can repeat."""
    gap: float | None = None
    """How far apart they are at most; None in other games."""
    estimate: Estimate | None = None
    """What the solve is expected to take, if that was estimated."""
    budget: MemoryBudget | None = field(default=None, repr=False)
    started: float = field(default_factory=time.perf_counter)
    _last_report: float = 0.0
    _history: deque[tuple[float, int]] = field(default_factory=deque, repr=False)

    def expect(self, states: int, estimate: Estimate | None = None) -> None:
        """Set the number of states that the estimate promises."""
        self.expected, self.estimate = states, estimate

    def begin(self, phase: str, stage: int, total: int) -> None:
        if phase == "forward":
            self.passes = 2
        elif phase == "backward" and self.states:
            self.expected = self.states
        if (phase, stage) != (self.phase, self.stage):
            self.sweeps, self.gap = 0, None
        self.phase, self.stage, self.done, self.total = phase, stage, 0, total
        self.report()

    def swept(self, gap: float) -> None:
        """Note that the bounds of the stage were tightened once more, and how far apart they are."""
        self.sweeps, self.gap = self.sweeps + 1, gap

    def advance(self, count: int) -> None:
        self.done += count
        if time.perf_counter() - self._last_report > REPORT_INTERVAL:
            self.report()

    def report(self) -> None:
        self._last_report = time.perf_counter()
        self._history.append((self._last_report, self.handled))
        while self._history[0][0] < self._last_report - RATE_WINDOW:
            self._history.popleft()
        if self.listener is not None:
            self.listener(self)

    @property
    def handled(self) -> int:
        """States handled so far, counted once in each pass."""
        return self.states + (self.solved if self.phase != "forward" else self.done)

    @property
    def memory(self) -> int:
        """Bytes of memory in use for states."""
        return 0 if self.budget is None else self.budget.in_memory

    @property
    def disk(self) -> int:
        """Bytes of disk in use: scratch files, and what is kept for the next process."""
        return 0 if self.budget is None else self.budget.on_disk + self.budget.in_checkpoint

    @property
    def rate(self) -> float:
        """States handled a second, over the last RATE_WINDOW seconds; 0.0 as long as nothing is known."""
        if not self._history or self._history[-1][0] == self._history[0][0]:
            return 0.0
        (first, before), (last, after) = self._history[0], self._history[-1]
        return max(after - before, 0) / (last - first)

    @property
    def seconds_left(self) -> float | None:
        """Seconds that the rest of both passes takes at this rate; None as long as nothing is known."""
        if self.expected is None or self.rate == 0:
            return None
        return max(self.passes * max(self.expected, self.states) - self.handled, 0) / self.rate

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started
