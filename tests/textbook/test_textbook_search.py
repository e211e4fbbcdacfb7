"""The textbook searches agree with the referee, keep their promises about windows, and stop when told."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import zermelo as z
from random_games import FreeGame, FreeLoopGame, LoopGame, PointsGame, RandomGame, tree
from zermelo import textbook
from zermelo.show.trees.tree_search import algorithms as tree_algorithms
from zermelo.textbook import alphabeta, aspiration, iterative_deepening, minimax, negamax, root_search, win_loss
from zermelo.value import INFINITY, Value

OPTIONS = [
    {"form": form, "fail": fail, "cut": cut}
    for form in ("maxmin", "negamax")
    for fail in ("soft", "hard")
    for cut in ("equal", "beyond")
]

GAMES = [z.GameTree(tree(seed)) for seed in range(300)]
GAMES += [kind(14, seed) for kind in (RandomGame, FreeGame, PointsGame) for seed in range(80)]


def replayed(game, result):
    """The score at the end of a principal variation, seen by the player to move at the root."""
    state = game.initial()
    sign = 1
    for ply, move in enumerate(result.pv):
        assert move in list(game.moves(state)), f"{move} is not legal in {state}"
        child = game.play(state, move)
        sign = -sign if z.rules.changes_player(game, state, child) else sign
        state, plies = child, ply + 1
    score = naive.end_score(game, state)
    for _ in range(plies if result.pv else 0):
        score = naive.one_ply_later(score)
    return sign * score


@pytest.mark.parametrize("first", range(0, len(GAMES), 20))
def test_searches_agree_with_the_referee(first):
    for game in GAMES[first : first + 20]:
        truth, best = naive.value(game), naive.best_moves(game)
        results = [minimax(game), negamax(game), root_search(game), aspiration(game, guess=2, margin=1)]
        results += [alphabeta(game, **options) for options in OPTIONS]
        results += [alphabeta(game, order=True), iterative_deepening(game), textbook.backward_induction(game)]
        for result in results:
            assert result.value.score == truth, f"{result} of {game!r}, not {truth}"
            assert result.value.exact
            assert result.bound == "exact"
            assert result.move in best if best else result.move is None
            assert replayed(game, result) == truth


@pytest.mark.parametrize("first", range(0, len(GAMES), 20))
def test_win_loss_agrees_with_the_referee(first):
    for game in GAMES[first : first + 20]:
        truth, result = naive.value(game), win_loss(game)
        assert (result.value.score > 0) == (truth > 0), f"{result} of {game!r}, not {truth}"
        assert result.nodes <= minimax(game).nodes
        if result.bound == "upper":
            assert truth <= 0
        elif truth < 0:
            assert (result.value.outcome, result.value.exact) == (z.LOSS, True)


def test_win_loss_looks_no_further_than_the_first_winning_successor():
    assert win_loss(z.GameTree([[-1, 1], [1, 1], [1, 1], [1, 1]])).leaves == 3


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10_000), st.integers(-6, 6), st.integers(1, 6), st.sampled_from(OPTIONS))
def test_a_window_gives_the_value_or_a_bound_of_it(seed, alpha, width, options):
    game, beta = z.GameTree(tree(seed)), alpha + width
    truth = naive.value(game)
    result = alphabeta(game, window=(alpha, beta), **options)
    score = result.value.score
    if alpha < truth < beta:
        assert (score, result.bound) == (truth, "exact")
    elif truth <= alpha:
        assert truth <= score <= alpha
        assert result.bound == "upper"
    else:
        assert beta <= score <= truth
        assert result.bound == "lower"
    if options["fail"] == "hard":
        assert alpha <= score <= beta
    assert result.value.exact == (result.bound == "exact")


@pytest.mark.parametrize("form", ["maxmin", "negamax"])
def test_fail_hard_is_hard_at_a_root_that_is_a_leaf(form):
    tree = z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))")
    for game, depth in ((tree, 0), (z.GameTree("0"), None)):
        for window, score, bound in (((4, 6), 4, "upper"), ((-6, -4), -4, "lower"), ((-1, 1), 0, "exact")):
            result = alphabeta(game, depth=depth, window=window, form=form, fail="hard")
            assert (result.value.score, result.bound) == (score, bound)
    assert alphabeta(tree, depth=0, window=(4, 6), form=form).value.score == 0


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_a_bound_is_no_proof(first):
    """In games of wins and losses: what a value claims of outcome and plies is true, whatever the window was."""
    for game in (kind(14, seed) for kind in (RandomGame, FreeGame) for seed in range(first, first + 20)):
        truth = Value.of(naive.value(game), exact=True)
        for alpha, beta in itertools.pairwise(EDGES):
            for options in OPTIONS:
                result = alphabeta(game, window=(alpha, beta), **options)
                check_claims(result.value, result.bound, truth)
        for line in root_search(game).lines:
            child = game.play(game.initial(), line.move)
            sign = -1 if z.rules.changes_player(game, game.initial(), child) else 1
            score = naive.one_ply_later(sign * naive.value(game, child))
            check_claims(line.value, line.bound, Value.of(score, exact=True))


EDGES = [-INFINITY, z.loss_in(1), z.loss_in(2), z.loss_in(4), -1, 1, z.win_in(4), z.win_in(2), z.win_in(1), INFINITY]


def check_claims(value, bound, truth):
    """An exact value is the truth; an outcome is the true one; a distance belongs to an exact value."""
    assert value.exact == (bound == "exact")
    assert value.exact or value.plies is None
    assert not value.exact or value.score == truth.score
    assert value.outcome in (None, truth.outcome)
    decided = (bound == "lower" and value.score >= z.win_in(100)) or (
        bound == "upper" and value.score <= z.loss_in(100)
    )
    assert not decided or value.outcome is not None


def test_a_lost_game_is_not_called_won():
    nim = z.load("nim(piles=(2,2),misere=True)")
    for fail in ("soft", "hard"):
        result = alphabeta(nim, window=(z.win_in(1), INFINITY), fail=fail)
        assert (result.bound, result.value.outcome, result.value.plies, result.value.exact) == (
            "upper",
            None,
            None,
            False,
        )
        assert str(result.value).startswith("<= win in" if fail == "hard" else ("<= win in", "<= loss in"))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(("soft", "hard")), st.sampled_from(("equal", "beyond")))
def test_both_forms_visit_the_same_nodes_and_soft_never_more_than_hard(seed, fail, cut):
    game = z.GameTree(tree(seed))
    forms = [alphabeta(game, form=form, fail=fail, cut=cut) for form in ("maxmin", "negamax")]
    assert (forms[0].nodes, forms[0].leaves, forms[0].cutoffs) == (forms[1].nodes, forms[1].leaves, forms[1].cutoffs)
    assert alphabeta(game, fail="soft", cut=cut).leaves <= alphabeta(game, fail="hard", cut=cut).leaves
    assert alphabeta(game, fail=fail, cut="equal").leaves <= alphabeta(game, fail=fail, cut="beyond").leaves
    assert forms[0].leaves <= minimax(game).leaves


# -- depth and distance ------------------------------------------------------------------------------------------------


def cut_at(game, state, depth, sign=1):
    """Minimax to a depth, written once more: what the root's player gets, estimates at the horizon."""
    payoff = z.rules.payoff(game, state)
    if payoff != z.ONGOING:
        return sign * payoff
    if depth == 0:
        return sign * game.evaluate(state)
    values = []
    for child in (game.play(state, move) for move in game.moves(state)):
        values.append(cut_at(game, child, depth - 1, -sign if z.rules.changes_player(game, state, child) else sign))
    return max(values) if sign > 0 else min(values)


