"""What one thread of a solver reads and writes: counters, a row for a state and its key, and lists of moves."""

from __future__ import annotations

from zermelo.solving.enumeration.state_tables import ROW
from zermelo.word_arrays import Words

WHY, WHERE, INNER, STEP, WIDTH, LISTS, NEW = range(7)
"""Why a kernel came back early and where, moves inside the stage, what a move adds to a stage that no rule tells, the
length of the lists and where they begin, and how many states were new."""

DONE, WIDE, FULL, NO_STAGE, BACKWARD, OUTSIDE, MISSING, WRONG = range(8)
"""Reasons: none; more moves than a list holds; a table without room; a stage without a shelf; a stage below the last;
a number outside its field; a successor that is on no shelf; an entry that its successors contradict."""


def new_memory(fields: int, words: int, width: int, step: int) -> Words:
    """Fresh memory, for states of so many numbers and keys of so many words."""
    lists = ROW + fields + words
    memory = Words.zeros(lists + (3 + words) * width)
    memory[STEP], memory[WIDTH], memory[LISTS] = step, width, lists
    return memory


def list_of(memory, which):
    """One of the three lists: of moves, of numbers, and of what goes with each of them."""
    return memory.part(memory[LISTS] + which * memory[WIDTH], memory[WIDTH])


def key_of(memory, words, i):
    """Room for the key of a state's i-th successor."""
    return memory.part(memory[LISTS] + 3 * memory[WIDTH] + i * words, words)


def give_up(memory, reason, where):
    """Note why a kernel comes back early."""
    memory[WHY] = reason
    memory[WHERE] = where
