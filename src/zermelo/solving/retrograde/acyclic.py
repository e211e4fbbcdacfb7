"""Wins, losses and draws of a stage all of whose moves lead to later stages, as a kernel: one visit of each state.

Memory latency costs more than everything else here. So states are taken in batches: first the successors of all of them
are made and the places where their entries are looked up are prefetched, then the entries are read.
"""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, changes_player, orbit_size
from zermelo.solving.enumeration.table_access import (
    BITS,
    ENTRIES,
    FIELD_COUNT,
    KEY_WORDS,
    KEYS,
    NOT_FOUND,
    SLOTS,
    STATE_ROW,
    home_slot,
    insert,
    probe_number,
    probe_slot,
    record_of,
    stored_key,
    unpack,
)
from zermelo.solving.retrograde.entries import NOTHING
from zermelo.solving.retrograde.narrow_numbers import set_narrow
from zermelo.solving.retrograde.solver_memory import (
    FINISHED,
    INNER_MOVE,
    MAX_MOVES,
    NO_TABLE,
    STATE_MISSING,
    STOP_REASON,
    interrupt,
    move_list,
)
from zermelo.solving.retrograde.wdl import (
    NO_WIN,
    from_successors,
    list_moves,
    read_entry,
    stage_of,
    weighed,
)

BATCH_STATES = 16
"""States whose successors are looked up together."""

STATE_FIELDS, SUCCESSOR_FIELDS = 4, 2
"""Words of a batch for each state: payoff, number of successors, positions and where it is inserted; and for each
successor, without its key: where it is looked up, and its table with whether the player changes."""


def batch_words(width: int, words: int) -> int:
    """Return the words of a batch for states of at most `width` moves each and keys of `words` words."""
    return STATE_FIELDS * BATCH_STATES + (SUCCESSOR_FIELDS + words) * max(8 * BATCH_STATES, 2 * width)


@kernel(kinds="int words int int words words words words words words")
def evaluate(game, stage, source, start, stop, tables, codes, states, positions, batch, memory):
    """Write the entries of the states `start` to `stop` of `source` to `codes`. Return how far it came.

    The states are inserted into the table of their stage, with their entries. `states` and `positions` count the states
    with each entry, and the positions they stand for.
    """
    record = record_of(tables, stage)
    words, width = tables[KEY_WORDS], tables[record_of(tables, stage) + BITS]
    room = (len(batch) - STATE_FIELDS * BATCH_STATES) // (SUCCESSOR_FIELDS + words)
    those = batch.part(0, STATE_FIELDS * BATCH_STATES)
    where = batch.part(len(those), SUCCESSOR_FIELDS * room)
    keys = batch.part(len(those) + len(where), words * room)
    memory[STOP_REASON] = FINISHED
    place = start
    while place < stop:
        first, total = place, 0
        while place < stop and place - first < BATCH_STATES and total + memory[MAX_MOVES] <= room:
            this = those.part(STATE_FIELDS * (place - first), STATE_FIELDS)
            total += look_up(game, stage, place, source, tables, this, where, keys, total, memory)
            if memory[STOP_REASON] != FINISHED:
                return first
            place += 1
        done = 0
        for number in range(first, place):
            payoff, count = those[STATE_FIELDS * (number - first)], those[STATE_FIELDS * (number - first) + 1]
            code = best_of(game, payoff, count, tables, where, keys, done, words)
            if code == NOTHING or code >= len(states):
                interrupt(memory, STATE_MISSING, number)
                return first
            those[STATE_FIELDS * (number - first)] = code
            done += count
        for number in range(first, place):  # once all are known, since a batch may be evaluated again
            this = those.part(STATE_FIELDS * (number - first), STATE_FIELDS)
            set_narrow(codes, width, number, this[0])
            states[this[0]] += 1
            positions[this[0]] += this[2]
            insert_entry(source, number, this[0], this[3], tables, record, memory)
    return stop


