"""prove: yes, no and not known, compiled and interpreted, against the referee; loops; and every way to stop it."""

import random
from typing import NamedTuple

import pytest
from test_search import Hashed, Long, Mixed, Points, StuckWins, Wide, searchable

import naive
import random_games
import zermelo as z
from zermelo import DRAW, LOSS, ONGOING, WIN, Game, GameError, Limit, Value, bits, rules
from zermelo.native import Kernel


def goals(game, truth):
    """Questions worth asking: around the truth where points are counted."""
    return (truth - 3, truth, truth + 1, 0) if game.margin else (WIN, DRAW)


def check(game, state, goal, report):
    """The answer is that of the referee, and each player whose cause is won plays a move that keeps it so."""
    truth = naive.value(game, state)
    assert report.value.bound == ("lower" if truth >= goal else "upper")
    assert report.bounds[0] <= truth <= report.bounds[1]
    assert report.value.score in report.bounds
    assert report.value.outcome in (None, (truth > 0) - (truth < 0))
    reached = truth >= goal
    for move in report.pv:
        assert move in list(game.moves(state))
        child = game.play(state, move)
        if rules.changes_player(game, state, child):
            goal, reached = 1 - goal, not reached
        state = child
        if not game.loops:
            assert (naive.value(game, state) >= goal) == reached
    assert game.loops or naive.is_over(game, state)


@pytest.mark.parametrize("game", [Hashed(), StuckWins(), Points()], ids=repr)
def test_the_compiled_answer_is_the_referees(game):
    assert game.native_error is None
    for state in searchable(game, 120):
        for goal in goals(game, naive.value(game, state)):
            check(game, state, goal, z.prove(game, state, at_least=goal))


