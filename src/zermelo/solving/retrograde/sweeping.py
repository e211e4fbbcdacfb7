"""Sweeps: undecided states are decided by their successors, again and again; there are no un-moves and no links.

A sweep visits every undecided state, so it takes longer than propagation, and one byte a state is all the memory.
"""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.solving.enumeration.table_access import record_of, state_at
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
from zermelo.solving.retrograde.narrow_numbers import CODE_BITS, CODES, narrow, set_narrow, undecided_from
from zermelo.solving.retrograde.solver_memory import (
    CHANGES,
    FINISHED,
    LONGEST,
    STATE_MISSING,
    STOP_REASON,
    interrupt,
    move_list,
)
from zermelo.solving.retrograde.wdl import ALL, find_successors, list_moves, read_entry

ENDLESS = 1 << 40
"""More plies than any game has: a state that is not decided yet."""


@kernel(kinds="int int int int words words words")
def sweep(game, stage, start, stop, plies, tables, work, memory):
    """Decide the states `start` to `stop` that are won or lost in exactly `plies` plies. Return how far it came.

    With `plies` 0, note who can force a drawn end of a state that is not decided, by what is noted of its successors.
    """
    record = record_of(tables, stage)
    codes, width = work.follow(CODES), work[CODE_BITS]
    moves, where = move_list(memory, 0), move_list(memory, 2)
    open_from = undecided_from(width)
    memory[STOP_REASON] = FINISHED
    for number in range(start, stop):
        code = narrow(codes, width, number)
        later = plies > 0 and code > win_entry(plies) and is_win(code)
        if code < open_from and not later:
            continue
        state = state_at(game, stage, number, tables, record, memory)
        _, count = list_moves(game, state, moves, memory)
        find_successors(game, stage, state, count, ALL, tables, record, memory)
        if memory[STOP_REASON] != FINISHED:
            return number
        wins, latest, draws = False, 0, THEIRS
        for i in range(count):
            inner = where[i] >> 1 == record
            if inner:
                entry = known_of(narrow(codes, width, moves[i]), plies, open_from)
            else:
                entry = read_entry(tables, where[i] >> 1, moves[i])
            if entry == NOTHING:
                interrupt(memory, STATE_MISSING, i)
                return number
            wins, latest, draws = followed(entry, where[i] & 1, plies, wins, latest, draws)
        after = swept(code, plies, open_from, wins, latest, draws)
        if after != code:
            set_narrow(codes, width, number, after)
            if plies == 0:
                memory[CHANGES] += 1
            else:
                memory[LONGEST] = max(memory[LONGEST], plies)
    return stop


def known_of(code, plies, open_from):
    """Return the entry that a state of this stage has so far: a draw, while it is not decided."""
    if code < open_from:
        return code
    return REPEATS | code & (MINE | THEIRS) if plies == 0 else REPEATS


def followed(entry, flips, plies, wins, latest, draws):
    """Return what is known of a state's successors with one more of them: if a move wins, its latest loss, and draws.

    What is decided in `plies` plies or more counts as not decided, so it does not matter who is visited first.
    """
    if flips:
        entry = negated(entry)
    if entry < DECIDED:
        draws = (draws | entry & MINE) & (entry | ~THEIRS)
        latest = ENDLESS
    elif plies_of(entry) >= plies:
        latest = ENDLESS
    elif is_win(entry):
        wins = True
    else:
        latest = max(latest, plies_of(entry) + 1)
    return wins, latest, draws


def swept(code, plies, open_from, wins, latest, draws):
    """Return the code that follows from all successors; the same where nothing follows."""
    if plies == 0:
        return code if draws == code & (MINE | THEIRS) else open_from | draws
    if wins:
        return win_entry(plies)
    return loss_entry(plies) if latest == plies and code >= open_from else code
