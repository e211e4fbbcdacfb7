"""Words: an array of int64 that costs nothing to hand on.

To compiled code a NumPy array is seven numbers and a reference to count; a search that hands nine of them to itself at
every node does little else (Connect Four ran at 4 M nodes/s with arrays and at 7 M with words). Words are a pointer and
a length. They own their NumPy array in Python, and give out parts of themselves in either world. Reals are such a part
read as floats: the same 64 bits, so that what is written as a float can be mixed and moved as a word. Ints are one
read as int32, two to a word.

Threads that share words may claim, publish and gain: what those do is done at once, or not at all.
"""

from __future__ import annotations

from typing import Any


class Words:
    """`words[i]`, `words[i] = n`, `len(words)`, and `part`, `reals` and `ints`, which share the memory."""

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
        """Say that this word will be needed soon; only the processor cares."""

    def part(self, start: int, length: int) -> Words:
        return Words(self.array[start : start + length])

    def reals(self, start: int, length: int) -> Reals:
        return Reals(self.array[start : start + length].view("float64"))

    def ints(self, start: int, length: int) -> Ints:
        """`length` int32 numbers, from the word `start` on."""
        return Ints(self.array[start:].view("int32")[:length])

    def follow(self, i: int) -> Words:
        """The words whose address stands at `i` and whose number stands behind it."""
        import ctypes

        import numpy as np

        address, length = int(self.array[i]), int(self.array[i + 1])
        return Words(np.ctypeslib.as_array((ctypes.c_int64 * length).from_address(address)))

    def claim(self, i: int, old: int, new: int) -> bool:
        """Replace `old` by `new`; False if another thread was faster and something else stands there."""
        if self.array[i] != old:
            return False
        self.array[i] = new
        return True

    def publish(self, i: int, word: int) -> None:
        """Write a word after everything that was written before it."""
        self.array[i] = word

    def observe(self, i: int) -> int:
        """Read a word before everything that is read after it."""
        return int(self.array[i])

    def __getitem__(self, i: int) -> int:
        return int(self.array[i])

    def __setitem__(self, i: int, word: int) -> None:
        self.array[i] = word

    def __len__(self) -> int:
        return len(self.array)


class Ints:
    """`ints[i]`, `ints[i] = n` and `len(ints)`: a part of Words read as int32."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array  # one-dimensional, int32, contiguous

    def add(self, i: int, number: int) -> int:
        """Add to a number that other threads may add to as well; what it was before."""
        before = int(self.array[i])
        self.array[i] = before + number
        return before

    def gain(self, i: int, flags: int) -> int:
        """Set flags of a number in which other threads may set flags as well; what it was before."""
        before = int(self.array[i])
        self.array[i] = before | flags
        return before

    def __getitem__(self, i: int) -> int:
        return int(self.array[i])

    def __setitem__(self, i: int, number: int) -> None:
        self.array[i] = number

    def __len__(self) -> int:
        return len(self.array)


class Reals:
    """`reals[i]`, `reals[i] = x` and `len(reals)`: a part of Words read as floats."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array  # one-dimensional, float64, contiguous

    def __getitem__(self, i: int) -> float:
        return float(self.array[i])

    def __setitem__(self, i: int, real: float) -> None:
        self.array[i] = real

    def __len__(self) -> int:
        return len(self.array)
