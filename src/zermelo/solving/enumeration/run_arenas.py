"""Arenas of the threads: room for the runs of keys of all parts, and the tables by which kernels find the parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from zermelo.game import Game
from zermelo.solving.enumeration.part_runs import (
    ARENA_END,
    ARENA_START,
    BLOCK_KEYS,
    CURSORS,
    FIRST_PART,
    FIRST_TARGET,
    INDEX,
    KEY_SHIFT,
    LEAST_KEY,
    NEXT_BLOCK,
    SPLITTERS,
    TARGET_COUNT,
    TARGET_SIZE,
    TARGET_TABLE,
    block_size,
)
from zermelo.solving.growing_memory import GrowingMemory
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.retrograde.solver_memory import MAX_MOVES
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.word_arrays import Words

ARENA_SHARE = 0.5
"""The part of the memory that is left which arenas may take."""

UNEVEN_SHARE = 1.5
"""How much more than others one thread may have to keep, since others were held up."""

INDEX_BITS = 14
"""Leading bits of a key by which its part is looked up."""

PartJob = Callable[[int, int, int], int]
"""Called with the number of a thread, and the first and last of some parts; returns how far it came."""


class Target:
    """The parts of one stage, which begin at the splitters; the number of the first is `first`."""

    def __init__(self, splitters: Any, first: int) -> None:
        self.first = first
        self.parts = len(splitters) + 1
        self.splitters = np.append(splitters, 0)  # an address even where there is none
        self.least = int(splitters[0]) if len(splitters) else 0
        span = int(splitters[-1]) - self.least if len(splitters) else 0
        self.shift = max(0, span.bit_length() - INDEX_BITS)
        below = np.bincount((splitters - self.least) >> self.shift, minlength=(span >> self.shift) + 1)
        index = np.concatenate(([0], np.cumsum(below), [len(splitters)]))
        whole_words = np.pad(index, (0, -len(index) % 4), "edge")
        self.index = whole_words.astype(np.uint16).view(np.int64)

    def write(self, record: Words, cursors: Words) -> None:
        """Write what a kernel needs to know of the target, for the thread with these cursors."""
        record[LEAST_KEY], record[KEY_SHIFT], record[FIRST_PART] = self.least, self.shift, self.first
        for at, array in ((INDEX, self.index), (SPLITTERS, self.splitters)):
            record[at], record[at + 1] = int(array.ctypes.data), len(array)
        record[CURSORS], record[CURSORS + 1] = cursors.address, len(cursors)


class RunArenas:
    """The runs of all stages that are being filled, in one arena for each thread."""

    def __init__(
        self,
        game: Game,
        words: int,
        pool: WorkerPool,
        budget: MemoryBudget,
        memories: Sequence[GrowingMemory] | None = None,
    ) -> None:
        self.budget = budget
        self.memories = memories or arena_memories(budget, pool.threads)
        self.game = game
        self.words = words
        self.pool = pool
        self.targets: dict[int, Target] = {}
        self.cursors: list[Words]
        self.arenas = [Words.zeros(ARENA_START) for _ in range(pool.threads)]
        self.scratch = [Words.zeros(ARENA_START) for _ in range(pool.threads)]
        self.close()

    @property
    def parts(self) -> int:
        """How many parts all stages have."""
        return sum(target.parts for target in self.targets.values())

    def reserve(self, keys: int, notes: int = 0) -> None:
        """Make room in the arenas for the keys, the words of notes, and the blocks that parts have begun.

        Arenas take no more than a part of the memory that is left. When they are full, what they hold is processed.
        There is always room for the successors of one state, each in a part of its own.
        """
        block, threads = block_size(self.words), self.pool.threads
        free = self.budget.left + sum(memory.held for memory in self.memories)
        share = 1 if threads == 1 else UNEVEN_SHARE / threads
        wanted = block * (self.parts + 2 + int(share * keys) // BLOCK_KEYS) + int(share * notes)
        least = (block + 2) * self.pool.memories[0][MAX_MOVES]
        size = ARENA_START + max(least, min(wanted, int(ARENA_SHARE * free) // (8 * threads)))
        if len(self.arenas[0]) < size:
            self.arenas = [Words.zeros(ARENA_START) for _ in self.arenas]  # drop the old ones first
            self.arenas = [memory.words(max(size, memory.held // 8)) for memory in self.memories]
        self.empty()

    def open(self, stage: int, splitters: Any) -> None:
        """Add a stage, whose parts begin at the splitters."""
        before = self.cursors
        self.targets[stage] = Target(splitters, self.parts)
        self.cursors = [Words.zeros(2 * self.parts) for _ in before]
        for old, new in zip(before, self.cursors, strict=True):
            new.array[: len(old)] = old.array
        self.tables = [self._table(cursors) for cursors in self.cursors]

    def _table(self, cursors: Words) -> Words:
        """Return the targets as a kernel finds them, for the thread with these cursors."""
        first = min(self.targets)
        span = max(self.targets) - first + 1
        records = TARGET_TABLE + 2 * span
        table = Words.zeros(records + TARGET_SIZE * len(self.targets))
        table[FIRST_TARGET], table[TARGET_COUNT] = first, span
        for number, (stage, target) in enumerate(self.targets.items()):
            start, at = records + TARGET_SIZE * number, TARGET_TABLE + 2 * (stage - first)
            target.write(table.part(start, TARGET_SIZE), cursors)
            table[at], table[at + 1] = table.address + 8 * start, TARGET_SIZE
        return table

    def close(self) -> None:
        """Remove all stages."""
        self.targets.clear()
        self.cursors = [Words.zeros(0) for _ in self.arenas]
        self.tables = [Words.zeros(TARGET_TABLE) for _ in self.arenas]
        self.empty()

    def empty(self) -> None:
        """Empty all runs."""
        for arena, cursors in zip(self.arenas, self.cursors, strict=True):
            arena[NEXT_BLOCK], arena[ARENA_END] = ARENA_START, len(arena)
            cursors.array[:] = 0

    def runs(self) -> Words:
        """Return what a kernel needs to visit the runs of a part: addresses and lengths of cursors and arenas."""
        both = zip(self.cursors, self.arenas, strict=True)
        return Words(np.array([(each.address, len(each)) for pair in both for each in pair], np.int64).reshape(-1))

    def each_part(self, start: int, stop: int, job: PartJob, needed: Callable[[int], int]) -> None:
        """Run a job for all parts from `start` to `stop`.

        Where the scratch space of a thread is too small for a part, enlarge it to the words that are `needed`.
        """

        def run(number: int, memory: Words, low: int, high: int) -> int:
            low, last = low + start, high + start
            while (low := job(number, low, last)) < last:
                self.scratch[number] = Words.zeros(ARENA_START)  # drop the old one first
                self.scratch[number] = Words(self.budget.zeros(needed(low)))
            return high

        count = stop - start
        self.pool.parallel_for(count, run, chunk=max(1, min(16, count // (4 * self.pool.threads))))


def arena_memories(budget: MemoryBudget, threads: int) -> list[GrowingMemory]:
    """Return memory for the arenas, one for each thread."""
    return [GrowingMemory(budget, int(ARENA_SHARE * budget.limit) // threads) for _ in range(threads)]
