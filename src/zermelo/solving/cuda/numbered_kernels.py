"""Kernels of stages whose states a rule numbers: retrograde analysis, one thread for each number.

Codes are as in retrograde/narrow_numbers.py, in 16 bits, and counts in 8. A GPU has atomic operations of 32 bits, so
`codes` and `counts` are also passed as words of 32 bits, which hold two codes and four counts.
"""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.device.device_functions import (
    NO_STUCK_RULE,
    atomic_add,
    atomic_and,
    atomic_max,
    atomic_or,
    atomic_sub,
    local_counts,
    local_ints,
    thread_count,
    word32,
)
from zermelo.rules import changes_player, has_predecessors, orbit_size
from zermelo.solving.retrograde.entries import (
    DECIDED,
    MINE,
    NOTHING,
    REPEATS,
    THEIRS,
    is_win,
    loss_entry,
    negated,
    plies_of,
    win_entry,
)
from zermelo.solving.retrograde.narrow_numbers import BLOCKED, DRAWABLE, LATE, NEW, undecided_from
from zermelo.solving.retrograde.sweeping import followed, known_of, swept
from zermelo.solving.retrograde.wdl import NO_WIN, append_unique, from_successors, weighed

NEEDED, INNER, LONGEST, UNNUMBERED, TOO_MANY, WENT_BACK, CHANGED, STUCK, TOLD = range(9)
"""What kernels tell the host: that later stages are needed, that moves stay in the stage, the most plies to an end, a
number plus one from which a move leads to none, one with too many moves in the stage, and one from which a move leads
to an earlier stage; that draws were found; a number plus one without moves where there is no `stuck` rule."""

ROOM = 256
"""Successors or predecessors of a state in its stage, for which a thread has room."""

MOST_COUNT = 254
OPEN = undecided_from(16)
"""The least code of a state that is not decided."""

SCANNED = 64
"""Codes that a thread looks through for those of a wave."""

FIRST_DRAWS, DRAWS = -2, -1
"""In place of a wave: draws that were known and those with new flags, and only these."""

LOCAL_CODES = 128
"""Entries that a thread counts itself."""


def number_in(bounds, ahead, index):
    """Return where the entry of a state of a later stage is; -1 if that stage is not there, or has no such number."""
    if 2 * ahead + 1 >= len(bounds):
        return -1
    place = bounds[2 * ahead] + index
    return place if index >= 0 and place < bounds[2 * ahead + 1] else -1


def initialise_numbers(game, number, first, stage, size, later, bounds, leads, codes, counts, facts):
    """Write the code of a number from its successors in later stages, and the count of those in its own stage."""
    number += first
    state = game.at(stage, number)
    codes[number] = NOTHING
    counts[number] = 0
    if game.index(state) == number and game.stage(state) == stage:
        payoff = game.result(state)
        flags, soonest, latest, moves, staying = 0, NO_WIN, 0, 0, 0
        if payoff == ONGOING:
            for move in game.moves(state):
                moves += 1
                child = game.play(state, move)
                ahead = game.stage(child) - stage
                if ahead == 0:
                    staying += 1
                elif ahead < 0:
                    atomic_max(facts, WENT_BACK, number + 1)
                elif ahead >= len(leads):
                    atomic_max(facts, NEEDED, ahead)
                else:
                    leads[ahead] = 1
                    place = number_in(bounds, ahead, game.index(child))
                    entry = int(later[place]) if place >= 0 else NOTHING
                    if entry == NOTHING:
                        if 2 * ahead + 1 < len(bounds) and bounds[2 * ahead + 1] > bounds[2 * ahead]:
                            atomic_max(facts, UNNUMBERED, number + 1)
                    else:
                        flips = changes_player(game, state, child)
                        flags, soonest, latest = weighed(entry, flips, flags, soonest, latest)
            if moves == 0:
                payoff = game.stuck(state)
                if payoff == NO_STUCK_RULE:
                    atomic_max(facts, STUCK, number + 1)
        inner = 0
        if staying > 0:
            facts[INNER] = 1
            if soonest == NO_WIN:
                inner = inner_successors(game, state, stage, size, number, facts) if has_predecessors(game) else 1
                counts[number] = inner
        codes[number] = from_successors(payoff, inner, flags, soonest, latest, OPEN)


