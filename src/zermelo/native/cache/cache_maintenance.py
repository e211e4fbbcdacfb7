"""The folder of compiled kernels as files: names, sizes and times of use. It imports no compiler.

The name of an entry says what it holds, and for which version of Zermelo:

    alphabeta-ConnectFour-0.1.0-97f9374d75b9fa8937edf85f64ca3daf.kernel
    kernel    game        version         digest of the key      suffix

The modification time of an entry is the time of its last use. The folder is bounded: when it grows beyond its bound,
the entries that were not used for the longest time are deleted. Entries of older versions are deleted as well, once
they were not used for a day, since two environments may share a folder. Files with other names are never touched.

A scan of the folder costs a system call per file, so a save does not scan. It appends a byte for every few kilobytes
to a small file, the tally, and scans when the tally says that a sixteenth of the bound was saved since the last scan.
Any number of processes may save, load and delete at once: the tally is appended to, an entry is deleted whole, and a
process that finds an entry missing compiles it.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from zermelo.arguments import MEMORY_SIZE, megabytes
from zermelo.files import TEMPORARY_PREFIX
from zermelo.game import GameError
from zermelo.native.cache.private_folder import write_private

FOLDER_VARIABLE, SIZE_VARIABLE = "ZERMELO_CACHE", "ZERMELO_CACHE_SIZE"
DEFAULT_MEGABYTES = 1024
"""The bound of the folder unless ZERMELO_CACHE_SIZE gives another."""

SCANS_PER_BOUND = 16
"""The folder is scanned each time that this fraction of the bound was saved, and a scan leaves so much room."""

TALLY_FILE, TALLY_UNIT = "saved.tally", 4096
"""The file with a byte for every 4 kB that were saved since the last scan, after a line with the time of that scan."""

DAY, HOUR = 86400.0, 3600.0

ENTRY = re.compile(r"\w+-(?P<game>\w*)-(?P<version>\d[\w.+]*)-[0-9a-f]{8,64}\.[a-z]+", re.ASCII)
UNVERSIONED = re.compile(r"\w+(-[0-9a-f]{8,64}){1,2}\.(kernel|error)", re.ASCII)
"""Names of entries: those of today, and those of versions that did not write their number."""

TEMPORARY = re.compile(rf"{re.escape(TEMPORARY_PREFIX)}[0-9a-f]{{16}}")

MAX_LABEL = 40
"""Characters of the names of a kernel and of a game in the name of a file."""


def cache_folder() -> Path:
    """The folder of compiled kernels: $ZERMELO_CACHE, or `zermelo` in the user's cache folder."""
    if chosen := os.environ.get(FOLDER_VARIABLE):
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "zermelo"


def entry_name(kernel: str, game: str, digest: str, suffix: str) -> str:
    """The name of an entry of this version; the game is "" for an entry that several games share.

    >>> entry_name("alphabeta", "Connect4", "0123456789abcdef", "kernel")
    'alphabeta-Connect4-0.1.0-0123456789abcdef.kernel'
    """
    return f"{_label(kernel)}-{_label(game)}-{current_version()}-{digest}.{suffix}"


def current_version() -> str:
    """The version of this Zermelo. The package itself is above this layer, so it is not imported, but it is loaded."""
    return str(sys.modules["zermelo"].__version__)


def cache_bytes() -> int:
    """The bound of the folder in bytes. Raise GameError if ZERMELO_CACHE_SIZE is not a size."""
    chosen = os.environ.get(SIZE_VARIABLE) or DEFAULT_MEGABYTES
    found = megabytes(chosen)
    if found is None:
        raise GameError(f"{SIZE_VARIABLE} must be {MEMORY_SIZE}, not {chosen!r}.")
    return int(found * 2**20)


# -- what kernel_cache.py calls --------------------------------------------------------------------------------------


def note_use(path: Path) -> None:
    """Record that an entry was used, with a precision of an hour."""
    with suppress(OSError):
        if time.time() - os.stat(path).st_mtime > HOUR:
            os.utime(path)


def note_save(folder: Path, size: int) -> None:
    """Record that an entry of `size` bytes was saved; scan the folder and enforce its bound when that is due.

    The folder is one that `resolve_private_folder` returned. An error of the file system is no error here.
    """
    with suppress(OSError):
        if _saved_since_scan(folder, size) >= _bound() // SCANS_PER_BOUND:
            enforce_bound(folder)


