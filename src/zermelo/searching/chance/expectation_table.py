"""The transposition table of games with chance: both bounds of an expectation, as floats to the last bit.

One array of int64 words, a bucket of two entries in eight neighbouring words (a cache line):

    [check, lower, upper, data] * 2             first entry: stays unless a deeper one comes; second: always replaced

    check        key ^ lower ^ upper >> 1 ^ data: threads share the array without locks, and an entry that two of them
                 wrote at once fails this test and counts as absent (bounds that meet must not cancel each other)
    lower, upper the 64 bits of two floats, seen by the mover of the entry's state
    data         bits 0..7   depth it was searched to
                 bit 8       lasting: no judgement took part, so the bounds hold for every greater depth too
                 bits 9..12  age: which search wrote it, from 1 up, so that no entry is all zeros
                 bits 13..21 the move that was best, as a hint of nine bits; NO_HINT for none
                 bits 22..62 of the check, where a state does not fit its key (keys.py)

A state has an entry for each depth it is searched to, since chance leads to it by ways of many lengths; the entries of
neighbouring depths stand in neighbouring buckets. An entry is copied to a search's own memory before it is believed, so
nobody can change it between test and use.
"""

from __future__ import annotations

from zermelo.searching.alphabeta.transposition_table import NO_HINT
from zermelo.searching.runtime.thread_memory import AGE, ENTRY
from zermelo.word_arrays import Words


def depth_of(data: int) -> int:
    return data & 0xFF


def lasting(data: int) -> int:
    return data >> 8 & 1


def age_of(data: int) -> int:
    return data >> 9 & 0xF


def hint_of(data: int) -> int:
    return data >> 13 & 0x1FF


def short(check: int) -> int:
    """As much of a check as an entry has room for."""
    return check >> 23 & (1 << 41) - 1


def recall(table: Words, key: int, check: int, depth: int, memory: Words) -> int:
    """The data of a state's entry for this depth, or else for the depth before; 0 if there is none.

    Its bounds are in memory[ENTRY] and the word after. Of the depth before, they count only if they are lasting.
    """
    at = bucket(table, key, depth)
    if copied(table, at, key, check, depth, memory) or copied(table, at + 4, key, check, depth, memory):
        return memory[ENTRY + 2]
    at = bucket(table, key, depth - 1)
    if copied(table, at, key, check, depth - 1, memory) or copied(table, at + 4, key, check, depth - 1, memory):
        return memory[ENTRY + 2]
    return 0


def bucket(table: Words, key: int, depth: int) -> int:
    """Where the two entries stand that may hold a state at this depth."""
    return (key + depth & (len(table) // 8 - 1)) * 8


def copied(table: Words, at: int, key: int, check: int, depth: int, memory: Words) -> bool:
    """Copy an entry to memory: whether it is one of this state and depth, and whole."""
    lower = table[at + 1]
    upper = table[at + 2]
    data = table[at + 3]
    if depth_of(data) != depth or table[at] ^ lower ^ upper >> 1 ^ data != key or data >> 22 != short(check):
        return False
    memory[ENTRY] = lower
    memory[ENTRY + 1] = upper
    memory[ENTRY + 2] = data
    return data != 0


def remember(
    table: Words,
    key: int,
    check: int,
    depth: int,
    lower: float,
    upper: float,
    lasts: int,
    move_hint: int,
    memory: Words,
) -> None:
    """Keep bounds of a state; together with others as good that are known of it, they tighten."""
    at = bucket(table, key, depth)
    bounds = memory.reals(ENTRY, 2)
    first = table[at + 3]
    known = copied(table, at, key, check, depth, memory)
    if not known and copied(table, at + 4, key, check, depth, memory):
        known = True
        at += 4
    if known:
        data = memory[ENTRY + 2]
        if lasting(data) == lasts:
            lower = max(lower, bounds[0])
            upper = min(upper, bounds[1])
        if move_hint == NO_HINT:
            move_hint = hint_of(data)
    elif depth_of(first) >= depth and age_of(first) == memory[AGE]:
        at += 4
    bounds[0] = lower
    bounds[1] = upper
    data = depth | lasts << 8 | memory[AGE] << 9 | move_hint << 13 | short(check) << 22
    table[at] = key ^ memory[ENTRY] ^ memory[ENTRY + 1] >> 1 ^ data
    table[at + 1] = memory[ENTRY]
    table[at + 2] = memory[ENTRY + 1]
    table[at + 3] = data
