"""Points of one stage, as a kernel: every move leads to a later stage, so the best successor is known."""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, changes_player, has_index
from zermelo.solving.enumeration.state_tables import (
    BASE,
    BITS,
    KEY,
    KEYS,
    NOWHERE,
    entry_of,
    number_of,
    record_of,
    state_at,
)
from zermelo.solving.retrograde.entries import NOTHING
from zermelo.solving.retrograde.solver_memory import (
    DONE,
    INNER,
    MISSING,
    NO_STAGE,
    OUTSIDE,
    WHY,
    WRONG,
    give_up,
    list_of,
)
from zermelo.solving.retrograde.wdl import VERIFY, list_moves, no_state, stage_of
from zermelo.value import DECISIVE

LOWEST = -(1 << 30)
"""Below every payoff: the base of the entries while a stage is being solved."""


@kernel
def settle_points(game, stage, start, stop, task, shelves, codes, memory):
    """Give the states with numbers from `start` to `stop` the points of their best successor; the number reached."""
    record = record_of(shelves, stage)
    entries = codes.ints(0, 2 * len(codes))
    moves = list_of(memory, 0)
    keys = shelves.follow(record + KEYS)
    memory[WHY] = DONE
    for number in range(start, stop):
        if not has_index(game) and keys[number * shelves[KEY]] == 0:
            continue
        state = state_at(game, stage, number, shelves, record, memory)
        if no_state(game, state, stage, number):
            continue
        payoff, count = list_moves(game, state, moves, memory)
        if memory[WHY] != DONE:
            return number
        best = LOWEST if payoff == ONGOING else payoff
        for i in range(count):
            child = game.play(state, moves[i])
            flips = changes_player(game, state, child)
            child = canonical(game, child)
            to = stage_of(game, child, stage, memory)
            there = record_of(shelves, to)
            if to == stage and task != VERIFY:
                memory[INNER] += 1
                continue
            if there == 0 or shelves[there + BITS] == 0:
                give_up(memory, NO_STAGE, to)
                return number
            place = number_of(game, child, shelves, there, memory)
            if place == NOWHERE:
                give_up(memory, MISSING, i)
                return number
            entry = entry_of(shelves, there, place)
            if entry == NOTHING:
                give_up(memory, MISSING, i)
                return number
            points = entry - 1 + shelves[there + BASE]
            best = max(best, -points if flips else points)
        if abs(best) >= DECISIVE and best != LOWEST:
            give_up(memory, OUTSIDE, best)
            return number
        if task == VERIFY:
            if best != entry_of(shelves, record, number) - 1 + shelves[record + BASE]:
                give_up(memory, WRONG, best)
                return number
        else:
            entries[number] = best - LOWEST + 1
    return stop
