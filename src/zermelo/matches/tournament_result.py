"""The result of a tournament: standings with ratings, and a table of who scored how much against whom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zermelo.formatting import Pretty, count_text
from zermelo.matches.match_result import elo_text, failed_players, no_measure, pentanomial, points_of
from zermelo.matches.statistics import LOGISTIC, Sample

PRIOR_DRAWS = 0.5
"""Imagined draws of each player against one of average strength: without them only wins would be infinitely good."""

MAX_STEPS = 100
"""Steps of the rating fit; it takes some ten."""


@dataclass(frozen=True)
class Standing:
    """A player in the standings: points, games, and the rating relative to the average of all, with its 95 % error."""

    player: int
    name: str
    points: float
    games: int
    rating: float
    error: float


@dataclass(frozen=True)
class TournamentResult(Pretty):
    """What a tournament showed. `games` are the records of its games."""

    kind: str
    players: tuple[str, ...]
    games: tuple[dict[str, Any], ...]
    stopped: bool = False

    @cached_property
    def standings(self) -> list[Standing]:
        """The players, best first: by points, then by rating."""
        ratings = fit_ratings(len(self.players), self.games)
        rows = [self._standing(player, rating) for player, rating in enumerate(ratings)]
        return sorted(rows, key=lambda row: (-row.points, -row.rating, row.player))

    def _standing(self, player: int, rating: float) -> Standing:
        own = self.games_of(player)
        low, high = (Sample.of_pairs(counts) if sum(counts := pentanomial(own, player)) else Sample(())).interval()
        points = sum(points_of(game, player) for game in own) / 2
        return Standing(player, self.players[player], points, len(own), rating, (high - low) / 2)

    def games_of(self, player: int) -> list[dict[str, Any]]:
        return [game for game in self.games if player in game["seats"]]

    def score(self, player: int, other: int) -> tuple[float, int]:
        """The points of a player against another, and the number of their games."""
        games = [game for game in self.games_of(player) if other in game["seats"]]
        return sum(points_of(game, player) for game in games) / 2, len(games)

    @property
    def faults(self) -> list[str]:
        """How players lost otherwise than by the rules of the game."""
        return [game["result"] for game in self.games if game.get("fault")]

    @property
    def failed(self) -> list[str]:
        """The players that lost each of their games by a fault."""
        return failed_players(self.players, self.games)

    def rows(self) -> list[list[str]]:
        """The table: rank, player, points, rating, and a column for each opponent."""
        order = [row.player for row in self.standings]
        head = ["", "player", "points", "rating", *(str(rank) for rank in range(1, len(order) + 1))]
        rows = [head]
        for rank, row in enumerate(self.standings, 1):
            error = f" ± {row.error:.0f}" if math.isfinite(row.error) else ""
            cells = [str(rank), row.name, f"{row.points:g} / {row.games}", f"{elo_text(row.rating)}{error}"]
            rows.append(cells + [self._cell(row.player, other) for other in order])
        return rows

    def _cell(self, player: int, other: int) -> str:
        if player == other:
            return "-"
        points, games = self.score(player, other)
        return f"{points:g}" if games else ""

    def __str__(self) -> str:
        rows = self.rows()
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        done = count_text(len(self.games), "game")
        title = f"{self.kind.capitalize()}, {done}{', unfinished' if self.stopped else ''}"
        faults = [f"{count_text(len(self.faults), 'fault')}; the first: {self.faults[0]}"] if self.faults else []
        return "\n".join([title, *lines, *faults, *map(no_measure, self.failed)])

    def to_dict(self) -> dict[str, Any]:
        """The result for JSON, without the games."""
        standings = [
            {"name": row.name, "points": row.points, "games": row.games, "rating": row.rating, "error": row.error}
            for row in self.standings
        ]
        faults = {"faults": self.faults, "failed": self.failed, "stopped": self.stopped}
        return {"kind": self.kind, "games": len(self.games), "standings": standings, **faults}


def fit_ratings(players: int, games: Sequence[dict[str, Any]]) -> list[float]:
    """The ratings under which the results are most likely (Bradley and Terry, draws as half wins); their mean is 0.

    >>> won = [{"seats": (0, 1), "winner": 0}] * 3 + [{"seats": (0, 1), "winner": 1}]
    >>> [round(rating) for rating in fit_ratings(2, won)]
    [88, -88]
    """
    import numpy as np

    points, met = np.full(players, PRIOR_DRAWS / 2), np.zeros((players, players))
    for game in games:
        first, second = game["seats"]
        met[first, second] += 1
        met[second, first] += 1
        for player in (first, second):
            points[player] += points_of(game, player) / 2
    ratings = np.zeros(players)
    for _ in range(MAX_STEPS):  # Newton's method; the likelihood is concave, and the longest step is bounded
        chance = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
        average = 1 / (1 + np.exp(-ratings))
        slope = points - (met * chance).sum(axis=1) - PRIOR_DRAWS * average
        spread = met * chance * (1 - chance)
        curvature = np.diag(spread.sum(axis=1) + PRIOR_DRAWS * average * (1 - average)) - spread
        step = np.clip(np.linalg.solve(curvature, slope), -1, 1)
        ratings += step
        if np.abs(step).max() < 1e-9:
            break
    return [float(LOGISTIC * rating) for rating in ratings - ratings.mean()]
