"""Wins, losses and draws of one stage by retrograde analysis: the kernels `initialise` and `propagate`.

`initialise` visits every state of a stage. Successors in later stages are known; if all are, the state is resolved. The
entry of any other state is below zero, and holds what the successors in later stages allow:

    UNDECIDED | who forces a drawn end | DRAWABLE | BLOCKED | plies of the longest loss elsewhere << 4

and `remaining` counts its successors in the stage. `propagate` then goes backward, distance by distance. A state with
a successor that is lost for the other player is won; one all of whose successors are won for the other is lost. What
remains is drawn. A second propagation finds who can force a drawn end; the other draws are by repetition.
"""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import (
    canonical,
    changes_player,
    has_index,
    has_predecessors,
    moves_into,
    predecessors_into,
    state_from_words,
    state_length,
)
from zermelo.solving.enumeration.table_access import (
    BITS,
    KEY_WORDS,
    KEYS,
    NOT_FOUND,
    entry_of,
    number_of,
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
from zermelo.solving.retrograde.solver_memory import (
    FINISHED,
    INNER_MOVES,
    MAX_MOVES,
    NO_TABLE,
    STATE_MISSING,
    STEP,
    STOP_REASON,
    TOO_MANY_MOVES,
    WRONG_ENTRY,
    interrupt,
    move_list,
    predecessor_rows,
    successor_key,
)

UNDECIDED = -(1 << 31)
DRAWABLE, BLOCKED = 4, 8
"""Some move to a later stage draws; some such draw is not one that the other player can force to an end."""

NO_WIN = 1 << 27

REACHED = 1 << 30
"""Flag of a number to which some move of its stage leads."""

INITIALISE, LINK, VERIFY = range(3)
"""Tasks of `initialise`: fill the entries, write the predecessor links into `sources`, or compare."""


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
    if tables[record + BITS] != 2:
        return entry
    if entry == WON:
        return win_entry(0)
    if entry == LOST:
        return loss_entry(0)
    return TIE if entry == EVEN else entry


def append_unique(numbers, count, number):
    """Append a number to a list unless it is there. Return the new length."""
    for i in range(count):
        if numbers[i] == number:
            return count
    numbers[count] = number
    return count + 1


@kernel(kinds="int int int int words words words words words words")
def initialise(game, stage, start, stop, task, tables, codes, remaining, incoming, sources, memory):
    """Visit the states `start` to `stop`. Return the number reached; if it is less, STOP_REASON has the reason."""
    record = record_of(tables, stage)
    entries, counters = codes.ints(0, 2 * len(codes)), remaining.ints(0, 2 * len(remaining))
    cursors, edges = incoming.ints(0, 2 * len(incoming)), sources.ints(0, 2 * len(sources))
    moves, ahead, where = move_list(memory, 0), move_list(memory, 1), move_list(memory, 2)
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
        for i in range(count):
            child = game.play(state, moves[i])
            flips = changes_player(game, state, child)
            child = canonical(game, child)
            to = stage_of(game, child, stage, memory)
            there = record if to == stage else record_of(tables, to)
            if there == 0 or (tables[there + BITS] == 0 and to != stage):
                interrupt(memory, NO_TABLE, to)
                return number
            where[i] = 2 * there + flips
            moves[i] = probe_slot(game, child, tables, there, successor_key(memory, tables[KEY_WORDS], i), memory)
        inner, flags, soonest, latest = 0, 0, NO_WIN, 0
        for i in range(count):
            there, flips = where[i] >> 1, where[i] & 1
            if task == LINK and there != record:
                continue
            place = probe_number(game, tables, there, successor_key(memory, tables[KEY_WORDS], i), moves[i])
            if place == NOT_FOUND:
                interrupt(memory, STATE_MISSING, i)
                return number
            if there == record and task != VERIFY:
                inner = append_unique(ahead, inner, 2 * place + flips)
                continue
            entry = read_entry(tables, there, place)
            if entry == NOTHING:
                interrupt(memory, STATE_MISSING, i)
                return number
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
        if task == LINK:
            for i in range(inner):
                edges[cursors.fetch_add(ahead[i] >> 1, 1)] = 2 * number + (ahead[i] & 1)
            continue
        code = from_successors(payoff, inner, flags, soonest, latest)
        if task == VERIFY:
            if not agrees(code, entry_of(tables, record, number), tables[record + BITS]):
                interrupt(memory, WRONG_ENTRY, code)
                return number
            continue
        entries[number] = code
        if inner > 0:
            counters.fetch_add(number, inner)
            memory[INNER_MOVES] += inner
            if has_index(game):
                for i in range(inner):
                    counters.fetch_or(ahead[i] >> 1, REACHED)
            if len(incoming) > 0:
                for i in range(inner):
                    cursors.fetch_add(ahead[i] >> 1, 1)
    return stop


def from_successors(payoff, inner, flags, soonest, latest):
    """Return the entry that follows from the known successors; below zero if those in the stage may matter."""
    if payoff != ONGOING:
        return terminal_entry(payoff)
    if soonest < NO_WIN:
        return win_entry(soonest)
    if inner > 0:
        return UNDECIDED | flags | latest << 4
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


@kernel(kinds="int words words int int int words words words words words words")
def propagate(game, stage, frontier, results, start, stop, plies, tables, codes, remaining, offsets, sources, memory):
    """Update the predecessors of the states in `frontier` by their results. Return how far it came.

    With `plies` above zero, a result is whether the state's mover wins, `plies` - 1 plies before the end. With 0, it is
    who can force a draw there.
    """
    record = record_of(tables, stage)
    entries, counters = codes.ints(0, 2 * len(codes)), remaining.ints(0, 2 * len(remaining))
    begins, edges = offsets.ints(0, 2 * len(offsets)), sources.ints(0, 2 * len(sources))
    those, what = frontier.ints(0, 2 * len(frontier)), results.ints(0, 2 * len(results))
    before = move_list(memory, 1)
    memory[STOP_REASON] = FINISHED
    for i in range(start, stop):
        if has_predecessors(game):
            count = collect_predecessors(game, stage, those[i], tables, record, before, memory)
            if memory[STOP_REASON] != FINISHED:
                return i
            for j in range(count):
                update_entry(entries, counters, before[j] >> 1, before[j] & 1, what[i], plies)
        else:
            for place in range(begins[those[i]], begins[those[i] + 1]):
                update_entry(entries, counters, edges[place] >> 1, edges[place] & 1, what[i], plies)
    return stop


def collect_predecessors(game, stage, number, tables, record, numbers, memory):
    """List all predecessors of a state in its stage, in the form of `edges`. Return how many there are."""
    state = state_at(game, stage, number, tables, record, memory)
    rows = predecessor_rows(memory)
    length = state_length(game)
    listed = predecessors_into(game, state, rows)
    if listed > memory[MAX_MOVES] or listed * length > len(rows):
        interrupt(memory, TOO_MANY_MOVES, listed)
        return 0
    count = 0
    for i in range(listed):
        before = state_from_words(game, rows.part(i * length, length))
        flips = changes_player(game, before, state)
        before = canonical(game, before)
        if stage_of(game, before, stage, memory) == stage:
            place = number_of(game, before, tables, record, memory)
            if place != NOT_FOUND:
                count = append_unique(numbers, count, 2 * place + flips)
    return count


def update_entry(entries, counters, number, flips, results, plies):
    """Update the entry of a state by the result of one of its successors."""
    entry = entries[number]
    if plies > 0:
        wins = results == 0 if flips else results == 1
        if wins:
            if entry < 0 or (is_win(entry) and entry > win_entry(plies)):
                entries[number] = win_entry(plies)
        elif entry < 0 and counters.fetch_add(number, -1) == 1 and not entry & DRAWABLE:
            entries[number] = loss_entry(max(plies, (entry & 0x7FFFFFFF) >> 4))
    elif entry < 0:
        mine = results >> 1 & 1 if flips else results & 1
        theirs = results & 1 if flips else results >> 1 & 1
        if mine and not entry & MINE:
            entries.fetch_or(number, MINE | MINE << 2)
        if theirs and counters.fetch_add(number, -1) == 1:
            entries.fetch_or(number, THEIRS | THEIRS << 2)
