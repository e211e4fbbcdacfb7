"""The database: a solution in one file, validated when it is opened.

The file is an archive (see `archive_format.py`). Its header has the game, its parameters and a fingerprint of its
rules, the method, the counts by value and distance, and the record of each stage; its sections are, for each stage,

    keys_S      the states, packed and sorted, as steps from one to the next; none where a rule numbers the states
    entries_S   the entry of each, in the same order (see `entries.py`)
    uppers_S    the upper bounds of expectations, whose lower bounds are the entries

or `states`, a list of literals, where states do not compile.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.files import Damaged, FileError, build_time, check_replaceable, check_writable
from zermelo.formatting import plain_repr, shortened
from zermelo.game import Game, GameError, State
from zermelo.native.compilability import error_of
from zermelo.solving.enumeration.state_packing import Packing
from zermelo.solving.game_identity import GameIdentity
from zermelo.solving.plan import EXPECTATION, MARGIN, Plan
from zermelo.solving.solution import Solution
from zermelo.solving.storage.archive import write
from zermelo.solving.storage.archive_reader import Archive
from zermelo.solving.storage.database_header import DatabaseHeader, EntryCount
from zermelo.solving.storage.entry_tables import Column, EntryTable, IndexedTable, KeyedTable, ListedTable
from zermelo.solving.storage.section_validation import Check, first_wrong, section_checks
from zermelo.solving.storage.stage_records import encode_keys
from zermelo.solving.storage.store import Store
from zermelo.state_literals import plain, shaped


def make_header(
    game: Game, plan: Plan, packing: Packing | None, store: Store, wdl: bool, epsilon: float
) -> DatabaseHeader:
    """Return the header of a solution."""
    solved = [store.solved[stage] for stage in sorted(store.solved)]
    counts = [
        EntryCount(each.stage, entry - 1 + each.base if plan.values == MARGIN else entry, states, positions)
        for each in solved
        for entry, states, positions in each.counts
    ]
    return DatabaseHeader(
        name=_name(game),
        **GameIdentity.of(game).to_dict(),
        method=plan.method,
        order=plan.order,
        values=plan.values,
        why=plan.why,
        staged=plan.staged and plan.method != "interpreted",
        wdl=wdl,
        error=epsilon if plan.values == EXPECTATION else 0.0,
        packing=packing,
        stages=tuple(each.record for each in solved),
        counts=tuple(counts),
        created=creation_time(),
    )


def check_output(game: Game, path: Path) -> None:
    """Raise GameError if a solution cannot be written to a file, or would replace something else."""
    if error_of(game) is not None:  # the states are written as they are
        check_literals(game, [rules.initial_state(game)])
    check_writable(path)
    check_replaceable(path, lambda final: "" if (found := describe_file(final)) == repr(game) else found)


def describe_file(path: Path) -> str:
    """Return the game whose solution a file holds, or words that say that it holds none."""
    try:
        with Archive.open(path, check=False) as archive:
            return DatabaseHeader.game_name(archive.header)
    except FileError:
        return "nothing that this Zermelo can read"


def creation_time() -> str:
    """Now, or the time that SOURCE_DATE_EPOCH names, so that a file can be made again to the bit."""
    chosen = build_time()
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() if chosen is None else chosen))


def _name(game: Game) -> str | None:
    """The name by which the catalog knows the game. Other games have none: no file tells its reader what to run."""
    from zermelo.games.registry import GAMES, name_of

    name = name_of(game)
    return name if name.partition("(")[0] in GAMES else None


# -- from a store, or from a file ------------------------------------------------------------------------------------


def solution_in_memory(game: Game, header: DatabaseHeader, store: Store, packing: Packing | None) -> Solution:
    """Return the solution that a store holds."""
    tables: dict[int, Any] = {}
    for row in header.stages:
        solved = store.solved[row.stage]
        uppers = None if solved.uppers is None else Column(solved.uppers)
        columns = row, Column(solved.entries), uppers
        if packing is None or solved.stage not in store.keys:
            tables[solved.stage] = IndexedTable(game, solved.stage, *columns)
        else:
            tables[solved.stage] = KeyedTable(game, packing, Column(store.keys[solved.stage]), *columns)
    return Solution(game, header, tables)


class Unlisted(GameError):
    """A file that was made for a game of somebody's own, which must be given to read it; `how` says in which way."""

    def __init__(self, path: Path, game: object, how: str) -> None:
        super().__init__(f"{path} was made for {game}, which is not in the catalog; {how}.")
        self.path, self.game = path, game


def open_solution(path: Path, game: Game | None, check: bool) -> Solution:
    """Open the solution in a file. With `check`, validate all of its contents."""
    archive = Archive.open(path, check)
    try:
        solution = _solution(path, game, archive)
        if check:
            check_contents(solution)
    except BaseException:
        archive.close()
        raise
    return solution


def check_written(file: Path, path: Path, game: Game) -> None:
    """Raise Damaged unless a file that is to become `path` is a complete solution of the game."""
    try:
        with Archive.open(file, check=False) as archive:  # contents are looked at below, all of them
            check_contents(_solution(file, game, archive))
    except FileError as error:
        raise Damaged(f"{path} was not written, since what was solved makes no solution: {error}") from error


