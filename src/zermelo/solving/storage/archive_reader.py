"""Reading an archive: the index when it is opened, blocks when they are asked for, nothing that is not as written."""

from __future__ import annotations

import math
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from hmac import compare_digest
from pathlib import Path
from typing import Any, Self

import numpy as np
import zstandard
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from zermelo.files import Damaged, FileError, RandomAccessFile
from zermelo.formatting import size_text
from zermelo.solving.storage.archive_format import (
    BLOCK_ROW,
    BLOCK_SIZE,
    MAGIC,
    MAX_FRAME_SIZE,
    MIN_FRAME_SIZE,
    PREFIX,
    TRAILER,
    VERSION,
    Entry,
    Seal,
    codec,
    cores,
    digest_archive,
    section_rows,
)
from zermelo.solving.storage.archive_index import MAX_INDEX_SIZE, read_index

MEMORY_CHECK_SIZE = 1 << 28
"""Bytes of an array for which it is worth asking whether there is memory."""

ROWS_PER_READ = 1 << 18
"""Rows of the table that are read at once."""

BLOCK_CACHE_SIZE = 64 << 20
"""Bytes of unpacked blocks that an open archive keeps."""


def cache_blocks(decompress: weakref.WeakMethod[Any], blocks: int) -> Any:
    """Return a function that decompresses a block and caches `blocks` of them. It does not keep the archive open."""

    @lru_cache(blocks)
    def block(name: str, number: int) -> Any:
        method = decompress()
        assert method is not None
        return method(name, number)

    return block


