"""Margins of one stage, as a kernel: every move leads to a later stage, so the best successor is known."""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, changes_player, has_index
from zermelo.solving.enumeration.table_access import (
    BASE,
    BITS,
    KEY_WORDS,
    KEYS,
    NOT_FOUND,
    entry_of,
    number_of,
    record_of,
    state_at,
)
from zermelo.solving.retrograde.entries import NOTHING
from zermelo.solving.retrograde.solver_memory import (
    FINISHED,
    INNER_MOVES,
    NO_TABLE,
    OUT_OF_RANGE,
    STATE_MISSING,
    STOP_REASON,
    WRONG_ENTRY,
    interrupt,
    move_list,
)
from zermelo.solving.retrograde.wdl import VERIFY, is_unused_number, list_moves, stage_of
from zermelo.value import DECISIVE

MARGIN_BASE = -(1 << 30)
"""Below every payoff: the base of the entries while a stage is being solved."""


@kernel(kinds="int int int int words words words")
def solve_margins(game, stage, start, stop, task, tables, codes, memory):
    """Give the states `start` to `stop` the margin of their best successor. Return the number reached."""
    record = record_of(tables, stage)
    entries = codes.ints(0, 2 * len(codes))
    moves = move_list(memory, 0)
    keys = tables.follow(record + KEYS)
    memory[STOP_REASON] = FINISHED
    for number in range(start, stop):
        if not has_index(game) and keys[number * tables[KEY_WORDS]] == 0:
            continue
        state = state_at(game, stage, number, tables, record, memory)
        if is_unused_number(game, state, stage, number):
            continue
        payoff, count = list_moves(game, state, moves, memory)
        if memory[STOP_REASON] != FINISHED:
            return number
        best = MARGIN_BASE if payoff == ONGOING else payoff
        for i in range(count):
            child = game.play(state, moves[i])
            flips = changes_player(game, state, child)
            child = canonical(game, child)
            to = stage_of(game, child, stage, memory)
            there = record_of(tables, to)
            if to == stage and task != VERIFY:
                memory[INNER_MOVES] += 1
                continue
            if there == 0 or tables[there + BITS] == 0:
                interrupt(memory, NO_TABLE, to)
                return number
            place = number_of(game, child, tables, there, memory)
            if place == NOT_FOUND:
                interrupt(memory, STATE_MISSING, i)
                return number
            entry = entry_of(tables, there, place)
            if entry == NOTHING:
                interrupt(memory, STATE_MISSING, i)
                return number
            margin = entry - 1 + tables[there + BASE]
            best = max(best, -margin if flips else margin)
        if abs(best) >= DECISIVE and best != MARGIN_BASE:
            interrupt(memory, OUT_OF_RANGE, best)
            return number
        if task == VERIFY:
            if best != entry_of(tables, record, number) - 1 + tables[record + BASE]:
                interrupt(memory, WRONG_ENTRY, best)
                return number
        else:
            entries[number] = best - MARGIN_BASE + 1
    return stop
