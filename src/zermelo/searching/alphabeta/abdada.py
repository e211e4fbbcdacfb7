"""ABDADA: threads that search one tree defer moves that another thread is searching (Weill 1996).

Near the root a thread marks each state that it searches. Other threads defer the moves to marked states, and mostly
find their scores in the table later. A mark is the bare key in place of the second entry of its bucket; no entry looks
like that. An entry stored there erases the mark: then two threads search the state, and the result is still right.
"""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.searching.alphabeta.transposition_table import bucket, entry_size

DEFER_PLIES = 10
"""Plies from the root within which states are marked: 6 to 20 did equally well with two threads on Connect Four."""

DEFERRED_PENALTY = 1 << 55
"""What the score of a deferred move is lowered by: more than any two scores of moves differ."""


@kernel
def mark_searching(game, table, key):
    """Mark the state of this key as being searched."""
    table[mark_at(game, table, key)] = key


@kernel
def unmark_searching(game, table, key):
    """Remove the mark, unless an entry has erased it."""
    if is_searching(game, table, key):
        table[mark_at(game, table, key)] = 0


@kernel
def is_searching(game, table, key):
    """Whether some thread searches the state of this key."""
    return table[mark_at(game, table, key)] == key


@kernel
def mark_at(game, table, key):
    """The index of a key's mark."""
    return bucket(game, table, key) + entry_size(game)
