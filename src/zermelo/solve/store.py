"""The store: what a solver has finished, in memory, and where there is a checkpoint on the disk as well."""

from __future__ import annotations

import os
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from zermelo.solve.checkpoint import Checkpoint
from zermelo.solve.format import BLOCK

INTERVAL = 1.0
"""Seconds of work that a kill may cost, where no single layer takes longer."""

GROUP = BLOCK // 8
"""How many sorted keys stand in a block of an archive: the first as it is, the others as steps from the one before."""


@dataclass
class Solved:
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
    def states(self) -> int:
        return sum(states for _, states, _ in self.counts)


class Store:
    """Keys and entries by stage. With a checkpoint, `save_forward` and `save_solved` bring to the disk what is new."""

    def __init__(self, checkpoint: Checkpoint | None) -> None:
        self.checkpoint = checkpoint
        self.keys: dict[int, Any] = {}
        self.leads: dict[int, list[int]] = {}
        self.solved: dict[int, Solved] = {}
        self.forward_done = False
        self.places: dict[str, str] = {}
        """In which layer of the checkpoint each array is."""
        self.new_keys: list[int] = []
        self.new_solved: list[int] = []
        self.batch = 0
        self.limit = memory_size() // 4
        self.told = time.monotonic()
        self.pending: dict[int, Any] = {}
        if checkpoint is not None:
            self._resume(checkpoint)

    # -- what is finished --------------------------------------------------------------------------------------------

    def add_keys(self, stage: int, keys: Any, leads: set[int]) -> None:
        self.keys[stage] = keys
        self.leads[stage] = sorted(leads)
        self.new_keys.append(stage)

    def add_solved(self, solved: Solved) -> None:
        self.solved[solved.stage] = solved
        self.new_solved.append(solved.stage)

    def keys_of(self, stage: int, words: int) -> Any:
        """The sorted keys of a stage."""
        if stage in self.keys:
            return self.keys[stage]
        return decoded(self._read(f"keys_{stage}"), words)

    def solved_of(self, stage: int) -> Solved:
        """What was found for a stage, its arrays in memory."""
        found = self.solved[stage]
        if found.entries is not None:
            return found
        uppers = self._read(f"uppers_{stage}") if f"uppers_{stage}" in self.places else None
        return Solved(**{**asdict(found), "entries": self._read(f"entries_{stage}"), "uppers": uppers})

    def _read(self, name: str) -> Any:
        assert self.checkpoint is not None
        with self.checkpoint.open(self.places[name]) as layer:
            return layer.array(name)

    def sections(self, words: int) -> Any:
        """All arrays under their names, as sources for an archive; from the checkpoint without unpacking them."""
        for stage in sorted(self.solved):
            for kind in ("keys", "entries", "uppers"):
                name = f"{kind}_{stage}"
                if self.checkpoint is not None and name in self.places:
                    yield name, self.checkpoint.section(self.places[name], name)
                elif (array := self._array(kind, stage, words)) is not None:
                    yield name, array

    def _array(self, kind: str, stage: int, words: int) -> Any:
        if kind == "keys":
            return encoded(self.keys[stage], words) if stage in self.keys else None
        return getattr(self.solved[stage], kind)

    # -- the checkpoint ----------------------------------------------------------------------------------------------

    def due(self) -> bool:
        """Whether enough was done since the last time to be worth keeping."""
        return self.checkpoint is not None and time.monotonic() - self.told > INTERVAL

    def save_forward(self, pending: dict[int, Any], words: int) -> None:
        """Keep the stages that were expanded, and the keys of those that are still to be."""
        assert self.checkpoint is not None
        self.batch += 1
        arrays = {f"pending_{stage}": encoded(keys, words) for stage, keys in pending.items()}
        self.checkpoint.put(f"pending-{self.batch:06}", stages=list(pending), **arrays)
        arrays = {f"keys_{stage}": encoded(self.keys[stage], words) for stage in self.new_keys}
        leads = [[stage, *self.leads[stage]] for stage in self.new_keys]
        name = f"forward-{self.batch:06}"
        self.checkpoint.put(name, leads=leads, finished=not pending, **arrays)
        self.checkpoint.remove(f"pending-{self.batch - 1:06}")
        self.places |= dict.fromkeys(arrays, name)
        self._forget_keys()
        self.new_keys.clear()
        self.told = time.monotonic()

    def _forget_keys(self) -> None:
        if sum(keys.nbytes for keys in self.keys.values()) > self.limit:
            for stage in self.new_keys:
                del self.keys[stage]

    def save_solved(self) -> None:
        """Keep the stages that were solved."""
        assert self.checkpoint is not None
        self.batch += 1
        arrays: dict[str, Any] = {}
        records = []
        for stage in self.new_solved:
            solved = self.solved[stage]
            arrays[f"entries_{stage}"] = solved.entries
            if solved.uppers is not None:
                arrays[f"uppers_{stage}"] = solved.uppers
            records.append(record_of(solved))
        name = f"solved-{self.batch:06}"
        self.checkpoint.put(name, solved=records, **arrays)
        self.places |= dict.fromkeys(arrays, name)
        if sum(solved.entries.nbytes for solved in self.solved.values() if solved.entries is not None) > self.limit:
            for stage in self.new_solved:
                self.solved[stage].entries = self.solved[stage].uppers = None
        self.new_solved.clear()
        self.told = time.monotonic()

    def _resume(self, checkpoint: Checkpoint) -> None:
        """Find what an earlier process has finished. Of the last step forward, both halves must be there."""
        names = [name for name in checkpoint.names() if "-" in name]  # the packing is a layer, too
        self.batch = max((int(name.partition("-")[2]) for name in names), default=0)
        for name in names:
            kind = name.partition("-")[0]
            if kind == "pending":
                if name.replace("pending", "forward") in names:
                    self._resume_pending(checkpoint, name)
                continue
            with checkpoint.open(name) as layer:
                self.places |= dict.fromkeys(layer.names, name)
                if kind == "forward":
                    self.leads |= {stage: leads for stage, *leads in layer.header["leads"]}
                    self.forward_done = self.forward_done or layer.header["finished"]
                else:
                    self.solved |= {row["stage"]: Solved(**row, entries=None) for row in layer.header["solved"]}

    def _resume_pending(self, checkpoint: Checkpoint, name: str) -> None:
        with checkpoint.open(name) as layer:
            self.pending = {stage: layer.array(f"pending_{stage}") for stage in layer.header["stages"]}


def record_of(solved: Solved) -> dict[str, Any]:
    """What JSON keeps of a stage."""
    return {name: getattr(solved, name) for name in ("stage", "length", "bits", "base", "counts")}


def encoded(keys: Any, words: int) -> Any:
    """Sorted keys as they are stored: steps are small numbers, and shrink well."""
    if words > 1:
        return keys
    steps = np.diff(keys, prepend=keys[:1])
    steps[::GROUP] = keys[::GROUP]
    return steps


def decoded(steps: Any, words: int) -> Any:
    """The inverse of `encoded`; it may begin at any group."""
    if words > 1:
        return steps
    whole = len(steps) // GROUP * GROUP
    keys = np.empty_like(steps)
    keys[:whole] = steps[:whole].reshape(-1, GROUP).cumsum(axis=1).reshape(-1)
    keys[whole:] = steps[whole:].cumsum()
    return keys


def memory_size() -> int:
    """Bytes of memory that this machine has."""
    try:
        return int(os.sysconf("SC_PAGE_SIZE")) * int(os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return 4 << 30
