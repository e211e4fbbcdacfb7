"""Moves and chance outcomes of any hashable kind: whatever searches, solves, plays or records gives them back."""

import numpy as np
import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, Game, GameError, Limit, textbook
from zermelo.play.engine import Engine
from zermelo.play.record import replayed
from zermelo.play.session import Session
from zermelo.searching import Report
from zermelo.searching.runtime.move_encoding import EncodedGame

LABELS = {
    "pairs": ((3, 4), (5, 6)),
    "words": ("3", "5"),
    "floats": (1.5, 1.25),
    "bools": (True, False),
    "huge": (1 << 70, -(1 << 71)),
    "large": (-(1 << 62), 1 << 62),
    "near": ((1 << 60) - 1, 1 << 60),
    "negative": (-1, -2),
    "sets": (frozenset({1}), frozenset()),
    "numpy": (np.int64(4), np.uint8(7)),
    "mixed": (0, "one"),
}
KINDS = pytest.mark.parametrize("kind", LABELS)


class Take(Game):
    """Take one or two of a pile, which are called by the labels; the player who takes the last one wins."""

    kind: str = "pairs"
    left: int = 7
    native = False

    def initial(self):
        return self.left

    def moves(self, left):
        return LABELS[self.kind][:left]

    def play(self, left, label):
        return left - 1 - LABELS[self.kind].index(label)

    def result(self, left):
        return LOSS if left == 0 else ONGOING


class Throw(Game):
    """Who moves bets on few or many, then chance takes one or two of the pile; the player to move at the end loses."""

    kind: str = "pairs"
    native = False

    def initial(self):
        return (4, 0, 0)

    def mover(self, state):
        return state[1]

    def moves(self, state):
        return LABELS[self.kind]

    def is_chance(self, state):
        return state[2] > 0

    def chances(self, state):
        few = 0.25 * state[2]
        return tuple(zip(LABELS[self.kind], (few, 1 - few), strict=True))

    def play(self, state, label):
        place = 1 + LABELS[self.kind].index(label)
        return (max(state[0] - place, 0), 1 - state[1], 0) if state[2] else (state[0], state[1], place)

    def result(self, state):
        return LOSS if state[0] == 0 else ONGOING


def answers(game, limit):
    """What searches say of a game without chance, each as a report or a result."""
    yield z.search(game)
    yield z.search(game, exact=True)
    yield z.search(game, limit=limit, lines=2)
    yield from z.search_many(game, [game.initial()])
    yield list(z.analyze(game, limit=limit))[-1]
    yield textbook.alphabeta(game)
    yield textbook.iterative_deepening(game)


def follow(game, moves):
    """The state after moves, each of which must be one that the game lists, to the type."""
    state = game.initial()
    for move in moves:
        assert (type(move), move) in [(type(each), each) for each in game.moves(state)]
        state = game.play(state, move)
    return state


@KINDS
def test_moves_come_back_as_they_are(kind):
    game = Take(kind)
    for answer in answers(game, Limit(depth=9)):
        assert (str(answer.value), answer.move) == ("win in 5", LABELS[kind][0])
        follow(game, answer.pv)
        assert answer.to_dict()["move"] == game.move_text(game.initial(), answer.move)
    assert follow(game, z.search(game).pv) == 0
    for answer in (z.prove(game), z.monte_carlo(game, limit=Limit(nodes=3000))):
        assert (str(answer.value), answer.move) == ("win", LABELS[kind][0])
        follow(game, answer.pv)
    solution = z.solve(game)
    assert (str(solution.value()), solution.best()) == ("win in 5", [LABELS[kind][0]])
    assert z.perft(game, 3) == z.perft(Take("negative"), 3)
    assert sum(z.divide(game, 3).values()) == z.perft(game, 3)


