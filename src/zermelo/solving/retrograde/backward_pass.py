"""The backward pass: the entries of one stage, given those of later stages."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo import rules
from zermelo.game import Game, GameError, State
from zermelo.solving.enumeration.state_tables import MAX_NUMBERS, StateTables, slots_for
from zermelo.solving.enumeration.table_filling import find_keys, insert_entries, insert_keys
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.entry_counts import count_entries
from zermelo.solving.retrograde.expectation import tighten_bounds
from zermelo.solving.retrograde.margin import SWEEP, solve_margins
from zermelo.solving.retrograde.narrow_numbers import COUNTS, LINK_ENDS, LINKS, reached_flag
from zermelo.solving.retrograde.solver_memory import (
    CHANGES,
    INNER_MOVES,
    LONGEST,
    NO_TABLE,
    OUT_OF_RANGE,
    STATE_MISSING,
    TOO_NARROW,
)
from zermelo.solving.retrograde.stage_work import StageWork
from zermelo.solving.retrograde.waves import Waves, begin_links, links_fit
from zermelo.solving.retrograde.wdl import INITIALISE, LINK, VERIFY, initialise
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.solving.storage.stage_records import SolvedStage
from zermelo.value import DECISIVE
from zermelo.word_arrays import Words

LINK_MEMORY_SHARE = 0.5
"""The part of the memory that is left which links may take; where they do not fit, sweeps do without."""

SAMPLE_SIZE, SAMPLE_COUNT = 256, 64
"""Entries of a sample that is verified, and samples of a stage."""

STAGE_ERROR_SHARE = 1e-4
"""The part of epsilon that one stage may use, since the errors of later stages add to it."""


class BackwardPass:
    """Retrograde analysis of one stage after the other; later stages are in the state tables, with their entries."""

    def __init__(
        self,
        game: Game,
        tables: StateTables,
        pool: WorkerPool,
        progress: Progress,
        budget: MemoryBudget | None = None,
    ) -> None:
        self.budget = budget or MemoryBudget()
        self.game = game
        self.tables = tables
        self.pool = pool
        self.progress = progress
        self.missing: Any = None

    def load_keys(self, stage: int, keys: Any) -> None:
        """Insert the sorted keys of a stage into its state table."""
        words = self.tables.packing.words
        slots = slots_for(repr(self.game), len(keys) // words, MAX_NUMBERS)
        self.tables.set_keys(stage, self.budget.zeros(slots * words), slots)
        record, source = self.tables.record(stage), Words(keys)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            insert_keys(self.game, source, start, stop, self.tables.words, record, memory)
            return stop

        self.pool.parallel_for(len(keys) // words, job)

    def numbers(self, stage: int, keys: Any) -> Any:
        """Return the numbers of the sorted keys of a stage, in their order."""
        count = len(keys) // self.tables.packing.words
        record, source, numbers = self.tables.record(stage), Words(keys), self.int32_words(count)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(find_keys(self.game, source, start, stop, self.tables.words, record, numbers, memory))

        self.pool.parallel_for(count, job)
        return as_int32(numbers)[:count]

    def load(self, stage: int, keys: Any, solved: SolvedStage) -> None:
        """Load a solved stage into its state table; `keys` are None where a rule numbers the states."""
        if keys is None:
            uppers = None if solved.uppers is None else solved.uppers.view(np.int64)
            self.tables.set_keys(stage, np.zeros(1, np.int64), solved.length)
            self.tables.set_entries(stage, solved.entries.view(np.int64), solved.bits, solved.base, uppers)
            return
        if solved.bits < 64:
            self._insert_entries(stage, keys, solved)
            return
        self.load_keys(stage, keys)
        numbers = self.numbers(stage, keys)
        both = [self.budget.zeros(self.tables.slots(stage)).view(np.float64) for _ in range(2)]
        both[0][numbers], both[1][numbers] = solved.entries, solved.uppers
        self.tables.set_entries(stage, both[0].view(np.int64), 64, 0, both[1].view(np.int64))

    def _insert_entries(self, stage: int, keys: Any, solved: SolvedStage) -> None:
        """Insert the sorted keys of a stage into its state table, with entries of less than 64 bits."""
        words = self.tables.packing.words
        slots = slots_for(repr(self.game), len(keys) // words)
        self.tables.set_keys(stage, self.budget.zeros(slots * words), slots)
        self.tables.set_entries(stage, self.budget.zeros(slots * solved.bits // 64 + 1), solved.bits, solved.base)
        record, source, packed = self.tables.record(stage), Words(keys), Words(solved.entries)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(insert_entries(self.game, source, packed, start, stop, self.tables.words, record, memory))

        self.pool.parallel_for(len(keys) // words, job)

    def int32_words(self, count: int) -> Words:
        """Return words with room for `count` int32 numbers, all zero."""
        return Words(self.budget.zeros((count + 1) // 2))

    def from_int32(self, numbers: Any) -> Words:
        """Return words that hold these int32 numbers."""
        words = self.int32_words(len(numbers))
        as_int32(words)[: len(numbers)] = numbers
        return words

    # -- wins, losses and draws --------------------------------------------------------------------------------------

    def wdl_entries(self, stage: int) -> StageWork:
        """Return the work of a stage, with the entries of all its numbers."""
        slots = self.tables.slots(stage)
        work = StageWork(slots, self.budget)
        waves = Waves(self.game, stage, self.tables, self.pool, work)
        linked = links_fit(self.game, slots, 0, self._link_memory)
        if linked:
            work.allocate(LINK_ENDS, slots, 32)
        if linked or rules.has_predecessors(self.game):
            work.allocate(COUNTS, slots, 8)
        self.pool.reset(INNER_MOVES, LONGEST)
        self._initialise(stage, INITIALISE, work)
        if not self.pool.total(INNER_MOVES):
            return work
        if linked:
            linked = self._link(stage, work)
        if linked or rules.has_predecessors(self.game):
            self._check_reached(stage, work)
            waves.propagate_all()
        else:
            waves.sweep_all(self._recover(stage))
        return work

    @property
    def _link_memory(self) -> int:
        return int(LINK_MEMORY_SHARE * self.budget.left)

    def _check_reached(self, stage: int, work: StageWork) -> None:
        """Raise GameError if a move leads to a number of `index` that no state has."""
        codes, counts = work.codes, work.counts
        flag = reached_flag(work.width(COUNTS))

        def job(start: int, stop: int) -> None:
            part = counts[start:stop]
            wrong = (part >= flag) & (codes[start:stop] == 0)
            if wrong.any():
                raise unnumbered_error(self.game, self.game.at(stage, start + int(wrong.argmax())))
            part &= flag - 1

        if rules.has_index(self.game):
            self.pool.for_slices(work.slots, job)

    def _initialise(self, stage: int, task: int, work: StageWork) -> None:
        self.progress.begin("backward", stage, self.tables.slots(stage))
        recover = self._recover(stage)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(initialise(self.game, stage, start, stop, task, self.tables.words, work.words, memory))

        def widen(why: int, where: int, reached: int) -> None:
            if why != TOO_NARROW:
                recover(why, where, reached)
            elif work.width(where >> 8) == where & 0xFF:  # no thread before this one stopped for the same reason
                work.widen(where >> 8, self.pool)

        self.pool.parallel_for(self.tables.slots(stage), job, widen, self.progress.advance)

    def _link(self, stage: int, work: StageWork) -> bool:
        """Write the predecessor links of a stage. Return False if there is no memory for them."""
        edges = begin_links(work, self.pool)
        fit = links_fit(self.game, work.slots, edges, self._link_memory)
        if fit:
            work.allocate(LINKS, edges, 32)
            self._initialise(stage, LINK, work)
        else:
            work.release(LINK_ENDS)
            work.release(COUNTS)
        return fit

    # -- margins and expectations ------------------------------------------------------------------------------------

    def margin_entries(self, stage: int) -> Words:
        """Return the margins of all numbers of a stage, above MARGIN_BASE, as int32."""
        codes = self.int32_words(self.tables.slots(stage))
        self.pool.reset(INNER_MOVES)
        self._visit_margins(stage, INITIALISE, codes)
        staying = self.pool.total(INNER_MOVES)
        if staying and not self.game.loops:
            raise GameError(
                f"solve of {self.game!r}: moves stay in stage {stage}, and points are only compared across stages; let "
                "`stage` rise with every move, leave it out, or, if play can repeat, say loops = True."
            )
        while staying:
            self.pool.reset(CHANGES)
            self._visit_margins(stage, SWEEP, codes)
            staying = self.pool.total(CHANGES)
        entries = as_int32(codes)
        self.pool.for_slices(len(entries), lambda start, stop: np.abs(entries[start:stop], out=entries[start:stop]))
        return codes

    def _visit_margins(self, stage: int, task: int, codes: Words) -> None:
        self.progress.begin("backward", stage, self.tables.slots(stage))

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(solve_margins(self.game, stage, start, stop, task, self.tables.words, codes, memory))

        self.pool.parallel_for(self.tables.slots(stage), job, self._recover(stage), self.progress.advance)

    def expectation_bounds(self, stage: int, numbers: Any, epsilon: float) -> tuple[Any, Any]:
        """Return bounds of the expectations of all numbers of a stage, no farther apart than epsilon.

        `numbers` are those of states, in an order that does not depend on threads. Where a state's bounds depend on
        others of the stage, one thread does it, so that they come out the same every time.
        """
        widest = float(max(map(abs, self.game.payoff_bounds)))
        slots = self.tables.slots(stage)
        low, high, gaps = (self.budget.zeros(slots).view(np.float64) for _ in range(3))
        low[:], high[:] = -widest, widest
        orders = self.from_int32(numbers), self.from_int32(numbers[::-1])
        self.pool.reset(INNER_MOVES)
        self.tighten(stage, orders[0], len(numbers), low, high, self.pool.threads)
        gaps = gaps[: len(numbers)]
        if self.pool.total(INNER_MOVES):
            low[:], high[:] = -widest, widest
            self._tighten_both_ways(stage, orders, numbers, low, high, gaps, epsilon * STAGE_ERROR_SHARE)
            self._check_payoffs(stage, low, widest)
        self._gaps(low, high, numbers, gaps)
        gap = float(gaps.max(initial=0.0))
        if gap > epsilon:
            raise unbounded_error(self.game, stage, gap)
        return low, high

    def _tighten_both_ways(
        self, stage: int, orders: tuple[Words, Words], numbers: Any, low: Any, high: Any, gaps: Any, enough: float
    ) -> None:
        """Tighten the bounds of a stage until they are near enough, or come no nearer."""
        gained = [np.inf, np.inf]
        between = self._gaps(low, high, numbers, gaps)
        while True:
            way = int(gained[1] >= gained[0])  # the way that brought the bounds nearer, once both have been tried
            self.tighten(stage, orders[way], len(numbers), low, high, threads=1)
            before, between = between, self._gaps(low, high, numbers, gaps)
            gained[way], gap = before - between, float(gaps.max(initial=0.0))
            self.progress.swept(gap)
            if gap <= enough or max(gained) <= before * 1e-12:
                return

    def _gaps(self, low: Any, high: Any, numbers: Any, gaps: Any) -> float:
        """Write how far apart the bounds of some numbers are, and return the sum, which does not depend on threads."""

        def job(start: int, stop: int) -> None:
            here = numbers[start:stop]
            gaps[start:stop] = np.nan_to_num(high[here] - low[here])

        self.pool.for_slices(len(numbers), job)
        return float(gaps.sum())

    def _check_payoffs(self, stage: int, values: Any, widest: float) -> None:
        """Raise GameError if a payoff is beyond `payoff_bounds`, from which the bounds began."""
        for number in np.flatnonzero(np.abs(values) > widest)[:1]:
            raise payoff_error(self.game, self.state(stage, int(number)), values[number])

    def tighten(self, stage: int, order: Words, count: int, low: Any, high: Any, threads: int) -> None:
        self.progress.begin("backward", stage, count)
        lows, highs = Words(low.view("int64")), Words(high.view("int64"))

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(tighten_bounds(self.game, stage, order, start, stop, lows, highs, self.tables.words, memory))

        self.pool.parallel_for(count, job, self._recover(stage), self.progress.advance, threads)

    # -- verification ------------------------------------------------------------------------------------------------

    def verify_sample(self, stage: int) -> None:
        """Recompute entries of a solved stage from their successors: all of a small one, samples of others.

        The solver relies on `index` and `predecessors`. Raise GameError if the entries show that they are wrong.
        """
        slots, nothing = self.tables.slots(stage), StageWork(0).words
        starts = range(0, slots, max(SAMPLE_SIZE, slots // SAMPLE_COUNT))

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            for part in starts[start:stop]:
                last = min(part + SAMPLE_SIZE, slots)
                if initialise(self.game, stage, part, last, VERIFY, self.tables.words, nothing, memory) < last:
                    return start
            return stop

        def refuse(why: int, where: int, reached: int) -> None:
            raise GameError(
                f"solve of {self.game!r}: in stage {stage} entries do not follow from their successors, so `index`, "
                "`at` or `predecessors` must be wrong; zermelo check tells more."
            )

        self.pool.parallel_for(len(starts), job, refuse, chunk=1)

    # -- counting and recovery ----------------------------------------------------------------------------------------

    def count_entries(self, stage: int, greatest: int) -> list[tuple[int, int, int]]:
        """Count the states that have each entry, up to the greatest, and the positions they stand for."""
        counts = [(Words.zeros(greatest + 1), Words.zeros(greatest + 1)) for _ in self.pool.memories]

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(count_entries(self.game, stage, start, stop, self.tables.words, *counts[number], memory))

        self.pool.parallel_for(self.tables.slots(stage), job)
        states = np.sum([mine.array for mine, _ in counts], axis=0)
        positions = np.sum([theirs.array for _, theirs in counts], axis=0)
        return [(int(entry), int(states[entry]), int(positions[entry])) for entry in np.flatnonzero(states)]

    def _recover(self, stage: int) -> Any:
        def recover(why: int, where: int, reached: int) -> None:
            if why == NO_TABLE and self.missing is not None and where > stage:
                counters = self.pool.counters()
                done, total = self.progress.done, self.progress.total
                self.missing(where)
                self.progress.begin("backward", stage, total)
                self.progress.done = done
                self.pool.restore(counters)
                return
            state = self.state(stage, reached)
            game = self.game
            if why == NO_TABLE:
                raise GameError(
                    f"solve of {game!r}: `stage` goes back from {stage} to {where} after {game.state_text(state)}; a "
                    "move never leads to a lower stage."
                )
            if why == OUT_OF_RANGE:
                raise points_error(game, state, where)
            assert why == STATE_MISSING, why
            raise unnumbered_error(game, state)

        return recover

    def state(self, stage: int, number: int) -> Any:
        """Return the state with a number."""
        if rules.has_index(self.game):
            return self.game.at(stage, number)
        words = self.tables.packing.words
        return self.tables.packing.state(self.game, self.tables.keys(stage)[number * words : (number + 1) * words])


def unnumbered_error(game: Game, state: State) -> GameError:
    return GameError(
        f"solve of {game!r}: a move in {game.state_text(state)} leads to a state that `index` gives no number, or one "
        "at which `at` finds no state; every state that can be reached needs one."
    )


def unbounded_error(game: Game, stage: int, gap: float) -> GameError:
    return GameError(
        f"solve of {game!r}: in stage {stage} the bounds stay {gap:.3g} apart; some play there never ends, or epsilon "
        "is less than floats can tell."
    )


def points_error(game: Game, state: State, points: int) -> GameError:
    return GameError(
        f"solve of {game!r}: {game.state_text(state)} is worth {points} points, and there is room for less than "
        f"{DECISIVE}."
    )


def payoff_error(game: Game, state: State, payoff: float) -> GameError:
    low, high = game.payoff_bounds
    return GameError(
        f"solve of {game!r}: {game.state_text(state)} is worth {payoff:g}, which is not between the payoff_bounds "
        f"{low:g} and {high:g}; give the class wider ones."
    )


def as_int32(words: Words) -> Any:
    return words.array.view("int32")
