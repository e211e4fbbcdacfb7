"""Limit: how far a search may go."""

from __future__ import annotations

import math
from dataclasses import dataclass

MOST_THREADS = 1024
"""Threads that anything is done with at once: more than a machine has cores, and fewer than a system refuses."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The first of these that is reached ends a search; None means no limit.

    >>> Limit(seconds=1, depth=8)
    Limit(seconds=1, depth=8, nodes=None)
    """

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        _positive("seconds", self.seconds, whole=False)
        _positive("depth", self.depth, whole=True)
        _positive("nodes", self.nodes, whole=True)

    @property
    def unlimited(self) -> bool:
        return self.seconds is None and self.depth is None and self.nodes is None


def _positive(name: str, amount: float | None, *, whole: bool) -> None:
    if amount is None:
        return
    kinds = int if whole else (int, float)
    if isinstance(amount, bool) or not isinstance(amount, kinds) or not math.isfinite(amount) or amount <= 0:
        kind = "a whole number" if whole else "a number"
        raise ValueError(f"Limit({name}={amount!r}): {name} must be {kind} above zero, or None for no limit.")
