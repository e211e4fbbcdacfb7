"""Progress of a solve: its phase, how far it is, and how many states it has found and solved."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

REPORT_INTERVAL = 0.1
"""Seconds between two calls of the listener."""


@dataclass
class Progress:
    """Counters of a solve, and a `listener` that is called a few times a second."""

    listener: Callable[[Progress], None] | None = None
    phase: str = ""
    """'forward', 'backward', 'writing', 'finding' (states once more, to compare them) or 'verifying'; before an
    interpreted solve, 'estimating' (whether it fits)."""
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
    """States in all: an estimate until they are found, None if there is none."""
    started: float = field(default_factory=time.perf_counter)
    _last_report: float = 0.0

    def expect(self, states: int) -> None:
        """Set the number of states that the estimate promises."""
        self.expected = states

    def begin(self, phase: str, stage: int, total: int) -> None:
        self.phase, self.stage, self.done, self.total = phase, stage, 0, total
        self.report()

    def advance(self, count: int) -> None:
        self.done += count
        if time.perf_counter() - self._last_report > REPORT_INTERVAL:
            self.report()

    def report(self) -> None:
        self._last_report = time.perf_counter()
        if self.listener is not None:
            self.listener(self)

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started
