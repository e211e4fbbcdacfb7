"""Wins, losses and draws with distances: the kernel that values states by their successors, and what it shares.

States of later stages have entries. Where some move stays in the stage, the kernel leaves what it knows in the stage's
work (narrow_numbers.py), from which `propagation` goes on by un-moves, or `sweeping` by moves.
"""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import canonical, changes_player, has_index, has_predecessors, moves_into
from zermelo.solving.enumeration.table_access import (
    BITS,
    KEY_WORDS,
    KEYS,
    NOT_FOUND,
    entry_of,
    probe_number,
    probe_slot,
    record_of,
    state_at,
)
from zermelo.solving.retrograde.entries import (
    DECIDED,
    EVEN,
    LOST,
    MINE,
    NOTHING,
    REPEATS,
    THEIRS,
    TIE,
    WON,
    is_win,
    loss_entry,
    negated,
    plies_of,
    terminal_entry,
    win_entry,
)
from zermelo.solving.retrograde.narrow_numbers import (
    BLOCKED,
    CODE_BITS,
    CODES,
    COUNT_BITS,
    COUNTS,
    DRAWABLE,
    LATE,
    LINK_ENDS,
    LINKS,
    narrow,
    or_narrow,
    reached_flag,
    set_narrow,
    undecided_from,
)
from zermelo.solving.retrograde.solver_memory import (
    FINISHED,
    INNER_MOVES,
    LONGEST,
    MAX_MOVES,
    NO_TABLE,
    STATE_MISSING,
    STEP,
    STOP_REASON,
    TOO_MANY_MOVES,
    TOO_NARROW,
    WRONG_ENTRY,
    interrupt,
    move_list,
    successor_key,
)

NO_WIN = 1 << 27

INITIALISE, LINK, VERIFY = range(3)
"""Tasks of `initialise`: fill the codes, write the predecessor links, or compare with the entries of the stage."""

ALL, OUTER, INNER, SYMMETRIC = range(4)
"""Which successors to find."""


def stage_of(game, state, stage, memory):
    """Return the stage of a successor: by the `stage` rule, or one step after `stage` where there is none."""
    return stage + memory[STEP] if memory[STEP] else game.stage(state)


def is_unused_number(game, state, stage, number):
    """Return whether a number of `index` belongs to no state: then `at` returns a state with another number."""
    return has_index(game) and not (game.index(state) == number and game.stage(state) == stage)


def list_moves(game, state, moves, memory):
    """Return the payoff if the game is over, and the number of moves listed if not."""
    payoff = game.result(state)
    count = 0
    if payoff == ONGOING:
        count = moves_into(game, state, moves)
        if count > memory[MAX_MOVES]:
            interrupt(memory, TOO_MANY_MOVES, count)
        elif count == 0:
            payoff = game.stuck(state)
    return payoff, count


def read_entry(tables, record, number):
    """Return the entry of a state in a solved stage, with two bits widened."""
    entry = entry_of(tables, record, number)
    return whole_entry(entry) if tables[record + BITS] == 2 else entry


def whole_entry(entry):
    """Return an entry of two bits as one with a distance, which is 0."""
    if entry == WON:
        return win_entry(0)
    if entry == LOST:
        return loss_entry(0)
    return TIE if entry == EVEN else entry


def append_unique(numbers, count, seen, number):
    """Append a number to a list unless it is there. Return the new length, and `seen` with the bit of the number.

    Most numbers have a bit of their own among the 64 of `seen`, and need not be compared with the others.
    """
    bit = 1 << (number * 0x9E3779B1 >> 16 & 63)
    if seen & bit:
        for i in range(count):
            if numbers[i] == number:
                return count, seen
    numbers[count] = number
    return count + 1, seen | bit


def find_successors(game, stage, state, count, which, tables, record, memory):
    """Replace moves of a state by the numbers of its successors; list the tables they are in, and the flips.

    If one cannot be found, STOP_REASON has the reason. OUTER leaves the moves that stay in the stage as they are, and
    INNER finds the successors of these. Where a rule numbers the states, it numbers equivalent ones as well, so that
    the canonical ones are needed only to verify that (SYMMETRIC).
    """
    moves, where = move_list(memory, 0), move_list(memory, 2)
    words = tables[KEY_WORDS]
    for i in range(count):
        if which == INNER and where[i] >> 1 != record:
            continue
        child = game.play(state, moves[i])
        flips = changes_player(game, state, child)
        if which == SYMMETRIC or not has_index(game):
            child = canonical(game, child)
        to = stage if which == INNER else stage_of(game, child, stage, memory)
        there = record if to == stage else record_of(tables, to)
        if there == 0 or (tables[there + BITS] == 0 and to != stage):
            interrupt(memory, NO_TABLE, to)
            return
        where[i] = 2 * there + flips
        if which != OUTER or to != stage:
            moves[i] = probe_slot(game, child, tables, there, successor_key(memory, words, i), memory)
    for i in range(count):
        if which in (ALL, SYMMETRIC) or (which == INNER) == (where[i] >> 1 == record):
            moves[i] = probe_number(game, tables, where[i] >> 1, successor_key(memory, words, i), moves[i])
            if moves[i] == NOT_FOUND:
                interrupt(memory, STATE_MISSING, i)
                return


