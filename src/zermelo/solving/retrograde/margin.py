"""Margins of one stage, as a kernel.

Where every move leads to a later stage, the best successor is known, and one visit of each state is enough. Where play
repeats inside the stage, play without end is worth 0, and so is every state at first. Sweeps give each state the margin
of its best successor, until a sweep changes none.

Why that is exact: a margin above 0 is what the player to move can force, one below 0 what the other player can. The
first is the greatest of what the successors offer, the second the least; both grow when those of a successor grow, and
so they only grow from 0 on. They end at their least fixed point, whatever the order of the visits, so that threads may
share a sweep. For each number of points that is retrograde analysis of who can force it in finitely many plies;
what nobody can force is worth 0.
"""

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
    CHANGES,
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
from zermelo.solving.retrograde.wdl import INITIALISE, VERIFY, is_unused_number, list_moves, stage_of
from zermelo.value import DECISIVE

MARGIN_BASE = -(1 << 30)
"""Below every payoff: the base of the entries while a stage is being solved."""

SWEEP = VERIFY + 1
"""The task after INITIALISE where play stays in the stage."""

ZERO_POINTS = 1 - MARGIN_BASE
"""The entry of 0 points, which play without end is worth."""


@kernel(kinds="int int int int words words words")
def solve_margins(game, stage, start, stop, task, tables, codes, memory):
    """Give the states `start` to `stop` the margin of their best successor. Return the number reached.

    While a stage is being solved, the entry of a state is negative once no successor of it can change. INITIALISE takes
    every successor in the stage to be worth 0, and SWEEP reads the entry that it has by now.
    """
    record = record_of(tables, stage)
    entries = codes.ints(0, 2 * len(codes))
    moves = move_list(memory, 0)
    keys = tables.follow(record + KEYS)
    memory[STOP_REASON] = FINISHED
    for number in range(start, stop):
        if not has_index(game) and keys[number * tables[KEY_WORDS]] == 0:
            continue
        if task == SWEEP and entries[number] <= 0:
            continue
        state = state_at(game, stage, number, tables, record, memory)
        if is_unused_number(game, state, stage, number):
            continue
        payoff, count = list_moves(game, state, moves, memory)
        if memory[STOP_REASON] != FINISHED:
            return number
        best = MARGIN_BASE if payoff == ONGOING else payoff
        still = 0
        for i in range(count):
            child = game.play(state, moves[i])
            flips = changes_player(game, state, child)
            child = canonical(game, child)
            to = stage_of(game, child, stage, memory)
            there = record_of(tables, to)
            inner = to == stage and task != VERIFY
            if there == 0 or (tables[there + BITS] == 0 and not inner):
                interrupt(memory, NO_TABLE, to)
                return number
            place = number_of(game, child, tables, there, memory)
            if place == NOT_FOUND:
                interrupt(memory, STATE_MISSING, i)
                return number
            entry, base = ZERO_POINTS, MARGIN_BASE
            if not inner:
                entry, base = entry_of(tables, there, place), tables[there + BASE]
            elif task == SWEEP:
                entry = entries[place]
            if entry == NOTHING:
                interrupt(memory, STATE_MISSING, i)
                return number
            if inner and entry > 0:
                still += 1
            margin = abs(entry) - 1 + base
            best = max(best, -margin if flips else margin)
        if abs(best) >= DECISIVE:
            interrupt(memory, OUT_OF_RANGE, best)
            return number
        if task == VERIFY:
            if best != entry_of(tables, record, number) - 1 + tables[record + BASE]:
                interrupt(memory, WRONG_ENTRY, best)
                return number
            continue
        entry = best - MARGIN_BASE + 1
        if task == INITIALISE:
            memory[INNER_MOVES] += still
        elif entry != entries[number]:
            memory[CHANGES] += 1
        entries[number] = entry if still else -entry
    return stop
