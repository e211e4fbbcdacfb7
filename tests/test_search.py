"""search: compiled and interpreted, against the referee, on hundreds of random games; and every way to stop it."""

from typing import NamedTuple

import numpy as np
import pytest

import naive
import random_games
import zermelo as z
from zermelo import DRAW, LOSS, ONGOING, WIN, Game, GameError, Limit, bits
from zermelo.native import Kernel


class Node(NamedTuple):
    code: np.uint64  # everything about a node follows from its code
    left: int  # plies before every line ends


class Hashed(Game):
    """A random game in which every state is a game of its own: one compiled kernel serves hundreds of them."""

    def initial(self):
        return Node(1, 6)

    def moves(self, node):
        for move in range(bits.remainder(bits.shift_right(node.code, 8), 4)):
            yield move

    def play(self, node, move):
        return Node(bits.mix(bits.add(node.code, move + 1)), node.left - 1)

    def result(self, node):
        if node.left == 0:
            return bits.remainder(node.code, 3) - 1
        return WIN if bits.remainder(node.code, 17) == 3 else LOSS if bits.remainder(node.code, 13) == 3 else ONGOING

    def stuck(self, node):
        return LOSS if bits.remainder(node.code, 2) == 0 else DRAW

    def order(self, node, move):
        return bits.remainder(bits.mix(bits.add(node.code, 77 + move)), 5)


class Points(Hashed):
    """The same for points, and with players who may move twice in a row."""

    margin = True

    def result(self, node):
        return bits.remainder(node.code, 21) - 10 if node.left == 0 else ONGOING

    def mover(self, node):
        return bits.remainder(bits.shift_right(node.code, 20), 2)


class Dice(Points):
    """The same with chance."""

    def is_chance(self, node):
        return node.left > 0 and bits.remainder(bits.shift_right(node.code, 30), 3) == 0

    def chances(self, node):
        yield 0, 0.25
        yield 1, 0.5
        yield 2, 0.25


def searchable(game, count):
    """States in which a player has something to choose."""
    found = []
    code = 0
    while len(found) < count:
        code += 1
        state = Node(bits.mix(code), 1 + code % 6)
        if game.result(state) == ONGOING and not game.is_chance(state) and list(game.moves(state)):
            found.append(state)
    return found


@pytest.mark.parametrize("game", [Hashed(), Points(), Dice()], ids=repr)
def test_the_compiled_search_agrees_with_the_referee(game):
    assert game.native_error is None
    for state in searchable(game, 150):
        report = z.search(game, state)
        assert report.value.score == pytest.approx(naive.value(game, state), abs=1e-12)
        assert report.value.exact
        assert report.move in naive.best_moves(game, state)


@pytest.mark.parametrize("kind", [random_games.RandomGame, random_games.FreeGame, random_games.ChanceGame])
@pytest.mark.parametrize("seed", range(20))
def test_the_interpreted_search_agrees_with_the_referee(kind, seed):
    game = kind(size=16, seed=seed)
    if game.is_chance(game.initial()):
        return
    report = z.search(game)
    assert report.value.score == pytest.approx(naive.value(game), abs=1e-12)


@pytest.mark.parametrize("game", [Hashed(), Points(), Dice()], ids=repr)
def test_compiled_and_interpreted_visit_the_same_nodes(game, monkeypatch):
    states = searchable(game, 70)
    compiled = [z.search(game, state, Limit(depth=4)) for state in states]
    monkeypatch.setattr(Kernel, "__call__", lambda self, game, *args: self.interpreted(game, *args))
    interpreted = [z.search(game, state, Limit(depth=4)) for state in states]
    for one, other in zip(compiled, interpreted, strict=True):
        assert (one.value, one.pv, one.nodes, one.depth) == (other.value, other.pv, other.nodes, other.depth)


@pytest.mark.parametrize("game", [Hashed(), Points(), Dice()], ids=repr)
def test_stopping_at_every_node_leaves_a_legal_move_and_no_false_claim(game):
    for state in searchable(game, 6):
        truth, total = naive.value(game, state), z.search(game, state).nodes
        for nodes in range(1, total + 2):
            report = z.search(game, state, Limit(nodes=nodes))
            assert report.move in list(game.moves(state))
            assert report.nodes <= nodes
            if report.value.exact:
                assert report.value.score == pytest.approx(truth, abs=1e-12)


def test_the_principal_variation_is_played_out():
    for state in searchable(Hashed(), 40):
        report, at = z.search(Hashed(), state), state
        for move in report.pv:
            assert move in list(Hashed().moves(at))
            at = Hashed().play(at, move)
        assert naive.is_over(Hashed(), at)
        if report.value.plies is not None:
            assert len(report.pv) == report.value.plies


class Wide(Game):
    """More moves than the first buffer holds, deeper down."""

    def initial(self):
        return (1, 0)

    def moves(self, state):
        return range(state[0])

    def play(self, state, move):
        return (300 if state[0] == 1 else 2, move)

    def result(self, state):
        return LOSS if state[1] == 299 else WIN if state[0] == 2 else ONGOING


def test_buffers_grow_with_the_widest_state():
    report = z.search(Wide())
    assert (str(report.value), report.pv) == ("loss in 2", (0, 299))


def test_a_clock_ends_the_search_and_leaves_a_move():
    game = z.load("connect_four")
    report = z.search(game, limit=Limit(seconds=0.05))
    assert report.move in range(7)
    assert report.depth >= 1


def test_the_values_of_small_boards():
    # a four by four board is drawn, as in Tromp's table; on 4x5 (height 5) too
    for text in ("connect_four(4,4)", "tic_tac_toe"):
        assert str(z.search(z.load(text)).value) == "draw"


def test_sentences_where_there_is_nothing_to_search():
    game = z.load("tic_tac_toe")
    over = z.position(game, "a1 a2 b1 b2 c1")
    with pytest.raises(GameError, match="the game is over"):
        z.search(game, over)
    pig = z.load("pig")
    rolling = pig.play(pig.initial(), next(iter(pig.moves(pig.initial()))))
    with pytest.raises(GameError, match="chance moves"):
        z.search(pig, rolling)


def test_a_report_speaks_in_the_games_notation():
    game = z.load("connect_four(4,4)")
    report = z.search(game, limit=Limit(depth=3))
    assert report.to_dict()["move"] in "1234"
    assert report.to_dict()["pv"] == report.pv_text
    assert "depth 3" in str(report)
    assert report.value.for_player(0) == report.value