def enforce_bound(folder: Path) -> None:
    """Delete old versions, and the least recently used entries until a sixteenth of the bound is free."""
    bound = _bound()
    with suppress(OSError):  # Windows does not replace a file that another process has open
        _reset_tally(folder)  # before the scan, so that other processes do not scan as well
    prune(folder, bound - bound // SCANS_PER_BOUND, unused_for=DAY)


def _bound() -> int:
    try:
        return cache_bytes()
    except GameError as error:
        warnings.warn(f"{error} The bound is {DEFAULT_MEGABYTES} MB instead.", RuntimeWarning, stacklevel=2)
        return DEFAULT_MEGABYTES * 2**20


def _saved_since_scan(folder: Path, size: int) -> int:
    """Add to the tally and return it in bytes; a large number if there is no tally, or the last scan was a day ago."""
    try:
        handle = os.open(folder / TALLY_FILE, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return sys.maxsize
    try:
        scanned = os.read(handle, 32).partition(b"\n")[0]
        if not scanned.isdigit() or not 0 <= time.time() - int(scanned) < DAY:
            return sys.maxsize
        os.write(handle, b"." * -(-size // TALLY_UNIT))
        return (os.fstat(handle).st_size - len(scanned) - 1) * TALLY_UNIT
    finally:
        os.close(handle)


def _reset_tally(folder: Path) -> None:
    write_private(folder / TALLY_FILE, b"%d\n" % int(time.time()))


# -- what the command `zermelo cache` calls --------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """A file of the folder that is ours."""

    path: Path
    game: str
    """The class of the game; "" where several games share the entry, or the name does not tell."""
    version: str
    """The version of Zermelo; "" where the name does not tell, as in the first versions."""
    size: int
    used: float
    """The time of the last use, in seconds since 1970."""


@dataclass(frozen=True)
class Group:
    """The entries of one game and version."""

    game: str
    version: str
    entries: int
    size: int
    used: float


@dataclass(frozen=True)
class Summary:
    """What a folder holds."""

    folder: Path
    entries: int
    size: int
    groups: list[Group]
    """By game and version; the most recently used first."""


def summary(folder: Path) -> Summary:
    """Count the entries of a folder, by game and version."""
    found: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries(folder):
        found.setdefault((entry.game, entry.version), []).append(entry)
    groups = [
        Group(game, version, len(some), sum(each.size for each in some), max(each.used for each in some))
        for (game, version), some in found.items()
    ]
    groups.sort(key=lambda group: (-group.used, group.game, group.version))
    return Summary(folder, sum(group.entries for group in groups), sum(group.size for group in groups), groups)


def prune(folder: Path, size: int, *, unused_for: float = 0.0) -> tuple[int, int]:
    """Delete entries until the folder has at most `size` bytes; return how many entries and bytes were deleted.

    Entries of older versions go first, all that were not used for `unused_for` seconds; then the least recently used.
    Temporary files that a killed process left behind go too.
    """
    _delete_temporaries(folder, HOUR)
    found = list(entries(folder))
    outdated = {entry for entry in found if is_older(entry.version) and entry.used <= time.time() - unused_for}
    found.sort(key=lambda entry: (entry not in outdated, entry.used, entry.path))
    total, doomed = sum(entry.size for entry in found), []
    for entry in found:
        if entry not in outdated and total <= size:
            break
        doomed.append(entry)
        total -= entry.size
    return _delete(doomed)


def clear(folder: Path) -> tuple[int, int]:
    """Delete every entry; return how many entries and bytes were deleted."""
    _delete_temporaries(folder, HOUR)
    with suppress(OSError):
        (folder / TALLY_FILE).unlink()
    return _delete(list(entries(folder)))  # before anything changes in the folder


def entries(folder: Path) -> Iterator[Entry]:
    """The entries of a folder, in no order; none if the folder does not exist."""
    for file, found in _files(folder):
        if name := ENTRY.fullmatch(file.name):
            yield Entry(Path(file), name["game"], name["version"], found.st_size, found.st_mtime)
        elif UNVERSIONED.fullmatch(file.name):
            yield Entry(Path(file), "", "", found.st_size, found.st_mtime)


def is_older(version: str) -> bool:
    """Whether a version is older than this one.

    >>> is_older(""), is_older("0.0.9"), is_older("0.1.0"), is_older("0.1.0.dev3"), is_older("0.10.0")
    (True, True, False, True, False)
    """
    return _order(version) < _order(current_version())


def _order(version: str) -> tuple[tuple[int, ...], bool]:
    """The numbers of a version, and that it is a release: what comes after the numbers marks one that came before."""
    numbers = re.match(r"[\d.]*", version)[0].strip(".")  # type: ignore[index]  # it matches every text
    return tuple(int(part) for part in numbers.split(".") if part), numbers == version


def _files(folder: Path) -> Iterator[tuple[os.DirEntry[str], os.stat_result]]:
    """The regular files of a folder, links excluded, with their sizes and times."""
    with suppress(OSError), os.scandir(folder) as files:
        for file in files:
            with suppress(OSError):  # another process has deleted it
                if stat.S_ISREG((found := file.stat(follow_symlinks=False)).st_mode):
                    yield file, found


def _delete(some: Iterable[Entry]) -> tuple[int, int]:
    count = size = 0
    for entry in some:
        with suppress(OSError):  # another process has deleted it, or Windows does not delete what is in use
            entry.path.unlink()
            count, size = count + 1, size + entry.size
    return count, size


def _delete_temporaries(folder: Path, age: float) -> None:
    limit = time.time() - age
    for file, found in list(_files(folder)):
        if TEMPORARY.fullmatch(file.name) and found.st_mtime < limit:
            with suppress(OSError):
                os.unlink(file)


def _label(name: str) -> str:
    """A name as a part of the name of a file: ASCII letters, digits and underscores."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)[:MAX_LABEL]
