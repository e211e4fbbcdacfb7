"""Size estimates: the states of a game by stage, and the time, memory and disk that solving it takes."""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.arguments import check_bool, check_int, checked_game, checked_threads
from zermelo.formatting import Pretty, duration_text, size_text
from zermelo.game import Game, GameError
from zermelo.solving.enumeration.number_ranges import ranges_of
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.estimation.capture_recapture import states_of_random_games
from zermelo.solving.estimation.solve_cost import (
    CLUSTER_CORES,
    GPU_MEMORY,
    SolveCost,
    cores,
    numbered_cost,
    reachable_cost,
)
from zermelo.solving.estimation.stage_sampling import (
    QUICK,
    SURE_RATE,
    THOROUGH,
    Effort,
    Lineages,
    StageSweep,
    draw_lineages,
)
from zermelo.solving.estimation.state_sampling import STAGES, sample_numbers, sampling_memory
from zermelo.solving.plan import Plan, plan
from zermelo.word_arrays import Words

SAMPLED_NUMBERS = 4096
"""Numbers of a stage that are looked at, to find the stages after it and the part of the numbers that states have."""

SURE_ERROR = 1.1
"""The error of the sum of stages that are sampled at SURE_RATE or more, as a ratio."""

STUDENT = {2: 4.30, 3: 3.18}
"""Student's t for 95 % by degrees of freedom, one less than the groups of lineages."""

SHORT = 60.0
"""Seconds below which no other machine is worth mentioning."""

SHOWN_STAGES = 50
"""Stages that are listed each; more are summed up in as many ranges."""