KINDS = [
    random_games.RandomGame, random_games.FreeGame, random_games.PointsGame, random_games.LoopGame,
    random_games.FreeLoopGame,
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_interpreted_answer_is_the_referees(kind):
    for seed in range(60):
        game = kind(size=10 + seed % 9, seed=seed)
        for goal in goals(game, naive.value(game)):
            check(game, game.initial(), goal, z.prove(game, at_least=goal))


@pytest.mark.parametrize("megabytes", [0.00001, 0.0002, 0.002])
def test_small_tables_forget_but_do_not_lie(megabytes):
    for game in (Hashed(), Points()):
        for state in searchable(game, 40):
            for goal in goals(game, naive.value(game, state)):
                check(game, state, goal, z.prove(game, state, at_least=goal, table=megabytes))
    for seed in range(12):
        game = random_games.FreeLoopGame(size=12, seed=seed)
        for goal in (WIN, DRAW):
            check(game, game.initial(), goal, z.prove(game, at_least=goal, table=megabytes))


@pytest.mark.parametrize("game", [Hashed(), Points()], ids=repr)
def test_compiled_and_interpreted_look_at_the_same_states(game, monkeypatch):
    states = searchable(game, 100)
    compiled = [z.prove(game, state, table=0.001) for state in states]
    monkeypatch.setattr(Kernel, "__call__", lambda self, game, *args: self.interpreted(game, *args))
    for state, one in zip(states, compiled, strict=True):
        other = z.prove(game, state, table=0.001)
        assert (one.value, one.pv, one.nodes) == (other.value, other.pv, other.nodes)


@pytest.mark.parametrize("game", [Hashed(), StuckWins(), Points()], ids=repr)
def test_stopping_at_every_state_leaves_a_legal_move_and_no_false_claim(game):
    for state in searchable(game, 8):
        truth = naive.value(game, state)
        for goal in goals(game, truth):
            for nodes in range(1, z.prove(game, state, at_least=goal).nodes + 2):
                report = z.prove(game, state, Limit(nodes=nodes), at_least=goal)
                assert report.nodes <= nodes
                assert report.move in list(game.moves(state))
                assert report.value.bound in ("unknown", "lower" if truth >= goal else "upper")
            assert report.value.bound != "unknown"


def test_stopping_where_play_repeats_makes_no_false_claim():
    for seed in range(6):
        game = random_games.FreeLoopGame(size=12, seed=seed)
        truth = naive.value(game)
        for goal in (WIN, DRAW):
            for nodes in range(1, 60):
                report = z.prove(game, limit=Limit(nodes=nodes), at_least=goal)
                assert report.value.bound in ("unknown", "lower" if truth >= goal else "upper")


@pytest.mark.parametrize("text", ["tic_tac_toe", "connect_four(5, 4)"])
def test_games_of_the_house_from_random_play(text):
    """Symmetries, bounds, candidates and keys."""
    game, rng = z.load(text), random.Random(3)
    for _ in range(30):
        state, least = game.initial(), 11 if "four" in text else 4
        for ply in range(rng.randrange(least, 16)):
            if naive.is_over(game, state):
                break
            if ply >= least:
                for goal in (WIN, DRAW):
                    check(game, state, goal, z.prove(game, state, at_least=goal))
            state = game.play(state, rng.choice(list(game.moves(state))))


def answers(game):
    return [str(z.prove(game, at_least=goal).value) for goal in (WIN, DRAW)]


def test_published_values():
    # Tromp's table of Connect Four boards: 5x4 is drawn, 6x4 is a win of the second player
    assert answers(z.games.ConnectFour(5, 4)) == ["<= 0", ">= 0"]
    assert answers(z.games.ConnectFour(6, 4)) == ["<= 0", "loss"]
    # four in a row on a board of four by four is drawn
    assert answers(z.load("tic_tac_toe(4, 4, 4)")) == ["<= 0", ">= 0"]


@pytest.mark.slow
def test_the_board_of_six_by_five_is_drawn():
    assert answers(z.games.ConnectFour(6, 5)) == ["<= 0", ">= 0"]


# -- loops -------------------------------------------------------------------------------------------------------------


class Token(Game):
    """Push the token along an arrow; who cannot move loses, and t is a tie."""

    start: str = "h"
    arrows: tuple = (("a", "b"), ("b", "ad"), ("d", ""), ("e", "fb"), ("f", "eb"), ("g", "tb"), ("h", "ge"), ("t", ""))

    loops = True

    def initial(self):
        return self.start

    def moves(self, node):
        return dict(self.arrows)[node]

    def play(self, node, target):
        return target

    def result(self, node):
        return DRAW if node == "t" else ONGOING

    def stuck(self, node):
        return LOSS


@pytest.mark.parametrize("start", "abefgh")
def test_a_repetition_is_no_win_and_not_a_loss(start):
    game = Token(start)
    for goal in (WIN, DRAW):
        check(game, start, goal, z.prove(game, at_least=goal))


class Place(NamedTuple):
    graph: int  # which graph this is
    node: int


class Circles(Game):
    """A random graph of twenty nodes, full of loops, for each number: one compiled kernel serves them all."""

    loops = True

    def initial(self):
        return Place(1, 0)

    def moves(self, place):
        for move in range(1 + bits.remainder(bits.mix(place.graph * 64 + place.node), 3)):
            yield move

    def play(self, place, move):
        return Place(place.graph, bits.remainder(bits.mix(place.graph * 640 + place.node * 8 + move), 20))

    def result(self, place):
        kind = bits.remainder(bits.mix(place.graph * 6400 + place.node), 11)
        return ONGOING if place.node == 0 else WIN if kind == 1 else LOSS if kind == 2 else ONGOING


def test_loops_compiled(monkeypatch):
    game, places = Circles(), [Place(graph, 0) for graph in range(60)]
    assert game.native_error is None
    compiled = [[z.prove(game, place, at_least=goal) for goal in (WIN, DRAW)] for place in places]
    for place, reports in zip(places, compiled, strict=True):
        for goal, report in zip((WIN, DRAW), reports, strict=True):
            check(game, place, goal, report)
    monkeypatch.setattr(Kernel, "__call__", lambda self, game, *args: self.interpreted(game, *args))
    for place, reports in zip(places, compiled, strict=True):
        for goal, report in zip((WIN, DRAW), reports, strict=True):
            other = z.prove(game, place, at_least=goal)
            assert (report.value, report.pv, report.nodes) == (other.value, other.pv, other.nodes)


@pytest.mark.parametrize("kind", [random_games.LoopGame, random_games.FreeLoopGame])
def test_answers_kept_from_one_path_hold_on_every_other(kind):
    """The graph-history interaction: one table for questions about all states of a graph that is full of loops."""
    from zermelo.searching.proof.proof_search import ProofSearch

    for seed in range(12):
        game = kind(size=12, seed=seed)
        for goal in (WIN, DRAW):
            shared = ProofSearch(game, 0, Limit(), 0.1, goal).table
            for state in range(12):
                if game.result(state) != ONGOING or not list(game.moves(state)):
                    continue
                one = ProofSearch(game, state, Limit(), 0.1, goal)
                one.table = shared
                assert (one.run().value.bound == "lower") == (naive.value(game, state) >= goal)


# -- limits and errors ------------------------------------------------------------------------------------------------


class InterpretedLong(Long):
    native = False


class InterpretedWide(Wide):
    native = False


class Detour(InterpretedLong):
    """The same with a win beside the long way."""

    def moves(self, n):
        return range(2) if n == 10 else range(1)

    def play(self, n, move):
        return n + 1 if move == 0 else self.plies


def test_a_game_too_long_to_prove_is_not_called_proven():
    assert str(z.prove(InterpretedLong(100), at_least=DRAW).value) == "loss"
    report = z.prove(InterpretedLong(500))
    assert (str(report.value), report.move) == ("unknown", 0)


def test_lines_that_are_too_long_do_not_hide_short_ones():
    assert z.prove(Detour(500)).pv == (0,) * 10 + (1,)


def test_wide_states_and_moves_of_any_kind():
    report = z.prove(InterpretedWide(), at_least=DRAW)
    assert (str(report.value), report.pv) == ("loss", (0, 299))
    for seed in range(6):
        game = Mixed(size=14, seed=seed)
        check(game, 0, WIN, z.prove(game))


def test_a_clock_ends_the_search():
    game = z.load("connect_four(6, 4)")
    report = z.prove(game, limit=Limit(seconds=0.01), at_least=DRAW)
    assert str(report.value) == "unknown"
    assert report.move in range(6)


def test_a_bound_turns_with_the_point_of_view():
    values = (Value.at_least(3), Value.at_most(0), Value.unknown())
    assert [str(-value) for value in values] == ["<= -3", ">= 0", "unknown"]
    report = z.prove(z.load("connect_four(5, 4)"), at_least=DRAW)
    assert str(-report.value) == "<= 0"
    assert report.to_dict()["value"]["bound"] == "lower"


def test_errors_for_wrong_arguments():
    game = z.load("tic_tac_toe")
    with pytest.raises(GameError, match="has chance"):
        z.prove(z.load("pig"))
    with pytest.raises(GameError, match="WIN or DRAW"):
        z.prove(game, at_least=5)
    with pytest.raises(GameError, match="whole number"):
        z.prove(game, at_least="win")
    with pytest.raises(GameError, match="no depth"):
        z.prove(game, limit=Limit(depth=3))
    with pytest.raises(GameError, match="argument of prove is a state"):
        z.prove(game, Limit(nodes=3))
    with pytest.raises(GameError, match="the game is over"):
        z.prove(game, z.position(game, "a1 a2 b1 b2 c1"))
    with pytest.raises(GameError, match="prove takes a game"):
        z.prove("tic_tac_toe")
