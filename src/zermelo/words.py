"""Words: an array of int64 that costs nothing to hand on.

To compiled code a NumPy array is seven numbers and a reference to count; a search that hands nine of them to itself at
every node does little else (Connect Four ran at 4 M nodes/s with arrays and at 7 M with words). Words are a pointer and
a length. They own their NumPy array in Python, and give out parts of themselves in either world.
"""

from __future__ import annotations

from typing import Any


class Words:
    """`words[i]`, `words[i] = n`, `len(words)`, and `words.part(start, length)`, which shares the memory."""

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

    def part(self, start: int, length: int) -> Words:
        return Words(self.array[start : start + length])

    def __getitem__(self, i: int) -> int:
        return int(self.array[i])

    def __setitem__(self, i: int, word: int) -> None:
        self.array[i] = word

    def __len__(self) -> int:
        return len(self.array)
