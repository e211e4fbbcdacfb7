"""Sharing: how threads that search one tree keep out of each other's way.

Near the root a thread claims each state that it is in; others who get there try the moves to claimed states last, and
mostly find them in the table by then (after ABDADA, Weill 1996). A claim is the bare key in the place of the second
entry of its bucket, which no entry looks like. An entry that is stored there wipes it out: then a state is searched
twice, and nothing is wrong.
"""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.searching.alphabeta.transposition_table import bucket, entry_size

SHARED = 10
"""Plies from the root within which states are claimed: 6 to 20 did equally well with two threads on Connect Four."""

PUT_OFF = 1 << 55
"""What a claimed move's guess is lowered by: more than any two guesses differ."""


@kernel
def claim(game, table, key):
    """Tell the other threads that this one is in the state of this key."""
    table[place(game, table, key)] = key


@kernel
def release(game, table, key):
    """Tell them that it has left."""
    if claimed(game, table, key):
        table[place(game, table, key)] = 0


@kernel
def claimed(game, table, key):
    """Whether some thread is in the state of this key."""
    return table[place(game, table, key)] == key


@kernel
def place(game, table, key):
    """Where a claim stands."""
    return bucket(game, table, key) + entry_size(game)
