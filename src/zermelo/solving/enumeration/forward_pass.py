"""Enumeration: every state that can be reached, one stage after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.game import Game, GameError, State
from zermelo.solving.enumeration.reachable_states import expand
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.state_tables import StateTables, check_stages
from zermelo.solving.enumeration.successor_parts import SuccessorParts, splitters_of
from zermelo.solving.growing_memory import GrowingMemory
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.solver_memory import LOWER_STAGE, NO_TABLE, OUT_OF_RANGE
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.solving.stage_pace import Pace
from zermelo.word_arrays import Words

SAMPLE_SIZE = 1 << 12
"""States of a stage that are expanded first, to see where their successors are and how many there are."""

NO_SPLITTERS = np.zeros(0, np.int64)

Found = dict[int, list[Any]]
"""Arrays of sorted keys, by their stage."""


class TooNarrow(Exception):
    """Some numbers of states do not fit into their fields: those of each such state are in `beyond`."""

    def __init__(self, beyond: list[list[int]]) -> None:
        self.beyond = beyond


class ForwardPass:
    """Enumeration of the states of a game: sorted keys of stages that wait to be expanded."""

    def __init__(
        self,
        game: Game,
        packing: Packing,
        pool: WorkerPool,
        progress: Progress,
        budget: MemoryBudget | None = None,
        memories: Sequence[GrowingMemory] | None = None,
    ) -> None:
        self.game = game
        self.pool = pool
        self.progress = progress
        self.packing = packing
        self.leads: dict[int, set[int]] = {}
        self.keep: Callable[[int, Any, int, Found], None] | None = None
        """Called with a stage, its keys, how many of its states were expanded, and what was found since the last call,
        before a stage that takes long is finished."""
        self.kept: tuple[int, int, Found] | None = None
        """A stage that an earlier process has expanded in part: how many states, and what was found."""
        self.pace = Pace()
        self.pending: dict[int, list[Any]] = {}
        self.first = 0
        self.tables = StateTables(repr(game), packing, 0)
        self.parts = SuccessorParts(game, packing.words, pool, budget or MemoryBudget(), memories)

    def seed(self, stage: int, keys: Any) -> None:
        """Start a stage with these sorted keys, as tables store them."""
        self.first = min(stage, self.first if self.pending else stage)
        self.pending.setdefault(stage, []).append(keys)

    def stages(self) -> Iterator[tuple[int, Any]]:
        """Yield each stage with all its keys, sorted, after its successors were found."""
        while self.pending:
            stage = min(self.pending)
            yield stage, self._expand_stage(stage)

    def pending_keys(self, stage: int) -> Any:
        """Return the sorted keys of a stage that waits."""
        keys = self.parts.union(self.pending[stage])
        self.pending[stage] = [keys]
        return keys

    # -- one stage ---------------------------------------------------------------------------------------------------

    def _expand_stage(self, stage: int) -> Any:
        """Return all keys of a stage: those that earlier stages lead to, and those that they lead to."""
        frontier = self.pending_keys(stage)
        self.progress.begin(self.progress.enumeration_phase, stage, len(frontier) // self.packing.words)
        del self.pending[stage]
        leads = self.leads.setdefault(stage, set())
        known = [frontier]
        while len(frontier):
            found = self._expand_frontier(stage, frontier, whole=frontier is known[0])
            leads.update(found)
            frontier = self._unknown(found.pop(stage, NO_SPLITTERS), known)
            for to, keys in found.items():
                self.pending.setdefault(to, []).append(keys)
        return self.parts.union(known)

    def _unknown(self, frontier: Any, known: list[Any]) -> Any:
        """Return the keys of a stage that are new, and add them to the known ones: arrays that double in size."""
        for keys in known:
            frontier = self.parts.difference(frontier, keys) if len(frontier) else frontier
        if len(frontier):
            known.append(frontier)
        while len(known) > 1 and 2 * len(known[-1]) >= len(known[-2]):
            known[-2:] = [self.parts.union(known[-2:])]
        return frontier

    def _expand_frontier(self, stage: int, frontier: Any, whole: bool = False) -> dict[int, Any]:
        """Return the sorted keys of the successors of these states, by stage.

        If they are all that were known of the stage, parts of it can be kept, or were kept by an earlier process.
        """
        count, words = len(frontier) // self.packing.words, self.packing.words
        found: Found = {}
        start = 0
        if whole and self.kept is not None and self.kept[0] == stage:
            _, start, found = self.kept
            self.progress.advance(start)
        if count > 2 * SAMPLE_SIZE:
            self._open_parts(stage, frontier, count)
        else:
            self.parts.reserve(8 * max(count, SAMPLE_SIZE))
        for stop in self.pace.stops(start, count, whole and self.keep is not None):
            new: Found = {}
            self._expand(stage, frontier[start * words : stop * words], new, report=True)
            start = stop
            if start < count and self.keep is not None:
                self.keep(stage, frontier, start, new)
            for to, arrays in new.items():
                found.setdefault(to, []).extend(arrays)
        self.parts.close()
        return {to: self.parts.union(found.pop(to)) for to in list(found)}

    def _open_parts(self, stage: int, frontier: Any, count: int) -> None:
        """Choose the parts of the stages that a sample of the frontier leads to."""
        words = self.packing.words
        rows = frontier.reshape(-1, words)[:: max(1, count // SAMPLE_SIZE)]
        sample: dict[int, list[Any]] = {}
        self.parts.reserve(16 * len(rows))
        self._expand(stage, np.ascontiguousarray(rows).reshape(-1), sample)
        self.parts.close()
        share, total = count / len(rows), 0
        for to, arrays in sample.items():
            keys = self.parts.union(arrays)
            expected = int(1.1 * share * len(keys) / words)
            self.parts.open(to, splitters_of(keys, words, expected, self.pool.threads))
            total += expected
        self.parts.reserve(total)

    def _expand(self, stage: int, frontier: Any, found: dict[int, list[Any]], report: bool = False) -> None:
        """Add the sorted keys of the successors of these states to what was found, by stage."""
        source, words = Words(frontier), self.packing.words

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            parts, tables = self.parts, self.tables.words
            return int(
                expand(
                    self.game, stage, source, start, stop, tables, parts.tables[number], parts.arenas[number], memory
                )
            )

        def collect() -> None:
            for to, keys in self.parts.collect().items():
                found.setdefault(to, []).append(keys)

        def recover(why: int, where: int, reached: int) -> None:
            if why in (OUT_OF_RANGE, LOWER_STAGE):
                state = self.packing.state(self.game, frontier[reached * words : (reached + 1) * words])
            if why == OUT_OF_RANGE:
                raise TooNarrow(self._beyond(state))
            if why == LOWER_STAGE:
                raise GameError(
                    f"solve of {self.game!r}: `stage` goes back from {stage} to {where} after "
                    f"{self.game.state_text(state)}; a move never leads to a lower stage."
                )
            if why != NO_TABLE:
                collect()
                self.parts.reserve(0)  # more room where states have more moves than before
            elif where not in self.parts.targets:
                check_stages(repr(self.game), self.first, where)
                self.parts.open(where, NO_SPLITTERS)

        advance = self.progress.advance if report else None
        self.pool.parallel_for(len(frontier) // words, job, recover, advance)
        collect()

    def _beyond(self, state: State) -> list[list[int]]:
        """Return the numbers of each successor that has no key."""
        after = [self.game.canonical(self.game.play(state, move)) for move in rules.legal_actions(self.game, state)]
        return [list(map(int, rules.numbers(child))) for child in after if self.packing.key(child) is None]


def first_key(game: Game, packing: Packing) -> tuple[int, Any]:
    """Return the stage of the initial state and its key."""
    state = game.canonical(rules.initial_state(game))
    key = packing.key(state)
    if key is None:
        raise TooNarrow([list(map(int, rules.numbers(state)))])
    return int(game.stage(state)), np.array(key, np.int64)
