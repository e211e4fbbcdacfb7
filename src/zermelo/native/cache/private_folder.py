"""Folders and files that only the user can write, since their contents are executed or trusted.

Only the user and the administrator may have written them. If another account could have, a warning says so once, and
the folder or file counts as missing.
"""

from __future__ import annotations

import contextlib
import os
import stat
import warnings
from pathlib import Path

from zermelo.files import atomic_writer

_checked: dict[Path, Path | None] = {}
"""Folders by the path that was given: the resolved path, or None if the folder is not trusted."""

_warned: set[str] = set()

WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
ACCESSIBLE_TO_OTHERS = stat.S_IRWXG | stat.S_IRWXO


NO_KERNEL_CACHE = "compiled kernels are neither stored nor looked for there. ZERMELO_CACHE names another"


def resolve_private_folder(named: Path, *, create: bool = False, consequence: str = NO_KERNEL_CACHE) -> Path | None:
    """Resolve the folder if it exists and only the user can write to it; otherwise return None.

    Use the returned path in place of the given one: a link in that may point elsewhere the next time. `consequence`
    ends the warning for a folder that others can write to.
    """
    if named not in _checked:
        try:
            folder = named.resolve()
            if create:
                _create(folder)
            problem = _folder_problem(folder)
        except (OSError, RuntimeError):  # it does not exist, cannot be made, or its links form a loop
            return None
        if problem:
            _warn(f"{problem}; {consequence}.")
        _checked[named] = None if problem else folder
    return _checked[named]


def read_private(path: Path, *, secret: bool = False) -> bytes | None:
    """Read a file that only the user can write, and only the user can read if it is `secret`; None if there is none."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)  # nonblocking: a named pipe would wait for a writer
    except OSError:
        return None
    try:
        if problem := _file_problem(path, os.fstat(handle), secret):
            _warn(f"{problem}; it is not used.")
            return None
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    except OSError:
        return None
    finally:
        os.close(handle)


def write_private(path: Path, data: bytes) -> None:
    """Write a file atomically, writable by the user alone."""
    with atomic_writer(path, private=True) as output:
        output.write(data)


def create_private(path: Path, data: bytes) -> None:
    """Create a file that only the user can read, unless it exists: among several processes, the first creates it."""
    if not path.exists():
        with atomic_writer(path, private=True, replace=False) as output:
            output.write(data)


def _create(folder: Path) -> None:
    """Create the folder and its parents, accessible to the user alone whatever the umask is."""
    if not folder.is_dir():
        if folder.parent != folder:
            _create(folder.parent)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)


def _folder_problem(folder: Path) -> str:
    """Why others could write to the folder or replace it; "" if they cannot."""
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError
    if os.name != "posix":  # owners and modes mean nothing there
        return ""
    if found.st_uid != os.geteuid():
        return f"The cache folder {folder} belongs to somebody else"
    if found.st_mode & WRITABLE_BY_OTHERS:
        return f"Others can write to the cache folder {folder} (`chmod go-w` ends that)"
    for parent in folder.parents:
        above = os.lstat(parent)
        if above.st_uid not in (0, os.geteuid()) or _is_replaceable(above):
            return f"Others can put another folder in the place of {folder}, since they can write to {parent}"
    return ""


def _is_replaceable(folder: os.stat_result) -> bool:
    """Whether accounts other than the owner can rename what is in a folder.

    The sticky bit forbids it. The user's own group, which many systems make for each user, does not count as others.
    """
    groups = stat.S_IWGRP if folder.st_gid not in (0, os.getegid()) else 0
    return bool(folder.st_mode & (stat.S_IWOTH | groups)) and not folder.st_mode & stat.S_ISVTX


def _file_problem(path: Path, found: os.stat_result, secret: bool) -> str:
    if not stat.S_ISREG(found.st_mode):
        return f"{path} in the cache is no file"
    if os.name != "posix":
        return ""
    if found.st_uid != os.geteuid():
        return f"{path} in the cache belongs to somebody else"
    if secret and found.st_mode & ACCESSIBLE_TO_OTHERS:
        return f"Others can read {path} (`chmod go=` ends that)"
    return f"Others can write to {path} in the cache" if found.st_mode & WRITABLE_BY_OTHERS else ""


def _warn(sentence: str) -> None:
    """Warn once per sentence, however many kernels are looked up."""
    if sentence not in _warned:
        _warned.add(sentence)
        warnings.warn(sentence, RuntimeWarning, stacklevel=2)
