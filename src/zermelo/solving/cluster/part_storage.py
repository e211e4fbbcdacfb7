"""Storage that all nodes see: a folder, or any URL that fsspec knows. It holds the parts of one solve.

A part appears whole or not at all. In a folder it is written under another name first; stores of objects do the same
by themselves. Nothing waits until it is on the disk: what a power failure cuts short is found by its digest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from zermelo.files import TEMPORARY_PREFIX, FileError, atomic_writer, file_errors
from zermelo.game import GameError
from zermelo.solving.cluster.part_format import DamagedPart, PartFile, encode_part
from zermelo.solving.cluster.parts_place import is_url

PART_SUFFIX = ".part"


class PartStorage:
    """The parts of a solve under their names. `key` is that of their digests."""

    def __init__(self, place: str, key: bytes) -> None:
        self.place = place
        self.key = key
        self._fs, self._root = _file_system(place)
        self._local = None if is_url(place) else Path(self._root)

    def create(self) -> None:
        """Make the folder, if there is none, and remove what was never finished."""
        with file_errors(self.place, "used"):
            self._fs.makedirs(self._root, exist_ok=True)
            if self._local is not None:
                for path in self._local.glob(f"{TEMPORARY_PREFIX}*"):
                    path.unlink()

    def names(self) -> set[str]:
        """Return the names of all parts."""
        with file_errors(self.place, "listed"):
            self._fs.invalidate_cache()
            try:
                found = self._fs.ls(self._root, detail=False)
            except FileNotFoundError:
                return set()
        paths = [str(path).rsplit("/", 1)[-1] for path in found]
        return {path.removesuffix(PART_SUFFIX) for path in paths if path.endswith(PART_SUFFIX)}

    def folders(self) -> list[str]:
        """Return the names of the folders beside the parts."""
        with file_errors(self.place, "listed"):
            self._fs.invalidate_cache()
            found = self._fs.ls(self._root, detail=True)
        return [str(entry["name"]).rstrip("/").rsplit("/", 1)[-1] for entry in found if entry["type"] == "directory"]

    def put(self, name: str, facts: dict[str, Any], sections: Mapping[str, Any]) -> None:
        """Write a part, in place of one of the same name."""
        data = encode_part(name, facts, sections, self.key)
        path = self._path(name)
        if self._local is not None:
            with atomic_writer(path, scratch=True) as output:
                output.write(data)
            return
        with self._errors(name, "written"):
            self._fs.pipe_file(path, data)

    def open(self, name: str) -> PartFile:
        """Return a part to read from. Raise DamagedPart if it is missing or not as it was written."""
        path = self._path(name)

        def read(start: int, size: int) -> bytes:
            with self._errors(name, "read"):
                try:
                    return bytes(self._fs.cat_file(path, start=start, end=start + size))
                except FileNotFoundError:
                    raise DamagedPart(name, f"The part {name} is missing in {self.place}.") from None

        return PartFile(name, read, self.key)

    def facts(self, name: str) -> dict[str, Any] | None:
        """Return the facts of a part; None if it is not there, or not as it was written."""
        try:
            return self.open(name).facts
        except DamagedPart:
            return None

    def is_whole(self, name: str) -> bool:
        """Return whether all of a part is there, as it was written."""
        try:
            file = self.open(name)
            for section in file.sections:
                file.array(section)
        except DamagedPart:
            return False
        return True

    def remove(self, name: str) -> None:
        """Remove a part, if it is there."""
        with self._errors(name, "removed"), suppress(FileNotFoundError):
            self._fs.rm_file(self._path(name))

    def clear(self) -> None:
        """Remove all parts, and the folder if nothing else is in it."""
        for name in self.names():
            self.remove(name)
        with suppress(OSError):
            self._fs.rmdir(self._root)

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}{PART_SUFFIX}"

    @contextmanager
    def _errors(self, name: str, done: str) -> Iterator[None]:
        """Raise FileError for whatever a file system raises; libraries of object stores have errors of their own."""
        try:
            yield
        except (GameError, MemoryError):
            raise
        except Exception as error:
            what = f"{self.place}/{name}{PART_SUFFIX} cannot be {done}"
            raise FileError(f"{what}: {type(error).__name__}: {str(error).rstrip('.')}.") from error


def _file_system(place: str) -> tuple[Any, str]:
    """Return the file system of a folder or URL, and the path there."""
    url_to_fs = _fsspec()
    try:
        return url_to_fs(place)  # type: ignore[no-any-return]
    except (ValueError, ImportError, OSError) as error:
        raise FileError(f"{place} cannot be used as storage: {str(error).rstrip('.')}.") from error


def _fsspec() -> Callable[..., Any]:
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise GameError('Solving on a cluster needs Ray and fsspec: pip install "zermelo[cluster]".') from None
    return url_to_fs  # type: ignore[no-any-return]
