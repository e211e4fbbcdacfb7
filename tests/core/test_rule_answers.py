"""What rules answer: what the contract forbids is the same sentence from every verb, and what it allows is right."""

import itertools
import math
import time

import numpy as np
import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, Game, GameError, Limit, textbook
from zermelo.play.books.learned_book import LearnedBook, open_learned
from zermelo.play.session import Session
from zermelo.solving.plan import plan_if_compiled
from zermelo.solving.small_games import Overtaken, solve_small
from zermelo.solving.solve_api import EPSILON


class Countdown(Game):
    """Take one or two; the player who takes the last one wins."""

    native = False

    def initial(self):
        return 5

    def moves(self, left):
        return range(1, min(left, 2) + 1)

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return LOSS if left == 0 else ONGOING


class Rolled(Countdown):
    """After each move a die is thrown, which changes nothing."""

    payoff_bounds = (-1, 1)

    def initial(self):
        return (0, 5)

    def is_chance(self, state):
        return state[0] == 1

    def chances(self, state):
        return ((1, 0.5), (2, 0.5))

    def moves(self, state):
        return range(1, min(state[1], 2) + 1)

    def play(self, state, move):
        return (1, state[1] - move) if state[0] == 0 else (0, state[1])

    def result(self, state):
        return LOSS if state == (0, 0) else ONGOING

    def mover(self, state):
        return state[1] % 2


def with_rules(base=Countdown, **rules):
    """A game with some rules that say something else."""
    return type("Odd", (base,), {"__module__": __name__, **rules})()


VERBS = {
    "search": lambda game: z.search(game, limit=Limit(depth=9)),
    "search_many": lambda game: z.search_many(game, [game.initial()], Limit(depth=9), exact=False),
    "monte_carlo": lambda game: z.monte_carlo(game, limit=Limit(nodes=200)),
    "solve": z.solve,
    "playouts": lambda game: z.playouts(game, n=50),
    "expectiminimax": textbook.expectiminimax,
    "star2": textbook.star2,
    "value_iteration": textbook.value_iteration,
    "backward_induction": textbook.backward_induction,
    "play": lambda game: played(game),
}


def played(game):
    session = Session(game, seed=1)
    while session.outcome is None:
        if session.is_chance:
            session.roll()
        else:
            session.play(session.moves[0])
    return session


BROKEN = [
    (with_rules(moves=lambda game, left: None), r"`moves` returned None \(is a `return` missing\?\) in 5"),
    (with_rules(moves=lambda game, left: 3), "`moves` returned 3 in 5"),
    (with_rules(moves=lambda game, left: itertools.repeat(1)), "`moves` yields more than 100000 things"),
    (with_rules(result=lambda game, left: None), r"`result` returned None \(is a `return` missing\?\) in 5"),
    (with_rules(result=lambda game, left: "LOSS" if left == 0 else ONGOING), "`result` returned 'LOSS' in 0"),
    (with_rules(result=lambda game, left: -0.5 if left == 0 else ONGOING), r"`result` returned -0\.5 in 0"),
    (with_rules(result=lambda game, left: math.nan if left == 0 else ONGOING), "`result` returned nan in 0"),
    (with_rules(result=lambda game, left: -(1 << 70) if left == 0 else ONGOING), "in 0, not a number of 64 bits"),
    (with_rules(result=lambda game, left: ONGOING, stuck=lambda game, left: None), "`stuck` returned None"),
    (with_rules(Rolled, chances=lambda game, state: {1: 0.5, 2: 0.5}), "`chances` returned 1 in "),
    (with_rules(Rolled, chances=lambda game, state: ((1, 0.5, 7),)), r"`chances` returned \(1, 0\.5, 7\) in "),
    (with_rules(Rolled, chances=lambda game, state: ((1, "0.5"),)), r"`chances` returned \(1, '0\.5'\) in "),
    (with_rules(Rolled, chances=lambda game, state: None), r"`chances` returned None"),
    (with_rules(Rolled, chances=lambda game, state: itertools.repeat((1, 0.0))), "`chances` yields more than 100000"),
]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(("game", "words"), BROKEN, ids=[words for _, words in BROKEN])
def test_what_a_rule_must_not_answer_gets_the_same_sentence_everywhere(game, words, verb):
    if verb == "playouts" and "yields more than" in words and game.has("chances"):
        return  # a random game draws one of them
    with pytest.raises(GameError, match=words):
        VERBS[verb](game)