def insert_entry(source, place, entry, home, tables, record, memory):
    """Insert a key, which `source` has as tables store it, into a table with its entry."""
    words, width = tables[KEY_WORDS], tables[record + BITS]
    key = memory.part(STATE_ROW + tables[FIELD_COUNT], words)
    stored_key(source, place, words, key)
    slot = insert(tables.follow(record + KEYS), words, tables[record + SLOTS], key, home)
    if slot != NOT_FOUND:
        packed = tables.follow(record + ENTRIES)
        packed.ints(0, 2 * len(packed)).fetch_or(slot * width >> 5, entry << (slot * width & 31))


def prefetch_home(source, place, tables, record, memory):
    """Return the slot at which a key of `source` is to be inserted, and prefetch it."""
    words, slots = tables[KEY_WORDS], tables[record + SLOTS]
    key = memory.part(STATE_ROW + tables[FIELD_COUNT], words)
    stored_key(source, place, words, key)
    home = home_slot(key, words, slots)
    tables.follow(record + KEYS).prefetch(home * words)
    tables.follow(record + ENTRIES).prefetch(home * tables[record + BITS] >> 6)
    return home


def look_up(game, stage, place, source, tables, this, where, keys, total, memory):
    """List the successors of a state and prefetch their entries. Return how many there are."""
    words, moves = tables[KEY_WORDS], move_list(memory, 0)
    state = unpack(game, source, place, tables, memory)
    payoff, count = list_moves(game, state, moves, memory)
    if memory[STOP_REASON] != FINISHED:
        return 0
    this[0], this[1], this[2] = payoff, count, orbit_size(game, state, move_list(memory, 1))
    this[3] = prefetch_home(source, place, tables, record_of(tables, stage), memory)
    for i in range(count):
        child = game.play(state, moves[i])
        flips = changes_player(game, state, child)
        child = canonical(game, child)
        to = stage_of(game, child, stage, memory)
        record = record_of(tables, to)
        if to == stage:
            interrupt(memory, INNER_MOVE, i)
            return 0
        if record == 0 or tables[record + BITS] == 0:
            interrupt(memory, NO_TABLE, to)
            return 0
        key = keys.part((total + i) * words, words)
        where[SUCCESSOR_FIELDS * (total + i)] = probe_slot(game, child, tables, record, key, memory)
        where[SUCCESSOR_FIELDS * (total + i) + 1] = 2 * record + flips
    return count


def best_of(game, payoff, count, tables, where, keys, first, words):
    """Return the entry that follows from the successors; NOTHING if one of them is in no table."""
    flags, soonest, latest = 0, NO_WIN, 0
    for i in range(first, first + count):
        record, flips = where[SUCCESSOR_FIELDS * i + 1] >> 1, where[SUCCESSOR_FIELDS * i + 1] & 1
        key = keys.part(i * words, words)
        number = probe_number(game, tables, record, key, where[SUCCESSOR_FIELDS * i])
        if number == NOT_FOUND:
            return NOTHING
        entry = read_entry(tables, record, number)
        if entry == NOTHING:
            return NOTHING
        flags, soonest, latest = weighed(entry, flips, flags, soonest, latest)
    return from_successors(payoff, 0, flags, soonest, latest, 0)


@kernel(kinds="words words int int words int words")
def fill_table(game, source, codes, start, stop, tables, record, memory):
    """Insert the keys `start` to `stop` of `source` with their entries into a table. Return `stop`."""
    width = tables[record + BITS]
    for first in range(start, stop, BATCH_STATES):
        last = min(first + BATCH_STATES, stop)
        for place in range(first, last):
            prefetch_home(source, place, tables, record, memory)
        for place in range(first, last):
            home = prefetch_home(source, place, tables, record, memory)
            entry = codes[place * width >> 6] >> (place * width & 63) & (1 << width) - 1
            insert_entry(source, place, entry, home, tables, record, memory)
    return stop
