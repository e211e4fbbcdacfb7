"""Files: what the system refuses to do with one is a sentence, and what is written is written as a whole."""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zermelo.formatting import brief, size_text
from zermelo.game import GameError


class FileError(GameError):
    """A sentence about a file: its name, and why it cannot be read or written, or must not be believed."""


class Damaged(FileError):
    """A file is not as it was written."""


def build_time() -> int | None:
    """The time that SOURCE_DATE_EPOCH names, so that a file can be made again to the bit; None where it is not set."""
    chosen = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not chosen:
        return None
    try:
        if not chosen.isdecimal():
            raise ValueError
        time.gmtime(int(chosen))
    except (ValueError, OverflowError, OSError):
        raise GameError(f"SOURCE_DATE_EPOCH must be a number of seconds since 1970, not {brief(chosen)!r}.") from None
    return int(chosen)


@contextmanager
def told(path: str | Path, done: str) -> Iterator[None]:
    """What the system refuses to do with a file, as a sentence.

    >>> with told("no/such/file", "read"):
    ...     open("no/such/file")
    Traceback (most recent call last):
    zermelo.files.FileError: no/such/file cannot be read: no such file or directory.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileError(f"{path} cannot be {done}: {reason[:1].lower()}{reason[1:]}.") from error


LONGEST_TEXT = 32 << 20
"""More bytes than a book, a record or the source of a game has."""


def read_whole(path: Path) -> bytes:
    """All that is in a file somebody names; what the system refuses is an OSError.

    A pipe may have no writer and a device no end, so neither is read, and no file that is too long to be believed.
    """
    flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # nobody waits for the end of a pipe
    handle = os.open(path, os.O_RDONLY | flags)
    try:
        os.read(handle, 0)  # a folder opens, but cannot be read
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise FileError(f"{path} cannot be read: it is not a file.")
        with open(handle, "rb", closefd=False) as file:
            content = file.read(LONGEST_TEXT + 1)
    finally:
        os.close(handle)
    if len(content) > LONGEST_TEXT:
        raise FileError(f"{path} cannot be read: it has more than {size_text(LONGEST_TEXT)}.")
    return content


def destination(path: str | Path) -> Path:
    """Where a file will really lie, links followed; a sentence if something else than a file is there."""
    with told(path, "written"):
        final = Path(os.path.realpath(path))
        if final.exists() and not final.is_file():
            raise FileError(f"{path} cannot be written: it is {'a folder' if final.is_dir() else 'not a file'}.")
    return final


def writable(path: str | Path) -> Path:
    """Where a file will really lie, seen to have a folder there: asked before it takes long to fill it."""
    final = destination(path)
    if not final.parent.is_dir():
        raise FileError(f"{path} cannot be written: there is no folder {final.parent}.")
    return final


def write_whole(path: Path, text: str) -> None:
    """Write a file: all of it, or nothing if that fails. A pipe or a terminal, which has no whole, is written to."""
    with told(path, "written"):
        if path.exists() and not path.is_file():
            path.write_text(text, "utf-8")
        else:
            _replace(path.resolve(), text)  # what a link leads to is written, and the link stays


def _replace(path: Path, text: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-", text=True)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)  # what is made for oneself alone is to be read by others once it is finished
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
