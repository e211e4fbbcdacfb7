"""The backward pass of stages that are left by every move: their entries, and tables for the stages before them."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game import Game
from zermelo.solving.enumeration.state_tables import StateTables, slots_for
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.acyclic import batch_words, evaluate, fill_table
from zermelo.solving.retrograde.entries import entry_width
from zermelo.solving.retrograde.solver_memory import MAX_MOVES
from zermelo.solving.retrograde.stage_work import NUMBER_TYPES, packed_codes
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.solving.storage.stage_records import SolvedStage
from zermelo.word_arrays import Words


class NotAcyclic(Exception):
    """A stage needs retrograde analysis: a move stays in it, or leads to a state that is in no table."""


class AcyclicPass:
    """Evaluation of one stage after the other; later stages are in the state tables, with their entries."""

    def __init__(
        self, game: Game, tables: StateTables, pool: WorkerPool, progress: Progress, budget: MemoryBudget
    ) -> None:
        self.budget = budget
        self.game = game
        self.tables = tables
        self.pool = pool
        self.progress = progress
        self.greatest = 0
        """The greatest entry of the stages that were evaluated here."""

    def evaluate(self, stage: int, keys: Any, greatest: int) -> tuple[Words, int, list[tuple[int, int, int]]]:
        """Return the entries of the states with these keys, their width, and rows (entry, states, positions).

        The states are inserted into the table of their stage.

        No entry of a stage that was loaded is above `greatest`. Raise NotAcyclic if a move stays in the stage, or
        leads nowhere.
        """
        words = self.tables.packing.words
        count = len(keys) // words
        greatest = max(greatest, self.greatest)
        bits = entry_width(greatest + 2)
        codes, source = Words(self.budget.zeros(-(-count * bits // 64))), Words(keys)
        codes.array[-1:] = 0  # the last word may not be full
        counts = [(Words.zeros(greatest + 4), Words.zeros(greatest + 4)) for _ in self.pool.memories]
        batches = [Words.zeros(0) for _ in self.pool.memories]
        self._make_table(stage, count, bits, 0)
        self.progress.begin("backward", stage, count)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            if len(batches[number]) < (size := batch_words(memory[MAX_MOVES], words)):
                batches[number] = Words.zeros(size)
            tables, (states, positions) = self.tables.words, counts[number]
            return int(
                evaluate(
                    self.game, stage, source, start, stop, tables, codes, states, positions, batches[number], memory
                )
            )

        def refuse(why: int, where: int, reached: int) -> None:
            raise NotAcyclic

        self.pool.parallel_for(count, job, refuse, self.progress.advance)
        states, positions = (np.sum([each[kind].array for each in counts], axis=0) for kind in (0, 1))
        found = np.flatnonzero(states)
        self.greatest = max(self.greatest, int(found.max(initial=0)))
        return codes, bits, [(int(entry), int(states[entry]), int(positions[entry])) for entry in found]

    def _make_table(self, stage: int, count: int, bits: int, base: int) -> None:
        slots = slots_for(repr(self.game), count)
        self.tables.set_keys(stage, self.budget.zeros(slots * self.tables.packing.words), slots)
        self.tables.set_entries(stage, self.budget.zeros(slots * bits // 64 + 1), bits, base)

    def load(self, stage: int, keys: Any, solved: SolvedStage) -> None:
        """Load a solved stage, whose entries are in the order of its sorted keys, into a table."""
        count = len(keys) // self.tables.packing.words
        self._make_table(stage, count, solved.bits, solved.base)
        record, source, codes = self.tables.record(stage), Words(keys), Words(solved.entries)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(fill_table(self.game, source, codes, start, stop, self.tables.words, record, memory))

        self.pool.parallel_for(count, job)

    def packed(self, codes: Words, width: int, bits: int, count: int) -> Any:
        """Return entries of `width` bits as they are stored, `bits` bits each; in two bits without distances."""
        if width == bits:
            return codes.array
        return packed_codes(codes.array.view(NUMBER_TYPES[width])[:count], bits, self.pool, self.budget)
