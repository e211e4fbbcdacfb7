"""Parts of the successors of a stage: their runs, which threads fill, and the sorted keys that are merged from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from zermelo.game import Game
from zermelo.solving.enumeration.part_sorting import (
    DIGIT_BITS,
    collect_parts,
    drop_known,
    merge_parts,
    merge_sorted,
)
from zermelo.solving.enumeration.run_arenas import RunArenas, Target
from zermelo.solving.growing_memory import GrowingMemory
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.word_arrays import Words

PART_KEYS = 1 << 15
"""Keys of a part before repeated ones are dropped: with room to sort them, half of a second-level cache."""

PARTS_PER_THREAD, MIN_PART_KEYS = 8, 1 << 11
"""Parts of a stage for each thread, at least, so that all finish at about the same time; but none with fewer keys."""

MAX_PARTS = 1 << 12
"""More cursors than this would leave the second-level cache."""


class SuccessorParts(RunArenas):
    """The runs of all stages that are being filled, and sets of sorted keys."""

    def __init__(
        self,
        game: Game,
        words: int,
        pool: WorkerPool,
        budget: MemoryBudget,
        memories: Sequence[GrowingMemory] | None = None,
    ) -> None:
        super().__init__(game, words, pool, budget, memories)
        self.scratch = [Words.zeros(_scratch_words(PART_KEYS * words)) for _ in range(pool.threads)]

    def collect(self) -> dict[int, Any]:
        """Return the sorted keys of every stage that has some, and empty the runs."""
        found = {stage: self._merge(target) for stage, target in self.targets.items()}
        self.empty()
        return {stage: keys for stage, keys in found.items() if len(keys)}

    def _merge(self, target: Target) -> Any:
        runs, counts, first = self.runs(), Words.zeros(self.parts), target.first

        def merge(number: int, start: int, stop: int) -> int:
            return int(merge_parts(self.game, runs, start, stop, self.words, counts, self.scratch[number]))

        def collect(number: int, start: int, stop: int) -> int:
            return int(collect_parts(self.game, runs, start, stop, self.words, counts, offsets, keys))

        def needed(part: int) -> int:
            return _scratch_words(counts[part] * self.words)

        self.each_part(first, first + target.parts, merge, needed)
        offsets = Words(np.concatenate(([0], np.cumsum(counts.array))))
        keys = Words(self.budget.zeros(offsets[self.parts] * self.words))
        self.each_part(first, first + target.parts, collect, needed)
        return keys.array

    # -- sets of sorted keys -----------------------------------------------------------------------------------------

    def union(self, arrays: Sequence[Any]) -> Any:
        """Merge sorted arrays of keys into one, without repetitions."""
        arrays = [array for array in arrays if len(array)]
        if len(arrays) <= 1:
            return arrays[0] if arrays else np.zeros(0, np.int64)
        largest, words = max(arrays, key=len), self.words
        total = sum(map(len, arrays)) // words
        parts = min(max(1, total // PART_KEYS), len(largest) // words)
        edges = largest[::words][np.arange(1, parts) * (len(largest) // words) // parts]
        cuts = [np.searchsorted(array[::words], edges) for array in arrays]
        columns = [np.concatenate(([0], cut, [len(array) // words])) for cut, array in zip(cuts, arrays, strict=True)]
        bounds = Words(np.stack([np.sum(columns, axis=0), *columns], axis=1).astype(np.int64).reshape(-1))
        addresses = Words(np.array([(array.ctypes.data, len(array)) for array in arrays], np.int64).reshape(-1))
        counts, merged = Words.zeros(parts), self.budget.zeros(total * words)
        into = Words(merged)

        def merge(number: int, start: int, stop: int) -> int:
            scratch = self.scratch[number]
            return int(merge_sorted(self.game, addresses, bounds, start, stop, words, counts, into, scratch))

        self.each_part(0, parts, merge, lambda number: _scratch_words(counts[number] * words))
        end = 0
        for begin, count in zip(bounds.array[:: 1 + len(arrays)], counts.array, strict=False):
            merged[end * words : (end + count) * words] = merged[begin * words : (begin + count) * words]
            end += count
        return self.budget.shrink(merged, int(end) * words)

    def difference(self, keys: Any, known: Any) -> Any:
        """Return the sorted keys that are not among the known ones."""
        words, count = self.words, len(keys) // self.words
        copy, others = self.budget.zeros(len(keys)), Words(known)
        copy[:] = keys
        remaining = Words(copy)
        kept: list[tuple[int, int]] = []

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            kept.append((start, int(drop_known(self.game, remaining, start, stop, words, others))))
            return stop

        self.pool.parallel_for(count, job)
        left = 0
        for start, end in sorted(kept):
            copy[left * words : (left + end - start) * words] = copy[start * words : end * words]
            left += end - start
        return self.budget.shrink(copy, left * words)


def _scratch_words(keys: int) -> int:
    """Return the words that sorting takes: counters, and room for these words of keys twice."""
    return (1 << DIGIT_BITS) + 2 * keys


def splitters_of(sample: Any, words: int, keys: int, threads: int = 1) -> Any:
    """Return the first words at which parts begin, for about `keys` keys distributed as a sample is."""
    firsts = sample[::words]
    even = min(PARTS_PER_THREAD * threads, keys // MIN_PART_KEYS)
    parts = min(MAX_PARTS, max(keys // PART_KEYS, even) + 1, len(firsts))
    return np.unique(firsts[np.arange(1, parts) * len(firsts) // max(parts, 1)])