@dataclass(frozen=True)
class Estimate(Pretty):
    """What solving a game takes. Counts are estimates unless `exact`; sizes are in bytes."""

    game: Game
    plan: Plan
    states: int
    low: int
    """The number of states is at least this, with 95 % confidence."""
    high: int | None
    """It is at most this, with 95 % confidence; None if the estimate is only a lower one."""
    stages: dict[int, int]
    """States of each stage; of one stage, the first, where random games were counted.

    Without the rule `stage`, a stage is a number of plies, and a state counts in each stage where it occurs."""
    method: str
    """'counted', 'numbered', 'lineages', 'thinned' or 'random games'."""
    threads: int
    cost: SolveCost = field(repr=False)

    @property
    def exact(self) -> bool:
        """Whether the states were counted."""
        return self.low == self.states == self.high

    @property
    def seconds(self) -> float:
        """Seconds on this machine, without compiling."""
        return self.cost.seconds

    @property
    def memory(self) -> int:
        """Bytes of memory for the stages at work, if nothing is spilled."""
        return self.cost.memory

    @property
    def disk(self) -> int:
        """Bytes of the finished file."""
        return self.cost.disk

    @property
    def scratch(self) -> int:
        """Bytes of disk for stages that wait to be solved, until the file is finished."""
        return self.cost.scratch

    @property
    def states_text(self) -> str:
        """The number of states with its error, in words."""
        if self.exact:
            return f"{self.states:,} states"
        if self.high is None and self.method == "lineages":
            return f"about {rounded(self.states)} states (error unknown)"
        if self.high is None:
            return f"at least about {rounded(self.states)} states"
        return f"about {rounded(self.states)} states ({rounded(self.low)} to {rounded(self.high)})"

    @property
    def summary(self) -> str:
        """States, time, memory and disk in one line."""
        disk = size_text(self.disk + self.scratch)
        return (
            f"{self.states_text}, {duration_text(self.seconds)}, {size_text(self.memory)} of memory and {disk} of disk"
        )

    def needs(self, on: str) -> tuple[int, int]:
        """Return the bytes of memory that a solve on the CPU or on a GPU takes, and those of the solution.

        A GPU keeps in the memory of the host what does not fit into its own.
        """
        gpu = self.cost.on_gpu
        return (gpu.memory, gpu.resident) if on == "cuda" and gpu is not None else (self.memory, self.cost.resident)

    @property
    def elsewhere(self) -> str:
        """What a GPU or a cluster would change, in a sentence."""
        if self.plan.method == "interpreted":
            return "A GPU or a cluster would not help: rules that do not compile run on one core."
        if self.seconds < SHORT:
            return "A GPU or a cluster would help little: the solve takes seconds."
        cluster = duration_text(self.seconds * cores(self.threads) / CLUSTER_CORES)
        shared = size_text(self.disk + self.scratch)
        return f"{self._on_gpu} A cluster of {CLUSTER_CORES:,} cores would take about {cluster} and {shared} of disk."

    @property
    def _on_gpu(self) -> str:
        """What a GPU would change."""
        gpu = self.cost.on_gpu
        if gpu is None:
            return "A GPU does not solve this game."
        seconds, memory = duration_text(gpu.seconds), size_text(gpu.device)
        text = f"A GPU (an NVIDIA H200) would take about {seconds}, {memory} of its memory"
        if gpu.device > GPU_MEMORY:
            text += f", of which it has {size_text(GPU_MEMORY)}, so that stages stay in the memory of the host"
        return f"{text}, and {size_text(gpu.resident)} on the host."

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """Return the estimate, a line for each figure, the stages first."""
        rows = [(name, rounded(states)) for name, states in self.stage_ranges()]
        width, digits = (max((len(row[i]) for row in rows), default=0) for i in (0, 1))
        listed = [f"  {name:>{width}}  {states:>{digits}}" for name, states in rows]
        how = {
            "counted": "counted", "numbered": "`index` numbers them", "lineages": "from samples of each stage",
            "thinned": "from samples of each stage", "random games": "from random games",
        }[self.method]  # fmt: skip
        text = f"{self.states_text[0].upper()}{self.states_text[1:]}, {how}"
        return [
            *(["Stage, states:", *listed] if len(rows) > 1 else []),
            text,
            f"Time: about {duration_text(self.seconds)} on {self.threads} core{'s' if self.threads > 1 else ''}",
            f"Memory: {size_text(self.memory)} without scratch files",
            f"Disk: {size_text(self.disk)} for the file, {size_text(self.scratch)} for temporary files",
            self.elsewhere,
        ]

    def stage_ranges(self) -> list[tuple[str, int]]:
        """Return the states by stage, or by range of stages where there are many."""
        stages = sorted(self.stages)
        size = -(-len(stages) // SHOWN_STAGES)
        parts = [stages[start : start + size] for start in range(0, len(stages), size)]
        return [
            (f"{part[0]}-{part[-1]}" if len(part) > 1 else f"{part[0]}", sum(self.stages[stage] for stage in part))
            for part in parts
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate as JSON has it."""
        return {
            "states": self.states, "low": self.low, "high": self.high, "exact": self.exact, "method": self.method,
            "stages": {str(stage): states for stage, states in sorted(self.stages.items())}, "threads": self.threads,
            "seconds": self.seconds, "memory": self.memory, "disk": self.disk, "scratch": self.scratch,
            "gpu": None if self.cost.on_gpu is None else asdict(self.cost.on_gpu), "elsewhere": self.elsewhere,
        }  # fmt: skip


INTERPRETED_MOVES = 20_000
"""Moves that are played to count the states of a game whose rules do not compile."""


class TooLarge(GameError):
    """A solve that would not fit: why, and what each option that is left would do about it."""

    def __init__(self, why: str, ways: dict[str, str]) -> None:
        super().__init__(f"{why}; {', '.join(f'{option} {effect}' for option, effect in ways.items())}.")
        self.why = why
        self.ways = ways


def estimate(
    game: Game, *, wdl: bool = False, stage: int | None = None, threads: int | None = None, quick: bool = False
) -> Estimate:
    """Estimate what solving a game takes: states by stage, with an error, seconds, and bytes of memory and disk.

    `wdl`, `stage` and `threads` are those of `solve`. States that `index` numbers are estimated from the sizes of the
    stages. Games of up to about a million states are counted. Larger games are sampled, which takes seconds; `quick`
    takes a tenth of that, with a larger error. If play repeats, samples say nothing about the size of a large game, and
    the estimate is a lower one, from random games.

    >>> import zermelo as z
    >>> found = z.estimate(z.load("tic_tac_toe"))
    >>> found.states, found.exact, found.stages[2]
    (765, True, 12)
    """
    checked_game("estimate", game)
    where = f"estimate of {game!r}"
    check_bool(where, wdl=wdl, quick=quick)
    check_int(where, optional=True, stage=stage)
    count, chosen = checked_threads(where, threads), plan(game, wdl)
    if chosen.method == "dense":
        return _numbered(game, chosen, wdl, stage, count)
    if stage is not None:
        raise GameError(f"{where}: stage chooses among states that a rule numbers, and there is no `index`.")
    if chosen.method == "interpreted":
        return _interpreted(game, chosen, count)
    return _sampled(game, chosen, QUICK if quick else THOROUGH, count)


def rounded(number: float) -> str:
    """The number with three digits where it is large.

    >>> rounded(80_541), rounded(2_505_731), rounded(4.5e12)
    ('80,541', '2.51 million', '4.5e+12')
    """
    if number < 100_000:
        return f"{round(number):,}"
    for name, unit in (("thousand", 1e3), ("million", 1e6), ("billion", 1e9)):
        if number < 999.5 * unit:
            return f"{number / unit:.3g} {name}"
    return f"{number:.3g}"


# -- states that a rule numbers --------------------------------------------------------------------------------------


def _numbered(game: Game, chosen: Plan, wdl: bool, stage: int | None, threads: int) -> Estimate:
    """Sum the sizes of the stages that can be reached. A sample of each shows the stages after it."""
    found, memory = Words.zeros(SAMPLED_NUMBERS), sampling_memory(1)
    sample_numbers(game, 0, found, 0, found, memory)  # compiled before the clock runs
    started, looked_at = time.perf_counter(), 0
    chooser = np.random.default_rng(1)
    sizes: dict[int, int] = {}
    states: dict[int, int] = {}
    waiting = [int(game.stage(rules.initial_state(game))) if stage is None else stage]
    while waiting:
        here = waiting.pop()
        if here in sizes:
            continue
        size = sizes[here] = _size(game, here)
        numbers = np.arange(size) if size <= SAMPLED_NUMBERS else chooser.integers(0, size, SAMPLED_NUMBERS)
        valid = int(sample_numbers(game, here, Words(numbers), len(numbers), found, memory))
        states[here] = round(size * valid / len(numbers))
        looked_at += len(numbers)
        waiting += [int(to) for to in found.array[: memory[STAGES]]]
    rate = looked_at / max(time.perf_counter() - started, 1e-6)
    linked = bool(game.loops) and not rules.has_predecessors(game)
    cost = numbered_cost(sizes, rate, threads, wdl=wdl, linked=linked, values=chosen.values)
    total, exact = sum(states.values()), all(size <= SAMPLED_NUMBERS for size in sizes.values())
    error = 0.0 if exact else 2 * math.sqrt(sum(map(_variance, sizes.values(), states.values())))
    return Estimate(game, chosen, total, round(total - error), round(total + error), states, "numbered", threads, cost)


def _size(game: Game, stage: int) -> int:
    try:
        size = int(game.size(stage))
    except Exception:  # whatever the rule does with a stage that is none
        size = 0
    if size < 1:
        raise GameError(f"estimate of {game!r}: there is no stage {stage}.")
    return size


def _variance(size: int, states: int) -> float:
    """Return the variance of the states of a stage, if they are estimated from a sample."""
    return 0.0 if size <= SAMPLED_NUMBERS else states * (size - states) / SAMPLED_NUMBERS


# -- states that are enumerated --------------------------------------------------------------------------------------


def _sampled(game: Game, chosen: Plan, effort: Effort, threads: int) -> Estimate:
    sweep = StageSweep(game, chosen.step, effort)
    method, low, high = "counted", 0.0, 0.0
    if not sweep.count():
        method, low, high = _later_stages(game, chosen, sweep, effort, threads)
    sizes = {stage: max(1, round(states)) for stage, states in sweep.sizes.items()}
    states = round(sum(sizes.values()) / sweep.repeated)
    rate = sweep.expanded / max(sweep.seconds, 1e-6)
    words = Packing.fitting(ranges_of(game)).words
    whole = {0: float(states)} if chosen.step == 0 and not chosen.staged else sweep.sizes
    cost = reachable_cost(chosen, whole, words, rate, threads)
    if method == "counted":
        return Estimate(game, chosen, states, states, states, sizes, method, threads, cost)
    most = None if math.isinf(high) else round(high)
    return Estimate(game, chosen, states, min(states, round(low / sweep.repeated)), most, sizes, method, threads, cost)


def _interpreted(game: Game, chosen: Plan, threads: int) -> Estimate:
    """Count the states of a game whose rules do not compile, whatever its states are; if there are many, play."""
    started, moves = time.perf_counter(), 0
    first = game.canonical(rules.initial_state(game))
    seen, waiting = {first}, [first]
    while waiting and moves <= INTERPRETED_MOVES:
        state = waiting.pop()
        for action in rules.legal_actions(game, state):
            moves += 1
            child = game.canonical(game.play(state, action))
            if child not in seen:
                seen.add(child)
                waiting.append(child)
    rate = (len(seen) - len(waiting)) / max(time.perf_counter() - started, 1e-6)
    states = max(len(seen), states_of_random_games(game, compiled=False)) if waiting else len(seen)
    sizes = Counter(int(game.stage(state)) for state in seen) if chosen.staged and not waiting else {0: states}
    cost = reachable_cost(chosen, {0: float(states)}, 0, rate, threads)
    method, most = ("random games", None) if waiting else ("counted", states)
    return Estimate(game, chosen, states, states, most, dict(sizes), method, threads, cost)


def _later_stages(
    game: Game, chosen: Plan, sweep: StageSweep, effort: Effort, threads: int
) -> tuple[str, float, float]:
    """Add to `sweep.sizes` the stages that were not counted. Return the method, and bounds of the total."""
    if effort.groups and not game.loops and sweep.thin():
        states = sum(sweep.sizes.values())
        if sweep.lowest_rate >= SURE_RATE:
            return "thinned", states / SURE_ERROR, states * SURE_ERROR
        lineages = draw_lineages(game, chosen.step, sweep.sure, effort, threads)
        if lineages is None:
            return "thinned", states, math.inf
        return "lineages", *_take_lineages(sweep, lineages)
    states = max(states_of_random_games(game, compiled=True), sweep.expanded)
    sweep.sizes = {int(game.stage(rules.initial_state(game))): float(states)}
    return "random games", float(states), math.inf


def _take_lineages(sweep: StageSweep, lineages: Lineages) -> tuple[float, float]:
    """Replace the stages that are not sure by the means of the groups. Return bounds of the total."""
    count, known = len(lineages.groups), sum(sweep.sure.values())
    sweep.sizes = dict(sweep.sure)
    for group in lineages.groups:
        for stage, states in group.items():
            sweep.sizes[stage] = sweep.sizes.get(stage, 0.0) + states / count
    sums = np.array([sum(group.values()) for group in lineages.groups])
    mean, error = float(sums.mean()), float(sums.std(ddof=1)) / math.sqrt(count)
    spread = error / mean if mean else 0.0  # there may be no stage but the sure ones
    factor = SURE_ERROR * math.exp(STUDENT[count - 1] * spread)  # the groups share the stages that are sure
    return known + mean / factor, known + mean * factor if lineages.complete else math.inf


# -- what there is ---------------------------------------------------------------------------------------------------


def free_disk(path: Path) -> int:
    """Return the free bytes of the disk of a path; without limit if no folder exists, which writing reports."""
    import shutil

    folder = path.resolve().parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free if folder.is_dir() else 1 << 63
