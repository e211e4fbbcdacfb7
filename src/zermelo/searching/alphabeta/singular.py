"""Singular extensions: a table move that is much better than every other move is searched a ply deeper.

They take part where the game says by `singular` how much better, in its evaluation and for each ply of depth. Whether a
move is singular, a shallower search of the state without it finds out: by a null window that far below the table's
bound. What that search sees decides about the depth alone, so it counts as no heuristic leaf, and it leaves nothing in
the table.
"""

from __future__ import annotations

from zermelo.searching.alphabeta.transposition_table import NO_HINT, UNLIMITED, depth_of, hint, hint_of, lower_of
from zermelo.searching.runtime.thread_memory import EXCLUDED, NOMINAL_PLY, SINGULAR
from zermelo.value import DECISIVE

MIN_SINGULAR_DEPTH = 6
"""The least depth of a node whose table move may be singular: below it the test costs more than it finds."""

SHALLOWER = 3
"""By how many plies less the table may have searched the move."""

NO_THRESHOLD = -DECISIVE
"""The threshold where the move is not tested."""


def is_singular_node(depth, ply, memory):
    """Whether a node is searched deep enough to test its table move, and extensions have not gone too far."""
    if memory[SINGULAR] == 0 or memory[EXCLUDED + ply] != NO_HINT or ply == 0:
        return False
    return MIN_SINGULAR_DEPTH <= depth < UNLIMITED and ply < 2 * memory[NOMINAL_PLY]


def singular_threshold(data, depth, memory):
    """The score that no other move may reach if the move of this table entry is singular; NO_THRESHOLD for no test."""
    if data == 0 or hint_of(data) == NO_HINT or depth_of(data) < depth - SHALLOWER or lower_of(data) >= DECISIVE:
        return NO_THRESHOLD
    return max(lower_of(data) - depth * memory[SINGULAR], NO_THRESHOLD)


def singular_test_depth(depth):
    """The depth of the search without the table move."""
    return (depth - 1) // 2


def without_move(moves, count, excluded):
    """Remove the moves with this hint, and return how many are left."""
    kept = 0
    for i in range(count):
        if hint(moves[i]) != excluded:
            moves[kept] = moves[i]
            kept += 1
    return kept
