"""Enumeration: every state that can be reached, one stage after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.game import Game, GameError
from zermelo.solving.enumeration.reachable_states import expand
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.state_tables import LOAD_FACTOR, StateTables, slots_for
from zermelo.solving.enumeration.table_access import FIRST_STAGE, STAGE_COUNT, insert_keys
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.solver_memory import LOWER_STAGE, MAX_MOVES, NEW_STATES, OUT_OF_RANGE, TABLE_FULL
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.solving.size_estimate import available_memory
from zermelo.word_arrays import Words

MEMORY_CHECK_SLOTS = 1 << 24
"""Slots from which on a table is allocated only if there is memory for it."""


class TooNarrow(Exception):
    """A number of a state does not fit into its field."""


class ForwardPass:
    """Enumeration of the states of a game: stages that wait to be expanded, each with a table of the states seen."""

    def __init__(self, game: Game, packing: Packing, pool: WorkerPool, progress: Progress) -> None:
        self.game = game
        self.pool = pool
        self.progress = progress
        self.packing = packing
        self.counts: dict[int, int] = {}
        self.rooms: list[Words] = []
        self.leads: dict[int, set[int]] = {}
        self.shared: list[Any] = []
        self.tables = StateTables(repr(game), packing, 0)

    def seed(self, stage: int, keys: Any) -> None:
        """Start a stage with these keys, as tables store them."""
        self._make_table(stage, max(len(keys) // self.packing.words, 1024))
        self._insert(stage, keys)

    def stages(self) -> Iterator[tuple[int, Any]]:
        """Yield each stage with all its keys, sorted, after its successors were inserted into their tables."""
        while self.counts:
            stage = min(self.counts)
            keys = self._expand_stage(stage)
            self.tables.clear(stage)
            del self.counts[stage]
            yield stage, keys

    # -- one stage ---------------------------------------------------------------------------------------------------

    def _expand_stage(self, stage: int) -> Any:
        """Return all keys of a stage: those that earlier stages lead to, and those that they lead to."""
        self.progress.begin(self.progress.enumeration_phase, stage, self.counts[stage])
        frontier = self.sorted_keys(stage)
        frontiers = [frontier]
        while len(frontier):
            frontier = self._expand_frontier(stage, frontier)
            frontiers.append(frontier)
        return (
            frontiers[0]
            if len(frontiers) == 2 and not len(frontier)
            else sort_keys(np.concatenate(frontiers), self.packing.words)
        )

    def _expand_frontier(self, stage: int, frontier: Any) -> Any:
        """Expand the states of a frontier. Return the new states of the same stage, which are the next frontier."""
        source, words = Words(frontier), self.packing.words
        fresh = [Words.zeros(words * max(1024, 2 * memory[MAX_MOVES])) for memory in self.pool.memories]
        self.pool.reset(NEW_STATES)
        found: list[Any] = []
        self._share_room()

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(
                expand(
                    self.game,
                    stage,
                    source,
                    start,
                    stop,
                    self.tables.words,
                    self.rooms[number],
                    fresh[number],
                    memory,
                )
            )

        def collect() -> None:
            for number, memory in enumerate(self.pool.memories):
                found.append(fresh[number].array[: memory[NEW_STATES] * words].copy())
                self.counts[stage] += memory[NEW_STATES]
                memory[NEW_STATES] = 0

        def recover(why: int, where: int, reached: int) -> None:
            collect()
            if why == TABLE_FULL and where == stage:
                for number in range(len(fresh)):
                    fresh[number] = Words.zeros(2 * len(fresh[number]))
            self._recover(why, where, stage, frontier, reached)

        self.pool.parallel_for(len(frontier) // words, job, recover, self.progress.advance)
        collect()
        self._count_new(stage)
        return np.concatenate(found)

    # -- tables that grow --------------------------------------------------------------------------------------------

    def _recover(self, why: int, where: int, stage: int, frontier: Any, reached: int) -> None:
        words = self.packing.words
        if why == OUT_OF_RANGE:
            raise TooNarrow
        if why == LOWER_STAGE:
            state = self.packing.state(self.game, frontier[reached * words : (reached + 1) * words])
            raise GameError(
                f"solve of {self.game!r}: `stage` goes back from {stage} to {where} after "
                f"{self.game.state_text(state)}; a move never leads to a lower stage."
            )
        self._count_new(stage)
        if where not in self.counts:
            self._make_table(where, max(1024, len(frontier) // words))
        elif why == TABLE_FULL and self._room(where) < max(self.tables.slots(where) // 4, self._least_room()):
            self._enlarge(where)
        self._share_room()

    def _make_table(self, stage: int, count: int) -> None:
        slots = slots_for(repr(self.game), count)
        if slots > MEMORY_CHECK_SLOTS and 8 * slots * self.packing.words > available_memory():
            found = self.progress.states + sum(self.counts.values())
            raise GameError(f"solve of {self.game!r}: {found:,} states were found, and there is no memory for more.")
        self.counts[stage] = 0
        self.tables.set_keys(stage, np.zeros(slots * self.packing.words, np.int64), slots)

    def _enlarge(self, stage: int) -> None:
        old, count = self.tables.keys(stage), self.counts[stage]
        self._make_table(stage, 2 * max(count, 1024, self._least_room()))
        self._insert(stage, old)

    def _insert(self, stage: int, keys: Any) -> None:
        record = self.tables.record(stage)
        source = Words(keys)
        new = [0] * self.pool.threads

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            new[number] += insert_keys(self.game, source, start, stop, self.tables.words, record, memory)
            return stop

        self.pool.parallel_for(len(keys) // self.packing.words, job)
        self.counts[stage] += sum(new)

    def _room(self, stage: int) -> int:
        return int(LOAD_FACTOR * self.tables.slots(stage)) - self.counts[stage]

    def _least_room(self) -> int:
        """Return the room for all successors of one state, for every thread."""
        return self.pool.threads * (self.pool.memories[0][MAX_MOVES] + 1)

    def _share_room(self) -> None:
        """Divide the room of each table among the threads."""
        words, threads = self.tables.words, self.pool.threads
        self.rooms = [Words.zeros(2 * words[STAGE_COUNT]) for _ in range(threads)]
        for stage in self.counts:
            for room in self.rooms:
                room[stage - words[FIRST_STAGE]] = self._room(stage) // threads
        self.shared = [room.array[: words[STAGE_COUNT]].copy() for room in self.rooms]

    def _count_new(self, stage: int) -> None:
        """Count the keys that threads have added to the tables since the room was divided.

        Keys of the stage itself are counted where they are listed.
        """
        first = self.tables.words[FIRST_STAGE]
        lead = self.leads.setdefault(stage, set())
        for room, shared in zip(self.rooms, self.shared, strict=True):
            left, reached = room.array[: len(shared)], room.array[len(shared) :]
            lead.update(int(place) + first for place in reached.nonzero()[0])
            for place in (shared - left).nonzero()[0]:
                to = int(place) + first
                if to != stage:
                    self.counts[to] += int(shared[place] - left[place])
            shared[:] = left

    def sorted_keys(self, stage: int) -> Any:
        """Return the keys in a stage's table, sorted, without the empty slots."""
        words = self.packing.words
        rows = self.tables.keys(stage).reshape(-1, words)
        return sort_keys(rows[rows[:, 0] != 0].reshape(-1), words)


def sort_keys(keys: Any, words: int) -> Any:
    """Return the keys sorted by their first word, then by the others."""
    if words == 1:
        keys.sort()
        return keys
    rows = keys.reshape(-1, words)
    return np.ascontiguousarray(rows[np.lexsort(rows.T[::-1])]).reshape(-1)


def first_key(game: Game, packing: Packing) -> tuple[int, Any]:
    """Return the stage of the initial state and its key."""
    state = game.canonical(rules.initial_state(game))
    key = packing.key(state)
    if key is None:
        raise TooNarrow
    return int(game.stage(state)), np.array(key, np.int64)
