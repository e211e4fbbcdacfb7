"""Memory: what one search thread reads and writes, in one row of words.

counters    16                see the names below
length      ROWS              how long each row of the principal variation is
path        ROWS              keys of the states on the way from the root
killers     2 * ROWS          moves that cut off elsewhere at this ply
history     HISTORY           how often a move cut off anywhere
pv          ROWS * ROWS       row p: the principal variation from ply p on
moves       ROWS * width      the moves of each ply
guesses     ROWS * width      how promising each is
"""

from __future__ import annotations

from zermelo.words import Words

DEEPEST = 250
"""Plies beyond which no search goes."""

ROWS = DEEPEST + 2
HISTORY_SIZE = 4096

# counters
NODES = 0  # states visited
MOST = 1  # the search stops when it has visited this many
STOP = 2  # set from outside, or by the search itself: give up
HORIZON = 3  # how often a judgement stood in for a search
WIDEST = 4  # the most moves met in a state, where they were more than a row holds
AGE = 5  # which search this is, from 1 to 15
WIDTH = 6  # how many moves a row holds

LENGTH = 16
PATH = LENGTH + ROWS
KILLERS = PATH + ROWS
HISTORY = KILLERS + 2 * ROWS
PV = HISTORY + HISTORY_SIZE
MOVES = PV + ROWS * ROWS


def new_memory(width: int = 64) -> Words:
    """Fresh memory for states of at most `width` moves."""
    memory = Words.zeros(MOVES + 2 * ROWS * width)
    memory[WIDTH] = width
    memory.part(KILLERS, 2 * ROWS).array[:] = -1
    return memory
