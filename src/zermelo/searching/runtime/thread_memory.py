"""Memory: what one search thread reads and writes, in one row of words.

counters    32                see the names below
length      ROWS              how long each row of the principal variation is
path        ROWS              keys of the states on the way from the root
checks      ROWS              and their checks, where a state does not fit its key (keys.py)
played      ROWS              the moves between them
killers     2 * ROWS          moves that cut off elsewhere at this ply
history     HISTORY           how often a move cut off anywhere
answers     HISTORY           the move that last cut off after a move
pv          ROWS * ROWS       row p: the principal variation from ply p on
tables      ROWS * TABLES * width, for each ply:
    moves       the moves that are open
    guesses     how promising each is
    lows        between which scores it lies, as far as known
    highs
    keys        the key of the state it leads to, where that was asked for
checks      ROWS * width      and its check
scratch     ROOM              where a state is packed that a database is asked about

Where chance takes part, the tables are moves, guesses, and, as floats, the probability, least and greatest value of
each outcome; those of all plies stand together.
"""

from __future__ import annotations

from zermelo.word_arrays import Words

DEEPEST = 250
"""Plies beyond which no search goes."""

ROWS = DEEPEST + 2
HISTORY_SIZE = 4096
TABLES = 5

# counters
NODES = 0  # states looked at
MOST = 1  # the search stops when it has looked at this many
STOP = 2  # set from outside, or by the search itself: give up
HORIZON = 3  # how often a judgement stood in for a search
WIDEST = 4  # the most moves met in a state, where they were more than a row holds
AGE = 5  # which search this is, from 1 to 15
WIDTH = 6  # how many moves a row holds
THREAD = 7  # 0 where a thread searches alone, else its number from 1 on
FARTHEST = 8  # the deepest ply reached
SAMPLES = 9  # where chance moves, at most this many outcomes are drawn; 0: all are searched
SALT = 10  # changes the keys of a search that draws outcomes, so that no other takes its entries for the truth
OUTSIDE = 11  # a payoff that `payoff_bounds` do not allow, and 1 more, once one was met
ENTRY = 12  # and the two words after it: the table's entry that was last looked up, where chance takes part
NOMINAL = 15  # the ply that the search was sent to, without extensions

DATABASE = 16  # the address of a database's shelves, where the search was lent one, and how many words they are
SCRATCH = 18  # where a key is packed for it
UNJUDGED = 19  # the ply of a state whose evaluation is no finite number, and 1 more, once one was met
PURE = 20  # where play can repeat: 1 while nothing counts that depends on the way to a state (see graph_history.py)

LENGTH = 32
PATH = LENGTH + ROWS
CHECKS = PATH + ROWS
PLAYED = CHECKS + ROWS
KILLERS = PLAYED + ROWS
HISTORY = KILLERS + 2 * ROWS
ANSWERS = HISTORY + HISTORY_SIZE
PV = ANSWERS + HISTORY_SIZE
MOVES = PV + ROWS * ROWS

# tables of a ply
OPEN = 0
GUESSES = 1
LOWS = 2
HIGHS = 3
KEYS = 4

SPARE = 10_000
"""Nodes that following a line may take, however soon it was found."""

ROOM = 256
"""Words in which a database packs a state."""

NO_MOVE = -1 << 62
"""What no move is."""


def new_memory(width: int = 64) -> Words:
    """Fresh memory for states of at most `width` moves."""
    scratch = MOVES + ROWS * (TABLES + 1) * width
    memory = Words.zeros(scratch + ROOM)
    memory[WIDTH], memory[SCRATCH] = width, scratch
    memory.part(PLAYED, 3 * ROWS).array[:] = NO_MOVE  # and killers
    memory.part(ANSWERS, HISTORY_SIZE).array[:] = NO_MOVE
    return memory


def spare_some(memory: Words) -> None:
    """Leave as many nodes as were spent, and a few more, for following the lines that were found."""
    memory[MOST] = min(memory[MOST], 2 * memory[NODES] + SPARE)


def row(memory: Words, ply: int, table: int) -> Words:
    """One of the tables of a ply."""
    width = memory[WIDTH]
    return memory.part(MOVES + (TABLES * ply + table) * width, width)


def checks_at(memory: Words, ply: int) -> int:
    """Where the checks of the states begin that the moves of a ply lead to."""
    return MOVES + (TABLES * ROWS + ply) * memory[WIDTH]
