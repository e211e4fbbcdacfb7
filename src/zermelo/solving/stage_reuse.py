"""Stages that were solved before: read from databases instead of being solved again.

A game may become another one: of the chess ending KRPKR a promotion makes KQRKR, which is a game of its own and may be
in a file. The rule `same_stage` says which stages of two games are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.files import FileError
from zermelo.game import Game, GameError
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.solution import Solution
from zermelo.solving.storage.database import describe_file, open_solution
from zermelo.solving.storage.entry_tables import EntryTable
from zermelo.solving.storage.section_validation import find_invalid_section
from zermelo.solving.storage.stage_records import SolvedStage

SUFFIX = ".zermelo"
"""How the names of the databases in a folder end."""


class KnownStage(NamedTuple):
    """A stage of a database, under the number that it has there."""

    solution: Solution
    stage: int

    def read(self, number: int, budget: MemoryBudget | None) -> SolvedStage:
        """Return the stage under the number that it has in another game, its entries checked and in memory."""
        header, table = self.solution.header, self.solution.tables[self.stage]
        assert isinstance(table, EntryTable)
        wrong = find_invalid_section(header, table.record, None, table.entries, None)
        if wrong is not None:
            raise FileError(f"{self.solution.path} is damaged: {wrong!r} does not hold what its header counts.")
        counts = [[row.entry, row.states, row.positions] for row in header.counts if row.stage == self.stage]
        entries = table.entries.array()
        if budget is not None:
            room = budget.zeros(len(entries))
            room[:] = entries
            entries = room
        return SolvedStage(number, table.length, table.bits, table.base, counts, entries)


def known_stages(game: Game, path: Path, *, wdl: bool) -> dict[int, KnownStage]:
    """Return the stages of a game that a database, or the databases of a folder, hold.

    Files of other games are passed over. Raise GameError if the path is one file and of no use.
    """
    where = f"solve of {game!r}: reuse"
    if not path.exists():
        raise GameError(f"{where} names {path}, and there is no such file or folder.")
    files = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
    found: dict[int, KnownStage] = {}
    for file in files:
        solution = _opened(game, file, strict=not path.is_dir())
        if solution is not None:
            found |= dict(_shared(game, solution, wdl))
    if not found and not path.is_dir():
        raise GameError(f"{where} names {path}, which holds {describe_file(path)} and no stage of this game.")
    return found


def _opened(game: Game, file: Path, strict: bool) -> Solution | None:
    """The solution in a file; None if it is not one of this kind of game, unless it must be."""
    try:
        solution = open_solution(file, game if describe_file(file) == repr(game) else None, check=False)
    except GameError:
        if strict:
            raise
        return None
    return solution if type(solution.game) is type(game) and solution.header.method == "dense" else None


def _shared(game: Game, solution: Solution, wdl: bool) -> Iterator[tuple[int, KnownStage]]:
    if solution.header.wdl == wdl:
        for stage in solution.tables:
            same: Any = game.same_stage(solution.game, stage)
            if same is not None and int(game.size(same)) == solution.tables[stage].length:
                yield int(same), KnownStage(solution, stage)
