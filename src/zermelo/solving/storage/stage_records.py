"""Stages as they are stored: what was found for one, and its keys as steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.solving.storage.archive_format import BLOCK_SIZE
from zermelo.solving.storage.database_header import StageRecord

KEYS_PER_BLOCK = BLOCK_SIZE // 8
"""How many sorted keys stand in a block of an archive: the first as it is, the others as steps from the one before."""


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
    if words > 1:
        return keys
    steps = np.diff(keys, prepend=keys[:1])
    steps[::KEYS_PER_BLOCK] = keys[::KEYS_PER_BLOCK]
    return steps


def decode_keys(steps: Any, words: int) -> Any:
    """The inverse of `encoded`; it may begin at any group."""
    if words > 1:
        return steps
    whole = len(steps) // KEYS_PER_BLOCK * KEYS_PER_BLOCK
    keys = np.empty_like(steps)
    keys[:whole] = steps[:whole].reshape(-1, KEYS_PER_BLOCK).cumsum(axis=1).reshape(-1)
    keys[whole:] = steps[whole:].cumsum()
    return keys
