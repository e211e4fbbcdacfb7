"""The backward pass: the entries of one stage, given those of later stages."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.game import Game, GameError, State
from zermelo.solving.enumeration.reachable_states import tally
from zermelo.solving.enumeration.state_tables import StateTables, slots_for
from zermelo.solving.enumeration.table_access import find_keys, insert_keys
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.entries import DECIDED, MINE, REPEATS, THEIRS, pack_entries, plies_of, unpack_entries
from zermelo.solving.retrograde.expectation import tighten_bounds
from zermelo.solving.retrograde.margin import solve_margins
from zermelo.solving.retrograde.solver_memory import INNER_MOVES, NO_TABLE, OUT_OF_RANGE, STATE_MISSING
from zermelo.solving.retrograde.wdl import BLOCKED, INITIALISE, LINK, REACHED, UNDECIDED, VERIFY, initialise, propagate
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.solving.storage.stage_records import SolvedStage
from zermelo.value import DECISIVE
from zermelo.word_arrays import Words

NEVER_RESOLVED = 1 << 30
"""More successors than any state has: a counter that never reaches zero."""

SAMPLE_SIZE, SAMPLE_COUNT = 1024, 64
"""Entries of a sample that is verified, and samples of a stage."""

STAGE_ERROR_SHARE = 1e-4
"""The part of epsilon that one stage may use, since the errors of later stages add to it."""


class BackwardPass:
    """Retrograde analysis of one stage after the other; later stages are in the state tables, with their entries."""

    def __init__(self, game: Game, tables: StateTables, pool: WorkerPool, progress: Progress) -> None:
        self.game = game
        self.tables = tables
        self.pool = pool
        self.progress = progress
        self.missing: Any = None

    def load_keys(self, stage: int, keys: Any) -> None:
        """Insert the sorted keys of a stage into its state table."""
        words = self.tables.packing.words
        slots = slots_for(repr(self.game), len(keys) // words)
        self.tables.set_keys(stage, np.zeros(slots * words, np.int64), slots)
        record, source = self.tables.record(stage), Words(keys)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            insert_keys(self.game, source, start, stop, self.tables.words, record, memory)
            return stop

        self.pool.parallel_for(len(keys) // words, job)

    def numbers(self, stage: int, keys: Any) -> Any:
        """Return the numbers of the sorted keys of a stage, in their order."""
        count = len(keys) // self.tables.packing.words
        record, source, numbers = self.tables.record(stage), Words(keys), int32_words(count)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(find_keys(self.game, source, start, stop, self.tables.words, record, numbers, memory))

        self.pool.parallel_for(count, job)
        return as_int32(numbers)[:count]

    def load(self, stage: int, keys: Any, solved: SolvedStage) -> None:
        """Load a solved stage into its state table; `keys` are None where a rule numbers the states."""
        if keys is None:
            self.tables.set_keys(stage, np.zeros(1, np.int64), solved.length)
            numbers: Any = slice(None)
        else:
            self.load_keys(stage, keys)
            numbers = self.numbers(stage, keys)
        if solved.bits == 64:
            both = [np.zeros(self.tables.slots(stage)) for _ in range(2)]
            both[0][numbers], both[1][numbers] = solved.entries, solved.uppers
            self.tables.set_entries(stage, both[0].view(np.int64), 64, 0, both[1].view(np.int64))
        else:
            entries = np.zeros(self.tables.slots(stage), np.int32)
            entries[numbers] = unpack_entries(solved.entries, solved.bits, solved.length)
            self.tables.set_entries(stage, pack_entries(entries, solved.bits), solved.bits, solved.base)

    # -- wins, losses and draws --------------------------------------------------------------------------------------

    def wdl_entries(self, stage: int) -> Words:
        """Return the entries of all numbers of a stage, as int32."""
        slots = self.tables.slots(stage)
        codes, remaining = int32_words(slots), int32_words(slots)
        backs = rules.has_predecessors(self.game)
        incoming = int32_words(0 if backs else slots + 1)
        self.pool.reset(INNER_MOVES)
        self._initialise(stage, INITIALISE, codes, remaining, incoming, int32_words(0))
        if self.pool.total(INNER_MOVES):
            self._check_reached(stage, as_int32(codes), as_int32(remaining))
            sources = int32_words(0)
            if not backs:
                sources = self._link(stage, codes, remaining, incoming)
            self._decide(stage, codes, remaining, incoming, sources)
            self._draw(stage, codes, remaining, incoming, sources)
        return codes

    def _check_reached(self, stage: int, entries: Any, counters: Any) -> None:
        """Raise GameError if a move leads to a number of `index` that no state has."""
        if rules.has_index(self.game):
            for number in np.flatnonzero((counters & REACHED != 0) & (entries == 0))[:1]:
                raise unnumbered_error(self.game, self.game.at(stage, int(number)))
            counters &= ~REACHED

    def _initialise(
        self, stage: int, task: int, codes: Words, remaining: Words, incoming: Words, sources: Words
    ) -> None:
        self.progress.begin("backward", stage, self.tables.slots(stage))

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            words = self.tables.words
            return int(
                initialise(self.game, stage, start, stop, task, words, codes, remaining, incoming, sources, memory)
            )

        self.pool.parallel_for(self.tables.slots(stage), job, self._recover(stage), self.progress.advance)

    def _link(self, stage: int, codes: Words, remaining: Words, incoming: Words) -> Words:
        """Return the predecessor links inside a stage; `incoming` has their offset for each state."""
        degrees = as_int32(incoming)
        slots, edges = self.tables.slots(stage), int(degrees[: self.tables.slots(stage)].sum(dtype=np.int64))
        if edges >= 1 << 31:
            raise GameError(
                f"solve of {self.game!r}: stage {stage} has {edges:,} moves inside it; write a `predecessors` rule."
            )
        begins = np.concatenate(([0], np.cumsum(degrees[:slots])))
        degrees[: slots + 1] = begins
        sources = int32_words(edges)
        self._initialise(stage, LINK, codes, remaining, incoming, sources)
        degrees[: slots + 1] = begins
        return sources

    def _decide(self, stage: int, codes: Words, remaining: Words, offsets: Words, sources: Words) -> None:
        """Propagate wins and losses, in the order of their distance."""
        entries = as_int32(codes)
        plies = 0
        while plies <= plies_of(int(entries.max(initial=0))):
            decided = DECIDED + 2 * plies
            frontier = np.flatnonzero((entries | 1) == decided + 1).astype(np.int32)
            results = (entries[frontier] & 1 == 0).astype(np.int32)
            plies += 1
            self._propagate(stage, frontier, results, plies, codes, remaining, offsets, sources)

    def _draw(self, stage: int, codes: Words, remaining: Words, offsets: Words, sources: Words) -> None:
        """Propagate who can force a drawn end among the remaining states; the others are draws by repetition."""
        entries, counters = as_int32(codes), as_int32(remaining)
        open_states = np.flatnonzero(entries < 0)
        before = entries[open_states]
        blocked = before & BLOCKED != 0
        flags = (before & MINE) | np.where((counters[open_states] == 0) & ~blocked, THEIRS, 0)
        counters[open_states[blocked]] = NEVER_RESOLVED
        entries[open_states] = UNDECIDED | flags
        results = np.where(
            entries < 0, entries & 3, np.where((entries > REPEATS) & (entries < DECIDED), entries & 3, 0)
        )
        frontier = np.flatnonzero(results).astype(np.int32)
        results = results[frontier].astype(np.int32)
        while len(frontier):
            self._propagate(stage, frontier, results, 0, codes, remaining, offsets, sources)
            frontier = np.flatnonzero((entries < 0) & (entries & 12 != 0)).astype(np.int32)
            results = entries[frontier] >> 2 & 3
            entries[frontier] &= ~12
        entries[open_states] = REPEATS | entries[open_states] & 3

    def _propagate(self, stage: int, frontier: Any, results: Any, plies: int, *tables: Words) -> None:
        those, what = from_int32(frontier), from_int32(results)

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            words = self.tables.words
            codes, remaining, offsets, sources = tables
            return int(
                propagate(
                    self.game, stage, those, what, start, stop, plies, words, codes, remaining, offsets, sources, memory
                )
            )

        self.pool.parallel_for(len(frontier), job)

    # -- margins and expectations ------------------------------------------------------------------------------------

    def margin_entries(self, stage: int) -> Words:
        """Return the margins of all numbers of a stage, above MARGIN_BASE, as int32."""
        codes = int32_words(self.tables.slots(stage))
        self.pool.reset(INNER_MOVES)
        self.progress.begin("backward", stage, self.tables.slots(stage))

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            words = self.tables.words
            return int(solve_margins(self.game, stage, start, stop, INITIALISE, words, codes, memory))

        self.pool.parallel_for(self.tables.slots(stage), job, self._recover(stage), self.progress.advance)
        if self.pool.total(INNER_MOVES):
            raise GameError(
                f"solve of {self.game!r}: moves stay in stage {stage}, and points are only compared across stages; let "
                "`stage` rise with every move, or leave it out."
            )
        return codes

    def expectation_bounds(self, stage: int, numbers: Any, epsilon: float) -> tuple[Any, Any]:
        """Return bounds of the expectations of all numbers of a stage, no farther apart than epsilon.

        `numbers` are those of states, in an order that does not depend on threads. Where a state's bounds depend on
        others of the stage, one thread does it, so that they come out the same every time.
        """
        widest = float(max(map(abs, self.game.payoff_bounds)))
        slots = self.tables.slots(stage)
        low, high = np.full(slots, -widest), np.full(slots, widest)
        orders = from_int32(numbers), from_int32(numbers[::-1])
        self.pool.reset(INNER_MOVES)
        self.tighten(stage, orders[0], len(numbers), low.copy(), high.copy(), self.pool.threads)
        alone = not self.pool.total(INNER_MOVES)
        gained = [np.inf, np.inf]
        between = float(np.nansum((high - low)[numbers]))  # in an order that does not depend on threads
        while True:
            way = int(gained[1] >= gained[0])  # the way that brought the bounds nearer, once both have been tried
            self.tighten(stage, orders[way], len(numbers), low, high, self.pool.threads if alone else 1)
            gap = float(np.nanmax((high - low)[numbers], initial=0.0))
            before, between = between, float(np.nansum((high - low)[numbers]))
            gained[way] = before - between
            if gap <= epsilon * STAGE_ERROR_SHARE or alone or max(gained) <= before * 1e-12:
                break
        if gap > epsilon:
            raise unbounded_error(self.game, stage, gap)
        self._check_payoffs(stage, low, widest if not alone else math.inf)
        return low, high

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
        slots, nothing = self.tables.slots(stage), int32_words(0)
        starts = range(0, slots, max(SAMPLE_SIZE, slots // SAMPLE_COUNT))

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            for part in starts[start:stop]:
                last = min(part + SAMPLE_SIZE, slots)
                words = self.tables.words
                edges = nothing, nothing, nothing, nothing
                if initialise(self.game, stage, part, last, VERIFY, words, *edges, memory) < last:
                    return start
            return stop

        def refuse(why: int, where: int, reached: int) -> None:
            raise GameError(
                f"solve of {self.game!r}: in stage {stage} entries do not follow from their successors, so `index`, "
                "`at` or `predecessors` must be wrong; zermelo check tells more."
            )

        self.pool.parallel_for(len(starts), job, refuse)

    # -- counting and recovery ----------------------------------------------------------------------------------------

    def tally(self, stage: int, codes: Words) -> list[tuple[int, int, int]]:
        """Count the states that have each entry, and the positions they stand for."""
        greatest = int(as_int32(codes).max(initial=0))
        counts = [(Words.zeros(greatest + 1), Words.zeros(greatest + 1)) for _ in self.pool.memories]

        def job(number: int, memory: Words, start: int, stop: int) -> int:
            return int(tally(self.game, stage, start, stop, self.tables.words, codes, *counts[number], memory))

        self.pool.parallel_for(self.tables.slots(stage), job)
        states = np.sum([mine.array for mine, _ in counts], axis=0)
        positions = np.sum([theirs.array for _, theirs in counts], axis=0)
        return [(int(entry), int(states[entry]), int(positions[entry])) for entry in np.flatnonzero(states)]

    def _recover(self, stage: int) -> Any:
        def recover(why: int, where: int, reached: int) -> None:
            if why == NO_TABLE and self.missing is not None and where > stage:
                inside = [memory[INNER_MOVES] for memory in self.pool.memories]
                done, total = self.progress.done, self.progress.total
                self.missing(where)
                self.progress.begin("backward", stage, total)
                self.progress.done = done
                for memory, count in zip(self.pool.memories, inside, strict=True):
                    memory[INNER_MOVES] = count
                return
            state = self.state(stage, reached)
            game = self.game
            if why == NO_TABLE:
                raise GameError(
                    f"solve of {game!r}: `stage` goes back from {stage} to {where} after {game.state_text(state)}; a "
                    "move never leads to a lower stage."
                )
            if why == OUT_OF_RANGE:
                raise GameError(
                    f"solve of {game!r}: {game.state_text(state)} is worth {where} points, and there is room for less "
                    f"than {DECISIVE}."
                )
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


def payoff_error(game: Game, state: State, payoff: float) -> GameError:
    low, high = game.payoff_bounds
    return GameError(
        f"solve of {game!r}: {game.state_text(state)} is worth {payoff:g}, which is not between the payoff_bounds "
        f"{low:g} and {high:g}; give the class wider ones."
    )


def int32_words(count: int) -> Words:
    """Return words with room for `count` int32 numbers, all zero."""
    return Words.zeros((count + 1) // 2)


def as_int32(words: Words) -> Any:
    return words.array.view("int32")


def from_int32(numbers: Any) -> Words:
    """Return words that hold these int32 numbers."""
    words = int32_words(len(numbers))
    as_int32(words)[: len(numbers)] = numbers
    return words
