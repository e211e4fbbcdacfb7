"""Reachable states: the kernel that expands the states of a stage."""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, chances_into, moves_into
from zermelo.solving.enumeration.part_runs import CURSORS, append_key, part_of, target_of
from zermelo.solving.enumeration.table_access import (
    FIELD_COUNT,
    KEY_WORDS,
    STATE_ROW,
    pack,
    unpack,
)
from zermelo.solving.retrograde.solver_memory import (
    FINISHED,
    LOWER_STAGE,
    MAX_MOVES,
    NO_TABLE,
    OUT_OF_RANGE,
    STOP_REASON,
    TABLE_FULL,
    TOO_MANY_MOVES,
    interrupt,
    move_list,
)
from zermelo.solving.retrograde.wdl import stage_of


@kernel(kinds="int words int int words words words words")
def expand(game, stage, source, start, stop, tables, targets, arena, memory):
    """Append the successors of the states `start` to `stop` of `source` to the runs of their parts.

    Return how far it came. A state that was expanded in part is expanded again: repeated keys are dropped later.
    """
    words = tables[KEY_WORDS]
    moves, weights = move_list(memory, 0), move_list(memory, 1)
    key = memory.part(STATE_ROW + tables[FIELD_COUNT], words)
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
            target = target_of(targets, to)
            if to < stage:
                interrupt(memory, LOWER_STAGE, to)
            elif target == 0:
                interrupt(memory, NO_TABLE, to)
            elif not pack(game, child, tables, memory, 1):
                interrupt(memory, OUT_OF_RANGE, i)
            else:
                there = targets.follow(target)
                if not append_key(there.follow(CURSORS), part_of(there, key[0]), arena, key, words):
                    interrupt(memory, TABLE_FULL, to)
            if memory[STOP_REASON] != FINISHED:
                return place
    return stop
