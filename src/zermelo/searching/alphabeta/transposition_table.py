"""The transposition table: bounds of scores by state.

One array of int64 words, a bucket of two entries in four neighbouring words (half a cache line), or in eight where a
state does not fit its key (keys.py):

    [key ^ data, data] * 2                      a new entry replaces the one of smaller draft
    [key ^ data, data, check ^ data, 0] * 2

An entry holds both bounds of the score, seen from its state, so that wins and losses count from there:

    bits  0..20   lower + 1_048_576
    bits 21..41   upper + 1_048_576
    bits 42..49   draft: the depth it was searched to, if below PROVEN; from there on the bounds are proven, hold for
                  every depth, and the draft measures the work they took
    bits 50..53   age: which search wrote it
    bits 54..62   the best move, as a hint of nine bits; 0 for none

Threads share the array without locks: an entry that two of them wrote at once fails the test key ^ data and counts as
absent. keys.py explains how keys and checks tell states apart.
"""

from __future__ import annotations

from collections.abc import Callable

from zermelo.arguments import checked_megabytes
from zermelo.game import Game
from zermelo.keys import key_is_exact, state_check, state_key
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical
from zermelo.value import WIN_SCORE
from zermelo.word_arrays import Words

UNLIMITED = 255
"""The depth of a search without a horizon, and of a proven entry."""

PROVEN = 251
"""The least draft of an entry whose bounds are proven."""

INITIAL_MEGABYTES = 1
"""Megabytes of a table that grows, at first: allocating a large one takes longer than many a search."""

COPY_WORDS = 1 << 17
"""Words of a growing table that are copied between two looks at the stop flag: a few milliseconds."""

SCORE_OFFSET = 1 << 20
"""What makes the bounds of an entry positive."""

MAX_AGE = 15
"""The ages of searches that share a table run from 1 to this."""

NO_HINT = 0
"""The hint of an entry without a best move."""


def new_table(megabytes: float) -> Words:
    """Return an empty table of at most `megabytes`, but at least one bucket; its number of words is a power of two."""
    words = 8
    while words * 2 * 8 <= megabytes * (1 << 20):
        words *= 2
    return Words.zeros(words)


class TranspositionTable:
    """A table that several searches of one game share, each finding what the others left: pass it as `table`.

    It takes `megabytes` at the most, and grows with the searches. A search of another game object finds it empty, as
    does one with a `database` or `weights` of its own, or with another unit of evaluation.

    >>> import zermelo as z
    >>> game, table = z.load("connect_four(5, 4)"), z.TranspositionTable("32MB")
    >>> first, second = (z.search(game, limit=z.Limit(depth=9), table=table) for _ in range(2))
    >>> second.nodes < first.nodes
    True
    """

    def __init__(self, megabytes: float | str) -> None:
        self.megabytes = checked_megabytes("TranspositionTable", megabytes=megabytes)
        self.words = new_table(0)
        self.age = 0
        self._game: Game | None = None
        self._unit = 1.0
        self._empty = True

    def unit_of(self, game: Game) -> float | None:
        """The unit of evaluation of the searches that filled it; None where they were of another game."""
        return self._unit if self._game is game else None

    def begin(self, game: Game, unit: float, whole: bool) -> None:
        """Begin a search of a game whose evaluations are multiplied by `unit`; some take the `whole` memory at once."""
        known = self._game is game and self._unit == unit
        if not known or (whole and not is_full(self.words, self.megabytes)):
            self._game, self._unit = game, unit
            self.words = new_table(self.megabytes if whole else min(INITIAL_MEGABYTES, self.megabytes))
            self._empty = True
        self.age = self.age % MAX_AGE + 1

    def keep(self, words: Words) -> None:
        """Keep the entries that a search has left, for the next one."""
        self.words, self._empty = words, False

    def copy_before(self) -> TranspositionTable:
        """A copy as the table was before the search that began last, for its twin, which begins in the same way."""
        copy = TranspositionTable(self.megabytes)
        copy._game, copy._unit, copy._empty = self._game, self._unit, self._empty
        copy.words = Words.zeros(len(self.words))
        if not self._empty:
            copy.words.memory[:] = self.words.memory
        copy.age = (self.age + MAX_AGE - 2) % MAX_AGE + 1
        return copy


def is_full(table: Words, megabytes: float) -> bool:
    """Whether a table is as large as `megabytes` allow."""
    return 2 * len(table) * 8 > megabytes * (1 << 20)


