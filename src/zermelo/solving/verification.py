"""Verification: every entry of a solution is recomputed from its successors."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from zermelo import rules
from zermelo.game import GameError
from zermelo.solving.enumeration.forward_pass import ForwardPass, TooNarrow, first_key
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.table_access import ENTRIES, UPPERS
from zermelo.solving.plan import EXPECTATION, MARGIN
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.backward_pass import BackwardPass
from zermelo.solving.retrograde.database_loading import load_database
from zermelo.solving.retrograde.entries import WDL_ENTRIES, value_of
from zermelo.solving.retrograde.margin import solve_margins
from zermelo.solving.retrograde.solver_memory import WRONG_ENTRY
from zermelo.solving.retrograde.stage_work import StageWork
from zermelo.solving.retrograde.wdl import VERIFY, initialise
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.solving.solution import Solution
from zermelo.solving.storage.entry_tables import EntryTable, KeyedTable, ListedTable
from zermelo.solving.storage.section_validation import ROUNDING
from zermelo.textbook.game_graph import reachable_graph
from zermelo.value import Value
from zermelo.word_arrays import Words


@dataclass(frozen=True)
class Verification:
    """What was verified: entries computed from their successors, and states that a search proved, of those drawn.

    Without distances (wdl, or points), the entries of a cycle can support each other, so that agreement is no proof.
    """

    checked: int
    sampled: int
    drawn: int
    seconds: float

    def __str__(self) -> str:
        proven = f"a forward search proved {self.sampled:,} of {self.drawn:,} random states, with the same values"
        return f"{self.checked:,} entries follow from their successors; {proven}"


def recompute(
    solution: Solution, threads: int | None = None, progress: Callable[[Progress], None] | None = None
) -> int:
    """Recompute every entry from its successors. Return how many. Raise GameError for the first that differs."""
    for table in solution.tables.values():
        if isinstance(table, ListedTable):
            return _recompute_listed(solution, table)
    threads = threads or os.cpu_count() or 1
    if solution.header.packing is not None:
        _check_states(solution, solution.header.packing, threads, Progress(progress))
    backward = load_database(solution, threads)
    backward.progress.listener = progress
    for stage, table in sorted(solution.tables.items()):
        assert isinstance(table, EntryTable)
        backward.progress.begin("verifying", stage, backward.tables.slots(stage))
        if solution.header.values == EXPECTATION:
            _recompute_bounds(solution, backward, stage)
        else:
            recompute_stage(solution, backward, stage)
            _recount(solution, stage, table)
        backward.progress.solved += table.length
    return len(solution)


def _recount(solution: Solution, stage: int, table: EntryTable) -> None:
    """Raise GameError unless the counts of the header are those of the entries."""
    found, numbers = np.unique(table.all(), return_counts=True)
    whole = WDL_ENTRIES if table.bits == 2 else {}
    base = table.base - 1 if solution.header.values == MARGIN else 0
    counted = {
        whole.get(int(entry), int(entry) + base): int(number)
        for entry, number in zip(found, numbers, strict=True)
        if entry
    }
    said = {count.entry: count.states for count in solution.header.counts if count.stage == stage}
    if counted != said:
        raise GameError(
            f"{solution.path or 'the solution'} is wrong about {solution.game!r}: what it counts in stage {stage} is "
            "not what it holds."
        )


def recompute_stage(solution: Solution, backward: BackwardPass, stage: int) -> None:
    """Recompute every entry of a stage. Raise GameError for the first that differs."""
    game, words, nothing = solution.game, backward.tables.words, StageWork(0).words
    points = solution.header.values == MARGIN

    def job(number: int, memory: Words, start: int, stop: int) -> int:
        if points:
            return int(solve_margins(game, stage, start, stop, VERIFY, words, nothing, memory))
        return int(initialise(game, stage, start, stop, VERIFY, words, nothing, memory))

    def refuse(why: int, where: int, reached: int) -> None:
        should = str(Value.margin(where) if points else value_of(where)) if why == WRONG_ENTRY else "unknown"
        raise solution.contradiction(backward.state(stage, reached), f"{should} by its successors")

    backward.pool.parallel_for(backward.tables.slots(stage), job, refuse, backward.progress.advance)


def _recompute_bounds(solution: Solution, backward: BackwardPass, stage: int) -> None:
    """Raise GameError unless recomputed bounds lie between the stored ones, which proves that those are bounds."""
    arrays = backward.tables.arrays[stage]
    slots = backward.tables.slots(stage)
    numbers = np.arange(slots, dtype=np.int32)
    if not rules.has_index(solution.game):
        keys = backward.tables.keys(stage).reshape(slots, -1)
        numbers = np.flatnonzero(keys[:, 0]).astype(np.int32)
    low, high = arrays[ENTRIES].view(np.float64), arrays[UPPERS].view(np.float64)
    new_low, new_high = low.copy(), high.copy()
    backward.tighten(stage, backward.from_int32(numbers), len(numbers), new_low, new_high, 1)
    wrong = (new_low < low - ROUNDING) | (new_high > high + ROUNDING) | (high - low > solution.header.error + ROUNDING)
    for number in np.flatnonzero(wrong)[:1]:
        state = backward.state(stage, int(number))
        raise solution.contradiction(state, f"{new_low[number]:.9f} by its successors")


def _recompute_listed(solution: Solution, table: ListedTable) -> int:
    """Recompute interpreted, for games that do not compile."""
    if set(table.states) != set(reachable_graph(solution.game, symmetric=True).states):
        raise _other_states(solution)
    for state in table.states:
        solution.check(state)
    return len(solution)


def _check_states(solution: Solution, packing: Packing, threads: int, progress: Progress) -> None:
    """Enumerate the states again. Raise GameError unless they are those of the solution.

    Compiled rules check no bounds, so they must be given only states that they have made themselves.
    """
    header = solution.header
    merged = header.order == "acyclic" and not header.staged
    progress.enumeration_phase = "finding"
    forward = ForwardPass(
        solution.game, packing, WorkerPool(threads, len(packing.fields), packing.words, int(merged)), progress
    )
    left = {stage: table.sorted_keys() for stage, table in solution.tables.items() if isinstance(table, KeyedTable)}
    plies = []
    try:
        forward.seed(*first_key(solution.game, packing))
        for stage, keys in forward.stages():
            progress.states += len(keys) // packing.words
            if merged:
                plies.append(keys)
            elif not np.array_equal(keys, left.pop(stage, None)):
                raise _other_states(solution)
    except TooNarrow:
        raise _other_states(solution) from None
    if merged:
        rows = np.unique(np.concatenate(plies).reshape(-1, packing.words), axis=0)
        same = np.array_equal(rows.reshape(-1), left[0])
    else:
        same = not left
    if not same:
        raise _other_states(solution)


def _other_states(solution: Solution) -> GameError:
    game = solution.game
    return GameError(
        f"{solution.path or 'the solution'} is wrong about {game!r}: its states are not those of the game."
    )
