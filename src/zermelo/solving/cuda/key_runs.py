"""Runs: sorted keys on a GPU, compressed where a key is one word, and merged part by part.

Where the memory of the device is short, they are kept in that of the host, and read from there part by part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from zermelo.game import Game
from zermelo.native.device.cuda import cuda_game
from zermelo.native.device.device_platform import arrays, free_memory, to_host
from zermelo.solving.cuda.key_block_kernels import measure_block, read_block, write_block
from zermelo.solving.cuda.sorted_keys import union
from zermelo.solving.enumeration.compressed_keys import KEYS_PER_HEAD, CompressedKeys, unused_bits
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.memory_budget import MemoryBudget

PART_KEYS = 1 << 29
"""Keys that are sorted together at most, about; a multiple of those of a block."""

SORTING_BYTES = 128
"""Bytes of the device that must be free for a word that is sorted."""

SPILL_SHARE = 0.2
"""The part of the device's memory that must be free for a run to be kept there."""

SAMPLES = 256
"""Samples of the keys that are sorted together, from which their range is chosen."""

LEAST_WORD = -(1 << 63)


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


AnyKeys = KeyRun | CompressedKeys | Any
"""Sorted keys: a run on the device; or in the memory of the host, compressed or an array."""


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

    def __init__(self, packing: Packing, budget: MemoryBudget | None = None) -> None:
        self.device = cuda_game(AnyGame())
        self.budget = budget or MemoryBudget()
        self.memory = free_memory()
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

    def length(self, keys: AnyKeys) -> int:
        """Return the number of keys of a run, or of keys of the host."""
        return keys.count if isinstance(keys, KeyRun) else len(keys) // self.words

    def blocks(self, keys: AnyKeys) -> int:
        return -(-self.length(keys) // self.block)

    def part(self, keys: AnyKeys, first: int, last: int) -> KeyRun:
        """Return the blocks first to last - 1 on the device."""
        xp, words = arrays(), self.words
        count = min(last * self.block, self.length(keys)) - first * self.block
        if isinstance(keys, KeyRun):
            heads = keys.heads[first * words : last * words]
            return KeyRun(heads, keys.starts[first:last] if words == 1 else keys.starts, keys.stream, count)
        if not isinstance(keys, CompressedKeys):
            start = first * self.block * words
            return self.compressed(xp.asarray(np.asarray(keys[start : start + count * words])))
        begin = int(keys.starts[first])
        end = int(keys.starts[last]) if last < len(keys.starts) else len(keys.stream)
        stream = xp.asarray(keys.stream[begin:end]) if begin < end else xp.zeros(1, xp.uint32)
        return KeyRun(xp.asarray(keys.heads[first:last]), xp.asarray(keys.starts[first:last] - begin), stream, count)

    def keys(self, keys: AnyKeys, first: int = 0, last: int | None = None) -> Any:
        """Return the keys of the blocks first to last - 1, by default of all."""
        run = self.part(keys, first, self.blocks(keys) if last is None else last)
        if self.words > 1:
            return run.heads
        found = arrays().empty(run.count, np.int64)
        self.device.run(read_block, len(run.heads), run.count, self.shift, run.heads, run.starts, run.stream, found)
        return found

    def chunks(self, keys: AnyKeys, size: int) -> Iterator[tuple[int, Any]]:
        """Yield the keys some at a time, with the place of the first of them."""
        step = max(size // self.block, 1)
        for first in range(0, self.blocks(keys), step):
            yield first * self.block, self.keys(keys, first, min(first + step, self.blocks(keys)))

    # -- several runs ------------------------------------------------------------------------------------------------

    def merged(self, runs: Sequence[AnyKeys]) -> AnyKeys:
        """Return the keys of all runs without repetitions, sorted and compressed part by part."""
        runs = [run for run in runs if self.length(run)]
        if len(runs) == 1:
            return runs[0]
        size = self._sorted_together()
        if sum(map(self.length, runs)) <= size:
            return self.compressed(union([self.keys(run) for run in runs], self.words))
        found: list[AnyKeys] = []
        rest = arrays().zeros(0, np.int64)
        for low, high in self._ranges(runs, size):
            rest = arrays().concatenate([rest, union([self._between(run, low, high) for run in runs], self.words)])
            whole = len(rest) // self.words // self.block * self.block * self.words
            found.append(self.kept(self.compressed(rest[:whole])))
            rest = rest[whole:].copy()
        found.append(self.kept(self.compressed(rest)))
        return self._joined([run for run in found if self.length(run)])

    def _sorted_together(self) -> int:
        """Return how many keys are sorted together, about."""
        fit = free_memory() // (SORTING_BYTES * self.words)
        return max(min(PART_KEYS, fit) // KEYS_PER_HEAD, 1) * KEYS_PER_HEAD

    def _ranges(self, runs: Sequence[AnyKeys], size: int) -> Iterator[tuple[int, int]]:
        """Yield ranges of first words with about `size` keys; a head counts for its block."""
        thin = max(size // (self.block * SAMPLES), 1)
        heads = np.sort(np.concatenate([to_host(self._heads(run)[::thin]) for run in runs]))
        step = size // (self.block * thin)
        bounds = [LEAST_WORD, *sorted(set(heads[step::step].tolist()) - {LEAST_WORD}), None]
        yield from pairwise(bounds)

    def _heads(self, keys: AnyKeys) -> Any:
        """Return the first word of the first key of each block."""
        if isinstance(keys, KeyRun | CompressedKeys):
            return keys.heads[:: self.words]
        return keys[:: self.words]

    def _between(self, keys: AnyKeys, low: int, high: int | None) -> Any:
        """Return the keys whose first word is at least `low` and less than `high`; None is no bound."""
        first, last = self._places(self._heads(keys), low, high)
        first = max(first - 1, 0)
        found = self.keys(keys, first, last)
        start, stop = self._places(found[:: self.words], low, high)
        return found[start * self.words : stop * self.words]

    def _places(self, words: Any, low: int, high: int | None) -> tuple[int, int]:
        """Return where, in sorted words, those from `low` to `high` - 1 begin and end."""
        xp = np if isinstance(words, np.ndarray) else arrays()
        limits = xp.asarray(np.array([low, high or 0], np.int64))
        start, stop = (int(each) for each in xp.searchsorted(xp.ascontiguousarray(words), limits))
        return start, len(words) if high is None else stop

    # -- to the host and back ----------------------------------------------------------------------------------------

    def kept(self, run: KeyRun) -> AnyKeys:
        """Return a run as it is kept: where little of the device's memory is left, in that of the host."""
        return run if free_memory() > SPILL_SHARE * self.memory else self.on_host(run)

    def on_host(self, keys: AnyKeys) -> AnyKeys:
        """Return a copy in the memory of the host, compressed where a key is one word."""
        if not isinstance(keys, KeyRun):
            return keys
        if self.words > 1:
            return self.copied(keys.heads)
        heads, starts, stream = (self.copied(each) for each in (keys.heads, keys.starts, keys.stream))
        return CompressedKeys(heads, starts, stream, keys.count, self.shift)

    def plain_on_host(self, keys: AnyKeys) -> Any:
        """Return the keys as an array in the memory of the host."""
        whole, at = self.budget.zeros(self.length(keys) * self.words), 0
        for _, some in self.chunks(keys, self._sorted_together()):
            to_host(some, whole[at : at + len(some)])
            at += len(some)
        return whole

    def copied(self, array: Any) -> Any:
        """Copy an array to the memory of the host, or beyond its budget into a file."""
        size = -(-array.nbytes // 8)
        return to_host(array, self.budget.zeros(size).view(array.dtype)[: len(array)])

    def on_device(self, keys: AnyKeys) -> KeyRun:
        """Return the run of keys of the host, which are compressed or an array."""
        if isinstance(keys, KeyRun):
            return keys
        blocks = self.blocks(keys)
        step = max(blocks if isinstance(keys, CompressedKeys) else self._sorted_together() // self.block, 1)
        return joined([self.part(keys, start, min(start + step, blocks)) for start in range(0, max(blocks, 1), step)])

    def _joined(self, runs: Sequence[AnyKeys]) -> AnyKeys:
        """Return one run of runs of ascending keys, all but the last of whole blocks."""
        if all(isinstance(run, KeyRun) for run in runs):
            return joined(runs)  # type: ignore[arg-type]
        hosted: list[Any] = [self.on_host(run) for run in runs]
        if self.words > 1:
            return self.in_order(hosted)
        words = np.cumsum([0, *(len(run.stream) for run in hosted)])
        return CompressedKeys(
            self.in_order([run.heads for run in hosted]),
            self.in_order([run.starts for run in hosted], words),
            self.in_order([run.stream for run in hosted]),
            sum(run.count for run in hosted),
            self.shift,
        )

    def in_order(self, parts: list[Any], added: Any = None) -> Any:
        """Return arrays of the host one after the other, with a number added to each."""
        size = -(-sum(part.nbytes for part in parts) // 8)
        whole = self.budget.zeros(size).view(parts[0].dtype)[: sum(map(len, parts))]
        at = 0
        for number, part in enumerate(parts):
            whole[at : at + len(part)] = part if added is None else part + added[number]
            at += len(part)
        return whole


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
