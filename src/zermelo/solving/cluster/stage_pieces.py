"""Pieces of the final file: the blocks of an archive, packed by workers and put together by the driver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from zermelo.solving.cluster.part_format import Packed
from zermelo.solving.cluster.part_storage import PartStorage
from zermelo.solving.retrograde.entries import WDL_ENTRIES, entry_width, pack_entries
from zermelo.solving.storage.archive import Encoded, Frames, Run
from zermelo.solving.storage.archive_format import BLOCK_SIZE, RUN_BLOCKS, compress_run
from zermelo.solving.storage.stage_records import SolvedStage, encode_keys

PIECE_STATES = 1 << 20
"""States of a piece: their keys, and entries of any width, fill whole blocks."""


@dataclass(frozen=True)
class StageRecordFacts:
    """A solved stage of which all parts are known."""

    lengths: list[int]
    """The number of entries of each part."""
    bits: int
    base: int

    @property
    def length(self) -> int:
        return sum(self.lengths)

    @property
    def pieces(self) -> int:
        return -(-self.length // PIECE_STATES)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def combined(stage: int, parts: list[dict[str, Any]]) -> tuple[StageRecordFacts, SolvedStage]:
    """Return a stage whose parts have these facts, and what its header says of it."""
    lengths = [part["length"] for part in parts]
    base = min(part["base"] for part in parts)
    sums: dict[int, list[int]] = {}
    for part in parts:
        for entry, states, positions in part["counts"]:
            total = sums.setdefault(entry + part["base"] - base, [0, 0])
            total[0] += states
            total[1] += positions
    bits = parts[0]["bits"]
    if bits not in (2, 64):
        bits = entry_width(max(sums, default=0))
    order = list(WDL_ENTRIES.values()) if bits == 2 else sorted(sums)
    counts = [[entry, *sums[entry]] for entry in order if entry in sums]
    return StageRecordFacts(lengths, bits, base), SolvedStage(stage, sum(lengths), bits, base, counts, None)


def write_piece(storage: PartStorage, stage: int, piece: int, record: StageRecordFacts, words: int) -> dict[str, Any]:
    """Write a piece of a stage; `words` is 0 where a rule numbers its states."""
    start, stop = piece * PIECE_STATES, min((piece + 1) * PIECE_STATES, record.length)
    sources: dict[str, Any] = {}
    if words:
        sources["keys"] = encode_keys(_gathered(storage, stage, "keys", start, stop, record, words), words)
    entries = _gathered(storage, stage, "entries", start, stop, record, 1)
    if record.bits == 64:
        sources["entries"] = entries
        sources["uppers"] = _gathered(storage, stage, "uppers", start, stop, record, 1)
    else:
        sources["entries"] = pack_entries(entries, record.bits)
    facts: dict[str, Any] = {"sections": {}}
    sections: dict[str, Any] = {}
    for name, source in sources.items():
        array, encode = source if isinstance(source, Encoded) else (source, None)
        frames = [frame for run in _runs(array, encode) for frame in run]
        facts["sections"][name] = [array.dtype.str, len(array)]
        sections[f"{name}_frames"] = Packed(np.frombuffer(b"".join(frame for frame, _ in frames), np.uint8))
        sections[f"{name}_sizes"] = np.array([len(frame) for frame, _ in frames], np.uint32)
        sections[f"{name}_checksums"] = np.array([checksum for _, checksum in frames], np.uint64)
    storage.put(f"packed-{stage}-{piece}", facts, sections)
    return facts


def _runs(array: Any, encode: Any) -> Iterator[Run]:
    """Yield frames and checksums of the blocks of an array, as an archive has them."""
    size = RUN_BLOCKS * BLOCK_SIZE // array.itemsize
    for start in range(0, len(array), size):
        items = array[start : start + size]
        yield compress_run(items if encode is None else encode(items))


def _gathered(
    storage: PartStorage, stage: int, section: str, start: int, stop: int, record: StageRecordFacts, words: int
) -> Any:
    """Return the items of the states from `start` to `stop` of a stage, from all parts that have some."""
    found, before = [], 0
    for part, length in enumerate(record.lengths):
        low, high = max(start, before) - before, min(stop, before + length) - before
        if low < high:
            kind = "keys" if section == "keys" else "entries"
            file = storage.open(f"{kind}-{stage}-{part}")
            items = file.slice(section, low * words, high * words)
            if kind == "entries" and record.bits != 64 and file.facts["base"] != record.base:
                items = items.astype(np.int64) + (file.facts["base"] - record.base)
            found.append(items)
        before += length
    return found[0] if len(found) == 1 else np.concatenate(found)


def stage_sections(
    storage: PartStorage, stage: int, number: int, record: StageRecordFacts
) -> Iterator[tuple[str, Frames]]:
    """Yield the sections of a stage of the final file, whose blocks are read when they are written."""
    facts = [storage.open(f"packed-{stage}-{piece}").facts["sections"] for piece in range(record.pieces)]
    for name, (dtype, _) in facts[0].items():
        length = sum(each[name][1] for each in facts)
        yield f"{name}_{number}", Frames(np.dtype(dtype), length, _packed_runs(storage, stage, name, record.pieces))


def _packed_runs(storage: PartStorage, stage: int, name: str, pieces: int) -> Iterator[Run]:
    for piece in range(pieces):
        file = storage.open(f"packed-{stage}-{piece}")
        raw = memoryview(file.array(f"{name}_frames").tobytes())
        sizes, checksums = file.array(f"{name}_sizes").tolist(), file.array(f"{name}_checksums").tolist()
        starts = accumulate(sizes, initial=0)
        yield [
            (raw[start : start + size], checksum)
            for start, size, checksum in zip(starts, sizes, checksums, strict=False)
        ]
