"""Evaluations at the edge: none passes for a proof, however large, and one that is not finite is an error."""

import math
import re

import pytest

import zermelo as z
from zermelo import DRAW, LOSS, ONGOING, Game, GameError, Limit, textbook
from zermelo.searching.runtime.search_worker import check_evaluations, evaluation_unit
from zermelo.searching.runtime.thread_memory import BAD_EVAL, NO_MOVE, PLAYED, new_memory
from zermelo.value import DECISIVE


class Race(Game):
    """Go one or two steps in turn; who is to move at the end loses. Estimates are `usual`, and `odd` in one place."""

    odd: float = 0.0
    place: int = 5
    usual: float = 0.25
    native = False

    def initial(self):
        return (0, 0)

    def moves(self, state):
        yield 1
        yield 2

    def play(self, state, steps):
        return (state[0] + steps, 1 - state[1])

    def result(self, state):
        return LOSS if state[0] >= 60 else ONGOING

    def evaluate(self, state):
        return self.odd if state[0] == self.place else self.usual


class Tossed(Race):
    """Where a third of the way is done, a coin decides how far it goes."""

    payoff_bounds = (-2_000_000, 2_000_000)

    def mover(self, state):
        return state[1]

    def is_chance(self, state):
        return state[0] % 3 == 1

    def chances(self, state):
        yield 1, 0.5
        yield 2, 0.5


def shallow(game):
    return z.search(game, limit=Limit(depth=4))


def deepened(game):
    return textbook.iterative_deepening(game, limit=Limit(depth=4))


def last_analysis(game):
    with z.analyze(game, limit=Limit(depth=4)) as reports:
        return list(reports)[-1]


def traced(algorithm):
    """An algorithm of the lectures, with what its trace says of the root and of every leaf."""

    def run(game):
        trace = z.Trace()
        result = algorithm(game, depth=4, trace=trace)
        for node in trace.nodes:
            assert node.value is None or abs(node.value) < DECISIVE
        return result

    return run


PLAIN = {name: traced(getattr(textbook, name)) for name in ("minimax", "negamax", "alphabeta", "root_search")}
PLAIN |= {"aspiration": traced(textbook.aspiration), "deepening": deepened}
CHANCE = {name: traced(getattr(textbook, name)) for name in ("expectiminimax", "star1", "star2")}
CHANCE |= {"deepening": deepened}
SEARCHES = {"search": shallow, "analyze": last_analysis}
CASES = [(Race, name, run) for name, run in (PLAIN | SEARCHES).items()]
CASES += [(Tossed, name, run) for name, run in (CHANCE | SEARCHES).items()]
EVERYWHERE = pytest.mark.parametrize(
    ("game", "run"), [(game, run) for game, _, run in CASES], ids=[f"{game.__name__}-{name}" for game, name, _ in CASES]
)


@EVERYWHERE
@pytest.mark.parametrize("usual", [900_000, 999_997.0, -1_000_000, 1e300, -(10**400)], ids=str)
def test_no_evaluation_is_a_proof(game, run, usual):
    value = run(game(usual, usual=usual)).value
    assert (value.exact, value.outcome, value.plies) == (False, None, None)
    assert abs(value.score) < DECISIVE


@EVERYWHERE
@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf], ids=str)
def test_what_is_no_number_is_said_with_its_state(game, run, odd):
    with pytest.raises(GameError) as caught:
        run(game(odd))
    assert str(caught.value).startswith(f"{game(odd)!r}: `evaluate` returned {odd} in (5, ")
    assert str(caught.value).endswith("), not a finite number.")


@pytest.mark.parametrize("usual", [None, "much", (1,)], ids=str)
def test_what_is_no_number_at_all(usual):
    for run in (*PLAIN.values(), *SEARCHES.values()):
        with pytest.raises(GameError, match=r"`evaluate` returned .* in \(\d+, \d\), not a number"):
            run(Race(usual, usual=usual))


class Endless(Race):
    """Nobody gets there, so that playouts are cut off with an evaluation."""

    def result(self, state):
        return ONGOING


def test_playouts_that_end_with_an_evaluation():
    assert abs(z.monte_carlo(Endless(usual=10**7), limit=Limit(nodes=2)).value.score) <= 1
    for usual in (math.nan, math.inf):
        with pytest.raises(GameError, match=r"`evaluate` returned (nan|inf) in .*, not a finite number"):
            z.monte_carlo(Endless(usual=usual), limit=Limit(nodes=2))


