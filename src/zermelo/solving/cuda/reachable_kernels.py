"""Kernels of stages that are enumerated: the successors of states, and their entries."""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.device.device_functions import (
    NO_STUCK_RULE,
    atomic_add,
    atomic_max,
    local_counts,
    product,
    thread_count,
)
from zermelo.rules import canonical, changes_player, orbit_size
from zermelo.solving.cuda.device_keys import find_key, pack_state, store_key, unpack_state
from zermelo.solving.retrograde.entries import NOTHING
from zermelo.solving.retrograde.margin import MARGIN_BASE
from zermelo.solving.retrograde.wdl import NO_WIN, from_successors, weighed
from zermelo.value import DECISIVE

MOST_MOVES, NO_KEY, BACKWARD, MISSING, TOO_LARGE, NO_MOVES, FACTS = range(7)
"""What kernels tell the host, in an array: the most moves of a state, and places plus one where something is wrong: a
successor without a key, one in an earlier stage, one that is in no table, a payoff that is too large, a state without
moves where there is no `stuck` rule."""

LOCAL_ENTRIES = 128
"""Entries that a thread counts itself."""

NO_VALUE = -1e300
"""Below every expectation: that of a state which is in no table."""


# -- successors --------------------------------------------------------------------------------------------------------


def successor_stage(game, child, stage, step):
    """Return the stage of a successor: by the `stage` rule, or one step after `stage` where there is none."""
    return stage + step if step > 0 else game.stage(child)


def expand_states(game, place, stage, step, width, keys, found, stages, facts):
    """Write the keys of the successors of a state, `width` of them, and one more than how many stages later each is."""
    state = unpack_state(game, keys, place)
    count = 0
    if game.result(state) == ONGOING:
        if game.is_chance(state):
            for outcome, _ in game.chances(state):
                write_successor(game, state, outcome, place, count, stage, step, width, found, stages, facts)
                count += 1
        else:
            for move in game.moves(state):
                write_successor(game, state, move, place, count, stage, step, width, found, stages, facts)
                count += 1
    if count > width:
        atomic_max(facts, MOST_MOVES, count)
    for i in range(count, width):
        stages[place * width + i] = 0
        store_key(found, place * width + i, NO_STATE)


def write_successor(game, state, move, place, count, stage, step, width, found, stages, facts):
    """Write the key of a successor, if there is room for it."""
    child = canonical(game, game.play(state, move))
    to = successor_stage(game, child, stage, step)
    key = pack_state(game, child)
    if key[0] == 0:
        atomic_max(facts, NO_KEY, place + 1)
    if to < stage:
        atomic_max(facts, BACKWARD, place + 1)
    if count < width:
        store_key(found, place * width + count, key)
        stages[place * width + count] = to - stage + 1


NO_STATE = (0,) * 16
"""The key of an empty place, since no key begins with 0: more words than any key has; `store_key` takes the first."""


def place_of(game, child, ahead, heads, starts, stream, bounds):
    """Return the place of a successor among the keys of later stages; -1 if it is in no table."""
    if ahead <= 0 or 3 * ahead + 2 >= len(bounds):
        return -1
    low, high, end = bounds[3 * ahead], bounds[3 * ahead + 1], bounds[3 * ahead + 2]
    return find_key(heads, starts, stream, low, high, end, bounds[0], pack_state(game, child))


def entry_of(game, child, ahead, heads, starts, stream, entries, bounds, found, at, nothing):
    """Return the entry of a successor in a later stage; `nothing` if it is in no table.

    `heads`, `starts` and `stream` have the sorted keys of later stages (key_runs.py), and `entries` their entries.
    `bounds` has, for each number of stages later, the first block of these, the block after them, and the place after
    the last key; before them, the logarithm of the keys of a block. Where these do not fit into the memory of the
    device, the entry is at a place of `found`, as `look_up_successors` has written it.
    """
    if len(found) > 0:
        return found[at]
    place = place_of(game, child, ahead, heads, starts, stream, bounds)
    return entries[place] if place >= 0 else nothing


def look_up_successors(game, place, stage, step, width, keys, heads, starts, stream, entries, bounds, found, facts):
    """Write the entries of those successors of a state that are among some keys of a later stage."""
    state = unpack_state(game, keys, place)
    count = 0
    if game.result(state) == ONGOING:
        if game.is_chance(state):
            for outcome, _ in game.chances(state):
                child = canonical(game, game.play(state, outcome))
                ahead = successor_stage(game, child, stage, step) - stage
                at = place_of(game, child, ahead, heads, starts, stream, bounds)
                if at >= 0 and count < width:
                    found[place * width + count] = entries[at]
                count += 1
        else:
            for move in game.moves(state):
                child = canonical(game, game.play(state, move))
                ahead = successor_stage(game, child, stage, step) - stage
                at = place_of(game, child, ahead, heads, starts, stream, bounds)
                if at >= 0 and count < width:
                    found[place * width + count] = entries[at]
                count += 1
    if count > width:
        atomic_max(facts, MOST_MOVES, count)


# -- entries -----------------------------------------------------------------------------------------------------------


