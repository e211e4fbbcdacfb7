"""The backward pass of stages that are left by every move: their entries, and tables for the stages before them."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game import Game
from zermelo.solving.enumeration.state_tables import StateTables, slots_for
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.acyclic import batch_words, evaluate, fill_table
from zermelo.solving.retrograde.entries import drop_distances, entry_width, unpack_entries, write_entries
from zermelo.solving.retrograde.solver_memory import MAX_MOVES
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.solving.storage.stage_records import SolvedStage
from zermelo.word_arrays import Words


class NotAcyclic(Exception):
    """A stage needs retrograde analysis: a move stays in it, or leads to a state that is in no table."""


class AcyclicPass:
    """Evaluation of one stage after the other; later stages are in the state tables, with their entries."""

    def __init__(self, game: Game, tables: StateTables, pool: WorkerPool, progress: Progress) -> None:
        self.game = game
        self.tables = tables
        self.pool = pool
        self.progress = progress
        self.greatest = 0
        """The greatest entry of the stages that were evaluated here."""

    def evaluate(self, stage: int, keys: Any, greatest: int) -> tuple[Words, list[tuple[int, int, int]]]:
        """Return the entries of the states with these keys, and rows (entry, states, positions); fill their table.

        No entry of a stage that was loaded is above `greatest`. Raise NotAcyclic if a move stays in the stage, or
        leads nowhere.
        """
        words = self.tables.packing.words
        count = len(keys) // words
        greatest = max(greatest, self.greatest)
        codes, source = Words(np.empty((count + 1) // 2, np.int64)), Words(keys)
        counts = [(Words.zeros(greatest + 4), Words.zeros(greatest + 4)) for _ in self.pool.memories]
        batches = [Words.zeros(0) for _ in self.pool.memories]
        self._make_table(stage, count, entry_width(greatest + 2), 0)
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
        return codes, [(int(entry), int(states[entry]), int(positions[entry])) for entry in found]

    def _make_table(self, stage: int, count: int, bits: int, base: int) -> None:
        slots = slots_for(repr(self.game), count)
        self.tables.set_keys(stage, np.zeros(slots * self.tables.packing.words, np.int64), slots)
        self.tables.set_entries(stage, np.zeros(slots * bits // 64 + 1, np.int64), bits, base)

    def fill(self, stage: int, keys: Any, codes: Words, bits: int, base: int) -> None:
        """Give a stage a table of these keys and entries."""
        count = len(keys) // self.tables.packing.words
        self._make_table(stage, count, bits, base)
        record, source = self.tables.record(stage), Words(keys)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(fill_table(self.game, source, codes, start, stop, self.tables.words, record, memory))

        self.pool.parallel_for(count, job)

    def load(self, stage: int, keys: Any, solved: SolvedStage) -> None:
        """Load a solved stage, whose entries are in the order of its sorted keys, into a table."""
        self.fill(stage, keys, self.unpack(solved.entries, solved.bits, solved.length), solved.bits, solved.base)

    def pack(self, codes: Words, bits: int, count: int) -> Any:
        """Pack entries into words, `bits` bits each; in two bits without distances."""
        entries, packed = codes.array.view(np.int32), np.zeros(-(-count * bits // 64), np.int64)

        def job(start: int, stop: int) -> None:
            part = entries[start:stop]
            write_entries(packed, start, drop_distances(part) if bits == 2 else part, bits)

        self.pool.for_slices(count, job)
        return packed

    def unpack(self, packed: Any, bits: int, count: int) -> Words:
        """Return entries that were packed, as int32."""
        codes = Words(np.empty((count + 1) // 2, np.int64))
        entries = codes.array.view(np.int32)

        def job(start: int, stop: int) -> None:
            words = packed[start * bits // 64 : -(-stop * bits // 64)]
            entries[start:stop] = unpack_entries(words, bits, stop - start)

        self.pool.for_slices(count, job)
        return codes
