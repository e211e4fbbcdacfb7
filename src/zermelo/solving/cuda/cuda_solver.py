"""The solver on a GPU: stages are enumerated and evaluated there, and stored as on the CPU, to the bit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from zermelo.game import Game, GameError
from zermelo.native.device.cuda import cuda_game
from zermelo.native.device.device_platform import arrays, free_memory, release_memory, to_host
from zermelo.solving.cuda.cuda_backward import CudaBackward, packed, whole_entries
from zermelo.solving.cuda.cuda_forward import CudaForward
from zermelo.solving.cuda.device_keys import key_functions
from zermelo.solving.cuda.key_runs import AnyKeys, KeyRuns
from zermelo.solving.cuda.numbered_points import PointsStage
from zermelo.solving.cuda.numbered_stage import CannotSolve, NumberedStage
from zermelo.solving.plan import EXPECTATION, MARGIN, WDL, Plan
from zermelo.solving.retrograde.acyclic_pass import NotAcyclic
from zermelo.solving.retrograde.entries import REPEATS, TIE, drop_distances, entry_width, pack_entries
from zermelo.solving.retrograde.margin import MARGIN_BASE
from zermelo.solving.solver import Solver, by_outcome
from zermelo.solving.storage.stage_records import SolvedStage

MEMORY_PER_STATE = 16
"""Bytes of the device for each number of a stage, below which stages that are not read now are dropped."""


def refuse_on_cuda(game: Game, plan: Plan) -> None:
    """Raise GameError for a game that only the CPU solves."""
    why = None
    if plan.method == "interpreted":
        why = plan.why.rstrip(".")
    elif plan.values == EXPECTATION and plan.order != "acyclic":
        why = "chance takes part and play can repeat, which is solved on the CPU"
    elif plan.method == "dense" and plan.values == EXPECTATION:
        why = "chance takes part and a rule numbers the states (`index`), which is solved on the CPU"
    if why is not None:
        raise GameError(f'solve of {game!r}: not on="cuda", since {why}.')


class CudaSolver(Solver):
    """One solve of one game on a GPU."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        packing = self.packing
        self.device = cuda_game(self.game, packing, lambda: key_functions(self.game, packing) if packing.fields else {})
        self.runs = KeyRuns(packing, self.budget)
        self.later = CudaBackward(self.game, self.plan, packing, self.device, self.runs, self.store)
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
        self.forward = CudaForward(self.game, self.packing, self.plan.step, self.device, self.runs, self.progress)
        return self.forward

    # -- stages that every move leaves -------------------------------------------------------------------------------

    def _is_acyclic(self, keys: Any) -> bool:
        return keys is not None

    def _evaluate(self, stage: int, keys: Any) -> SolvedStage:
        run = self._run_of(stage, keys)
        count = self.runs.length(run)
        self.progress.begin("backward", stage, count)
        evaluate = {WDL: self._outcomes, MARGIN: self._margins, EXPECTATION: self._expectations}[self.plan.values]
        solved = evaluate(stage, run, count)
        self.progress.advance(count)
        return solved

    def _run_of(self, stage: int, keys: Any) -> AnyKeys:
        """The keys of a stage: those on the device, if it was enumerated just now and they are still there."""
        known = self.forward.expanded.pop(stage, None) if self.forward else None
        return keys if known is None else known

    def _outcomes(self, stage: int, keys: AnyKeys, count: int) -> SolvedStage:
        codes, counts = self.later.outcomes(stage, keys)
        if self.plan.order == "acyclic" and any(REPEATS <= entry < TIE for entry, _, _ in counts):
            raise NotAcyclic  # play repeats after all; the general method says where
        counts = by_outcome(counts) if self.wdl else counts
        bits = 2 if self.wdl else entry_width(counts[-1][0] if counts else 0)
        entries = self.runs.copied(packed(codes, bits))
        return SolvedStage(stage, count, bits, 0, self._counts(counts), entries)

    def _margins(self, stage: int, keys: AnyKeys, count: int) -> SolvedStage:
        codes, counts = self.later.margins(stage, keys)
        least, greatest = counts[0][0], counts[-1][0]
        bits = entry_width(greatest - least + 1)
        rows = [[code - least + 1, states, positions] for code, states, positions in counts]
        entries = self.runs.copied(packed(codes - (least - 1), bits))
        return SolvedStage(stage, count, bits, least - 1 + MARGIN_BASE, rows, entries)

    def _expectations(self, stage: int, keys: AnyKeys, count: int) -> SolvedStage:
        low, high, positions = self.later.expectations(stage, keys)
        if float((high - low).max()) > self.epsilon:
            raise NotAcyclic  # the general method says so
        lows, highs = self.runs.copied(low), self.runs.copied(high)
        return SolvedStage(stage, count, 64, 0, [[0, count, positions]], lows, highs)

    def _load(self, stage: int) -> None:
        """Stages are loaded when they are read; those that no stage leads to any more are dropped."""
        if not self.packing.fields:
            self._load_table(stage)
            return
        unsolved = [leads for each, leads in self.store.leads.items() if each not in self.store.solved]
        self.later.keep(set().union(*map(set, unsolved)) if unsolved else set())

    # -- stages whose states a rule numbers --------------------------------------------------------------------------

    def _analyse(self, stage: int, keys: Any) -> SolvedStage:
        """Solve a stage in which moves may stay: on the CPU where no rule numbers its states.

        The CPU also solves stages whose states have too many moves, and those that do not fit into the device's memory.
        """
        if keys is None:
            with suppress(CannotSolve, MemoryError):
                return self._numbered(stage)
            self.numbered.clear()
            release_memory()
        else:
            keys = np.asarray(keys)
        return super()._analyse(stage, keys)

    def _numbered(self, stage: int) -> SolvedStage:
        """Solve a stage whose states a rule numbers."""
        xp, size = arrays(), self.tables.slots(stage)
        self.progress.begin("backward", stage, size)
        kind = PointsStage if self.plan.values == MARGIN else NumberedStage
        work = kind(
            self.game, self.device, stage, size, self._solve_numbered, self._entries_on_device, self.progress.advance
        )
        codes = work.solve()
        if self.plan.values == MARGIN:
            return self._points(stage, codes, work.counts_by_entry())
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

    def _points(self, stage: int, codes: Any, counts: list[tuple[int, int, int]]) -> SolvedStage:
        """Return what is stored of a stage of points, whose codes are above MARGIN_BASE."""
        self.numbered[stage] = codes
        least, greatest = (counts[0][0], counts[-1][0]) if counts else (1, 0)
        bits = entry_width(greatest - least + 1)
        found = to_host(codes)
        found[found > 0] -= least - 1
        words = pack_entries(found, bits)
        base = least - 1 + MARGIN_BASE
        self.tables.set_entries(stage, words, bits, base)
        rows = [[code - least + 1, states, positions] for code, states, positions in counts]
        return SolvedStage(stage, len(found), bits, base, rows, words)

    def _entries_on_device(self, stage: int) -> Any:
        """The entries of a solved stage, loaded if they are not there; where memory is short, others are dropped."""
        if free_memory() < MEMORY_PER_STATE * self.tables.slots(stage):
            self.numbered = {stage: self.numbered[stage]} if stage in self.numbered else {}
            release_memory()
        if stage not in self.numbered:
            solved = self.store.solved_of(stage)
            entries = whole_entries(solved)
            if self.plan.values == MARGIN:
                entries[entries > 0] += solved.base - MARGIN_BASE
            else:
                entries = entries.astype(np.uint8 if entries.max() < 256 else np.uint16)
            self.numbered[stage] = arrays().asarray(entries)
        return self.numbered[stage]
