"""Stages as they are stored: what was found for one, and its keys as steps."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.solving.storage.archive import Encoded
from zermelo.solving.storage.archive_format import BLOCK_SIZE, on_all_cores
from zermelo.solving.storage.database_header import StageRecord

KEYS_PER_BLOCK = BLOCK_SIZE // 8
"""How many sorted keys stand in a block of an archive: the first as it is, the others as steps from the one before."""

GROUP = 32 * KEYS_PER_BLOCK
"""Keys that one thread encodes or decodes at a time."""


@dataclass
class SolvedStage:
    """What was found for one stage: its entries in the order of the keys, or of the numbers that a rule gives."""

    stage: int
    length: int
    """How many entries there are, those of no state included."""
    bits: int
    base: int
    counts: list[list[int]]
    """Rows (entry, states, positions)."""
    entries: Any
    uppers: Any = None

    @property
    def record(self) -> StageRecord:
        return StageRecord(self.stage, self.length, self.bits, self.base)

    @property
    def states(self) -> int:
        return sum(states for _, states, _ in self.counts)


def record_of(solved: SolvedStage) -> dict[str, Any]:
    """What JSON keeps of a stage."""
    return {**solved.record._asdict(), "counts": solved.counts}


def encode_keys(keys: Any, words: int) -> Any:
    """Sorted keys as they are stored: steps are small numbers, and shrink well."""
    return keys if words > 1 else Encoded(np.asarray(keys), _steps)


def _steps(keys: Any) -> Any:
    """The first key of each block, and the steps to the others."""
    steps = np.empty_like(keys)
    np.subtract(keys[1:], keys[:-1], out=steps[1:])
    steps[::KEYS_PER_BLOCK] = keys[::KEYS_PER_BLOCK]
    return steps


def sum_steps(steps: Any) -> None:
    """Replace the steps of whole blocks, and of what follows them, by keys."""
    whole = len(steps) // KEYS_PER_BLOCK * KEYS_PER_BLOCK
    blocks = steps[:whole].reshape(-1, KEYS_PER_BLOCK)
    np.cumsum(blocks, axis=1, out=blocks)
    np.cumsum(steps[whole:], out=steps[whole:])


def decode_keys(steps: Any, words: int) -> Any:
    """The inverse of `encode_keys`; it may begin at any block."""
    if words > 1:
        return steps
    keys = steps.copy()
    groups = [keys[start : start + GROUP] for start in range(0, len(keys), GROUP)]
    deque(on_all_cores(sum_steps, groups), maxlen=0)
    return keys
