"""Words: an array of int64 that is cheap to pass to compiled functions.

In compiled code a NumPy array is seven numbers and a reference count. A search that passes nine arrays at every node
does little else: Connect Four ran at 4 M nodes/s with arrays and at 7 M with Words. Words are a pointer and a length.
In Python they own a NumPy array. Interpreted and compiled, they give views of their own memory: `part` as Words,
`reals` as float64, `ints` as int32, `shorts` as uint16 and `octets` as uint8, two, four and eight to a word. A float
written through Reals can be hashed and copied as a word.

The atomic operations have the names and the memory order of C++: `compare_exchange`, `store_release`, `load_acquire`,
`fetch_add`, `fetch_or`, `fetch_and`. Interpreted code runs in one thread, so there they are plain reads and writes.
"""

from __future__ import annotations

from typing import Any


class Words:
    """An array of int64: `words[i]`, `words[i] = n`, `len(words)`, views and atomic operations."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array  # one-dimensional, int64, contiguous

    @classmethod
    def zeros(cls, length: int) -> Words:
        import numpy as np

        return cls(np.zeros(length, np.int64))

    @property
    def address(self) -> int:
        return int(self.array.ctypes.data)

    def prefetch(self, i: int) -> None:
        """Hint that this word is needed soon. Compiled code emits a prefetch; Python does nothing."""

    def part(self, start: int, length: int) -> Words:
        """A view of `length` words from `start`."""
        return Words(self.array[start : start + length])

    def reals(self, start: int, length: int) -> Reals:
        """A view of the same words as float64."""
        return Reals(self.array[start : start + length].view("float64"))

    def ints(self, start: int, length: int) -> Ints:
        """A view of `length` int32 numbers from the word `start`."""
        return Ints(self.array[start:].view("int32")[:length])

    def shorts(self, start: int, length: int) -> Ints:
        """A view of `length` uint16 numbers from the word `start`."""
        return Ints(self.array[start:].view("uint16")[:length])

    def octets(self, start: int, length: int) -> Ints:
        """A view of `length` uint8 numbers from the word `start`."""
        return Ints(self.array[start:].view("uint8")[:length])

    def follow(self, i: int) -> Words:
        """Follow a pointer: the Words whose address is word `i` and whose length is word `i + 1`."""
        import ctypes

        import numpy as np

        address, length = int(self.array[i]), int(self.array[i + 1])
        return Words(np.ctypeslib.as_array((ctypes.c_int64 * length).from_address(address)))

    def compare_exchange(self, i: int, old: int, new: int) -> bool:
        """Replace `old` by `new` atomically; return False if the word is not `old`."""
        if self.array[i] != old:
            return False
        self.array[i] = new
        return True

    def store_release(self, i: int, word: int) -> None:
        """Write a word; earlier writes of this thread are visible to every thread that reads it by `load_acquire`."""
        self.array[i] = word

    def load_acquire(self, i: int) -> int:
        """Read a word; later reads of this thread see what was written before its `store_release`."""
        return int(self.array[i])

    def __getitem__(self, i: int) -> int:
        return int(self.array[i])

    def __setitem__(self, i: int, word: int) -> None:
        self.array[i] = word

    def __len__(self) -> int:
        return len(self.array)


class Ints:
    """A view of Words as small integers: `ints[i]`, `ints[i] = n`, `len(ints)` and atomic operations."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array  # one-dimensional, int32, uint16 or uint8, contiguous

    def fetch_add(self, i: int, number: int) -> int:
        """Add to a number atomically, modulo its width; return what it was before."""
        before = int(self.array[i])
        low = 0 if self.array.dtype.kind == "u" else -(1 << 31)
        self.array[i] = (before + number - low) % (1 << 8 * self.array.itemsize) + low
        return before

    def fetch_or(self, i: int, flags: int) -> int:
        """Set flags of a number atomically; return what it was before."""
        before = int(self.array[i])
        self.array[i] = before | flags
        return before

    def fetch_and(self, i: int, flags: int) -> int:
        """Clear all other flags of a number atomically; return what it was before."""
        before = int(self.array[i])
        self.array[i] = before & flags
        return before

    def __getitem__(self, i: int) -> int:
        return int(self.array[i])

    def __setitem__(self, i: int, number: int) -> None:
        self.array[i] = number

    def __len__(self) -> int:
        return len(self.array)


class Reals:
    """A view of Words as float64: `reals[i]`, `reals[i] = x` and `len(reals)`."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array  # one-dimensional, float64, contiguous

    def __getitem__(self, i: int) -> float:
        return float(self.array[i])

    def __setitem__(self, i: int, real: float) -> None:
        self.array[i] = real

    def __len__(self) -> int:
        return len(self.array)
