"""Propagation: what is decided about a state decides about its predecessors in the stage.

Wins and losses are propagated in waves, by the plies to the end, so distances are exact. What is left then is drawn,
and who can force a drawn end is propagated until nothing changes. Threads share codes and counts without locks: in
whatever order they come, a state gets the same code.
"""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import (
    canonical,
    changes_player,
    has_index,
    has_predecessors,
    predecessors_into,
    state_from_words,
    state_length,
)
from zermelo.solving.enumeration.table_access import NOT_FOUND, number_of, record_of, state_at
from zermelo.solving.retrograde.entries import (
    DECIDED,
    MINE,
    REPEATS,
    THEIRS,
    is_win,
    loss_entry,
    negated,
    plies_of,
    win_entry,
)
from zermelo.solving.retrograde.narrow_numbers import (
    CODE_BITS,
    CODES,
    COUNT_BITS,
    COUNTS,
    DRAWABLE,
    LATE,
    LINK_ENDS,
    LINKS,
    NEW,
    add_narrow,
    clear_narrow,
    narrow,
    or_narrow,
    set_narrow,
    undecided_from,
)
from zermelo.solving.retrograde.solver_memory import (
    CHANGES,
    FINISHED,
    LONGEST,
    MAX_MOVES,
    STOP_REASON,
    TOO_MANY_MOVES,
    interrupt,
    move_list,
    predecessor_rows,
)
from zermelo.solving.retrograde.wdl import OUTER, append_unique, find_successors, list_moves, read_entry, stage_of

FIRST_DRAWS, DRAWS = -2, -1
"""In place of a wave: draws that were known, and those with new flags; only these."""

OCTETS, ONES, TOPS = 0xFFFFFFFF, 0x01010101, 0x80808080
"""Four bytes: all bits, the lowest bit of each, and the highest."""


@kernel(kinds="int int int int words words words")
def propagate(game, stage, start, stop, wave, tables, work, memory):
    """Update the predecessors of the states `start` to `stop` that belong to a wave. Return how far it came.

    The states of a wave above or equal 0 are won or lost in `wave` plies. Otherwise someone can force a draw there.
    """
    record = record_of(tables, stage)
    codes, width = work.follow(CODES), work[CODE_BITS]
    counts, count_width = work.follow(COUNTS), work[COUNT_BITS]
    lists, links = work.follow(LINK_ENDS), work.follow(LINKS)
    ends, edges = lists.ints(0, 2 * len(lists)), links.ints(0, 2 * len(links))
    before = move_list(memory, 1)
    memory[STOP_REASON] = FINISHED
    number = next_in_wave(codes, width, start, stop, wave)
    while number < stop:
        first = 0
        if has_predecessors(game):
            count = collect_predecessors(game, stage, number, tables, record, before, memory)
            if memory[STOP_REASON] != FINISHED:
                return number
        else:
            first = ends[number - 1] if number > 0 else 0
            count = ends[number] - first
        for j in range(count):
            place = (before[j] if has_predecessors(game) else edges[first + j]) >> 1
            codes.prefetch(place * width >> 6)
            counts.prefetch(place * count_width >> 6)
        code = narrow(codes, width, number)
        if wave < 0 and code >= DECIDED:
            code = REPEATS | clear_narrow(codes, width, number, (MINE | THEIRS) << NEW) >> NEW & (MINE | THEIRS)
        for j in range(count):
            edge = before[j] if has_predecessors(game) else edges[first + j]
            seen = negated(code) if edge & 1 else code
            if wave < 0:
                add_draw(edge >> 1, seen, codes, width, counts, count_width, memory)
            elif is_win(seen):
                add_win(edge >> 1, wave + 1, codes, width, memory)
            elif add_loss(edge >> 1, codes, width, counts, count_width):
                late = narrow(codes, width, edge >> 1) & LATE
                plies = max(wave + 1, latest_loss(game, stage, edge >> 1, tables, record, memory) if late else 0)
                set_narrow(codes, width, edge >> 1, loss_entry(plies))
                memory[LONGEST] = max(memory[LONGEST], plies)
        number = next_in_wave(codes, width, number + 1, stop, wave)
    return stop