@kernel(kinds="int int int int words words words")
def initialise(game, stage, start, stop, task, tables, work, memory):
    """Visit the states `start` to `stop`. Return the number reached; if it is less, STOP_REASON has the reason.

    Where there are un-moves, a state that wins by a move to a later stage needs no count: they find a shorter win.
    """
    record = record_of(tables, stage)
    codes, width = work.follow(CODES), work[CODE_BITS]
    counts, count_width = work.follow(COUNTS), work[COUNT_BITS]
    ends, links = work.follow(LINK_ENDS), work.follow(LINKS)
    cursors, edges = ends.ints(0, 2 * len(ends)), links.ints(0, 2 * len(links))
    moves, ahead, where = move_list(memory, 0), move_list(memory, 1), move_list(memory, 2)
    keys = tables.follow(record + KEYS)
    open_from, reached = undecided_from(width), reached_flag(count_width)
    outer_first = has_index(game) and has_predecessors(game) and task == INITIALISE
    which = OUTER if outer_first else SYMMETRIC if task == VERIFY else ALL
    memory[STOP_REASON] = FINISHED
    for number in range(start, stop):
        if not has_index(game) and keys[number * tables[KEY_WORDS]] == 0:
            continue
        state = state_at(game, stage, number, tables, record, memory)
        if is_unused_number(game, state, stage, number):
            continue
        payoff, count = list_moves(game, state, moves, memory)
        if memory[STOP_REASON] == FINISHED:
            find_successors(game, stage, state, count, which, tables, record, memory)
        if memory[STOP_REASON] != FINISHED:
            return number
        staying, flags, soonest, latest = 0, 0, NO_WIN, 0
        for i in range(count):
            there, flips = where[i] >> 1, where[i] & 1
            if there == record and task != VERIFY:
                staying += 1
                continue
            if task == LINK:
                continue
            entry = read_entry(tables, there, moves[i])
            if entry == NOTHING:
                interrupt(memory, STATE_MISSING, i)
                return number
            flags, soonest, latest = weighed(entry, flips, flags, soonest, latest)
        if task == VERIFY:
            code = from_successors(payoff, 0, flags, soonest, latest, 0)
            if not agrees(code, entry_of(tables, record, number), tables[record + BITS]):
                interrupt(memory, WRONG_ENTRY, code)
                return number
            continue
        inner, seen = 0, 0
        if staying > 0 and (soonest == NO_WIN or not outer_first):
            if outer_first:
                find_successors(game, stage, state, count, INNER, tables, record, memory)
                if memory[STOP_REASON] != FINISHED:
                    return number
            for i in range(count):
                if where[i] >> 1 == record:
                    inner, seen = append_unique(ahead, inner, seen, 2 * moves[i] + (where[i] & 1))
        if task == LINK:
            for i in range(inner):
                edges[cursors.fetch_add(ahead[i] >> 1, 1)] = 2 * number + (ahead[i] & 1)
            continue
        if loss_entry(soonest if soonest < NO_WIN else latest) >= open_from:
            interrupt(memory, TOO_NARROW, CODES << 8 | width)
            return number
        if inner >= reached:
            interrupt(memory, TOO_NARROW, COUNTS << 8 | count_width)
            return number
        set_narrow(codes, width, number, from_successors(payoff, inner, flags, soonest, latest, open_from))
        memory[INNER_MOVES] += staying
        if inner > 0:
            memory[LONGEST] = max(memory[LONGEST], latest)
            if len(counts) > 0:
                note_inner_moves(game, number, ahead, inner, counts, count_width)
            if len(ends) > 0:
                for i in range(inner):
                    cursors.fetch_add(ahead[i] >> 1, 1)
    return stop


def note_inner_moves(game, number, ahead, inner, counts, width):
    """Write how many successors in the stage a state has, and, where a rule numbers them, flag their numbers."""
    or_narrow(counts, width, number, inner)
    if has_index(game):
        flag = reached_flag(width)
        for i in range(inner):
            counts.prefetch((ahead[i] >> 1) * width >> 6)
        for i in range(inner):
            if not narrow(counts, width, ahead[i] >> 1) & flag:
                or_narrow(counts, width, ahead[i] >> 1, flag)


def weighed(entry, flips, flags, soonest, latest):
    """Return what is known of a state's successors with one more of them, whose entry is known."""
    if flips:
        entry = negated(entry)
    if entry < DECIDED:
        flags |= DRAWABLE | entry & MINE
        if not entry & THEIRS:
            flags |= BLOCKED
    elif is_win(entry):
        soonest = min(soonest, plies_of(entry) + 1)
    else:
        latest = max(latest, plies_of(entry) + 1)
    return flags, soonest, latest


def from_successors(payoff, inner, flags, soonest, latest, open_from):
    """Return the code that follows from the known successors: `open_from` and flags if those in the stage matter."""
    if payoff != ONGOING:
        return terminal_entry(payoff)
    if soonest < NO_WIN:
        return win_entry(soonest)
    if inner > 0:
        return open_from | flags | (LATE if latest > 1 else 0)
    if flags & DRAWABLE:
        return REPEATS | flags & MINE | (0 if flags & BLOCKED else THEIRS)
    return loss_entry(latest)


def agrees(code, entry, width):
    """Return whether a computed entry equals the stored one, which may have two bits."""
    if width != 2:
        return code == entry
    if code < DECIDED:
        return entry == EVEN
    return entry == (WON if is_win(code) else LOST)
