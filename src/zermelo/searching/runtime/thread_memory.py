"""Thread memory: what one search thread reads and writes, in one array of words.

counters    32                see the names below
pv length   PLY_ROWS          the length of each row of the principal variation
path        PLY_ROWS          keys of the states on the path from the root
checks      PLY_ROWS          and their checks, where a state does not fit its key (keys.py)
leaves      PLY_ROWS          how many leaves the quiescence search of a state may have (alphabeta/quiescence.py)
played      PLY_ROWS          the moves between them
killers     2 * PLY_ROWS      moves that caused a cutoff elsewhere at this ply
history     HISTORY_SIZE      history scores of moves
countermoves HISTORY_SIZE     the move that last refuted a move
excluded    PLY_ROWS          the hint of a move that a search leaves out (alphabeta/singular.py)
pv          PLY_ROWS ** 2     row p: the principal variation from ply p on
seen        3 * SEEN_SLOTS    a hash table of the states played before the root (alphabeta/game_history.py)
tables      PLY_ROWS * TABLES_PER_PLY * width, for each ply:
    open moves  the moves that static bounds do not resolve
    move scores their ordering scores
    lows        lower bounds of their scores
    highs       upper bounds
    keys        the keys of their successors, if the table is probed for them
checks      PLY_ROWS * width  and their checks
scratch     SCRATCH_WORDS     where a state is packed to probe the tablebase

In games of chance, the tables are moves, move scores, and, as floats, the probability, least and greatest value of each
outcome; those of all plies stand together.
"""

from __future__ import annotations

from zermelo.word_arrays import Words

MAX_PLY = 250
"""The greatest ply of any search."""

PLY_ROWS = MAX_PLY + 2
HISTORY_SIZE = 4096
TABLES_PER_PLY = 5
SEEN_SLOTS = 512

# counters
NODES = 0  # states visited
MAX_NODES = 1  # the search stops at this number of nodes
STOP = 2  # set from outside, or by the search itself: unwind
HEURISTIC_LEAVES = 3  # how often a static evaluation or a repetition stood in for a search
WIDTH_NEEDED = 4  # the number of moves of a state that has more than a row holds
AGE = 5  # which search this is, from 1 to 15
WIDTH = 6  # the number of moves that a row holds
THREAD = 7  # 0 for a single thread, else its number from 1 on
SELDEPTH = 8  # the greatest ply reached
SAMPLES = 9  # at most this many outcomes of a chance node are sampled; 0: all are searched
SALT = 10  # keeps the table entries of a search that samples outcomes apart from others
PAYOFF_OUTSIDE = 11  # 1 more than a payoff outside `payoff_bounds`, once one was met
TABLE_ENTRY = 12  # and the next two words: the table entry that was probed last, in games of chance
NOMINAL_PLY = 15  # the ply of the horizon, without extensions

TABLEBASE = 16  # the address of the state tables of a tablebase, if any, and their number of words
SCRATCH = 18  # where a state is packed to probe it
BAD_EVAL = 19  # 1 more than the ply of a state whose evaluation is not finite, once one was met
PATH_FREE = 20  # 1 in a path-independent search, where play can repeat (see graph_history.py)
BOUNDED_MOVES = 21  # moves whose successors got static bounds before any was searched
RESOLVED_MOVES = 22  # how many of them were resolved by these bounds
FUTILITY = 23  # how much a quiet move changes the evaluation, as a score; 0: no futility pruning
PLAYED_STATES = 24  # how many states of the game before the root are known
ROOT_MOVES = 25  # the moves of the root, in the tables of ply 0, if the kernel is to search them; else 0
ROOT_TRIED = 26  # how many of them were searched in this round
REPLIES = 27  # in games of chance, how many moves of a state are searched further; 0: all
SINGULAR = 28  # by how much a move must be better than all others to be singular, each ply; 0: none is

PV_LENGTH = 32
PATH = PV_LENGTH + PLY_ROWS
CHECKS = PATH + PLY_ROWS
QUIESCENCE_LEAVES = CHECKS + PLY_ROWS
PLAYED = QUIESCENCE_LEAVES + PLY_ROWS
KILLERS = PLAYED + PLY_ROWS
HISTORY = KILLERS + 2 * PLY_ROWS
COUNTERMOVES = HISTORY + HISTORY_SIZE
EXCLUDED = COUNTERMOVES + HISTORY_SIZE
PV = EXCLUDED + PLY_ROWS
SEEN = PV + PLY_ROWS * PLY_ROWS
MOVES = SEEN + 3 * SEEN_SLOTS

# tables of a ply
OPEN_MOVES = 0
MOVE_SCORES = 1
LOWS = 2
HIGHS = 3
KEYS = 4

UNLIMITED_NODES = 1 << 61
"""The node limit of a search without one."""

PV_NODES = 10_000
"""Nodes that extending the lines of a search may take, beside as many as the search took."""

SCRATCH_WORDS = 256
"""Words in which a state is packed to probe a tablebase."""

NO_MOVE = -1 << 62
"""A number that is no move."""


def new_memory(width: int = 64) -> Words:
    """Return new memory for states of at most `width` moves."""
    scratch = MOVES + PLY_ROWS * (TABLES_PER_PLY + 1) * width
    memory = Words.zeros(scratch + SCRATCH_WORDS)
    memory[WIDTH], memory[SCRATCH] = width, scratch
    memory.part(PLAYED, 3 * PLY_ROWS).fill(NO_MOVE)  # and killers
    memory.part(COUNTERMOVES, HISTORY_SIZE).fill(NO_MOVE)
    return memory


def reserve_pv_nodes(memory: Words) -> None:
    """Limit the nodes that are left to those spent so far and PV_NODES, for following a line."""
    memory[MAX_NODES] = min(memory[MAX_NODES], 2 * memory[NODES] + PV_NODES)


def ply_row(memory: Words, ply: int, table: int) -> Words:
    """One of the tables of a ply (OPEN_MOVES to KEYS)."""
    width = memory[WIDTH]
    return memory.part(MOVES + (TABLES_PER_PLY * ply + table) * width, width)


def checks_at(memory: Words, ply: int) -> int:
    """The index of the first check of the successors at a ply."""
    return MOVES + (TABLES_PER_PLY * PLY_ROWS + ply) * memory[WIDTH]
