"""What an earlier process has left of a solve: layers that are all there, belong together, and hold what they say.

forward-N   the keys of stages that were expanded, and where they lead; the last one says that all were
pending-N   the keys of stages that were still to be expanded when forward-N was written
solved-N    the entries of stages that were solved, from the last stage down where a rule does not number the states
part-N-K    parts of the next stage, if it takes long (see part_layers.py)

Each forward and each solved layer has the number after the one before it, so one that is lost leaves a gap. The last
ones may be lost: then the solve goes on from an earlier moment. Whatever else lies in the folder is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from zermelo.files import Damaged
from zermelo.solving.enumeration.state_packing import Packing, Range
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.plan import EXPECTATION, MARGIN
from zermelo.solving.storage.archive_reader import Archive
from zermelo.solving.storage.checkpoint import Checkpoint, Layers
from zermelo.solving.storage.database_header import StageRecord, are_ints, are_rows, is_entry, is_record
from zermelo.solving.storage.part_layers import (
    EvaluatedPart,
    ExpandedPart,
    part_names,
    read_evaluated,
    read_expanded,
)
from zermelo.solving.storage.section_validation import (
    CHUNK,
    expected,
    read_keys,
    room_for,
    slices,
    valid_bounds,
    valid_entries,
)
from zermelo.solving.storage.stage_records import SolvedStage

NUMBERED = re.compile(r"(forward|pending|solved)-(\d{6,9})", re.ASCII)
"""The names of layers, but for the one that has the packing."""


@dataclass(frozen=True)
class LayerFormat:
    """How the layers of a solve look: whether a rule numbers the states, what is stored of each, the words of a key."""

    dense: bool
    values: str
    wdl: bool
    words: int = 1
    error: float = 0.0


@dataclass
class CheckpointState:
    """The finished part of a solve."""

    batch: int = 0
    """The number of the last layer."""
    places: dict[str, str] = field(default_factory=dict)
    """In which layer each array is."""
    sizes: dict[int, int] = field(default_factory=dict)
    """How many states each stage has that was expanded."""
    leads: dict[int, list[int]] = field(default_factory=dict)
    solved: dict[int, SolvedStage] = field(default_factory=dict)
    pending: dict[int, Any] = field(default_factory=dict)
    complete: bool = False
    """Every state has been found."""
    expanded: ExpandedPart | None = None
    evaluated: EvaluatedPart | None = None
    """What is finished of the next stage."""
    parts: int = 0
    """How many layers that takes."""


def read_checkpoint(layers: Layers, format: LayerFormat, budget: MemoryBudget | None = None) -> CheckpointState:
    """Return what the layers in a folder hold. Raise Damaged if some are missing, or are not those of one solve."""
    return _Reading(layers, format, budget).found


class _Reading:
    def __init__(self, layers: Layers, format: LayerFormat, budget: MemoryBudget | None) -> None:
        self.budget = budget
        self.layers = layers
        self.format = format
        self.found = CheckpointState()
        forward, solved = self._numbered("forward"), self._numbered("solved")
        if format.dense:
            self._require(not forward, "it has layers of states that a rule numbers")
        self._require(not solved or format.dense or bool(forward), "its layers forward-* are missing")
        for number in forward:
            self._read_forward(number, last=number == forward[-1])
        if forward and not self.found.complete:
            self._require(not solved, "its last layers forward-* are missing")
            self._read_pending(forward[-1])
        for number in solved:
            self._read_solved(number)
        self._check_order()
        if not format.dense:
            self._read_parts()

    def _numbered(self, kind: str) -> list[int]:
        """The numbers of the layers of a kind, which follow each other, those of `forward` before those of `solved`."""
        matches = map(NUMBERED.fullmatch, self.layers.names())
        numbers = sorted(int(match[2]) for match in matches if match and match[1] == kind)
        wanted = range(self.found.batch + 1, self.found.batch + len(numbers) + 1)
        for number, place in zip(numbers, wanted, strict=True):
            self._require(number == place, f"its layer {kind}-{place:06} is missing")
        self.found.batch += len(numbers)
        return numbers

    def _require(self, right: bool, why: str) -> None:
        if not right:
            raise Damaged(f"{self.layers.folder} is not complete: {why}.")

    def _open(self, name: str, *items: str) -> Archive:
        archive = self.layers.open(name)
        if set(archive.header) != set(items):
            archive.close()
            self._wrong(name)
        return archive

    def _wrong(self, name: str) -> None:
        raise Damaged(f"{self.layers.folder} is damaged: its layer {name} does not hold what it should.")

    def _read_forward(self, number: int, *, last: bool) -> None:
        name, found = f"forward-{number:06}", self.found
        with self._open(name, "leads", "finished") as layer:
            items = layer.header
            leads, finished = items["leads"], items["finished"]
            right = isinstance(leads, list) and all(are_ints(row) and len(row) > 0 for row in leads)
            if not right or not isinstance(finished, bool) or (finished and not last):
                self._wrong(name)
            stages = [row[0] for row in leads]
            if len({*stages, *found.leads}) != len(stages) + len(found.leads):
                self._wrong(name)
            self._check_sections(name, layer, {f"keys_{stage}": ("<i8", None) for stage in stages})
            found.leads |= {stage: later for stage, *later in leads}
            found.sizes |= {stage: layer.entry(f"keys_{stage}").length // self.format.words for stage in stages}
            found.complete = finished

    def _read_pending(self, number: int) -> None:
        name = f"pending-{number:06}"
        self._require(name in self.layers.names(), f"its layer {name} is missing")
        with self._open(name, "stages") as layer:
            items = layer.header
            stages = items["stages"]
            if (
                not are_ints(stages)
                or not stages
                or len({*stages, *self.found.leads}) != len(stages) + len(self.found.leads)
            ):
                self._wrong(name)
            self._check_sections(name, layer, {f"pending_{stage}": ("<i8", None) for stage in stages})
            self.found.pending = {stage: self.keys(layer, f"pending_{stage}") for stage in stages}

    def keys(self, layer: Archive, name: str) -> Any:
        return read_keys(layer, name, self.format.words, room_for(layer, name, self.budget))

    def _read_solved(self, number: int) -> None:
        name, format, found = f"solved-{number:06}", self.format, self.found
        with self._open(name, "solved") as layer:
            items = layer.header
            rows = items["solved"]
            if not isinstance(rows, list) or not all(is_solved(row, format) for row in rows):
                self._wrong(name)
            wanted: dict[str, tuple[str, int | None]] = {}
            for row in rows:
                solved = SolvedStage(**row, entries=None)
                stage = solved.stage
                if stage in found.solved or (not format.dense and found.sizes.get(stage) != solved.length):
                    self._wrong(name)
                found.solved[stage] = solved
                kind = "<f8" if format.values == EXPECTATION else "<i8"
                for part in ("entries", "uppers")[: 1 + (format.values == EXPECTATION)]:
                    wanted[f"{part}_{stage}"] = kind, solved.record.words
            self._check_sections(name, layer, wanted)

    def _check_sections(self, name: str, layer: Archive, wanted: dict[str, tuple[str, int | None]]) -> None:
        """The arrays of a layer are those that its items tell of, and no other; keys are whole ones."""
        if set(layer.names) != set(wanted):
            self._wrong(name)
        for section, (dtype, length) in wanted.items():
            entry = layer.entry(section)
            whole = (
                entry.length > 0 and entry.length % self.format.words == 0 if length is None else entry.length == length
            )
            if entry.dtype.str != dtype or not whole:
                self._wrong(name)
            self.found.places[section] = name

    def _read_parts(self) -> None:
        """Read the parts of the stage that was being expanded or evaluated."""
        found, format = self.found, self.format
        names = part_names(self.layers, found.batch)
        left = sorted(found.leads.keys() - found.solved.keys()) if found.complete else sorted(found.pending)
        if not names or not left:
            return
        if found.complete:
            stage = left[-1]
            found.evaluated = read_evaluated(self.layers, names, stage, found.sizes[stage], format.values, self.budget)
        else:
            size = len(found.pending[left[0]]) // format.words
            found.expanded = read_expanded(self.layers, names, left[0], size, format.words, self.budget)
        found.parts = len(names)

    def _check_order(self) -> None:
        """Stages are solved from the last one down, when all that they lead to have been found."""
        if self.format.dense:
            return
        stages = sorted(self.found.leads, reverse=True)
        solved = set(stages[: len(self.found.solved)])
        self._require(solved == set(self.found.solved), "some solved stages are missing")
        for stage, later in self.found.leads.items():
            there = self.found.leads if self.found.complete else {**self.found.leads, **self.found.pending}
            self._require(
                all(to in there and to >= stage for to in later), f"stage {stage} leads to one that is missing"
            )


def checkpoint_ranges(checkpoint: Checkpoint, ours: list[Range]) -> list[Range]:
    """The ranges by which the keys that are there were packed; ours, which are kept from now on, where none are."""
    names = checkpoint.names()
    if "packing" not in names:
        if any(NUMBERED.fullmatch(name) for name in names):
            raise Damaged(f"{checkpoint.folder} is not complete: its layer packing is missing.")
        checkpoint.put("packing", ranges=ours)
    ranges = ranges_in(checkpoint)
    if len(ranges) != len(ours):
        raise Damaged(f"{checkpoint.folder} is damaged: its layer packing is not one of this game.")
    return ranges


def ranges_in(layers: Layers) -> list[Range]:
    """The ranges that the layer of the packing holds."""
    with layers.open("packing") as layer:
        items = layer.header
        ranges: Any = items.get("ranges")
    right = are_rows(ranges, 3, 5) and all(row[0] <= row[1] for row in ranges)
    if not right or not Packing.fitting([Range(*row) for row in ranges]).is_valid:
        raise Damaged(f"{layers.folder} is damaged: its layer packing does not hold what it should.")
    return [Range(*row) for row in ranges]


def is_solved(row: Any, format: LayerFormat) -> bool:
    """Return whether a row of JSON is the record of a solved stage."""
    if not isinstance(row, dict) or set(row) != {*StageRecord._fields, "counts"}:
        return False
    counts = row["counts"]
    if not are_rows(counts, 3):
        return False
    record = {name: row[name] for name in StageRecord._fields}
    if not are_ints(list(record.values())) or not is_record(StageRecord(**record), format.values, format.wdl):
        return False
    base = row["base"] - 1 if format.values == MARGIN else 0
    states = sum(number for _, number, _ in counts)
    return states <= row["length"] and all(
        is_entry(format.values, entry + base) and 0 < number <= images for entry, number, images in counts
    )


def read_entries(
    layer: Archive, solved: SolvedStage, format: LayerFormat, budget: MemoryBudget | None = None
) -> tuple[Any, Any]:
    """The entries of a stage and its upper bounds, seen to be those that it counts."""
    names = [f"entries_{solved.stage}", f"uppers_{solved.stage}"][: 1 + (format.values == EXPECTATION)]
    entries, *uppers = [layer.array(name, into=room_for(layer, name, budget)) for name in names]
    counts = expected([(entry, states) for entry, states, _ in solved.counts], format.wdl)
    if uppers:
        pairs = zip(slices(entries, CHUNK // 8), slices(uppers[0], CHUNK // 8), strict=True)
        right = valid_bounds(pairs, format.error, sum(counts.values()))
    else:
        right = valid_entries(slices(entries, CHUNK // 8), format.values, solved.record, counts)
    if not right:
        raise Damaged(f"{layer.path} is damaged: 'entries_{solved.stage}' does not hold what it counts.")
    return entries, uppers[0] if uppers else None
