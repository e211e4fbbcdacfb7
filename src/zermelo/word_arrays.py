"""Words: an array of int64 that is cheap to pass to compiled functions.

In compiled code a NumPy array is seven numbers and a reference count. A search that passes nine arrays at every node
does little else: Connect Four ran at 4 M nodes/s with arrays and at 7 M with Words. Words are a pointer and a length.
In Python they are a memoryview, which reads a number in half the time of a NumPy array; a process that only searches
does not import NumPy. Interpreted and compiled, they give views of their own memory: `part` as Words, `reals` as
float64, `ints` as int32, `shorts` as uint16 and `octets` as uint8, two, four and eight to a word. A float written
through Reals can be hashed and copied as a word.

The atomic operations have the names and the memory order of C++: `compare_exchange`, `store_release`, `load_acquire`,
`fetch_add`, `fetch_or`, `fetch_and`. Interpreted code runs in one thread, so there they are plain reads and writes.
"""

from __future__ import annotations

import array
import ctypes
import mmap
from contextlib import suppress
from typing import Any, Literal

MAPPED_BYTES = 1 << 16
"""Bytes from which memory is mapped: its pages are zero, and take no memory before they are used."""

PRIVATE = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
HUGE_PAGES = getattr(mmap, "MADV_HUGEPAGE", None)
"""Options of mapped memory, where the system has them."""


class Words:
    """An array of int64: `words[i]`, `words[i] = n`, `len(words)`, views and atomic operations."""

    __slots__ = ("memory",)

    def __init__(self, memory: Any) -> None:
        """Words over the memory of a contiguous array of 64-bit numbers."""
        self.memory: memoryview[int] = _as(memoryview(memory), "q")

    @classmethod
    def zeros(cls, length: int) -> Words:
        return cls(_zero_memory(8 * length) if length else array.array("q"))

    @property
    def array(self) -> Any:
        """The words as a NumPy array, which shares their memory."""
        import numpy as np

        return np.asarray(self.memory).view(np.int64)

    @property
    def address(self) -> int:
        if self.memory.readonly or not self.memory:
            return int(self.array.ctypes.data)
        return ctypes.addressof(ctypes.c_char.from_buffer(self.memory))

    def fill(self, word: int) -> None:
        """Set every word."""
        self.memory[:] = array.array("q", [word]) * len(self)

    def prefetch(self, i: int) -> None:
        """Hint that this word is needed soon. Compiled code emits a prefetch; Python does nothing."""

    def part(self, start: int, length: int) -> Words:
        """A view of `length` words from `start`."""
        return Words(self.memory[start : start + length])

    def reals(self, start: int, length: int) -> Reals:
        """A view of the same words as float64."""
        return Reals(_as(self.memory[start : start + length], "d"))

    def ints(self, start: int, length: int) -> Ints:
        """A view of `length` int32 numbers from the word `start`."""
        return Ints(_as(self.memory[start:], "i")[:length])

    def shorts(self, start: int, length: int) -> Ints:
        """A view of `length` uint16 numbers from the word `start`."""
        return Ints(_as(self.memory[start:], "H")[:length])

    def octets(self, start: int, length: int) -> Ints:
        """A view of `length` uint8 numbers from the word `start`."""
        return Ints(_as(self.memory[start:], "B")[:length])

    def follow(self, i: int) -> Words:
        """Follow a pointer: the Words whose address is word `i` and whose length is word `i + 1`."""
        return Words((ctypes.c_int64 * self.memory[i + 1]).from_address(self.memory[i]))

    def compare_exchange(self, i: int, old: int, new: int) -> bool:
        """Replace `old` by `new` atomically; return False if the word is not `old`."""
        if self.memory[i] != old:
            return False
        self.memory[i] = new
        return True

    def store_release(self, i: int, word: int) -> None:
        """Write a word; earlier writes of this thread are visible to every thread that reads it by `load_acquire`."""
        self.memory[i] = word

    def load_acquire(self, i: int) -> int:
        """Read a word; later reads of this thread see what was written before its `store_release`."""
        return self.memory[i]

    def __getitem__(self, i: int) -> int:
        return self.memory[i]

    def __setitem__(self, i: int, word: int) -> None:
        self.memory[i] = word

    def __len__(self) -> int:
        return len(self.memory)


class Ints:
    """A view of Words as small integers: `ints[i]`, `ints[i] = n`, `len(ints)` and atomic operations."""

    __slots__ = ("memory",)

    def __init__(self, memory: memoryview[int]) -> None:
        self.memory = memory

    def fetch_add(self, i: int, number: int) -> int:
        """Add to a number atomically, modulo its width; return what it was before."""
        before = self.memory[i]
        low = -(1 << 31) if self.memory.format == "i" else 0
        self.memory[i] = (before + number - low) % (1 << 8 * self.memory.itemsize) + low
        return before

    def fetch_or(self, i: int, flags: int) -> int:
        """Set flags of a number atomically; return what it was before."""
        before = self.memory[i]
        self.memory[i] = before | flags
        return before

    def fetch_and(self, i: int, flags: int) -> int:
        """Clear all other flags of a number atomically; return what it was before."""
        before = self.memory[i]
        self.memory[i] = before & flags
        return before

    def __getitem__(self, i: int) -> int:
        return self.memory[i]

    def __setitem__(self, i: int, number: int) -> None:
        self.memory[i] = number

    def __len__(self) -> int:
        return len(self.memory)


class Reals:
    """A view of Words as float64: `reals[i]`, `reals[i] = x` and `len(reals)`."""

    __slots__ = ("memory",)

    def __init__(self, memory: memoryview[float]) -> None:
        self.memory = memory

    def __getitem__(self, i: int) -> float:
        return self.memory[i]

    def __setitem__(self, i: int, real: float) -> None:
        self.memory[i] = real

    def __len__(self) -> int:
        return len(self.memory)


def _as(memory: memoryview[Any], code: Literal["q", "d", "i", "H", "B"]) -> Any:
    """The same memory as numbers of another type, whose code is that of `struct`. An empty view cannot be cast."""
    if memory.format == code:
        return memory
    return memory.cast("B").cast(code) if memory.nbytes else memoryview(array.array(code))


def _zero_memory(size: int) -> Any:
    """Memory of `size` bytes, all zero. Raise MemoryError if there is not so much.

    Large pages spare the processor most of its address translations in a large table.
    """
    if size < MAPPED_BYTES:
        return bytearray(size)
    try:
        memory = mmap.mmap(-1, size, **PRIVATE)
    except (OSError, OverflowError):
        raise MemoryError(f"no {size:,} bytes of memory") from None
    if HUGE_PAGES is not None:
        with suppress(OSError):  # a kernel without them
            memory.madvise(HUGE_PAGES)
    return memory
