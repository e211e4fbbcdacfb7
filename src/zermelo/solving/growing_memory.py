"""Memory that grows in place: addresses are reserved once, and the system provides each page when it is first used.

An array that is made anew whenever it must be larger would have all its pages cleared again: of a solve of Connect Four
5x5, that took a seventh.
"""

from __future__ import annotations

import mmap

from zermelo.solving.memory_budget import MemoryBudget, reserve_addresses
from zermelo.word_arrays import Words


class GrowingMemory:
    """Words for one user at a time, who finds in them what the last one left."""

    def __init__(self, budget: MemoryBudget, most: int) -> None:
        self.budget = budget
        self.most = most
        """Bytes of the addresses that are reserved, if no more are asked for."""
        self.held = 0
        """Bytes that count as used."""
        self._memory: mmap.mmap | None = None

    def words(self, count: int) -> Words:
        """Return the first `count` words; they share their memory with those that were returned before.

        Where the budget does not allow them, they are an array of the budget, which is in a file.
        """
        size = 8 * count
        if size > self.held and not self._grow(size):
            return Words(self.budget.zeros(count))
        assert self._memory is not None
        return Words(memoryview(self._memory)[:size])

    def _grow(self, size: int) -> bool:
        """Count `size` bytes as used. Return False where the budget does not allow it."""
        if not self.budget.make_room(size - self.held):
            return False
        if self._memory is None or size > len(self._memory):
            self._memory, self.held = None, 0
            self._memory = self._map(size)
        self.budget.resize(self._memory, size)
        self.held = size
        return True

    def release(self) -> None:
        """Give all memory back once nobody uses it."""
        self._memory, self.held = None, 0

    def _map(self, size: int) -> mmap.mmap:
        try:
            return reserve_addresses(max(size, self.most))
        except (OSError, OverflowError):  # a system that promises no more memory than it has
            return reserve_addresses(size)