def test_a_proof_asks_for_no_evaluation():
    class Short(Race):
        def result(self, state):
            return LOSS if state[0] >= 6 else ONGOING

    game = Short(math.nan, usual=math.nan)
    assert str(z.search(game, exact=True).value) == str(textbook.minimax(game).value) == "loss in 4"


@pytest.mark.parametrize(("usual", "unit"), [(0.25, 1000), (89.0, 1000), (91.0, 100), (12_345.5, 1), (3, 1)])
def test_large_estimates_leave_room_for_larger_ones(usual, unit):
    """Fractions are kept as far as scores have room for numbers ten times as large."""
    game = Race(usual, usual=usual)
    assert evaluation_unit(game, game.initial()) == unit
    assert shallow(game).value.score == (int(usual) if unit == 1 else usual)


def test_points_that_no_score_can_tell():
    class Rich(Game):
        margin = True

        def initial(self):
            return 0

        def moves(self, state):
            return (1, 2)

        def play(self, state, move):
            return move

        def result(self, state):
            return ONGOING if state == 0 else (-3_000_000, DRAW)[state - 1]

    for run in (textbook.minimax, textbook.negamax, textbook.alphabeta, z.search):
        with pytest.raises(GameError, match="3000000 points, and scores have room for less than 900000"):
            run(Rich())


# -- compiled: one class reads from its states what is odd, so that it compiles once ---------------------------------

ODD = (math.nan, math.inf, -math.inf, 1e6, -1e300, 0.5)


class Coded(Game):
    """A race without end; from place 5 on, the evaluation is the one that the state has the number of."""

    start: int = 0

    def initial(self):
        return (0, 0, self.start)

    def moves(self, state):
        yield 1
        yield 2

    def play(self, state, steps):
        return (state[0] + steps, 1 - state[1], state[2])

    def result(self, state):
        return ONGOING

    def evaluate(self, state):
        return ODD[state[2]] if state[0] >= 5 else 0.25


class CodedToss(Coded):
    payoff_bounds = (-2_000_000, 2_000_000)

    def mover(self, state):
        return state[1]

    def is_chance(self, state):
        return state[0] % 3 == 1

    def chances(self, state):
        yield 1, 0.5
        yield 2, 0.5


@pytest.mark.parametrize("game", [Coded(), CodedToss()], ids=["players", "chance"])
def test_compiled_evaluations(game):
    assert game.native_error is None
    for number, odd in enumerate(ODD):
        state = (0, 0, number)
        if math.isfinite(odd):
            value = z.search(game, state, Limit(depth=5)).value
            assert (value.exact, value.outcome) == (False, None)
            assert abs(value.score) < DECISIVE
        else:
            with pytest.raises(GameError) as caught:
                z.search(game, state, Limit(depth=5))
            place = re.search(
                rf"`evaluate` returned {odd} in \((\d), [01], {number}\), not a finite number.$", str(caught.value)
            )
            assert place is not None
            assert int(place[1]) >= 5


def test_compiled_playouts():
    game = Coded()
    z.monte_carlo(game, (0, 0, 3), Limit(nodes=2))
    with pytest.raises(GameError, match=r"after \(0, 0, 1\) `evaluate` returns what is no finite number"):
        z.monte_carlo(game, (0, 0, 1), Limit(nodes=2))


@pytest.mark.parametrize("skips", [False, True])
def test_any_word_may_be_the_move_to_an_odd_evaluation(skips):
    """The error names the state that the kernel met, also where the move looks like none at all."""

    class Far(Race):
        def moves(self, state):
            return (NO_MOVE, 1)

        def play(self, state, move):
            return (*state, move)

        def result(self, state):
            return ONGOING

        def evaluate(self, state):
            return math.nan

    class Skipping(Far):
        def skip(self, state):
            return (*state, "skipped")

    game, memory = (Skipping if skips else Far)(), new_memory(2)
    memory[BAD_EVAL], memory[PLAYED + 1], memory[PLAYED + 2] = 4, NO_MOVE, 1
    with pytest.raises(GameError, match=rf"`evaluate` returned nan in \(0, {NO_MOVE}, 1\)"):
        check_evaluations(game, (0,), 1, memory)
