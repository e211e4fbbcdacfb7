"""Bear-offs: tables against a plain reference, against the solver and published values, and in evaluations."""

import math
import random
from functools import cache

import numpy as np
import pytest

import zermelo as z
from zermelo.files import Damaged
from zermelo.games.backgammon import bear_off, bear_off_file, bear_off_solver
from zermelo.games.backgammon.backgammon_rules import Backgammon
from zermelo.native import kernel
from zermelo.networks.learned_game import with_network
from zermelo.networks.network import Cell, Network, Part, Shape

GAME = Backgammon()
TABLE = bear_off_file.own_table()
ROLLS = [((high, low), 1 if high == low else 2) for high in range(1, 7) for low in range(1, high + 1)]


# -- the reference: counts on points 1 to 6, and every order of the dice -----------------------------------------------


def after_step(counts, point, die):
    """The position after a step, or None where the rules forbid it."""
    to, highest = point - die, max((place for place in range(1, 7) if counts[place - 1]), default=0)
    if not counts[point - 1] or (to < 0 and highest > point):
        return None
    changed = list(counts)
    changed[point - 1] -= 1
    if to > 0:
        changed[to - 1] += 1
    return tuple(changed)


@cache
def ends(counts, dice):
    """Where dice may lead in this order: as many as can be played."""
    if not dice or not any(counts):
        return {counts}
    found = [after for point in range(1, 7) if (after := after_step(counts, point, dice[0])) is not None]
    return set().union(*(ends(after, dice[1:]) for after in found))


@cache
def successors(counts, roll):
    high, low = roll
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    return set().union(*(ends(counts, order) for order in orders))


@cache
def mean_rolls(counts):
    if not any(counts):
        return 0.0
    return 1 + sum(odds / 36 * min(map(mean_rolls, successors(counts, roll))) for roll, odds in ROLLS)


@cache
def expectation(mine, theirs):
    """What the player on roll expects: 1 for a win and -1 for a loss."""
    if not any(theirs):
        return -1.0
    return sum(odds / 36 * max(-expectation(theirs, end) for end in successors(mine, roll)) for roll, odds in ROLLS)


def near_of(counts, checkers=15):
    return checkers - sum(counts) | sum(count << 4 * (point + 1) for point, count in enumerate(counts))


def number_of(counts):
    return bear_off.position_number(near_of(counts), TABLE, 0)


def random_position(dice, most):
    counts = [0] * 6
    for _ in range(dice.randint(1, most)):
        counts[dice.randrange(6)] += 1
    return tuple(counts)


def test_positions_have_their_numbers():
    positions = bear_off_solver.home_positions()
    assert len(positions) == math.comb(21, 6) == len({*positions.tolist()})
    dice = random.Random(1)
    for _ in range(60):
        counts = random_position(dice, 15)
        roll, _ = dice.choice(ROLLS)
        assert positions[number_of(counts)] == near_of(counts)
        assert all(number_of(end) < number_of(counts) for end in successors(counts, roll))


def test_the_tables_are_those_of_the_reference():
    dice = random.Random(2)
    pairs = TABLE.shorts(bear_off.TWO_SIDED_START, bear_off.TWO_SIDED_POSITIONS**2)
    for _ in range(25):
        mine, theirs = random_position(dice, 3), random_position(dice, 3)
        stored = pairs[number_of(mine) * bear_off.TWO_SIDED_POSITIONS + number_of(theirs)]
        assert 2 * stored / bear_off.FULL - 1 == pytest.approx(expectation(mine, theirs), abs=3e-5)
        row = TABLE.shorts(bear_off.ONE_SIDED_START, 1 << 20)
        at = number_of(mine) * bear_off.ROLLS
        mean = sum((row[at] + i) * row[at + 1 + i] for i in range(bear_off.ROLLS - 1)) / bear_off.FULL
        assert mean == pytest.approx(mean_rolls(mine), abs=2e-3)


def test_the_solver_makes_the_tables_that_ship():
    """Of up to five checkers: the means are the reference's, and the numbers are those of the file."""
    means, chances, values = bear_off_solver.solve_bear_offs(5)
    assert means[number_of((1, 1, 0, 0, 0, 2))] == pytest.approx(mean_rolls((1, 1, 0, 0, 0, 2)), abs=1e-12)
    assert chances.sum(axis=1) == pytest.approx(1)
    words = TABLE.array.view(np.uint16)
    stored = words[4 * bear_off.TWO_SIDED_START :][: values.size]
    assert (stored == np.rint((values.ravel() + 1) / 2 * bear_off.FULL)).all()


