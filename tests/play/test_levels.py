"""Levels: the model of a player who errs, what it never misses, and how strength grows with the level."""

import math
import random
from itertools import pairwise
from pathlib import Path

import pytest

import random_games
import zermelo as z
from zermelo import GameError, Limit
from zermelo.play import Clock, Engine, Session
from zermelo.play.levels import FULL_STRENGTH, LEVEL_NAMES, LEVELS, move_probabilities, next_thought
from zermelo.play.move_choice import Source
from zermelo.play.win_probability import win_probability
from zermelo.rules import legal_actions
from zermelo.value import win_in

NO_CLOCK = Limit()
"""Levels end by themselves, so that a slow machine plays the same moves."""


@pytest.fixture(scope="module")
def solution():
    return z.solve(z.load("connect_four(4, 4)"))


def sample(solution, wanted, count, seed=0):
    """States of random play that the predicate accepts."""
    game, dice, found = solution.game, random.Random(seed), []
    while len(found) < count:
        session = Session(game, seed=1)
        while session.outcome is None:
            if wanted(solution.moves(session.state)):
                found.append(session.state)
            session.play(dice.choice(session.moves))
    return found[:count]


def can_err(moves):
    """Whether moves differ in their outcome, and none wins at once."""
    return len({value.outcome for value in moves.values()}) > 1 and all(value.plies != 1 for value in moves.values())


def kept(solution, states, **options):
    """In how many states an engine keeps the outcome."""
    engine = Engine(solution.game, NO_CLOCK, **options)
    best = [max(value.outcome for value in solution.moves(state).values()) for state in states]
    moves = [engine.choose(state).move for state in states]
    return sum(solution.moves(s)[m].outcome == b for s, m, b in zip(states, moves, best, strict=True))


def test_strength_grows_with_the_level(solution):
    states = sample(solution, can_err, 100)
    by_level = [kept(solution, states, level=level, seed=1) for level in (1, 4, 7)]
    assert by_level == sorted(by_level)
    assert by_level[0] < 0.85 * len(states) < by_level[-1]
    dice = random.Random(2)
    by_chance = 0
    for state in states:
        values = [value.outcome for value in solution.moves(state).values()]
        by_chance += dice.choice(values) == max(values)
    assert by_level[0] > by_chance


def test_the_highest_level_is_perfect_where_the_game_is_solved(solution):
    states = sample(solution, can_err, 60, seed=3)
    assert kept(solution, states, level=FULL_STRENGTH) == len(states)
    assert kept(solution, states, level=FULL_STRENGTH, database=solution) == len(states)


def test_every_level_takes_a_win_in_one(solution):
    states = sample(solution, lambda moves: any(value.score == win_in(1) for value in moves.values()), 20)
    for level in range(1, FULL_STRENGTH):
        engine = Engine(solution.game, NO_CLOCK, level=level, seed=level)
        assert all(solution.moves(state)[engine.choose(state).move].plies == 1 for state in states)


def test_moves_follow_from_the_seed():
    game = z.load("connect_four")
    played = [game_of(game, level=2, seed=seed) for seed in (5, 5, 6)]
    assert played[0] == played[1] != played[2]
    free = {tuple(game_of(game, level=1, seed=None)) for _ in range(4)}
    assert len(free) > 1


def game_of(game, **options):
    """The moves of a game of a level against itself."""
    engine, session = Engine(game, NO_CLOCK, **options), Session(game, seed=0)
    while session.outcome is None:
        session.play(engine.choose(session.state, history=session.states).move)
    return [turn.text for turn in session.history]


def test_a_lower_level_asks_neither_book_nor_database(solution):
    four = z.load("connect_four")
    assert Engine(four).decide(four.initial()).source is Source.BOOK
    assert Engine(four, NO_CLOCK, level=9).decide(four.initial()).source is Source.SEARCH
    game = solution.game
    states = sample(solution, can_err, 60, seed=4)
    alone, beside = (kept(solution, states, level=2, seed=1, database=each) for each in (None, solution))
    assert alone == beside < len(states)
    assert Engine(game, level=2, database=solution).decide(game.initial()).source is Source.SEARCH


KINDS = (random_games.FreeGame, random_games.PointsGame, random_games.ChanceGame, random_games.LoopGame)


@pytest.mark.parametrize("kind", KINDS)
def test_every_level_plays_legal_moves_in_interpreted_games_of_every_kind(kind):
    game = kind(size=14, seed=3)
    for level in range(1, FULL_STRENGTH + 1):
        engine = Engine(game, Limit(depth=6), level=level, seed=level)
        for state in range(game.size):
            if game.is_chance(state) or not (moves := legal_actions(game, state)):
                continue
            report = engine.choose(state)
            assert report.move in moves
            assert level == FULL_STRENGTH or len(report.lines) == len(moves)


