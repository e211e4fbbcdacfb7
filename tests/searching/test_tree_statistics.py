"""Tree statistics, against what their formulas say of trees whose shape is known."""

import json

import pytest

import random_games
import zermelo as z
from zermelo import Limit
from zermelo.searching import tree_statistics


class Tree(z.RandomTree):
    """A random tree that is not worth compiling."""

    native = False


def test_the_minimal_tree_is_that_of_knuth_and_moore():
    assert [tree_statistics.minimal_tree(3, depth) for depth in range(6)] == [1, 3, 5, 11, 17, 35]
    assert [tree_statistics.full_tree(3, depth) for depth in range(4)] == [1, 3, 9, 27]


@pytest.mark.parametrize("branching", [2, 5])
def test_the_branching_factor_of_a_regular_tree_is_its_own(branching):
    game = Tree(branching=branching, depth=6, seed=1)
    report = z.search(game, limit=Limit(depth=5))
    measured = report.statistics
    assert measured.branching_factor == branching
    assert (measured.depth, measured.nodes) == (5, report.rounds[-1])
    assert measured.full == branching**5
    assert measured.minimal == branching**3 + branching**2 - 1
    assert measured.effective_branching_factor == pytest.approx(measured.nodes ** (1 / 5))


def test_the_branching_factor_of_an_uneven_tree_is_near_the_count_of_its_leaves():
    game = z.load("tic_tac_toe")
    factor = tree_statistics.branching_factor(game, game.initial(), 9)
    # 255168 games of tic-tac-toe are possible
    assert factor**9 == pytest.approx(255168, rel=0.05)


def test_the_table_of_rounds():
    report = z.search(Tree(branching=3, depth=6, seed=2), limit=Limit(depth=4))
    rounds = report.statistics.rounds
    assert [each.nodes for each in rounds] == list(report.rounds)
    assert rounds[0].growth is None
    assert rounds[-1].growth == report.growth
    text = str(report.statistics)
    assert len(text.splitlines()) == 6
    assert "3.00 moves a state on average" in text
    record = json.loads(json.dumps(report.statistics.to_dict()))
    assert record["full"] == 81
    assert [each["depth"] for each in record["rounds"]] == [1, 2, 3, 4]


def test_chance_and_a_search_without_rounds_have_figures_too():
    dice = z.search(random_games.ChanceGame(size=30, seed=2), limit=Limit(depth=3)).statistics
    assert dice.depth == 3
    assert dice.branching_factor > 1
    proven = z.search(random_games.RandomGame(size=12, seed=1), exact=True).statistics
    assert (proven.depth, proven.nodes, proven.effective_branching_factor) == (0, 0, None)
    assert "moves a state" in str(proven)


def test_a_report_gives_its_rounds_and_bounds_to_json():
    record = json.loads(json.dumps(z.search(random_games.RandomGame(size=12, seed=1)).to_dict()))
    assert len(record["rounds"]) == record["depth"]
    assert len(record["bounds"]) == 2
    assert record["bounds"][0] == record["bounds"][1]


def test_a_report_without_rounds_says_so():
    game = z.load("tic_tac_toe")
    for report in (z.prove(game), z.monte_carlo(game, limit=Limit(nodes=20)), z.search_many(game, [game.initial()])[0]):
        assert str(report.statistics) == "9.00 moves a state on average; there were no iterations to compare"
