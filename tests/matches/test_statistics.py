"""Statistics of matches against published results, and a sequential test against its promise, by simulation."""

import math
import random

import pytest

from zermelo import GameError
from zermelo.matches.statistics import Sample, Sprt, Verdict, elo, expected_score

# Pentanomial counts of test matches, as the commit messages of Stockfish (2020 to 2022) print them, with the ratio or
# with the difference, its 95 % interval and the likelihood of superiority in per cent.
RATIOS = [
    (2.96, -0.25, 1.25, (2529, 16660, 31735, 16831, 2677)),
    (2.95, 0.25, 1.25, (523, 6176, 19983, 6579, 523)),
    (2.95, -1.25, 0.25, (230, 4738, 21769, 4745, 242)),
    (2.93, -0.75, 0.25, (33, 2186, 28230, 2192, 43)),
    (2.92, 0.25, 1.25, (5, 418, 6043, 506, 12)),
    (2.93, -1.25, 0.25, (681, 14097, 68652, 14040, 626)),
    (2.97, -0.25, 1.25, (147, 3086, 14341, 3264, 150)),
]
DIFFERENCES = [
    (3.36, 1.8, 100.0, (36, 2936, 8755, 3248, 25)),
    (-0.69, 1.8, 22.1, (44, 1194, 7566, 1150, 46)),
    (-1.41, 1.8, 5.9, (38, 1242, 7517, 1169, 34)),
    (-0.44, 1.8, 31.2, (254, 4576, 10260, 4787, 123)),
    (21.74, 3.4, 100.0, (38, 701, 2972, 1176, 113)),
    (92.77, 2.1, 100.0, (609, 3850, 9708, 10948, 4885)),
    (-2.57, 2.0, 0.6, (68, 1582, 6836, 1458, 56)),
]


@pytest.mark.parametrize(("ratio", "elo0", "elo1", "counts"), RATIOS)
def test_ratios_of_published_tests(ratio, elo0, elo1, counts):
    assert round(Sprt(elo0, elo1).ratio(Sample.of_pairs(counts)), 2) == ratio


@pytest.mark.parametrize(("difference", "error", "superiority", "counts"), DIFFERENCES)
def test_differences_of_published_matches(difference, error, superiority, counts):
    sample = Sample.of_pairs(counts)
    low, high = sample.interval()
    assert (round(sample.elo, 2), round((high - low) / 2, 1)) == (difference, error)
    assert round(100 * sample.likelihood_of_superiority, 1) == superiority


def test_bounds_of_a_test():
    assert (round(Sprt(0, 5).lower, 2), round(Sprt(0, 5).upper, 2)) == (-2.94, 2.94)


def test_elo_and_score_are_inverse():
    for difference in (-700, -3.5, 0, 1, 240):
        assert elo(expected_score(difference)) == pytest.approx(difference)


def test_pairs_of_opposite_results_say_more_than_their_games():
    """An opening that always wins for the first player makes every pair even: the games vary, the pairs do not."""
    games, pairs = Sample.of_games(50, 0, 50), Sample.of_pairs((0, 0, 50, 0, 0))
    assert games.interval()[1] > 60
    assert pairs.interval()[1] < 30


def test_results_that_are_all_the_same_are_no_proof():
    """Of players who differ in 16.8 % of the pairs, and then by all points, 20 pairs are even one time in forty."""
    low, high = Sample.of_pairs((0, 0, 20, 0, 0)).interval()
    assert (low, high) == (pytest.approx(elo(0.5 - 0.1684 / 2), abs=0.1), pytest.approx(-low))
    wide, narrow = Sample.of_pairs((0, 0, 1, 0, 0)).interval(), Sample.of_pairs((0, 0, 2000, 0, 0)).interval()
    assert wide[1] > 600
    assert narrow[1] < 1


def test_samples_without_spread():
    assert Sample.of_games(0, 0, 0).interval() == (-math.inf, math.inf)
    assert Sample.of_games(0, 0, 0).likelihood_of_superiority == 0.5
    assert Sample.of_games(4, 0, 0).elo == math.inf
    assert Sample.of_games(4, 0, 0).likelihood_of_superiority == 1 - 1 / 32
    assert Sample.of_games(0, 0, 4).likelihood_of_superiority == 1 / 32
    assert Sample.of_games(0, 7, 0).likelihood_of_superiority == 0.5
    assert Sprt(0, 5).verdict(Sample.of_games(0, 0, 0)) is Verdict.UNDECIDED


def test_only_wins_have_a_lower_bound():
    """A player with a score of 0.025 ** (1 / 4) wins four games in forty times once."""
    low, high = Sample.of_games(4, 0, 0).interval()
    assert (low, high) == (pytest.approx(elo(0.025**0.25)), math.inf)
    assert Sample.of_games(0, 0, 4).interval() == (-math.inf, pytest.approx(-low))


def test_a_sample_turned_round_is_its_opposite():
    dice = random.Random(3)
    for _ in range(50):
        counts = tuple(dice.randrange(30) for _ in range(5))
        one, other = Sample.of_pairs(counts), Sample.of_pairs(counts[::-1])
        assert one.elo == pytest.approx(-other.elo)
        assert one.likelihood_of_superiority == pytest.approx(1 - other.likelihood_of_superiority)
        assert Sprt(-10, 10).ratio(one) == pytest.approx(-Sprt(-10, 10).ratio(other))


@pytest.mark.parametrize("bad", [(5, 0), (3, 3), (0, math.inf), (0, 5, 0.7), (0, 5, 0.05, 0)])
def test_a_test_refuses_bad_hypotheses(bad):
    with pytest.raises(GameError, match="Sprt"):
        Sprt(*bad)


def test_counts_are_checked():
    with pytest.raises(GameError, match="five counts"):
        Sample.of_pairs((1, 2, 3))
    with pytest.raises(GameError, match="wins"):
        Sample.of_games(-1, 0, 0)


def simulated(test, difference, dice, draws=0.3, bias=0.15):
    """The verdict on players with a true difference: openings favour a side, and a third of the games is drawn."""
    counts = [0] * 5
    wins = expected_score(difference) - draws / 2
    while (verdict := test.verdict(Sample.of_pairs(counts))) is Verdict.UNDECIDED:
        favour = dice.choice((-bias, bias))
        counts[sum(points(dice.random(), wins + side * favour, draws) for side in (1, -1))] += 1
    return verdict


def points(drawn, wins, draws):
    """Half points of one game."""
    return 2 if drawn < wins else 1 if drawn < wins + draws else 0


@pytest.mark.parametrize(("difference", "wrong"), [(0, Verdict.ACCEPTED), (120, Verdict.REJECTED)])
def test_errors_are_as_rare_as_promised(difference, wrong):
    """With 10 % of errors promised, 200 tests have 20 on average; 34 or more are one case in a thousand."""
    dice = random.Random(20)
    verdicts = [simulated(Sprt(0, 120, 0.1, 0.1), difference, dice) for _ in range(200)]
    assert 4 <= verdicts.count(wrong) < 34


def test_intervals_hold_the_true_difference_as_often_as_promised():
    dice = random.Random(5)
    held = 0
    for _ in range(400):
        counts = [0] * 5
        for _ in range(100):
            counts[sum(points(dice.random(), expected_score(40) - 0.15, 0.3) for _ in range(2))] += 1
        low, high = Sample.of_pairs(counts).interval(0.9)
        held += low <= 40 <= high
    assert 335 <= held <= 385  # 360 on average, standard deviation 6
