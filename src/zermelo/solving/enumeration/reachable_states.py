"""Reachable states: the kernel that expands the states of a stage."""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, chances_into, moves_into
from zermelo.solving.enumeration.table_access import (
    FIRST_STAGE,
    KEY_WORDS,
    KEYS,
    NOT_FOUND,
    SLOTS,
    STAGE_COUNT,
    insert,
    probe_slot,
    record_of,
    unpack,
)
from zermelo.solving.retrograde.solver_memory import (
    FINISHED,
    LOWER_STAGE,
    MAX_MOVES,
    NEW_STATES,
    NO_TABLE,
    OUT_OF_RANGE,
    STOP_REASON,
    TABLE_FULL,
    TOO_MANY_MOVES,
    interrupt,
    move_list,
    successor_key,
)
from zermelo.solving.retrograde.wdl import stage_of


@kernel(kinds="int words int int words words words words")
def expand(game, stage, source, start, stop, tables, room, fresh, memory):
    """Insert the successors of the states `start` to `stop` of `source` into their tables. Return how far it came.

    `room` has the number of keys that this thread may add to each table, and after that, which tables it reached. New
    keys of the stage itself are listed in `fresh`, since they are expanded next; memory[NEW_STATES] counts them.
    """
    words = tables[KEY_WORDS]
    moves, weights, where = move_list(memory, 0), move_list(memory, 1), move_list(memory, 2)
    memory[STOP_REASON] = FINISHED
    for place in range(start, stop):
        state = unpack(game, source, place, tables, memory)
        if game.result(state) != ONGOING:
            continue
        if game.is_chance(state):
            count = chances_into(game, state, moves, weights.reals(0, memory[MAX_MOVES]))
        else:
            count = moves_into(game, state, moves)
        if count > memory[MAX_MOVES]:
            interrupt(memory, TOO_MANY_MOVES, count)
            return place
        for i in range(count):
            child = canonical(game, game.play(state, moves[i]))
            to = stage_of(game, child, stage, memory)
            record = record_of(tables, to)
            if to < stage:
                interrupt(memory, LOWER_STAGE, to)
            elif record == 0 or tables[record + SLOTS] == 0:
                interrupt(memory, NO_TABLE, to)
            elif room[to - tables[FIRST_STAGE]] <= count or (
                to == stage and (memory[NEW_STATES] + count) * words > len(fresh)
            ):
                interrupt(memory, TABLE_FULL, to)
            else:
                where[i] = to
                moves[i] = probe_slot(game, child, tables, record, successor_key(memory, words, i), memory)
                if moves[i] == NOT_FOUND:
                    interrupt(memory, OUT_OF_RANGE, i)
            if memory[STOP_REASON] != FINISHED:
                return place
        for i in range(count):
            key, to = successor_key(memory, words, i), where[i]
            record = record_of(tables, to)
            room[tables[STAGE_COUNT] + to - tables[FIRST_STAGE]] = 1
            if insert(tables.follow(record + KEYS), words, tables[record + SLOTS], key, moves[i]):
                room[to - tables[FIRST_STAGE]] -= 1
                if to == stage:
                    at = memory[NEW_STATES] * words
                    fresh[at] = key[0] + 1
                    for word in range(1, words):
                        fresh[at + word] = key[word]
                    memory[NEW_STATES] += 1
    return stop