STUCK = with_rules(result=lambda game, left: ONGOING, stuck=lambda game, left: ONGOING)


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "monte_carlo"])
def test_a_stuck_player_does_not_go_on(verb):
    with pytest.raises(GameError, match="`stuck` returned ONGOING in 0, where no move is left"):
        VERBS[verb](STUCK)


@pytest.mark.parametrize("verb", ["search", "search_many"])
def test_bounds_that_are_no_numbers_prove_nothing(verb):
    with pytest.raises(GameError, match=r"`bounds` returned \(nan, nan\) in 4, not two scores"):
        VERBS[verb](with_rules(bounds=lambda game, left: (math.nan, math.nan)))


@pytest.mark.parametrize("key", [5.0, None, "5"])
def test_a_key_is_a_whole_number(key):
    with pytest.raises(GameError, match=r"`key` returned .* not a whole number of 64 bits"):
        z.prove(with_rules(key=lambda game, left: key))


def test_points_beyond_all_scores_are_refused_by_every_solver():
    game = with_rules(
        margin=True, payoff_bounds=(-(10**6), 10**6), result=lambda game, left: ONGOING if left else -950_000
    )
    for ask in (z.solve, textbook.backward_induction, textbook.minimax):
        with pytest.raises(GameError, match="worth -950000 points"):
            ask(game)


def test_a_move_that_is_not_equal_to_itself():
    game = with_rules(
        moves=lambda game, left: (math.nan, 2.0)[: min(left, 2)], play=lambda game, left, m: left - 1 - (m == 2)
    )
    with pytest.raises(z.CheckError, match="gives the move nan, which is not equal to itself"):
        z.check(game)
    assert str(z.solve(game).value()) == str(textbook.retrograde(game).value) == "win in 3"


# -- what the contract allows ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("native", [False, None])
def test_any_int_is_an_order(native):
    game = with_rules(native=native, order=lambda game, left, taken: taken << 59)
    z.check(game)
    assert str(z.search(game, exact=True).value) == "win in 3"
    assert z.prove(game).value.outcome == 1


def test_payoffs_of_numpy_are_ints():
    points = with_rules(margin=True, payoff_bounds=(-3, 3), result=lambda game, left: np.int64(ONGOING if left else -3))
    z.check(points)
    solution = z.solve(points)
    z.verify(solution)
    assert solution.value().score == z.search(points, exact=True).value.score == 3
    assert type(solution.value().score) is int


PARTS = [np.int64, np.uint8, np.float32, np.bool_]


@pytest.mark.parametrize("kind", PARTS)
def test_states_of_numpy_are_read_as_they_are_written(kind, tmp_path):
    game = with_rules(
        initial=lambda game: (5, kind(1)), moves=lambda game, state: range(1, min(state[0], 2) + 1),
        play=lambda game, state, taken: (state[0] - taken, kind((state[0] - taken) % 2)),
        result=lambda game, state: ONGOING if state[0] else LOSS,
    )  # fmt: skip
    for state in z.solve(game):
        back = game.parse_state(game.state_text(state))
        assert back == state
        assert [type(part) for part in back] == [int, kind]
    book = LearnedBook(game)
    book.learn(game.initial(), [2, 1], 0)
    book.save(tmp_path / "book.json")
    assert open_learned(game, tmp_path / "book.json").positions == book.positions
    for text in ("(5, None)", "(5, -7.5)", f"(5, {1 << 80})") if kind is np.uint8 else ("(5, None)", "(5, 'x')"):
        with pytest.raises(GameError, match="does not describe a state"):
            game.parse_state(text)


def test_moves_may_make_a_number_one_of_numpy():
    z.check(with_rules(moves=lambda game, left: np.arange(1, min(left, 2) + 1)))


# -- who answers first -------------------------------------------------------------------------------------------------


def test_a_stage_that_goes_back_is_left_to_the_compiled_solver():
    """It says where; the plain one, which may be the first to answer, knew the values all the same."""
    game = with_rules(native=None, stage=lambda game, left: left)
    with pytest.raises(Overtaken):
        solve_small(game, plan_if_compiled(game), False, EPSILON, lambda: False)


def test_a_sample_has_no_state_twice():
    loop = with_rules(loops=True, play=lambda game, left, taken: left)
    start = time.process_time()
    assert z.verify(z.solve(loop)).drawn == 1  # a search of it goes on as long as it may, and a hundred of them did
    assert time.process_time() - start < 60
