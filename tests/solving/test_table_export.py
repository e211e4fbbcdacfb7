"""Solutions as tables: what is written is what the solution says, and comes back from CSV and Parquet."""

import csv
import sys
from typing import NamedTuple

import numpy as np
import pyarrow.parquet as pq
import pytest
from test_solve import Race, solved

import zermelo as z
from solve_games import Depths, Landings, Lots, Rounds, Squares, Stairs, Turns
from zermelo import Solution, rules
from zermelo.solving import table_export
from zermelo.solving.table_export import table_columns

KINDS = [Stairs(), Depths(), Landings(), Rounds(), Squares(), Lots(), Turns(), Race()]


def solution_of(game):
    return solved(game) if game.native is None else z.solve(game)


def expected_rows(solution, best=False):
    """The rows of the table, each state looked up alone."""
    game, rows = solution.game, []
    for state, value in solution.items():
        numbers = [] if solution.header.method == "interpreted" else list(map(int, rules.numbers(state)))
        outcome = None if value.outcome is None else {1: "win", 0: "draw", -1: "loss"}[value.outcome]
        row = [game.state_text(state), *numbers, outcome, value.plies, value.score, value.repetition]
        rows.append([*row, ", ".join(game.move_text(state, move) for move in solution.best(state))] if best else row)
    return rows


@pytest.mark.parametrize("game", KINDS, ids=repr)
def test_tables_hold_every_state_with_its_value(game, tmp_path, monkeypatch):
    monkeypatch.setattr(table_export, "ROWS_AT_A_TIME", 1000)
    solution = solution_of(game)
    rows, names = expected_rows(solution), [column.name for column in table_columns(solution, False)]
    for each in (solution, solution.save(tmp_path / "file")):
        each.to_csv(tmp_path / "table.csv")
        with open(tmp_path / "table.csv", newline="", encoding="utf-8") as file:
            first, *found = csv.reader(file)
        assert first == names
        assert found == [["" if item is None else str(item) for item in row] for row in rows]
        each.to_parquet(tmp_path / "table.parquet")
        table = pq.read_table(tmp_path / "table.parquet")
        assert table.column_names == names
        assert [list(row.values()) for row in table.to_pylist()] == rows
        assert table.schema.metadata[b"game"] == repr(game).encode()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "table.csv", "table.parquet"]


@pytest.mark.parametrize("game", [z.load("tic_tac_toe"), z.load("pig(8)")], ids=repr)
def test_best_moves(game, tmp_path):
    solution = z.solve(game)
    solution.to_csv(tmp_path / "table.csv", best=True)
    solution.to_parquet(tmp_path / "table.parquet", best=True)
    with open(tmp_path / "table.csv", newline="", encoding="utf-8") as file:
        lines = [row["best"] for row in csv.DictReader(file)]
    rows = expected_rows(solution, best=True)
    assert lines == pq.read_table(tmp_path / "table.parquet")["best"].to_pylist() == [row[-1] for row in rows]
    assert any(lines)


class Inner(NamedTuple):
    plies: int
    pair: tuple[int, int]


class Outer(NamedTuple):
    state: int
    inner: Inner
    wide: np.uint64


class Named(z.Game):
    """Names that the table has itself, a part inside another, and a word of 64 bits."""

    def initial(self):
        return Outer(0, Inner(0, (1, 2)), (1 << 64) - 1)

    def moves(self, state):
        return range(2)

    def play(self, state, move):
        return Outer(state.state + move + 1, state.inner, state.wide)

    def result(self, state):
        return z.ONGOING if state.state < 4 else z.LOSS


def test_names_and_types_of_numbers(tmp_path):
    solution = z.solve(Named())
    solution.to_parquet(tmp_path / "table.parquet")
    table = pq.read_table(tmp_path / "table.parquet")
    kinds = {field.name: str(field.type) for field in table.schema}
    assert kinds == {
        "state": "string", "state_": "int64", "inner_plies": "int64", "inner_pair_0": "int64", "inner_pair_1": "int64",
        "wide": "uint64", "outcome": "string", "plies": "int64", "score": "int64", "repetition": "bool",
    }  # fmt: skip
    assert set(table["wide"].to_pylist()) == {(1 << 64) - 1}
    assert table["state"].to_pylist() == [solution.game.state_text(state) for state in solution]


def test_a_table_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    solution = solved(Stairs()).save(tmp_path / "file")
    tables = ((solution.to_csv, "table.csv", "state,old"), (solution.to_parquet, "table.parquet", "PAR1 old"))
    for write, name, old in tables:
        path = tmp_path / name
        path.write_text(old)
        whole = table_export.batches

        def some(*args, whole=whole):
            yield next(whole(*args))
            raise z.GameError("no more")

        with monkeypatch.context() as patch:
            patch.setattr(table_export, "batches", some)
            with pytest.raises(z.GameError, match="no more"):
                write(path)
        assert path.read_text() == old
        path.write_text("diary")
        with pytest.raises(z.FileError, match="would be replaced, and it holds no such table"):
            write(path)
        with pytest.raises(z.FileError, match=r"file would be replaced, and it holds the solution itself"):
            write(tmp_path / "file")
        with pytest.raises(z.FileError, match="cannot be written: there is no folder"):
            write(tmp_path / "none" / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "table.csv", "table.parquet"]
    assert len(Solution.open(tmp_path / "file", Stairs())) == len(solution)


def test_parquet_needs_pyarrow(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(z.GameError, match=r"to_parquet writes with pyarrow: pip install 'zermelo\[parquet\]'"):
        solved(Stairs()).to_parquet(tmp_path / "table.parquet")
    assert not list(tmp_path.iterdir())
