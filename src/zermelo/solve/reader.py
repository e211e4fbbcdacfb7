"""Reading an archive: the index when it is opened, blocks when they are asked for, nothing that is not as written."""

from __future__ import annotations

import json
import math
import mmap
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
import zstandard
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from zermelo.files import Damaged, FileError, told
from zermelo.solve.format import BLOCK, MAGIC, PREFIX, ROW, TRAILER, VERSION, Entry, codec, cores

CACHE = 64 << 20
"""Bytes of unpacked blocks that an open archive keeps."""


class Archive:
    """An archive that is open for reading, from any number of threads: `header`, `names`, arrays and their parts."""

    def __init__(self, path: Path, data: mmap.mmap, cache: int) -> None:
        self.path = path
        self.header: dict[str, Any]
        self.entries: dict[str, Entry] = {}
        self._data = data
        self._read_index()
        self._block = lru_cache(max(1, cache // BLOCK))(self._unpacked)

    @classmethod
    def open(cls, path: str | Path, check: bool = True, cache: int = CACHE) -> Archive:
        """The archive in a file, if all of it is as it was written; without `check`, blocks are looked at when read.

        `cache` is how many bytes of unpacked blocks `read` and `item` keep.
        """
        path = Path(path)
        with told(path, "read"), open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                raise FileError(f"{path} is empty.")
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            archive = cls(path, data, cache)
            if check:
                for name in archive.names:
                    deque(archive.frames(name), maxlen=0)
        except BaseException:
            data.close()
            raise
        return archive

    def _read_index(self) -> None:
        data, length = self._data, len(self._data)
        start = data[: PREFIX.size]
        if start[: len(MAGIC)] != MAGIC[: len(start)]:
            raise FileError(f"{self.path} is not a file of Zermelo.")
        cut = Damaged(f"{self.path} is damaged: it was cut short, or something was appended to it.")
        if length < PREFIX.size + TRAILER.size:
            raise cut
        version = PREFIX.unpack(start)[1]
        if version != VERSION:
            raise FileError(f"{self.path} has format {version}; this Zermelo reads format {VERSION}.")
        index_size, blocks, end, checksum = TRAILER.unpack(data[length - TRAILER.size :])
        tail = length - TRAILER.size - blocks * ROW.itemsize - index_size
        if end != length or tail < PREFIX.size:
            raise cut
        if xxh3_64_intdigest(start + data[tail : length - 8]) != checksum:
            raise Damaged(f"{self.path} is damaged: its header or index is not as it was written.")
        self._read_sections(json.loads(data[tail : tail + index_size]), tail + index_size, blocks)
        sections = sum(entry.blocks for entry in self.entries.values())
        if sections != blocks or sum(self._sizes) != tail - PREFIX.size:
            raise Damaged(f"{self.path} is damaged: its sections are not those of its blocks.")

    def _read_sections(self, index: dict[str, Any], table: int, blocks: int) -> None:
        self.header = index["header"]
        first = 0
        for name, dtype, length in index["sections"]:
            self.entries[name] = entry = Entry(np.dtype(dtype), length, first)
            first += entry.blocks
        rows = np.frombuffer(self._data[table : table + blocks * ROW.itemsize], ROW)
        self._sizes, self._checksums = rows["size"].tolist(), rows["checksum"].tolist()
        self._starts = (PREFIX.size + np.cumsum(rows["size"], dtype=np.int64) - rows["size"]).tolist()

    @property
    def names(self) -> list[str]:
        """The names of the sections, in the order in which they were written."""
        return list(self.entries)

    def entry(self, name: str) -> Entry:
        """Dtype and length of a section."""
        if name not in self.entries:
            raise FileError(f"{self.path} has no section {name!r}.")
        return self.entries[name]

    def array(self, name: str, threads: int | None = None) -> NDArray[Any]:
        """The whole of a section, unpacked by so many threads, all cores by default."""
        entry = self.entry(name)
        array, per_block = np.empty(entry.length, entry.dtype), entry.per_block

        def fill(blocks: range) -> None:
            for block in blocks:
                array[block * per_block : (block + 1) * per_block] = self._unpacked(name, block)

        threads = min(threads or cores(), entry.blocks)
        if threads <= 1:
            fill(range(entry.blocks))
        else:
            share = math.ceil(entry.blocks / threads / 4)
            with ThreadPoolExecutor(threads) as pool:
                shares = (range(i, min(i + share, entry.blocks)) for i in range(0, entry.blocks, share))
                deque(pool.map(fill, shares), maxlen=0)
        return array

    def read(self, name: str, start: int, stop: int) -> NDArray[Any]:
        """The items start to stop - 1 of a section, through the cache."""
        entry = self.entry(name)
        if not 0 <= start <= stop <= entry.length:
            raise FileError(f"{self.path} has {entry.length} items in {name!r}, not those from {start} to {stop}.")
        parts, per_block = np.empty(stop - start, entry.dtype), entry.per_block
        while start < stop:
            block, place = divmod(start, per_block)
            part = self._block(name, block)[place : place + stop - start]
            parts[len(parts) - (stop - start) :][: len(part)] = part
            start += len(part)
        return parts

    def item(self, name: str, place: int) -> Any:
        """One item of a section, as an int or float, through the cache."""
        entry = self.entry(name)
        if not 0 <= place < entry.length:
            raise FileError(f"{self.path} has {entry.length} items in {name!r}, and none at {place}.")
        block, place = divmod(place, entry.per_block)
        return self._block(name, block)[place].item()

    def frames(self, name: str) -> Iterator[tuple[bytes, int]]:
        """Each block of a section as it is in the file, with its checksum, which was found to be right."""
        entry = self.entry(name)
        for block in range(entry.blocks):
            yield self._frame(name, block), self._checksums[entry.first + block]

    def _unpacked(self, name: str, block: int) -> NDArray[Any]:
        entry, frame = self.entries[name], self._frame(name, block)
        try:
            if zstandard.frame_content_size(frame) != entry.size(block):
                raise self._damaged(name, block)
            raw = codec.decompressor.decompress(frame)
        except zstandard.ZstdError as error:
            raise self._damaged(name, block) from error
        return np.frombuffer(raw, entry.dtype)

    def _frame(self, name: str, block: int) -> bytes:
        if self._data.closed:
            raise FileError(f"{self.path} was closed.")
        row = self.entries[name].first + block
        start = self._starts[row]
        frame = self._data[start : start + self._sizes[row]]
        if xxh3_64_intdigest(frame) != self._checksums[row]:
            raise self._damaged(name, block)
        return frame

    def _damaged(self, name: str, block: int) -> Damaged:
        return Damaged(f"{self.path} is damaged: block {block} of {name!r} is not as it was written.")

    def close(self) -> None:
        """Let go of the file and of the cache."""
        self._block.cache_clear()
        self._data.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
