"""What the sections of a database hold, compared with what its header says: keys in order, entries that are some.

A file can hold anything, with checksums that are right. Kernels put keys into tables and
take entries for indices of nothing, but a table that is asked for a key it cannot have would search for ever. So keys
are in range and rise, entries are ones that the game can have, and there are as many of each as the header counts.
Only `verify` shows that a value is true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from zermelo.solving.enumeration.state_packing import FIRST_WORD_BITS
from zermelo.solving.plan import EXPECTATION, MARGIN
from zermelo.solving.retrograde.entries import WDL_ENTRIES, unpack_entries
from zermelo.solving.storage.database_header import MAX_ENTRY, DatabaseHeader, StageRecord
from zermelo.solving.storage.stage_records import KEYS_PER_BLOCK, decode_keys
from zermelo.value import DECISIVE

ROUNDING = 1e-12
"""How much two sums of floats may differ that should be the same."""

CHUNK = 64 * KEYS_PER_BLOCK
"""How many items are looked at together: whole blocks, of keys as they are stored too."""


def valid_keys(chunks: Iterator[Any], words: int) -> bool:
    """Whether keys rise from one to the next, and are such as tables store: none is that of an empty slot."""
    last = np.zeros(words, np.int64)
    for keys in chunks:
        rows = np.concatenate((last, keys)).reshape(-1, words)
        if rows[1:, 0].min(initial=1) < 1 or rows[1:, 0].max(initial=1) > 1 << FIRST_WORD_BITS:
            return False
        if not _rises(rows[:-1], rows[1:]).all():
            return False
        last = rows[-1]
    return True


def _rises(before: Any, after: Any) -> Any:
    """Where a row comes before the next one: by its first word, then by the others."""
    less = np.zeros(len(before), bool)
    for word in reversed(range(before.shape[1])):
        less = (before[:, word] < after[:, word]) | ((before[:, word] == after[:, word]) & less)
    return less


def valid_entries(chunks: Iterator[Any], values: str, record: StageRecord, counts: dict[int, int]) -> bool:
    """Whether entries are ones that a game can have, and as many of each as are expected."""
    most = 2 * DECISIVE if values == MARGIN else MAX_ENTRY
    found: Counter[int] = Counter()
    left = record.length
    for words in chunks:
        entries = unpack_entries(words, record.bits, min(left, len(words) * 64 // record.bits))
        left -= len(entries)
        if entries.min(initial=0) < 0 or entries.max(initial=0) > most:
            return False
        numbers = np.bincount(entries)
        found.update({int(entry): int(numbers[entry]) for entry in np.flatnonzero(numbers)})
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


def valid_bounds(pairs: Iterator[tuple[Any, Any]], error: float, states: int) -> bool:
    """Return whether `states` expectations have bounds that are near enough; NaN is where no state is."""
    for low, high in pairs:
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
        parts = (decode_keys(part, packing.words) for part in _chunks(keys, items, CHUNK * packing.words))
        if not valid_keys(parts, packing.words):
            return f"keys_{record.stage}"
    if header.values != EXPECTATION:
        right = valid_entries(_chunks(entries, length, CHUNK), header.values, record, counted(header, record))
    else:
        pairs = zip(_chunks(entries, length, CHUNK), _chunks(uppers, length, CHUNK), strict=True)
        right = valid_bounds(pairs, header.error, sum(counted(header, record).values()))
    return None if right else f"entries_{record.stage}"


def slices(array: Any, size: int) -> Iterator[Any]:
    """The parts of an array, `size` items each."""
    return (array[start : start + size] for start in range(0, len(array), size))


def _chunks(column: Any, length: int, size: int) -> Iterator[Any]:
    for start in range(0, length, size):
        yield column.read(start, min(start + size, length))
