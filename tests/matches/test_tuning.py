"""tune: challengers replace the best search where matches say so, and the fact can be written into a class."""

import json
import subprocess
import sys

import pytest

import zermelo as z
from zermelo import GameError
from zermelo.matches import tuning as tuning_module
from zermelo.matches.match_result import MatchResult
from zermelo.matches.tuning import ALPHA_BETA, challengers, player, settings_text
from zermelo.monte_carlo_settings import MonteCarlo
from zermelo.play import Engine

GAME = z.load("connect_four(4, 4)")


def result_of(first, second, wins):
    """A match in which the first player won so many of ten games."""
    games = [{"pair": i // 2, "winner": int(i >= wins), "seats": (0, 1)} for i in range(10)]
    return MatchResult((first["name"], second["name"]), tuple(games))


@pytest.mark.parametrize(
    ("strengths", "best"),
    [((0, 0, 0, 0, 0, 0), None), ((5, 5, 5, 5, 5, 5), None), ((10, 0, 10, 5, 5, 5), 2), ((6, 0, 0, 0, 0, 0), None),
     ((0, 0, 0, 0, 0, 10), 5)],
)  # fmt: skip
def test_the_best_search_is_the_one_that_beat_the_best_before(strengths, best, monkeypatch):
    tried, wins = [], iter(strengths)

    def match(game, first, second, **options):
        tried.append((first["name"], second["name"]))
        return result_of(first, second, next(wins))

    monkeypatch.setattr(tuning_module, "match", match)
    found = z.tune(GAME, games=10)
    settings = challengers(GAME)
    assert found.best == (None if best is None else settings[best])
    assert [first for first, _ in tried] == [settings_text(each) for each in settings]
    assert tried[0][1] == ALPHA_BETA
    if best == 2:  # it beat the first, which beat alpha-beta
        assert [second for _, second in tried[1:4]] == [settings_text(settings[i]) for i in (0, 0, 2)]
    assert eval(found.fact.partition(" = ")[2], {"z": z}) == found.best
    assert found.verdict in str(found)


def test_players_search_as_they_are_called():
    for settings in (None, MonteCarlo(rave=5)):
        options = player(settings, 0.1)
        assert Engine(GAME, search=options["search"]).monte_carlo == settings


def test_a_game_without_an_evaluation_tries_none():
    class Bare(z.Game):
        def initial(self):
            return 5

        def moves(self, left):
            return range(1, min(left, 2) + 1)

        def play(self, left, taken):
            return left - taken

        def result(self, left):
            return z.LOSS if left == 0 else z.ONGOING

    assert all(settings.playout_plies == 1000 for settings in challengers(Bare()))
    assert {settings.playout_plies for settings in challengers(GAME)} == {0, 4, 1000}


def test_the_command(tmp_path):
    command = [sys.executable, "-m", "zermelo", "tune", "tic_tac_toe", "--seconds", "0.002", "--games", "10"]
    shown = subprocess.run(command, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert "z.MonteCarlo() against alpha-beta: +" in shown.stderr
    assert "In the class of the game: monte_carlo = " in shown.stdout
    found = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True).stdout)
    assert len(found["matches"]) == len(challengers(z.load("tic_tac_toe")))


@pytest.mark.parametrize("options", [{"seconds": 0}, {"games": 9}, {"seconds": "x"}])
def test_arguments_that_cannot_be(options):
    with pytest.raises(GameError, match="tune of"):
        z.tune(GAME, **options)