@pytest.mark.parametrize("first", range(0, 500, 50))
def test_depth_limited_searches_agree(first):
    for seed in range(first, first + 50):
        game = PointsGame(25, seed)
        for depth in range(5):
            truth = cut_at(game, game.initial(), depth)
            for result in (minimax(game, depth=depth), negamax(game, depth=depth), alphabeta(game, depth=depth)):
                assert result.value.score == truth
                assert len(result.pv) <= depth


def test_a_horizon_makes_estimates_and_decisive_scores_are_proofs():
    game = z.load("tic_tac_toe")
    assert not alphabeta(game, depth=2).value.exact
    assert alphabeta(game, depth=2).value.outcome is None
    won = z.position(game, "a1 b1 a2 b2")
    result = alphabeta(game, won, depth=2)
    assert (str(result.value), result.value.exact) == ("win in 1", True)


def test_the_shorter_win_and_the_longer_loss_are_preferred():
    nim = z.load("nim(piles=(2,2),misere=True)")
    assert str(minimax(nim).value) == "loss in 3"
    assert str(alphabeta(nim, form="negamax").value) == "loss in 3"


def test_values_know_who_sees_them():
    game = z.load("connect_four(4,4)")
    result = alphabeta(game, z.position(game, "1"), depth=1)
    assert result.value.player == 1


