"""A stage whose states a rule numbers, solved on a GPU: initialisation, waves by un-moves or sweeps, draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.game import Game, GameError
from zermelo.native.device.cuda import CudaGame
from zermelo.native.device.device_platform import arrays, is_simulated, to_host
from zermelo.solving.cuda.numbered_kernels import (
    CHANGED,
    DRAWS,
    FIRST_DRAWS,
    INNER,
    LONGEST,
    NEEDED,
    OPEN,
    SCANNED,
    STUCK,
    TOLD,
    TOO_MANY,
    UNNUMBERED,
    WENT_BACK,
    count_numbers,
    finish_draws,
    initialise_numbers,
    list_wave,
    open_draws,
    prepare_draws,
    propagate_number,
    sweep_number,
)
from zermelo.solving.retrograde.backward_pass import unnumbered_error
from zermelo.solving.retrograde.entries import DECIDED

CHUNK = 1 << 27
"""Numbers of which those that belong to a wave are listed together."""

LEADS = 1 << 12
"""Stages ahead for which there is room at first."""

LAUNCH = 1 << 30
"""Numbers of a launch of a kernel."""

SAMPLE = 256
"""Numbers that are visited first, to learn to which stages they lead."""

MOST_STAGES = 1 << 16
"""Stages from the present one to the last one that a move may lead to."""

COUNTING_THREADS = 132 * 2048
MOST_ENTRY = 1 << 16


class CannotSolve(Exception):
    """The device cannot solve this stage: its states have too many moves. The CPU can."""


class NumberedStage:
    """One stage. `solve_later` solves a later stage, and `entries_of` returns its entries on the device."""

    def __init__(
        self,
        game: Game,
        device: CudaGame,
        stage: int,
        size: int,
        solve_later: Callable[[int], None],
        entries_of: Callable[[int], Any],
        advance: Callable[[int], None],
    ) -> None:
        xp = arrays()
        self.game, self.device, self.stage, self.size = game, device, stage, size
        self.solve_later, self.entries_of, self.advance = solve_later, entries_of, advance
        self.leads = xp.zeros(LEADS, xp.uint8)
        """1 for each number of stages by which some move leads ahead."""
        self.loaded: set[int] = set()
        """Later stages whose entries are read."""
        self.facts = xp.zeros(TOLD, xp.int64)

    def solve(self) -> Any:
        """Return the entries of all numbers, on the device."""
        self._solve_sampled()  # before this stage takes memory
        self.allocate()
        while True:
            self.later, self.bounds = self._later()
            self._initialise()
            if not self._solve_missing():
                break
        self.advance(self.size)
        self.finish()
        return self.codes

    def allocate(self) -> None:
        """Make room for a code of 16 bits, and a count of 8 bits, of each number."""
        xp = arrays()
        self.pairs = xp.zeros(-(-self.size // 2), xp.uint32)
        self.fours = xp.zeros(-(-self.size // 4), xp.uint32)
        self.codes, self.counts = self.pairs.view(xp.uint16)[: self.size], self.fours.view(xp.uint8)[: self.size]

    def finish(self) -> None:
        """Find the entries that depend on others of the stage."""
        if self._told()[INNER]:
            if rules.has_predecessors(self.game):
                self._propagate()
            else:
                self._sweep()

    # -- initialisation ----------------------------------------------------------------------------------------------

    def _initialise(self) -> None:
        self.facts[:] = 0
        self.leads[:] = 0
        for first in range(0, self.size, LAUNCH):
            self.device.run(
                initialise_numbers, min(self.size - first, LAUNCH), first, self.stage, self.size, self.later,
                self.bounds, self.leads, self.codes, self.counts, self.facts,
            )  # fmt: skip
        self._check()

    def _solve_missing(self) -> bool:
        """Solve the later stages to which moves lead and which are not loaded. Return whether there are any."""
        if needed := int(self._told()[NEEDED]):
            if needed >= MOST_STAGES:
                raise GameError(f"solve of {self.game!r}: moves lead from stage {self.stage} to {self.stage + needed}.")
            self.leads = arrays().zeros(needed + 1, arrays().uint8)
            return True
        missing = {self.stage + int(ahead) for ahead in np.flatnonzero(to_host(self.leads))} - self.loaded
        for to in sorted(missing, reverse=True):
            self._solve_later(to)
        return bool(missing)

    def _solve_later(self, stage: int) -> None:
        self.solve_later(stage)
        self.loaded.add(stage)

    def _solve_sampled(self) -> None:
        """Solve the stages to which the moves of some states lead: every stage that is missing costs another pass."""
        found: set[int] = set()
        for number in range(0, self.size, max(1, self.size // SAMPLE)):
            state = self.game.at(self.stage, number)
            if int(self.game.index(state)) == number and int(self.game.stage(state)) == self.stage:
                after = (self.game.play(state, move) for move in rules.legal_actions(self.game, state))
                found.update(int(self.game.stage(child)) for child in after)
        for to in sorted(found, reverse=True):
            if to > self.stage:
                self._solve_later(to)

    def _later(self) -> tuple[Any, Any]:
        """The entries of the later stages, one after the other, and where each begins and ends."""
        xp = arrays()
        bounds = np.zeros(2 * (max(self.loaded, default=self.stage) - self.stage) + 2, np.int64)
        parts, at = [], 0
        for to in sorted(self.loaded):
            part = self.entries_of(to)
            bounds[2 * (to - self.stage) : 2 * (to - self.stage) + 2] = at, at + len(part)
            at += len(part)
            parts.append(part)
        kind = np.result_type(np.uint8, *(part.dtype for part in parts))
        if not parts:
            return xp.zeros(1, kind), xp.asarray(bounds)
        parts = [part.astype(kind, copy=False) for part in parts]
        return parts[0] if len(parts) == 1 else xp.concatenate(parts), xp.asarray(bounds)

    # -- waves -------------------------------------------------------------------------------------------------------

    def _longest(self) -> int:
        """The most plies in which a state is decided so far; -1 if none is."""
        xp, most = arrays(), 0
        for start in range(0, self.size, CHUNK):
            part = self.codes[start : start + CHUNK]
            most = max(most, int(xp.where(part < OPEN, part, 0).max()))
        return most - DECIDED >> 1

    def _propagate(self) -> None:
        longest, wave = self._longest(), 0
        while wave <= longest:
            self._wave(wave)
            longest = max(longest, int(self._told()[LONGEST]))
            wave += 1
        self._run(prepare_draws, self.codes, self.counts)
        self.facts[CHANGED] = 0
        self._wave(FIRST_DRAWS)
        while self._told()[CHANGED]:
            self.facts[CHANGED] = 0
            self._wave(DRAWS)
        self._run(finish_draws, self.codes)

    def _wave(self, wave: int) -> None:
        """Update the predecessors of all states of a wave."""
        xp = arrays()
        length = xp.zeros(1, xp.int64)
        found = xp.empty(min(CHUNK, self.size), xp.int64)
        for first in range(0, self.size, CHUNK):
            stop = min(first + CHUNK, self.size)
            length[:] = 0
            self.device.run(list_wave, -(-(stop - first) // SCANNED), first, stop, wave, self.codes, found, length)
            if count := int(length[0]):
                self.device.run(
                    propagate_number, count, self.stage, self.size, wave, found, self.later, self.bounds, self.codes,
                    self.pairs, self.fours, self.facts,
                )  # fmt: skip
        self._check()

    def _sweep(self) -> None:
        """Decide every state by its successors."""
        longest, plies = self._longest(), 1
        while plies <= longest + 1:
            self._run(
                sweep_number, self.stage, self.size, plies, self.later, self.bounds, self.codes.copy(), self.codes,
                self.facts,
            )  # fmt: skip
            longest = max(longest, int(self._told()[LONGEST]), self._latest_outside())
            plies += 1
        self._run(open_draws, self.codes)
        while True:
            self.facts[CHANGED] = 0
            self._run(
                sweep_number, self.stage, self.size, 0, self.later, self.bounds, self.codes.copy(), self.codes,
                self.facts,
            )  # fmt: skip
            if not self._told()[CHANGED]:
                break
        self._run(finish_draws, self.codes)
        self._check()

    def _latest_outside(self) -> int:
        """The most plies of a later stage: a state may lose by a move there, later than by those in the stage."""
        return max(0, (int(self.later.max()) - DECIDED >> 1) + 1)

    def _run(self, kernel: Any, *arguments: Any) -> None:
        self.device.run(kernel, self.size, *arguments)

    # -- counts and checks -------------------------------------------------------------------------------------------

    def counts_by_entry(self) -> list[tuple[int, int, int]]:
        """Return rows (entry, states, positions)."""
        xp = arrays()
        states, positions = xp.zeros(MOST_ENTRY, xp.int64), xp.zeros(MOST_ENTRY, xp.int64)
        threads = min(self.size, 64 if is_simulated() else COUNTING_THREADS)
        self.device.run(count_numbers, threads, self.stage, self.size, self.codes, states, positions)
        sums, sizes = to_host(states), to_host(positions)
        return [(int(entry), int(sums[entry]), int(sizes[entry])) for entry in np.flatnonzero(sums)]

    def _told(self) -> Any:
        return to_host(self.facts)

    def _check(self) -> None:
        told = self._told()
        game = self.game
        if told[TOO_MANY]:
            raise CannotSolve
        for kind in (WENT_BACK, UNNUMBERED, STUCK):
            if told[kind]:
                state = game.at(self.stage, int(told[kind]) - 1)
                if kind == UNNUMBERED:
                    raise unnumbered_error(game, state)
                if kind == STUCK:
                    game.stuck(state)
                raise GameError(
                    f"solve of {game!r}: `stage` goes back from {self.stage} after {game.state_text(state)}; a move "
                    "never leads to a lower stage."
                )
