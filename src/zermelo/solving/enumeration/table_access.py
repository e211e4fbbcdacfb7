"""Access to state tables: pack a state into a key, find it, insert it and read its entry, in kernels.

Each stage has a state table. Its states have numbers: those of the game's `index` where there is one, else the slots
of an open-addressing hash table of keys. A key is the whole state, its numbers packed side by side into as few words
as they need, so equal keys are equal states. Threads insert into a table at the same time without locks.

    tables:    FIRST_STAGE | STAGE_COUNT | FIELD_COUNT | KEY_WORDS | fields | records
    record:    address and length of the keys, of the entries and of the upper bounds | slots | bits of an entry | base

The first word of a key is stored plus one: 0 is an empty slot, and BUSY one whose other words are being written.
"""

from __future__ import annotations

from zermelo import bits
from zermelo.rules import has_index, state_from_words, state_length, state_to_words

FIRST_STAGE, STAGE_COUNT, FIELD_COUNT, KEY_WORDS = range(4)
FIELD_TABLE, FIELD_SIZE = 4, 16
"""Offset of the fields of a key, and the words of each."""

LOW, USED_BITS, SHIFT, WORD, MASK, DIGIT, DIGITS, PARTNER, INSIDE, STEP_COUNT, MOVED = range(11)
"""Offsets in a field: its minimum; the bits that a number, less that, may have; where it is in which word of the key,
and as many ones as it has bits there; which digit in base 3 a bit is, or 0, how many digits there are, the other number
that has digits there, and all ones if the first of the two is inside the second; the steps that bring the used bits
together, and the bits that each moves."""

RECORD_SIZE = 9
KEYS, ENTRIES, UPPERS, SLOTS, BITS, BASE = 0, 2, 4, 6, 7, 8
"""Offsets in a record; an address is followed by a length. BASE is the payoff that entry 1 stands for."""

BUSY = -1
STATE_ROW = 16
"""Offset of the numbers of a state in a thread's memory; the key follows them, and counters precede them."""

NOT_FOUND = -1
"""The number of a state that is in no table."""


def record_of(tables, stage):
    """Return the offset of the record of a stage; 0 if it has none."""
    place = stage - tables[FIRST_STAGE]
    if place < 0 or place >= tables[STAGE_COUNT]:
        return 0
    return FIELD_TABLE + FIELD_SIZE * tables[FIELD_COUNT] + RECORD_SIZE * place


def pack(game, state, tables, memory, more):
    """Write the state's key into the memory, after the state's row. Return False if a number is outside its field.

    `more` is added to its first word. Words are put together in a variable, since memory is slower. The number of
    fields is asked of the game, where it is a constant, so that the compiler unrolls the loop.
    """
    fields = state_length(game)
    row = memory.part(STATE_ROW, fields)
    key = memory.part(STATE_ROW + fields, tables[KEY_WORDS])
    state_to_words(game, state, row)
    for word in range(1, tables[KEY_WORDS]):  # none in most games, for which a call would take long
        key[word] = 0
    word, packed = 0, more
    for field in range(fields):
        packing = FIELD_TABLE + FIELD_SIZE * field
        number = row[field] - tables[packing + LOW]
        if tables[packing + DIGIT] == 2:
            other = row[tables[packing + PARTNER]]
            number ^= other & tables[packing + INSIDE]
            if number & other:
                return False
        if number & ~tables[packing + USED_BITS]:
            return False
        for step in range(tables[packing + STEP_COUNT]):
            moving = number & tables[packing + MOVED + step]
            number = number ^ moving | moving >> (1 << step)
        if tables[packing + DIGIT] != 0:
            number = tables[packing + DIGIT] * in_base_3(number, tables[packing + DIGITS])
        if tables[packing + WORD] != word:
            key[word] = packed
            word = tables[packing + WORD]
            packed = key[word]
        packed = bits.signed(packed + (number << tables[packing + SHIFT]))
    key[word] = packed
    return True


def in_base_3(number, digits):
    """Return the number in base 3 whose digits are the bits of a number."""
    value = 0
    for i in range(digits - 1, -1, -1):
        value = 3 * value + (number >> i & 1)
    return value


def from_base_3(value, digits, digit):
    """Return the number whose bits are where a number in base 3 has a digit."""
    number = 0
    for i in range(digits):
        if value % 3 == digit:
            number |= 1 << i
        value //= 3
    return number