def inner_successors(game, state, stage, size, number, facts):
    """Return how many distinct successors a state has in its stage."""
    numbers = local_ints(ROOM)
    count, seen = 0, 0
    for move in game.moves(state):
        child = game.play(state, move)
        if game.stage(child) == stage:
            place = game.index(child)
            if place < 0 or place >= size:
                atomic_max(facts, UNNUMBERED, number + 1)
            elif count < MOST_COUNT:
                flips = 1 if changes_player(game, state, child) else 0
                count, seen = append_unique(numbers, count, seen, 2 * place + flips)
            else:
                atomic_max(facts, TOO_MANY, number + 1)
    return count


# -- waves -------------------------------------------------------------------------------------------------------------


def belongs(code, wave):
    """Return whether a state with this code belongs to a wave."""
    if wave >= 0:
        return code | 1 == loss_entry(wave)
    if code >= OPEN:
        return code >> NEW & (MINE | THEIRS) != 0
    return wave == FIRST_DRAWS and REPEATS < code < DECIDED


def list_wave(game, place, first, stop, wave, codes, found, length):
    """List the numbers of a wave among SCANNED of them."""
    start = first + place * SCANNED
    end = min(start + SCANNED, stop)
    count = 0
    for number in range(start, end):
        if belongs(int(codes[number]), wave):
            count += 1
    if count > 0:
        at = atomic_add(length, 0, count)
        for number in range(start, end):
            if belongs(int(codes[number]), wave):
                found[at] = number
                at += 1


def propagate_number(game, place, stage, size, wave, found, later, bounds, codes, pairs, counts, facts):
    """Update the predecessors of a state that belongs to a wave."""
    number = found[place]
    code = int(codes[number])
    if wave < 0 and code >= DECIDED:
        shift = 16 * (number & 1)
        before = atomic_and(pairs, number >> 1, word32(~((MINE | THEIRS) << NEW + shift) & 0xFFFFFFFF))
        code = REPEATS | (int(before) >> shift >> NEW) & (MINE | THEIRS)
    numbers = local_ints(ROOM)
    count, seen = 0, 0
    state = game.at(stage, number)
    for before in game.predecessors(state):
        if game.stage(before) == stage:
            at = game.index(before)
            if 0 <= at < size:
                flips = 1 if changes_player(game, before, state) else 0
                if count < ROOM:
                    count, seen = append_unique(numbers, count, seen, 2 * at + flips)
                else:
                    atomic_max(facts, TOO_MANY, number + 1)
    for i in range(count):
        at = numbers[i] >> 1
        entry = negated(code) if numbers[i] & 1 else code
        if wave < 0:
            add_draw(at, entry, codes, pairs, counts, facts)
        elif is_win(entry):
            add_win(at, wave + 1, codes, facts)
        elif add_loss(at, codes, counts):
            plies = wave + 1
            if int(codes[at]) & LATE:
                plies = max(plies, latest_loss(game, stage, at, later, bounds))
            codes[at] = loss_entry(plies)
            note_longest(facts, plies)


def note_longest(facts, plies):
    """Note the plies of a decided state, if they are the most so far."""
    if facts[LONGEST] < plies:
        atomic_max(facts, LONGEST, plies)


def add_win(number, plies, codes, facts):
    """Note that a move of a state wins in `plies` plies: all threads write the same."""
    code = int(codes[number])
    if code > win_entry(plies) and (code >= OPEN or is_win(code)):
        codes[number] = win_entry(plies)
        note_longest(facts, plies)


def count_down(counts, number):
    """Subtract one from a count; return what it was before."""
    shift = 8 * (number & 3)
    return int(atomic_sub(counts, number >> 2, word32(1 << shift))) >> shift & 255


def add_loss(number, codes, counts):
    """Note that a move of a state loses. Return whether all moves do."""
    code = int(codes[number])
    return code >= OPEN and count_down(counts, number) == 1 and not code & DRAWABLE


