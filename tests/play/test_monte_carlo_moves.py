"""Engines that search by Monte Carlo: when they do, on what scale they report, how they are stopped."""

import queue
import threading
import time
from contextlib import contextmanager

import pytest

import zermelo as z
from zermelo import GameError, Limit
from zermelo.games.hex import Hex
from zermelo.monte_carlo_settings import MonteCarlo
from zermelo.play import Clock, Engine
from zermelo.play import move_search as move_search_module
from zermelo.play.monte_carlo_moves import as_estimates
from zermelo.play.win_probability import win_probability
from zermelo.searching.runtime import search_lifecycle

GAME = z.load("connect_four(5, 4)")


class ByPlayouts(type(GAME)):
    monte_carlo = MonteCarlo(rave=100, exploration=0.4)


PLAYED = ByPlayouts(5, 4)


@pytest.fixture
def asked(monkeypatch):
    """The settings of the Monte Carlo searches that were begun."""
    found = []
    begin = move_search_module.monte_carlo_analysis

    def analysis(game, state, limit, settings, megabytes):
        found.append(settings)
        return begin(game, state, limit, settings, megabytes)

    monkeypatch.setattr(move_search_module, "monte_carlo_analysis", analysis)
    return found


@pytest.mark.parametrize(
    ("game", "options", "limit", "settings"),
    [
        (PLAYED, {}, Limit(nodes=300), [PLAYED.monte_carlo]),
        (PLAYED, {}, Clock(2, 0.1), [PLAYED.monte_carlo]),
        (PLAYED, {"search": "monte_carlo"}, Limit(nodes=300), [PLAYED.monte_carlo]),
        (GAME, {"search": "monte_carlo"}, Limit(nodes=300), [MonteCarlo()]),
        (GAME, {"search": MonteCarlo(rave=7)}, Limit(nodes=300), [MonteCarlo(rave=7)]),
        (PLAYED, {"search": "alpha_beta"}, Limit(nodes=300), []),
        (PLAYED, {}, Limit(depth=2), []),
        (PLAYED, {"level": 3}, Limit(nodes=300), []),
        (PLAYED, {"seed": 1}, Limit(nodes=300), []),
        (PLAYED, {"style": "longest"}, Limit(nodes=300), []),
        (GAME, {}, Limit(nodes=300), []),
    ],
    ids=lambda part: str(part)[:40],
)
def test_when_an_engine_searches_by_playouts(game, options, limit, settings, asked):
    report = Engine(game, limit, book=False, **options).choose(game.initial())
    assert report.move in range(5)
    assert asked == settings


def test_a_database_is_probed_by_alpha_beta(asked):
    game = z.load("tic_tac_toe")
    assert Engine(game, Limit(nodes=100), database=z.solve(game), search="monte_carlo").choose(game.initial())
    assert asked == []


def test_reports_are_on_the_scale_of_evaluations():
    """A mean payoff of 0.2 is a win probability of 0.6, whatever the evaluation of the game."""
    report = z.monte_carlo(Hex(5), limit=Limit(nodes=400), seed=3)
    estimates = as_estimates(report)
    for one, other in zip(report.lines, estimates.lines, strict=True):
        assert one.pv == other.pv
        if one.value.outcome is None and one.value.bound == "estimate":
            assert win_probability(Hex(5), other.value) == pytest.approx(0.5 + one.value.score / 2, abs=0.011)
    won = z.monte_carlo(GAME, z.position(GAME, "3242"), Limit(nodes=3000))
    assert as_estimates(won).value == won.value
    points = z.load("kalah(2,2)")
    assert (
        as_estimates(z.monte_carlo(points, limit=Limit(nodes=5))).lines
        == z.monte_carlo(points, limit=Limit(nodes=5)).lines
    )


def test_a_listener_hears_the_search_and_changes_nothing():
    seen = []
    heard = Engine(PLAYED, Limit(nodes=3000), book=False).choose(PLAYED.initial(), seen.append)
    alone = Engine(PLAYED, Limit(nodes=3000), book=False).choose(PLAYED.initial())
    assert heard.lines == alone.lines
    assert heard.nodes == alone.nodes == 3000
    nodes = [report.nodes for report in seen]
    assert nodes == sorted(nodes)
    assert nodes[0] < nodes[-1] == 3000


def test_stop_ends_the_playouts():
    engine = Engine(Hex(7), Limit(seconds=60), search="monte_carlo")
    engine.prepare()
    engine.wait_for_compiler(60)
    began = time.perf_counter()
    # The search has begun when it reports: before that, a stop is none of this move.
    report = engine.choose(Hex(7).initial(), lambda _: threading.Thread(target=engine.stop).start())
    assert report.nodes > 0
    assert time.perf_counter() - began < 50


def test_a_clock_pays_for_the_playouts(monkeypatch):
    """The playouts end by what the clock allows, and the clock loses no more than has passed."""
    ended, deadline = queue.Queue(), search_lifecycle.deadline

    @contextmanager
    def watched(seconds, stop):
        try:
            with deadline(1 if seconds is None else seconds, stop):
                yield
        finally:
            ended.put((seconds, stop.__self__.stopped))

    monkeypatch.setattr(search_lifecycle, "deadline", watched)
    clock = Clock(5, 0)
    engine = Engine(PLAYED, clock, book=False)
    engine.prepare()
    engine.wait_for_compiler(60)
    began = time.perf_counter()
    engine.choose(PLAYED.initial())
    assert 0 < 5 - clock.left <= time.perf_counter() - began
    seconds, stopped = ended.get(timeout=60)  # the thread that searches may end after the move is chosen
    assert seconds < 2.5
    assert stopped


def test_sentences_for_searches_that_are_none():
    with pytest.raises(GameError, match="search must be one of alpha_beta, monte_carlo"):
        Engine(GAME, search="uct")

    class Wrong(type(GAME)):
        monte_carlo = True

    with pytest.raises(GameError, match="monte_carlo must be a MonteCarlo or None, not True"):
        Engine(Wrong(5, 4))
