"""Layers of a stage that is not finished: the parts of it that are, so that a solve that was killed goes on from there.

part-N-K    the K-th part of the stage at which layer N left off; those of an earlier N count for nothing

While states are found, a part has the keys that the states from where the last part ended up to `reached` lead to, by
stage: `found_S`. While they are evaluated, it has the entries of these states, `codes`, and the counts of all entries
so far. The places of a stage are those of its sorted keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from zermelo.files import Damaged
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.storage.archive_reader import Archive
from zermelo.solving.storage.checkpoint import Checkpoint, Layers
from zermelo.solving.storage.database_header import StageRecord, are_ints, are_rows, is_entry
from zermelo.solving.storage.section_validation import CHUNK, read_keys, room_for, slices, valid_entries
from zermelo.solving.storage.stage_records import encode_keys

PART = re.compile(r"part-(\d{6,9})-(\d{6,9})", re.ASCII)
CODE_WIDTHS = 8, 16, 32


@dataclass
class ExpandedPart:
    """The successors of the first states of a stage: sorted keys, by the stages that they belong to."""

    stage: int
    reached: int = 0
    found: dict[int, list[Any]] = field(default_factory=dict)


@dataclass
class EvaluatedPart:
    """The entries of the first states of a stage, `bits` each, and rows (entry, states, positions)."""

    stage: int
    reached: int
    bits: int
    counts: list[tuple[int, int, int]]
    codes: list[Any] = field(default_factory=list)
    """Arrays of words, one after the other."""


def put_expanded(checkpoint: Checkpoint, name: str, part: ExpandedPart, words: int) -> None:
    """Keep the keys of a part."""
    stages = [stage for stage, arrays in part.found.items() for _ in arrays]
    arrays = (keys for arrays in part.found.values() for keys in arrays)
    sections = ((f"found_{number}", encode_keys(keys, words)) for number, keys in enumerate(arrays))
    checkpoint.put(name, sections, stage=part.stage, reached=part.reached, found=stages)


def put_evaluated(checkpoint: Checkpoint, name: str, part: EvaluatedPart) -> None:
    """Keep the entries of a part."""
    (codes,) = part.codes
    rows = [list(row) for row in part.counts]
    checkpoint.put(name, stage=part.stage, reached=part.reached, bits=part.bits, counts=rows, codes=codes)


def part_names(layers: Layers, after: int) -> list[str]:
    """The names of the parts that follow the layer with a number, in order; none after a gap."""
    names = {name for name in layers.names() if (match := PART.fullmatch(name)) and int(match[1]) == after}
    kept: list[str] = []
    while (name := f"part-{after:06}-{len(kept) + 1:06}") in names:
        kept.append(name)
    return kept


def remove_stale_parts(checkpoint: Checkpoint, after: int, kept: int) -> None:
    """Remove the parts behind the first gap: they do not begin where the parts end that will fill the gap."""
    for name in checkpoint.names():
        if (match := PART.fullmatch(name)) and int(match[1]) == after and int(match[2]) > kept:
            checkpoint.remove(name)


def read_expanded(
    layers: Layers, names: Iterable[str], stage: int, size: int, words: int, budget: MemoryBudget | None
) -> ExpandedPart:
    """Return what the parts of a stage of `size` states hold. Raise Damaged if they are not such."""
    part = ExpandedPart(stage)
    for name in names:
        with layers.open(name) as layer:
            items: Any = layer.header
            stages = items.get("found")
            _require(
                set(items) == {"stage", "reached", "found"}
                and are_ints([items["stage"], items["reached"]])
                and items["stage"] == stage
                and part.reached < items["reached"] <= size
                and are_ints(stages)
                and all(later >= stage for later in stages)
                and layer.names == [f"found_{number}" for number in range(len(stages))],
                layer,
            )
            for number, later in enumerate(stages):
                part.found.setdefault(later, []).append(_keys(layer, f"found_{number}", words, budget))
            part.reached = items["reached"]
    return part


def read_evaluated(
    layers: Layers, names: Iterable[str], stage: int, size: int, values: str, budget: MemoryBudget | None
) -> EvaluatedPart | None:
    """Return what the parts of a stage of `size` states hold, if there are some. Raise Damaged if they are wrong."""
    part: EvaluatedPart | None = None
    sums: dict[int, int] = {}
    for name in names:
        with layers.open(name) as layer:
            items: Any = layer.header
            start = 0 if part is None else part.reached
            _require(
                set(items) == {"stage", "reached", "bits", "counts"}
                and are_ints([items["stage"], items["reached"], items["bits"]])
                and items["stage"] == stage
                and start < items["reached"] <= size
                and (items["bits"] in CODE_WIDTHS if part is None else items["bits"] == part.bits)
                and are_rows(items["counts"], 3)
                and all(is_entry(values, entry) and 0 < states <= images for entry, states, images in items["counts"])
                and layer.names == ["codes"],
                layer,
            )
            part = part or EvaluatedPart(stage, 0, items["bits"], [])
            sums = _add_codes(layer, part, items["reached"], items["counts"], sums, values, budget)
    return part


def _add_codes(
    layer: Archive,
    part: EvaluatedPart,
    reached: int,
    counts: list[list[int]],
    sums: dict[int, int],
    values: str,
    budget: MemoryBudget | None,
) -> dict[int, int]:
    """Add the entries of one layer to a part, seen to be as many of each as it counts more than the one before."""
    after = {entry: states for entry, states, _ in counts}
    more = {entry: states - sums.get(entry, 0) for entry, states in after.items() if states != sums.get(entry, 0)}
    record = StageRecord(part.stage, reached - part.reached, part.bits, 0)
    entry = layer.entry("codes")
    _require(entry.dtype.str == "<i8" and entry.length == record.words and sums.keys() <= after.keys(), layer)
    codes = layer.array("codes", into=room_for(layer, "codes", budget))
    _require(valid_entries(slices(codes, CHUNK // 8), values, record, more), layer)
    part.codes.append(codes)
    part.reached, part.counts = reached, [(entry, states, images) for entry, states, images in counts]
    return after


def _require(right: bool, layer: Archive) -> None:
    if not right:
        raise Damaged(f"{layer.path} is damaged: it does not hold what it should.")


def _keys(layer: Archive, name: str, words: int, budget: MemoryBudget | None) -> Any:
    entry = layer.entry(name)
    _require(entry.dtype.str == "<i8" and entry.length > 0 and entry.length % words == 0, layer)
    return read_keys(layer, name, words, room_for(layer, name, budget))
