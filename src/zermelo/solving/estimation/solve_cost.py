"""What a solve takes: bytes of memory and disk for each state, and how its rate follows from a measured one.

The estimate and the refusal of a game that does not fit use these constants and no others. The speeds, and the bytes of
keys, entries and files, were measured on solves; what a cluster would do is an assumption.
"""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.solving.plan import EXPECTATION, MARGIN, Plan

WORD_BYTES = 8

ENTRY_BYTES = 4
"""Bytes of an entry while its stage is solved, and of the empty slots of the table that it is in."""

MOVE_RUNS = 4
"""Successors of a state, as keys, that are in memory before equal ones are dropped."""

SPILLED_WORD_BYTES = 1
"""Bytes on the disk of a word of a key of a stage that waits, compressed."""

FILE_BYTES, EXPECTATION_FILE_BYTES = 1.2, 10.0
"""Bytes of the finished file for a state that is listed, with its entry."""

NUMBERED_FILE_BYTES = 0.5
"""The same for a number of `index`: only entries are written."""

NUMBERED_WORK_BYTES, LINK_BYTES = 4, 60
"""Bytes for a number of the stage at work, and for the moves inside it where there is no `predecessors` rule."""

INTERPRETED_BYTES, INTERPRETED_FILE_BYTES = 1000, 20
"""The same for states that are Python objects."""

REACHABLE_SPEED, NUMBERED_SPEED = 0.15, 0.12
"""States that a solve finishes in the time in which the estimate expands one, on one core."""

THREAD_EFFICIENCY = 0.85
"""What a further core adds."""

GPU_SPEED, NUMBERED_GPU_SPEED = 100, 250
"""An NVIDIA H200 against one core, where states are listed and where a rule numbers them: both were measured."""

GPU_MEMORY = 139 << 30
"""Bytes of such a GPU."""

COMPRESSED_BYTES = 1.4
"""Bytes of a key of one word that a GPU has compressed."""

NUMBERED_GPU_BYTES = 3
"""Bytes of a GPU for a number of the stage at work."""

POINTS_BYTES = 4
"""The same for its points, and for those of a number of a stage that it leads to."""

CLUSTER_CORES = 1000


@dataclass(frozen=True)
class SolveCost:
    """Seconds, and bytes: of memory without spilling, of the finished file, of the scratch folder, of the solution."""

    seconds: float
    memory: int
    disk: int
    scratch: int
    resident: int
    """Bytes of memory that the solution itself takes where it is not written to a file."""
    on_gpu: GpuCost | None = None
    """What a GPU would take; None where it would not solve the game."""


@dataclass(frozen=True)
class GpuCost:
    """What a solve on a GPU takes."""

    seconds: float
    device: int
    """Bytes of its memory for the largest stage and the one that it leads to."""
    memory: int
    """Bytes of memory beside it, without the solution: of stages that the CPU evaluates."""
    resident: int
    """Bytes of memory that the solution takes where it is not written to a file."""


def reachable_cost(plan: Plan, stages: dict[int, float], words: int, rate: float, threads: int) -> SolveCost:
    """Return the cost of enumerating stages of these sizes, and of solving them from the last to the first."""
    states = sum(stages.values())
    if plan.method == "interpreted":
        return SolveCost(states / rate, int(INTERPRETED_BYTES * states), int(INTERPRETED_FILE_BYTES * states), 0, 0)
    key = WORD_BYTES * words
    sizes = [stages[stage] for stage in sorted(stages)]
    pair = max(here + there for here, there in zip(sizes, [*sizes[1:], 0.0], strict=True))
    memory = pair * (key + ENTRY_BYTES) + max(sizes) * MOVE_RUNS * key
    if plan.order != "acyclic":
        memory += max(sizes) * (NUMBERED_WORK_BYTES + LINK_BYTES)
    file = states * (EXPECTATION_FILE_BYTES if plan.values == EXPECTATION else FILE_BYTES)
    scratch = states * words * SPILLED_WORD_BYTES
    entry = 2 * WORD_BYTES if plan.values == EXPECTATION else 1
    core_seconds = states / (rate * REACHABLE_SPEED)
    gpu = None
    if plan.values != EXPECTATION or plan.order == "acyclic":
        stored = (COMPRESSED_BYTES if words == 1 else key) + entry
        beside = 0 if plan.order == "acyclic" else int(memory)
        gpu = GpuCost(core_seconds / GPU_SPEED, int(pair * stored), beside, int(states * stored))
    seconds = core_seconds / cores(threads)
    return SolveCost(seconds, int(memory), int(file), int(scratch), int(states * (key + entry)), gpu)


def numbered_cost(
    sizes: dict[int, int], rate: float, threads: int, *, wdl: bool, linked: bool, values: str
) -> SolveCost:
    """Return the cost of solving stages of these sizes."""
    numbers, largest, chance = sum(sizes.values()), max(sizes.values()), values == EXPECTATION
    entry = 2 * WORD_BYTES if chance else 0.25 if wdl else 1
    work = NUMBERED_WORK_BYTES + (LINK_BYTES if linked else 0)
    file = numbers * (EXPECTATION_FILE_BYTES if chance else NUMBERED_FILE_BYTES * (0.5 if wdl else 1))
    core_seconds = numbers / (rate * NUMBERED_SPEED)
    kept = int(numbers * entry)
    gpu = None
    if values != EXPECTATION:
        of_number = 2 * POINTS_BYTES if values == MARGIN else NUMBERED_GPU_BYTES + 1
        gpu = GpuCost(core_seconds / NUMBERED_GPU_SPEED, largest * of_number, 0, kept)
    return SolveCost(core_seconds / cores(threads), kept + largest * work, int(file), kept, kept, gpu)


def cores(threads: int) -> float:
    """Return what `threads` threads do, in units of one."""
    return 1 + THREAD_EFFICIENCY * (threads - 1)
