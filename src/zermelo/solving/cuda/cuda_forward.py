"""Enumeration on a GPU: every state that can be reached, one stage after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.game import Game, GameError
from zermelo.native.device.cuda import CudaGame, arrays, free_memory, is_simulated, release_memory, to_host
from zermelo.solving.cuda.reachable_kernels import BACKWARD, FACTS, MOST_MOVES, NO_KEY, expand_states
from zermelo.solving.cuda.sorted_keys import difference, union, unique_keys
from zermelo.solving.enumeration.forward_pass import TooNarrow
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.state_tables import check_stages
from zermelo.solving.progress import Progress

FIRST_WIDTH = 8
"""Successors of a state for which there is room at first."""

MEMORY_SHARE = 0.2
"""The part of the free memory that the successors of a chunk may take, before they are sorted."""

SIMULATED_CHUNK = 1 << 12


class CudaForward:
    """Enumeration of the states of a game: sorted keys of stages that wait to be expanded, on the device."""

    def __init__(self, game: Game, packing: Packing, step: int, device: CudaGame, progress: Progress) -> None:
        self.game = game
        self.packing = packing
        self.step = step
        self.device = device
        self.progress = progress
        self.width = FIRST_WIDTH
        self.leads: dict[int, set[int]] = {}
        self.pending: dict[int, list[Any]] = {}
        self.expanded: dict[int, Any] = {}
        """The keys of stages on the device, as long as there is room for them."""
        self.first = 0

    def seed(self, stage: int, keys: Any) -> None:
        """Start a stage with these sorted keys, as tables store them."""
        self.first = min(stage, self.first if self.pending else stage)
        self.pending.setdefault(stage, []).append(arrays().asarray(np.asarray(keys)))

    def stages(self) -> Iterator[tuple[int, Any]]:
        """Yield each stage with all its keys, sorted, after its successors were found."""
        while self.pending:
            stage = min(self.pending)
            keys = self._expand_stage(stage)
            if free_memory() > 8 * keys.nbytes:
                self.expanded[stage] = keys
            yield stage, to_host(keys)

    def pending_keys(self, stage: int) -> Any:
        """Return the sorted keys of a stage that waits, in the memory of the host."""
        self.pending[stage] = [union(self.pending[stage], self.packing.words)]
        return to_host(self.pending[stage][0])

    # -- one stage ---------------------------------------------------------------------------------------------------

    def _expand_stage(self, stage: int) -> Any:
        words = self.packing.words
        frontier = union(self.pending.pop(stage), words)
        self.progress.begin(self.progress.enumeration_phase, stage, len(frontier) // words)
        leads = self.leads.setdefault(stage, set())
        known = frontier
        while len(frontier):
            found = self._expand_frontier(stage, frontier)
            leads.update(found)
            frontier = difference(found.pop(stage, frontier[:0]), known, words)
            known = union([known, frontier], words)
            for to, keys in found.items():
                self.pending.setdefault(to, []).append(keys)
        return known

    def _expand_frontier(self, stage: int, frontier: Any) -> dict[int, Any]:
        """Return the sorted keys of the successors of these states, by stage."""
        words = self.packing.words
        count, start = len(frontier) // words, 0
        found: dict[int, list[Any]] = {}
        while start < count:
            stop = min(count, start + self._chunk())
            parts = self._expand_chunk(stage, frontier[start * words : stop * words])
            if parts is None:
                continue  # there is more room for the successors of a state now
            for to, keys in parts.items():
                found.setdefault(to, []).append(keys)
            self.progress.advance(stop - start)
            start = stop
        return {to: union(parts, words) for to, parts in found.items()}

    def _chunk(self) -> int:
        """Return the number of states whose successors are found together."""
        if is_simulated():
            return SIMULATED_CHUNK
        room = free_memory()
        if room < 1 << 30:
            release_memory()
        return max(1 << 10, int(MEMORY_SHARE * room) // (self.width * (8 * self.packing.words + 4)))

    def _expand_chunk(self, stage: int, keys: Any) -> dict[int, Any] | None:
        """Return the sorted keys of the successors by stage; None if a state has more than there was room for."""
        xp, words = arrays(), self.packing.words
        count = len(keys) // words
        found, stages = xp.empty(count * self.width * words, xp.int64), xp.empty(count * self.width, xp.int32)
        facts = xp.zeros(FACTS, xp.int64)
        self.device.run(expand_states, count, stage, self.step, self.width, keys, found, stages, facts)
        told = to_host(facts)
        self._check(stage, keys, told)
        if told[MOST_MOVES]:
            self.width = int(told[MOST_MOVES])
            return None
        greatest = int(stages.max())
        if greatest == 0:
            return {}
        if not ((stages != greatest) & (stages != 0)).any():
            del stages
            return self._by_stage(stage, {greatest: found})
        rows = found.reshape(-1, words)
        ahead = [int(each) for each in to_host(xp.unique(stages)) if each]
        return self._by_stage(stage, {each: rows[stages == each].reshape(-1) for each in ahead})

    def _by_stage(self, stage: int, found: dict[int, Any]) -> dict[int, Any]:
        for each in found:
            check_stages(repr(self.game), self.first, stage + each - 1)
        return {stage + each - 1: unique_keys(keys, self.packing.words) for each, keys in found.items()}

    def _check(self, stage: int, keys: Any, told: Any) -> None:
        """Raise TooNarrow, or GameError, for a state that a kernel reported."""
        words = self.packing.words
        for kind in (BACKWARD, NO_KEY):
            if told[kind]:
                place = int(told[kind]) - 1
                state = self.packing.state(self.game, to_host(keys[place * words : (place + 1) * words]))
                after = [
                    self.game.canonical(self.game.play(state, move)) for move in rules.legal_actions(self.game, state)
                ]
                if kind == NO_KEY:
                    beyond = [
                        list(map(int, rules.numbers(child))) for child in after if self.packing.key(child) is None
                    ]
                    raise TooNarrow(beyond)
                raise GameError(
                    f"solve of {self.game!r}: `stage` goes back from {stage} to "
                    f"{min(int(self.game.stage(child)) for child in after)} after {self.game.state_text(state)}; a "
                    "move never leads to a lower stage."
                )
