"""What one thread of a solver reads and writes: counters, a row for a state and its key, and lists of moves."""

from __future__ import annotations

from zermelo.solving.enumeration.table_access import STATE_ROW
from zermelo.word_arrays import Words

STOP_REASON, STOP_DETAIL, INNER_MOVES, STEP, MAX_MOVES, MOVE_LISTS, NEW_STATES = range(7)
"""Why a kernel came back early and where, moves inside the stage, what a move adds to a stage that no rule tells, the
length of the lists and where they begin, and how many states were new."""

FINISHED, TOO_MANY_MOVES, TABLE_FULL, NO_TABLE, LOWER_STAGE, OUT_OF_RANGE, STATE_MISSING, WRONG_ENTRY = range(8)
"""Reasons: none; more moves than a list holds; a table without room; a stage without a shelf; a stage below the last;
a number outside its field; a successor that is on no shelf; an entry that its successors contradict."""


def new_memory(fields: int, words: int, width: int, step: int) -> Words:
    """Fresh memory, for states of so many numbers and keys of so many words."""
    lists = STATE_ROW + fields + words
    memory = Words.zeros(lists + (3 + words) * width)
    memory[STEP], memory[MAX_MOVES], memory[MOVE_LISTS] = step, width, lists
    return memory


def move_list(memory, which):
    """One of the three lists: of moves, of numbers, and of what goes with each of them."""
    return memory.part(memory[MOVE_LISTS] + which * memory[MAX_MOVES], memory[MAX_MOVES])


def successor_key(memory, words, i):
    """Room for the key of a state's i-th successor."""
    return memory.part(memory[MOVE_LISTS] + 3 * memory[MAX_MOVES] + i * words, words)


def interrupt(memory, reason, where):
    """Note why a kernel comes back early."""
    memory[STOP_REASON] = reason
    memory[STOP_DETAIL] = where
