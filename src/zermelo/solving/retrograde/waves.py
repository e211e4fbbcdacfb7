"""Stages in which moves stay: wave after wave of wins and losses, then the draws that someone can force."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.game import Game
from zermelo.solving.enumeration.state_tables import StateTables
from zermelo.solving.retrograde.entries import MINE, REPEATS, THEIRS, loss_entry
from zermelo.solving.retrograde.narrow_numbers import (
    BLOCKED,
    CODES,
    COUNTS,
    LINK_ENDS,
    NEW,
    reached_flag,
    undecided_from,
)
from zermelo.solving.retrograde.propagation import DRAWS, FIRST_DRAWS, propagate
from zermelo.solving.retrograde.solver_memory import CHANGES, LONGEST
from zermelo.solving.retrograde.stage_work import StageWork, longest_decision
from zermelo.solving.retrograde.sweeping import sweep
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.word_arrays import Words

MAX_LINKS = 1 << 31
"""Links that 32 bits can number, and numbers of them."""


class Waves:
    """The waves of one stage whose states were initialised."""

    def __init__(self, game: Game, stage: int, tables: StateTables, pool: WorkerPool, work: StageWork) -> None:
        self.game = game
        self.stage = stage
        self.tables = tables
        self.pool = pool
        self.work = work

    # -- by un-moves or links ----------------------------------------------------------------------------------------

    def propagate_all(self) -> None:
        """Decide every state, by its predecessors."""
        longest = longest_decision(self.pool, self.work)
        self.pool.reset(LONGEST)
        wave = 0
        while wave <= longest:
            self._make_room(wave + 1)
            self._run(propagate, wave)
            longest = max(longest, self.pool.most(LONGEST))
            wave += 1
        self._prepare_draws()
        self.pool.reset(CHANGES)
        self._run(propagate, FIRST_DRAWS)
        while self.pool.total(CHANGES):
            self.pool.reset(CHANGES)
            self._run(propagate, DRAWS)
        self._finish_draws()

    def _prepare_draws(self) -> None:
        """Note who can force a draw by moves to later stages alone, in the codes of the states that are left."""
        codes, counts = self.work.codes, self.work.counts
        open_from = undecided_from(self.work.width(CODES))
        most = 2 * reached_flag(self.work.width(COUNTS)) - 1  # more than the moves that may count it down

        def job(start: int, stop: int) -> None:
            part, number = codes[start:stop], counts[start:stop]
            left, blocked = part >= open_from, part & BLOCKED != 0
            flags = (part & MINE) | ((number == 0) & ~blocked) * part.dtype.type(THEIRS)
            np.copyto(number, most, where=left & blocked, casting="unsafe")
            np.copyto(part, flags << NEW | flags | open_from, where=left)

        self.pool.for_slices(self.work.slots, job)

    # -- by sweeps ---------------------------------------------------------------------------------------------------

    def sweep_all(self, recover: Any) -> None:
        """Decide every state, by its successors."""
        longest = max(longest_decision(self.pool, self.work), self.pool.most(LONGEST))
        self.pool.reset(LONGEST)
        plies = 1
        while plies <= longest + 1:
            self._make_room(plies)
            self._run(sweep, plies, recover)
            longest = max(longest, self.pool.most(LONGEST))
            plies += 1
        self._each_open(lambda codes, open_from: np.full_like(codes, open_from))
        self.pool.reset(CHANGES)
        self._run(sweep, 0, recover)
        while self.pool.total(CHANGES):
            self.pool.reset(CHANGES)
            self._run(sweep, 0, recover)
        self._finish_draws()

    # -- both --------------------------------------------------------------------------------------------------------

    def _make_room(self, plies: int) -> None:
        """Widen the codes if `plies` do not fit."""
        while loss_entry(plies) >= undecided_from(self.work.width(CODES)):
            self.work.widen(CODES, self.pool)

    def _run(self, kernel: Any, wave: int, recover: Any = None) -> None:
        game, stage, tables, work = self.game, self.stage, self.tables, self.work.words

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(kernel(game, stage, start, stop, wave, tables.words, work, memory))

        self.pool.parallel_for(self.work.slots, job, recover)

    def _each_open(self, change: Callable[[Any, int], Any]) -> None:
        """Change the codes of the states that are left, slice by slice."""
        codes, open_from = self.work.codes, undecided_from(self.work.width(CODES))

        def job(start: int, stop: int) -> None:
            part = codes[start:stop]
            np.copyto(part, change(part, open_from), where=part >= open_from)

        self.pool.for_slices(self.work.slots, job)

    def _finish_draws(self) -> None:
        self._each_open(lambda codes, _: REPEATS | codes & (MINE | THEIRS))


# -- links -------------------------------------------------------------------------------------------------------------


def begin_links(work: StageWork, pool: WorkerPool) -> int:
    """Turn the numbers of predecessors into where the list of each state begins. Return how many links there are."""
    ends = work.numbers(LINK_ENDS)[: work.slots]
    size = 1 << 16
    sums = np.zeros(-(-work.slots // size), np.int64)

    def add(start: int, stop: int) -> None:
        for first in range(start, stop, size):
            sums[first // size] = ends[first : min(first + size, stop)].sum(dtype=np.int64)

    pool.for_slices(work.slots, add)
    begins = np.cumsum(sums) - sums

    def place(start: int, stop: int) -> None:
        for first in range(start, stop, size):
            part = ends[first : min(first + size, stop)]
            part[:] = np.cumsum(part, dtype=np.int64) - part + begins[first // size]

    edges = int(sums.sum())
    if edges < MAX_LINKS:
        pool.for_slices(work.slots, place)
    return edges


def links_fit(game: Game, slots: int, edges: int, memory: int) -> bool:
    """Return whether a stage's moves can be kept as links in `memory` bytes."""
    return not rules.has_predecessors(game) and max(2 * slots, edges) < MAX_LINKS and 4 * (slots + edges) <= memory
