"""Expectiminimax, Star1 and Star2 against the referee and against each other."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import zermelo as z
from random_games import ChanceGame, ChanceLoopGame, regular_tree, tree
from zermelo.textbook import backward_induction, expectiminimax, star1, star2, value_iteration

TREES = [z.GameTree(tree(seed, chance=True)) for seed in range(300)]
GAMES = [ChanceGame(14, seed) for seed in range(60)]


@pytest.mark.parametrize("first", range(0, 360, 30))
def test_searches_with_chance_agree_with_the_referee(first):
    for game in (TREES + GAMES)[first : first + 30]:
        truth = naive.value(game)
        plain, one, two = expectiminimax(game), star1(game), star2(game)
        assert plain.value.score == pytest.approx(truth, abs=1e-12)
        assert plain.value.exact
        for star in (one, two):
            assert star.value.score == plain.value.score, f"{star} of {game!r}, not {plain}"
            assert star.move == plain.move
            assert star.leaves <= plain.leaves
        assert backward_induction(game).value.score == pytest.approx(truth, abs=1e-12)


def test_star1_saves_leaves_and_star2_saves_more():
    games = [z.GameTree(regular_tree(seed)) for seed in range(12)]
    plain, one, two = (sum(search(game).leaves for game in games) for search in (expectiminimax, star1, star2))
    assert plain == 12 * 3**5
    assert two < one < plain


def test_star2_saves_leaves_over_all_random_trees():
    plain, one, two = (sum(search(game).leaves for game in TREES) for search in (expectiminimax, star1, star2))
    assert two < one < plain


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10_000), st.integers(-6, 6), st.integers(1, 6), st.sampled_from((star1, star2)))
def test_a_window_gives_the_value_or_a_bound_of_it(seed, alpha, width, star):
    game, beta = z.GameTree(tree(seed, chance=True)), alpha + width
    truth = naive.value(game)
    result = star(game, window=(alpha, beta))
    score, tolerance = result.value.score, 1e-9
    if result.bound == "exact":
        assert score == pytest.approx(truth, abs=tolerance)
    elif result.bound == "upper":
        assert truth - tolerance <= score <= alpha
    else:
        assert beta <= score <= truth + tolerance


@pytest.mark.parametrize("seed", range(30))
def test_searching_from_any_node_sees_it_with_its_players_eyes(seed):
    game = z.GameTree(tree(seed, chance=True))
    for node in range(min(len(game.nodes), 12)):
        state = type(game.initial())(node)
        truth = pytest.approx(naive.value(game, state), abs=1e-12)
        assert [search(game, state).value.score for search in (expectiminimax, star1, star2)] == [truth] * 3


def test_star_needs_bounds_that_hold():
    game = ChanceGame(14, 3)
    assert star1(game, payoff_bounds=(-5, 5)).value == star1(game).value
    with pytest.raises(z.GameError, match=r"is not between the payoff_bounds 0 and 0\.5; give wider ones"):
        star2(game, payoff_bounds=(0, 0.5))
    with pytest.raises(z.GameError, match="must be the least, then the greatest"):
        star1(game, payoff_bounds=(1, -1))


def test_depth_limited_stars_equal_depth_limited_expectiminimax():
    game = z.load("pig(20)")
    for depth in range(5):
        plain = expectiminimax(game, depth=depth)
        for star in (star1, star2):
            found = star(game, depth=depth)
            assert found.value.score == plain.value.score
            assert found.leaves <= plain.leaves


def test_recursion_in_a_game_of_chance_with_loops_names_value_iteration():
    with pytest.raises(z.GameError, match="use value_iteration"):
        expectiminimax(ChanceLoopGame(8, 1))


@pytest.mark.parametrize("seed", range(60))
def test_value_iteration_agrees_with_the_referee(seed):
    for game in (ChanceLoopGame(12, seed), ChanceGame(14, seed)):
        table, truth = value_iteration(game, 1e-13), naive.expectations(game, sweeps=400)
        for (state, _player), expected in truth.items():
            assert table[state].score == pytest.approx(expected, abs=1e-6)


def test_the_first_player_of_pig_to_20_wins_with_probability_0_6156():
    """Computed independently for the reference data of the project; must roll at least once, a one loses the turn."""
    table = value_iteration(z.load("pig(20)"))
    assert (1 + table.value.score) / 2 == pytest.approx(0.615558549805, abs=1e-10)


@pytest.mark.slow
def test_the_first_player_of_pig_to_50_wins_with_probability_0_5462():
    table = value_iteration(z.load("pig(50)"), 1e-10)
    assert (1 + table.value.score) / 2 == pytest.approx(0.546150844167, abs=1e-9)


def test_values_that_do_not_settle_get_a_sentence():
    with pytest.raises(z.GameError, match="after 3 sweeps values still change"):
        value_iteration(z.load("pig(20)"), sweeps=3)
