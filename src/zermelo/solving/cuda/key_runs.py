"""Runs: sorted keys on a GPU, compressed where a key is one word, and merged part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from zermelo.game import Game
from zermelo.native.device.cuda import cuda_game
from zermelo.native.device.device_platform import arrays, to_host
from zermelo.solving.cuda.key_block_kernels import measure_block, read_block, write_block
from zermelo.solving.cuda.sorted_keys import union
from zermelo.solving.enumeration.compressed_keys import KEYS_PER_HEAD, CompressedKeys, unused_bits
from zermelo.solving.enumeration.state_packing import Packing

PART_KEYS = 1 << 29
"""Keys that are sorted together, about; a multiple of those of a block."""


@dataclass
class KeyRun:
    """Sorted keys on the device. `heads` has the first key of each block, or all keys if they have several words."""

    heads: Any
    starts: Any
    stream: Any
    count: int

    @property
    def nbytes(self) -> int:
        return int(self.heads.nbytes + self.starts.nbytes + self.stream.nbytes)


class AnyGame(Game):
    """Stands for the game of kernels that ask no rule, so that they compile once for all games."""

    def initial(self) -> int:
        return 0

    def moves(self, state: int) -> Any:
        return range(0)

    def play(self, state: int, move: int) -> int:
        return state

    def result(self, state: int) -> int:
        return 0


class KeyRuns:
    """Makes runs of keys and reads them, for one packing."""

    def __init__(self, packing: Packing) -> None:
        self.device = cuda_game(AnyGame())
        self.words = packing.words
        self.block = KEYS_PER_HEAD if self.words == 1 else 1
        self.shift = unused_bits(packing)

    # -- one run -----------------------------------------------------------------------------------------------------

    def compressed(self, keys: Any) -> KeyRun:
        """Return the run of an array of sorted keys."""
        xp = arrays()
        if self.words > 1:
            return KeyRun(keys, xp.zeros(1, xp.int64), xp.zeros(1, xp.uint32), len(keys) // self.words)
        blocks = -(-len(keys) // KEYS_PER_HEAD)
        ends = xp.zeros(blocks + 1, xp.int64)
        self.device.run(measure_block, blocks, len(keys), self.shift, keys, ends[1:])
        xp.cumsum(ends, out=ends)
        heads, stream = xp.empty(blocks, xp.int64), xp.zeros(max(int(ends[-1]), 1), xp.uint32)
        self.device.run(write_block, blocks, len(keys), self.shift, keys, heads, ends, stream)
        return KeyRun(heads, ends[:-1], stream, len(keys))

    def blocks(self, run: KeyRun) -> int:
        return -(-run.count // self.block)

    def keys(self, run: KeyRun, first: int = 0, last: int | None = None) -> Any:
        """Return the keys of the blocks first to last - 1, by default of all."""
        last = self.blocks(run) if last is None else last
        if self.words > 1:
            return run.heads[first * self.words : last * self.words]
        keys = arrays().empty(min(last * KEYS_PER_HEAD, run.count) - first * KEYS_PER_HEAD, np.int64)
        self.device.run(read_block, last - first, first, run.count, self.shift, run.heads, run.starts, run.stream, keys)
        return keys

    def chunks(self, run: KeyRun, size: int) -> Iterator[tuple[int, Any]]:
        """Yield the keys of a run some at a time, with the place of the first of them."""
        step = max(size // self.block, 1)
        for first in range(0, self.blocks(run), step):
            yield first * self.block, self.keys(run, first, min(first + step, self.blocks(run)))

    # -- several runs ------------------------------------------------------------------------------------------------

    def merged(self, runs: Sequence[KeyRun]) -> KeyRun:
        """Return the keys of all runs without repetitions, sorted and compressed part by part."""
        runs = [run for run in runs if run.count]
        if len(runs) == 1:
            return runs[0]
        if self.words > 1 or sum(run.count for run in runs) <= PART_KEYS:
            return self.compressed(union([self.keys(run) for run in runs], self.words))
        xp = arrays()
        found, rest = [], xp.zeros(0, np.int64)
        for low, high in self._ranges(runs):
            rest = xp.concatenate([rest, union([self._between(run, low, high) for run in runs], self.words)])
            whole = len(rest) // KEYS_PER_HEAD * KEYS_PER_HEAD
            found.append(self.compressed(rest[:whole]))
            rest = rest[whole:].copy()
        found.append(self.compressed(rest))
        return joined([run for run in found if run.count])

    def _ranges(self, runs: Sequence[KeyRun]) -> Iterator[tuple[int, int]]:
        """Yield ranges with about as many keys as are sorted together; a head counts for its block."""
        heads = arrays().concatenate([run.heads for run in runs])
        heads.sort()
        splitters = to_host(heads[PART_KEYS // KEYS_PER_HEAD :: PART_KEYS // KEYS_PER_HEAD]).tolist()
        bounds = [0, *sorted(set(splitters)), 1 << 62 | 1]
        yield from pairwise(bounds)

    def _between(self, run: KeyRun, low: int, high: int) -> Any:
        """Return the keys of a run from `low` to `high` - 1."""
        xp = arrays()
        limits = xp.asarray(np.array([low, high], np.int64))
        first, last = (int(each) for each in to_host(xp.searchsorted(run.heads, limits)))
        keys = self.keys(run, max(first - 1, 0), last)
        start, stop = (int(each) for each in to_host(xp.searchsorted(keys, limits)))
        return keys[start:stop]

    # -- to the host and back ----------------------------------------------------------------------------------------

    def on_host(self, run: KeyRun) -> CompressedKeys:
        """Return a compressed copy of a run of keys of one word."""
        return CompressedKeys(to_host(run.heads), to_host(run.starts), to_host(run.stream), run.count, self.shift)

    def on_device(self, keys: Any) -> KeyRun:
        """Return the run of keys of the host, which are compressed or an array."""
        xp = arrays()
        if isinstance(keys, CompressedKeys):
            return KeyRun(xp.asarray(keys.heads), xp.asarray(keys.starts), xp.asarray(keys.stream), keys.count)
        if self.words > 1:
            return self.compressed(xp.asarray(np.asarray(keys)))
        parts = [
            self.compressed(xp.asarray(np.asarray(keys[start : start + PART_KEYS])))
            for start in range(0, len(keys), PART_KEYS)
        ]
        return joined(parts)


def joined(runs: Sequence[KeyRun]) -> KeyRun:
    """Return one run of runs of ascending keys, all but the last of whole blocks; or of whole stages, for a search."""
    if len(runs) == 1:
        return runs[0]
    xp, starts, words = arrays(), [], 0
    for run in runs:
        starts.append(run.starts + words)
        words += len(run.stream)
    return KeyRun(
        xp.concatenate([run.heads for run in runs]),
        xp.concatenate(starts),
        xp.concatenate([run.stream for run in runs]),
        sum(run.count for run in runs),
    )
