"""What a solver tells whoever waits: what it is doing, how far it is, how fast, and how much memory it takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Progress:
    """Counters that a solver keeps, and `listener`, which is called a few times a second."""

    listener: Callable[[Progress], None] | None = None
    phase: str = ""
    """'forward', 'backward', 'writing', 'finding' (states once more, to compare them) or 'verifying'."""
    finding: str = "forward"
    """What it is called when states are found."""
    stage: int = 0
    done: int = 0
    """States of the stage that have been dealt with, of `total`."""
    total: int = 0
    states: int = 0
    """States found so far."""
    solved: int = 0
    started: float = field(default_factory=time.perf_counter)
    _told: float = 0.0

    def begin(self, phase: str, stage: int, total: int) -> None:
        self.phase, self.stage, self.done, self.total = phase, stage, 0, total
        self.tell()

    def advance(self, count: int) -> None:
        self.done += count
        if time.perf_counter() - self._told > 0.1:
            self.tell()

    def tell(self) -> None:
        self._told = time.perf_counter()
        if self.listener is not None:
            self.listener(self)

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started
