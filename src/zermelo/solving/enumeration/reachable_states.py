"""Going forward: which states can be reached, stage by stage, as a kernel."""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, chances_into, moves_into, orbit_size
from zermelo.solving.enumeration.state_tables import (
    COUNT,
    FIRST,
    KEY,
    KEYS,
    NOWHERE,
    SLOTS,
    begin,
    put,
    record_of,
    state_at,
    unpack,
)
from zermelo.solving.retrograde.solver_memory import (
    BACKWARD,
    DONE,
    FULL,
    NEW,
    NO_STAGE,
    OUTSIDE,
    WHY,
    WIDE,
    WIDTH,
    give_up,
    key_of,
    list_of,
)
from zermelo.solving.retrograde.wdl import stage_of


@kernel
def expand(game, stage, source, start, stop, shelves, room, fresh, memory):
    """Put the successors of a part of the states in `source` on their shelves; how far this came.

    `room` says how many keys this thread may add to each shelf, and behind that, to which shelves it came. Keys that
    are new in the stage itself are listed in `fresh`, since their successors are still to come; memory[NEW] counts
    them.
    """
    words = shelves[KEY]
    moves, weights, where = list_of(memory, 0), list_of(memory, 1), list_of(memory, 2)
    memory[WHY] = DONE
    for place in range(start, stop):
        state = unpack(game, source, place, shelves, memory)
        if game.result(state) != ONGOING:
            continue
        if game.is_chance(state):
            count = chances_into(game, state, moves, weights.reals(0, memory[WIDTH]))
        else:
            count = moves_into(game, state, moves)
        if count > memory[WIDTH]:
            give_up(memory, WIDE, count)
            return place
        for i in range(count):
            child = canonical(game, game.play(state, moves[i]))
            to = stage_of(game, child, stage, memory)
            record = record_of(shelves, to)
            if to < stage:
                give_up(memory, BACKWARD, to)
            elif record == 0 or shelves[record + SLOTS] == 0:
                give_up(memory, NO_STAGE, to)
            elif room[to - shelves[FIRST]] <= count or (to == stage and (memory[NEW] + count) * words > len(fresh)):
                give_up(memory, FULL, to)
            else:
                where[i] = to
                moves[i] = begin(game, child, shelves, record, key_of(memory, words, i), memory)
                if moves[i] == NOWHERE:
                    give_up(memory, OUTSIDE, i)
            if memory[WHY] != DONE:
                return place
        for i in range(count):
            key, to = key_of(memory, words, i), where[i]
            record = record_of(shelves, to)
            room[shelves[COUNT] + to - shelves[FIRST]] = 1
            if put(shelves.follow(record + KEYS), words, shelves[record + SLOTS], key, moves[i]):
                room[to - shelves[FIRST]] -= 1
                if to == stage:
                    at = memory[NEW] * words
                    fresh[at] = key[0] + 1
                    for word in range(1, words):
                        fresh[at + word] = key[word]
                    memory[NEW] += 1
    return stop


@kernel
def tally(game, stage, start, stop, shelves, codes, states, positions, memory):
    """Count the states of a stage by their entries, and the positions they stand for."""
    record = record_of(shelves, stage)
    entries = codes.ints(0, 2 * len(codes))
    for number in range(start, stop):
        entry = entries[number]
        if entry > 0:
            states[entry] += 1
            positions[entry] += orbit_size(game, state_at(game, stage, number, shelves, record, memory))
    return stop
