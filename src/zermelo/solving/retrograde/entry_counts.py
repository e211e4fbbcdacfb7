"""Counts of the states that have each entry, and of the positions they stand for."""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import orbit_size
from zermelo.solving.enumeration.table_access import entry_of, record_of, state_at
from zermelo.solving.retrograde.entries import NOTHING
from zermelo.solving.retrograde.solver_memory import move_list


@kernel(kinds="int int int words words words words")
def count_entries(game, stage, start, stop, tables, states, positions, memory):
    """Add the states `start` to `stop` of a stage, by their entries, and the positions they stand for."""
    record, scratch = record_of(tables, stage), move_list(memory, 0)
    for number in range(start, stop):
        entry = entry_of(tables, record, number)
        if entry != NOTHING:
            states[entry] += 1
            positions[entry] += orbit_size(game, state_at(game, stage, number, tables, record, memory), scratch)
    return stop
