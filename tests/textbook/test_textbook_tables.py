"""The tables: backward induction, retrograde analysis, and the graph beneath them."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import zermelo as z
from random_games import ChanceLoopGame, FreeGame, FreeLoopGame, LoopGame, PointsGame, RandomGame, tree
from zermelo.textbook import TwoBits, backward_induction, retrograde


def seeds(first, kinds):
    """Ten games of each kind."""
    return (kind(seed) for kind in kinds for seed in range(first, first + 10))


@pytest.mark.parametrize("first", range(0, 130, 10))
def test_backward_induction_values_every_state(first):
    kinds = [partial(kind, 14) for kind in (RandomGame, FreeGame, PointsGame)]
    for game in seeds(first, [*kinds, lambda seed: z.GameTree(tree(seed, chance=True))]):
        table = backward_induction(game)
        for state in table:
            assert abs(table[state].score - naive.value(game, state)) <= 1e-12
            assert table.best(state) == naive.best_moves(game, state)


def test_every_move_leads_to_a_later_level():
    game = RandomGame(40, 5)
    table = backward_induction(game)
    level = {state: number for number, states in enumerate(table.levels) for state in states}
    assert len(level) == len(table) == sum(len(states) for states in table.levels)
    for state in table:
        for edge in table.graph.edges[table.graph.number(state)]:
            assert level[table.graph.states[edge.target]] > level[state]


def test_states_are_valued_once_however_many_ways_lead_to_them():
    game = z.load("tic_tac_toe")
    assert len(backward_induction(game, symmetric=True)) == 765
    table = backward_induction(game)
    assert (len(table), str(table.value)) == (5478, "draw")


def test_backward_induction_refuses_loops():
    with pytest.raises(z.GameError, match=r"needs a game without loops, but \d+ repeats; use retrograde"):
        backward_induction(LoopGame(8, 1))
    with pytest.raises(z.GameError, match="use value_iteration"):
        backward_induction(ChanceLoopGame(8, 1))


@pytest.mark.parametrize("first", range(0, 130, 10))
def test_retrograde_agrees_with_the_referee(first):
    for game in seeds(first, [partial(kind, 14) for kind in (LoopGame, FreeLoopGame, RandomGame, FreeGame)]):
        table, truth = retrograde(game), naive.outcomes(game)
        for (state, _player), (outcome, distance) in truth.items():
            value = table[state]
            assert value.repetition == (outcome == "repetition")
            assert value.outcome == (z.DRAW if value.repetition else outcome)
            assert value.plies == distance
        assert sum(table.counts().values()) == len(table)


def test_all_four_entries_occur():
    found = set()
    for seed in range(30):
        found |= {letter for letter, count in retrograde(LoopGame(14, seed)).counts().items() if count}
    assert found == set("WLD?")


class Draws(z.Game):
    """0: cycle, or end the game in a draw; 1: go back to 0 only. 2 and 3 only cycle."""

    loops = True
    start: int = 0

    def initial(self):
        return self.start

    def moves(self, state):
        return range(2 if state == 0 else 1)

    def play(self, state, move):
        return 4 if move == 1 else state ^ 1

    def result(self, state):
        return z.DRAW if state == 4 else z.ONGOING


def test_a_draw_by_rule_is_not_a_draw_by_repetition():
    assert str(retrograde(Draws(0)).value) == "draw"
    assert str(retrograde(Draws(1)).value) == "draw"
    assert str(retrograde(Draws(2)).value) == "draw by repetition"
    assert str(retrograde(Draws(0)).entries).count("D") == 3


def test_retrograde_refuses_points_and_chance():
    with pytest.raises(z.GameError, match="has wins and losses, no points; use backward_induction"):
        retrograde(z.GameTree([1, 2]))
    with pytest.raises(z.GameError, match="has no chance nodes; use value_iteration"):
        retrograde(z.load("pig(10)"))


@given(st.lists(st.integers(0, 3), max_size=50))
def test_two_bits_hold_four_entries_to_a_byte(entries):
    table = TwoBits(len(entries))
    for index, entry in enumerate(entries):
        table[index] = 3 - entry
        table[index] = entry
    assert list(table) == entries
    assert len(table.data) == (len(entries) + 3) // 4


def test_a_state_that_cannot_be_reached_gets_a_sentence():
    with pytest.raises(z.GameError, match="99 cannot be reached"):
        retrograde(LoopGame(14, 0))[99]


def test_tables_become_records():
    record = backward_induction(z.GameTree([[3, 12], [8, 2]])).to_dict()
    assert record["value"]["score"] == 3
    assert record["states"][0]["state"] == "root"
    assert len(record["states"]) == 7


@pytest.mark.parametrize(("algorithm", "game"), [(backward_induction, z.load("nim")), (retrograde, LoopGame(14, 0))])
def test_progress_counts_the_states(algorithm, game):
    told = []
    table = algorithm(game, progress=lambda *each: told.append(each))
    forward = [(done, total) for phase, done, total in told if phase == "forward"]
    backward = [(done, total) for phase, done, total in told if phase == "backward"]
    assert [phase for phase, *_ in told] == ["forward"] * len(forward) + ["backward"] * len(backward)
    assert [done for done, _ in forward] == list(range(1, len(table) + 1))
    assert forward[-1] == (len(table), len(table))
    assert backward == sorted(backward)
    assert 0 < backward[-1][0] <= len(table)
    assert {total for _, total in backward} == {len(table)}
