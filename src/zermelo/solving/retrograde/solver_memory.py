"""The memory of one thread of a solver: counters, a row for a state and its key, and lists of moves."""

from __future__ import annotations

from zermelo.solving.enumeration.table_access import STATE_ROW
from zermelo.word_arrays import Words

STOP_REASON, STOP_DETAIL, INNER_MOVES, STEP, MAX_MOVES, MOVE_LISTS, LONGEST, CHANGES = range(8)
"""Offsets: why a kernel stopped and a detail of it, moves inside the stage, what a move adds to the stage where there
is no `stage` rule, the length of the lists and their offset, the most plies of a state that was decided, and the number
of changes."""

FINISHED, TOO_MANY_MOVES, TABLE_FULL, NO_TABLE, LOWER_STAGE, OUT_OF_RANGE, STATE_MISSING = range(7)
WRONG_ENTRY, TOO_NARROW, INNER_MOVE = 7, 8, 9
"""Reasons to stop: none; more moves than a list holds; an arena without room; a stage without a table; a stage below
that of the state; a number outside its field, or points beyond the range of scores; a successor that is in no table; an
entry that its successors contradict; a number that is too large for the width of its array; a move that stays in the
stage."""


def new_memory(fields: int, words: int, width: int, step: int, state_words: int = 0) -> Words:
    """Return memory for states of `fields` packed numbers, keys of `words` words and `width` moves.

    Where predecessors are listed, their states take `state_words` each.
    """
    lists = STATE_ROW + fields + words
    memory = Words.zeros(lists + (3 + max(words, state_words)) * width)
    memory[STEP], memory[MAX_MOVES], memory[MOVE_LISTS] = step, width, lists
    return memory


def move_list(memory, which):
    """Return one of the three lists: of moves, of numbers, and of what belongs to each of them."""
    return memory.part(memory[MOVE_LISTS] + which * memory[MAX_MOVES], memory[MAX_MOVES])


def successor_key(memory, words, i):
    """Return the room for the key of a state's i-th successor."""
    return memory.part(memory[MOVE_LISTS] + 3 * memory[MAX_MOVES] + i * words, words)


def predecessor_rows(memory):
    """Return the room for the numbers of a state's predecessors, where the keys of its successors are elsewhere."""
    start = memory[MOVE_LISTS] + 3 * memory[MAX_MOVES]
    return memory.part(start, len(memory) - start)


def interrupt(memory, reason, where):
    """Note why a kernel stops early."""
    memory[STOP_REASON] = reason
    memory[STOP_DETAIL] = where
