"""Words: an array of int64 that costs nothing to hand on.

To compiled code a NumPy array is seven numbers and a reference to count; a search that hands nine of them to itself at
every node does little else (Connect Four ran at 4 M nodes/s with arrays and at 7 M with words). Words are a pointer and
a length. They own their NumPy array in Python, and give out parts of themselves in either world. Reals are such a part
read as floats: the same 64 bits, so that what is written as a float can be mixed and moved as a word.
"""

from __future__ import annotations

from typing import Any


class Words:
    """`words[i]`, `words[i] = n`, `len(words)`, and `part` and `reals`, which share the memory."""

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

    def __getitem__(self, i: int) -> int:
        return int(self.array[i])

    def __setitem__(self, i: int, word: int) -> None:
        self.array[i] = word

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
