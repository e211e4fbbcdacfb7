"""The memory budget of a solve: arrays within a limit, and beyond it arrays in files that the system pages in and out.

A file has its disk space reserved before it is used and loses its name at once, so a full disk is an error with a
sentence, and nothing is left behind however the process ends.
"""

from __future__ import annotations

import mmap
import os
import platform
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.files import file_errors
from zermelo.formatting import size_text
from zermelo.game import GameError
from zermelo.word_arrays import HUGE_PAGES, PRIVATE

FREE_SHARE = 0.75
"""The part of the available memory that a solve takes if it is not told how much."""

MIN_BUDGET = 64 << 20
"""Less memory than this is not worth a limit."""

SMALL = 1 << 20
"""Bytes of an array that always stays in memory."""

CHUNK = 1 << 28
"""Bytes of a scratch file, if no array needs more."""

LINUX_NORESERVE = 0x4000
"""MAP_NORESERVE of Linux on x86 and ARM, which Python's mmap does not name."""

CGROUP = Path("/sys/fs/cgroup")


class MemoryBudget:
    """Arrays of int64, in memory up to a limit of bytes, then in files of a folder."""

    def __init__(self, limit: int | None = None, scratch: Path | None = None) -> None:
        self.limit = max(MIN_BUDGET, int(FREE_SHARE * available_memory()) if limit is None else limit)
        self.scratch = scratch
        self.in_memory = 0
        self.on_disk = 0
        self.in_checkpoint = 0
        """Bytes of the layers that are kept for the next process."""
        self.relieve: Callable[[int], None] | None = None
        """Called with the bytes that an array needs beyond what is left, to drop what can be read again."""
        self._sizes: dict[int, int] = {}
        self._mapped: weakref.WeakValueDictionary[int, mmap.mmap] = weakref.WeakValueDictionary()
        self._chunk: mmap.mmap | None = None
        self._chunk_used = 0
        self._lock = threading.RLock()  # an array may be freed while another is counted

    @property
    def left(self) -> int:
        """Bytes of memory that are not in use."""
        return max(0, self.limit - self.in_memory)

    def zeros(self, count: int) -> Any:
        """Return an array of `count` zeros."""
        size = 8 * count
        if size <= SMALL:
            return np.zeros(count, np.int64)
        if not self.make_room(size):
            return self._in_file(count)
        memory = map_memory(size)
        self._count(memory, "in_memory", size)
        return np.frombuffer(memory, np.int64, count)

    def make_room(self, size: int) -> bool:
        """Drop what can be read again until `size` bytes of memory are left. Return whether they are."""
        if size > self.left and self.relieve is not None:
            self.relieve(size - self.left)
        return size <= self.left

    def resize(self, memory: mmap.mmap, size: int) -> None:
        """Count `size` bytes of mapped memory as in use."""
        with self._lock:
            if id(memory) in self._sizes:
                self.in_memory += size - self._sizes[id(memory)]
                self._sizes[id(memory)] = size
                return
        self._count(memory, "in_memory", size)

    def shrink(self, array: Any, count: int) -> Any:
        """Return the first words of an array that came from here. If it is in memory, that of the others is free."""
        with self._lock:
            memory = self._mapped.get(array.ctypes.data)
            if memory is None or not hasattr(mmap, "MADV_DONTNEED"):
                return array[:count]
            used = -(-8 * count // mmap.PAGESIZE) * mmap.PAGESIZE
            if used < len(memory):
                memory.madvise(mmap.MADV_DONTNEED, used, len(memory) - used)
                self.resize(memory, used)
        return array[:count]

    def _count(self, memory: mmap.mmap, kind: str, size: int) -> None:
        """Count mapped memory, or a file, as long as it is in use."""
        with self._lock:
            self._sizes[id(memory)] = size
            setattr(self, kind, getattr(self, kind) + size)
            address = np.frombuffer(memory, np.int64, 1).ctypes.data
            if kind == "in_memory":
                self._mapped[address] = memory
        weakref.finalize(memory, self._release, kind, id(memory)).atexit = False

    def _release(self, kind: str, name: int) -> None:
        with self._lock:
            setattr(self, kind, getattr(self, kind) - self._sizes.pop(name))

    def _in_file(self, count: int) -> Any:
        """Return an array of zeros in a file. Several arrays share one; its space is free again after the last."""
        size = 8 * count
        with self._lock:
            if self._chunk is None or self._chunk_used + size > len(self._chunk):
                self._chunk, self._chunk_used = self._map(max(size, CHUNK)), 0
                self._count(self._chunk, "on_disk", len(self._chunk))
            array = np.frombuffer(self._chunk, np.int64, count, self._chunk_used)
            self._chunk_used += size
        return array

    def _map(self, size: int) -> mmap.mmap:
        """Return a new file of zeros, mapped into memory."""
        folder = self.scratch or Path(tempfile.gettempdir())
        with file_errors(folder, f"used as scratch space for {size_text(size)}"):
            handle, name = tempfile.mkstemp(prefix=".scratch-", dir=folder)
            try:
                os.unlink(name)
                if hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(handle, 0, size)
                else:
                    os.truncate(handle, size)
                return mmap.mmap(handle, size)
            finally:
                os.close(handle)


def map_memory(size: int, flags: int = 0) -> mmap.mmap:
    """Return new memory, in large pages where the system has them."""
    memory = mmap.mmap(-1, size, flags=PRIVATE["flags"] | flags) if PRIVATE else mmap.mmap(-1, size)
    if HUGE_PAGES is not None:
        with suppress(OSError):
            memory.madvise(HUGE_PAGES)
    return memory


def reserve_addresses(size: int) -> mmap.mmap:
    """Return new memory that the system does not count as promised before it is used.

    Linux joins mappings that lie side by side. A process with more promised in one piece than the machine has cannot
    start another by fork.
    """
    known = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")
    return map_memory(size, LINUX_NORESERVE if known else 0)


def budget_of(game: Any, memory: float | None, scratch: Path | None) -> MemoryBudget:
    """Return the budget of a solve of a game with `memory` megabytes. Raise GameError if the scratch folder is none."""
    if scratch is not None and not scratch.is_dir():
        raise GameError(f"solve of {game!r}: the scratch folder {scratch} is not there; make it, or name another.")
    return MemoryBudget(None if memory is None else int(memory * (1 << 20)), scratch)


# -- what there is -----------------------------------------------------------------------------------------------------


def available_memory() -> int:
    """Return the bytes of memory that are available, to this process and its group of processes."""
    return min(_free_memory(), _group_memory())


def _free_memory() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return memory_size()


def _group_memory() -> int:
    """Return what the control group of this process may still take; much, where it has no limit."""
    left = 1 << 62
    for folder in _groups():
        for limit, current in (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")):
            try:
                most = (folder / limit).read_text().strip()
                if most.isdecimal():
                    used = int((folder / current).read_text()) - _idle_cache(folder)
                    left = min(left, max(0, int(most) - used))
            except (OSError, ValueError):
                continue
    return left


def _idle_cache(folder: Path) -> int:
    """Return the bytes that a control group has for files that nobody reads now, which are free for others."""
    try:
        fields = dict(line.split(" ", 1) for line in (folder / "memory.stat").read_text().splitlines())
        return int(fields.get("total_inactive_file", fields.get("inactive_file", 0)))
    except (OSError, ValueError):
        return 0


def _groups() -> list[Path]:
    """Return the folders of the control groups that this process is in, and of those above them."""
    folders = [CGROUP, CGROUP / "memory"]
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return folders
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers or "memory" in controllers.split(","):
            base = CGROUP / "memory" if controllers else CGROUP
            here = base / path.lstrip("/")
            folders += [here, *(above for above in here.parents if above.is_relative_to(base))]
    return folders


def memory_size() -> int:
    """Return the bytes of memory that this machine has."""
    try:
        return int(os.sysconf("SC_PAGE_SIZE")) * int(os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return 4 << 30