@pytest.mark.parametrize("name", ["backgammon", "chess", "othello", "pig", "hex(5)", "nim"])
@pytest.mark.parametrize("level", [1, 6])
def test_levels_play_the_games_of_the_catalogue(name, level):
    game = z.load(name)
    object.__setattr__(game, "native", False)  # which needs no compiler
    engine, session = Engine(game, Limit(nodes=100), level=level, seed=1), Session(game, seed=1)
    for _ in range(6):
        if session.outcome is not None:
            break
        if session.is_chance:
            session.roll()
        else:
            session.play(engine.choose(session.state, history=session.states).move)
    assert len(session.history) >= 1


def test_a_level_draws_by_what_moves_lose():
    """The obvious way: each move's weight by itself, from the definition."""
    game = z.load("connect_four")
    report = z.search(game, z.position(game, "4 4"), Limit(depth=2), lines=7)
    assert len({line.value.score for line in report.lines}) > 1
    seen = [win_probability(game, line.value) for line in report.lines]
    mean = sum(max(seen) - each for each in seen) / len(seen)
    weights = [math.e ** ((each - max(seen)) / (0.3 * mean)) for each in seen]
    expected = [weight / sum(weights) for weight in weights]
    assert move_probabilities(report, 0.3) == pytest.approx(expected)


def test_equal_moves_are_equally_likely():
    game = z.load("nim((2, 2))")
    object.__setattr__(game, "native", False)
    report = z.search(game, None, lines=4)
    assert {value.outcome for value in report.moves.values()} == {z.LOSS}
    same = [line for line in report.lines if line.value.plies == report.value.plies]
    chances = move_probabilities(report, 0.5)
    assert len({round(chance, 12) for chance in chances[: len(same)]}) == 1
    assert sum(chances) == pytest.approx(1)


def test_quicker_wins_and_longer_losses_are_likelier():
    game = z.load("tic_tac_toe")
    report = z.search(game, z.position(game, "b2 b1 a1"), lines=6)
    chances = dict(zip((line.value for line in report.lines), move_probabilities(report, 0.5), strict=True))
    ranked = sorted(chances, key=lambda value: -chances[value])
    assert [value.score for value in ranked] == sorted((value.score for value in ranked), reverse=True)
    assert min(chances.values()) < max(chances.values())


def test_lapses_come_as_often_as_the_level_says():
    for number, level in enumerate(LEVELS, 1):
        dice = random.Random(number)
        lapses = sum(next_thought(number, dice).limit.depth == 1 for _ in range(4000)) / 4000
        assert lapses == pytest.approx(level.lapses, abs=0.03)
    for weaker, stronger in pairwise(LEVELS):
        assert weaker.lapses > stronger.lapses
        assert weaker.temperature > stronger.temperature
        assert (weaker.depth, weaker.nodes) <= (stronger.depth, stronger.nodes)
    assert len(set(LEVEL_NAMES)) == FULL_STRENGTH == 10


def test_a_round_that_was_cut_short_does_not_count():
    """Seen from the start of Connect Four, odd and even depths differ; a report of both would mix them."""
    game = z.load("connect_four")
    state = z.position(game, "4 4 3 3")
    engine = Engine(game, Limit(nodes=40), level=5, book=False)
    report = engine._searches.whole_rounds(state, Limit(nodes=120), 7, None)
    whole = z.search(game, state, Limit(depth=report.depth), lines=7)
    assert 1 <= report.depth < 4
    assert report.moves == whole.moves


def test_levels_play_on_a_clock_and_within_a_limit():
    game = z.load("connect_four")
    clock = Clock(10)
    assert Engine(game, clock, level=4, seed=1).choose(game.initial()).move in range(7)
    assert clock.left < 10
    report = Engine(game, Limit(nodes=1), level=9, seed=1).choose(game.initial())
    assert len(report.lines) == 7  # the least that a level sees is one ply


def test_a_bad_level_is_refused():
    game = z.load("nim")
    for level in (0, 11, 2.5, "3", True, None):
        with pytest.raises(GameError, match="level must be a whole number from 1 to 10"):
            Engine(game, level=level)
    with pytest.raises(GameError, match="style trickiest is for level 10; level 3 draws its moves"):
        Engine(game, level=3, style="trickiest")


def test_the_guide_shows_the_levels_as_they_are():
    page = (Path(__file__).parents[2] / "docs" / "playing.md").read_text(encoding="utf-8")
    for number, level in enumerate(LEVELS, 1):
        sight = f"{level.depth} plies, {level.nodes:,} nodes"
        row = f"| {number} | {level.name} | {sight} | {100 * level.lapses:.0f} % | {level.temperature:g} |"
        assert row in page
