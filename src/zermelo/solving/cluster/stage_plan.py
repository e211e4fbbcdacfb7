"""The parts of a stage: which range of keys each has, and where its states come from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

LARGE_PART = 1 << 21
"""Keys of a part, before repeated ones are dropped. Small stages have fewer. A task takes seconds and 200 MB."""

SMALL_PART = 1 << 15
"""Keys below which a stage is not divided any further for the sake of more workers."""

MAX_STAGE_PARTS = 1 << 12
"""Parts of a stage: each part reads from each part before it, so their number counts twice."""

QUANTILES = 256
"""Keys of a run, evenly spaced, from which the parts of the next stage are chosen."""

SEED = "seed"
"""The run that has the initial state."""


@dataclass(frozen=True)
class StagePlan:
    """The parts of a stage. Part i has the keys whose first word is from `splitters[i - 1]` to below `splitters[i]`."""

    stage: int
    splitters: tuple[int, ...]
    sources: tuple[str, ...]
    """The runs that lead to this stage, by the names of their parts."""

    @property
    def parts(self) -> int:
        return len(self.splitters) + 1

    def bounds(self, part: int) -> tuple[int | None, int | None]:
        """Return the least first word of a part, and that of the next one; None where there is no bound."""
        low = self.splitters[part - 1] if part else None
        return low, self.splitters[part] if part < len(self.splitters) else None

    def counts(self, firsts: Any) -> list[int]:
        """Return how many of some sorted first words belong to each part."""
        cuts = [0, *np.searchsorted(firsts, self.splitters).tolist(), len(firsts)]
        return [after - before for before, after in pairwise(cuts)]

    def to_dict(self) -> dict[str, Any]:
        return {"stage": self.stage, "splitters": list(self.splitters), "sources": list(self.sources)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> StagePlan:
        return cls(int(data["stage"]), tuple(map(int, data["splitters"])), tuple(map(str, data["sources"])))


@dataclass(frozen=True)
class Run:
    """Successors of one part in one stage: the name of their source, their number, and evenly spaced first words."""

    source: str
    keys: int
    quantiles: Sequence[int]


def quantiles_of(keys: Any, words: int) -> list[int]:
    """Return first words of sorted keys, evenly spaced."""
    firsts = keys[::words]
    count = min(QUANTILES, len(firsts))
    return [int(first) for first in firsts[(np.arange(count) * 2 + 1) * len(firsts) // (2 * max(count, 1))]]


def plan_stage(stage: int, runs: Iterable[Run], workers: int, divisible: bool) -> StagePlan:
    """Divide a stage into parts of about as many keys each, for a number of workers.

    >>> plan_stage(3, [Run("0-0", 1 << 17, range(0, 512, 4))], 2, True).splitters
    (256,)
    """
    runs = sorted(runs, key=lambda run: run.source)
    sources = tuple(run.source for run in runs)
    total = sum(run.keys for run in runs)
    parts = _part_count(total, workers) if divisible else 1
    points = sorted((first, run.keys / len(run.quantiles)) for run in runs for first in run.quantiles)
    sums = np.cumsum([weight for _, weight in points])
    cuts = [bisect_right(sums, total * part / parts) for part in range(1, parts)]
    splitters = sorted({points[cut][0] for cut in cuts if 0 < cut < len(points)} - {points[0][0]})
    return StagePlan(stage, tuple(splitters), sources)


def _part_count(keys: int, workers: int) -> int:
    """Return the number of parts: a multiple of the workers where there is enough for all of them."""
    large = -(-keys // LARGE_PART)
    if large < workers:
        return max(1, min(workers, keys // SMALL_PART))
    return min(MAX_STAGE_PARTS, -(-large // workers) * workers)
