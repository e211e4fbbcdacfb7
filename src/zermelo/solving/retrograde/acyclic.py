"""Wins, losses and draws of a stage all of whose moves lead to later stages, as kernels: one visit of each state.

The states of later stages are sorted keys with entries, many more than a cache holds, and successors are anywhere among
them. Looking them up one by one would wait for memory each time. So it is done in three steps, none of which leaves the
cache:

1. `scatter` appends the keys of all successors to runs, by the part that they belong to, and notes these parts.
2. `look_up` takes one part after the other: a hash table of its keys fits the cache. In each run, entries replace keys.
3. `gather` visits the states again in the order of step 1. The entry of each successor is the next one of its run.

    log:       from the end of an arena downward, for each state: positions that it stands for | number of successors,
               or less its entry where it has none | for each successor 2 * part + 1 if the move changes the player
    slice:     address and length of the keys of a part | address and length of the entries of its stage | the place of
               the first key there | bits of an entry
    table:     a slot is 0, or a number that a key has in its part, plus one, with high bits of the key's hash above it
"""

from __future__ import annotations

from zermelo import bits
from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, changes_player, orbit_size
from zermelo.solving.enumeration.part_runs import (
    ARENA_END,
    BLOCK_KEYS,
    CURSORS,
    NEXT_BLOCK,
    append_key,
    block_size,
    part_of,
    prefetch_block,
    target_of,
)
from zermelo.solving.enumeration.table_access import FIELD_COUNT, KEY_WORDS, STATE_ROW, pack, unpack
from zermelo.solving.retrograde.entries import NOTHING
from zermelo.solving.retrograde.narrow_numbers import narrow, set_narrow
from zermelo.solving.retrograde.solver_memory import (
    FINISHED,
    INNER_MOVE,
    NO_TABLE,
    STATE_MISSING,
    STOP_REASON,
    TABLE_FULL,
    interrupt,
    move_list,
)
from zermelo.solving.retrograde.wdl import NO_WIN, from_successors, list_moves, stage_of, weighed, whole_entry

SLICE_KEYS, SLICE_ENTRIES, SLICE_FIRST, SLICE_BITS, SLICE_SIZE = 0, 2, 4, 5, 6

SLOTS_PER_KEY = 4
"""Slots of a table, 32 bits each, for each key."""


# -- scatter ----------------------------------------------------------------------------------------------------------


def log_words(count):
    """Return the words that the log takes for a state with `count` successors."""
    return (count + 3) >> 1


@kernel(kinds="int words int int words words words words")
def scatter(game, stage, source, start, stop, tables, targets, arena, memory):
    """Append the successors of the states `start` to `stop` of `source` to runs, and note them. Return how far it came.

    A state is noted whole or not at all: where the arena has no room for it, TABLE_FULL is the reason to stop.
    """
    words = tables[KEY_WORDS]
    moves, log = move_list(memory, 0), arena.ints(0, 2 * len(arena))
    key = memory.part(STATE_ROW + tables[FIELD_COUNT], words)
    memory[STOP_REASON] = FINISHED
    for place in range(start, stop):
        state = unpack(game, source, place, tables, memory)
        payoff, count = list_moves(game, state, moves, memory)
        needed = count * block_size(words) + log_words(count)
        if memory[STOP_REASON] == FINISHED and arena[NEXT_BLOCK] + needed > arena[ARENA_END]:
            interrupt(memory, TABLE_FULL, count)
        if memory[STOP_REASON] != FINISHED:
            return place
        end = 2 * arena[ARENA_END]
        log[end - 1] = orbit_size(game, state, move_list(memory, 1))
        log[end - 2] = count if count > 0 else -from_successors(payoff, 0, 0, NO_WIN, 0, 0)
        for i in range(count):
            child = game.play(state, moves[i])
            flips = changes_player(game, state, child)
            child = canonical(game, child)
            to = stage_of(game, child, stage, memory)
            target = target_of(targets, to)
            if to == stage:
                interrupt(memory, INNER_MOVE, i)
            elif target == 0:
                interrupt(memory, NO_TABLE, to)
            elif not pack(game, child, tables, memory, 1):
                interrupt(memory, STATE_MISSING, i)
            else:
                there = targets.follow(target)
                part = part_of(there, key[0])
                append_key(there.follow(CURSORS), part, arena, key, words)
                log[end - 3 - i] = 2 * part + flips
            if memory[STOP_REASON] != FINISHED:
                return place
        arena[ARENA_END] -= log_words(count)
    return stop


# -- look up ----------------------------------------------------------------------------------------------------------


def hash_at(keys, place, words):
    """Return a hash of 62 bits of the key with a number."""
    seed = bits.mix(keys[place * words])
    for word in range(1, words):
        seed = bits.mix(bits.add(bits.multiply(seed, 0x9E3779B97F4A7C15), keys[place * words + word]))
    return bits.signed(bits.shift_right(seed, 2))


def equal_keys(first, place, second, other, words):
    """Return whether two keys are the same."""
    word = 0
    while word < words and first[place * words + word] == second[other * words + word]:
        word += 1
    return word == words


