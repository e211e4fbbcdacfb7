"""Entries on a GPU: stages that every move leaves, each from the entries of those that it leads to.

Where the stages do not fit into the memory of the device, the host has them. The device reads some states of a stage,
looks up their successors in one part of the later stages after the other, and then evaluates the states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.game import Game
from zermelo.native.device.cuda import CudaGame
from zermelo.native.device.device_platform import arrays, free_memory, is_simulated, release_memory, to_host
from zermelo.solving.cuda.key_runs import AnyKeys, KeyRun, KeyRuns, joined
from zermelo.solving.cuda.reachable_kernels import (
    FACTS,
    MISSING,
    MOST_MOVES,
    NO_MOVES,
    NO_VALUE,
    TOO_LARGE,
    evaluate_expectations,
    evaluate_margins,
    evaluate_states,
    look_up_successors,
)
from zermelo.solving.enumeration.compressed_keys import KEYS_PER_HEAD
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.plan import EXPECTATION, MARGIN, Plan
from zermelo.solving.retrograde.acyclic_pass import NotAcyclic
from zermelo.solving.retrograde.entries import (
    DECIDED,
    ENTRY_TYPES,
    NOTHING,
    TIE,
    drop_distances,
    entry_width,
    pack_entries,
    unpack_entries,
)
from zermelo.solving.retrograde.margin import MARGIN_BASE
from zermelo.solving.storage.stage_records import SolvedStage
from zermelo.solving.storage.store import Store

THREADS = 132 * 2048
"""Threads that evaluate the states of a stage: as many as the largest GPUs hold at a time."""

EVALUATED_KEYS = 1 << 28
"""States whose keys are read together, at most."""

EVALUATED_SHARE = 1 / 64
"""The part of the free memory that these keys may take."""

PLAIN_SHARE = 0.2
"""The part of the free memory that the keys of later stages may take without compression."""

RESIDENT_SHARE = 0.5
"""The part of the free memory that a stage and those that it leads to may take together."""

PART_SHARE = 0.25
"""The part of the free memory for states that are evaluated together, and for a part of the stages that they lead to,
where these are in the memory of the host."""

COMPRESSED_BYTES = 2
"""Bytes of a compressed key, at most, as a rule."""

FIRST_WIDTH = 8
"""Successors of a state for which there is room at first, where they are looked up part by part."""

MAX_ENTRY = 1 << 16
"""Entries that are counted."""

Rows = list[tuple[int, int, int]]
"""Rows (entry, states, positions)."""


@dataclass(frozen=True)
class Successors:
    """Where kernels find the entries of successors: `entry_of` describes the arrays."""

    run: KeyRun
    columns: tuple[Any, ...]
    bounds: Any
    found: tuple[Any, ...]
    width: int

    @property
    def arguments(self) -> tuple[Any, ...]:
        run = self.run
        return run.heads, run.starts, run.stream, *self.columns, self.bounds, *self.found, self.width


class CudaBackward:
    """Keys and entries of solved stages on the device, as long as a stage leads to them and there is room."""

    def __init__(self, game: Game, plan: Plan, packing: Packing, device: CudaGame, runs: KeyRuns, store: Store) -> None:
        self.game = game
        self.plan = plan
        self.packing = packing
        self.device = device
        self.runs = runs
        self.store = store
        self.width = FIRST_WIDTH
        self.stages: dict[int, tuple[KeyRun, tuple[Any, ...]]] = {}
        """Entries fill whole blocks of keys. Margins are above MARGIN_BASE; expectations are lower and upper bounds."""

    # -- one stage ---------------------------------------------------------------------------------------------------

    def outcomes(self, stage: int, keys: AnyKeys) -> tuple[Any, Rows]:
        """Return the entries of a stage and how many there are of each. Raise NotAcyclic if some moves stay in it."""
        xp = arrays()
        known = (row[0] for solved in self.store.solved.values() for row in solved.counts)
        greatest = max((*known, DECIDED + 1, *(int(each[1][0].max()) for each in self.stages.values())))
        dtype = np.dtype(ENTRY_TYPES[entry_width(greatest + 2)])
        states, positions = xp.zeros(MAX_ENTRY, xp.int64), xp.zeros(MAX_ENTRY, xp.int64)

        def evaluate(keys: Any, successors: Successors, columns: tuple[Any, ...], facts: Any) -> None:
            count = len(columns[0])
            threads = min(count, 64 if is_simulated() else THREADS)
            self.device.run(
                evaluate_states, threads, count, stage, self.plan.step, keys, *successors.arguments, *columns, states,
                positions, facts,
            )  # fmt: skip

        codes = self._evaluated(stage, keys, (dtype,), evaluate)[0]
        sums, sizes = to_host(states), to_host(positions)
        return codes, [(int(e), int(sums[e]), int(sizes[e])) for e in np.flatnonzero(sums)]

    def margins(self, stage: int, keys: AnyKeys) -> tuple[Any, Rows]:
        """Return the margins of a stage above MARGIN_BASE, and how many states and positions have each."""
        states: Counter[int] = Counter()
        positions: Counter[int] = Counter()

        def evaluate(keys: Any, successors: Successors, columns: tuple[Any, ...], facts: Any) -> None:
            here = columns[0]
            orbits = arrays().zeros(len(here), np.int64)
            self.device.run(
                evaluate_margins, len(here), stage, self.plan.step, keys, *successors.arguments, here, orbits, facts
            )  # fmt: skip
            found, sizes = to_host(here), to_host(orbits)
            low = int(found.min())
            for sums, numbers in ((states, np.bincount(found - low)), (positions, np.bincount(found - low, sizes))):
                sums.update({low + int(each): int(numbers[each]) for each in np.flatnonzero(numbers)})

        codes = self._evaluated(stage, keys, (np.dtype(np.int32),), evaluate)[0]
        return codes, [(margin, states[margin], positions[margin]) for margin in sorted(states)]

    def expectations(self, stage: int, keys: AnyKeys) -> tuple[Any, Any, int]:
        """Return lower and upper bounds of the expectations of a stage, and how many positions it has."""
        positions = 0

        def evaluate(keys: Any, successors: Successors, columns: tuple[Any, ...], facts: Any) -> None:
            nonlocal positions
            count = len(columns[0])
            orbits = arrays().zeros(count, np.int64)
            self.device.run(
                evaluate_expectations, count, stage, self.plan.step, keys, *successors.arguments, *columns, orbits,
                facts,
            )  # fmt: skip
            positions += int(orbits.sum())

        low, high = self._evaluated(stage, keys, (np.dtype(np.float64), np.dtype(np.float64)), evaluate)
        return low, high, positions

    def _evaluated(
        self, stage: int, keys: AnyKeys, types: tuple[Any, ...], evaluate: Callable[..., None]
    ) -> tuple[Any, ...]:
        """Evaluate a stage, some states at a time. Return its entries: on the device, or where they do not fit, not."""
        resident = self._fits(stage, keys, types)
        facts = arrays().zeros(FACTS, np.int64)
        if resident:
            room = self.runs.blocks(keys) * self.runs.block
            columns = tuple(arrays().zeros(room, dtype) for dtype in types)
            run = self.runs.on_device(keys)
            later = self._later(stage, types)
            for start, some in self.runs.chunks(run, self._chunk()):
                count = len(some) // self.packing.words
                evaluate(some, later, tuple(column[start : start + count] for column in columns), facts)
                self._check(some, facts)
            self.stages[stage] = run, columns
            return tuple(column[: run.count] for column in columns)
        self.stages.clear()
        release_memory()
        sources = self._sources(stage)
        kept: list[list[Any]] = [[] for _ in types]
        for _, some in self.runs.chunks(keys, self._spilled_chunk(types)):
            columns = tuple(arrays().zeros(len(some) // self.packing.words, dtype) for dtype in types)
            evaluate(some, self._looked_up(stage, some, sources, types), columns, facts)
            self._check(some, facts)
            for parts, column in zip(kept, columns, strict=True):
                parts.append(self.runs.copied(column))
        return tuple(self.runs.in_order(parts) for parts in kept)

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

    def _chunk(self) -> int:
        """Return the number of states whose keys are read together."""
        words = self.packing.words
        return max(1, min(EVALUATED_KEYS, int(EVALUATED_SHARE * free_memory()) // (8 * words)))

    # -- the stages that it leads to, on the device --------------------------------------------------------------------

    def _leads(self, stage: int) -> list[int]:
        return [later for later in self.store.leads[stage] if later > stage]

    def _fits(self, stage: int, keys: AnyKeys, types: tuple[Any, ...]) -> bool:
        """Return whether a stage fits into the memory of the device, together with those that it leads to."""
        entry = sum(dtype.itemsize for dtype in types)
        missing = sum(self.store.solved[later].length for later in self._leads(stage) if later not in self.stages)
        lookup = sum(self.store.solved[later].length for later in self._leads(stage))
        key = COMPRESSED_BYTES if self.packing.words == 1 else 8 * self.packing.words
        own = 0 if isinstance(keys, KeyRun) else key * self.runs.length(keys)
        needed: int = own + entry * self.runs.length(keys) + (key + entry) * (missing + lookup)
        return needed <= RESIDENT_SHARE * free_memory()

    def _later(self, stage: int, types: tuple[Any, ...]) -> Successors:
        """The keys and entries of the stages that a stage leads to, and where each of them begins and ends.

        A key is found sooner where keys are not compressed, so they are not if there is room for all of them.
        """
        xp, words = arrays(), self.packing.words
        leads = self._leads(stage)
        parts = [self._on_device(later) for later in leads] or [self._no_keys(types)]
        plain = words > 1 or 8 * sum(run.count for run, _ in parts) < PLAIN_SHARE * free_memory()
        size = 1 if plain else self.runs.block
        bounds = np.zeros(3 * (max(leads, default=stage) - stage) + 3, np.int64)
        bounds[0] = size.bit_length() - 1
        block = 0
        for later, (run, _) in zip(leads, parts, strict=False):
            last = block - (-run.count // size)
            bounds[3 * (later - stage) : 3 * (later - stage) + 3] = block, last, block * size + run.count
            block = last
        columns = tuple(
            _concatenated([
                each[number][: -(-run.count // size) * size].astype(dtype, copy=False) for run, each in parts
            ])
            for number, dtype in enumerate(types)
        )  # fmt: skip
        if plain:
            heads = [self.runs.keys(run) for run, _ in parts]
            runs = KeyRun(_concatenated(heads), xp.zeros(1, xp.int64), xp.zeros(1, xp.uint32), 0)
        else:
            runs = joined([run for run, _ in parts])
        return Successors(runs, columns, xp.asarray(bounds), _nothing_found(types), 0)

    def _no_keys(self, types: tuple[Any, ...]) -> tuple[KeyRun, tuple[Any, ...]]:
        run = self.runs.compressed(arrays().zeros(self.packing.words, np.int64))
        return run, tuple(arrays().zeros(KEYS_PER_HEAD, dtype) for dtype in types)

    def _on_device(self, stage: int) -> tuple[KeyRun, tuple[Any, ...]]:
        """The keys and entries of a solved stage, loaded if they are not there."""
        if stage not in self.stages:
            solved = self.store.solved_of(stage)
            run = self.runs.on_device(self.store.keys_of(stage, self.packing.words))
            columns = []
            for column in self._columns(solved, 0, run.count):
                whole = arrays().zeros(self.runs.blocks(run) * self.runs.block, column.dtype)
                whole[: run.count] = arrays().asarray(column)
                columns.append(whole)
            self.stages[stage] = run, tuple(columns)
        return self.stages[stage]

    def _columns(self, solved: SolvedStage, start: int, stop: int) -> tuple[Any, ...]:
        """The entries from `start`, a multiple of 64, to `stop` of a stage, as kernels read them."""
        if self.plan.values == EXPECTATION:
            return solved.entries[start:stop], solved.uppers[start:stop]
        first, last = start * solved.bits // 64, -(-stop * solved.bits // 64)
        whole = _whole(unpack_entries(solved.entries[first:last], solved.bits, stop - start), solved.bits)
        return (whole + (solved.base - MARGIN_BASE) if self.plan.values == MARGIN else whole,)

    def keep(self, needed: Iterable[int]) -> None:
        """Drop the stages that no other one leads to any more."""
        for stage in self.stages.keys() - set(needed):
            del self.stages[stage]
        if free_memory() < 1 << 30:
            release_memory()

    # -- the same, in the memory of the host ---------------------------------------------------------------------------

    def _sources(self, stage: int) -> list[tuple[int, AnyKeys, SolvedStage]]:
        """The keys and entries of the stages that a stage leads to."""
        words = self.packing.words
        return [(to, self.store.keys_of(to, words), self.store.solved_of(to)) for to in self._leads(stage)]

    def _spilled_chunk(self, types: tuple[Any, ...]) -> int:
        """Return the number of states that are evaluated together."""
        entry: int = sum(max(dtype.itemsize, 4) for dtype in types)
        fit = int(PART_SHARE * free_memory()) // (8 * self.packing.words + entry * (self.width + 1) + 8)
        return max(1, min(EVALUATED_KEYS, fit))

    def _looked_up(self, stage: int, keys: Any, sources: Any, types: tuple[Any, ...]) -> Successors:
        """Return the entries of the successors of some states, from one part of later stages after the other."""
        xp, real = arrays(), self.plan.values == EXPECTATION
        count = len(keys) // self.packing.words
        facts = xp.zeros(FACTS, xp.int64)
        width = self.width
        found = tuple(xp.full(count * width, NO_VALUE if real else NOTHING, _found_type(dtype)) for dtype in types)
        for part in self._parts(stage, sources, types):
            for column, entries in zip(part.columns, found, strict=True):
                run = part.run
                self.device.run(
                    look_up_successors, count, stage, self.plan.step, width, keys, run.heads, run.starts, run.stream,
                    column, part.bounds, entries, facts,
                )  # fmt: skip
        most = int(to_host(facts)[MOST_MOVES])
        if most > width:
            self.width = most
            return self._looked_up(stage, keys, sources, types)
        nothing, columns = self._no_keys(types)
        return Successors(nothing, columns, xp.zeros(3, xp.int64), found, width)

    def _parts(self, stage: int, sources: Any, types: tuple[Any, ...]) -> Iterator[Successors]:
        """Yield the keys and entries of later stages, some at a time."""
        xp, words = arrays(), self.packing.words
        size = KEYS_PER_HEAD if words == 1 else 1
        key = 16 if words == 1 else 8 * words  # where keys are not compressed on the host, both are there
        fit = int(PART_SHARE * free_memory()) // (key + sum(max(each.itemsize, 4) for each in types))
        step = max(min(fit, EVALUATED_KEYS) // KEYS_PER_HEAD, 1) * KEYS_PER_HEAD
        for later, keys, solved in sources:
            for start in range(0, solved.length, step):
                stop = min(start + step, solved.length)
                run = self.runs.part(keys, start // size, -(-stop // size))
                bounds = np.zeros(3 * (later - stage) + 3, np.int64)
                bounds[0] = size.bit_length() - 1
                bounds[-3:] = 0, self.runs.blocks(run), run.count
                columns = tuple(xp.asarray(column) for column in self._columns(solved, start, stop))
                yield Successors(run, columns, xp.asarray(bounds), (), 0)


def _found_type(dtype: Any) -> Any:
    return dtype if dtype.kind == "f" else np.dtype(np.int32)


def _nothing_found(types: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arrays for entries that were looked up before, without any."""
    return tuple(arrays().zeros(0, _found_type(dtype)) for dtype in types)


def _concatenated(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else arrays().concatenate(parts)


def whole_entries(solved: SolvedStage) -> Any:
    """The entries of a stage; those of two bits as the entries of wins, losses and draws at once."""
    return _whole(unpack_entries(solved.entries, solved.bits, solved.length), solved.bits)


def _whole(entries: Any, bits: int) -> Any:
    return np.array([0, DECIDED, DECIDED + 1, TIE])[entries] if bits == 2 else entries


def packed(codes: Any, bits: int) -> Any:
    """Pack entries, `bits` bits each, where they are; with two bits, distances are dropped."""
    xp = np if isinstance(codes, np.ndarray) else arrays()
    return pack_entries(drop_distances(codes, xp) if bits == 2 else codes, bits, xp)
