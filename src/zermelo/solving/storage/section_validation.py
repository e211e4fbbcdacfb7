"""What the sections of a database hold, compared with what its header says: keys in order, entries that are some.

A file can hold anything, with checksums that are right. Kernels put keys into tables and
take entries for indices of nothing, but a table that is asked for a key it cannot have would search for ever. So keys
are in range and rise, entries are ones that the game can have, and there are as many of each as the header counts.
Only `verify` shows that a value is true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
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
from zermelo.solving.storage.stage_records import KEYS_PER_BLOCK, decode_keys, sum_steps
from zermelo.value import DECISIVE

ROUNDING = 1e-12
"""How much two sums of floats may differ that should be the same."""

CHUNK = 32 * KEYS_PER_BLOCK
"""How many items are looked at together: whole blocks, of keys as they are stored too."""


class Chunk(NamedTuple):
    """Some items of a section: the number of the first, and a function that reads them."""

    start: int
    read: Callable[[], Any]


class Check(NamedTuple):
    """What is to be seen of a section: a function of each chunk, and one that says if all it returned is right."""

    section: str
    chunks: Sequence[Any]
    look: Callable[[Any], Any]
    agree: Callable[[Iterable[Any]], bool]


def first_wrong(checks: Iterable[Check]) -> str | None:
    """The first section that is not right; None if all are. The chunks of all of them are looked at on all cores."""
    checks = list(checks)
    jobs = [partial(check.look, chunk) for check in checks for chunk in check.chunks]
    found = on_all_cores(lambda job: job(), jobs)
    for check in checks:
        if not check.agree(islice(found, len(check.chunks))):
            return check.section
    return None


def valid_keys(chunks: Iterable[Chunk], words: int) -> bool:
    """Whether keys rise from one to the next, and are such as tables store: none is that of an empty slot."""
    return first_wrong([keys_check("keys", chunks, words)]) is None


def keys_check(section: str, chunks: Iterable[Chunk], words: int) -> Check:
    """The check of `valid_keys`."""

    def agree(found: Iterable[Any]) -> bool:
        last = np.zeros((1, words), np.int64)
        for ends in found:
            if ends is None or not _rises(last, ends[:1]).all():
                return False
            last = ends[1:]
        return True

    return Check(section, list(chunks), lambda chunk: _ends(chunk.read().reshape(-1, words)), agree)


def _ends(rows: Any) -> Any:
    """The first key and the last; None if they do not rise from the one to the other, or are none."""
    right = rows[0, 0] >= 1 and rows[-1, 0] <= 1 << FIRST_WORD_BITS and _rises(rows[:-1], rows[1:]).all()
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
    return first_wrong([entries_check("entries", chunks, values, record, counts)]) is None


def entries_check(
    section: str, chunks: Iterable[Chunk], values: str, record: StageRecord, counts: dict[int, int]
) -> Check:
    """The check of `valid_entries`."""
    most = 2 * DECISIVE if values == MARGIN else MAX_ENTRY

    def count(chunk: Chunk) -> dict[int, int] | None:
        words, per_word = chunk.read(), 64 // record.bits
        entries = _numbers(words, record.bits, min(record.length - chunk.start * per_word, len(words) * per_word))
        if entries.max(initial=0) > most:
            return None
        numbers = np.bincount(entries)
        return {int(entry): int(numbers[entry]) for entry in np.flatnonzero(numbers)}

    def agree(found: Iterable[dict[int, int] | None]) -> bool:
        sums: Counter[int] = Counter()
        for numbers in found:
            if numbers is None:
                return False
            sums.update(numbers)
        sums.pop(0, None)  # numbers without a state; there are as many as the others leave
        return sums == counts

    return Check(section, list(chunks), count, agree)


def _numbers(words: Any, bits: int, count: int) -> Any:
    """Entries as unsigned numbers."""
    return unpack_entries(words, bits, count) if bits == 2 else words.view(f"u{bits // 8}")[:count]


def expected(counts: Iterable[tuple[int, int]], wdl: bool) -> dict[int, int]:
    """How many of each entry there are, as it is stored: in two bits where distances are not kept."""
    short = {whole: entry for entry, whole in WDL_ENTRIES.items()}
    return {short.get(entry, 0) if wdl else entry: states for entry, states in counts}


def counted(header: DatabaseHeader, record: StageRecord) -> dict[int, int]:
    """How many of each entry the header counts in a stage."""
    first = 1 - record.base if header.values == MARGIN else 0
    here = [(count.entry + first, count.states) for count in header.counts if count.stage == record.stage]
    return expected(here, header.wdl)


def valid_bounds(pairs: Iterable[tuple[Chunk, Chunk]], error: float, states: int) -> bool:
    """Return whether `states` expectations have bounds that are near enough; NaN is where no state is."""
    return first_wrong([bounds_check("bounds", pairs, error, states)]) is None


def bounds_check(section: str, pairs: Iterable[tuple[Chunk, Chunk]], error: float, states: int) -> Check:
    """The check of `valid_bounds`."""

    def count(pair: tuple[Chunk, Chunk]) -> int | None:
        low, high = (chunk.read() for chunk in pair)
        here = ~np.isnan(low)
        if (np.isnan(high) == here).any() or not np.isfinite(low[here]).all() or not np.isfinite(high[here]).all():
            return None
        between = high[here] - low[here]
        if between.min(initial=0) < -ROUNDING or between.max(initial=0) > error + ROUNDING:
            return None
        return int(here.sum())

    def agree(found: Iterable[int | None]) -> bool:
        numbers = list(found)
        return None not in numbers and sum(filter(None, numbers)) == states

    return Check(section, list(pairs), count, agree)


def find_invalid_section(
    header: DatabaseHeader, record: StageRecord, keys: Any, entries: Any, uppers: Any
) -> str | None:
    """The first section of a stage that cannot be what it should be; None if all can. Arguments are columns."""
    return first_wrong(section_checks(header, record, keys, entries, uppers))


def section_checks(
    header: DatabaseHeader, record: StageRecord, keys: Any, entries: Any, uppers: Any
) -> Iterator[Check]:
    """The checks of all sections of a stage."""
    length, counts = record.words, counted(header, record)
    if (packing := header.packing) is not None:
        words = packing.words
        parts = _chunks(keys, record.length * words, CHUNK * words)
        decoded = (Chunk(start, partial(_decoded, read, words)) for start, read in parts)
        yield keys_check(f"keys_{record.stage}", decoded, words)
    if header.values != EXPECTATION:
        lows = _chunks(entries, length, CHUNK)
        yield entries_check(f"entries_{record.stage}", lows, header.values, record, counts)
    else:
        pairs = zip(_chunks(entries, length, CHUNK), _chunks(uppers, length, CHUNK), strict=True)
        yield bounds_check(f"entries_{record.stage}", pairs, header.error, sum(counts.values()))


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
    keys = layer.array(name, into=into, decode=sum_steps if words == 1 else None)
    if not valid_keys(slices(keys, CHUNK * words), words):
        raise Damaged(f"{layer.path} is damaged: {name!r} does not hold keys.")
    return keys


def room_for(layer: Archive, name: str, budget: MemoryBudget | None) -> Any:
    """An array for a section within a budget; None if there is none."""
    entry = layer.entry(name)
    return None if budget is None else budget.zeros(entry.length).view(entry.dtype)
