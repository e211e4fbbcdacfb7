"""How an archive lies in its file.

prefix      12            MAGIC and VERSION
blocks      as they come  BLOCK bytes of an array each, or what is left of it, as a zstd frame
index       JSON          the header; name, dtype and length of each section; a seal, where there is one
table       12 a block    size of the frame and xxh3 checksum over it
trailer     32            size of the index, number of blocks, length of the file, checksum of all but the blocks

The blocks follow each other without gaps, in the order of the sections, so each byte is under one checksum: that of its
block, or the last one, which covers those of the blocks too. Numbers are little-endian.
"""

from __future__ import annotations

import json
import os
import struct
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import zstandard
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

T = TypeVar("T")
R = TypeVar("R")

MAGIC = b"\x89Zermelo"
VERSION = 1

# Connect Four 5x4, values with distance, one core: 64 KiB take 80 us to unpack and shrink 4.2 times; 256 KiB take
# 250 us and shrink 4.3 times. Level 3 packs 200 MB/s; level 9 shrinks 4.8 times, but packs 30 MB/s.
BLOCK_SIZE = 1 << 16
COMPRESSION_LEVEL = 3
RUN_BLOCKS = 32
"""Blocks that a thread packs or unpacks at a time: after each, threads would wait for each other to run Python."""
ONE_CALL = {"multi_compress_to_buffer", "multi_decompress_to_buffer"} <= set(zstandard.backend_features)
"""Whether one call of the library takes several blocks; it returns the same frames."""
MIN_FRAME_SIZE = 9
"""Bytes of a frame that holds nothing."""
MAX_FRAME_SIZE = BLOCK_SIZE + 1024
"""More bytes than the frame of a block ever has: what does not shrink grows by a few bytes."""

PREFIX = struct.Struct("<8sI")
TRAILER = struct.Struct("<QQQQ")
BLOCK_ROW = np.dtype([("size", "<u4"), ("checksum", "<u8")])
DTYPES = ("|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8")


class Entry(NamedTuple):
    """What the index knows of a section; `first` is the row of its first block in the table."""

    dtype: np.dtype[Any]
    length: int
    first: int

    @property
    def per_block(self) -> int:
        return BLOCK_SIZE // self.dtype.itemsize

    @property
    def blocks(self) -> int:
        return -(-self.length // self.per_block)

    @property
    def bytes(self) -> int:
        return self.length * self.dtype.itemsize

    def size(self, block: int) -> int:
        """Bytes of a block when unpacked."""
        return min(self.per_block, self.length - block * self.per_block) * self.dtype.itemsize


def section_rows(entries: dict[str, Entry]) -> list[tuple[str, str, int]]:
    """The sections as the index has them."""
    return [(name, entry.dtype.str, entry.length) for name, entry in entries.items()]


class Seal(Protocol):
    """A digest of hashlib."""

    def update(self, data: bytes | memoryview, /) -> None: ...

    def hexdigest(self) -> str: ...


def digest_archive(seal: Seal, contents: dict[str, Any], table: bytes) -> str:
    """The digest of an archive: the seal knows the frames already, and is told their sizes and what the index says."""
    seal.update(table)
    seal.update(to_json(contents).encode())
    return seal.hexdigest()


class Codec(threading.local):
    """The zstd contexts of this thread; they must not be shared."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL)
        self.decompressor = zstandard.ZstdDecompressor()


codec = Codec()


def compress_run(items: NDArray[Any]) -> list[tuple[bytes, int]]:
    """The frame and the checksum of each block of an array."""
    octets = items.view(np.uint8)
    blocks: list[Any] = [octets[start : start + BLOCK_SIZE].data for start in range(0, len(octets), BLOCK_SIZE)]
    if ONE_CALL and blocks:
        found = codec.compressor.multi_compress_to_buffer(blocks, threads=1)
        frames = [found[number].tobytes() for number in range(len(blocks))]
    else:
        frames = [codec.compressor.compress(block) for block in blocks]
    return [(frame, xxh3_64_intdigest(frame)) for frame in frames]


def decompress_run(frames: list[Any], sizes: list[int]) -> list[Any]:
    """The bytes of blocks of these sizes. Raise ZstdError if a frame does not hold as many."""
    raws: list[Any]
    if not ONE_CALL or len(frames) < 2:
        raws = [codec.decompressor.decompress(frame) for frame in frames]
    else:
        packed = np.array(sizes, np.uint64).tobytes()
        found = codec.decompressor.multi_decompress_to_buffer(frames, decompressed_sizes=packed, threads=1)
        raws = [found[number] for number in range(len(frames))]
    if [len(raw) for raw in raws] != sizes:
        raise zstandard.ZstdError("a block has another size")
    return raws


def to_json(data: dict[str, Any]) -> str:
    """JSON text, where numbers of NumPy count as numbers."""

    def plain(item: Any) -> Any:
        if isinstance(item, np.generic):
            return item.item()
        raise TypeError(f"{item!r} is nothing that JSON can hold.")

    return json.dumps(data, default=plain)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def on_all_cores(work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """What `work` returns for each item, in order; in threads if there are several. NumPy and zstd let others run."""
    items = list(items)
    if len(items) <= 1 or cores() == 1:
        yield from map(work, items)
    else:
        with ThreadPoolExecutor(cores()) as pool:
            yield from pool.map(work, items)
