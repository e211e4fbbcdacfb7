"""Functions that kernels of a GPU call. The compiler replaces them; interpreted, they do the same in one thread."""

from __future__ import annotations

from typing import Any

import numpy as np

NO_STUCK_RULE = -(1 << 40)
"""What `stuck` returns on a GPU where the author did not write it: a kernel reports the state."""


def local_ints(length: int) -> Any:
    """A new array of int64 that belongs to this thread; `length` is a constant."""
    return np.zeros(length, np.int64)


def local_reals(length: int) -> Any:
    """A new array of float64 that belongs to this thread."""
    return np.zeros(length, np.float64)


def local_counts(length: int) -> Any:
    """A new array of uint32 that belongs to this thread."""
    return np.zeros(length, np.uint32)


def atomic_add(array: Any, i: int, number: Any) -> Any:
    """Add to an item of an array that threads share; return what it was before."""
    before = array[i]
    array[i] += number
    return before


def atomic_sub(array: Any, i: int, number: Any) -> Any:
    """Subtract from an item of an array that threads share; return what it was before."""
    before = array[i]
    array[i] -= number
    return before


def atomic_max(array: Any, i: int, number: Any) -> Any:
    """Replace an item of an array that threads share if `number` is greater; return what it was before."""
    before = array[i]
    array[i] = max(before, number)
    return before


def atomic_or(array: Any, i: int, flags: Any) -> Any:
    """Set flags of an item of an array that threads share; return what it was before."""
    before = array[i]
    array[i] = before | flags
    return before


def atomic_and(array: Any, i: int, flags: Any) -> Any:
    """Clear all other flags of an item of an array that threads share; return what it was before."""
    before = array[i]
    array[i] = before & flags
    return before


def thread_count() -> int:
    """The number of threads of this launch."""
    return 1


def word32(number: Any) -> Any:
    """The number as uint32."""
    return np.uint32(number)


def product(x: float, y: float) -> float:
    """The product of two reals, rounded before anything is added to it, as on the CPU."""
    return x * y


def load_state(game: Any, rows: Any, at: int) -> Any:
    """The state whose numbers are stored in an array of int64 from `at` on."""
    raise NotImplementedError


def store_state(game: Any, state: Any, rows: Any, at: int) -> None:
    """Write the numbers of a state into an array of int64 from `at` on."""
    raise NotImplementedError
