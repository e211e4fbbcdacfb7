"""The way forward: every state that can be reached, one stage after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.game import Game, GameError
from zermelo.solving.enumeration.reachable_states import expand
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.state_tables import COUNT, FIRST, put_all
from zermelo.solving.enumeration.table_directory import LOAD, Directory, slots_for
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.solver_memory import BACKWARD, FULL, NEW, OUTSIDE, WIDTH
from zermelo.solving.retrograde.worker_pool import Crew
from zermelo.solving.size_estimate import available_memory
from zermelo.word_arrays import Words

LARGE = 1 << 24
"""Slots of a table that is worth asking whether there is memory for it."""


class TooNarrow(Exception):
    """A state has a number that its field has no room for."""


class Forward:
    """Stages that are still to be expanded, each with a table of the states seen so far."""

    def __init__(self, game: Game, packing: Packing, crew: Crew, progress: Progress) -> None:
        self.game = game
        self.crew = crew
        self.progress = progress
        self.packing = packing
        self.counts: dict[int, int] = {}
        self.rooms: list[Words] = []
        self.leads: dict[int, set[int]] = {}
        self.shared: list[Any] = []
        self.directory = Directory(repr(game), packing, 0)

    def seed(self, stage: int, keys: Any) -> None:
        """Begin a stage with these keys, as tables store them."""
        self._make_table(stage, max(len(keys) // self.packing.words, 1024))
        self._put(stage, keys)

    def stages(self) -> Iterator[tuple[int, Any]]:
        """Each stage with all its keys, sorted; when the next one is asked for, its successors have been found."""
        while self.counts:
            stage = min(self.counts)
            keys = self._closed(stage)
            self.directory.clear(stage)
            del self.counts[stage]
            yield stage, keys

    # -- one stage ---------------------------------------------------------------------------------------------------

    def _closed(self, stage: int) -> Any:
        """All keys of a stage: those that earlier stages lead to, and those that these lead to."""
        self.progress.begin(self.progress.finding, stage, self.counts[stage])
        wave = self.sorted_keys(stage)
        waves = [wave]
        while len(wave):
            wave = self._wave(stage, wave)
            waves.append(wave)
        return waves[0] if len(waves) == 2 and not len(wave) else sort_keys(np.concatenate(waves), self.packing.words)

    def _wave(self, stage: int, wave: Any) -> Any:
        """Expand some states of a stage; the states of the same stage that were not known before."""
        source, words = Words(wave), self.packing.words
        fresh = [Words.zeros(words * max(1024, 2 * memory[WIDTH])) for memory in self.crew.memories]
        self.crew.reset(NEW)
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
                    self.directory.words,
                    self.rooms[number],
                    fresh[number],
                    memory,
                )
            )

        def collect() -> None:
            for number, memory in enumerate(self.crew.memories):
                found.append(fresh[number].array[: memory[NEW] * words].copy())
                self.counts[stage] += memory[NEW]
                memory[NEW] = 0

        def mend(why: int, where: int, reached: int) -> None:
            collect()
            if why == FULL and where == stage:
                for number in range(len(fresh)):
                    fresh[number] = Words.zeros(2 * len(fresh[number]))
            self._mend(why, where, stage, wave, reached)

        self.crew.sweep(len(wave) // words, job, mend, self.progress.advance)
        collect()
        self._take_stock(stage)
        return np.concatenate(found)

    # -- tables that grow --------------------------------------------------------------------------------------------

    def _mend(self, why: int, where: int, stage: int, wave: Any, reached: int) -> None:
        words = self.packing.words
        if why == OUTSIDE:
            raise TooNarrow
        if why == BACKWARD:
            state = self.packing.state(self.game, wave[reached * words : (reached + 1) * words])
            raise GameError(
                f"solve of {self.game!r}: `stage` goes back from {stage} to {where} after "
                f"{self.game.state_text(state)}; a move never leads to a lower stage."
            )
        self._take_stock(stage)
        if where not in self.counts:
            self._make_table(where, max(1024, len(wave) // words))
        elif why == FULL and self._room(where) < max(self.directory.slots(where) // 4, self._least_room()):
            self._enlarge(where)
        self._share_room()

    def _make_table(self, stage: int, count: int) -> None:
        slots = slots_for(repr(self.game), count)
        if slots > LARGE and 8 * slots * self.packing.words > available_memory():
            found = self.progress.states + sum(self.counts.values())
            raise GameError(f"solve of {self.game!r}: {found:,} states were found, and there is no memory for more.")
        self.counts[stage] = 0
        self.directory.set_keys(stage, np.zeros(slots * self.packing.words, np.int64), slots)

    def _enlarge(self, stage: int) -> None:
        old, count = self.directory.keys(stage), self.counts[stage]
        self._make_table(stage, 2 * max(count, 1024, self._least_room()))
        self._put(stage, old)

    def _put(self, stage: int, keys: Any) -> None:
        record = self.directory.record(stage)
        source = Words(keys)
        new = [0] * self.crew.threads

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            new[number] += put_all(self.game, source, start, stop, self.directory.words, record, memory)
            return stop

        self.crew.sweep(len(keys) // self.packing.words, job)
        self.counts[stage] += sum(new)

    def _room(self, stage: int) -> int:
        return int(LOAD * self.directory.slots(stage)) - self.counts[stage]

    def _least_room(self) -> int:
        """Room for all successors of one state, for every thread."""
        return self.crew.threads * (self.crew.memories[0][WIDTH] + 1)

    def _share_room(self) -> None:
        """Tell every thread how many keys it may add to each table."""
        words, threads = self.directory.words, self.crew.threads
        self.rooms = [Words.zeros(2 * words[COUNT]) for _ in range(threads)]
        for stage in self.counts:
            for room in self.rooms:
                room[stage - words[FIRST]] = self._room(stage) // threads
        self.shared = [room.array[: words[COUNT]].copy() for room in self.rooms]

    def _take_stock(self, stage: int) -> None:
        """Count what threads have added to the tables since they were told how much room there is.

        Keys of the stage itself are counted where they are listed.
        """
        first = self.directory.words[FIRST]
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
        """The keys in a stage's table, in order, without the empty slots."""
        words = self.packing.words
        rows = self.directory.keys(stage).reshape(-1, words)
        return sort_keys(rows[rows[:, 0] != 0].reshape(-1), words)


def sort_keys(keys: Any, words: int) -> Any:
    """The keys in order: by their first word, then by the others."""
    if words == 1:
        keys.sort()
        return keys
    rows = keys.reshape(-1, words)
    return np.ascontiguousarray(rows[np.lexsort(rows.T[::-1])]).reshape(-1)


def first_key(game: Game, packing: Packing) -> tuple[int, Any]:
    """The stage of the initial state, and its key."""
    state = game.canonical(rules.initial_state(game))
    key = packing.key(state)
    if key is None:
        raise TooNarrow
    return int(game.stage(state)), np.array(key, np.int64)
