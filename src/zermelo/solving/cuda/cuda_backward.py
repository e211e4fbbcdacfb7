"""Entries on a GPU: stages that every move leaves, each from the entries of those that it leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from zermelo.game import Game
from zermelo.native.device.cuda import CudaGame
from zermelo.native.device.device_platform import arrays, free_memory, is_simulated, release_memory, to_host
from zermelo.solving.cuda.key_runs import KeyRun, KeyRuns, joined
from zermelo.solving.cuda.reachable_kernels import (
    FACTS,
    MISSING,
    NO_MOVES,
    TOO_LARGE,
    evaluate_margins,
    evaluate_states,
)
from zermelo.solving.enumeration.compressed_keys import KEYS_PER_HEAD
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.plan import MARGIN, Plan
from zermelo.solving.retrograde.acyclic_pass import NotAcyclic
from zermelo.solving.retrograde.entries import (
    DECIDED,
    ENTRY_TYPES,
    TIE,
    drop_distances,
    entry_width,
    pack_entries,
    unpack_entries,
)
from zermelo.solving.storage.stage_records import SolvedStage
from zermelo.solving.storage.store import Store

THREADS = 132 * 2048
"""Threads that evaluate the states of a stage: as many as the largest GPUs hold at a time."""

EVALUATED_KEYS = 1 << 28
"""States whose keys are read together, at most."""

PLAIN_SHARE = 0.2
"""The part of the free memory that the keys of later stages may take without compression."""

MAX_ENTRY = 1 << 16
"""Entries that are counted."""

Rows = list[tuple[int, int, int]]
"""Rows (entry, states, positions)."""


class CudaBackward:
    """Keys and entries of solved stages on the device, as long as a stage leads to them."""

    def __init__(self, game: Game, plan: Plan, packing: Packing, device: CudaGame, runs: KeyRuns, store: Store) -> None:
        self.game = game
        self.plan = plan
        self.packing = packing
        self.device = device
        self.runs = runs
        self.store = store
        self.stages: dict[int, tuple[KeyRun, Any]] = {}
        """Margins in place of entries in a game of points. Entries fill whole blocks of keys."""

    # -- one stage ---------------------------------------------------------------------------------------------------

    def outcomes(self, stage: int, run: KeyRun) -> tuple[Any, Rows]:
        """Return the entries of a stage and how many there are of each. Raise NotAcyclic if some moves stay in it."""
        xp = arrays()
        known = (row[0] for solved in self.store.solved.values() for row in solved.counts)
        greatest = max((*known, DECIDED + 1, *(int(each[1].max()) for each in self.stages.values())))
        codes = xp.zeros(self._room(run), ENTRY_TYPES[entry_width(greatest + 2)])
        states, positions = xp.zeros(MAX_ENTRY, xp.int64), xp.zeros(MAX_ENTRY, xp.int64)
        facts = xp.zeros(FACTS, xp.int64)
        later = self._later(stage, codes.dtype)
        for start, keys in self.runs.chunks(run, EVALUATED_KEYS):
            count = len(keys) // self.packing.words
            threads = min(count, 64 if is_simulated() else THREADS)
            self.device.run(
                evaluate_states, threads, count, stage, self.plan.step, keys, *later, codes[start : start + count],
                states, positions, facts,
            )  # fmt: skip
            self._check(keys, facts)
        self.stages[stage] = run, codes
        sums, sizes = to_host(states), to_host(positions)
        return codes[: run.count], [(int(e), int(sums[e]), int(sizes[e])) for e in np.flatnonzero(sums)]

    def margins(self, stage: int, run: KeyRun) -> tuple[Any, Rows]:
        """Return the payoffs of a stage under perfect play, and how many states and positions have each."""
        xp = arrays()
        codes, facts = xp.zeros(self._room(run), xp.int32), xp.zeros(FACTS, xp.int64)
        later = self._later(stage, xp.int32)
        states: Counter[int] = Counter()
        positions: Counter[int] = Counter()
        for start, keys in self.runs.chunks(run, EVALUATED_KEYS):
            count = len(keys) // self.packing.words
            orbits, here = xp.zeros(count, xp.int64), codes[start : start + count]
            self.device.run(
                evaluate_margins, count, stage, self.plan.step, keys, *later, here, orbits, facts
            )  # fmt: skip
            self._check(keys, facts)
            found, sizes = to_host(here), to_host(orbits)
            low = int(found.min())
            for sums, numbers in ((states, np.bincount(found - low)), (positions, np.bincount(found - low, sizes))):
                sums.update({low + int(each): int(numbers[each]) for each in np.flatnonzero(numbers)})
        self.stages[stage] = run, codes
        return codes[: run.count], [(margin, states[margin], positions[margin]) for margin in sorted(states)]

    def _room(self, run: KeyRun) -> int:
        return self.runs.blocks(run) * self.runs.block

    def _check(self, keys: Any, facts: Any) -> None:
        """Raise NotAcyclic for what the CPU explains, and what the rules raise for a state without moves.

        The latter is for games without a `stuck` rule.
        """
        told = to_host(facts)
        if place := int(told[NO_MOVES]):
            words = self.packing.words
            self.game.stuck(self.packing.state(self.game, to_host(keys[(place - 1) * words : place * words])))
        if told[MISSING] or told[TOO_LARGE]:
            raise NotAcyclic

    # -- the stages that it leads to ---------------------------------------------------------------------------------

    def _later(self, stage: int, dtype: Any) -> tuple[Any, ...]:
        """The keys and entries of the stages that a stage leads to, and where each of them begins and ends.

        A key is found sooner where keys are not compressed, so they are not if there is room for all of them.
        """
        xp, words = arrays(), self.packing.words
        leads = [later for later in self.store.leads[stage] if later > stage]
        parts = [self._on_device(later) for later in leads] or [self._no_keys()]
        plain = words > 1 or 8 * sum(run.count for run, _ in parts) < PLAIN_SHARE * free_memory()
        size = 1 if plain else self.runs.block
        bounds = np.zeros(3 * (max(leads, default=stage) - stage) + 3, np.int64)
        bounds[0] = size.bit_length() - 1
        block = 0
        for later, (run, _) in zip(leads, parts, strict=False):
            last = block - (-run.count // size)
            bounds[3 * (later - stage) : 3 * (later - stage) + 3] = block, last, block * size + run.count
            block = last
        entries = [codes[: -(-run.count // size) * size].astype(dtype, copy=False) for run, codes in parts]
        if plain:
            heads = [self.runs.keys(run) for run, _ in parts]
            runs = KeyRun(_concatenated(heads), xp.zeros(1, xp.int64), xp.zeros(1, xp.uint32), 0)
        else:
            runs = joined([run for run, _ in parts])
        return runs.heads, runs.starts, runs.stream, _concatenated(entries), xp.asarray(bounds)

    def _no_keys(self) -> tuple[KeyRun, Any]:
        return self.runs.compressed(arrays().zeros(self.packing.words, np.int64)), arrays().zeros(
            KEYS_PER_HEAD, np.uint8
        )

    def _on_device(self, stage: int) -> tuple[KeyRun, Any]:
        """The keys and entries of a solved stage, loaded if they are not there."""
        if stage not in self.stages:
            solved = self.store.solved_of(stage)
            whole = whole_entries(solved)
            run = self.runs.on_device(self.store.keys_of(stage, self.packing.words))
            entries = arrays().zeros(self._room(run), np.int32)
            entries[: run.count] = arrays().asarray(whole + (solved.base - 1) if self.plan.values == MARGIN else whole)
            self.stages[stage] = run, entries
        return self.stages[stage]

    def keep(self, needed: Iterable[int]) -> None:
        """Drop the stages that no other one leads to any more."""
        for stage in self.stages.keys() - set(needed):
            del self.stages[stage]
        if free_memory() < 1 << 30:
            release_memory()


def _concatenated(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else arrays().concatenate(parts)


def whole_entries(solved: SolvedStage) -> Any:
    """The entries of a stage; those of two bits as the entries of wins, losses and draws at once."""
    entries = unpack_entries(solved.entries, solved.bits, solved.length)
    return np.array([0, DECIDED, DECIDED + 1, TIE])[entries] if solved.bits == 2 else entries


def packed_on_host(codes: Any, bits: int) -> Any:
    """Pack entries on the device, `bits` bits each, and return the words; with two bits, distances are dropped."""
    xp = arrays()
    return to_host(pack_entries(drop_distances(codes, xp) if bits == 2 else codes, bits, xp))
