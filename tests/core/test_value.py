"""Values, limits and the Game class itself."""

import pickle
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import taking
import zermelo as z
from zermelo import DRAW, LOSS, WIN, Game, GameError, Limit, Value, loss_in, win_in
from zermelo.state_literals import plain, shaped
from zermelo.value import DECISIVE, EXACT, INFINITY, LOWER, UPPER, ending, later, number, words

plies = st.integers(0, 90_000)
values = st.one_of(
    plies.map(Value.win),
    plies.map(Value.loss),
    st.just(Value.draw()),
    st.just(Value.draw_by_repetition()),
    st.integers(-1000, 1000).map(Value.margin),
    st.floats(-800_000, 800_000).map(Value.estimate),
)


@given(values, values)
def test_negation_turns_the_order_round(a, b):
    assert (a < b) == (-b < -a)
    assert (a <= b) == (-b <= -a)
    assert (a > b) == (b < a)
    assert (a >= b) == (b <= a)
    assert (-(-a)) == a  # noqa: B002


@given(plies, plies)
def test_shorter_wins_and_longer_losses_are_better(a, b):
    assert (Value.win(a) > Value.win(b)) == (a < b)
    assert (Value.loss(a) > Value.loss(b)) == (a > b)
    assert Value.win(a) > Value.estimate(DECISIVE - 1) > Value.draw() > Value.loss(b)


@given(plies, st.integers(0, 1000))
def test_scores_and_values_agree(n, more):
    assert Value.of(win_in(n), exact=False) == Value.of(win_in(n), exact=False, bound=EXACT) == Value.win(n)
    assert Value.of(loss_in(n), exact=False) == Value.loss(n)
    assert later(win_in(n), more) == win_in(n + more)
    assert later(loss_in(n), more) == loss_in(n + more)
    assert ending(WIN, n) == win_in(n)
    assert ending(LOSS, n) == loss_in(n)
    assert ending(DRAW, n) == 0
    assert win_in(n) == -loss_in(n)


@given(plies, st.sampled_from((LOWER, UPPER)), st.booleans())
def test_a_bound_proves_an_outcome_only_where_the_truth_lies_beyond_it(n, bound, exact):
    for score, proven, outcome in ((win_in(n), LOWER, WIN), (loss_in(n), UPPER, LOSS)):
        value = Value.of(score, exact=exact, bound=bound)
        assert value.outcome == (outcome if bound == proven else None)
        assert (value.score, value.plies, value.exact) == (score, None, False)
        assert str(value) == f"{'>=' if bound == LOWER else '<='} {Value.of(score, exact=exact)}"
        assert (-value).outcome == (-outcome if bound == proven else None)
    assert Value.of(0, exact=exact, bound=bound) == Value.estimate(0)
    assert Value.of(5, exact=exact, margin=True, bound=bound) == Value.estimate(5)


def test_points_and_expectations_have_no_decisive_scores():
    for options in ({"margin": True}, {"chance": True}, {"margin": True, "chance": True}):
        for score in (DECISIVE, 1_000_000, -1_000_000):
            value = Value.of(score, exact=True, **options)
            assert (value.score, value.plies, value.exact) == (score, None, True)
            assert str(value) == f"{score:+d}"
    assert Value.of(-1_000_000, exact=True, margin=True).outcome == LOSS


def test_words():
    assert [str(v) for v in (Value.win(7), Value.loss(12), Value.draw(), Value.draw_by_repetition())] == [
        "win in 7", "loss in 12", "draw", "draw by repetition",
    ]  # fmt: skip
    assert str(Value.estimate(0.35)) == "+0.35"
    assert str(Value.estimate(-3)) == "-3"
    assert str(Value.expected(-0.125)) == "-0.12"
    assert str(Value.margin(4)) == "+4"
    assert str(Value.margin(0)) == "draw"
    assert number(0.0001) == "+0.0001"
    assert words(win_in(5)) == "win in 5"
    assert words(loss_in(0)) == "loss in 0"
    assert words(1_500_000) == "+1500000"  # a window may be wider than all scores
    assert words(-INFINITY) == "-∞"


def test_an_estimate_claims_nothing():
    estimate = Value.of(0, exact=False)
    assert (estimate.outcome, estimate.plies, estimate.exact) == (None, None, False)
    assert str(estimate) == "0"
    assert estimate != Value.draw()


def test_outcomes():
    assert Value.of(3, exact=True, margin=True).outcome == WIN
    assert Value.of(-3, exact=True, margin=True).outcome == LOSS
    assert Value.of(0, exact=True).outcome == DRAW
    assert Value.of(0.25, exact=True, chance=True).outcome is None
    assert Value.win(3).to_dict() == {
        "text": "win in 3", "outcome": "win", "plies": 3, "score": 999_997, "exact": True, "repetition": False,
        "bound": "exact",
    }  # fmt: skip