@KINDS
def test_outcomes_of_any_kind_are_searched(kind):
    game = Throw(kind)
    truth = textbook.expectiminimax(game).value.score
    assert truth == pytest.approx(textbook.value_iteration(game).value.score)
    reports: list[Report] = [z.search(game), z.search(game, limit=Limit(depth=12), lines=2)]
    reports += [z.search_many(game, [game.initial()], exact=False)[0], list(z.analyze(game))[-1]]
    for report in reports:
        assert report.value.exact
        assert report.value.score == pytest.approx(truth)
        follow(game, report.pv)
    sampled = z.search(game, samples=1, seed=1)
    assert not sampled.value.exact
    assert sampled.value == z.search(Throw("negative"), samples=1, seed=1).value
    assert z.solve(game).value().score == pytest.approx(truth)
    assert z.monte_carlo(game, limit=Limit(nodes=4000)).value.score == pytest.approx(truth, abs=0.1)
    assert z.perft(game, 4) == z.perft(Throw("negative"), 4)


@KINDS
@pytest.mark.parametrize("game", [Take, Throw])
def test_games_are_played_and_recorded(game, kind):
    session, engine = Session(game(kind), seed=3), Engine(game(kind), limit=Limit(depth=3))
    while session.outcome is None:
        session.roll() if session.is_chance else session.play(engine.choose(session.state).move)
    assert replayed(game(kind), session.record()).history == session.history


# -- compiled ---------------------------------------------------------------------------------------------------------


class Halves(Game):
    """Rules that would compile, if what chance yields were ints."""

    def initial(self):
        return (4, 0, 0)

    def mover(self, state):
        return state[1]

    def moves(self, state):
        yield 1
        yield 2

    def is_chance(self, state):
        return state[2] > 0

    def chances(self, state):
        yield 1.5, 0.25
        yield 0.5, 0.75

    def play(self, state, move):
        if state[2]:
            return (state[0] - int(2 * move), 1 - state[1], 0)
        return (state[0] - (move - 1), state[1], move)

    def result(self, state):
        return ONGOING if state[0] > 0 else LOSS


class HalvesInATuple(Halves):
    def chances(self, state):
        return ((1.5, 0.25), (0.5, 0.75))


@pytest.mark.parametrize("game", [Halves(), HalvesInATuple()], ids=repr)
def test_outcomes_that_are_no_ints_are_not_made_ints(game):
    """Asked first, before anybody wanted to know whether the game compiles."""
    assert z.search(game).value.score == textbook.expectiminimax(game).value.score == 0.125
    assert "a move is an int where rules are compiled" in game.native_error


class HalfMoves(Game):
    """Moves of a half or a whole: none of them is an int."""

    def initial(self):
        return 9

    def moves(self, left):
        yield 0.5
        if left > 1:
            yield 1.0

    def play(self, left, taken):
        return left - int(2 * taken)

    def result(self, left):
        return LOSS if left == 0 else ONGOING


def test_moves_that_are_no_ints_are_not_made_ints():
    game = HalfMoves()
    for answer in (z.search(game), z.search(game, exact=True)):
        assert str(answer.value) == str(textbook.minimax(game).value)
        assert set(map(type, answer.pv)) == {float}


class TrueMoves(Game):
    """Take one, or two if that is true."""

    def initial(self):
        return 7

    def moves(self, left):
        yield False
        if left > 1:
            yield True

    def play(self, left, two):
        return left - 1 - two

    def result(self, left):
        return LOSS if left == 0 else ONGOING


def test_compiled_bools_come_back_as_bools():
    game = TrueMoves()
    assert game.native_error is None
    for report in (z.search(game), z.search_many(game, [7])[0], z.prove(game)):
        assert (report.move, report.to_dict()["move"]) == (False, "False")
        follow(game, report.pv)


class Chosen(Take):
    """The same, and the rules say which moves are enough."""

    enough: tuple = ()
    listed = []

    def moves(self, left):
        self.listed.append(left)
        return super().moves(left)

    def candidates(self, left):
        return self.enough or LABELS[self.kind][:left]


def test_a_candidate_that_is_no_move_is_an_error():
    with pytest.raises(GameError, match=r"Chosen\(.*\): `candidates` returned 'seven' in \d, not moves of this state"):
        z.search(Chosen("words", enough=("seven",)), limit=Limit(depth=3))


def test_candidates_that_are_ints_are_taken_as_they_are():
    game = EncodedGame(Chosen("negative"))
    Chosen.listed.clear()
    assert list(game.candidates(7)) == [-1, -2]
    assert Chosen.listed == []
