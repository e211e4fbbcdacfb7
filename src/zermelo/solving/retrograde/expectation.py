"""Expectations of one stage, as a kernel: bounds from below and above that close in on each other.

A state's bounds follow from those of its successors. Where play cannot come back within the stage, one visit gives the
value. Where it can, the bounds begin at the least and the greatest payoff, and every visit brings them nearer; they are
bounds all the time, so when they meet within epsilon, the error is proven. (Sums are rounded as floats are.) News
travels far in one visit where successors come first, so the states are visited in their order, or in reverse, whichever
does more.
"""

from __future__ import annotations

import math

from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, chances_into, changes_player
from zermelo.solving.enumeration.state_tables import BITS, ENTRIES, NOWHERE, UPPERS, number_of, record_of, state_at
from zermelo.solving.retrograde.solver_memory import DONE, INNER, MISSING, NO_STAGE, WHY, WIDE, WIDTH, give_up, list_of
from zermelo.solving.retrograde.wdl import list_moves, no_state, stage_of


@kernel
def bound(game, stage, order, start, stop, lows, highs, shelves, memory):
    """Bring the bounds of some states nearer, those from `start` to `stop` in `order`; how far this came."""
    record = record_of(shelves, stage)
    below, above = lows.reals(0, len(lows)), highs.reals(0, len(highs))
    moves, weights = list_of(memory, 0), list_of(memory, 1).reals(0, memory[WIDTH])
    numbers = order.ints(0, 2 * len(order))
    memory[WHY] = DONE
    for place in range(start, stop):
        number = numbers[place]
        state = state_at(game, stage, number, shelves, record, memory)
        if no_state(game, state, stage, number):
            below[number] = above[number] = math.nan  # no state
            continue
        chance = game.result(state) == ONGOING and game.is_chance(state)
        if chance:
            payoff, count = ONGOING, chances_into(game, state, moves, weights)
            if count > memory[WIDTH]:
                give_up(memory, WIDE, count)
        else:
            payoff, count = list_moves(game, state, moves, memory)
        if memory[WHY] != DONE:
            return place
        low = high = 0.0 if chance else -1e300
        if payoff != ONGOING:
            low = high = float(payoff)
        for i in range(count):
            child = game.play(state, moves[i])
            flips = changes_player(game, state, child)
            child = canonical(game, child)
            to = stage_of(game, child, stage, memory)
            there = record_of(shelves, to)
            if there == 0 or (to != stage and shelves[there + BITS] == 0):
                give_up(memory, NO_STAGE, to)
                return place
            found = number_of(game, child, shelves, there, memory)
            if found == NOWHERE:
                give_up(memory, MISSING, i)
                return place
            if to == stage:
                memory[INNER] += 1
                least, most = below[found], above[found]
            else:
                least = shelves.follow(there + ENTRIES).reals(0, shelves[there + ENTRIES + 1])[found]
                most = shelves.follow(there + UPPERS).reals(0, shelves[there + UPPERS + 1])[found]
            if least != least:  # not a number: no state is there
                give_up(memory, MISSING, i)
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
