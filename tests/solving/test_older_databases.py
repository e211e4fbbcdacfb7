"""Databases that an earlier version wrote: they open, and hold the values that a solve finds now."""

from pathlib import Path

import pytest

import zermelo as z

DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize(
    ("file", "values"), [("nim", "outcomes"), ("kalah", "points"), ("three_mens_morris", "outcomes")]
)
def test_an_older_database_holds_the_values_of_a_new_solve(file, values):
    older = z.Solution.open(DATA / f"{file}.zermelo")
    newer = z.solve(older.game, threads=1)
    assert older.header.values == newer.header.values == values
    numbers, lengths = zip(*((each.stage, each.length) for each in older.header.stages), strict=True)
    assert numbers == tuple(each.stage for each in newer.header.stages)
    assert lengths == tuple(each.length for each in newer.header.stages)  # points may have another base by now
    assert older.header.counts == newer.header.counts
    assert [(state, str(value)) for state, value in older.items()] == [
        (state, str(value)) for state, value in newer.items()
    ]
