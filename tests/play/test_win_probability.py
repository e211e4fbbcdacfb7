"""Win probabilities: proven results at their ends, and never lower for a better value, in games of every kind."""

import random

import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, WIN, Game
from zermelo.play.win_probability import evaluation_scale, most_points, win_probability
from zermelo.value import DECISIVE, Value, loss_in, win_in


class Race(Game):
    """Two take turns to add one or two to a sum; its evaluation is in a unit of its own."""

    unit: float = 1.0

    def initial(self):
        return (0, 0)

    def moves(self, state):
        return (1, 2)

    def play(self, state, move):
        return (state[1], state[0] + move)

    def result(self, state):
        return ONGOING if max(state) < 9 else LOSS if state[1] > state[0] else WIN

    def evaluate(self, state):
        return self.unit * (state[0] - state[1])


class Counted(Race):
    """The same for points, without saying how many there can be."""

    margin = True

    def result(self, state):
        return ONGOING if max(state) < 9 else state[0] - state[1]


@pytest.mark.parametrize("name", ["chess", "checkers", "connect_four", "nim", "tic_tac_toe", "nine_mens_morris"])
def test_a_better_value_is_never_lower_and_proofs_are_the_ends(name):
    game, dice = z.load(name), random.Random(4)
    scores = sorted(dice.choice([1, 10, 1000, 1e5]) * dice.uniform(-1, 1) for _ in range(200))
    found = [win_probability(game, Value.estimate(score)) for score in scores]
    assert found == sorted(found)
    assert 0 < found[0] <= found[-1] < 1
    for score, probability in ((win_in(3), 1), (loss_in(8), 0)):
        assert win_probability(game, Value.of(score, exact=True)) == probability
    assert win_probability(game, Value.at_least(DECISIVE)) == 1
    assert win_probability(game, Value.draw()) == win_probability(game, Value.estimate(0)) == 0.5


def test_what_one_player_gains_the_other_loses():
    game = z.load("chess")
    for value in (Value.win(3), Value.estimate(1.5), Value.draw(), Value.loss(2)):
        assert win_probability(game, value, 0) + win_probability(game, value, 1) == pytest.approx(1)
        assert win_probability(game, value, 1) == pytest.approx(win_probability(game, -value, 0))


def test_a_lead_of_a_pawn_is_worth_less_than_one_of_a_knight():
    """A lead of 0.83 once filled 90 % of the bar, one of 1.02 60 %, and a knight 72 %."""
    game = z.load("chess")
    pawn, more, knight = (win_probability(game, Value.estimate(lead)) for lead in (0.83, 1.02, 3.0))
    assert 0.5 < pawn < more < 0.65 < knight < 0.9


def test_the_unit_of_an_evaluation_does_not_matter():
    for unit in (0.001, 1.0, 5000.0):
        game = Race(unit)
        assert evaluation_scale(game) == pytest.approx(unit * evaluation_scale(Race()))
        assert win_probability(game, Value.estimate(2 * unit)) == pytest.approx(
            win_probability(Race(), Value.estimate(2))
        )


def test_points_are_scaled_by_the_most_that_can_be_won():
    for game in (z.load("othello"), z.load("kalah"), Counted()):
        most = int(most_points(game))
        found = [win_probability(game, Value.margin(points)) for points in range(-most, most + 1)]
        assert found == sorted(set(found))
        assert (found[0], found[most], found[-1]) == (0, 0.5, 1)
        assert win_probability(game, Value.estimate(3)) == win_probability(game, Value.margin(3))


def test_expectations_are_linear_between_the_bounds():
    assert [win_probability(z.load("pig"), Value.expected(payoff)) for payoff in (-1, 0, 0.5, 1)] == [0, 0.5, 0.75, 1]
    assert win_probability(z.load("backgammon"), Value.expected(3)) == 1
    assert win_probability(z.load("backgammon"), Value.estimate(50)) == 1


def test_a_finished_game_has_the_share_of_its_result():
    from zermelo.app.web.game_catalog import open_catalog
    from zermelo.app.web.handlers import PositionRequest, show_position

    games = open_catalog()
    for game, moves, share in (("tic_tac_toe", "a1 b1 a2 b2 a3", 1), ("tic_tac_toe", "a1 b1 a2 b2 c3 b3", 0)):
        request = PositionRequest.parse(games.load(game), "", moves)
        assert show_position(request)["outcome"]["share"] == share