def test_compiled_solving_is_interpreted_solving(monkeypatch):
    compiled = bear_off_solver.solve_bear_offs(2)
    for name in ("solve_alone", "solve_together"):
        monkeypatch.setattr(bear_off_solver, name, getattr(bear_off_solver, name).interpreted)
    for one, two in zip(compiled, bear_off_solver.solve_bear_offs(2), strict=True):
        assert one == pytest.approx(two, abs=1e-12)


@pytest.mark.parametrize(
    ("setup", "published", "error"),
    [
        ("6 off(14)", 0.8125, 1e-5), ("5 off(14)", 0.880401, 1e-5), ("6 5 off(13)", 0.772002, 1e-5),
        ("1(6) off(9)", 0.787809, 1e-5), ("4(3) 3(3) off(9)", 0.701321, 5e-3), ("6 5 4 3 2 1 off(9)", 0.700572, 5e-4),
    ],
)  # fmt: skip
def test_published_probabilities(setup, published, error):
    """Of GNU Backgammon's two-sided database; with six checkers the one-sided table comes close."""
    state = Backgammon(setup, opening=False).initial()
    assert (1 + GAME.ending_value(state, TABLE, 0)) / 2 == pytest.approx(published, abs=error)


def test_the_solver_of_games_finds_the_same():
    game = Backgammon("6 5 off(13)", opening=False)
    solution = z.solve(game)
    states = [state for state in solution if state.dice == 0 and game.result(state) == z.ONGOING]
    assert len(states) > 100
    for state in states:
        assert GAME.ending_value(state, TABLE, 0) == pytest.approx(solution.value(state).score, abs=4e-5)


def test_what_the_tables_do_not_cover():
    """Checkers beyond point 6, and gammons: a player who has borne off none, when the other is nearly done."""
    for mine, theirs, covered in [
        ((3, 2, 2, 2, 3, 3), (2, 2, 2, 2, 2, 2), True), ((3, 2, 2, 2, 3, 3), (1, 1, 0, 0, 0, 0), False),
        ((1, 0, 0, 0, 0, 0), (3, 2, 2, 2, 3, 3), False), ((3, 2, 2, 2, 3, 3), (3, 2, 2, 2, 3, 3), True),
    ]:  # fmt: skip
        state = GAME.initial()._replace(near=near_of(mine), far=0, their_near=near_of(theirs), their_far=0, dice=0)
        assert math.isnan(GAME.ending_value(state, TABLE, 0)) != covered
    assert math.isnan(GAME.ending_value(GAME.initial(), TABLE, 0))


@kernel(kinds="state")
def static_evaluation(game, state):
    return game.evaluate(state)


def test_evaluations_with_weights_read_the_tables():
    shape = Shape((Cell((Part(0, 4, 4),), 0),), (tuple(range(16)),), hidden=2, payoff_scale=3.0, stages=(31,))
    weights = np.random.default_rng(0).integers(-900, 900, (2, shape.set_weights)).astype(np.int16)
    learned = with_network(GAME, Network(GAME, shape, weights))
    dice, seen = random.Random(3), 0
    for _ in range(40):
        mine, theirs = random_position(dice, 14), random_position(dice, 14)
        state = GAME.initial()._replace(near=near_of(mine), far=0, their_near=near_of(theirs), their_far=0, dice=0)
        known = GAME.ending_value(state, TABLE, 0)
        assert learned.evaluate(state) == known == static_evaluation(learned, state)
        seen += 1
    assert seen == 40
    assert learned.native_error is None
    start = GAME.initial()
    assert static_evaluation(learned, start) == pytest.approx(learned.evaluate(start), abs=1e-12)


def test_damaged_tables_get_a_sentence(tmp_path):
    bear_off_file.save_table(tmp_path / "t", TABLE.array)
    content = (tmp_path / "t").read_bytes()
    assert (bear_off_file.read_table(content, "t").array == TABLE.array).all()
    for wrong in (b"", content[:-1], content[:-9] + b"x" + content[-8:], content.replace(b"bear-off 1", b"bear-off 2")):
        with pytest.raises(Damaged, match="t is damaged: it holds no tables of bear-offs"):
            bear_off_file.read_table(wrong, "t")
