"""`solution.values(states)`: the values of many states are those that each has alone."""

import math
import random

import numpy as np
import pandas as pd
import pytest
from test_solve import Race, solved

import zermelo as z
from solve_games import Depths, Landings, Lots, Rounds, Squares, Stairs, Turns
from zermelo import Solution, rules
from zermelo.solving import bulk_lookup
from zermelo.solving.bulk_lookup import NO_OUTCOME, NO_PLIES
from zermelo.solving.enumeration.state_rows import state_maker, state_rows
from zermelo.solving.storage import entry_tables

KINDS = [Stairs(), Depths(), Landings(), Rounds(), Squares(), Lots(), Turns(), Race()]


@pytest.fixture(params=KINDS, ids=repr)
def solution(request):
    game = request.param
    return solved(game) if game.native is None else z.solve(game)


@pytest.fixture(params=["interpreted", "compiled"])
def way(request, monkeypatch):
    monkeypatch.setattr(bulk_lookup, "COMPILE_SECONDS", 1e9 if request.param == "interpreted" else -1)
    monkeypatch.setattr(bulk_lookup, "TRIED_STATES", 64)
    monkeypatch.setattr(bulk_lookup, "STATES_AT_A_TIME", 1000)
    return request.param


def some_states(solution, count=600):
    """States in random order: solved ones, twice, and equivalent ones."""
    listed, source = list(solution), random.Random(1)
    found = source.choices(listed, k=count)
    images = [image for state in found[:100] for image in solution.game.symmetries(state)]
    found += [image for image in images if image in solution]
    source.shuffle(found)
    return found


def row_of(value):
    """A value as a row of the array."""
    if value is None:
        return math.nan, NO_OUTCOME, NO_PLIES, False
    outcome = NO_OUTCOME if value.outcome is None else value.outcome
    return value.score, outcome, NO_PLIES if value.plies is None else value.plies, value.repetition


def same(found, values):
    assert len(found) == len(values)
    for row, value in zip(found.tolist(), values, strict=True):
        assert row == row_of(value) or (value is None and math.isnan(row[0]) and row[1:] == row_of(None)[1:])
    return True


def test_values_are_those_of_each_state(solution, way, tmp_path):
    states = some_states(solution)
    values = [solution[state] for state in states]
    assert same(solution.values(states), values)
    solution.save(tmp_path / "file")
    opened = Solution.open(tmp_path / "file", solution.game, check=False)
    assert same(opened.values(iter(states)), values)
    assert same(opened.values([]), [])
    assert same(opened.values(states[:1]), values[:1])


def test_every_state_of_a_file_of_many_blocks(way, tmp_path):
    game = z.load("connect_four(4,4)")
    solution = z.solve(game, tmp_path / "file", threads=1)
    assert max(table.length for table in solution.tables.values()) > entry_tables.KEYS_PER_BLOCK
    states, values = zip(*solution.items(), strict=True)
    assert same(solution.values(states), values)


def test_states_that_were_not_solved(solution, way):
    states = some_states(solution, 200)
    strange = [tampered(state, 3) for state in states] + [tampered(state, 1 << 61) for state in states[:20]]
    states = [state for pair in zip(states, strange, strict=False) for state in pair]
    values = [solution.get(state) for state in states]
    assert same(solution.values(states, strict=False), values)
    missing = [state for state, value in zip(states, values, strict=True) if value is None]
    if missing:
        with pytest.raises(z.GameError) as bulk:
            solution.values(states)
        with pytest.raises(z.GameError) as alone:
            solution.value(missing[0])
        assert str(bulk.value) == str(alone.value)


def tampered(state, by):
    """A state with another last number."""
    if not isinstance(state, tuple):
        return state + by
    *first, last = state
    return type(state)(*first, tampered(last, by)) if hasattr(state, "_fields") else (*first, tampered(last, by))


def test_rows_of_an_array(way):
    solution = solved(Landings())
    states = some_states(solution)
    rows = np.array(states)
    values = [solution[state] for state in states]
    for dtype in (np.int64, np.uint64, np.int32):
        assert same(solution.values(rows.astype(dtype)), values)
    assert same(solution.values(np.asfortranarray(rows)), values)
    with pytest.raises(z.GameError, match=r"a state is a row of 2 whole numbers, and the array of float64 has"):
        solution.values(rows.astype(float))
    with pytest.raises(z.GameError, match="a state is a row of"):
        solution.values(rows[:, :1])


def test_what_is_no_state_is_refused_as_it_is_alone(way):
    solution = solved(Stairs())
    states = some_states(solution, 200)
    assert same(solution.values([tuple(state) for state in states]), [solution[state] for state in states])
    for wrong in ("text", (1, 2, 3, 4, 5), None, 1.5):
        with pytest.raises(z.GameError) as bulk:
            solution.values([*states, wrong])
        with pytest.raises(KeyError) as alone:
            solution[wrong]
        assert str(bulk.value) == str(alone.value)
        assert np.isnan(solution.values([*states, wrong], strict=False).score[-1])


def test_one_state_is_not_many():
    solution = solved(Stairs())
    for one in (solution.game.initial(), 5):
        with pytest.raises(z.GameError, match=r"`values` takes many states, not .*; solution\[state\] takes one\."):
            solution.values(one)


def test_without_distances(way):
    game = Stairs()
    solution = z.solve(game, wdl=True)
    states = some_states(solution)
    assert same(solution.values(states), [solution[state] for state in states])


def test_the_array_makes_a_data_frame():
    solution = z.solve(z.load("tic_tac_toe"))
    frame = pd.DataFrame(solution.values(list(solution)))
    assert list(frame.columns) == ["score", "outcome", "plies", "repetition"]
    assert frame.outcome.value_counts().to_dict() == {1: 390, -1: 224, 0: 151}
    assert sum(value.outcome == z.WIN for value in solution.values()) == 390


@pytest.mark.parametrize("game", [*KINDS[:-1], z.load("chess"), z.load("gomoku(5)"), z.load("kayles")], ids=repr)
def test_rows_and_back(game):
    states = [game.initial()]
    for _ in range(4):
        if moves := rules.legal_actions(game, states[-1]):
            states.append(game.play(states[-1], moves[-1]))
    rows, make = state_rows(game, states), state_maker(game)
    assert rows.dtype == np.int64
    for state, row in zip(states, rows.tolist(), strict=True):
        assert [number % (1 << 64) for number in rules.numbers(state)] == [number % (1 << 64) for number in row]
        if min(row) >= 0:
            assert make(row) == state
            assert type(make(row)) is type(state)


def test_states_unlike_the_initial_one_have_no_rows():
    game = Stairs()
    first = game.initial()
    for other in ("text", tuple(first), first._replace(place=1.5), first._replace(place=(1, 2))):
        assert state_rows(game, [first, other]) is None
    huge = first._replace(place=(1 << 64) - 1)
    assert state_rows(game, [huge])[0].tolist().count(-1) == 1
    assert state_rows(game, [first._replace(place=1 << 64)]) is None
    assert state_rows(game, []) is None