def evaluate_states(
    game, place, count, stage, step, keys, heads, starts, stream, entries, bounds, found, width, codes, states,
    positions, facts,
):  # fmt: skip
    """Write the entries of the states whose turn it is in this thread, and count them and their positions."""
    mine, theirs = local_counts(LOCAL_ENTRIES), local_counts(LOCAL_ENTRIES)
    for i in range(LOCAL_ENTRIES):
        mine[i] = 0
        theirs[i] = 0
    for number in range(place, count, thread_count()):
        state = unpack_state(game, keys, number)
        payoff = game.result(state)
        flags, soonest, latest, moves = 0, NO_WIN, 0, 0
        if payoff == ONGOING:
            for move in game.moves(state):
                child = game.play(state, move)
                flips = changes_player(game, state, child)
                child = canonical(game, child)
                ahead = successor_stage(game, child, stage, step) - stage
                at = number * width + moves
                entry = int(entry_of(game, child, ahead, heads, starts, stream, entries, bounds, found, at, NOTHING))
                if entry == NOTHING:
                    atomic_max(facts, MISSING, number + 1)
                flags, soonest, latest = weighed(entry, flips, flags, soonest, latest)
                moves += 1
            if moves == 0:
                payoff = game.stuck(state)
                if payoff == NO_STUCK_RULE:
                    atomic_max(facts, NO_MOVES, number + 1)
        code = from_successors(payoff, 0, flags, soonest, latest, 0)
        codes[number] = code
        size = orbit_size(game, state)
        if code < LOCAL_ENTRIES:
            mine[code] += 1
            theirs[code] += size
        else:
            atomic_add(states, min(code, len(states) - 1), 1)
            atomic_add(positions, min(code, len(states) - 1), size)
    for i in range(LOCAL_ENTRIES):
        if mine[i] > 0:
            atomic_add(states, i, mine[i])
            atomic_add(positions, i, theirs[i])


def evaluate_margins(
    game, place, stage, step, keys, heads, starts, stream, entries, bounds, found, width, codes, orbits, facts
):
    """Write the margin of a state above MARGIN_BASE, the best of its successors, and how many positions it has."""
    state = unpack_state(game, keys, place)
    payoff = game.result(state)
    best, moves = MARGIN_BASE, 0
    if payoff == ONGOING:
        for move in game.moves(state):
            child = game.play(state, move)
            flips = changes_player(game, state, child)
            child = canonical(game, child)
            ahead = successor_stage(game, child, stage, step) - stage
            at = place * width + moves
            entry = int(entry_of(game, child, ahead, heads, starts, stream, entries, bounds, found, at, NOTHING))
            if entry == NOTHING:
                atomic_max(facts, MISSING, place + 1)
            else:
                margin = entry - 1 + MARGIN_BASE
                best = max(best, -margin if flips else margin)
            moves += 1
        if moves == 0:
            best = game.stuck(state)
            if best == NO_STUCK_RULE:
                atomic_max(facts, NO_MOVES, place + 1)
    else:
        best = payoff
    if abs(best) >= DECISIVE:
        atomic_max(facts, TOO_LARGE, place + 1)
        best = 0
    codes[place] = best - MARGIN_BASE + 1
    orbits[place] = orbit_size(game, state)


def evaluate_expectations(
    game, place, stage, step, keys, heads, starts, stream, lows, highs, bounds, found_lows, found_highs, width, below,
    above, orbits, facts,
):  # fmt: skip
    """Write bounds of the expectation of a state, from those of its successors, and how many positions it has."""
    state = unpack_state(game, keys, place)
    payoff = game.result(state)
    chance = payoff == ONGOING and game.is_chance(state)
    low = high = 0.0 if chance else NO_VALUE
    count = 0
    if chance:
        for outcome, weight in game.chances(state):
            child = game.play(state, outcome)
            flips = changes_player(game, state, child)
            child = canonical(game, child)
            ahead = successor_stage(game, child, stage, step) - stage
            at = place * width + count
            least = entry_of(game, child, ahead, heads, starts, stream, lows, bounds, found_lows, at, NO_VALUE)
            most = entry_of(game, child, ahead, heads, starts, stream, highs, bounds, found_highs, at, NO_VALUE)
            if least == NO_VALUE:
                atomic_max(facts, MISSING, place + 1)
            if flips:
                least, most = -most, -least
            low += product(weight, least)
            high += product(weight, most)
            count += 1
    elif payoff == ONGOING:
        for move in game.moves(state):
            child = game.play(state, move)
            flips = changes_player(game, state, child)
            child = canonical(game, child)
            ahead = successor_stage(game, child, stage, step) - stage
            at = place * width + count
            least = entry_of(game, child, ahead, heads, starts, stream, lows, bounds, found_lows, at, NO_VALUE)
            most = entry_of(game, child, ahead, heads, starts, stream, highs, bounds, found_highs, at, NO_VALUE)
            if least == NO_VALUE:
                atomic_max(facts, MISSING, place + 1)
            if flips:
                least, most = -most, -least
            if least > low:
                low = least
            if most > high:
                high = most
            count += 1
        if count == 0:
            payoff = game.stuck(state)
            if payoff == NO_STUCK_RULE:
                atomic_max(facts, NO_MOVES, place + 1)
    if payoff != ONGOING:
        low = high = float(payoff)
    below[place] = low
    above[place] = high
    orbits[place] = orbit_size(game, state)
