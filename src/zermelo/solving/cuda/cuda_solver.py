"""The solver on a GPU: stages are enumerated and evaluated there, and stored as on the CPU, to the bit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from zermelo.game import Game, GameError
from zermelo.native.device.cuda import arrays, cuda_game, free_memory, is_simulated, release_memory, to_host
from zermelo.solving.cuda.cuda_forward import CudaForward
from zermelo.solving.cuda.device_keys import key_functions
from zermelo.solving.cuda.numbered_stage import CannotSolve, NumberedStage
from zermelo.solving.cuda.reachable_kernels import (
    FACTS,
    MISSING,
    NO_MOVES,
    TOO_LARGE,
    evaluate_margins,
    evaluate_states,
)
from zermelo.solving.plan import EXPECTATION, MARGIN, Plan
from zermelo.solving.retrograde.acyclic_pass import NotAcyclic
from zermelo.solving.retrograde.entries import (
    DECIDED,
    REPEATS,
    TIE,
    drop_distances,
    entry_width,
    pack_entries,
    unpack_entries,
)
from zermelo.solving.solver import Solver, by_outcome
from zermelo.solving.storage.stage_records import SolvedStage

THREADS = 132 * 2048
"""Threads that evaluate the states of a stage: as many as the largest GPUs hold at a time."""

MEMORY_PER_STATE = 16
"""Bytes of the device for each number of a stage, below which stages that are not read now are dropped."""

MAX_ENTRY = 1 << 16
"""Entries that are counted."""


def refuse_on_cuda(game: Game, plan: Plan) -> None:
    """Raise GameError for a game that only the CPU solves."""
    why = None
    if plan.method == "interpreted":
        why = plan.why.rstrip(".")
    elif plan.values == EXPECTATION:
        why = "chance takes part, and expectations are computed on the CPU"
    elif plan.order == "retrograde" and plan.method == "reachable":
        why = "play can repeat and no rule numbers the states (`index`), which is solved on the CPU"
    elif plan.order == "retrograde" and plan.values == MARGIN:
        why = "play can repeat and payoffs are points, which is solved on the CPU"
    elif plan.method == "dense" and plan.values == MARGIN:
        why = "payoffs are points and a rule numbers the states (`index`), which is solved on the CPU"
    if why is not None:
        raise GameError(f'solve of {game!r}: not on="cuda", since {why}.')


class CudaSolver(Solver):
    """One solve of one game on a GPU."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        packing = self.packing
        self.device = cuda_game(self.game, packing, lambda: key_functions(self.game, packing) if packing.fields else {})
        self.stages: dict[int, tuple[Any, Any]] = {}
        """Keys and entries of solved stages on the device; margins in place of entries in a game of points."""
        self.numbered: dict[int, Any] = {}
        """Entries of solved stages whose states a rule numbers, on the device."""
        self.forward: CudaForward | None = None

    def solve_reachable(self) -> None:
        with self._errors_of_memory():
            super().solve_reachable()

    def solve_dense(self, stage: int) -> None:
        with self._errors_of_memory():
            super().solve_dense(stage)

    @contextmanager
    def _errors_of_memory(self) -> Iterator[None]:
        """Raise GameError where the memory of the device is too small."""
        try:
            yield
        except MemoryError as error:
            raise GameError(
                f"solve of {self.game!r}: a stage does not fit into the memory of the GPU ({str(error).strip()}); "
                "on the CPU, what does not fit is kept in files."
            ) from None

    def forward_pass(self) -> Any:
        self.forward = CudaForward(self.game, self.packing, self.plan.step, self.device, self.progress)
        return self.forward

    # -- stages that every move leaves -------------------------------------------------------------------------------

    def _is_acyclic(self, keys: Any) -> bool:
        return keys is not None

    def _evaluate(self, stage: int, keys: Any) -> SolvedStage:
        on_device = self._keys_on_device(stage, keys)
        count = len(keys) // self.packing.words
        self.progress.begin("backward", stage, count)
        evaluate = self._margins if self.plan.values == MARGIN else self._outcomes
        solved = evaluate(stage, on_device, count)
        self.progress.advance(count)
        return solved

    def _keys_on_device(self, stage: int, keys: Any) -> Any:
        known = self.forward.expanded.pop(stage, None) if self.forward else None
        return arrays().asarray(keys) if known is None else known

    def _outcomes(self, stage: int, keys: Any, count: int) -> SolvedStage:
        xp = arrays()
        known = (row[0] for solved in self.store.solved.values() for row in solved.counts)
        greatest = max((*known, DECIDED + 1, *(int(each[1].max()) for each in self.stages.values() if len(each[1]))))
        codes = xp.zeros(count, {8: xp.uint8, 16: xp.uint16, 32: xp.uint32}[entry_width(greatest + 2)])
        states, positions = xp.zeros(MAX_ENTRY, xp.int64), xp.zeros(MAX_ENTRY, xp.int64)
        facts = xp.zeros(FACTS, xp.int64)
        threads = min(count, 64 if is_simulated() else THREADS)
        self.device.run(
            evaluate_states, threads, count, stage, self.plan.step, keys, *self._later(stage, codes.dtype), codes,
            states, positions, facts,
        )  # fmt: skip
        self._check_moves(keys, facts)
        if int(facts[MISSING]):
            raise NotAcyclic
        sums, sizes = to_host(states), to_host(positions)
        counts = [(int(entry), int(sums[entry]), int(sizes[entry])) for entry in np.flatnonzero(sums)]
        if any(REPEATS <= entry < TIE for entry, _, _ in counts):
            raise NotAcyclic  # play repeats after all; the general method says where
        self.stages[stage] = keys, codes
        counts = by_outcome(counts) if self.wdl else counts
        bits = 2 if self.wdl else entry_width(counts[-1][0] if counts else 0)
        found = to_host(codes)
        entries = pack_entries(drop_distances(found) if self.wdl else found, bits)
        return SolvedStage(stage, count, bits, 0, self._counts(counts), entries)

    def _margins(self, stage: int, keys: Any, count: int) -> SolvedStage:
        xp = arrays()
        codes, orbits, facts = xp.zeros(count, xp.int32), xp.zeros(count, xp.int64), xp.zeros(FACTS, xp.int64)
        self.device.run(
            evaluate_margins, count, stage, self.plan.step, keys, *self._later(stage, xp.int32), codes, orbits, facts
        )
        self._check_moves(keys, facts)
        if int(facts[MISSING]) or int(facts[TOO_LARGE]):
            raise NotAcyclic  # the CPU says where
        self.stages[stage] = keys, codes
        margins, sizes = to_host(codes), to_host(orbits)
        base = int(margins.min())
        entries = margins - (base - 1)
        bits = entry_width(int(entries.max()))
        sums, totals = np.bincount(entries), np.bincount(entries, weights=sizes)
        counts = [[int(entry), int(sums[entry]), int(totals[entry])] for entry in np.flatnonzero(sums)]
        return SolvedStage(stage, count, bits, base, counts, pack_entries(entries, bits))

    def _check_moves(self, keys: Any, facts: Any) -> None:
        """Raise what the rules raise for a state without moves, where there is no `stuck` rule."""
        if place := int(facts[NO_MOVES]):
            words = self.packing.words
            self.game.stuck(self.packing.state(self.game, to_host(keys[(place - 1) * words : place * words])))

    def _later(self, stage: int, dtype: Any) -> tuple[Any, Any, Any]:
        """The keys and entries of the stages that a stage leads to, and where each of them begins and ends."""
        xp, words = arrays(), self.packing.words
        leads = [later for later in self.store.leads[stage] if later > stage]
        bounds = np.zeros(2 * (max(leads, default=stage) - stage) + 2, np.int64)
        parts, at = [], 0
        for later in leads:
            part = self._on_device(later)
            bounds[2 * (later - stage) : 2 * (later - stage) + 2] = at, at + len(part[1])
            at += len(part[1])
            parts.append(part)
        if not parts:
            return xp.zeros(words, xp.int64), xp.zeros(1, dtype), xp.asarray(bounds)
        if len(parts) == 1:
            return parts[0][0], parts[0][1].astype(dtype, copy=False), xp.asarray(bounds)
        both = [xp.concatenate([part[kind] for part in parts]) for kind in (0, 1)]
        return both[0], both[1].astype(dtype, copy=False), xp.asarray(bounds)

    def _on_device(self, stage: int) -> tuple[Any, Any]:
        """The keys and entries of a solved stage, loaded if they are not there."""
        if stage not in self.stages:
            solved = self.store.solved_of(stage)
            entries = self._whole_entries(solved)
            if self.plan.values == MARGIN:
                entries = entries + (solved.base - 1)
            keys = arrays().asarray(np.asarray(self.store.keys_of(stage, self.packing.words)))
            self.stages[stage] = keys, arrays().asarray(entries.astype(np.int32))
        return self.stages[stage]

    def _whole_entries(self, solved: SolvedStage) -> Any:
        """The entries of a stage; those of two bits as the entries of wins, losses and draws at once."""
        entries = unpack_entries(solved.entries, solved.bits, solved.length)
        return np.array([0, DECIDED, DECIDED + 1, TIE])[entries] if solved.bits == 2 else entries

    def _load(self, stage: int) -> None:
        """Stages are loaded when they are read; those that no stage leads to any more are dropped."""
        if self.packing.fields:
            unsolved = [leads for each, leads in self.store.leads.items() if each not in self.store.solved]
            needed = set().union(*map(set, unsolved)) if unsolved else set()
            for later in [each for each in self.stages if each not in needed]:
                del self.stages[later]
            if free_memory() < 1 << 30:
                release_memory()
        else:
            super()._load(stage)

    # -- stages whose states a rule numbers --------------------------------------------------------------------------

    def _analyse(self, stage: int, keys: Any) -> SolvedStage:
        """Solve a stage in which moves may stay; on the CPU where the states have too many moves."""
        if keys is None:
            with suppress(CannotSolve):
                return self._numbered(stage)
        else:
            for later in self.store.leads[stage]:
                if later > stage:
                    super()._load(later)
        return super()._analyse(stage, keys)

    def _numbered(self, stage: int) -> SolvedStage:
        """Solve a stage whose states a rule numbers."""
        xp, size = arrays(), self.tables.slots(stage)
        self.progress.begin("backward", stage, size)
        work = NumberedStage(
            self.game, self.device, stage, size, self._solve_numbered, self._entries_on_device, self.progress.advance
        )
        codes = work.solve()
        counts = work.counts_by_entry()
        greatest = counts[-1][0] if counts else 0
        self.numbered[stage] = codes.astype(xp.uint8) if greatest < 256 else codes.copy()
        found = to_host(self.numbered[stage])
        self._check_draws(stage, found)
        bits = 2 if self.wdl else entry_width(greatest)
        packed = pack_entries(drop_distances(found) if self.wdl else found, bits)
        self.tables.set_entries(stage, packed, bits, 0)
        self.backward.verify_sample(stage)  # on the CPU, by other code
        return SolvedStage(stage, size, bits, 0, self._counts(by_outcome(counts) if self.wdl else counts), packed)

    def _entries_on_device(self, stage: int) -> Any:
        """The entries of a solved stage, loaded if they are not there; where memory is short, others are dropped."""
        if free_memory() < MEMORY_PER_STATE * self.tables.slots(stage):
            self.numbered = {stage: self.numbered[stage]} if stage in self.numbered else {}
            release_memory()
        if stage not in self.numbered:
            entries = self._whole_entries(self.store.solved_of(stage))
            self.numbered[stage] = arrays().asarray(entries.astype(np.uint8 if entries.max() < 256 else np.uint16))
        return self.numbered[stage]