def test_the_point_of_view_is_turned_once():
    value = Value.win(3).seen_by(1)
    assert value.for_player(1) == value
    assert value.for_player(0).outcome == LOSS
    assert (-value).for_player(1) == value
    with pytest.raises(ValueError, match="mover"):
        Value.win(3).for_player(0)
    with pytest.raises(ValueError, match="player is 0"):
        value.for_player(2)


@pytest.mark.parametrize(
    "bad", [{"seconds": 0}, {"seconds": -1.5}, {"depth": 0}, {"depth": 2.5}, {"nodes": True}, {"seconds": float("nan")}]
)
def test_limits_are_checked(bad):
    (name,) = bad
    with pytest.raises(ValueError, match=f"^Limit: {name} must be a "):
        Limit(**bad)


def test_a_limit_in_any_combination():
    assert Limit().unlimited
    assert not Limit(seconds=0.5, nodes=10).unlimited


# -- Game ----------------------------------------------------------------------------------------------------------


class Countdown(taking.Countdown):
    start: int = 4


def test_a_game_is_a_frozen_dataclass_of_its_parameters():
    assert Countdown() == Countdown(4)
    assert hash(Countdown(5)) == hash(Countdown(start=5))
    assert Countdown(5) != Countdown(6)
    assert repr(Countdown(6)) == "Countdown(start=6)"
    with pytest.raises(AttributeError):
        Countdown().start = 7


def test_a_game_travels_without_what_the_compiler_remembers():
    game = Countdown(6)
    z.perft(game, 2)
    assert pickle.loads(pickle.dumps(game)) == game


def test_missing_rules_are_named():
    class Half(Game):
        def initial(self):
            return 0

        def moves(self, state):
            return ()

    with pytest.raises(GameError, match=r"Half has no `play`, `result` rule; .* moves, play and result\.$"):
        Half()


def test_misspelt_rules_are_named():
    class Misspelt(Game):
        plays = 3  # no rule, whatever it is called

        def intial(self):
            return 0

        def legal_moves(self, state):
            return self.stuck(state)

        def stuck(self, state):
            return ()

        def result(self, state):
            return 0

    hints = "Is `intial` meant to be `initial`? Is `legal_moves` meant to be `moves`?"
    with pytest.raises(GameError) as found:
        Misspelt()
    assert str(found.value).endswith(f"initial, moves, play and result. {hints}")


def test_notation_by_default():
    game = Countdown()
    assert game.move_text(4, 2) == "2"
    assert game.parse_move(4, "2") == 2
    with pytest.raises(GameError, match="'3' is not a legal move in 4"):
        game.parse_move(4, "3")
    assert game.parse_state("3") == 3
    with pytest.raises(GameError, match="does not describe a state; one looks like '4'"):
        game.parse_state("three")


class Inner(NamedTuple):
    a: int
    b: tuple[int, ...]


def test_plain_and_shaped_are_inverse():
    state = Inner(1, (2, 3))
    assert plain(state) == (1, (2, 3))
    assert shaped((1, (2, 3)), state) == state
    assert type(shaped((1, (2, 3)), state)) is Inner
    assert shaped((1, (2, 3, 4)), state) == Inner(1, (2, 3, 4))
    for wrong in (1, (1,), (1, 2), ((1,), (2, 3)), ("1", (2, 3))):
        with pytest.raises((TypeError, ValueError)):
            shaped(wrong, state)


def test_weights_make_an_evaluation_of_features():
    class Weighed(Countdown):
        weights = (2.0, -1.0)

        def features(self, left):
            return (left, left * left)

    assert Weighed().evaluate(3) == 2 * 3 - 9
    assert str(z.search(Weighed(start=9), limit=z.Limit(depth=2)).value)
    assert Weighed().native_error is None


@pytest.mark.slow
def test_the_search_evaluates_features_compiled_as_interpreted(monkeypatch):
    class Weighed(Countdown):
        weights = (0.5, 0.25)

        def features(self, left):
            return (left, left % 3)

    compiled = z.search(Weighed(start=50), limit=z.Limit(depth=4))
    from zermelo.native import Kernel

    monkeypatch.setattr(Kernel, "__call__", lambda self, game, *args: self.interpreted(game, *args))
    assert z.search(Weighed(start=50), limit=z.Limit(depth=4)).value.score == compiled.value.score
    assert compiled.value.outcome is None
