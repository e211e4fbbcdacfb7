"""The backward pass of stages that are left by every move: their entries, from the sorted keys of later stages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from zermelo.game import Game
from zermelo.solving.enumeration.part_runs import BLOCK_KEYS, NEXT_BLOCK, block_size
from zermelo.solving.enumeration.run_arenas import RunArenas
from zermelo.solving.enumeration.state_tables import StateTables
from zermelo.solving.enumeration.successor_parts import MAX_PARTS, MIN_PART_KEYS, PARTS_PER_THREAD
from zermelo.solving.growing_memory import GrowingMemory
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.acyclic import SLICE_KEYS, SLICE_SIZE, SLOTS_PER_KEY, gather, look_up, scatter
from zermelo.solving.retrograde.entries import entry_width
from zermelo.solving.retrograde.solver_memory import TABLE_FULL
from zermelo.solving.retrograde.stage_work import NUMBER_TYPES, packed_codes
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.solving.stage_pace import Pace
from zermelo.solving.storage.part_layers import EvaluatedPart
from zermelo.word_arrays import Words

LOOK_UP_KEYS = 1 << 14
"""Keys of a part, if there are enough for all threads: with their table and entries, half of a second-level cache."""

FIRST_GUESS = 8
"""Successors of a state, before any were counted."""


Keep = Callable[[EvaluatedPart], None]


class NotAcyclic(Exception):
    """A stage needs retrograde analysis: a move stays in it, or leads to a state that is not there."""


class SortedStage(NamedTuple):
    """A solved stage: its sorted keys and its entries, packed in as many bits."""

    keys: Any
    entries: Any
    bits: int


class AcyclicPass:
    """Evaluation of one stage after the other; `stages` has those that it may need."""

    def __init__(
        self,
        game: Game,
        tables: StateTables,
        pool: WorkerPool,
        progress: Progress,
        budget: MemoryBudget,
        memories: Sequence[GrowingMemory] | None = None,
    ) -> None:
        self.budget = budget
        self.game = game
        self.tables = tables
        self.pool = pool
        self.progress = progress
        self.stages: dict[int, SortedStage] = {}
        self.arenas = RunArenas(game, tables.packing.words, pool, budget, memories)
        self.pace = Pace()
        self.successors = float(FIRST_GUESS)
        """Successors of a state, on average, in the stage before."""

    def evaluate(
        self, stage: int, keys: Any, leads: list[int], greatest: int, kept: EvaluatedPart | None, keep: Keep | None
    ) -> tuple[Words, int, list[tuple[int, int, int]]]:
        """Return the entries of the states with these keys, their width, and rows (entry, states, positions).

        They lead to the stages `leads`, none of whose entries is above `greatest`. `kept` is what an earlier process
        has evaluated. If the stage takes long, parts of it are passed to `keep`. Raise NotAcyclic if a move stays in
        the stage, or leads elsewhere.
        """
        evaluation = _Evaluation(self, keys, [self.stages[later] for later in leads], greatest)
        count, start = len(keys) // evaluation.words, evaluation.restore(kept)
        for later, splitters in zip(leads, evaluation.splitters, strict=True):
            self.arenas.open(later, splitters)
        self.progress.begin("backward", stage, count)
        self.progress.advance(start)
        try:
            for stop in self.pace.stops(start, count, keep is not None):
                self._visit(stage, Words(keys), start, stop, evaluation)
                if stop < count and keep is not None:
                    keep(evaluation.part(stage, start, stop))
                start = stop
        finally:
            self.arenas.close()
        return evaluation.codes, evaluation.bits, evaluation.counts()

    def _visit(self, stage: int, source: Words, first: int, last: int, evaluation: _Evaluation) -> None:
        """Visit the states from `first` to `last`, as many at a time as the arenas hold."""
        arenas, count = self.arenas, last - first
        self._reserve(count)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            table, arena, tables = arenas.tables[number], arenas.arenas[number], self.tables.words
            start, stop = first + start, first + stop
            reached = int(scatter(self.game, stage, source, start, stop, tables, table, arena, memory))
            evaluation.spans[number].append((start, reached))
            return reached - first

        def recover(why: int, where: int, reached: int) -> None:
            if why != TABLE_FULL:
                raise NotAcyclic
            if any(evaluation.spans):
                self._finish_round(evaluation)
            self._reserve(count)

        self.pool.parallel_for(count, job, recover, self.progress.advance)
        self._finish_round(evaluation)

    def _reserve(self, count: int) -> None:
        successors = int(1.1 * self.successors * count)
        self.arenas.reserve(successors, count + successors // 2)

    def _finish_round(self, evaluation: _Evaluation) -> None:
        """Evaluate the states whose successors are in the runs, and empty these."""
        used = sum(arena[NEXT_BLOCK] for arena in self.arenas.arenas) / block_size(self.arenas.words)
        visited = sum(stop - start for spans in evaluation.spans for start, stop in spans)
        self.successors = BLOCK_KEYS * used / max(1, visited)
        evaluation.look_up()
        evaluation.gather()
        self.arenas.empty()

    def packed(self, codes: Words, width: int, bits: int, count: int) -> Any:
        """Return entries of `width` bits as they are stored, `bits` bits each; in two bits without distances."""
        if width == bits:
            return codes.array
        return packed_codes(codes.array.view(NUMBER_TYPES[width])[:count], bits, self.pool, self.budget)


class _Evaluation:
    """The evaluation of one stage: the parts of later ones, and the entries found so far."""

    def __init__(self, acyclic: AcyclicPass, keys: Any, later: list[SortedStage], greatest: int) -> None:
        self.arenas, self.pool, self.game = acyclic.arenas, acyclic.pool, acyclic.game
        self.words = acyclic.tables.packing.words
        count = len(keys) // self.words
        self.bits = entry_width(greatest + 2)
        self.codes = Words(acyclic.budget.zeros(-(-count * self.bits // 64)))
        self.width = max((8, *(each.bits for each in later)))
        """Bits of an entry in a run."""
        self.sums = [(Words.zeros(greatest + 4), Words.zeros(greatest + 4)) for _ in self.pool.memories]
        self.spans: list[list[tuple[int, int]]] = [[] for _ in self.pool.memories]
        """For each thread, where the ranges of states begin and end whose successors are in its runs."""
        self.later = later  # keeps the arrays alive, of which `slices` has addresses
        total = sum(len(each.keys) for each in later) // self.words
        even = max(MIN_PART_KEYS, total // (PARTS_PER_THREAD * self.pool.threads))
        size = max(min(LOOK_UP_KEYS, even), total // MAX_PARTS)
        self.splitters = [self._splitters(each, size) for each in later]
        rows = [row for each, edges in zip(later, self.splitters, strict=True) for row in self._slices(each, edges)]
        self.slices = Words(np.array(rows or [(0,)], np.int64).reshape(-1))

    def _splitters(self, stage: SortedStage, size: int) -> Any:
        """Return the first words at which parts of about `size` keys begin."""
        return np.unique(stage.keys[:: self.words][size::size])

    def _slices(self, stage: SortedStage, splitters: Any) -> list[tuple[int, ...]]:
        """Return a row for each part of a stage."""
        keys, entries, bits = stage
        length = len(keys) // self.words
        edges = [0, *np.searchsorted(keys[:: self.words], splitters).tolist(), length]
        size, address = self.words, int(keys.ctypes.data)
        return [
            (address + 8 * size * start, size * (stop - start), int(entries.ctypes.data), len(entries), start, bits)
            for start, stop in pairwise(edges)
        ]

    def look_up(self) -> None:
        """Replace the keys in all runs by entries."""
        runs, arenas, words, slices = self.arenas.runs(), self.arenas, self.words, self.slices

        def job(number: int, start: int, stop: int) -> int:
            return int(look_up(self.game, runs, start, stop, words, self.width, slices, arenas.scratch[number]))

        def needed(part: int) -> int:
            return (
                BLOCK_KEYS + max(LOOK_UP_KEYS, slices[SLICE_SIZE * part + SLICE_KEYS + 1] // words) * SLOTS_PER_KEY // 2
            )

        self.arenas.each_part(0, arenas.parts, job, needed)

    def gather(self) -> None:
        """Write the entries of the states whose successors are in the runs."""
        spans = [Words(np.array(each or [(0, 0)], np.int64).reshape(-1)) for each in self.spans]

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            for thread in range(start, stop):
                cursors, arena, count = self.arenas.cursors[thread], self.arenas.arenas[thread], len(spans[thread]) // 2
                found = self.codes, self.bits, *self.sums[number]
                if gather(self.game, spans[thread], count, cursors, arena, self.width, *found, memory) < count:
                    return start
            return stop

        def refuse(why: int, where: int, reached: int) -> None:
            raise NotAcyclic

        self.pool.parallel_for(len(spans), job, refuse, chunk=1)
        self.spans = [[] for _ in spans]

    def restore(self, kept: EvaluatedPart | None) -> int:
        """Take over the entries of the first states. Return how many there are."""
        if kept is None or kept.bits != self.bits or kept.counts[-1][0] >= len(self.sums[0][0]):
            return 0
        codes = np.concatenate(kept.codes)
        self.codes.array[: len(codes)] = codes
        for entry, states, positions in kept.counts:
            self.sums[0][0][entry], self.sums[0][1][entry] = states, positions
        return kept.reached

    def part(self, stage: int, start: int, stop: int) -> EvaluatedPart:
        """Return the entries of the states from `start` to `stop`, and the counts of all so far."""
        codes = self.codes.array[start * self.bits // 64 : stop * self.bits // 64]
        return EvaluatedPart(stage, stop, self.bits, self.counts(), [codes])

    def counts(self) -> list[tuple[int, int, int]]:
        """Return rows (entry, states, positions)."""
        states, positions = (np.sum([each[kind].array for each in self.sums], axis=0) for kind in (0, 1))
        return [(int(entry), int(states[entry]), int(positions[entry])) for entry in np.flatnonzero(states)]
