"""Archives: one file with a header and named arrays, in compressed blocks; `write` makes one, `Archive` reads it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
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
    RUN_BLOCKS,
    TRAILER,
    VERSION,
    Entry,
    Seal,
    compress_run,
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
    """An array whose blocks `write` encodes before it compresses them, so that there need be no second array."""

    array: NDArray[Any]
    encode: Callable[[NDArray[Any]], NDArray[Any]]


Run = Sequence[tuple[bytes | memoryview, int]]
"""Frame and checksum of some blocks, one after the other."""


class Frames(NamedTuple):
    """An array whose blocks were compressed elsewhere: frame and checksum of each, in order, some at a time."""

    dtype: np.dtype[Any]
    length: int
    runs: Iterable[Run]


Source = NDArray[Any] | Section | Encoded | Frames


class Step(NamedTuple):
    """What is written next: the beginning of a section, or some of its blocks, which may still be compressed."""

    section: str
    entry: Entry | None
    run: Run | Future[Run] | None


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
            for step in looked_ahead(self.steps(sections, pool), 2 * threads):
                self.take(step)
        contents = {"header": header, "sections": section_rows(self.entries)}
        table = np.array(self.rows, BLOCK_ROW).tobytes()
        if self.seal is not None:
            contents["seal"] = digest_archive(self.seal, contents, table)
        index = to_json(contents).encode()
        end = self.length + len(index) + len(table) + TRAILER.size
        sizes = TRAILER.pack(len(index), len(self.rows), end, 0)[:-8]
        checksum = xxh3_64_intdigest(prefix + index + table + sizes)
        self.write(index + table + sizes + checksum.to_bytes(8, "little"))

    def steps(self, sections: Iterable[tuple[str, Source]], pool: ThreadPoolExecutor) -> Iterator[Step]:
        """What is written, in order. Threads of the pool compress blocks from the time that these are asked for."""
        names: set[str] = set()
        for name, source in sections:
            if name in names:
                raise FileError(f"{self.path} cannot have two sections {name!r}.")
            names.add(name)
            yield from self.section_steps(name, source, pool)

    def section_steps(self, name: str, source: Source, pool: ThreadPoolExecutor) -> Iterator[Step]:
        runs: Iterable[Run | Future[Run]]
        if isinstance(source, Section):
            with Archive.open(source.path, check=False) as other:
                yield Step(name, other.entry(source.name), None)
                for run in other.runs(source.name):
                    yield Step(name, None, run)
            return
        if isinstance(source, Frames):
            entry, runs = Entry(source.dtype, source.length, 0), source.runs
        else:
            source, encode = source if isinstance(source, Encoded) else (source, None)
            array = np.ascontiguousarray(source, source.dtype.newbyteorder("<"))
            if source.ndim != 1 or array.dtype.str not in DTYPES:
                shape = f"a {source.ndim}-dimensional array of {source.dtype}"
                raise FileError(f"{self.path} cannot hold {shape} as {name!r}, only one row of ints or floats.")
            size = RUN_BLOCKS * BLOCK_SIZE // array.itemsize
            pieces = (array[start : start + size] for start in range(0, len(array), size))
            entry = Entry(array.dtype, len(array), 0)
            runs = (pool.submit(compressed, piece, encode) for piece in pieces)
        yield Step(name, entry, None)
        for part in runs:
            yield Step(name, None, part)

    def take(self, step: Step) -> None:
        if step.entry is not None:
            self.entries[step.section] = step.entry._replace(first=len(self.rows))
        if step.run is not None:
            run = step.run.result() if isinstance(step.run, Future) else step.run
            self.rows += [(len(frame), checksum) for frame, checksum in run]
            frames = b"".join(frame for frame, _ in run)
            if self.seal is not None:
                self.seal.update(frames)
            self.write(frames)

    def write(self, data: bytes) -> None:
        self.output.write(data)
        self.length += len(data)


def compressed(piece: NDArray[Any], encode: Callable[[NDArray[Any]], NDArray[Any]] | None) -> Run:
    """The blocks of a piece of an array, encoded and compressed."""
    return compress_run(piece if encode is None else encode(piece))


def looked_ahead(steps: Iterable[Step], count: int) -> Iterator[Step]:
    """The steps, of which up to `count` are asked for ahead while the blocks of the first are compressed."""
    waiting: deque[Step] = deque()
    for step in steps:
        waiting.append(step)
        while waiting and (len(waiting) > count or not isinstance(waiting[0].run, Future)):
            yield waiting.popleft()
    yield from waiting
