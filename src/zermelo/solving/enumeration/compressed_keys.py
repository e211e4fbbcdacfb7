"""Sorted keys of one word in about ten bits each: blocks of 64, the first key of each as it is, then the steps.

A step, the difference of two keys without the bits that no key has, is written in groups of three bits, the lowest
first. A group takes four bits, the highest of which says that another group follows. The steps of a block begin at a
word of 32 bits. The last group of a step is never 0, so that zeros can fill the last word.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.storage.archive_format import cores

KEYS_PER_HEAD = 64
GROUP_BITS, FOLLOWED = 3, 8
"""Bits of a group, and the flag of a group that another one follows."""

BLOCKS_AT_A_TIME = 1 << 14
"""Blocks that one thread reads at a time."""


def unused_bits(packing: Packing) -> int:
    """Return how many of the lowest bits of a key, less one, are 0 in all keys of one word."""
    return min((field.shift for field in packing.fields), default=0)


@dataclass(frozen=True)
class CompressedKeys:
    """Sorted keys in the memory of the host, of which slices are read as arrays."""

    heads: Any
    """The first key of each block."""
    starts: Any
    """Where the steps of each block begin, in words of `stream`."""
    stream: Any
    count: int
    shift: int

    dtype = np.dtype(np.int64)

    def __len__(self) -> int:
        return self.count

    @property
    def nbytes(self) -> int:
        return int(self.heads.nbytes + self.starts.nbytes + self.stream.nbytes)

    def __getitem__(self, place: Any) -> Any:
        """Return the key at a place, or those of a slice without a step."""
        if not isinstance(place, slice):
            return self[int(place) : int(place) + 1][0]
        start, stop, _ = place.indices(self.count)
        if start >= stop:
            return np.zeros(0, np.int64)
        first, last = start // KEYS_PER_HEAD, -(-stop // KEYS_PER_HEAD)
        return self._read(first, last)[start - first * KEYS_PER_HEAD : stop - first * KEYS_PER_HEAD]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self[:] if dtype is None else self[:].astype(dtype, copy=False)

    def find(self, key: int) -> int:
        """Return the place of a key; -1 if it is not there."""
        return int(self.find_many(np.array([key], np.int64))[0])

    def find_many(self, keys: Any) -> Any:
        """Return the places of sorted keys; -1 for one that is not there. Each block is read once."""
        blocks = np.searchsorted(self.heads, keys, side="right") - 1
        places = np.full(len(keys), -1, np.int64)
        for block in np.unique(blocks[blocks >= 0]).tolist():
            start, stop = np.searchsorted(blocks, [block, block + 1])
            here = self[block * KEYS_PER_HEAD : (block + 1) * KEYS_PER_HEAD]
            found = np.minimum(np.searchsorted(here, keys[start:stop]), len(here) - 1)
            hits = here[found] == keys[start:stop]
            places[start:stop][hits] = block * KEYS_PER_HEAD + found[hits]
        return places

    def _read(self, first: int, last: int) -> Any:
        """Return the keys of the blocks first to last - 1; those of a block that is not full are followed by others."""
        keys = np.empty((last - first, KEYS_PER_HEAD), np.int64)
        starts = range(first, last, BLOCKS_AT_A_TIME)

        def work(start: int) -> None:
            stop = min(start + BLOCKS_AT_A_TIME, last)
            self._decode(start, stop, keys[start - first : stop - first])

        if len(starts) == 1:
            work(first)
        else:
            with ThreadPoolExecutor(cores()) as pool:
                list(pool.map(work, starts))
        return keys.reshape(-1)

    def _decode(self, first: int, last: int, keys: Any) -> None:
        """Write the keys of some blocks, a row each. While NumPy works, other threads run."""
        end = self.starts[last] if last < len(self.starts) else len(self.stream)
        octets = self.stream[self.starts[first] : end].view(np.uint8)
        groups = np.stack([octets & 15, octets >> 4], axis=1).reshape(-1)
        ends = np.flatnonzero((groups < FOLLOWED) & (groups > 0))
        begins = np.flatnonzero(groups > 0)
        begins = begins[np.concatenate(([True], groups[begins[1:] - 1] < FOLLOWED))] if len(begins) else begins
        steps = np.zeros(len(ends), np.int64)
        left = ends - begins
        for group in range(int(left.max(initial=-1)) + 1):
            here = np.flatnonzero(left >= group)
            digits = (groups[begins[here] + group] & FOLLOWED - 1).astype(np.int64)
            steps[here] |= digits << GROUP_BITS * group
        keys[:] = 0
        keys[:, 0] = self.heads[first:last]
        rows = keys.reshape(-1)
        count = min(last * KEYS_PER_HEAD, self.count) - first * KEYS_PER_HEAD
        places = np.arange(count)
        rows[places[places % KEYS_PER_HEAD != 0]] = steps << self.shift
        np.cumsum(keys, axis=1, out=keys)
