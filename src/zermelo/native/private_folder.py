"""Private: a folder and its files that nobody else can have written, since what lies there is run or trusted.

Nobody else is everybody but the user and the administrator. Where somebody else could have a hand in it, a warning says
so, once, and work goes on as if nothing were there.
"""

from __future__ import annotations

import contextlib
import os
import stat
import warnings
from pathlib import Path

from zermelo.files import atomic_writer

_judged: dict[Path, Path | None] = {}
"""Folders as they were named, and where they lie; None for one that is not trusted."""

_warned: set[str] = set()

WRITTEN_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
OF_OTHERS = stat.S_IRWXG | stat.S_IRWXO


KERNELS = "compiled kernels are neither kept nor looked for there. ZERMELO_CACHE names another"


def private_folder(named: Path, *, create: bool = False, without: str = KERNELS) -> Path | None:
    """Where the folder lies, links followed, if it is there and nobody else can write to it; None if not.

    What is given back is to be used in place of the name: a link in it may lead elsewhere the next time. `without` is
    what people are told to be missing where others can write to it.
    """
    if named not in _judged:
        try:
            folder = named.resolve()
            if create:
                _make(folder)
            problem = _problem_of_folder(folder)
        except (OSError, RuntimeError):  # it is not there, or cannot be; a circle of links
            return None
        if problem:
            _warn(f"{problem}; {without}.")
        _judged[named] = None if problem else folder
    return _judged[named]


def read_private(path: Path, *, secret: bool = False) -> bytes | None:
    """What is in a file that nobody else can have written, or read if it is `secret`; None where there is none."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)  # nonblocking, since a pipe would have us wait for a writer
    except OSError:
        return None
    try:
        if problem := _problem_of_file(path, os.fstat(handle), secret):
            _warn(f"{problem}; it is not used.")
            return None
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    except OSError:
        return None
    finally:
        os.close(handle)


def write_private(path: Path, data: bytes) -> None:
    """Write a file so that others see all of it or none, and cannot change it."""
    with atomic_writer(path, private=True) as output:
        output.write(data)


def make_private(path: Path, data: bytes) -> None:
    """Write a file that nobody else can read, unless there is one: of several processes, the first has it."""
    if not path.exists():
        with atomic_writer(path, private=True, replace=False) as output:
            output.write(data)


def _make(folder: Path) -> None:
    """Make the folder and those above it, for the user alone whatever the umask says."""
    if not folder.is_dir():
        if folder.parent != folder:
            _make(folder.parent)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)


def _problem_of_folder(folder: Path) -> str:
    """Why others may have written to a folder, or put another in its place; "" if they cannot."""
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError
    if os.name != "posix":  # owners and modes say nothing there
        return ""
    if found.st_uid != os.geteuid():
        return f"The cache folder {folder} belongs to somebody else"
    if found.st_mode & WRITTEN_BY_OTHERS:
        return f"Others can write to the cache folder {folder} (`chmod go-w` ends that)"
    for parent in folder.parents:
        above = os.lstat(parent)
        if above.st_uid not in (0, os.geteuid()) or _gives_away(above):
            return f"Others can put another folder in the place of {folder}, since they can write to {parent}"
    return ""


def _gives_away(folder: os.stat_result) -> bool:
    """Whether others than its owner can rename what is in a folder. In one with the sticky bit they cannot, and many
    users have a group of their own, which is no other."""
    groups = stat.S_IWGRP if folder.st_gid not in (0, os.getegid()) else 0
    return bool(folder.st_mode & (stat.S_IWOTH | groups)) and not folder.st_mode & stat.S_ISVTX


def _problem_of_file(path: Path, found: os.stat_result, secret: bool) -> str:
    if not stat.S_ISREG(found.st_mode):
        return f"{path} in the cache is no file"
    if os.name != "posix":
        return ""
    if found.st_uid != os.geteuid():
        return f"{path} in the cache belongs to somebody else"
    if secret and found.st_mode & OF_OTHERS:
        return f"Others can read {path} (`chmod go=` ends that)"
    return f"Others can write to {path} in the cache" if found.st_mode & WRITTEN_BY_OTHERS else ""


def _warn(sentence: str) -> None:
    """Say it once, however many kernels are looked for."""
    if sentence not in _warned:
        _warned.add(sentence)
        warnings.warn(sentence, RuntimeWarning, stacklevel=2)
