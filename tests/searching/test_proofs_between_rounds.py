"""Proofs between rounds of deepening: what is told of a state is true, and no proven win is let go."""

from __future__ import annotations

import pytest

import zermelo as z
from random_games import random_states
from zermelo import rules
from zermelo.searching.runtime import mtd_bisection
from zermelo.searching.runtime import search_driver as driver
from zermelo.value import DECISIVE

GAMES = [
    "connect_four(5, 4)",
    pytest.param("domineering(4, 4)", marks=pytest.mark.slow),
    pytest.param("chomp(5, 4)", marks=pytest.mark.slow),
]


@pytest.fixture(autouse=True)
def _early(monkeypatch):
    """Proofs from the second round on."""
    monkeypatch.setattr(driver, "PROOF_DEPTH", 2)


def truths(game: z.Game, count: int, seed: int) -> list[tuple[object, int]]:
    """States, and their scores by an exact search."""
    states = [state for state in random_states(game, 3 * count, seed=seed) if rules.payoff(game, state) == z.ONGOING]
    return [(state, int(z.search(game, state, exact=True).value.score)) for state in states[:count]]


def wrong(report: z.Report, score: int) -> str:
    """What a report says that is not true; an empty text if nothing is."""
    game, state, value = report.game, report.state, report.value
    low, high = report.bounds
    if not low <= score <= high:
        return f"{score} is not within {low} and {high}"
    if value.exact and value.score != score:
        return f"the value is {score}, not {value}"
    known = game.bounds(state)[0]  # what the rules know of a state, but not by which move
    if not value.exact and (value.score > high or value.score < low != known):
        return f"{value.score} is not within {low} and {high}"
    if value.outcome is not None and (value.outcome > 0) != (score > DECISIVE):
        return f"{value} of {score}"
    if low > DECISIVE and value.score > DECISIVE:
        child = game.play(state, report.move)
        over = rules.payoff(game, child)
        kept = over == z.LOSS if over != z.ONGOING else z.search(game, child, exact=True).value.outcome == z.LOSS
        return "" if kept else f"{game.move_text(state, report.move)} does not win"
    return ""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", GAMES)
def test_reports_are_true(name, threads):
    game = z.load(name)
    told = 0
    for state, score in truths(game, 25, seed=3):
        for nodes in (60, 400, 3000):
            with z.analyze(game, state, z.Limit(nodes=nodes), threads=threads) as reports:
                for report in reports:
                    assert not wrong(report, score), (game.state_text(state), nodes)
                    told += report.bounds != (report.value.score, report.value.score)
    assert told > 20  # reports before the end


def test_an_untrue_report_is_noticed(monkeypatch):
    """The test above can fail: here an estimate stands above a proven loss, as it did before lines were corrected."""
    monkeypatch.setattr(mtd_bisection.Proof, "corrected", lambda self, found: found)
    game = z.load("connect_four(5, 4)")
    found = []
    for state, score in truths(game, 40, seed=3):
        for nodes in (60, 400, 3000):
            with z.analyze(game, state, z.Limit(nodes=nodes)) as reports:
                found += [fault for report in reports if (fault := wrong(report, score))]
    assert found


def test_a_win_is_proven_long_before_it_is_known_how_soon(monkeypatch):
    game = z.load("connect_four")
    state = z.position(game, "4455261")
    nodes = {}
    for deep in (12, 99):
        monkeypatch.setattr(driver, "PROOF_DEPTH", deep)
        report = z.search(game, state, z.Limit(nodes=20_000_000))
        assert str(report.value) == "win in 27"
        nodes[deep] = report.nodes
    assert nodes[12] < nodes[99]


def test_rounds_do_not_count_the_nodes_of_proofs():
    report = z.search(z.load("connect_four(5, 4)"), None, z.Limit(nodes=20_000))
    assert 0 < sum(report.rounds) < report.nodes
