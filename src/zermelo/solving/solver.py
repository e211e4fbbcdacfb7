"""The solver: enumeration of all stages of a game, then the backward pass, with finished stages in a store."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
from xxhash import xxh3_128_digest

from zermelo import rules
from zermelo.game import Game, GameError
from zermelo.native.compilability import known_error
from zermelo.solving.enumeration.forward_pass import ForwardPass, first_key
from zermelo.solving.enumeration.run_arenas import arena_memories
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.state_tables import StateTables
from zermelo.solving.enumeration.successor_parts import SuccessorParts
from zermelo.solving.enumeration.table_access import ENTRIES
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.plan import EXPECTATION, MARGIN, WDL, Plan
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.acyclic_pass import AcyclicPass, NotAcyclic, SortedStage
from zermelo.solving.retrograde.backward_pass import BackwardPass, as_int32
from zermelo.solving.retrograde.entries import (
    DECIDED,
    REPEATS,
    TIE,
    WDL_ENTRIES,
    drop_distances,
    entries_at,
    entry_width,
    pack_entries,
    unpack_entries,
    write_entries,
)
from zermelo.solving.retrograde.margin import MARGIN_BASE
from zermelo.solving.retrograde.stage_work import greatest_code, packed_codes
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.solving.storage.database_header import MAX_STAGE_LENGTH
from zermelo.solving.storage.part_layers import ExpandedPart
from zermelo.solving.storage.stage_records import SolvedStage
from zermelo.solving.storage.store import Store

if TYPE_CHECKING:
    from zermelo.solving.stage_reuse import KnownStage

RECURSION_LIMIT = 1 << 20
"""Depth of Python calls: a dozen for each stage that waits for a later one to be solved."""


SPARE_ROOM = 2
"""The memory that solving a stage takes, in units of that of its keys, before the next stage may be read ahead."""

MERGED_STAGES = 64
"""Stages whose keys are merged at a time."""

MAX_PLIES = 100_000
"""Plies of a game whose stages are numbers of plies."""


class Solver:
    """One solve of one game whose rules compile; `first` is its first stage."""

    def __init__(
        self,
        game: Game,
        plan: Plan,
        packing: Packing,
        store: Store,
        *,
        first: int,
        wdl: bool,
        threads: int,
        epsilon: float,
        progress: Progress,
        budget: MemoryBudget | None = None,
        known: dict[int, KnownStage] | None = None,
    ) -> None:
        budget = budget or MemoryBudget()
        self.known = known or {}
        self.budget = budget
        self.game = game
        self.plan = plan
        self.packing = packing
        self.store = store
        self.wdl = wdl
        self.epsilon = epsilon
        self.progress = progress
        self.pool = WorkerPool(threads, len(packing.fields), packing.words, plan.step, rules.state_length(game))
        self.tables = StateTables(repr(game), packing, first)
        self.backward = BackwardPass(game, self.tables, self.pool, progress, budget)
        self.memories = arena_memories(budget, threads)
        """The memory of the arenas of both passes, one after the other."""
        self.acyclic = AcyclicPass(game, self.tables, self.pool, progress, budget, self.memories)

    # -- states that can be reached ----------------------------------------------------------------------------------

    def solve_reachable(self) -> None:
        """Enumerate the states that can be reached from the initial one, then solve the stages, the last one first."""
        self.progress.states = sum(self.store.sizes.values())
        self.progress.solved = sum(solved.states for solved in self.store.solved.values())
        if not self.store.forward_done:
            self._enumerate()
            if not self._is_acyclic(()):  # the memory of the arenas is not needed any more
                for memory in self.memories:
                    memory.release()
        leads = {stage: set(to) for stage, to in self.store.leads.items()}
        needed = Counter(later for to in leads.values() for later in to)
        order = sorted(leads, reverse=True)
        for stage, following in zip_longest(order, order[1:]):
            if stage not in self.store.solved:
                for later in sorted(leads[stage] - {stage}):
                    self._load(later)
                keys = self.store.keys_of(stage, self.packing.words)
                if following is not None and following not in self.store.solved:
                    self.store.read_ahead(following, self.packing.words, SPARE_ROOM * keys.nbytes)
                self._solve_stage(stage, keys)
                del keys
                self.store.release_keys(stage)
            needed.subtract(leads[stage])
            for later in [each for each in self.tables.arrays if not needed[each]]:
                self.tables.clear(later)
            for later in [each for each in self.acyclic.stages if not needed[each]]:
                del self.acyclic.stages[later]
        if self.plan.step:
            self.merge_plies()
        else:
            self._save()

    def merge_plies(self) -> None:
        """Merge the stages, which were numbers of plies, into one: a state does not have its number of plies."""
        store, words = self.store, self.packing.words
        keys = self._all_keys()
        self.backward.load_keys(0, keys)
        numbers = self.backward.numbers(0, keys)
        slots = self.tables.slots(0)
        if self.plan.values == EXPECTATION:
            low, high = (self.budget.zeros(slots).view(np.float64) for _ in range(2))
            for stage in store.solved:
                part = store.solved_of(stage)
                places = self.backward.numbers(0, np.asarray(store.keys_of(stage, words)))
                low[places], high[places] = part.entries, part.uppers
            store.replace_stages(keys)
            store.add_solved(self._bounds(0, low, high, numbers))
            return
        base = min(solved.base for solved in store.solved.values())
        codes = as_int32(self.backward.int32_words(slots))[:slots]
        for stage in store.solved:
            part = store.solved_of(stage)
            places = self.backward.numbers(0, np.asarray(store.keys_of(stage, words)))
            codes[places] = unpack_entries(part.entries, part.bits, part.length) + (part.base - base)
        store.replace_stages(keys)
        greatest = greatest_code(self.pool, codes)
        bits = 2 if self.wdl else entry_width(greatest)
        store.add_solved(self._entries(0, pack_entries(codes, bits), numbers, bits, base, greatest))

    def _all_keys(self) -> Any:
        """Return the sorted keys of all stages."""
        parts = SuccessorParts(self.game, self.packing.words, self.pool, self.budget)
        arrays = [np.asarray(self.store.keys_of(stage, self.packing.words)) for stage in self.store.solved]
        while len(arrays) > 1:
            arrays = [parts.union(arrays[i : i + MERGED_STAGES]) for i in range(0, len(arrays), MERGED_STAGES)]
        return arrays[0]

    def forward_pass(self) -> Any:
        """Return what enumerates the stages."""
        return ForwardPass(self.game, self.packing, self.pool, self.progress, self.budget, self.memories)

    def _enumerate(self) -> None:
        store, words = self.store, self.packing.words
        forward = self.forward_pass()
        if store.pending:
            for stage, keys in store.pending.items():
                forward.seed(stage, keys)
            store.pending.clear()
            if store.expanded is not None:
                forward.kept = store.expanded.stage, store.expanded.reached, store.expanded.found
                store.expanded = None
        else:
            forward.seed(*first_key(self.game, self.packing))

        def keep(stage: int, keys: Any, reached: int, found: dict[int, list[Any]]) -> None:
            pending = {stage: keys} | {later: forward.pending_keys(later) for later in forward.pending}
            store.save_expanded(ExpandedPart(stage, reached, found), pending, words)

        if store.checkpoint is not None:
            forward.keep = keep
        seen: set[bytes] = set()
        for stage, keys in forward.stages():
            self._check_compiled()
            self._check_depth(keys, seen)
            store.add_keys(stage, keys, forward.leads[stage], words)
            self.progress.states += len(keys) // words
            if store.due() and forward.pending:
                store.save_forward({later: forward.pending_keys(later) for later in forward.pending}, words)
        forward.keep = None  # it knows the pass, which would keep its arenas as long as itself
        store.end_forward()

    def _check_depth(self, keys: Any, seen: set[bytes]) -> None:
        """Raise GameError if the same states occur after more plies, so that play repeats."""
        if self.plan.step and len(seen) > MAX_PLIES:
            raise GameError(
                f"solve of {self.game!r}: play goes on for more than {MAX_PLIES:,} plies, perhaps for ever."
            )
        if self.plan.step and len(keys):
            name = xxh3_128_digest(np.asarray(keys).data)
            if name in seen:
                raise self._undeclared_loops("earlier states")
            seen.add(name)

    def _undeclared_loops(self, where: str) -> GameError:
        return GameError(f"solve of {self.game!r}: play repeats {where}, although the game does not say loops = True.")

    # -- states that a rule numbers ----------------------------------------------------------------------------------

    def solve_dense(self, stage: int) -> None:
        """Solve a stage whose states a rule numbers, after every stage that it leads to."""
        for later in self.store.solved:
            self._load(later)
        self._read_known(stage)
        self.backward.missing = self._solve_numbered
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(RECURSION_LIMIT)  # a stage that is missing is solved inside the one that leads to it
        try:
            self._solve_numbered(stage)
        finally:
            sys.setrecursionlimit(limit)
        self._save()

    def _read_known(self, first: int) -> None:
        """Read the stages that databases hold, and compare samples of them with the rules."""
        read = [stage for stage in sorted(self.known) if stage >= first and stage not in self.store.solved]
        for stage in read:
            solved = self.known[stage].read(stage, self.budget)
            self.store.add_solved(solved)
            self.progress.solved += solved.states
            self._load(stage)
        for stage in read:
            try:
                self.backward.verify_sample(stage)
            except GameError:
                solution, there = self.known[stage]
                raise GameError(
                    f"solve of {self.game!r}: the entries of stage {there} of {solution.path} do not follow from their "
                    "successors; solve that file anew, or do not reuse it."
                ) from None

    def _solve_numbered(self, stage: int) -> None:
        if stage not in self.store.solved:
            size = int(self.game.size(stage))
            if not 0 < size <= MAX_STAGE_LENGTH:
                raise GameError(
                    f"solve of {self.game!r}: stage {stage} has size {size:,}; from 1 to {MAX_STAGE_LENGTH:,} can be."
                )
            self.tables.set_keys(stage, np.zeros(1, np.int64), size)
            self._solve_stage(stage, None)

    # -- one stage ---------------------------------------------------------------------------------------------------

    def solve_stage(self, stage: int, keys: Any) -> SolvedStage:
        """Solve one stage, given all that it leads to in the store; `keys` are None where a rule numbers its states.

        The states may be some of the stage, if no move stays in it, and later stages may lack what none of them needs.
        """
        for later in sorted(self.store.solved):
            self._load(later)
        if keys is None:
            self._solve_numbered(stage)
        else:
            self._solve_stage(stage, keys)
        return self.store.solved[stage]

    def _check_compiled(self) -> None:
        """Raise GameError if the rules turn out not to compile: interpreted kernels would be far too slow."""
        if known_error(self.game):
            raise GameError(f"solve of {self.game!r}: {self.game.native_error}.")

    def _solve_stage(self, stage: int, keys: Any) -> None:
        """Solve a stage, and store its entries in the state tables, for the stages before it, and in the store."""
        try:
            solved = self._evaluate(stage, keys) if self._is_acyclic(keys) else self._analyse(stage, keys)
        except NotAcyclic:
            solved = self._analyse(stage, keys)
        self._check_compiled()
        self.store.add_solved(solved)
        self.progress.solved += solved.states
        if self.store.due():
            self.store.save_solved()

    def _is_acyclic(self, keys: Any) -> bool:
        """Return whether each state is visited once, after its successors."""
        return keys is not None and self.plan.values == WDL and self.plan.order == "acyclic"

    def _evaluate(self, stage: int, keys: Any) -> SolvedStage:
        """Evaluate the states of a stage that is left by every move."""
        known = (row[0] for solved in self.store.solved.values() for row in solved.counts)
        kept = self.store.pop_evaluated(stage)
        keep = None if self.store.checkpoint is None else self.store.save_evaluated
        greatest = max(known, default=DECIDED + 1)
        codes, width, counts = self.acyclic.evaluate(stage, keys, self._later_stages(stage), greatest, kept, keep)
        if any(REPEATS <= entry < TIE for entry, _, _ in counts):
            raise NotAcyclic  # play repeats after all; the general method says where
        length = len(keys) // self.packing.words
        counts = by_outcome(counts) if self.wdl else counts
        bits = 2 if self.wdl else entry_width(counts[-1][0] if counts else 0)
        entries = self.acyclic.packed(codes, width, bits, length)
        self.acyclic.stages[stage] = SortedStage(keys, entries, bits)
        return SolvedStage(stage, length, bits, 0, self._counts(counts), entries)

    def _analyse(self, stage: int, keys: Any) -> SolvedStage:
        """Solve a stage in which moves may stay, by retrograde analysis."""
        if keys is not None:
            for later in self._later_stages(stage):
                self._load_table(later)
            self.backward.load_keys(stage, keys)
        solve = {WDL: self._solve_wdl, MARGIN: self._solve_margins, EXPECTATION: self._solve_expectations}[
            self.plan.values
        ]
        numbers = slice(None) if keys is None else self.backward.numbers(stage, keys)
        solved = solve(stage, numbers)
        if self.plan.values == WDL and (keys is None or rules.has_predecessors(self.game)):
            self.backward.verify_sample(stage)
        return solved

    def _solve_wdl(self, stage: int, numbers: Any) -> SolvedStage:
        work = self.backward.wdl_entries(stage)
        self._check_draws(stage, work.codes)
        greatest = greatest_code(self.pool, work.codes)
        bits = 2 if self.wdl else entry_width(greatest)
        return self._entries(stage, work.packed(bits, self.pool), numbers, bits, 0, 3 if self.wdl else greatest)

    def _check_draws(self, stage: int, entries: Any) -> None:
        """Raise GameError if an acyclic game has a draw that neither player can force to an end: play repeats."""

        def job(start: int, stop: int) -> None:
            endless = (entries[start:stop] >= REPEATS) & (entries[start:stop] < TIE)
            if endless.any():
                state = self.backward.state(stage, start + int(endless.argmax()))
                raise self._undeclared_loops(self.game.state_text(state))

        if self.plan.order == "acyclic":
            self.pool.for_slices(len(entries), job)

    def _solve_margins(self, stage: int, numbers: Any) -> SolvedStage:
        codes = self.backward.margin_entries(stage)
        entries = as_int32(codes)[: self.tables.slots(stage)]
        found: list[int] = []

        def compare(start: int, stop: int) -> None:
            part = entries[start:stop]
            found.append(int(part[part > 0].min(initial=np.iinfo(np.int32).max)))

        def lower(start: int, stop: int) -> None:
            part = entries[start:stop]
            part[part > 0] -= least - 1

        self.pool.for_slices(len(entries), compare)
        least = min(found)
        self.pool.for_slices(len(entries), lower)
        greatest = greatest_code(self.pool, entries)
        bits = entry_width(greatest)
        packed = packed_codes(entries, bits, self.pool, self.budget)
        return self._entries(stage, packed, numbers, bits, least - 1 + MARGIN_BASE, greatest)

    def _entries(self, stage: int, packed: Any, numbers: Any, bits: int, base: int, greatest: int) -> SolvedStage:
        """Set the entries of a stage in the tables, count them, and return those of the states."""
        self.tables.set_entries(stage, packed, bits, base)
        counts = self._counts(self.backward.count_entries(stage, greatest))
        length = self.tables.slots(stage)
        if not isinstance(numbers, slice):
            packed, length = self._in_order(packed, bits, numbers), len(numbers)
        return SolvedStage(stage, length, bits, base, counts, packed)

    def _in_order(self, packed: Any, bits: int, numbers: Any) -> Any:
        """Return the entries with these numbers, packed in this order."""
        words = self.budget.zeros(-(-len(numbers) * bits // 64))

        def job(start: int, stop: int) -> None:
            write_entries(words, start, entries_at(packed, numbers[start:stop], bits), bits)

        self.pool.for_slices(len(numbers), job)
        return words

    def _counts(self, counts: list[tuple[int, int, int]]) -> list[list[int]]:
        """Return rows (entry, states, positions), with entries of two bits widened."""
        whole = WDL_ENTRIES if self.wdl else {}
        return [[whole.get(entry, entry), states, positions] for entry, states, positions in counts]

    def _solve_expectations(self, stage: int, numbers: Any) -> SolvedStage:
        if isinstance(numbers, slice):
            numbers = np.arange(self.tables.slots(stage), dtype=np.int32)
        lows, highs = self.backward.expectation_bounds(stage, numbers, self.epsilon)
        return self._bounds(stage, lows, highs, numbers)

    def _bounds(self, stage: int, lows: Any, highs: Any, numbers: Any) -> SolvedStage:
        """Set the bounds of a stage in the tables, and return those of the states."""
        low, high = (self._in_order(each.view(np.int64), 64, numbers).view(np.float64) for each in (lows, highs))
        counts = self._count_states(stage, numbers[~np.isnan(low)])
        self.tables.set_entries(stage, lows.view(np.int64), 64, 0, highs.view(np.int64))
        return SolvedStage(stage, len(low), 64, 0, counts, low, high)

    def _count_states(self, stage: int, numbers: Any) -> list[list[int]]:
        """Return the row of the states with these numbers, and of the positions they stand for."""
        marks = self.budget.zeros(-(-self.tables.slots(stage) // 8))
        marks.view(np.uint8)[numbers] = 1
        self.tables.set_entries(stage, marks, 8)
        return [[0, states, positions] for _, states, positions in self.backward.count_entries(stage, 1)]

    def _later_stages(self, stage: int) -> list[int]:
        """Return the later stages that a stage leads to."""
        return [later for later in self.store.leads.get(stage, self.store.solved) if later > stage]

    def _load(self, stage: int) -> None:
        """Load a solved stage for those that lead to it, unless it is there."""
        if rules.has_index(self.game) or not self._is_acyclic(()):
            self._load_table(stage)
        elif stage not in self.acyclic.stages:
            solved = self.store.solved_of(stage)
            keys = np.asarray(self.store.keys_of(stage, self.packing.words))
            self.acyclic.stages[stage] = SortedStage(keys, solved.entries, solved.bits)

    def _load_table(self, stage: int) -> None:
        """Load a solved stage into the state tables, unless it is there."""
        if ENTRIES not in self.tables.arrays.get(stage, {}):
            keys = None if rules.has_index(self.game) else np.asarray(self.store.keys_of(stage, self.packing.words))
            self.backward.load(stage, keys, self.store.solved_of(stage))

    def _save(self) -> None:
        if self.store.due():  # what took little time is written once, into the file
            self.store.save_solved()


def by_outcome(counts: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Add the rows (entry, states, positions) of all wins, of all losses and of all draws."""
    entries = drop_distances(np.array([entry for entry, _, _ in counts]))
    sums = {int(entry): [0, 0] for entry in sorted(entries)}
    for entry, (_, states, positions) in zip(entries, counts, strict=True):
        sums[int(entry)][0] += states
        sums[int(entry)][1] += positions
    return [(entry, states, positions) for entry, (states, positions) in sums.items()]
