"""Enumeration on a GPU: every state that can be reached, one stage after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo import rules
from zermelo.game import Game, GameError
from zermelo.native.device.cuda import CudaGame
from zermelo.native.device.device_platform import arrays, free_memory, is_simulated, release_memory, to_host
from zermelo.solving.cuda.key_runs import AnyKeys, KeyRun, KeyRuns
from zermelo.solving.cuda.reachable_kernels import BACKWARD, FACTS, MOST_MOVES, NO_KEY, expand_states
from zermelo.solving.cuda.sorted_keys import difference, unique_keys
from zermelo.solving.enumeration.forward_pass import TooNarrow
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.state_tables import check_stages
from zermelo.solving.progress import Progress

FIRST_WIDTH = 8
"""Successors of a state for which there is room at first."""

MEMORY_SHARE = 0.2
"""The part of the free memory that the successors of a chunk may take, before they are sorted."""

SIMULATED_CHUNK = 1 << 12

MOST_SUCCESSORS = 1 << 30
"""Successors that are sorted together, at most: library functions may count in 32 bits."""

COMPRESSED_FROM = 1 << 24
"""Keys of a stage from which they are compressed in the memory of the host, too."""

SPARE_SHARE = 0.5
"""The part of the device's memory that must stay free for the keys of a stage to be kept there."""


class CudaForward:
    """Enumeration of the states of a game: runs of sorted keys of stages that wait to be expanded.

    They are on the device, or where it has little memory left, on the host.
    """

    def __init__(
        self, game: Game, packing: Packing, step: int, device: CudaGame, runs: KeyRuns, progress: Progress
    ) -> None:
        self.game = game
        self.packing = packing
        self.step = step
        self.device = device
        self.runs = runs
        self.progress = progress
        self.width = FIRST_WIDTH
        self.leads: dict[int, set[int]] = {}
        self.pending: dict[int, list[AnyKeys]] = {}
        self.expanded: dict[int, KeyRun] = {}
        """The keys of stages on the device, as long as there is room for them."""
        self.first = 0
        self.memory = free_memory()

    def seed(self, stage: int, keys: Any) -> None:
        """Start a stage with these sorted keys, as tables store them."""
        self.first = min(stage, self.first if self.pending else stage)
        self.pending.setdefault(stage, []).append(self.runs.on_device(keys))

    def stages(self) -> Iterator[tuple[int, Any]]:
        """Yield each stage with all its keys, sorted, after its successors were found."""
        while self.pending:
            stage = min(self.pending)
            run = self._expand_stage(stage)
            if isinstance(run, KeyRun) and free_memory() > SPARE_SHARE * self.memory:
                self.expanded[stage] = run
            yield stage, self._on_host(run)

    def pending_keys(self, stage: int) -> Any:
        """Return the sorted keys of a stage that waits, in the memory of the host."""
        self.pending[stage] = [self.runs.merged(self.pending[stage])]
        return self._on_host(self.pending[stage][0])

    def _on_host(self, run: AnyKeys) -> Any:
        if self.packing.words == 1 and self.runs.length(run) < COMPRESSED_FROM:
            return self.runs.plain_on_host(run)
        return self.runs.on_host(run)

    # -- one stage ---------------------------------------------------------------------------------------------------

    def _expand_stage(self, stage: int) -> AnyKeys:
        words = self.packing.words
        known = self.runs.merged(self.pending.pop(stage))
        self.progress.begin(self.progress.enumeration_phase, stage, self.runs.length(known))
        leads = self.leads.setdefault(stage, set())
        frontier = known
        while self.runs.length(frontier):
            found = self._expand_frontier(stage, frontier)
            leads.update(found)
            inner = found.pop(stage, None)
            for to, runs in found.items():
                self.pending.setdefault(to, []).extend(runs)
            if inner is None:
                break
            new = difference(self.runs.keys(self.runs.merged(inner)), self.runs.keys(known), words)
            frontier = self.runs.compressed(new)
            known = self.runs.merged([known, frontier])
        return known

    def _expand_frontier(self, stage: int, frontier: AnyKeys) -> dict[int, list[AnyKeys]]:
        """Return runs of the keys of the successors of these states, by stage."""
        found: dict[int, list[AnyKeys]] = {}
        block, start = self.runs.block, 0
        while start < self.runs.blocks(frontier):
            stop = min(self.runs.blocks(frontier), start + max(1, self._chunk() // block))
            keys = self.runs.keys(frontier, start, stop)
            parts = self._expand_chunk(stage, keys)
            if parts is None:
                continue  # there is more room for the successors of a state now
            for to, successors in parts.items():
                found.setdefault(to, []).append(self.runs.kept(self.runs.compressed(successors)))
            self.progress.advance(len(keys) // self.packing.words)
            start = stop
        return found

    def _chunk(self) -> int:
        """Return the number of states whose successors are found together."""
        if is_simulated():
            return SIMULATED_CHUNK
        room = free_memory()
        if room < 1 << 30:
            release_memory()
        room = int(MEMORY_SHARE * room) // (8 * self.packing.words + 4)
        return max(1 << 10, min(room, MOST_SUCCESSORS) // self.width)

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
