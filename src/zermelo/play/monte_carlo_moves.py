"""Moves by Monte Carlo tree search, for an engine: when it searches so, and its reports on the scale of evaluations."""

from __future__ import annotations

import time
from dataclasses import replace

from zermelo import rules
from zermelo.game import Game, GameError, State
from zermelo.limits import Limit
from zermelo.monte_carlo_settings import MonteCarlo, own_settings
from zermelo.play.win_probability import estimated_value
from zermelo.searching import Line, Report
from zermelo.searching.mcts.monte_carlo_search import MonteCarloSearch
from zermelo.searching.runtime.analysis_stream import Analysis
from zermelo.searching.search_arguments import clock_start
from zermelo.value import Value

SEARCHES = ("alpha_beta", "monte_carlo")


def chosen_settings(where: str, game: Game, search: str | MonteCarlo | None) -> MonteCarlo | None:
    """Return the settings of a Monte Carlo search, None for alpha-beta: as `search` says, else as the game does."""
    if isinstance(search, MonteCarlo):
        return search
    if search is not None and search not in SEARCHES:
        raise GameError(f"{where}: search must be one of {', '.join(SEARCHES)}, not {search!r}.")
    if search == "alpha_beta":
        return None
    return own_settings(game) or (None if search is None else MonteCarlo())


def monte_carlo_analysis(game: Game, state: State, limit: Limit, settings: MonteCarlo, megabytes: float) -> Analysis:
    """Return the stream of reports of a Monte Carlo search, whose playouts are the same each time."""
    start = clock_start(game, limit, time.perf_counter())
    return Analysis(MonteCarloSearch(game, state, limit, megabytes, 0, settings, start))


def as_estimates(report: Report) -> Report:
    """The report with mean payoffs as evaluations that mean the same, where the game is won, drawn or lost.

    >>> import zermelo as z
    >>> game = z.load("connect_four")
    >>> report = z.monte_carlo(game, limit=z.Limit(nodes=500))
    >>> report.value.score < as_estimates(report).value.score
    True
    """
    if not rules.has_distance(report.game):
        return report
    return replace(report, lines=tuple(Line(_estimate(report.game, line.value), line.pv) for line in report.lines))


def _estimate(game: Game, value: Value) -> Value:
    if value.exact or value.outcome is not None or value == Value.unknown():
        return value
    return estimated_value(game, (1.0 + value.score) / 2.0)
