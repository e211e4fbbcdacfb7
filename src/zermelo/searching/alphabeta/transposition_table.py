"""The transposition table: what was found out about a state, wherever it is met again.

One array of int64 words, a bucket of two entries in four neighbouring words (half a cache line), or in eight where a
state does not fit its key (keys.py):

    [key ^ data, data] * 2                      a new entry takes the place of the one that is worth less
    [key ^ data, data, check ^ data, 0] * 2

An entry holds both bounds of the score, seen from its state, so that wins and losses count from there:

    bits  0..20   lower + 1_048_576
    bits 21..41   upper + 1_048_576
    bits 42..49   worth: the depth it was searched to, below LASTING; from there on the bounds hold for good, and the
                  worth tells how much work they took
    bits 50..53   age: which search wrote it
    bits 54..62   the move that was best, as a hint of nine bits; 0 for none

Threads share the array without locks: an entry that two of them wrote at once fails the test key ^ data and counts as
absent.

How it is known that an entry is about this state, and not about another, is told in keys.py.
"""

from __future__ import annotations

from collections.abc import Callable

from zermelo.game import Game
from zermelo.keys import key_is_exact, state_check, state_key
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical
from zermelo.value import WIN_SCORE
from zermelo.word_arrays import Words

ENDLESS = 255
"""The depth of a search, or of an entry, that no horizon limits."""

LASTING = 251
"""The least worth of an entry whose bounds hold for good."""

SMALL = 1
"""Megabytes that a table which may grow begins with: making a large one takes longer than many a search."""

SLICE = 1 << 17
"""Words of a table that are copied at a time when it grows: a few milliseconds."""

OFFSET = 1 << 20
NO_HINT = 0


def new_table(megabytes: float) -> Words:
    """An empty table of at most so many megabytes, if that is a bucket; its number of words is a power of two."""
    words = 8
    while words * 2 * 8 <= megabytes * (1 << 20):
        words *= 2
    return Words.zeros(words)


def full(table: Words, megabytes: float) -> bool:
    """Whether a table is as large as it may be."""
    return 2 * len(table) * 8 > megabytes * (1 << 20)


def grown(game: Game, table: Words, megabytes: float, stopped: Callable[[], bool] = lambda: False) -> Words:
    """A table of four times the size, but not above so many megabytes, with the same entries.

    A bucket's number is made of the lowest bits of its keys, so entries of different buckets never meet. To fill 64 MB
    takes 0.1 s; where the search is `stopped` meanwhile, the old table is good enough.
    """
    larger = new_table(min(4 * len(table) * 8 / (1 << 20), megabytes))
    size = entry_size.interpreted(game)
    target = larger.array.reshape(-1, size)
    for start in range(0, len(table), SLICE):
        if stopped():
            return table
        entries = table.array[start : start + SLICE].reshape(-1, size)
        slots = entries[:, 1].nonzero()[0]
        entries = entries[slots]
        buckets = (entries[:, 0] ^ entries[:, 1]) & (len(larger) // (2 * size) - 1)
        target[2 * buckets + slots % 2] = entries
    return larger


def hint(move: int) -> int:
    """Nine bits that recognise a move among the few of a state; never 0."""
    return int(move) % 511 + 1


def pack(lower: int, upper: int, worth: int, age: int, move_hint: int) -> int:
    """An entry's data word."""
    return (lower + OFFSET) | (upper + OFFSET) << 21 | worth << 42 | age << 50 | move_hint << 54


def lower_of(data: int) -> int:
    return (data & 0x1FFFFF) - OFFSET


def upper_of(data: int) -> int:
    return (data >> 21 & 0x1FFFFF) - OFFSET


def worth_of(data: int) -> int:
    return data >> 42 & 0xFF


def depth_of(data: int) -> int:
    return ENDLESS if worth_of(data) >= LASTING else worth_of(data)


def worth(depth: int, work: int) -> int:
    """What an entry is worth that was searched to this depth, by looking at so many states."""
    if depth != ENDLESS:
        return depth
    level = LASTING
    while work >= 16 and level < 255:
        work >>= 3
        level += 1
    return level


def age_of(data: int) -> int:
    return data >> 50 & 0xF


def hint_of(data: int) -> int:
    return data >> 54 & 0x1FF


# -- entries and the states they are about -----------------------------------------------------------------------------


@kernel
def name(game, state, at, memory):
    """The key of the state that stands for this one; its check is left in memory[at]."""
    here = canonical(game, state)
    if not key_is_exact(game):
        memory[at] = state_check(game, here)
    return state_key(game, here)


@kernel
def check_at(game, at, memory):
    """The check that `name` has left, for a table to compare."""
    return 0 if key_is_exact(game) else memory[at]


@kernel
def entry_size(game):
    """Words from one entry to the next."""
    return 2 if key_is_exact(game) else 4


@kernel
def bucket(game, table, key):
    """Where the two entries stand that may be about a state."""
    size = 2 * entry_size(game)
    return (key & (len(table) // size - 1)) * size


@kernel
def is_about(game, table, at, data, key, check):
    """Whether an entry, whose data these are, is about this state, and whole."""
    if data == 0 or table[at] ^ data != key:
        return False
    return key_is_exact(game) or table[at + 2] ^ data == check


@kernel
def write(game, table, at, data, key, check):
    """Write an entry."""
    table[at] = key ^ data
    table[at + 1] = data
    if not key_is_exact(game):
        table[at + 2] = check ^ data


@kernel
def expect(game, table, key):
    """Have the bucket of a key on its way from memory before it is asked for."""
    table.prefetch(bucket(game, table, key))


@kernel
def probe(game, table, key, check):
    """The data word of a state; 0 if the table knows nothing about it."""
    at = bucket(game, table, key)
    data = table[at + 1]
    if is_about(game, table, at, data, key, check):
        return data
    at += entry_size(game)
    data = table[at + 1]
    if is_about(game, table, at, data, key, check):
        return data
    return 0


@kernel
def store(game, table, key, check, lower, upper, value, age, move_hint):
    """Remember bounds of a state, of this worth; together with what is known of it to the same depth, they tighten."""
    at = bucket(game, table, key)
    other = at + entry_size(game)
    first = table[at + 1]
    second = table[other + 1]
    known = 0
    slot = at
    if is_about(game, table, at, first, key, check):
        known = first
    elif is_about(game, table, other, second, key, check):
        known = second
        slot = other
    elif present_worth(second, age) < present_worth(first, age):
        slot = other
    if known != 0:
        if worth_of(known) == value or (worth_of(known) >= LASTING and value >= LASTING):
            lower = max(lower, lower_of(known))
            upper = min(upper, upper_of(known))
            value = max(value, worth_of(known))
        elif worth_of(known) > value and age_of(known) == age:
            return
        if move_hint == NO_HINT:
            move_hint = hint_of(known)
    write(game, table, slot, pack(lower, upper, value, age, move_hint), key, check)


def present_worth(data: int, age: int) -> int:
    """The worth of an entry now: less if another search wrote it, least if it is empty."""
    if data == 0:
        return -2
    return worth_of(data) if age_of(data) == age else -1


def from_root(score: int, ply: int) -> int:
    """A score of a state, as a search that met it at `ply` counts it."""
    if score > 900_000:
        return score - ply
    if score < -900_000:
        return score + ply
    return score


def from_state(score: int, ply: int) -> int:
    """A score of a search, as the state at `ply` counts it; bounds beyond every score stay possible ones."""
    if score > 900_000:
        return min(score + ply, WIN_SCORE)
    if score < -900_000:
        return max(score - ply, -WIN_SCORE)
    return score
