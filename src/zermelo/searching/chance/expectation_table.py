"""The transposition table of games with chance: both bounds of an expectation, as floats to the last bit.

One array of int64 words, a bucket of two entries in eight neighbouring words (a cache line):

    [check, lower, upper, data] * 2             first entry: depth-preferred; second: always replaced

    check        key ^ lower ^ upper >> 1 ^ data: threads share the array without locks, and an entry that two of them
                 wrote at once fails this test and counts as absent (bounds that meet must not cancel each other)
    lower, upper the 64 bits of two floats, seen by the mover of the entry's state
    data         bits 0..7   depth it was searched to
                 bit 8       proven: no heuristic leaf took part, so the bounds hold for every greater depth too
                 bits 9..12  age: which search wrote it, from 1 up, so that no entry is all zeros
                 bits 13..21 the best move, as a hint of nine bits; NO_HINT for none
                 bits 22..62 of the check, where a state does not fit its key (keys.py)

A state has an entry for each depth it is searched to, since paths of many lengths lead to it; entries of neighbouring
depths stand in neighbouring buckets. An entry is copied to the memory of a thread before it is tested, so that no other
thread can change it between test and use.
"""

from __future__ import annotations

from zermelo.searching.alphabeta.transposition_table import NO_HINT
from zermelo.searching.runtime.thread_memory import AGE, TABLE_ENTRY
from zermelo.word_arrays import Words


def depth_of(data: int) -> int:
    return data & 0xFF


def is_proven(data: int) -> int:
    return data >> 8 & 1


def age_of(data: int) -> int:
    return data >> 9 & 0xF


def hint_of(data: int) -> int:
    return data >> 13 & 0x1FF


def short_check(check: int) -> int:
    """The bits of a check that an entry holds."""
    return check >> 23 & (1 << 41) - 1


def probe_expectation(table: Words, key: int, check: int, depth: int, memory: Words) -> int:
    """The data of a state's entry for this depth, or else for the depth before; 0 if there is none.

    Its bounds are in memory[TABLE_ENTRY] and the next word. Those of the depth before count only if they are proven.
    """
    at = bucket(table, key, depth)
    if copy_entry(table, at, key, check, depth, memory) or copy_entry(table, at + 4, key, check, depth, memory):
        return memory[TABLE_ENTRY + 2]
    at = bucket(table, key, depth - 1)
    if copy_entry(table, at, key, check, depth - 1, memory) or copy_entry(table, at + 4, key, check, depth - 1, memory):
        return memory[TABLE_ENTRY + 2]
    return 0


def bucket(table: Words, key: int, depth: int) -> int:
    """The index of the bucket of a key and a depth."""
    return (key + depth & (len(table) // 8 - 1)) * 8


def copy_entry(table: Words, at: int, key: int, check: int, depth: int, memory: Words) -> bool:
    """Copy an entry to memory, and return whether it is intact and of this state and depth."""
    lower = table[at + 1]
    upper = table[at + 2]
    data = table[at + 3]
    if depth_of(data) != depth or table[at] ^ lower ^ upper >> 1 ^ data != key or data >> 22 != short_check(check):
        return False
    memory[TABLE_ENTRY] = lower
    memory[TABLE_ENTRY + 1] = upper
    memory[TABLE_ENTRY + 2] = data
    return data != 0


def store_expectation(
    table: Words,
    key: int,
    check: int,
    depth: int,
    lower: float,
    upper: float,
    proven: int,
    move_hint: int,
    memory: Words,
) -> None:
    """Store bounds of a state; an entry of equal rank tightens them."""
    at = bucket(table, key, depth)
    bounds = memory.reals(TABLE_ENTRY, 2)
    first = table[at + 3]
    known = copy_entry(table, at, key, check, depth, memory)
    if not known and copy_entry(table, at + 4, key, check, depth, memory):
        known = True
        at += 4
    if known:
        data = memory[TABLE_ENTRY + 2]
        if is_proven(data) == proven:
            lower = max(lower, bounds[0])
            upper = min(upper, bounds[1])
        if move_hint == NO_HINT:
            move_hint = hint_of(data)
    elif depth_of(first) >= depth and age_of(first) == memory[AGE]:
        at += 4
    bounds[0] = lower
    bounds[1] = upper
    data = depth | proven << 8 | memory[AGE] << 9 | move_hint << 13 | short_check(check) << 22
    table[at] = key ^ memory[TABLE_ENTRY] ^ memory[TABLE_ENTRY + 1] >> 1 ^ data
    table[at + 1] = memory[TABLE_ENTRY]
    table[at + 2] = memory[TABLE_ENTRY + 1]
    table[at + 3] = data