def _solution(path: Path, game: Game | None, archive: Archive) -> Solution:
    header = DatabaseHeader.read(path, archive.header)
    game = game or _load(path, header)
    header.identity.check(game, path)
    header.check_game(path, game)
    _check_sections(path, header, archive)
    return Solution(game, header, _tables(game, header, archive), path)


def _load(path: Path, header: DatabaseHeader) -> Game:
    from zermelo.games.registry import catalogued

    try:
        game = None if header.name is None else catalogued(header.name)
    except GameError as error:
        raise FileError(f"{path} was made for {shortened(header.game)}, which cannot be loaded: {error}") from None
    if game is None:
        raise Unlisted(path, shortened(header.game), "give the game as well: Solution.open(path, game)")
    return game


def _check_sections(path: Path, header: DatabaseHeader, archive: Archive) -> None:
    """Raise Damaged unless the sections are those of the header, each of its length."""
    wanted, found = header.sections(), dict(archive.entries)
    for name, (dtype, length) in wanted.items():
        entry = found.pop(name, None)
        if entry is None:
            raise Damaged(f"{path} is damaged: it has no section {name!r}.")
        if entry.dtype.str != dtype or length not in (entry.length, -1):
            raise Damaged(f"{path} is damaged: its section {name!r} is not as long as its header says, or of its kind.")
    for name in found:
        raise Damaged(f"{path} is damaged: its header knows nothing of the section {shortened(name)!r}.")


def check_contents(solution: Solution) -> None:
    """Raise Damaged if keys or entries are invalid, or not those that the header counts."""
    wrong = first_wrong(check for table in solution.tables.values() for check in _checks(solution.header, table))
    if wrong is not None:
        raise Damaged(f"{solution.path} is damaged: {wrong!r} does not hold what its header counts.")
    solution.checked = True


def _checks(header: DatabaseHeader, table: Any) -> Iterator[Check]:
    """The checks of the sections of a table."""
    assert isinstance(table, EntryTable)
    keys = table.keys if isinstance(table, KeyedTable) else None
    return section_checks(header, table.record, keys, table.entries, table.uppers)


def _tables(game: Game, header: DatabaseHeader, archive: Archive) -> dict[int, Any]:
    tables: dict[int, Any] = {}
    for record in header.stages:
        stage = record.stage
        uppers = f"uppers_{stage}"
        columns = (
            record, Column(archive, f"entries_{stage}"), Column(archive, uppers) if uppers in archive.names else None
        )  # fmt: skip
        if header.method == "interpreted":
            tables[stage] = ListedTable(_states(game, archive, record.length), *columns)
        elif header.packing is None:
            tables[stage] = IndexedTable(game, stage, *columns)
        else:
            tables[stage] = KeyedTable(game, header.packing, Column(archive, f"keys_{stage}"), *columns)
    return tables


def save_solution(solution: Solution, path: Path) -> Solution:
    """Write a solution that is in memory to a file."""
    check_output(solution.game, path)
    write(path, solution.header.to_dict(), _sections(solution))
    return open_solution(path, solution.game, check=False)


def _sections(solution: Solution) -> Any:
    for stage, table in sorted(solution.tables.items()):
        assert isinstance(table, EntryTable)
        if isinstance(table, KeyedTable):
            yield f"keys_{stage}", encode_keys(table.sorted_keys(), table.packing.words)
        elif isinstance(table, ListedTable):
            yield "states", _literals(solution.game, table.states)
        yield f"entries_{stage}", table.entries.array()
        if table.uppers is not None:
            yield f"uppers_{stage}", table.uppers.array()


# -- states as text --------------------------------------------------------------------------------------------------


def _literals(game: Game, states: list[State]) -> Any:
    """States as lines of text, each a Python literal."""
    lines = check_literals(game, states)
    return np.frombuffer("\n".join(lines).encode(), np.uint8)


def check_literals(game: Game, states: list[State]) -> list[str]:
    """States as literals, each in a line. Raise GameError for one that is none."""
    lines = [plain_repr(plain(state)) for state in states]
    for state, line in zip(states, lines, strict=True):
        if _read(game, line) != state:
            raise GameError(
                f"{game!r}: {shortened(repr(state))} cannot be written as a literal, so the solution cannot be saved; "
                "make the state a NamedTuple of numbers, texts and tuples."
            )
    return lines


def _states(game: Game, archive: Archive, count: int) -> list[State]:
    """The states that a file lists: their number, each once."""
    try:
        lines = archive.array("states").tobytes().decode().split("\n")
    except UnicodeDecodeError:
        lines = []
    states = [_read(game, line) for line in lines] if len(lines) == count else []
    if None in states or len(set(states)) != count:
        raise Damaged(f"{archive.path} is damaged: 'states' does not hold the states that its header counts.")
    return states


def _read(game: Game, line: str) -> State:
    """The state that a line of text stands for; None if it is none."""
    try:
        state = shaped(ast.literal_eval(line), rules.initial_state(game))
        hash(state)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return state