# -- the states of a wave ----------------------------------------------------------------------------------------------


def next_in_wave(codes, width, number, stop, wave):
    """Return the first state from `number` on that belongs to a wave; `stop` or more if there is none."""
    if wave >= 0:
        return next_decided(codes, width, number, stop, loss_entry(wave))
    open_from = undecided_from(width)
    while number < stop:
        code = narrow(codes, width, number)
        if code >= open_from:
            if code >> NEW & (MINE | THEIRS):
                return number
        elif wave == FIRST_DRAWS and REPEATS < code < DECIDED:
            return number
        number += 1
    return number


def next_decided(codes, width, number, stop, loss):
    """Return the first state from `number` on that is lost with this entry, or won in as many plies."""
    fours, pattern = codes.ints(0, 2 * len(codes)), loss * ONES
    while number < stop:
        if width == 8 and number & 3 == 0:
            differing = (fours[number >> 2] & OCTETS | ONES) ^ pattern
            if not (differing - ONES) & ~differing & TOPS:  # none of these bytes is zero
                number += 4
                continue
        if narrow(codes, width, number) | 1 == loss:
            return number
        number += 1
    return number


# -- predecessors ------------------------------------------------------------------------------------------------------


def collect_predecessors(game, stage, number, tables, record, numbers, memory):
    """List all predecessors of a state in its stage, in the form of links. Return how many there are."""
    state = state_at(game, stage, number, tables, record, memory)
    rows = predecessor_rows(memory)
    length = state_length(game)
    listed = predecessors_into(game, state, rows)
    if listed > memory[MAX_MOVES] or listed * length > len(rows):
        interrupt(memory, TOO_MANY_MOVES, listed)
        return 0
    count, seen = 0, 0
    for i in range(listed):
        before = state_from_words(game, rows.part(i * length, length))
        flips = changes_player(game, before, state)
        if not has_index(game):
            before = canonical(game, before)
        if stage_of(game, before, stage, memory) == stage:
            place = number_of(game, before, tables, record, memory)
            if place != NOT_FOUND:
                count, seen = append_unique(numbers, count, seen, 2 * place + flips)
    return count


def add_win(number, plies, codes, width, memory):
    """Note that a move of a state wins in `plies` plies."""
    code = narrow(codes, width, number)
    if code > win_entry(plies) and (code >= undecided_from(width) or is_win(code)):
        set_narrow(codes, width, number, win_entry(plies))
        memory[LONGEST] = max(memory[LONGEST], plies)


def add_loss(number, codes, width, counts, count_width):
    """Note that a move of a state loses. Return whether all moves do."""
    code = narrow(codes, width, number)
    return code >= undecided_from(width) and add_narrow(counts, count_width, number, -1) == 1 and not code & DRAWABLE


def latest_loss(game, stage, number, tables, record, memory):
    """Return in how many plies a state loses at the latest by moves to later stages, all of which lose."""
    moves, where = move_list(memory, 0), move_list(memory, 2)
    state = state_at(game, stage, number, tables, record, memory)
    _, count = list_moves(game, state, moves, memory)
    find_successors(game, stage, state, count, OUTER, tables, record, memory)
    latest = 0
    for i in range(count):
        if where[i] >> 1 != record:
            latest = max(latest, plies_of(read_entry(tables, where[i] >> 1, moves[i])) + 1)
    return latest


def add_draw(number, draw, codes, width, counts, count_width, memory):
    """Note who can force a drawn end after a move of a state that is not decided."""
    code = narrow(codes, width, number)
    if code >= undecided_from(width):
        new = 0
        if draw & MINE and not code & MINE:
            new = MINE
        if draw & THEIRS and add_narrow(counts, count_width, number, -1) == 1:
            new |= THEIRS
        if new:
            or_narrow(codes, width, number, new | new << NEW)
            memory[CHANGES] += 1
