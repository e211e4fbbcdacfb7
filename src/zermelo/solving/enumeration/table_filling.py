"""Filling state tables: kernels that insert many keys, with entries or without, and that find many."""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.solving.enumeration.table_access import (
    BITS,
    ENTRIES,
    FIELD_COUNT,
    KEY_WORDS,
    KEYS,
    NOT_FOUND,
    SLOTS,
    STATE_ROW,
    find_slot,
    home_slot,
    insert,
)

PREFETCH_DISTANCE = 8
"""How many keys ahead a slot is prefetched."""


def stored_key(source, place, words, key):
    """Copy a key from `source`, which has it as tables store it, to `key`."""
    key[0] = source[place * words] - 1
    for word in range(1, words):
        key[word] = source[place * words + word]


def prefetch_slot(table, source, place, words, slots, key):
    """Prefetch the home slot of a key that is needed soon; `key` is scratch space."""
    if place * words < len(source):
        stored_key(source, place, words, key)
        table.prefetch(home_slot(key, words, slots) * words)


@kernel(kinds="words int int words int words")
def insert_keys(game, source, start, stop, tables, record, memory):
    """Insert the keys `start` to `stop` of `source`, which has them as tables do. Return how many were new."""
    words, slots = tables[KEY_WORDS], tables[record + SLOTS]
    table = tables.follow(record + KEYS)
    key = memory.part(STATE_ROW + tables[FIELD_COUNT], words)
    new = 0
    for place in range(start, stop):
        prefetch_slot(table, source, place + PREFETCH_DISTANCE, words, slots, key)
        if source[place * words] != 0:
            stored_key(source, place, words, key)
            new += insert(table, words, slots, key, home_slot(key, words, slots)) != NOT_FOUND
    return new


@kernel(kinds="words int int words int words words")
def find_keys(game, source, start, stop, tables, record, numbers, memory):
    """Write the slots of the keys `start` to `stop` of `source` into `numbers`."""
    words, slots = tables[KEY_WORDS], tables[record + SLOTS]
    table = tables.follow(record + KEYS)
    key = memory.part(STATE_ROW + tables[FIELD_COUNT], words)
    places = numbers.ints(0, 2 * len(numbers))
    for place in range(start, stop):
        prefetch_slot(table, source, place + PREFETCH_DISTANCE, words, slots, key)
        stored_key(source, place, words, key)
        places[place] = find_slot(table, words, slots, key, home_slot(key, words, slots))
    return stop


@kernel(kinds="words words int int words int words")
def insert_entries(game, source, packed, start, stop, tables, record, memory):
    """Insert the keys `start` to `stop` of `source` with their entries, packed in the same order. Return `stop`."""
    words, slots, width = tables[KEY_WORDS], tables[record + SLOTS], tables[record + BITS]
    table, entries = tables.follow(record + KEYS), tables.follow(record + ENTRIES)
    halves = entries.ints(0, 2 * len(entries))
    key = memory.part(STATE_ROW + tables[FIELD_COUNT], words)
    for place in range(start, stop):
        prefetch_slot(table, source, place + PREFETCH_DISTANCE, words, slots, key)
        stored_key(source, place, words, key)
        slot = insert(table, words, slots, key, home_slot(key, words, slots))
        entry = packed[place * width >> 6] >> (place * width & 63) & (1 << width) - 1
        if slot != NOT_FOUND:
            halves.fetch_or(slot * width >> 5, entry << (slot * width & 31))
    return stop
