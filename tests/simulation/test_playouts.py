"""Playouts: random games, their statistics, and the command."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import zermelo as z
from zermelo import rules
from zermelo.app.cli import run
from zermelo.game import ONGOING


def expected(game, state=None):
    """The chances of a win, a draw and a loss for the mover, and the mean length, of random play: exact."""
    known = {}

    def of(state):
        if state not in known:
            known[state] = computed(state)
        return known[state]

    def computed(state):
        payoff = rules.payoff(game, state)
        if payoff != ONGOING:
            return (Fraction(payoff > 0), Fraction(payoff == 0), Fraction(payoff < 0), Fraction(0))
        if game.is_chance(state):
            ways = [
                (outcome, Fraction(probability).limit_denominator(10**6))
                for outcome, probability in game.chances(state)
            ]
        else:
            moves = list(game.moves(state))
            ways = [(move, Fraction(1, len(moves))) for move in moves]
        total = [Fraction(0)] * 4
        for move, share in ways:
            child = game.play(state, move)
            win, draw, loss, plies = of(child)
            if rules.changes_player(game, state, child):
                win, loss = loss, win
            for i, part in enumerate((win, draw, loss, plies + 1)):
                total[i] += share * part
        return tuple(total)

    return of(game.initial() if state is None else state)


@pytest.mark.parametrize("name", ["tic_tac_toe", "nim", "kalah(2, 1)", "hexapawn", "connect_four(3, 3)"])
def test_rates_are_those_of_random_play(name):
    """Within five standard deviations of the exact values: a right program fails once in a million runs, or never,
    since the seed is fixed."""
    game = z.load(name)
    n = 40_000
    found = z.playouts(game, n=n, seed=1)
    win, draw, loss, plies = expected(game)
    for count, share in ((found.wins, win), (found.draws, draw), (found.losses, loss)):
        share = float(share)
        assert abs(count - n * share) <= 5 * (n * share * (1 - share)) ** 0.5
    spread = sum(games * (length - found.mean_length) ** 2 for length, games in found.lengths.items()) / n
    assert abs(found.mean_length - float(plies)) <= 5 * (spread / n) ** 0.5 + 1e-12
    assert found.wins + found.draws + found.losses == sum(found.lengths.values()) == n


class Dice(z.Game):
    """A coin that falls on heads three times out of four, then a choice among as many moves as its number says."""

    def initial(self):
        return (0, 0)

    def moves(self, state):
        for move in range(1 + state[1]):
            yield move

    def is_chance(self, state):
        return state[0] == 0

    def chances(self, state):
        yield 1, 0.75
        yield 2, 0.25

    def mover(self, state):
        return 0

    def play(self, state, move):
        return (1, move) if state[0] == 0 else (2, move)

    def result(self, state):
        if state[0] < 2:
            return ONGOING
        return z.WIN if state[1] == 0 else z.LOSS


def test_chance_has_its_own_probabilities():
    found = z.playouts(Dice(), n=100_000)
    win = float(expected(Dice())[0])
    assert win == pytest.approx(0.75 / 2 + 0.25 / 3)
    assert found.win_rate == pytest.approx(win, abs=0.01)
    assert found.lengths == {2: 100_000}
    assert found.branching[2] / 100_000 == pytest.approx(0.75, abs=0.01)
    assert found.decisions == 100_000


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig(20)", "kalah(2, 2)", "hexapawn"])
def test_the_same_games_interpreted_and_in_any_number_of_threads(name, monkeypatch):
    game = z.load(name)
    found = facts(z.playouts(game, n=500, seed=7, threads=1))
    assert facts(z.playouts(game, n=500, seed=7, threads=3)) == found
    monkeypatch.setattr(type(game), "native", False)
    fresh = z.load(name)
    assert facts(z.playouts(fresh, n=500, seed=7)) == found
    assert facts(z.playouts(fresh, n=500, seed=8)) != found


def facts(found):
    """What does not depend on where and how fast the games were played."""
    left = found.to_dict()
    return {name: left[name] for name in left if name not in ("on", "seconds", "plies_per_second")}


def test_words_for_moves_are_played_interpreted():
    class Words(z.Game):
        def initial(self):
            return "start"

        def moves(self, state):
            return ["left", "right"]

        def play(self, state, move):
            return move

        def result(self, state):
            return ONGOING if state == "start" else z.LOSS if state == "left" else z.DRAW

    found = z.playouts(Words(), n=1000)
    assert found.losses == 0
    assert 400 < found.wins < 600
    assert found.wins + found.draws == 1000


def test_a_state_with_more_moves_than_there_is_room_for():
    class Wide(z.Game):
        def initial(self):
            return 0

        def moves(self, state):
            return range(600 if state == 1 else 3)

        def play(self, state, move):
            return state + 1

        def result(self, state):
            return z.LOSS if state == 2 else ONGOING

    found = z.playouts(Wide(), n=50)
    assert found.branching == {3: 50, 600: 50}
    assert found.losses == 50


def test_endless_games_are_unfinished():
    found = z.playouts(z.load("mu_torere"), n=20, limit=5)
    assert found.unfinished == 20 - found.wins - found.losses
    assert max(found.lengths) == 5
    assert "unfinished" in str(found)


def test_from_another_state():
    game = z.load("tic_tac_toe")
    state = z.position(game, "b2 a1 c1 a2")
    found = z.playouts(game, state, n=2000)
    assert found.state == state
    assert max(found.lengths) <= 5


def test_text_and_notebook():
    found = z.playouts(z.load("nim"), n=100)
    text, page = str(found), found._repr_html_()
    assert "100 random games" in text
    assert "plies/s" in text
    assert page.count("<svg") == 3
    assert repr(found).startswith("<Playouts of Nim(")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n": 0}, "n must be a whole number above zero"),
        ({"on": "gpu"}, "on must be 'cpu' or 'cuda'"),
        ({"seed": 0.5}, "seed must be a whole number"),
        ({"limit": 0}, "limit must be"),
    ],
)
def test_bad_arguments(options, words):
    with pytest.raises(z.GameError, match=words):
        z.playouts(z.load("nim"), **options)


def test_the_command(capsys):
    assert run(["playouts", "tic_tac_toe", "-n", "300", "--seed", "5"]) == 0
    assert "300 random games of TicTacToe" in capsys.readouterr().out
    assert run(["playouts", "tic_tac_toe", "b2", "-n", "300", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["wins"] + record["draws"] + record["losses"] == 300
    assert run(["playouts", "tic_tac_toe", "--on", "moon"]) == 2
    assert "cuda" in capsys.readouterr().err
