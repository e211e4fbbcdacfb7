"""What the sections of a database hold, compared with what its header says: keys in order, entries that are some.

A file can hold anything, with checksums that are right. Kernels put keys into tables and
take entries for indices of nothing, but a table that is asked for a key it cannot have would search for ever. So keys
are in range and rise, entries are ones that the game can have, and there are as many of each as the header counts.
Only `verify` shows that a value is true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from zermelo.files import Damaged
from zermelo.solving.enumeration.state_packing import FIRST_WORD_BITS
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.plan import EXPECTATION, MARGIN
from zermelo.solving.retrograde.entries import WDL_ENTRIES, unpack_entries
from zermelo.solving.storage.archive_format import on_all_cores
from zermelo.solving.storage.archive_reader import Archive
from zermelo.solving.storage.database_header import MAX_ENTRY, DatabaseHeader, StageRecord
from zermelo.solving.storage.stage_records import KEYS_PER_BLOCK, decode_keys
from zermelo.value import DECISIVE

ROUNDING = 1e-12
"""How much two sums of floats may differ that should be the same."""

CHUNK = 32 * KEYS_PER_BLOCK
"""How many items are looked at together: whole blocks, of keys as they are stored too."""


class Chunk(NamedTuple):
    """Some items of a section: the number of the first, and a function that reads them."""

    start: int
    read: Callable[[], Any]


def valid_keys(chunks: Iterable[Chunk], words: int) -> bool:
    """Whether keys rise from one to the next, and are such as tables store: none is that of an empty slot."""
    last = np.zeros((1, words), np.int64)
    for ends in on_all_cores(lambda chunk: _ends(chunk.read().reshape(-1, words)), chunks):
        if ends is None or not _rises(last, ends[:1]).all():
            return False
        last = ends[1:]
    return True


def _ends(rows: Any) -> Any:
    """The first key and the last; None if they do not rise from the one to the other, or are none."""
    right = rows[:, 0].min() >= 1 and rows[:, 0].max() <= 1 << FIRST_WORD_BITS and _rises(rows[:-1], rows[1:]).all()
    return rows[[0, -1]] if right else None


def _rises(before: Any, after: Any) -> Any:
    """Where a row comes before the next one: by its first word, then by the others."""
    if before.shape[1] == 1:
        return before < after
    less = np.zeros(len(before), bool)
    for word in reversed(range(before.shape[1])):
        less = (before[:, word] < after[:, word]) | ((before[:, word] == after[:, word]) & less)
    return less


def valid_entries(chunks: Iterable[Chunk], values: str, record: StageRecord, counts: dict[int, int]) -> bool:
    """Whether entries are ones that a game can have, and as many of each as are expected."""
    most = 2 * DECISIVE if values == MARGIN else MAX_ENTRY
    found: Counter[int] = Counter()

    def count(chunk: Chunk) -> dict[int, int] | None:
        words, per_word = chunk.read(), 64 // record.bits
        entries = unpack_entries(words, record.bits, min(record.length - chunk.start * per_word, len(words) * per_word))
        if entries.min(initial=0) < 0 or entries.max(initial=0) > most:
            return None
        numbers = np.bincount(entries)
        return {int(entry): int(numbers[entry]) for entry in np.flatnonzero(numbers)}

    for numbers in on_all_cores(count, chunks):
        if numbers is None:
            return False
        found.update(numbers)
    found.pop(0, None)  # numbers without a state; there are as many as the others leave
    return found == counts


def expected(counts: Iterable[tuple[int, int]], wdl: bool) -> dict[int, int]:
    """How many of each entry there are, as it is stored: in two bits where distances are not kept."""
    short = {whole: entry for entry, whole in WDL_ENTRIES.items()}
    return {short.get(entry, 0) if wdl else entry: states for entry, states in counts}


def counted(header: DatabaseHeader, record: StageRecord) -> dict[int, int]:
    """How many of each entry the header counts in a stage."""
    first = 1 - record.base if header.values == MARGIN else 0
    here = [(count.entry + first, count.states) for count in header.counts if count.stage == record.stage]
    return expected(here, header.wdl)


def valid_bounds(pairs: Iterator[tuple[Chunk, Chunk]], error: float, states: int) -> bool:
    """Return whether `states` expectations have bounds that are near enough; NaN is where no state is."""
    for lows, highs in pairs:
        low, high = lows.read(), highs.read()
        here = ~np.isnan(low)
        if (np.isnan(high) == here).any() or not np.isfinite(low[here]).all() or not np.isfinite(high[here]).all():
            return False
        between = high[here] - low[here]
        if between.min(initial=0) < -ROUNDING or between.max(initial=0) > error + ROUNDING:
            return False
        states -= int(here.sum())
    return states == 0


def find_invalid_section(
    header: DatabaseHeader, record: StageRecord, keys: Any, entries: Any, uppers: Any
) -> str | None:
    """The first section of a stage that cannot be what it should be; None if all can. Arguments are columns."""
    packing, length = header.packing, record.words
    if packing is not None:
        items = record.length * packing.words
        words = packing.words
        parts = (Chunk(start, partial(_decoded, read, words)) for start, read in _chunks(keys, items, CHUNK * words))
        if not valid_keys(parts, words):
            return f"keys_{record.stage}"
    if header.values != EXPECTATION:
        right = valid_entries(_chunks(entries, length, CHUNK), header.values, record, counted(header, record))
    else:
        pairs = zip(_chunks(entries, length, CHUNK), _chunks(uppers, length, CHUNK), strict=True)
        right = valid_bounds(pairs, header.error, sum(counted(header, record).values()))
    return None if right else f"entries_{record.stage}"


def slices(array: Any, size: int) -> Iterator[Chunk]:
    """The parts of an array, `size` items each."""
    return (Chunk(start, partial(_part, array, start, start + size)) for start in range(0, len(array), size))


def _decoded(read: Callable[[], Any], words: int) -> Any:
    return decode_keys(read(), words)


def _part(array: Any, start: int, stop: int) -> Any:
    return array[start:stop]


def _chunks(column: Any, length: int, size: int) -> Iterator[Chunk]:
    for start in range(0, length, size):
        yield Chunk(start, partial(column.read, start, min(start + size, length)))


def read_keys(layer: Archive, name: str, words: int, into: Any = None) -> Any:
    """The keys in a section of a layer, seen to be such as tables store, in an array that may be given."""
    keys = layer.array(name, into=into, decode=np.cumsum if words == 1 else None)
    if not valid_keys(slices(keys, CHUNK * words), words):
        raise Damaged(f"{layer.path} is damaged: {name!r} does not hold keys.")
    return keys


def room_for(layer: Archive, name: str, budget: MemoryBudget | None) -> Any:
    """An array for a section within a budget; None if there is none."""
    entry = layer.entry(name)
    return None if budget is None else budget.zeros(entry.length).view(entry.dtype)
