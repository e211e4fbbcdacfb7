"""A solution as a table for other programs: CSV, or Parquet by pyarrow, written block by block.

Each state is a row: its text, its numbers, and the fields of `Solution.values`. A cell is empty where a value has none.
"""

from __future__ import annotations

import csv
import io
import typing
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo import rules
from zermelo.files import (
    FileError,
    Output,
    atomic_writer,
    check_replaceable,
    check_writable,
    file_errors,
    no_such_content,
)
from zermelo.game import GameError, State
from zermelo.solving.bulk_lookup import NO_PLIES, stored_values
from zermelo.solving.plan import EXPECTATION
from zermelo.solving.solution_statistics import NAMES

if TYPE_CHECKING:
    from zermelo.solving.solution import Solution

TEXT, INTEGER, UNSIGNED, REAL, FLAG = "string", "int64", "uint64", "float64", "bool"
"""Types of columns, by their names in Arrow."""

ROWS_AT_A_TIME = 1 << 16
"""Rows of a group of a Parquet file."""


class ColumnType(NamedTuple):
    """The name of a column and the type of its items."""

    name: str
    type: str


def write_csv(solution: Solution, path: Path, best: bool) -> None:
    """Write all states of a solution as CSV, with a line of names first."""
    columns = table_columns(solution, best)
    with _output(solution, path, b"state,") as output:
        output.write(_lines([[column.name for column in columns]]))
        for batch in batches(solution, best):
            output.write(_lines(zip(*batch, strict=True)))


def write_parquet(solution: Solution, path: Path, best: bool) -> None:
    """Write all states of a solution as Parquet. Raise GameError if pyarrow is not installed."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise GameError("to_parquet writes with pyarrow: pip install 'zermelo[parquet]'") from None
    columns = table_columns(solution, best)
    schema = pa.schema([(column.name, pa.type_for_alias(column.type)) for column in columns])
    schema = schema.with_metadata({"game": repr(solution.game), "method": solution.header.method})
    with _output(solution, path, b"PAR1") as output, file_errors(path, "written"):
        buffer = io.BufferedWriter(output.file)
        with parquet.ParquetWriter(buffer, schema, compression="zstd") as writer:
            tables = (pa.Table.from_arrays(list(map(pa.array, batch, schema.types)), schema=schema)
                      for batch in batches(solution, best))  # fmt: skip
            for table in _row_groups(tables, pa.concat_tables):
                writer.write_table(table, ROWS_AT_A_TIME)
        buffer.flush()
        buffer.detach()


def _row_groups(tables: Iterator[Any], concatenate: Callable[[list[Any]], Any]) -> Iterator[Any]:
    """Tables put together, so that a group of rows is not too small to compress well."""
    pending: list[Any] = []
    for table in tables:
        pending.append(table)
        if sum(len(each) for each in pending) >= ROWS_AT_A_TIME:
            yield concatenate(pending)
            pending = []
    if pending:
        yield concatenate(pending)


def _output(solution: Solution, path: Path, beginning: bytes) -> AbstractContextManager[Output]:
    final = check_writable(path)
    if solution.path is not None and final == solution.path.resolve():
        raise FileError(f"{path} would be replaced, and it holds the solution itself; name another file.")
    check_replaceable(path, no_such_content("such table", beginning))
    return atomic_writer(path)


def _lines(rows: Any) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


# -- columns ---------------------------------------------------------------------------------------------------------


def table_columns(solution: Solution, best: bool) -> list[ColumnType]:
    """The columns of the table."""
    score = REAL if solution.header.values == EXPECTATION else INTEGER
    values = [("outcome", TEXT), ("plies", INTEGER), ("score", score), ("repetition", FLAG)]
    taken = {"state", "best", *(name for name, _ in values)}
    numbers = []
    for name, kind in _number_columns(solution):
        while name in taken:
            name += "_"
        taken.add(name)
        numbers.append((name, kind))
    columns = [("state", TEXT), *numbers, *values, *([("best", TEXT)] if best else [])]
    return [ColumnType(*column) for column in columns]


def _number_columns(solution: Solution) -> list[tuple[str, str]]:
    """The numbers of a state by name; none where states do not compile, since they may be of any kind."""
    if solution.header.method == "interpreted":
        return []
    first = rules.initial_state(solution.game)
    return list(_named_numbers(first, None, "")) if isinstance(first, tuple) else [("number", INTEGER)]


def _named_numbers(part: Any, hint: Any, name: str) -> Iterator[tuple[str, str]]:
    if not isinstance(part, tuple):
        yield name, REAL if isinstance(part, float) or hint is float else UNSIGNED if hint is np.uint64 else INTEGER
        return
    fields = getattr(type(part), "_fields", range(len(part)))
    try:
        hints = typing.get_type_hints(type(part))
    except (NameError, TypeError, SyntaxError):  # annotations that cannot be evaluated here
        hints = {}
    for field, inner in zip(fields, part, strict=True):
        yield from _named_numbers(inner, hints.get(str(field)), f"{name}_{field}" if name else f"{field}")


def batches(solution: Solution, best: bool) -> Iterator[list[Any]]:
    """The columns of some rows at a time."""
    game, width = solution.game, len(_number_columns(solution))
    for _, table in sorted(solution.tables.items()):
        for places, states in table.batches():
            values = stored_values(solution, table, places)
            missing = np.isnan(values.score)
            if missing.any():
                raise solution._without_value()
            numbers = zip(*map(_plain_numbers, states), strict=True) if width else ()
            exact = solution.header.values == EXPECTATION
            batch = [[game.state_text(state) for state in states], *map(list, numbers)]
            batch.append([NAMES.get(outcome) for outcome in values.outcome.tolist()])
            batch.append([None if plies == NO_PLIES else plies for plies in values.plies.tolist()])
            batch.append(values.score.tolist() if exact else values.score.astype(np.int64).tolist())
            batch.append(values.repetition.tolist())
            if best:
                batch.append([_best_moves(solution, state) for state in states])
            yield batch


def _plain_numbers(state: State) -> list[Any]:
    return [number if isinstance(number, float) else int(number) for number in rules.numbers(state)]


def _best_moves(solution: Solution, state: State) -> str:
    """The best moves of a state in the game's notation, a comma between them."""
    return ", ".join(solution.game.move_text(state, move) for move in solution.best(state))