def unpack(game, keys, slot, tables, memory):
    """Return the state in a slot. The first word of its key is stored plus one."""
    fields = state_length(game)
    row = memory.part(STATE_ROW, fields)
    at = slot * tables[KEY_WORDS]
    for field in range(fields):
        packing = FIELD_TABLE + FIELD_SIZE * field
        word = tables[packing + WORD]
        packed = keys[at + word] - 1 if word == 0 else keys[at + word]
        number = packed >> tables[packing + SHIFT] & tables[packing + MASK]
        if tables[packing + DIGIT] != 0:
            number = from_base_3(number, tables[packing + DIGITS], tables[packing + DIGIT])
        for step in range(tables[packing + STEP_COUNT] - 1, -1, -1):
            moved = tables[packing + MOVED + step]
            number = number & ~moved | number << (1 << step) & moved
        row[field] = bits.signed((number & tables[packing + USED_BITS]) + tables[packing + LOW])
    for field in range(fields):
        packing = FIELD_TABLE + FIELD_SIZE * field
        if tables[packing + DIGIT] == 2:
            row[field] |= row[tables[packing + PARTNER]] & tables[packing + INSIDE]
    return state_from_words(game, row)


def home_slot(key, words, slots):
    """Return the slot at which the probe sequence of a key begins."""
    seed = bits.mix(key[0])
    for word in range(1, words):
        seed = bits.mix(bits.add(bits.multiply(seed, 0x9E3779B97F4A7C15), key[word]))
    high, low = bits.signed(seed) >> 44 & 0xFFFFF, bits.signed(seed) >> 24 & 0xFFFFF
    return high * slots + (low * slots >> 20) >> 20  # 40 bits of the seed, as a part of all slots


def key_at(keys, at, words, key):
    """Return whether the key at offset `at`, whose first word matches, is this key."""
    word = 1
    while word < words and keys[at + word] == key[word]:
        word += 1
    return word == words


def find_slot(keys, words, slots, key, slot):
    """Return the slot that holds a key, by linear probing from `slot`; NOT_FOUND if none does."""
    first = key[0] + 1
    while True:
        stored = keys[slot * words]
        if stored == 0:
            return NOT_FOUND
        if stored == first and key_at(keys, slot * words, words, key):
            return slot
        slot += 1
        if slot == slots:
            slot = 0


def insert(keys, words, slots, key, slot):
    """Insert a key by linear probing from `slot`. Return its slot; NOT_FOUND if it was there.

    The table must have room, and threads may share it.
    """
    first = key[0] + 1
    while True:
        at = slot * words
        stored = keys.load_acquire(at)
        if stored == 0:
            if words == 1:
                if keys.compare_exchange(at, 0, first):
                    return slot
            elif keys.compare_exchange(at, 0, BUSY):
                for word in range(1, words):
                    keys[at + word] = key[word]
                keys.store_release(at, first)
                return slot
            continue
        if stored == BUSY:
            continue
        if stored == first and key_at(keys, at, words, key):
            return NOT_FOUND
        slot += 1
        if slot == slots:
            slot = 0


def number_of(game, state, tables, record, memory):
    """Return the state's number in the table with this record; NOT_FOUND if it is not there."""
    key = memory.part(STATE_ROW + tables[FIELD_COUNT], tables[KEY_WORDS])
    return probe_number(game, tables, record, key, probe_slot(game, state, tables, record, key, memory))


# Memory latency costs more than everything else. So the successors of a state are looked up in two rounds:
# `probe_slot` computes where each probe begins and prefetches it, and `probe_number` probes.


def probe_slot(game, state, tables, record, key, memory):
    """Write the state's key, and return where its probe begins; NOT_FOUND if it cannot be in the table."""
    if has_index(game):
        number = game.index(state)
        if not 0 <= number < tables[record + SLOTS]:
            return NOT_FOUND
    else:
        if not pack(game, state, tables, memory, 0):
            return NOT_FOUND
        words = tables[KEY_WORDS]
        packed = memory.part(STATE_ROW + tables[FIELD_COUNT], words)
        for word in range(words):
            key[word] = packed[word]
        number = home_slot(key, words, tables[record + SLOTS])
        tables.follow(record + KEYS).prefetch(number * words)
    if tables[record + BITS] != 0:
        tables.follow(record + ENTRIES).prefetch(number * tables[record + BITS] >> 6)
    return number


def probe_number(game, tables, record, key, start):
    """Return the number of the state for which `probe_slot` gave this key and start; NOT_FOUND if it has none."""
    if has_index(game) or start == NOT_FOUND:
        return start
    return find_slot(tables.follow(record + KEYS), tables[KEY_WORDS], tables[record + SLOTS], key, start)


def state_at(game, stage, number, tables, record, memory):
    """Return the state with this number."""
    if has_index(game):
        return game.at(stage, number)
    return unpack(game, tables.follow(record + KEYS), number, tables, memory)


def entry_of(tables, record, number):
    """Return the entry of the state with this number, unpacked from as many bits as the record says."""
    width = tables[record + BITS]
    place = number * width
    word = tables.follow(record + ENTRIES)[place >> 6]
    if width == 64:
        return word
    return word >> (place & 63) & ((1 << width) - 1)