def test_searching_a_finished_game_has_no_move():
    result = alphabeta(z.GameTree("7"))
    assert (result.value.score, result.move, result.pv, result.leaves) == (7, None, (), 1)


# -- the root, aspiration, deepening -----------------------------------------------------------------------------------


@pytest.mark.parametrize("first", range(0, 500, 50))
def test_root_lines_bound_every_move(first):
    for seed in range(first, first + 50):
        game = RandomGame(14, seed)
        result = root_search(game)
        state = game.initial()
        truths = {move: -naive.one_ply_later(naive.value(game, game.play(state, move))) for move in game.moves(state)}
        assert [line.move for line in result.lines] == list(truths)
        for line in result.lines:
            truth = truths[line.move]
            assert line.value.score == truth if line.bound == "exact" else line.value.score >= truth
        assert max(truths.values()) == result.value.score


def test_aspiration_has_three_outcomes():
    game = z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))")
    inside, high, low = (aspiration(game, guess=guess, margin=2) for guess in (3, -5, 20))
    assert [window.outcome for window in inside.windows] == ["inside"]
    assert {window.outcome for window in high.windows[:-1]} == {"fail high"}
    assert {window.outcome for window in low.windows[:-1]} == {"fail low"}
    for result in (inside, high, low):
        assert result.windows[-1].outcome == "inside"
        assert result.windows[-1].alpha < result.value.score == 3 < result.windows[-1].beta
        assert result.value.exact


def test_aspiration_reaches_a_forced_win_from_any_guess():
    game = z.position(z.load("tic_tac_toe"), "a1 b1 a2 b2"), z.load("tic_tac_toe")
    assert str(aspiration(game[1], game[0], guess=0, margin=1).value) == "win in 1"


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four(4,4)", "nim", "game_tree", "pig(20)"])
def test_deepening_stopped_after_any_number_of_nodes_has_a_legal_move(name):
    game = z.load(name)
    legal = list(game.moves(game.initial()))
    for nodes in [*range(1, 40), 77, 150, 301]:
        result = iterative_deepening(game, limit=z.Limit(nodes=nodes, depth=4))
        assert result.move in legal
        assert result.nodes <= nodes
        assert result.stopped in ("nodes", "depth", "solved")
        assert result.stopped != "nodes" or result.nodes == nodes
        assert [done.depth for done in result.iterations] == list(range(1, len(result.iterations) + 1))


def test_deepening_keeps_each_iteration_and_stops_when_solved():
    game = z.load("tic_tac_toe")
    result = iterative_deepening(game, z.position(game, "a1 b1 a2 b2 c1"), z.Limit(depth=9))
    assert (result.stopped, str(result.value)) == ("solved", "win in 1")
    assert len(result.iterations) == 1
    by_depth = iterative_deepening(game, limit=z.Limit(depth=3))
    assert (by_depth.stopped, by_depth.depth, len(by_depth.iterations)) == ("depth", 3, 3)
    for done in by_depth.iterations:
        assert done.value.score == alphabeta(game, depth=done.depth).value.score


def test_deepening_under_a_clock_returns_a_move():
    result = iterative_deepening(z.load("connect_four"), limit=z.Limit(seconds=0.05))
    assert result.stopped == "seconds"
    assert result.move in range(7)


# -- loops -------------------------------------------------------------------------------------------------------------


class Circle(z.Game):
    """Walk round three places for ever, or stop and lose."""

    loops = True

    def initial(self):
        return 0

    def moves(self, place):
        return (0, 1)

    def play(self, place, move):
        return (place + 1) % 3 if move == 0 else 9

    def result(self, place):
        return z.WIN if place == 9 else z.ONGOING