def grow_table(game: Game, table: Words, megabytes: float, stopped: Callable[[], bool] = lambda: False) -> Words:
    """Return a table of four times the size, but at most `megabytes`, with the same entries.

    The number of a bucket is the lowest bits of its keys, so entries of different buckets never collide. Filling 64 MB
    takes 0.1 s; if the search is `stopped` before that, return the old table.
    """
    larger = new_table(min(4 * len(table) * 8 / (1 << 20), megabytes))
    size = entry_size.interpreted(game)
    target = larger.array.reshape(-1, size)
    for start in range(0, len(table), COPY_WORDS):
        if stopped():
            return table
        entries = table.array[start : start + COPY_WORDS].reshape(-1, size)
        slots = entries[:, 1].nonzero()[0]
        entries = entries[slots]
        buckets = (entries[:, 0] ^ entries[:, 1]) & (len(larger) // (2 * size) - 1)
        target[2 * buckets + slots % 2] = entries
    return larger


def hint(move: int) -> int:
    """Nine bits that identify a move among those of a state; never 0."""
    return int(move) % 511 + 1


def pack(lower: int, upper: int, draft: int, age: int, move_hint: int) -> int:
    """Pack the data word of an entry."""
    return (lower + SCORE_OFFSET) | (upper + SCORE_OFFSET) << 21 | draft << 42 | age << 50 | move_hint << 54


def lower_of(data: int) -> int:
    return (data & 0x1FFFFF) - SCORE_OFFSET


def upper_of(data: int) -> int:
    return (data >> 21 & 0x1FFFFF) - SCORE_OFFSET


def draft_of(data: int) -> int:
    return data >> 42 & 0xFF


def depth_of(data: int) -> int:
    return UNLIMITED if draft_of(data) >= PROVEN else draft_of(data)


def draft_for(depth: int, work: int) -> int:
    """The draft of an entry that was searched to `depth`, with `work` nodes."""
    if depth != UNLIMITED:
        return depth
    level = PROVEN
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
def canonical_key(game, state, at, memory):
    """The key of the canonical state; its check is left in memory[at]."""
    here = canonical(game, state)
    if not key_is_exact(game):
        memory[at] = state_check(game, here)
    return state_key(game, here)


@kernel
def check_at(game, at, memory):
    """The check that `canonical_key` left in memory[at]; 0 where keys need none."""
    return 0 if key_is_exact(game) else memory[at]


@kernel
def entry_size(game):
    """Words of an entry."""
    return 2 if key_is_exact(game) else 4


@kernel
def bucket(game, table, key):
    """The index of the bucket of a key."""
    size = 2 * entry_size(game)
    return (key & (len(table) // size - 1)) * size


@kernel
def matches(game, table, at, data, key, check):
    """Whether the entry at an index, whose data word is `data`, belongs to this key and check, and is intact."""
    if data == 0 or table[at] ^ data != key:
        return False
    return key_is_exact(game) or table[at + 2] ^ data == check


@kernel
def write_entry(game, table, at, data, key, check):
    """Write an entry at an index."""
    table[at] = key ^ data
    table[at + 1] = data
    if not key_is_exact(game):
        table[at + 2] = check ^ data


@kernel
def prefetch(game, table, key):
    """Prefetch the bucket of a key."""
    table.prefetch(bucket(game, table, key))


@kernel
def probe(game, table, key, check):
    """The data word of a state; 0 if the table has none."""
    at = bucket(game, table, key)
    data = table[at + 1]
    if matches(game, table, at, data, key, check):
        return data
    at += entry_size(game)
    data = table[at + 1]
    if matches(game, table, at, data, key, check):
        return data
    return 0


@kernel
def store(game, table, key, check, lower, upper, draft, age, move_hint):
    """Store bounds of a state, searched to a draft.

    An entry of equal draft tightens them; one of greater draft that this search wrote stays.
    """
    at = bucket(game, table, key)
    other = at + entry_size(game)
    first = table[at + 1]
    second = table[other + 1]
    known = 0
    slot = at
    if matches(game, table, at, first, key, check):
        known = first
    elif matches(game, table, other, second, key, check):
        known = second
        slot = other
    elif replacement_draft(second, age) < replacement_draft(first, age):
        slot = other
    if known != 0:
        if draft_of(known) == draft or (draft_of(known) >= PROVEN and draft >= PROVEN):
            lower = max(lower, lower_of(known))
            upper = min(upper, upper_of(known))
            draft = max(draft, draft_of(known))
        elif draft_of(known) > draft and age_of(known) == age:
            return
        if move_hint == NO_HINT:
            move_hint = hint_of(known)
    write_entry(game, table, slot, pack(lower, upper, draft, age, move_hint), key, check)


def replacement_draft(data: int, age: int) -> int:
    """The draft of an entry for replacement: -1 if another search wrote it, -2 if it is empty."""
    if data == 0:
        return -2
    return draft_of(data) if age_of(data) == age else -1


def score_from_table(score: int, ply: int) -> int:
    """Convert a score whose distance counts from its state into one that counts from the root, `ply` plies above."""
    if score > 900_000:
        return score - ply
    if score < -900_000:
        return score + ply
    return score


def score_to_table(score: int, ply: int) -> int:
    """Convert a score that counts from the root into a valid score that counts from its state at `ply`."""
    if score > 900_000:
        return min(score + ply, WIN_SCORE)
    if score < -900_000:
        return max(score - ply, -WIN_SCORE)
    return score
