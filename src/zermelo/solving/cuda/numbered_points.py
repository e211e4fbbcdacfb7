"""A stage whose states a rule numbers, in a game of points, solved on a GPU."""

from __future__ import annotations

from collections import Counter

import numpy as np

from zermelo.native.device.device_platform import arrays, to_host
from zermelo.solving.cuda.numbered_kernels import CHANGED, INNER
from zermelo.solving.cuda.numbered_stage import CHUNK, LAUNCH, CannotSolve, NumberedStage
from zermelo.solving.cuda.point_kernels import count_orbits, value_number


class PointsStage(NumberedStage):
    """One stage, of points. Its codes are int32."""

    def allocate(self) -> None:
        self.codes = arrays().zeros(self.size, np.int32)

    def _initialise(self) -> None:
        self.facts[:] = 0
        self.leads[:] = 0
        self._visit(0)

    def _visit(self, sweeps: int) -> None:
        for first in range(0, self.size, LAUNCH):
            self.device.run(
                value_number, min(self.size - first, LAUNCH), first, self.stage, self.size, sweeps, self.later,
                self.bounds, self.leads, self.codes, self.facts,
            )  # fmt: skip
        self._check()

    def finish(self) -> None:
        """Sweep until nothing changes. Raise CannotSolve where no move may stay in the stage: the CPU says so."""
        if self._told()[INNER]:
            if not self.game.loops:
                raise CannotSolve
            self.facts[CHANGED] = 1
            while self._told()[CHANGED]:
                self.facts[CHANGED] = 0
                self._visit(1)
        arrays().abs(self.codes, out=self.codes)

    def counts_by_entry(self) -> list[tuple[int, int, int]]:
        """Return rows (code, states, positions)."""
        states: Counter[int] = Counter()
        positions: Counter[int] = Counter()
        for first in range(0, self.size, CHUNK):
            here = self.codes[first : first + CHUNK]
            orbits = arrays().zeros(len(here), np.int64)
            self.device.run(count_orbits, len(here), first, self.stage, self.codes, orbits)
            found, sizes = to_host(here), to_host(orbits)
            found, sizes = found[found > 0], sizes[found > 0]
            if len(found):
                low = int(found.min())
                numbers, weights = np.bincount(found - low), np.bincount(found - low, sizes)
                for each in np.flatnonzero(numbers):
                    states[low + int(each)] += int(numbers[each])
                    positions[low + int(each)] += int(weights[each])
        return [(code, states[code], positions[code]) for code in sorted(states)]
