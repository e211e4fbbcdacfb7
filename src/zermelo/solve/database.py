"""The database: a solution in one file, which says what it is and is believed only if that is true.

The file is an archive (see `format.py`). Its header has the game, its parameters and a fingerprint of its rules, the
method, the counts by value and distance, and the record of each stage; its sections are, for each stage,

    keys_S      the states, packed and sorted, as steps from one to the next; none where a rule numbers the states
    entries_S   what is known of each, in the same order (see `entries.py`)
    uppers_S    the upper bounds of expectations, whose lower bounds are the entries

or `states`, a list of literals, where states do not compile.
"""

from __future__ import annotations

import ast
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.files import FileError, writable
from zermelo.game import Game, GameError, State, plain, shaped
from zermelo.pretty import written
from zermelo.solve.archive import write
from zermelo.solve.identity import check_identity, identity
from zermelo.solve.packing import Packing
from zermelo.solve.plan import CHANCE, POINTS, Plan
from zermelo.solve.reader import Archive
from zermelo.solve.solution import Solution
from zermelo.solve.store import Store, encoded, record_of
from zermelo.solve.tables import Column, Entries, Keyed, Listed, Numbered

KIND = "solution"


def header_of(
    game: Game, plan: Plan, packing: Packing | None, store: Store, wdl: bool, epsilon: float
) -> dict[str, Any]:
    """What a file says of itself."""
    records = [record_of(store.solved[stage]) for stage in sorted(store.solved)]
    counts = [
        [record["stage"], entry - 1 + record["base"] if plan.values == POINTS else entry, states, positions]
        for record in records
        for entry, states, positions in record.pop("counts")
    ]
    return {
        "kind": KIND,
        "name": _name(game),
        **identity(game),
        "method": plan.method,
        "order": plan.order,
        "values": plan.values,
        "why": plan.why,
        "staged": plan.staged and plan.method != "interpreted",
        "wdl": wdl,
        "error": epsilon if plan.values == CHANCE else 0.0,
        "packing": None if packing is None else packing.to_list(),
        "stages": records,
        "counts": counts,
        "created": created(),
    }


def check_place(game: Game, path: Path) -> None:
    """A sentence if a solution cannot be written to a file, or something else would be lost there."""
    final = writable(path)
    if final.exists() and (holds := what_it_holds(final)) != repr(game):
        raise FileError(f"{path} would be replaced, and it holds {holds}; delete it, or name another file.")


def what_it_holds(path: Path) -> str:
    """Of which game a file has the solution, in words where it has none."""
    try:
        with Archive.open(path, check=False) as archive:
            return str(archive.header.get("game", "no solution of a game"))
    except FileError:
        return "nothing that this Zermelo can read"


def created() -> str:
    """Now, or the time that SOURCE_DATE_EPOCH names, so that a file can be made again to the bit."""
    chosen = os.environ.get("SOURCE_DATE_EPOCH", "")
    if chosen and not chosen.isdecimal():
        raise GameError(f"SOURCE_DATE_EPOCH must be a number of seconds, not {chosen!r}.")
    seconds = int(chosen or time.time())
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _name(game: Game) -> str | None:
    """The name by which the catalog knows the game. Other games have none: no file tells its reader what to run."""
    from zermelo.games.registry import name_of

    return name_of(game) if type(game).__module__.startswith("zermelo.games.") else None


# -- from a store, or from a file ------------------------------------------------------------------------------------


def in_memory(game: Game, header: dict[str, Any], store: Store, packing: Packing | None) -> Solution:
    """The solution that a store holds."""
    tables: dict[int, Any] = {}
    for row in header["stages"]:
        solved = store.solved[row["stage"]]
        uppers = None if solved.uppers is None else Column(solved.uppers)
        columns = row, Column(solved.entries), uppers
        if packing is None or solved.stage not in store.keys:
            tables[solved.stage] = Numbered(game, solved.stage, *columns)
        else:
            tables[solved.stage] = Keyed(game, packing, Column(store.keys[solved.stage]), *columns)
    return Solution(game, header, tables)


class Unlisted(GameError):
    """A file that was made for a game of somebody's own, which must be given to read it; `how` says in which way."""

    def __init__(self, path: Path, game: object, how: str) -> None:
        super().__init__(f"{path} was made for {game}, which is not in the catalog; {how}.")
        self.path, self.game = path, game


def opened(path: Path, game: Game | None, check: bool) -> Solution:
    """The solution in a file."""
    archive = Archive.open(path, check)
    header = archive.header
    if header.get("kind") != KIND:
        raise FileError(f"{path} holds no solution of a game.")
    game = game or _load(path, header)
    check_identity(game, header, path)
    return Solution(game, header, _tables(game, archive), path)


def _load(path: Path, header: dict[str, Any]) -> Game:
    from zermelo.games.registry import load

    if not header.get("name"):
        raise Unlisted(path, header.get("game"), "give the game as well: Solution.open(path, game)")
    return load(header["name"])


def _tables(game: Game, archive: Archive) -> dict[int, Any]:
    header = archive.header
    tables: dict[int, Any] = {}
    for row in header["stages"]:
        stage = row["stage"]
        uppers = f"uppers_{stage}"
        columns = row, Column(archive, f"entries_{stage}"), Column(archive, uppers) if uppers in archive.names else None
        if header["method"] == "interpreted":
            tables[stage] = Listed(_states(game, archive.array("states")), *columns)
        elif header["packing"] is None:
            tables[stage] = Numbered(game, stage, *columns)
        else:
            packing = Packing.from_list(header["packing"])
            tables[stage] = Keyed(game, packing, Column(archive, f"keys_{stage}"), *columns)
    return tables


def saved(solution: Solution, path: Path) -> Solution:
    """Write a solution that is in memory to a file."""
    check_place(solution.game, path)
    write(path, solution.header, _sections(solution))
    return opened(path, solution.game, check=False)


def _sections(solution: Solution) -> Any:
    for stage, table in sorted(solution.tables.items()):
        assert isinstance(table, Entries)
        if isinstance(table, Keyed):
            yield f"keys_{stage}", encoded(table.sorted_keys(), table.packing.words)
        elif isinstance(table, Listed):
            yield "states", _literals(solution.game, table.states)
        yield f"entries_{stage}", table.entries.array()
        if table.uppers is not None:
            yield f"uppers_{stage}", table.uppers.array()


# -- states as text --------------------------------------------------------------------------------------------------


def _literals(game: Game, states: list[State]) -> Any:
    """States as lines of text, each a Python literal."""
    lines = [written(plain(state)) for state in states]
    for state, line in zip(states, lines, strict=True):
        if _read(game, line) != state:
            raise GameError(f"{game!r}: {state!r} cannot be written as a literal, so the solution cannot be saved.")
    return np.frombuffer("\n".join(lines).encode(), np.uint8)


def _states(game: Game, text: Any) -> list[State]:
    return [_read(game, line) for line in text.tobytes().decode().split("\n")]


def _read(game: Game, line: str) -> State:
    try:
        return shaped(ast.literal_eval(line), rules.start(game))
    except (ValueError, SyntaxError, TypeError):
        return None
