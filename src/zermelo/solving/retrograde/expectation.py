"""Expectations of one stage, as a kernel: lower and upper bounds by interval iteration.

A state's bounds follow from those of its successors. Where play does not repeat within the stage, one visit gives the
value. Where it does, the bounds begin at the least and the greatest payoff, and every visit tightens them. They are
bounds all the time, so when they meet within epsilon, the error is proven. (Sums are rounded as floats are.) A sweep
tightens more where successors come first, so the states are visited in their order or in reverse, whichever gains more.
"""

from __future__ import annotations

import math

from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, chances_into, changes_player
from zermelo.solving.enumeration.table_access import BITS, ENTRIES, NOT_FOUND, UPPERS, number_of, record_of, state_at
from zermelo.solving.retrograde.solver_memory import (
    FINISHED,
    INNER_MOVES,
    MAX_MOVES,
    NO_TABLE,
    STATE_MISSING,
    STOP_REASON,
    TOO_MANY_MOVES,
    interrupt,
    move_list,
)
from zermelo.solving.retrograde.wdl import is_unused_number, list_moves, stage_of


@kernel(kinds="int words int int words words words words")
def tighten_bounds(game, stage, order, start, stop, lows, highs, tables, memory):
    """Tighten the bounds of the states `start` to `stop` of `order`. Return how far it came."""
    record = record_of(tables, stage)
    below, above = lows.reals(0, len(lows)), highs.reals(0, len(highs))
    moves, weights = move_list(memory, 0), move_list(memory, 1).reals(0, memory[MAX_MOVES])
    numbers = order.ints(0, 2 * len(order))
    memory[STOP_REASON] = FINISHED
    for place in range(start, stop):
        number = numbers[place]
        state = state_at(game, stage, number, tables, record, memory)
        if is_unused_number(game, state, stage, number):
            below[number] = above[number] = math.nan  # no state
            continue
        chance = game.result(state) == ONGOING and game.is_chance(state)
        if chance:
            payoff, count = ONGOING, chances_into(game, state, moves, weights)
            if count > memory[MAX_MOVES]:
                interrupt(memory, TOO_MANY_MOVES, count)
        else:
            payoff, count = list_moves(game, state, moves, memory)
        if memory[STOP_REASON] != FINISHED:
            return place
        low = high = 0.0 if chance else -1e300
        if payoff != ONGOING:
            low = high = float(payoff)
        for i in range(count):
            child = game.play(state, moves[i])
            flips = changes_player(game, state, child)
            child = canonical(game, child)
            to = stage_of(game, child, stage, memory)
            there = record_of(tables, to)
            if there == 0 or (to != stage and tables[there + BITS] == 0):
                interrupt(memory, NO_TABLE, to)
                return place
            found = number_of(game, child, tables, there, memory)
            if found == NOT_FOUND:
                interrupt(memory, STATE_MISSING, i)
                return place
            if to == stage:
                memory[INNER_MOVES] += 1
                least, most = below[found], above[found]
            else:
                least = tables.follow(there + ENTRIES).reals(0, tables[there + ENTRIES + 1])[found]
                most = tables.follow(there + UPPERS).reals(0, tables[there + UPPERS + 1])[found]
            if least != least:  # not a number: no state is there
                interrupt(memory, STATE_MISSING, i)
                return place
            if flips:
                least, most = -most, -least
            if chance:
                low += weights[i] * least
                high += weights[i] * most
            else:
                low, high = max(low, least), max(high, most)
        below[number], above[number] = low, high
    return stop
