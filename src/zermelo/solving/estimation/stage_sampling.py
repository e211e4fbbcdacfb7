"""States by stage, counted while they are few, and estimated from samples where they are many.

Three methods, from the surest to the least sure:

- *counted*: every state is expanded, stage by stage, as the solver does, up to EXACT_STATES.
- *lineages* (state_sampling.py): an unbiased estimate where the beam search finds all predecessors, as it does where
  pieces are placed and stay. The stages that were counted show whether it does. The error is that between independent
  groups of lineages.
- *thinned*: of each stage only a sample is expanded. How often its moves meet gives the mean number of predecessors,
  and so the size of the next stage. States with many predecessors are drawn more often, so large games come out low.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.game import Game
from zermelo.keys import state_key
from zermelo.rules import state_length, state_to_words
from zermelo.solving.estimation.state_sampling import NEW, PLAYS, SEED, expand_rows, extend_lineages, sampling_memory
from zermelo.word_arrays import Words

ROOM = 1 << 16
"""Successors that are expanded at a time."""

MOST_PLIES = 500
"""The greatest length of a lineage."""

SURE_RATE = 0.1
"""Sampled at this rate or a higher one, stages come out within a tenth."""

PLY_SHARES = 32
"""A ply may take this part of the budget; later plies have fewer lineages if it took more."""

CHECKED_STAGES = 3
"""Stages of sure size with which lineages are compared."""

AGREEMENT = 1.25
"""How far lineages may be from the stages of sure size, as a ratio, to be believed about later ones."""


@dataclass(frozen=True)
class Effort:
    """What an estimate may cost."""

    moves: int
    """Moves that are played to count states before anything is estimated."""
    sampled: int = 0
    """Moves of the sample of a stage that is thinned."""
    groups: int = 0
    """Independent groups of lineages."""
    lineages: int = 0
    """Lineages of each group."""
    plays: int = 0
    """Moves that a group may play."""


THOROUGH = Effort(5_000_000, 400_000, 4, 200, 400_000_000)
"""Some seconds, for Connect Four 7x6 fifteen of one core."""

QUICK = Effort(500_000, 20_000, 3, 40, 20_000_000)
"""A second at most, before every solve."""


MOST_STAGES = 2_000
"""Stages that are looked at one by one."""


@dataclass
class _Found:
    """The states found of a stage, and the moves that lead to them; a sampled move represents more than itself."""

    rows: list[Any] = field(default_factory=list)
    keys: list[Any] = field(default_factory=list)
    moves: int = 0
    represented: float = 0.0

    def add(self, rows: Any, keys: Any, rate: float) -> None:
        self.rows.append(rows)
        self.keys.append(keys)
        self.moves += len(keys)
        self.represented += len(keys) / rate

    def distinct(self) -> tuple[Any, Any]:
        """Return the rows and the sorted keys of the states, each once."""
        keys, places = np.unique(np.concatenate(self.keys), return_index=True)
        return np.concatenate(self.rows)[places], keys


class StageSweep:
    """Expansion of a game stage by stage. `sizes` are the stages that are finished, `sure` those that are reliable."""

    def __init__(self, game: Game, step: int, effort: Effort) -> None:
        self.game = game
        self.step = step
        self.width = state_length(game)
        self.memory = sampling_memory(self.width)
        self.effort = effort
        self.sizes: dict[int, float] = {}
        self.counted: list[Any] = []
        self.expanded = 0
        self.lowest_rate = 1.0
        self.sure: dict[int, float] = {}
        self.seconds = 0.0
        state, row = game.canonical(game.initial()), Words.zeros(self.width)
        state_to_words(game, state, row)
        self.pending: dict[int, _Found] = {int(game.stage(state)): _Found()}
        key = np.array([state_key(game, state)], np.int64)
        self.pending[min(self.pending)].add(row.array.reshape(1, -1), key, 1.0)
        self.room = ROOM
        self.buffers = Words.zeros(self.room * self.width), Words.zeros(self.room), Words.zeros(self.room)
        expand_rows(game, row, 0, 0, self.width, *self.buffers, self.memory)  # compiled before the clock runs

    def count(self) -> bool:
        """Count the stages in turn. Return False if there are too many states; the stage at hand is still pending."""
        while self.pending:
            if len(self.sizes) > MOST_STAGES:  # perhaps play has no end, though the game says that it does not repeat
                return False
            stage = min(self.pending)
            rows, keys = self.pending[stage].distinct()
            seen, size = SeenKeys(keys), 0
            while len(rows):
                if self.memory[PLAYS] + len(rows) * self._mean_moves() > self.effort.moves:
                    return False
                size += len(rows)
                inner = self._expand(stage, rows, 1.0)
                rows = seen.unseen(*inner.distinct()) if inner.keys else rows[:0]
            self.sizes[stage] = self.sure[stage] = size
            self.counted += seen.runs
            del self.pending[stage]
        return True

    @property
    def repeated(self) -> float:
        """How often a state was counted, on average: more than once if several numbers of plies lead to it."""
        if not self.step or not self.counted:
            return 1.0
        keys = np.concatenate(self.counted)
        return len(keys) / len(np.unique(keys))

    def thin(self) -> bool:
        """Go on with samples of the stages. Return False if moves stay in a stage, which samples say nothing about."""
        while self.pending:
            if len(self.sizes) > MOST_STAGES:
                return False
            stage = min(self.pending)
            found = self.pending.pop(stage)
            rows, keys = found.distinct()
            self.sizes[stage] = distinct_states(len(keys), found.moves, found.moves / found.represented)
            kept = rows[_thinned(keys, 1 + int(self.effort.sampled / self._mean_moves()))]
            rate = len(kept) / self.sizes[stage]
            if self.lowest_rate >= SURE_RATE:
                self.sure[stage] = self.sizes[stage]
            self.lowest_rate = min(rate, self.lowest_rate)
            if self._expand(stage, kept, rate).keys:
                return False
        return True

    def _mean_moves(self) -> float:
        """Return the moves of a state, on average so far."""
        return max(1.0, self.memory[PLAYS] / max(self.expanded, 1))

    def _expand(self, stage: int, rows: Any, rate: float) -> _Found:
        """Add the successors of states of a stage, which are a sample of this rate. Return those inside the stage."""
        source, inner, reached = Words(np.ascontiguousarray(rows).reshape(-1)), _Found(), 0
        self.expanded += len(rows)
        while reached < len(rows):
            started = time.perf_counter()
            reached = int(expand_rows(self.game, source, reached, len(rows), self.width, *self.buffers, self.memory))
            self.seconds += time.perf_counter() - started
            new = self.memory[NEW]
            children, keys, stages = (buffer.array[: new * (len(buffer) // self.room)] for buffer in self.buffers)
            children = children.reshape(new, self.width)
            stages = np.full(new, stage + 1) if self.step else stages
            for to in np.unique(stages):
                there = stages == to
                found = inner if to == stage else self.pending.setdefault(int(to), _Found())
                found.add(children[there], keys[there], rate)
        return inner


class SeenKeys:
    """The keys that were seen, in sorted runs, each more than twice as long as the next.

    A stage may have ten thousands of waves of a few states each, where one sorted array would be written anew in each.

    >>> seen = SeenKeys(np.array([3, 5]))
    >>> seen.unseen(np.array([30, 40]), np.array([3, 4])), seen.unseen(np.array([40]), np.array([4]))
    (array([40]), array([], dtype=int64))
    """

    def __init__(self, keys: Any) -> None:
        self.runs = [keys]

    def unseen(self, rows: Any, keys: Any) -> Any:
        """Return the rows of the states whose keys, sorted and each once, were not seen, and add these keys."""
        new = np.ones(len(keys), np.bool_)
        for run in self.runs:
            new &= run[np.minimum(np.searchsorted(run, keys), len(run) - 1)] != keys
        if new.any():
            self._add(keys[new])
        return rows[new]

    def _add(self, keys: Any) -> None:
        self.runs.append(keys)
        while len(self.runs) > 1 and len(self.runs[-2]) <= 2 * len(self.runs[-1]):
            last = self.runs.pop()
            self.runs[-1] = np.sort(np.concatenate([self.runs[-1], last]))


def _thinned(keys: Any, most: int) -> Any:
    """Return the places of at most `most` keys. Keys are hashes, so any rule that looks at nothing else is fair."""
    if len(keys) <= most:
        return slice(None)
    mixed = keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(11)
    return np.sort(np.argpartition(mixed, most)[:most])


def distinct_states(seen: int, moves: int, rate: float) -> float:
    """Estimate the states that all moves lead to, if this part of the moves leads to `seen` distinct ones.

    A state has one predecessor and a Poisson number of others, so it is seen with probability 1 - (1 - rate) *
    exp(-rate * others).

    >>> distinct_states(50, 80, 1.0), round(distinct_states(75, 100, 0.5))
    (50.0, 114)
    """
    low, high = float(seen), max(moves / rate, float(seen))
    if rate >= 1:
        return low
    for _ in range(60):
        middle = (low + high) / 2
        others = moves / rate / middle - 1
        if middle * (1 - (1 - rate) * math.exp(-others * rate)) < seen:
            low = middle
        else:
            high = middle
    return high


class LineageGroup:
    """Lineages that are extended together. `sizes` is the number of states of each stage, as they estimate it."""

    def __init__(self, game: Game, step: int, seed: int, effort: Effort) -> None:
        self.game = game
        self.step = step
        self.width = state_length(game)
        self.memory = sampling_memory(self.width, MOST_PLIES)
        self.memory[SEED] = seed
        self.chooser = np.random.default_rng(seed)
        self.paths = np.zeros((effort.lineages, MOST_PLIES), np.int64)
        self.effort = effort
        self.stage = int(game.stage(game.initial()))
        self.sizes = {self.stage: 1.0}
        self.states = 1.0
        self.plies = 0
        self.ended = False

    def extend(self, stage: float) -> bool:
        """Extend the lineages beyond a stage, or to their ends. Return False where the budget does not last."""
        while not self.ended and self.stage <= stage:
            if self.plies == MOST_PLIES or not self._extend():
                return False
        return True

    def _extend(self) -> bool:
        """Extend the lineages by a ply, then draw them anew, each as often as it represents states."""
        count, before = len(self.paths), self.memory[PLAYS]
        gains, stages = np.zeros(count), Words.zeros(count)
        paths = Words(np.ascontiguousarray(self.paths).reshape(-1))
        real = Words(gains.view(np.int64))
        start, width, memory = self.game.initial(), self.width, self.memory
        drawn = extend_lineages(
            self.game, start, paths, MOST_PLIES, self.plies, count, width, self.effort.plays, real, stages, memory
        )
        if drawn < count:
            return False
        self.ended = not gains.any()
        if self.ended:
            return True
        self.plies += 1
        reached = np.full(count, self.plies) if self.step else stages.array
        for stage in np.unique(reached[gains > 0]):
            states = self.states * gains[reached == stage].sum() / count
            self.sizes[int(stage)] = self.sizes.get(int(stage), 0.0) + states
        self.stage = int(reached[gains > 0].min())
        self.states *= float(gains.mean())
        share = self.effort.plays / PLY_SHARES / max(memory[PLAYS] - before, 1)
        most = self.effort.lineages
        fewer = min(most, max(most // 8, int(count * share)))
        spread = (np.arange(fewer) + self.chooser.random()) / fewer * gains.sum()
        chosen = np.searchsorted(np.cumsum(gains), spread, side="right")
        self.paths = paths.array.reshape(count, -1)[np.minimum(chosen, count - 1)]
        return True


@dataclass
class Lineages:
    """What groups of lineages say about the stages that were not counted."""

    groups: list[dict[int, float]]
    """The states of each later stage, for each group."""
    complete: bool
    """All lineages came to their end within the budget."""


def draw_lineages(game: Game, step: int, sure: dict[int, float], effort: Effort, threads: int) -> Lineages | None:
    """Draw lineages, and correct them by the stages whose size is sure. Return None if they are far from those."""
    groups = [LineageGroup(game, step, seed, effort) for seed in range(1, effort.groups + 1)]
    last = sorted(sure)[-CHECKED_STAGES:]
    truth = sum(sure[stage] for stage in last)
    with ThreadPoolExecutor(threads) as pool:
        if not all(pool.map(lambda group: group.extend(last[-1]), groups)):
            return None
        ratios = [sum(group.sizes.get(stage, 0.0) for stage in last) / truth for group in groups]
        if not 1 / AGREEMENT < sum(ratios) / len(ratios) < AGREEMENT or not all(ratios):
            return None
        complete = all(pool.map(lambda group: group.extend(math.inf), groups))
    later = [
        {stage: states / ratio for stage, states in group.sizes.items() if stage > last[-1]}
        for group, ratio in zip(groups, ratios, strict=True)
    ]
    return Lineages(later, complete)
