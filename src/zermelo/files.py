"""Files: errors as sentences, reading with a limit or at places, what may be replaced, and one atomic writer."""

from __future__ import annotations

import os
import secrets
import stat
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from zermelo.formatting import shortened, size_text
from zermelo.game import GameError

MAX_FILE_SIZE = 32 << 20
"""More bytes than a book, a game record or the source of a game has."""

TEMPORARY_PREFIX = ".writing-"
"""How the name of a file begins that is not complete yet."""


class FileError(GameError, OSError):
    """A file cannot be read or written, or must not be trusted. The message names the file and the reason.

    `errno`, `strerror` and `filename` are those of the OSError that caused it, if one did.
    """

    __str__ = BaseException.__str__  # the sentence, where OSError would write its number and the file's name


class Damaged(FileError):
    """A file is not as it was written."""


def build_time() -> int | None:
    """Return the time that SOURCE_DATE_EPOCH gives for reproducible files; None if it is not set."""
    chosen = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not chosen:
        return None
    try:
        if not chosen.isdecimal():
            raise ValueError
        time.gmtime(int(chosen))
    except (ValueError, OverflowError, OSError):
        raise GameError(
            f"SOURCE_DATE_EPOCH must be a number of seconds since 1970, not {shortened(chosen)!r}."
        ) from None
    return int(chosen)


@contextmanager
def file_errors(path: str | Path, done: str) -> Iterator[None]:
    """Raise FileError, with a sentence about `path`, in place of an OSError.

    >>> with file_errors("no/such/file", "read"):
    ...     open("no/such/file")
    Traceback (most recent call last):
    zermelo.files.FileError: no/such/file cannot be read: no such file or directory.
    """
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        failure = FileError(f"{path} cannot be {done}: {reason[:1].lower()}{reason[1:]}.")
        failure.errno, failure.strerror, failure.filename = error.errno, error.strerror, str(path)
        raise failure from error
    except ValueError as error:
        if _is_name(path):
            raise
        raise FileError(f"{str(path)!r} cannot be {done}: no file can have this name.") from error


def _is_name(path: str | Path) -> bool:
    """Whether the system could have a file of this name: it has no zeros and no halves of characters."""
    try:
        return b"\0" not in os.fsencode(path)
    except ValueError:
        return False


def read_file(path: Path) -> bytes:
    """Return the contents of a file that the user names.

    Raise OSError if the system refuses, and FileError for a pipe or a device, which may never end, and for a file of
    more than MAX_FILE_SIZE bytes.
    """
    flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # opening a pipe must not wait for a writer
    handle = os.open(path, os.O_RDONLY | flags)
    try:
        os.read(handle, 0)  # a folder opens, but cannot be read
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise FileError(f"{path} cannot be read: it is not a file.")
        with open(handle, "rb", closefd=False) as file:
            content = file.read(MAX_FILE_SIZE + 1)
    finally:
        os.close(handle)
    if len(content) > MAX_FILE_SIZE:
        raise FileError(f"{path} cannot be read: it has more than {size_text(MAX_FILE_SIZE)}.")
    return content


class RandomAccessFile:
    """The bytes of a file, read when they are asked for: a map of it would end the process if somebody cut the file."""

    def __init__(self, path: Path) -> None:
        """Open a file. Raise FileError if the system refuses."""
        self.path = path
        with file_errors(path, "read"):
            flags = getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe must not wait for a writer
            handle = os.open(path, os.O_RDONLY | flags)
        self.close = weakref.finalize(self, os.close, handle)
        self.handle = handle
        self.lock = threading.Lock()
        with file_errors(path, "read"):
            os.read(handle, 0)  # a folder opens, but cannot be read
            self.length = os.fstat(handle).st_size

    def read(self, start: int, size: int) -> bytes:
        """Return `size` bytes from `start` on. Raise Damaged if they are not there."""
        if not self.close.alive:
            raise FileError(f"{self.path} was closed.")
        with file_errors(self.path, "read"):
            found = self._at(start, size)
        if len(found) != size:
            raise Damaged(f"{self.path} is damaged: it was cut short while it was open.")
        return found

    def _at(self, start: int, size: int) -> bytes:
        parts = []
        while size > 0 and (part := self._some(start, size)):  # a read may give less than it was asked for
            parts.append(part)
            start, size = start + len(part), size - len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _some(self, start: int, size: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self.handle, size, start)
        with self.lock:  # Windows has no pread
            os.lseek(self.handle, start, os.SEEK_SET)
            return os.read(self.handle, size)


