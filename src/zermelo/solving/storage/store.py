"""The store: what a solver has finished, in memory, and where there is a checkpoint on the disk as well."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from zermelo.solving.memory_budget import MemoryBudget, memory_size
from zermelo.solving.storage.archive_reader import Archive
from zermelo.solving.storage.checkpoint import Checkpoint
from zermelo.solving.storage.checkpoint_resume import LayerFormat, read_checkpoint, read_entries
from zermelo.solving.storage.part_layers import (
    EvaluatedPart,
    ExpandedPart,
    put_evaluated,
    put_expanded,
    remove_stale_parts,
)
from zermelo.solving.storage.section_validation import read_keys
from zermelo.solving.storage.stage_records import SolvedStage, encode_keys, record_of

SAVE_INTERVAL = 5.0
"""Seconds of work that a kill may cost, where no single layer takes longer."""

MAX_SAVE_SHARE = 0.1
"""The part of the time that is spent on layers which are written again later."""


class Store:
    """Keys and entries by stage. With a checkpoint, `save_forward` and `save_solved` bring to the disk what is new."""

    def __init__(
        self, checkpoint: Checkpoint | None, format: LayerFormat | None = None, budget: MemoryBudget | None = None
    ) -> None:
        self.budget = budget
        self.checkpoint = checkpoint
        self.format = format
        self.keys: dict[int, Any] = {}
        self.leads: dict[int, list[int]] = {}
        self.sizes: dict[int, int] = {}
        """How many states each stage has that was expanded."""
        self.solved: dict[int, SolvedStage] = {}
        self.forward_done = False
        self.forward_waits = False
        """All stages are enumerated, and that is not yet kept."""
        self._keeping = threading.Lock()
        self.places: dict[str, str] = {}
        """In which layer of the checkpoint each array is."""
        self.new_keys: list[int] = []
        self.new_solved: list[int] = []
        self.batch = 0
        self.limit = (memory_size() if budget is None else budget.limit) // 4
        """Bytes of keys, and of entries, that stay in memory once they are on the disk."""
        self.last_save = time.monotonic()
        self.save_cost = 0.0
        """Seconds that were last spent on the keys of stages that are still to be expanded."""
        self._ahead: tuple[int, Future[Any]] | None = None
        self.pending: dict[int, Any] = {}
        self.expanded: ExpandedPart | None = None
        self.evaluated: EvaluatedPart | None = None
        """What an earlier process has finished of the next stage."""
        self.parts = 0
        """How many parts of a stage were kept since the last layer of whole stages."""
        self.waiting: int | None = None
        """The next stage to be expanded, if its keys are kept."""
        if budget is not None:
            budget.relieve = self._relieve
        if checkpoint is not None and format is not None:
            self._resume(checkpoint, format)

    # -- what is finished --------------------------------------------------------------------------------------------

    def add_keys(self, stage: int, keys: Any, leads: set[int], words: int) -> None:
        self.keys[stage] = keys
        self.leads[stage] = sorted(leads)
        self.sizes[stage] = len(keys) // words
        self.new_keys.append(stage)

    def add_solved(self, solved: SolvedStage) -> None:
        self.solved[solved.stage] = solved
        self.new_solved.append(solved.stage)

    def keys_of(self, stage: int, words: int) -> Any:
        """The sorted keys of a stage."""
        if stage in self.keys:
            return self.keys[stage]
        ahead, self._ahead = self._ahead, None
        if ahead is not None and ahead[0] == stage:
            return ahead[1].result()
        return self._read_keys(stage, words, self._room(stage, words))

    def _read_keys(self, stage: int, words: int, room: Any) -> Any:
        with self._layer(f"keys_{stage}") as layer:
            return read_keys(layer, f"keys_{stage}", words, room)

    def _room(self, stage: int, words: int) -> Any:
        """An array for the keys of a stage."""
        return None if self.budget is None else self.budget.zeros(self.sizes[stage] * words)

    def read_ahead(self, stage: int, words: int, spare: int) -> None:
        """Begin to read the keys of the stage that is needed next, if `spare` bytes of memory are left then."""
        if stage in self.keys or self.checkpoint is None or self.budget is None:
            return
        if 8 * self.sizes[stage] * words + spare <= self.budget.left:
            reader = ThreadPoolExecutor(1)
            self._ahead = stage, reader.submit(self._read_keys, stage, words, self._room(stage, words))
            reader.shutdown(wait=False)

    def _relieve(self, size: int) -> None:
        """Drop arrays of `size` bytes, if the checkpoint has as many too; those of the stages that are needed last."""
        self._keep_forward()
        for stage in sorted(self.solved.keys() | self.keys.keys()):
            solved = self.solved.get(stage)
            if f"keys_{stage}" in self.places and (keys := self.keys.pop(stage, None)) is not None:
                size -= keys.nbytes
            entries = None if solved is None else solved.entries
            if solved is not None and entries is not None and f"entries_{stage}" in self.places:
                size -= entries.nbytes
                solved.entries = solved.uppers = None
            if size <= 0:
                break

    def release_keys(self, stage: int) -> None:
        """Drop the keys of a stage that was solved, if they are in the checkpoint."""
        if f"keys_{stage}" in self.places:
            self.keys.pop(stage, None)

    def solved_of(self, stage: int) -> SolvedStage:
        """What was found for a stage, its arrays in memory."""
        found = self.solved[stage]
        if found.entries is not None:
            return found
        assert self.format is not None
        with self._layer(f"entries_{stage}") as layer:
            entries, uppers = read_entries(layer, found, self.format, self.budget)
        return replace(found, entries=entries, uppers=uppers)

    def _layer(self, name: str) -> Archive:
        """The layer that has an array."""
        assert self.checkpoint is not None
        return self.checkpoint.open(self.places[name])

    def sections(self, words: int) -> Any:
        """All arrays under their names, as sources for an archive; from the checkpoint without unpacking them."""
        for stage in sorted(self.solved):
            for kind in ("keys", "entries", "uppers"):
                name = f"{kind}_{stage}"
                if self.checkpoint is not None and name in self.places:
                    yield name, self.checkpoint.section(self.places[name], name)
                elif (array := self._array(kind, stage, words)) is not None:
                    yield name, array

    def replace_stages(self, keys: Any) -> None:
        """Let one stage with these keys take the place of all others."""
        self.solved.clear()
        self.places.clear()
        self.new_keys.clear()
        self.new_solved.clear()
        self.forward_waits = False
        self.keys = {0: keys}

    def _array(self, kind: str, stage: int, words: int) -> Any:
        if kind == "keys":
            return encode_keys(self.keys[stage], words) if stage in self.keys else None
        return getattr(self.solved[stage], kind)

    # -- the checkpoint ----------------------------------------------------------------------------------------------

    def due(self) -> bool:
        """Whether enough was done since the last time to be worth keeping, and saving took little of the time."""
        interval = SAVE_INTERVAL * max(1.0, self.save_cost / MAX_SAVE_SHARE)
        full = sum(self.keys[stage].nbytes for stage in self.new_keys) > self.limit
        return self.checkpoint is not None and (full or time.monotonic() - self.last_save > interval)

    def save_forward(self, pending: dict[int, Any], words: int) -> None:
        """Keep the stages that were expanded, and the keys of those that are still to be."""
        assert self.checkpoint is not None
        began = time.monotonic()
        self.batch += 1
        waiting = ((f"pending_{stage}", encode_keys(keys, words)) for stage, keys in pending.items())
        self.checkpoint.put(f"pending-{self.batch:06}", waiting, stages=list(pending))
        self.save_cost = time.monotonic() - began if pending else 0.0
        found = ((f"keys_{stage}", encode_keys(self.keys[stage], words)) for stage in self.new_keys)
        leads = [[stage, *self.leads[stage]] for stage in self.new_keys]
        name = f"forward-{self.batch:06}"
        self.checkpoint.put(name, found, leads=leads, finished=not pending)
        self.checkpoint.remove(f"pending-{self.batch - 1:06}")
        self.places |= {f"keys_{stage}": name for stage in self.new_keys}
        self._forget_keys()
        self.new_keys.clear()
        self.waiting = min(pending, default=None)
        self._forget_parts()
        self._finish_save()

    def end_forward(self) -> None:
        """Note that all stages are enumerated. It is kept now if that is due, or else before what follows is."""
        self.forward_done = self.forward_waits = True
        self.save_cost = 0.0  # layers of solved stages are written once
        if self.due():
            self._keep_forward()

    def _keep_forward(self) -> None:
        with self._keeping:  # any thread may need memory, and what can be dropped is what is kept
            if self.forward_waits and self.checkpoint is not None and self.format is not None:
                self.save_forward({}, self.format.words)
                self.forward_waits = False

    def _forget_keys(self) -> None:
        if sum(keys.nbytes for keys in self.keys.values()) > self.limit:
            for stage in self.new_keys:
                del self.keys[stage]

    def save_solved(self) -> None:
        """Keep the stages that were solved."""
        assert self.checkpoint is not None
        self._keep_forward()
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
        self._forget_parts()
        self._finish_save()

    def save_expanded(self, part: ExpandedPart, pending: dict[int, Any], words: int) -> None:
        """Keep what was found from some states of a stage; `pending` are its keys and those of later stages."""
        assert self.checkpoint is not None
        if self.waiting != part.stage:
            self.save_forward(pending, words)
        put_expanded(self.checkpoint, self._next_part(), part, words)
        self.last_save = time.monotonic()

    def save_evaluated(self, part: EvaluatedPart) -> None:
        """Keep the entries of some states of a stage."""
        assert self.checkpoint is not None
        self._keep_forward()
        if self.new_solved:
            self.save_solved()
        put_evaluated(self.checkpoint, self._next_part(), part)
        self.last_save = time.monotonic()

    def pop_evaluated(self, stage: int) -> EvaluatedPart | None:
        """Return what an earlier process has evaluated of a stage; None if that is nothing."""
        found, self.evaluated = self.evaluated, None
        return found if found is not None and found.stage == stage else None

    def _next_part(self) -> str:
        self.parts += 1
        return f"part-{self.batch:06}-{self.parts:06}"

    def _forget_parts(self) -> None:
        """Remove the parts of a stage that is in a layer as a whole."""
        assert self.checkpoint is not None
        for number in range(1, self.parts + 1):
            self.checkpoint.remove(f"part-{self.batch - 1:06}-{number:06}")
        self.parts = 0

    def _finish_save(self) -> None:
        self.last_save = time.monotonic()
        if self.budget is not None and self.checkpoint is not None:
            self.budget.in_checkpoint = self.checkpoint.size()

    def _resume(self, checkpoint: Checkpoint, format: LayerFormat) -> None:
        """Find what an earlier process has finished."""
        found = read_checkpoint(checkpoint, format, self.budget)
        self.batch, self.places = found.batch, found.places
        self.leads, self.pending, self.solved = found.leads, found.pending, found.solved
        self.sizes = found.sizes
        self.expanded, self.evaluated, self.parts = found.expanded, found.evaluated, found.parts
        remove_stale_parts(checkpoint, self.batch, self.parts)
        self.waiting = min(found.pending, default=None)
        self._finish_save()
        self.forward_done = found.complete