@pytest.mark.parametrize(
    "search", [minimax, negamax, alphabeta, aspiration, root_search, iterative_deepening, win_loss]
)
def test_a_repetition_is_named_not_searched_for_ever(search):
    with pytest.raises(z.GameError, match=r"Circle\(\) would not end: 0, at ply 3, repeats ply 0; use retrograde"):
        search(Circle())
    assert search(Circle(), repetition="draw").value.score == 0


def test_a_repetition_counted_as_a_draw_is_called_so():
    assert str(alphabeta(Circle(), repetition="draw").value) == "draw by repetition"
    assert str(minimax(Circle(), depth=7).value) == "0"


@pytest.mark.parametrize("first", range(0, 250, 25))
def test_repetition_draws_give_the_referees_outcome(first):
    for game in (kind(7, seed) for kind in (LoopGame, FreeLoopGame) for seed in range(first, first + 25)):
        truth = naive.value(game)
        for search in (minimax, negamax, alphabeta):
            assert search(game, repetition="draw").value.score == truth


# -- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"depth": -1}, "depth must be a whole number"),
        ({"depth": 1.5}, "depth must be a whole number"),
        ({"window": (3, 3)}, "alpha must be below beta"),
        ({"form": "other"}, "form must be 'maxmin' or 'negamax', not 'other'"),
        ({"fail": "other"}, "fail must be 'soft' or 'hard'"),
        ({"cut": "other"}, "cut must be 'equal' or 'beyond'"),
        ({"repetition": "win"}, "repetition must be 'draw' or None"),
    ],
)
def test_bad_options_get_a_sentence(options, sentence):
    with pytest.raises(z.GameError, match=sentence):
        alphabeta(z.GameTree([1, 2]), **options)


@pytest.mark.parametrize("search", [minimax, negamax, alphabeta, root_search, win_loss])
def test_chance_is_refused_by_name(search):
    with pytest.raises(z.GameError, match="chance moves in R; use expectiminimax, star1 or star2"):
        search(z.GameTree("A(R[1/2: 1, 1/2: 2])"))


class Endless(z.Game):
    """Count up for ever."""

    def initial(self):
        return 0

    def moves(self, count):
        return (1,)

    def play(self, count, move):
        return count + 1

    def result(self, count):
        return z.ONGOING


def test_a_game_too_deep_for_recursion_gets_a_sentence():
    with pytest.raises(z.GameError, match=r"plies deep, which is more than Python's recursion allows"):
        minimax(Endless())


class Lists(z.Game):
    """Count down from two; the states after the first, or what stands for them, are lists."""

    broken: str = "play"

    def initial(self):
        return (2,)

    def moves(self, state):
        return (1,)

    def play(self, state, move):
        return [state[0] - 1] if self.broken == "play" else (state[0] - 1,)

    def canonical(self, state):
        return list(state) if self.broken == "canonical" else state

    def result(self, state):
        return z.ONGOING if state[0] else z.LOSS


@pytest.mark.parametrize("name", sorted(tree_algorithms()))
def test_a_state_that_cannot_be_stored_gets_a_sentence(name):
    search = tree_algorithms()[name]
    with pytest.raises(z.GameError, match=r"Lists\(broken='play'\): `play` returned \[1\] in \(2,\), which cannot be"):
        search(Lists())
    if name in ("backward_induction", "retrograde", "value_iteration"):
        with pytest.raises(z.GameError, match=r"`canonical` returned \[2\] in \(2,\), which cannot be a state"):
            search(Lists("canonical"), symmetric=True)


def test_one_of_a_thing_is_not_many():
    assert str(alphabeta(z.GameTree("7"))) == "alphabeta: +7 (1 node, 1 leaf, 0 cut-offs)"
    assert str(alphabeta(z.GameTree([[3, 4], [2, 9]]))).endswith("(6 nodes, 3 leaves, 1 cut-off)")


def test_results_print_and_become_records():
    result = root_search(z.GameTree([[3, 12], [8, 2]]))
    assert str(result) == "root_search: +3 by 1 1 (7 nodes, 4 leaves, 0 cut-offs)"
    record = result.to_dict()
    assert record["pv"] == ["1", "1"]
    assert record["move"] == "1"
    assert record["value"]["score"] == 3
    assert record["lines"][0]["move"] == "1"
