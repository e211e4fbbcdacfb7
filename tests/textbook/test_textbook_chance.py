"""Expectiminimax, Star1 and Star2 against the referee and against each other."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import zermelo as z
from random_games import ChanceGame, ChanceLoopGame, FreeGame, RandomGame, regular_tree, tree
from zermelo.textbook import Trace, alphabeta, backward_induction, expectiminimax, star1, star2, value_iteration

TREES = [z.GameTree(tree(seed, chance=True)) for seed in range(400)]
GAMES = [ChanceGame(14, seed) for seed in range(140)]


@pytest.mark.parametrize("first", range(0, 540, 30))
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


def test_a_game_says_its_payoff_bounds():
    class Wide(ChanceGame):
        """The same for ten times as much."""

        margin = True
        payoff_bounds = (-10, 10)

        def result(self, state):
            payoff = super().result(state)
            return payoff if payoff == z.ONGOING else 10 * payoff

        def stuck(self, state):
            return 10 * super().stuck(state)

    assert z.Game.payoff_bounds == (z.LOSS, z.WIN)
    for seed in range(20):
        truth = naive.value(Wide(14, seed))
        assert star1(Wide(14, seed)).value.score == star2(Wide(14, seed)).value.score == pytest.approx(truth, abs=1e-9)
    Wide.payoff_bounds = (-5, 5)
    with pytest.raises(z.GameError, match="is not between the payoff_bounds -5 and 5; give wider ones"):
        star1(Wide(14, 3))


@pytest.mark.parametrize("kind", [RandomGame, FreeGame])
def test_without_chance_the_stars_are_alphabeta(kind):
    for game in (kind(14, seed) for seed in range(40)):
        plain = alphabeta(game)
        assert plain.value.score == naive.value(game)
        for star in (star1, star2):
            found = star(game)
            assert (found.value, found.pv, found.nodes) == (plain.value, plain.pv, plain.nodes)
    assert str(star1(z.load("nim(piles=(2,2),misere=True)")).value) == "loss in 3"


# -- cut-offs and bounds as a trace shows them ---------------------------------------------------------------------


def cuts_nothing(trace, node):
    """Whether all below a node was visited."""
    children = [trace.nodes[number] for number in node.children]
    return not node.pruned and all(cuts_nothing(trace, child) for child in children)


@pytest.mark.parametrize("star", [star1, star2])
def test_every_cut_off_cuts_something_off(star):
    for game in TREES:
        trace = Trace()
        result = star(game, trace=trace)
        assert result.cutoffs == len(trace.cuts)
        for node, cut in trace.cuts:
            assert not cuts_nothing(trace, node), f"{node.name}: {cut} in {game!r}"


def test_a_chance_node_whose_outcomes_were_all_searched_is_not_cut_off():
    trace = Trace()
    result = star1(z.GameTree("A(B[1/2: 4, 1/2: 6], C[1/2: D(2, 9), 1/2: E(3, 10)])"), trace=trace)
    assert ([node.name for node, _ in trace.cuts], result.cutoffs) == (["D", "E"], 2)


def test_star2_counts_a_node_each_time_it_is_entered_and_a_leaf_once():
    for game in TREES:
        trace = Trace()
        result = star2(game, trace=trace)
        entered = [step.node for step in trace if step.action == "enter"]
        leaves = [step.node for step in trace if step.action == "leaf"]
        assert (len(entered), len(leaves)) == (result.nodes, result.leaves)
        assert len(set(leaves)) == len(leaves)
        assert max(entered.count(node) for node in entered) <= 2


@pytest.mark.parametrize("star", [star1, star2])
def test_a_value_that_reaches_what_is_known_is_no_bound(star):
    """The greatest payoff is the value where it is at least that."""
    trace = Trace()
    star(z.load("pig(5)"), depth=3, trace=trace)
    assert "roll 5 max 1" in trace.tree_text()
    assert "=" not in trace.tree_text()
    for game in TREES:
        trace = Trace()
        result, (low, high) = star(game, trace=trace), game.payoff_bounds
        assert result.bound == "exact"
        for node in trace.nodes:
            assert node.bound != "lower" or node.value < high, f"{node.name} of {game!r}"
            assert node.bound != "upper" or node.value > low, f"{node.name} of {game!r}"
    result = star(z.GameTree("A(1, 5)"), window=(2, 5))
    assert (result.bound, result.value.score, result.value.exact) == ("exact", 5, True)


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


@pytest.mark.parametrize("first", range(0, 260, 26))
def test_value_iteration_agrees_with_the_referee(first):
    for seed in range(first, first + 26):
        game = ChanceGame(12, seed)
        table = value_iteration(game)
        assert all(abs(table[state].score - naive.value(game, state)) <= 1e-9 for state in table)
        game = ChanceLoopGame(6, seed)
        if seed not in TRAPS:
            table, truth = value_iteration(game), naive.expectations(game)
            assert all(abs(table[state].score - expected) <= 1e-9 for (state, _), expected in truth.items())


TRAPS = {185}
"""Of the games above, those in which the sweeps go wrong: play can cycle forever."""


@pytest.mark.parametrize(("size", "seed"), [(6, 185), (8, 271)])
def test_values_that_nobody_can_reach_get_a_sentence(size, seed):
    with pytest.raises(z.GameError, match="play can cycle forever at 0, and its sweeps converge to a value there that"):
        value_iteration(ChanceLoopGame(size, seed))


class Passing(z.Game):
    """Pass the turn for ever, or take, and lose."""

    loops = True

    def initial(self):
        return (0, 0)

    def mover(self, state):
        return state[0]

    def moves(self, state):
        return ("pass", "take")

    def play(self, state, move):
        return (1 - state[0], 1 if move == "take" else 0)

    def result(self, state):
        return z.ONGOING if state[1] == 0 else z.WIN

    def is_chance(self, state):
        return False

    def chances(self, state):
        return ()


def test_going_round_for_ever_is_worth_nothing():
    """Who takes loses, so nobody does."""
    table = value_iteration(Passing())
    assert [table[player, 0].score for player in (0, 1)] == [0, 0]
    assert naive.expectations(Passing())[(0, 0), 0] == 0


def test_value_iteration_takes_a_state_second_as_all_do():
    game = ChanceLoopGame(12, 3)
    table = value_iteration(game)
    for state in table:
        assert value_iteration(game, state).value.score == pytest.approx(table[state].score, abs=1e-9)


def test_the_first_player_of_pig_to_20_wins_with_probability_0_6156():
    """Computed independently for the reference data of the project; must roll at least once, a one loses the turn."""
    table = value_iteration(z.load("pig(20)"))
    assert (1 + table.value.score) / 2 == pytest.approx(0.615558549805, abs=1e-10)


@pytest.mark.slow
def test_the_first_player_of_pig_to_50_wins_with_probability_0_5462():
    table = value_iteration(z.load("pig(50)"), epsilon=1e-10)
    assert (1 + table.value.score) / 2 == pytest.approx(0.546150844167, abs=1e-9)


def test_values_that_do_not_settle_get_a_sentence():
    with pytest.raises(z.GameError, match="after 3 sweeps values still change"):
        value_iteration(z.load("pig(20)"), sweeps=3)