def latest_loss(game, stage, number, later, bounds):
    """Return in how many plies a state loses at the latest by moves to later stages, all of which lose."""
    state = game.at(stage, number)
    latest = 0
    for move in game.moves(state):
        child = game.play(state, move)
        ahead = game.stage(child) - stage
        if ahead > 0:
            place = number_in(bounds, ahead, game.index(child))
            latest = max(latest, plies_of(int(later[place])) + 1)
    return latest


def add_draw(number, draw, codes, pairs, counts, facts):
    """Note who can force a drawn end after a move of a state that is not decided."""
    if int(codes[number]) >= OPEN:
        shift = 16 * (number & 1)
        new = 0
        if draw & MINE and not int(atomic_or(pairs, number >> 1, word32(MINE << shift))) >> shift & MINE:
            new = MINE  # of all threads that find it, one goes on
        if draw & THEIRS and count_down(counts, number) == 1:
            new |= THEIRS
        if new:
            atomic_or(pairs, number >> 1, word32((new | new << NEW) << shift))
            facts[CHANGED] = 1


def prepare_draws(game, number, codes, counts):
    """Note who can force a draw by moves to later stages alone, in the code of a state that is left."""
    code = int(codes[number])
    if code >= OPEN:
        flags = code & MINE
        if code & BLOCKED:
            counts[number] = 255  # more than the moves that may count it down
        elif counts[number] == 0:
            flags |= THEIRS
        codes[number] = flags << NEW | flags | OPEN


def finish_draws(game, number, codes):
    """Write the entry of a state that is left: a draw."""
    code = int(codes[number])
    if code >= OPEN:
        codes[number] = REPEATS | code & (MINE | THEIRS)


# -- sweeps: where there are no un-moves -------------------------------------------------------------------------------


def open_draws(game, number, codes):
    """Forget the flags of a state that is left, before sweeps find who can force a draw."""
    if int(codes[number]) >= OPEN:
        codes[number] = OPEN


def sweep_number(game, number, stage, size, plies, later, bounds, before, codes, facts):
    """Decide a state that is won or lost in exactly `plies` plies; with 0, note who can force a drawn end.

    `before` has the codes as they were, so that a sweep does not depend on the order of threads.
    """
    code = int(before[number])
    if code >= OPEN or (plies > 0 and code > win_entry(plies) and is_win(code)):
        state = game.at(stage, number)
        wins, latest, draws = False, 0, THEIRS
        for move in game.moves(state):
            child = game.play(state, move)
            ahead = game.stage(child) - stage
            index = game.index(child)
            entry = NOTHING
            if ahead > 0:
                entry = int(later[number_in(bounds, ahead, index)])
            elif 0 <= index < size:
                entry = known_of(int(before[index]), plies, OPEN)
            if entry == NOTHING:
                atomic_max(facts, UNNUMBERED, number + 1)
            flips = changes_player(game, state, child)
            wins, latest, draws = followed(entry, flips, plies, wins, latest, draws)
        after = swept(code, plies, OPEN, wins, latest, draws)
        if after != code:
            codes[number] = after
            if plies == 0:
                facts[CHANGED] = 1
            else:
                note_longest(facts, plies)


# -- counts ------------------------------------------------------------------------------------------------------------


def count_numbers(game, place, stage, count, codes, states, positions):
    """Count the states that have each entry, and the positions they stand for."""
    mine, theirs = local_counts(LOCAL_CODES), local_counts(LOCAL_CODES)
    for i in range(LOCAL_CODES):
        mine[i] = 0
        theirs[i] = 0
    for number in range(place, count, thread_count()):
        code = int(codes[number])
        if code != NOTHING:
            size = orbit_size(game, game.at(stage, number))
            if code < LOCAL_CODES:
                mine[code] += 1
                theirs[code] += size
            else:
                atomic_add(states, code, 1)
                atomic_add(positions, code, size)
    for i in range(LOCAL_CODES):
        if mine[i] > 0:
            atomic_add(states, i, mine[i])
            atomic_add(positions, i, theirs[i])
