"""Parts of the successors of a stage: their runs, which threads fill, and the sorted keys that are merged from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from zermelo.game import Game
from zermelo.solving.enumeration.part_runs import (
    ARENA_START,
    BLOCK_KEYS,
    CURSORS,
    DIGIT_BITS,
    FIRST_TARGET,
    INDEX,
    KEY_SHIFT,
    LEAST_KEY,
    SPLITTERS,
    TARGET_COUNT,
    TARGET_TABLE,
    collect_parts,
    drop_known,
    merge_parts,
    merge_sorted,
)
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.retrograde.solver_memory import MAX_MOVES
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.word_arrays import Words

PART_KEYS = 1 << 15
"""Keys of a part before repeated ones are dropped: with room to sort them, half of a second-level cache."""

MAX_PARTS = 1 << 12
"""More cursors than this would leave the second-level cache."""

ARENA_SHARE = 0.5
"""The part of the memory that is left which arenas may take."""

INDEX_BITS = 14
"""Leading bits of a key by which its part is looked up."""


class Target:
    """The parts of one stage, and for each thread its cursors."""

    def __init__(self, splitters: Any, threads: int) -> None:
        self.parts = len(splitters) + 1
        self.splitters = np.append(splitters, 0)  # an address even where there is none
        least = int(splitters[0]) if len(splitters) else 0
        span = int(splitters[-1]) - least if len(splitters) else 0
        self.shift = max(0, span.bit_length() - INDEX_BITS)
        edges = least + (np.arange((span >> self.shift) + 2, dtype=np.int64) << self.shift)
        self.index = np.append(np.searchsorted(splitters, edges, "left"), len(splitters)).astype(np.int64)
        self.index[0] = 0
        self.least = least
        self.cursors = [self._thread_target() for _ in range(threads)]

    def _thread_target(self) -> Words:
        target = Words.zeros(CURSORS + 2 * self.parts)
        target[LEAST_KEY], target[KEY_SHIFT] = self.least, self.shift
        for at, array in ((INDEX, self.index), (SPLITTERS, self.splitters)):
            target[at], target[at + 1] = int(array.ctypes.data), len(array)
        return target


class SuccessorParts:
    """The runs of all stages that are being filled, in one arena for each thread."""

    def __init__(self, game: Game, words: int, pool: WorkerPool, budget: MemoryBudget) -> None:
        self.budget = budget
        self.game = game
        self.words = words
        self.pool = pool
        self.targets: dict[int, Target] = {}
        self.arenas = [Words.zeros(ARENA_START) for _ in range(pool.threads)]
        self.tables = [Words.zeros(TARGET_TABLE) for _ in range(pool.threads)]
        self.scratch = [Words.zeros(_scratch_words(PART_KEYS * words)) for _ in range(pool.threads)]

    def reserve(self, keys: int) -> None:
        """Make room in the arenas for so many keys in all, or fewer, and for the blocks that parts have begun.

        Arenas take no more than a part of the memory that is left. When they are full, what they hold is merged. There
        is always room for the successors of one state, each in a part of its own.
        """
        block = 1 + BLOCK_KEYS * self.words
        begun = sum(target.parts for target in self.targets.values()) + 1
        free = self.budget.left + sum(map(_bytes, self.arenas))
        allowed = int(ARENA_SHARE * free) // (8 * block * self.pool.threads)
        least = self.pool.memories[0][MAX_MOVES]
        blocks = max(least, begun + min(keys // (BLOCK_KEYS * self.pool.threads) + 1, allowed - begun))
        if len(self.arenas[0]) < (size := ARENA_START + block * blocks):
            self.arenas = [Words.zeros(ARENA_START) for _ in self.arenas]  # drop the old ones first
            self.arenas = [Words(self.budget.zeros(size)) for _ in self.arenas]
        self._empty()

    def open(self, stage: int, splitters: Any) -> None:
        """Add a stage, whose parts begin at the splitters."""
        self.targets[stage] = Target(splitters, self.pool.threads)
        first, last = min(self.targets), max(self.targets)
        for number in range(self.pool.threads):
            table = Words.zeros(TARGET_TABLE + 2 * (last - first + 1))
            table[FIRST_TARGET], table[TARGET_COUNT] = first, last - first + 1
            for each, target in self.targets.items():
                at = TARGET_TABLE + 2 * (each - first)
                table[at], table[at + 1] = target.cursors[number].address, len(target.cursors[number])
            self.tables[number] = table

    def close(self) -> None:
        """Remove all stages."""
        self.targets.clear()
        self.tables = [Words.zeros(TARGET_TABLE) for _ in self.tables]
        self._empty()

    def _empty(self) -> None:
        for arena in self.arenas:
            arena[0] = ARENA_START
        for target in self.targets.values():
            for cursors in target.cursors:
                cursors.array[CURSORS:] = 0

    def collect(self) -> dict[int, Any]:
        """Return the sorted keys of every stage that has some, and empty the runs."""
        found = {stage: self._merge(target) for stage, target in self.targets.items()}
        self._empty()
        return {stage: keys for stage, keys in found.items() if len(keys)}

    def _merge(self, target: Target) -> Any:
        addresses = []
        for cursors, arena in zip(target.cursors, self.arenas, strict=True):
            addresses += [cursors.address, len(cursors), arena.address, len(arena)]
        runs, counts = Words(np.array(addresses, np.int64)), Words.zeros(target.parts)

        def merge(number: int, start: int, stop: int) -> int:
            return int(merge_parts(self.game, runs, start, stop, self.words, counts, self.scratch[number]))

        self._each_part(target.parts, merge, counts)
        offsets = Words(np.concatenate(([0], np.cumsum(counts.array))))
        keys = Words(self.budget.zeros(offsets[target.parts] * self.words))

        def collect(number: int, start: int, stop: int) -> int:
            return int(collect_parts(self.game, runs, start, stop, self.words, counts, offsets, keys))

        self._each_part(target.parts, collect, counts)
        return keys.array

    def _each_part(self, parts: int, job: Callable[[int, int, int], int], counts: Words) -> None:
        """Run a job for every part; where the scratch space of a thread is too small for one, enlarge it."""

        def run(number: int, memory: Words, start: int, stop: int) -> int:
            while (reached := job(number, start, stop)) < stop:
                self.scratch[number] = Words.zeros(ARENA_START)  # drop the old one first
                self.scratch[number] = Words(self.budget.zeros(_scratch_words(counts[reached] * self.words)))
                start = reached
            return stop

        self.pool.parallel_for(parts, run, chunk=max(1, min(16, parts // (4 * self.pool.threads))))

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

        self._each_part(parts, merge, counts)
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


def _bytes(words: Words) -> int:
    return 8 * len(words)


def _scratch_words(keys: int) -> int:
    """Return the words that sorting takes: counters, and room for these words of keys twice."""
    return (1 << DIGIT_BITS) + 2 * keys


def splitters_of(sample: Any, words: int, keys: int) -> Any:
    """Return the first words at which parts begin, for about so many keys that are distributed as a sample is."""
    firsts = sample[::words]
    parts = min(MAX_PARTS, keys // PART_KEYS + 1, len(firsts))
    return np.unique(firsts[np.arange(1, parts) * len(firsts) // max(parts, 1)])
