"""Load a solution into memory in the form that kernels read: state tables with keys and entries.

The verifier recomputes entries there, and compiled search probes them (searching/runtime/tablebase_probing.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.enumeration.state_tables import StateTables
from zermelo.solving.progress import Progress
from zermelo.solving.retrograde.backward_pass import BackwardPass
from zermelo.solving.retrograde.worker_pool import WorkerPool
from zermelo.solving.storage.database import check_contents
from zermelo.solving.storage.entry_tables import EntryTable, KeyedTable
from zermelo.solving.storage.stage_records import SolvedStage

if TYPE_CHECKING:
    from zermelo.solving.solution import Solution


def load_database(solution: Solution, threads: int = 1) -> BackwardPass:
    """Load every state table of a solution, after checking its contents once."""
    if not solution.checked:
        check_contents(solution)
    packing = solution.header.packing or Packing((), 1)
    tables = StateTables(repr(solution.game), packing, min(solution.tables))
    pool = WorkerPool(threads, len(packing.fields), packing.words, 0)
    backward = BackwardPass(solution.game, tables, pool, Progress())
    for stage, table in solution.tables.items():
        assert isinstance(table, EntryTable)
        uppers = None if table.uppers is None else table.uppers.array()
        solved = SolvedStage(stage, table.length, table.bits, table.base, [], table.entries.array(), uppers)
        backward.load(stage, table.sorted_keys() if isinstance(table, KeyedTable) else None, solved)
    return backward
