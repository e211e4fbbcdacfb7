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
    RUN_BLOCKS,
    TRAILER,
    VERSION,
    Entry,
    Seal,
    cores,
    decompress_run,
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

UNCACHED_BLOCKS = 4
"""More blocks than these are read together, and not kept."""


def content_size(frame: memoryview) -> int:
    """Return how many bytes a frame says that it holds; -1 if it does not say."""
    try:
        return int(zstandard.frame_content_size(frame))
    except zstandard.ZstdError:
        return -1


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
                    deque(archive.runs(name), maxlen=0)
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
            for run in self.runs(name):
                for frame, _ in run:
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
        decode: Callable[[NDArray[Any]], None] | None = None,
    ) -> NDArray[Any]:
        """Return the whole of a section, decompressed by `threads` threads, all cores by default.

        It is written to the array `into`, if there is one. `decode` gets whole blocks of it, to be decoded in place.
        """
        entry = self.entry(name)
        if into is None:
            self._check_room(name, entry)
            into = np.empty(entry.length, entry.dtype)
        array, per_block = into, entry.per_block

        def fill(blocks: range) -> None:
            for first in blocks[::RUN_BLOCKS]:
                last = min(first + RUN_BLOCKS, blocks.stop)
                part = array[first * per_block : last * per_block]
                self._read_run(name, first, last, part)
                if decode is not None:
                    decode(part)

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
        """The items start to stop - 1 of a section; few are read through the cache."""
        entry = self.entry(name)
        if not 0 <= start <= stop <= entry.length:
            raise FileError(f"{self.path} has {entry.length} items in {name!r}, not those from {start} to {stop}.")
        per_block = entry.per_block
        if stop - start > UNCACHED_BLOCKS * per_block:
            first, last = start // per_block, -(-stop // per_block)
            whole = np.empty(min(last * per_block, entry.length) - first * per_block, entry.dtype)
            self._read_run(name, first, last, whole)
            return whole[start - first * per_block : stop - first * per_block]
        parts = np.empty(stop - start, entry.dtype)
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

    def runs(self, name: str) -> Iterator[list[tuple[memoryview, int]]]:
        """Some blocks at a time as they are in the file, each with its checksum, which was found to be right."""
        blocks = self.entry(name).blocks
        for first in range(0, blocks, RUN_BLOCKS):
            yield self._run(name, first, min(first + RUN_BLOCKS, blocks))

    def _run(self, name: str, first: int, last: int) -> list[tuple[memoryview, int]]:
        """The frames and checksums of the blocks `first` to `last` - 1."""
        row = self.entries[name].first
        rows, ends = self._rows[row + first : row + last].tolist(), self._ends[row + first : row + last].tolist()
        start = ends[0] - rows[0][0]
        read = memoryview(self._source.read(start, ends[-1] - start))
        run = []
        for block, (size, checksum), end in zip(range(first, last), rows, ends, strict=True):
            frame = read[end - size - start : end - start]
            if xxh3_64_intdigest(frame) != checksum:
                raise self._damaged(name, block)
            run.append((frame, checksum))
        return run

    def _read_run(self, name: str, first: int, last: int, into: NDArray[Any]) -> None:
        """Write the items of the blocks `first` to `last` - 1 to an array."""
        per_block = self.entries[name].per_block
        for start in range(first, last, RUN_BLOCKS):
            stop = min(start + RUN_BLOCKS, last)
            into[(start - first) * per_block : (stop - first) * per_block] = self._unpacked(name, start, stop)

    def _unpacked(self, name: str, first: int, last: int) -> NDArray[Any]:
        """The items of some blocks, joined at once: copied one by one, they would make threads wait for each other."""
        entry, frames = self.entries[name], [frame for frame, _ in self._run(name, first, last)]
        sizes = [entry.size(block) for block in range(first, last)]
        for block, frame in enumerate(frames, first):  # no more is unpacked than a block has, whatever a frame holds
            if content_size(frame) != entry.size(block):
                raise self._damaged(name, block)
        try:
            return np.frombuffer(b"".join(decompress_run(frames, sizes)), entry.dtype)
        except zstandard.ZstdError as error:
            if last - first == 1:
                raise self._damaged(name, first) from error
        return np.concatenate([self._unpacked(name, block, block + 1) for block in range(first, last)])

    def _decompress(self, name: str, block: int) -> NDArray[Any]:
        return self._unpacked(name, block, block + 1)

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