def destination(path: str | Path) -> Path:
    """Return where a file will be written, links followed. Raise FileError if something other than a file is there."""
    with file_errors(path, "written"):
        final = Path(os.path.realpath(path))
        if final.exists() and not final.is_file():
            raise FileError(f"{path} cannot be written: it is {'a folder' if final.is_dir() else 'not a file'}.")
    return final


def check_writable(path: str | Path) -> Path:
    """Return where a file will be written, links followed. Raise FileError if its folder does not exist.

    Callers check this before they begin long work.
    """
    final = destination(path)
    if not final.parent.is_dir():
        raise FileError(f"{path} cannot be written: there is no folder {final.parent}.")
    return final


def check_replaceable(path: str | Path, other_content: Callable[[Path], str]) -> None:
    """Raise FileError if a file is there that holds something else than what will be written.

    Every command that writes to a file of the user asks this, before it begins long work. `other_content` describes
    what the file holds; it returns "" if that is of the kind that will be written. An empty file may be replaced.
    """
    with file_errors(path, "written"):
        final = Path(os.path.realpath(path))
        kept = final.is_file() and final.stat().st_size > 0
    if kept and (holds := other_content(final)):
        raise FileError(f"{path} would be replaced, and it holds {holds}; delete it, or name another file.")


def no_such_content(kind: str, *beginnings: bytes) -> Callable[[Path], str]:
    """Return what describes a file to `check_replaceable` that should begin with one of some bytes, in either case."""

    def other_content(path: Path) -> str:
        with file_errors(path, "read"), open(path, "rb") as file:
            head = file.read(max(map(len, beginnings))).lower()
        return "" if head.startswith(tuple(start.lower() for start in beginnings)) else f"no {kind}"

    return other_content


# -- writing ---------------------------------------------------------------------------------------------------------


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically. A pipe or a terminal, which cannot be replaced, is written to directly."""
    with file_errors(path, "written"):
        if path.exists() and not path.is_file():
            path.write_text(text, "utf-8")
            return
    with atomic_writer(path) as output:
        output.write(text.replace("\n", os.linesep).encode())


@dataclass(frozen=True)
class Output:
    """A file that is being written: its name, and the temporary file that becomes it."""

    path: str | Path
    temporary: Path
    file: FileIO

    def write(self, data: bytes) -> None:
        """Write all of `data`. Raise FileError if the system refuses."""
        rest = memoryview(data)
        with file_errors(self.path, "written"):
            while rest:  # a disk that is nearly full takes a part
                rest = rest[self.file.write(rest) :]


@contextmanager
def atomic_writer(
    path: str | Path,
    *,
    folder: Path | None = None,
    private: bool = False,
    replace: bool = True,
    scratch: bool = False,
) -> Iterator[Output]:
    """Open a temporary file that becomes `path` when the block ends without an exception.

    Readers see the old file or the whole new one. When the block has ended, the file is on the disk. If the block
    raises, the temporary file is removed and `path` stays as it was. A link stays, and what it leads to is replaced.
    The temporary file is in `folder`, by default that of `path`; both must be on the same disk. A `private` file can
    be read and written by the user alone. Without `replace`, a file that exists already stays. A `scratch` file
    may not be on the disk yet when the block has ended, and replaces a link. Raise FileError if the system refuses.
    """
    final = Path(path) if private or scratch else destination(path)
    temporary = (folder or final.parent) / f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}"
    mode = 0o600 if private else 0o666
    with file_errors(path, "written"):
        file = open(temporary, "xb", buffering=0, opener=lambda name, flags: os.open(name, flags, mode))  # noqa: SIM115
    try:
        with file:
            yield Output(path, temporary, file)
            if not scratch:
                with file_errors(path, "written"):
                    os.fsync(file.fileno())
        with file_errors(path, "written"):
            _publish(temporary, final, replace)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    if not scratch:
        sync_folder(final.parent)


def _publish(temporary: Path, path: Path, replace: bool) -> None:
    if replace:
        os.replace(temporary, path)
        return
    try:
        os.link(temporary, path)
    except FileExistsError:
        pass
    except OSError:  # a disk without links: the last writer wins
        os.replace(temporary, path)
    temporary.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, where the system supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
