"""Load a solution into memory in the form that kernels read: state tables with keys and entries.

The verifier recomputes entries there, and compiled search probes them (searching/runtime/tablebase_probing.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.solving.enumeration.stage_tables import Entries, Keyed
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.table_directory import Directory
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.backward_pass import Backward
from zermelo.solving.retrograde.worker_pool import Crew
from zermelo.solving.storage.database import check_contents
from zermelo.solving.storage.stage_records import Solved

if TYPE_CHECKING:
    from zermelo.solving.solution import Solution


def load_database(solution: Solution, threads: int = 1) -> Backward:
    """Load every state table of a solution, after checking its contents once."""
    if not solution.checked:
        check_contents(solution)
    packing = solution.header.packing or Packing((), 1)
    directory = Directory(repr(solution.game), packing, min(solution.tables))
    crew = Crew(threads, len(packing.fields), packing.words, 0)
    backward = Backward(solution.game, directory, crew, Progress())
    for stage, table in solution.tables.items():
        assert isinstance(table, Entries)
        uppers = None if table.uppers is None else table.uppers.array()
        solved = Solved(stage, table.length, table.bits, table.base, [], table.entries.array(), uppers)
        backward.load(stage, table.sorted_keys() if isinstance(table, Keyed) else None, solved)
    return backward
