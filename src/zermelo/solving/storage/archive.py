"""Archives: one file with a header and named arrays, in compressed blocks; `write` makes one, `Archive` reads it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from zermelo.files import FileError, Output, atomic_writer
from zermelo.solving.storage.archive_format import (
    BLOCK_ROW,
    BLOCK_SIZE,
    DTYPES,
    MAGIC,
    PREFIX,
    TRAILER,
    VERSION,
    Entry,
    Seal,
    compress,
    cores,
    digest_archive,
    section_rows,
    to_json,
)
from zermelo.solving.storage.archive_reader import Archive

__all__ = ["Archive", "Encoded", "Frames", "Section", "Source", "write"]


class Section(NamedTuple):
    """A section of an archive on disk: what `write` copies block by block, without unpacking."""

    path: Path
    name: str


class Encoded(NamedTuple):
    """An array of which `write` encodes each block before it compresses it, so that there need be no second array."""

    array: NDArray[Any]
    encode: Callable[[NDArray[Any]], NDArray[Any]]


class Frames(NamedTuple):
    """An array whose blocks were compressed elsewhere: frame and checksum of each, in order."""

    dtype: np.dtype[Any]
    length: int
    frames: Iterable[tuple[bytes, int]]


Source = NDArray[Any] | Section | Encoded | Frames

BATCH = 8
"""Blocks that a thread compresses at a time: single ones would keep Python busy with passing them on."""


def write(
    path: str | Path,
    header: dict[str, Any],
    sections: Iterable[tuple[str, Source]],
    *,
    threads: int | None = None,
    scratch: Path | None = None,
    check: Callable[[Path], None] | None = None,
    seal: Seal | None = None,
) -> None:
    """Write an archive so that others see all of it or the old file; when this returns, it is on the disk.

    The same header and sections give the same bytes, whatever the number of `threads` (all cores by default). Arrays
    are one-dimensional, of ints or floats. Sections are taken one after the other, and the header is written last, so
    it may tell what became known on the way. What is not yet whole lies in `scratch`, by default the file's folder.
    `check` sees the file before it takes the place of the old one, and raises where it should not. A `seal` is told
    all that is written, and its digest is kept with it.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "squares"
    >>> write(file, {"power": 2}, [("values", np.arange(10) ** 2)])
    >>> with Archive.open(file) as archive:
    ...     archive.header, archive.item("values", 7)
    ({'power': 2}, 49)
    """
    with atomic_writer(path, folder=scratch) as output:
        _Writer(output, seal).fill(header, sections, threads or cores())
        if check is not None:
            check(output.temporary)


class _Writer:
    """An archive that is being written: its file, and the contents of its index."""

    def __init__(self, output: Output, seal: Seal | None) -> None:
        self.path = output.path
        self.output = output
        self.seal = seal
        self.length = 0
        self.entries: dict[str, Entry] = {}
        self.rows: list[tuple[int, int]] = []

    def fill(self, header: dict[str, Any], sections: Iterable[tuple[str, Source]], threads: int) -> None:
        prefix = PREFIX.pack(MAGIC, VERSION)
        self.write(prefix)
        with ThreadPoolExecutor(threads) as pool:
            for name, source in sections:
                self.add(name, source, pool, threads)
        contents = {"header": header, "sections": section_rows(self.entries)}
        table = np.array(self.rows, BLOCK_ROW).tobytes()
        if self.seal is not None:
            contents["seal"] = digest_archive(self.seal, contents, table)
        index = to_json(contents).encode()
        end = self.length + len(index) + len(table) + TRAILER.size
        sizes = TRAILER.pack(len(index), len(self.rows), end, 0)[:-8]
        checksum = xxh3_64_intdigest(prefix + index + table + sizes)
        self.write(index + table + sizes + checksum.to_bytes(8, "little"))

    def add(self, name: str, source: Source, pool: ThreadPoolExecutor, threads: int) -> None:
        if name in self.entries:
            raise FileError(f"{self.path} cannot have two sections {name!r}.")
        if isinstance(source, Section):
            with Archive.open(source.path, check=False) as other:
                entry = other.entry(source.name)
                self.append(name, entry, other.frames(source.name))
        elif isinstance(source, Frames):
            self.append(name, Entry(source.dtype, source.length, 0), source.frames)
        else:
            source, encode = source if isinstance(source, Encoded) else (source, None)
            array = np.ascontiguousarray(source, source.dtype.newbyteorder("<"))
            if source.ndim != 1 or array.dtype.str not in DTYPES:
                shape = f"a {source.ndim}-dimensional array of {source.dtype}"
                raise FileError(f"{self.path} cannot hold {shape} as {name!r}, only one row of ints or floats.")
            size = BLOCK_SIZE // array.itemsize
            pieces = (array[start : start + size] for start in range(0, len(array), size))
            self.append(name, Entry(array.dtype, len(array), 0), compress_blocks(pieces, encode, pool, 2 * threads))

    def append(self, name: str, entry: Entry, frames: Iterable[tuple[bytes, int]]) -> None:
        self.entries[name] = entry._replace(first=len(self.rows))
        for frame, checksum in frames:
            self.rows.append((len(frame), checksum))
            if self.seal is not None:
                self.seal.update(frame)
            self.write(frame)

    def write(self, data: bytes) -> None:
        self.output.write(data)
        self.length += len(data)


def compress_blocks(
    pieces: Iterable[NDArray[Any]],
    encode: Callable[[NDArray[Any]], NDArray[Any]] | None,
    pool: ThreadPoolExecutor,
    ahead: int,
) -> Iterator[tuple[bytes, int]]:
    """Frame and checksum of each piece, encoded, in order; no more than `ahead` batches of them wait to be written."""

    def frames(batch: list[NDArray[Any]]) -> list[tuple[bytes, int]]:
        return [compress((piece if encode is None else encode(piece)).view(np.uint8)) for piece in batch]

    waiting: deque[Future[list[tuple[bytes, int]]]] = deque()
    left = iter(pieces)
    while batch := list(islice(left, BATCH)):
        waiting.append(pool.submit(frames, batch))
        if len(waiting) > ahead:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()