class Archive:
    """An archive that is open for reading, from any number of threads: `header`, `names`, arrays and their parts."""

    def __init__(self, path: Path, source: RandomAccessFile, cache: int) -> None:
        self.path = path
        self.header: dict[str, Any]
        self.entries: dict[str, Entry]
        self._source = source
        self._read_index()
        self._block = cache_blocks(weakref.WeakMethod(self._decompress), max(1, cache // BLOCK_SIZE))

    @classmethod
    def open(cls, path: str | Path, check: bool = True, cache: int = BLOCK_CACHE_SIZE) -> Archive:
        """The archive in a file, if all of it is as it was written; without `check`, blocks are looked at when read.

        `cache` is how many bytes of unpacked blocks `read` and `item` keep.
        """
        path = Path(path)
        source = RandomAccessFile(path)
        try:
            if source.length == 0:
                raise FileError(f"{path} is empty.")
            archive = cls(path, source, cache)
            if check:
                for name in archive.names:
                    deque(archive.frames(name), maxlen=0)
        except BaseException:
            source.close()
            raise
        return archive

    def _read_index(self) -> None:
        source, length = self._source, self._source.length
        start = source.read(0, min(PREFIX.size, length))
        if start[: len(MAGIC)] != MAGIC[: len(start)]:
            raise FileError(f"{self.path} is not a file of Zermelo.")
        cut = Damaged(f"{self.path} is damaged: it was cut short, or something was appended to it.")
        if length < PREFIX.size + TRAILER.size:
            raise cut
        version = PREFIX.unpack(start)[1]
        if version != VERSION:
            raise FileError(f"{self.path} has format {version}; this Zermelo reads format {VERSION}.")
        index_size, blocks, end, checksum = TRAILER.unpack(source.read(length - TRAILER.size, TRAILER.size))
        tail = length - TRAILER.size - blocks * BLOCK_ROW.itemsize - index_size
        if end != length or tail < PREFIX.size:
            raise cut
        if index_size > MAX_INDEX_SIZE:
            raise Damaged(f"{self.path} is damaged: nothing has an index of {index_size:,} bytes.")
        if blocks * MIN_FRAME_SIZE > tail - PREFIX.size:
            raise self._misfit()
        index, table = source.read(tail, index_size), self._table(tail + index_size, blocks)
        sizes = source.read(length - TRAILER.size, TRAILER.size - 8)
        if xxh3_64_intdigest(b"".join((start, index, table, sizes))) != checksum:
            raise Damaged(f"{self.path} is damaged: its header or index is not as it was written.")
        self.header, self.entries, self.seal = read_index(self.path, index)
        if sum(entry.blocks for entry in self.entries.values()) != blocks:
            raise self._misfit()
        self._read_rows(table, tail)

    def _misfit(self) -> Damaged:
        return Damaged(f"{self.path} is damaged: its sections are not those of its blocks.")

    def _table(self, start: int, blocks: int) -> bytes:
        """The table, read by pieces until one is wrong: a file with holes in it has more zeros than memory holds."""
        pieces = []
        for first in range(0, blocks, ROWS_PER_READ):
            rows = min(ROWS_PER_READ, blocks - first) * BLOCK_ROW.itemsize
            pieces.append(self._source.read(start + first * BLOCK_ROW.itemsize, rows))
            sizes = np.frombuffer(pieces[-1], BLOCK_ROW)["size"]
            if sizes.min() < MIN_FRAME_SIZE or sizes.max() > MAX_FRAME_SIZE:
                raise self._misfit()
        return b"".join(pieces)

    def _read_rows(self, table: bytes, tail: int) -> None:
        """Where each block is; together they fill the file up to its index."""
        self._rows = np.frombuffer(table, BLOCK_ROW)
        self._ends = PREFIX.size + np.cumsum(self._rows["size"], dtype=np.int64)
        if (int(self._ends[-1]) if len(self._ends) else PREFIX.size) != tail:
            raise self._misfit()

    def is_sealed_by(self, seal: Seal) -> bool:
        """Return whether the whole archive, each block included, has the digest that it was written with."""
        for name in self.names:
            for frame, _ in self.frames(name):
                seal.update(frame)
        contents = {"header": self.header, "sections": section_rows(self.entries)}
        found = digest_archive(seal, contents, self._rows.tobytes())
        return compare_digest(found.encode(), self.seal.encode("utf-8", "surrogatepass"))

    @property
    def names(self) -> list[str]:
        """The names of the sections, in the order in which they were written."""
        return list(self.entries)

    def entry(self, name: str) -> Entry:
        """Dtype and length of a section."""
        if name not in self.entries:
            raise FileError(f"{self.path} has no section {name!r}.")
        return self.entries[name]

    def array(
        self,
        name: str,
        threads: int | None = None,
        into: NDArray[Any] | None = None,
        decode: Callable[[NDArray[Any]], NDArray[Any]] | None = None,
    ) -> NDArray[Any]:
        """Return the whole of a section, decompressed by `threads` threads, all cores by default.

        It is written to the array `into`, if there is one, and each block is decoded.
        """
        entry = self.entry(name)
        if into is None:
            self._check_room(name, entry)
            into = np.empty(entry.length, entry.dtype)
        array, per_block = into, entry.per_block

        def fill(blocks: range) -> None:
            for block in blocks:
                part = self._decompress(name, block)
                array[block * per_block : (block + 1) * per_block] = part if decode is None else decode(part)

        threads = min(threads or cores(), entry.blocks)
        if threads <= 1:
            fill(range(entry.blocks))
        else:
            share = math.ceil(entry.blocks / threads / 4)
            with ThreadPoolExecutor(threads) as pool:
                shares = (range(i, min(i + share, entry.blocks)) for i in range(0, entry.blocks, share))
                deque(pool.map(fill, shares), maxlen=0)
        return array

    def _check_room(self, name: str, entry: Entry) -> None:
        """Raise FileError if an array does not fit into memory: a small file can claim a large one."""
        if entry.bytes > MEMORY_CHECK_SIZE:
            from zermelo.solving.memory_budget import available_memory

            if entry.bytes > (memory := available_memory()):
                needed = f"{size_text(entry.bytes)} of memory, and there are {size_text(memory)}"
                raise FileError(f"{self.path} cannot be read as a whole: {name!r} takes {needed}.")

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
            yield self._frame(name, block), int(self._rows[entry.first + block]["checksum"])

    def _decompress(self, name: str, block: int) -> NDArray[Any]:
        entry, frame = self.entries[name], self._frame(name, block)
        try:
            if zstandard.frame_content_size(frame) != entry.size(block):
                raise self._damaged(name, block)
            raw = codec.decompressor.decompress(frame)
        except zstandard.ZstdError as error:
            raise self._damaged(name, block) from error
        if len(raw) != entry.size(block):
            raise self._damaged(name, block)
        return np.frombuffer(raw, entry.dtype)

    def _frame(self, name: str, block: int) -> bytes:
        number = self.entries[name].first + block
        size, checksum = self._rows[number].item()
        frame = self._source.read(int(self._ends[number]) - size, size)
        if xxh3_64_intdigest(frame) != checksum:
            raise self._damaged(name, block)
        return frame

    def _damaged(self, name: str, block: int) -> Damaged:
        return Damaged(f"{self.path} is damaged: block {block} of {name!r} is not as it was written.")

    def close(self) -> None:
        """Close the file and clear the cache."""
        self._block.cache_clear()
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