def fill_slots(keys, words, table, slots, number_bits):
    """Insert all keys of a part into an empty table."""
    for slot in range(slots):
        table[slot] = 0
    for number in range(len(keys) // words):
        seed = hash_at(keys, number, words)
        slot = (seed >> 31) * slots >> 31
        while table[slot] != 0:
            slot += 1
            if slot == slots:
                slot = 0
        table[slot] = (seed << number_bits & 0x7FFFFFFF) | (number + 1)


def find_number(keys, words, table, slots, number_bits, source, place, seed):
    """Return the number that a key of `source` with this hash has in a part; -1 if it is not there."""
    slot, tag = (seed >> 31) * slots >> 31, seed << number_bits & 0x7FFFFFFF
    while table[slot] != 0:
        number = table[slot] ^ tag
        if number >> number_bits == 0 and equal_keys(keys, number - 1, source, place, words):
            return number - 1
        slot += 1
        if slot == slots:
            slot = 0
    return -1


def replace_keys(here, count, words, width, this, table, slots, seeds):
    """Replace the first keys of a block by the entries that they have in a part.

    Each loop prefetches what the next one reads, so that they wait for the cache as little as possible.
    """
    keys, entries, first, entry_bits = (
        this.follow(SLICE_KEYS),
        this.follow(SLICE_ENTRIES),
        this[SLICE_FIRST],
        this[SLICE_BITS],
    )
    number_bits = bits.msb(len(keys) // words) + 1
    for i in range(count):
        seeds[i] = hash_at(here, i, words)
        table.prefetch((seeds[i] >> 31) * slots >> 32)
    halves = table.ints(0, slots)
    for i in range(count):
        guess = halves[(seeds[i] >> 31) * slots >> 31] & (1 << number_bits) - 1
        keys.prefetch(guess * words)
    for i in range(count):
        number, entry = find_number(keys, words, halves, slots, number_bits, here, i, seeds[i]), NOTHING
        if number >= 0:
            entry = entry_at(entries, first + number, entry_bits)
        set_narrow(here, width, i, entry)


@kernel(kinds="words int int int int words words")
def look_up(game, runs, start, stop, words, width, slices, scratch):
    """Replace the keys in the runs of the parts `start` to `stop` by entries of `width` bits. Return how far it came.

    Afterwards a chain begins with its first block, the cursor of a run is at its first entry, and NOTHING stands for a
    key that is not there. It stops early where a table does not fit into `scratch`.
    """
    size, entries_per_word = block_size(words), 64 // width
    for part in range(start, stop):
        this = slices.part(SLICE_SIZE * part, SLICE_SIZE)
        keys = this.follow(SLICE_KEYS)
        slots = SLOTS_PER_KEY * max(len(keys) // words, 1)  # a look-up ends at an empty slot
        if slots > 2 * (len(scratch) - BLOCK_KEYS):
            return part
        seeds, table = scratch.part(0, BLOCK_KEYS), scratch.part(BLOCK_KEYS, len(scratch) - BLOCK_KEYS)
        fill_slots(keys, words, table.ints(0, slots), slots, bits.msb(len(keys) // words) + 1)
        for thread in range(0, len(runs), 4):
            cursors, arena = runs.follow(thread), runs.follow(thread + 2)
            at, end, later = cursors[2 * part], cursors[2 * part + 1], 0
            while end != 0:
                block = end - size
                before = arena[block]
                prefetch_block(arena, before, size)
                here = arena.part(block + 1, size - 1)
                replace_keys(here, (at - block - 1) // words, words, width, this, table, slots, seeds)
                arena[block] = later
                later = block
                at = end = before + size if before != 0 else 0
            cursors[2 * part] = entries_per_word * (later + 1)
            cursors[2 * part + 1] = cursors[2 * part] + BLOCK_KEYS
    return stop


def entry_at(entries, place, width):
    """Return an entry, as one that is not packed into two bits."""
    entry = entries[place * width >> 6] >> (place * width & 63) & (1 << width) - 1
    return whole_entry(entry) if width == 2 else entry


# -- gather -----------------------------------------------------------------------------------------------------------


def next_entry(cursors, part, arena, width):
    """Return the entry at the cursor of a run, and move the cursor on."""
    at = cursors[2 * part]
    entry = narrow(arena, width, at)
    at += 1
    if at == cursors[2 * part + 1]:
        block = arena[(at - BLOCK_KEYS) // (64 // width) - 1]
        prefetch_block(arena, arena[block], 1 + BLOCK_KEYS * width // 64)
        at = (64 // width) * (block + 1)
        cursors[2 * part + 1] = at + BLOCK_KEYS
    cursors[2 * part] = at
    return entry


@kernel(kinds="words int words words int words int words words words")
def gather(game, spans, count, cursors, arena, width, codes, code_width, states, positions, memory):
    """Write the entries of the states that the log has, of `code_width` bits. Return how many spans it came through.

    `spans` has where each range of states begins and ends, in the order of the log. `states` and `positions` count the
    states with each entry, and the positions they stand for.
    """
    log, end = arena.ints(0, 2 * len(arena)), 2 * len(arena)
    memory[STOP_REASON] = FINISHED
    for span in range(count):
        for place in range(spans[2 * span], spans[2 * span + 1]):
            successors = log[end - 2]
            code = -successors
            if successors > 0:
                flags, soonest, latest, missing = 0, NO_WIN, 0, False
                for i in range(successors):
                    note = log[end - 3 - i]
                    entry = next_entry(cursors, note >> 1, arena, width)
                    missing |= entry == NOTHING
                    flags, soonest, latest = weighed(entry, note & 1, flags, soonest, latest)
                code = NOTHING if missing else from_successors(ONGOING, 0, flags, soonest, latest, 0)
            if code == NOTHING or code >= len(states):
                interrupt(memory, STATE_MISSING, place)
                return span
            set_narrow(codes, code_width, place, code)
            states[code] += 1
            positions[code] += log[end - 1]
            end -= 2 * log_words(max(successors, 0))
    return count
