"""Part files: named arrays in compressed blocks, each with a digest under the key of the solve.

    head      MAGIC, sizes of index and table, digest of both
    index     JSON: the name of the file, facts, and of each section its name, codec, type, length and items a block
    table     a row for each block: its bytes in the file, the first word of its keys, its digest
    blocks    one after the other, in the order of the sections

Anybody may write to shared storage, and rules run without checks of bounds. So nothing is used whose digest is not that
of the solve: a file that was damaged, changed, renamed or made by somebody else is Damaged, and is computed again. A
task reads what it needs of a section: blocks by their place, or by the range of their sorted keys.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Mapping
from hmac import compare_digest
from typing import Any, NamedTuple

import numpy as np
import zstandard

from zermelo.files import Damaged
from zermelo.solving.storage.archive_format import to_json

PART_MAGIC = b"\x89Zpart01"
PART_HEAD = struct.Struct("<8sQQ32s")
PART_ROW = np.dtype([("size", "<u4"), ("first", "<i8"), ("digest", "S16")])

FIRST_READ = 1 << 16
"""Bytes that are read of a file at first, which are most often all of its index and table."""

MAX_PART_INDEX = 1 << 28
"""More bytes than the index or the table of a part has."""

BLOCK_ITEMS = 1 << 15
"""Keys of a block. Blocks of an eighth take half as long again."""

PART_LEVEL = 1
"""The level of zstd. Keys of Connect Four 5x5 take 9 ns to pack and 6 ns to unpack, and shrink to 0.53 bytes each."""

PLAIN, STEPS, STORED = "plain", "steps", "stored"
"""How a block is encoded: its items, the steps from one to the next, or bytes that do not shrink, all of them."""

PART_TYPES = ("|u1", "<u2", "<u4", "<i4", "<i8", "<u8", "<f8")


class PartSection(NamedTuple):
    """An array of a part file. `rows` is where its rows in the table begin and end."""

    codec: str
    dtype: np.dtype[Any]
    length: int
    per_block: int
    rows: range

    def items(self, block: int) -> int:
        return min(self.per_block, self.length - block * self.per_block)


class Keys(NamedTuple):
    """Sorted keys of `words` words each, as a section."""

    array: Any
    words: int


class Packed(NamedTuple):
    """Bytes that do not shrink, as a section."""

    array: Any


def encode_part(name: str, facts: dict[str, Any], sections: Mapping[str, Any], key: bytes) -> bytes:
    """Return the bytes of a part file. Equal arguments give equal bytes."""
    compressor = zstandard.ZstdCompressor(level=PART_LEVEL)
    index, rows, blocks = [], [], []
    for section, source in sections.items():
        codec, array, per_block = _layout(source)
        index.append([section, codec, array.dtype.str, len(array), per_block])
        for start in range(0, len(array), per_block):
            items = array[start : start + per_block]
            raw = items.tobytes() if codec == STORED else compressor.compress(_encoded(items, codec).data)
            rows.append((len(raw), int(items[0]) if array.dtype == np.int64 else 0, _digest(key, raw)))
            blocks.append(raw)
    contents = to_json({"name": name, "facts": facts, "sections": index}).encode()
    table = np.array(rows, PART_ROW).tobytes()
    seal = hashlib.blake2b(contents + table, key=key, digest_size=32).digest()
    return b"".join((PART_HEAD.pack(PART_MAGIC, len(contents), len(table), seal), contents, table, *blocks))


def _layout(source: Any) -> tuple[str, Any, int]:
    """Return codec, array and items a block of what is to be written."""
    if isinstance(source, Keys):
        return STEPS if source.words == 1 else PLAIN, np.ascontiguousarray(source.array), BLOCK_ITEMS * source.words
    if isinstance(source, Packed):
        return STORED, np.ascontiguousarray(source.array), 1 << 20
    array = np.ascontiguousarray(source)
    return PLAIN, array, 8 * BLOCK_ITEMS // array.itemsize


def _encoded(items: Any, codec: str) -> Any:
    if codec != STEPS:
        return items
    steps = np.empty_like(items)
    steps[0] = items[0]
    np.subtract(items[1:], items[:-1], out=steps[1:])
    return steps


def _digest(key: bytes, raw: bytes) -> bytes:
    """Return the digest of a block. NumPy drops zeros at the end of bytes, so the last byte is none."""
    return hashlib.blake2b(raw, key=key, digest_size=15).digest() + b"\x01"


class PartFile:
    """A part file that is read when it is asked for; `read` returns the bytes from an offset on, up to a number."""

    def __init__(self, name: str, read: Callable[[int, int], bytes], key: bytes) -> None:
        self.name = name
        self._read = read
        self._key = key
        self._begin = read(0, FIRST_READ)
        self.facts: dict[str, Any] = {}
        self.sections: dict[str, PartSection] = {}
        self._open()

    def _open(self) -> None:
        start = self._at(0, PART_HEAD.size)
        magic, index_size, table_size, seal = PART_HEAD.unpack(start)
        if magic != PART_MAGIC or max(index_size, table_size) > MAX_PART_INDEX:
            raise self._damaged("its head")
        contents = self._at(PART_HEAD.size, index_size)
        table = self._at(PART_HEAD.size + index_size, table_size)
        found = hashlib.blake2b(contents + table, key=self._key, digest_size=32).digest()
        if not compare_digest(found, seal):
            raise self._damaged("its index")
        index = json.loads(contents)
        if index["name"] != self.name:
            raise self._damaged("its name")
        self.facts = index["facts"]
        self._table = np.frombuffer(table, PART_ROW)
        self._offsets = PART_HEAD.size + index_size + table_size + np.cumsum(self._table["size"], dtype=np.int64)
        first = 0
        for name, codec, dtype, length, per_block in index["sections"]:
            if dtype not in PART_TYPES:
                raise self._damaged(name)
            blocks = -(-length // per_block)
            self.sections[name] = PartSection(codec, np.dtype(dtype), length, per_block, range(first, first + blocks))
            first += blocks

    def _at(self, start: int, size: int) -> bytes:
        """Return bytes of the file. Raise Damaged if it ends before."""
        found = self._begin[start : start + size] if start + size <= len(self._begin) else self._read(start, size)
        if len(found) != size:
            raise self._damaged("its end")
        return found

    def _damaged(self, what: str) -> Damaged:
        return DamagedPart(self.name, f"The part {self.name} is damaged: {what} is not as it was written.")

    # -- arrays ------------------------------------------------------------------------------------------------------

    def length(self, section: str) -> int:
        """Return the number of items of a section; 0 if there is no such section."""
        return self.sections[section].length if section in self.sections else 0

    def array(self, section: str) -> Any:
        """Return all items of a section."""
        return self.slice(section, 0, self.length(section))

    def slice(self, section: str, start: int, stop: int) -> Any:
        """Return the items from `start` to `stop` of a section; an empty array of int64 if there is none."""
        if section not in self.sections or start >= stop:
            return np.zeros(0, self.sections[section].dtype if section in self.sections else np.int64)
        entry = self.sections[section]
        first, last = start // entry.per_block, -(-stop // entry.per_block)
        items = self._blocks(section, first, last)
        return items[start - first * entry.per_block : stop - first * entry.per_block]

    def keys_between(self, section: str, words: int, low: int | None, high: int | None) -> Any:
        """Return the sorted keys whose first word is at least `low` and less than `high`; None is no bound."""
        if section not in self.sections:
            return np.zeros(0, np.int64)
        firsts = self._table["first"][self.sections[section].rows.start : self.sections[section].rows.stop]
        # Keys that have the same first word may begin in the block before the one that starts with it.
        first = 0 if low is None else max(0, int(np.searchsorted(firsts, low, "left")) - 1)
        last = len(firsts) if high is None else int(np.searchsorted(firsts, high, "left"))
        keys = self._blocks(section, first, last)
        start = 0 if low is None else int(np.searchsorted(keys[::words], low, "left"))
        stop = len(keys) // words if high is None else int(np.searchsorted(keys[::words], high, "left"))
        return keys[start * words : stop * words]

    def _blocks(self, section: str, first: int, last: int) -> Any:
        """Return the items of the blocks from `first` to `last`, which are read together."""
        entry = self.sections[section]
        count = sum(entry.items(block) for block in range(first, last))
        array = np.empty(count, entry.dtype)
        if first >= last:
            return array
        rows = range(entry.rows.start + first, entry.rows.start + last)
        begin = int(self._offsets[rows[0]]) - int(self._table["size"][rows[0]])
        raw = memoryview(self._at(begin, int(self._offsets[rows[-1]]) - begin))
        decompressor, done, place = zstandard.ZstdDecompressor(), 0, 0
        for block, row in zip(range(first, last), rows, strict=True):
            size = int(self._table["size"][row])
            piece, items = raw[done : done + size], entry.items(block)
            if not compare_digest(_digest(self._key, bytes(piece)), bytes(self._table["digest"][row])):
                raise self._damaged(section)
            self._decode(entry, piece, decompressor, array[place : place + items])
            done, place = done + size, place + items
        return array

    def _decode(self, entry: PartSection, piece: Any, decompressor: Any, into: Any) -> None:
        if entry.codec == STORED:
            items = np.frombuffer(piece, entry.dtype)
        else:
            items = np.frombuffer(decompressor.decompress(piece, max_output_size=into.nbytes), entry.dtype)
        if entry.codec == STEPS:
            np.cumsum(items, out=into)
        else:
            into[:] = items


class DamagedPart(Damaged):
    """A part is missing, or not as it was written; `part` is its name."""

    def __init__(self, part: str, message: str) -> None:
        super().__init__(message)
        self.part = part
