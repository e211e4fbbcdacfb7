"""The work of a stage: the arrays of codes, counts and links that kernels share while the stage is being solved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.retrograde.entries import DECIDED, drop_distances, write_entries
from zermelo.solving.retrograde.narrow_numbers import CODES, COUNTS, WORK_SIZE, reached_flag, undecided_from
from zermelo.word_arrays import Words

if TYPE_CHECKING:
    from zermelo.solving.retrograde.worker_pool import WorkerPool

NUMBER_TYPES = {8: "uint8", 16: "uint16", 32: "int32"}


class StageWork:
    """The codes, counts and links of a stage of `slots` numbers. Kernels get `words`; `arrays` keeps them alive."""

    def __init__(self, slots: int, budget: MemoryBudget | None = None) -> None:
        self.slots = slots
        self.budget = budget or MemoryBudget()
        self.words = Words.zeros(WORK_SIZE)
        self.arrays: dict[int, Any] = {}
        self.allocate(CODES, slots, 8)
        self.allocate(COUNTS, 0, 8)

    def allocate(self, part: int, count: int, width: int) -> Any:
        """Return a new array of numbers for one part, all zero; the former one is dropped."""
        self.arrays.pop(part, None)
        self._set(part, self.budget.zeros(-(-count * width // 64)), width)
        return self.numbers(part)[:count]

    def release(self, part: int) -> None:
        """Drop a part."""
        self._set(part, np.zeros(0, np.int64), self.words[part + 2])

    def _set(self, part: int, array: Any, width: int) -> None:
        self.arrays[part] = array
        self.words[part], self.words[part + 1] = int(array.ctypes.data), len(array)
        if part in (CODES, COUNTS):
            self.words[part + 2] = width

    def width(self, part: int) -> int:
        """The bits of a code or a count."""
        return self.words[part + 2]

    def numbers(self, part: int) -> Any:
        """The numbers of a part, as an array."""
        kind = NUMBER_TYPES[self.width(part)] if part in (CODES, COUNTS) else "int32"
        return self.arrays[part].view(kind)

    @property
    def codes(self) -> Any:
        return self.numbers(CODES)[: self.slots]

    @property
    def counts(self) -> Any:
        return self.numbers(COUNTS)[: self.slots]

    def widen(self, part: int, pool: WorkerPool) -> None:
        """Double the width of the codes or the counts."""
        before, narrower = self.numbers(part), self.width(part)
        after = self.allocate(part, self.slots, 2 * narrower)
        if part == CODES:
            first, rise = undecided_from(narrower), undecided_from(2 * narrower) - undecided_from(narrower)
        else:
            first, rise = reached_flag(narrower), reached_flag(2 * narrower) - reached_flag(narrower)

        def job(start: int, stop: int) -> None:
            after[start:stop] = before[start:stop]
            after[start:stop][before[start:stop] >= first] += rise

        pool.for_slices(self.slots, job)

    def packed(self, width: int, pool: WorkerPool) -> Any:
        """Return the codes, all of which are entries, packed into words; in two bits without distances."""
        if width == self.width(CODES):
            return self.arrays[CODES]
        return packed_codes(self.codes, width, pool, self.budget)


def packed_codes(codes: Any, width: int, pool: WorkerPool, budget: MemoryBudget) -> Any:
    """Return codes, all of which are entries, packed into words; in two bits without distances."""
    words = budget.zeros(-(-len(codes) * width // 64))

    def job(start: int, stop: int) -> None:
        part = codes[start:stop]
        write_entries(words, start, drop_distances(part) if width == 2 else part, width)

    pool.for_slices(len(codes), job)
    return words


def greatest_code(pool: WorkerPool, codes: Any) -> int:
    """Return the greatest of some codes; 0 if there are none."""
    found: list[int] = []
    pool.for_slices(len(codes), lambda start, stop: found.append(int(codes[start:stop].max())))
    return max(found, default=0)


def longest_decision(pool: WorkerPool, work: StageWork) -> int:
    """Return the greatest number of plies in which a state of the stage is decided so far; -1 if none is."""
    codes, open_from = work.codes, undecided_from(work.width(CODES))
    found: list[int] = []

    def job(start: int, stop: int) -> None:
        part = codes[start:stop]
        found.append(int(part[part < open_from].max(initial=0)))

    pool.for_slices(len(codes), job)
    return max(found, default=0) - DECIDED >> 1
