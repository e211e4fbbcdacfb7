"""The result of a match: scores, Elo difference with its interval, and the verdict of a sequential test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.formatting import Pretty, count_text
from zermelo.matches.statistics import Sample, Sprt, Verdict


@dataclass(frozen=True)
class MatchResult(Pretty):
    """What a match between two players showed, seen by the first of them. `games` are the records of its games."""

    players: tuple[str, str]
    games: tuple[dict[str, Any], ...]
    sprt: Sprt | None = None
    stopped: bool = False
    """Whether it was interrupted before its last game."""

    @property
    def counts(self) -> tuple[int, int, int]:
        """Wins, draws and losses of the first player."""
        points = [points_of(game, 0) for game in self.games]
        return points.count(2), points.count(1), points.count(0)

    @property
    def pairs(self) -> tuple[int, ...]:
        """Pairs of games in which the first player got 0, 1/2, 1, 3/2 and 2 points."""
        return pentanomial(self.games, 0)

    @property
    def score(self) -> float:
        """The points of the first player: 1 for a win, 1/2 for a draw."""
        wins, draws, _ = self.counts
        return wins + draws / 2

    @property
    def sample(self) -> Sample:
        """The pairs, if there are any; otherwise the games."""
        return Sample.of_pairs(self.pairs) if sum(self.pairs) else Sample.of_games(*self.counts)

    @property
    def elo(self) -> float:
        """The Elo difference between the first player and the second."""
        return self.sample.elo

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds between which the difference lies with 95 % probability."""
        return self.sample.interval()

    @property
    def likelihood_of_superiority(self) -> float:
        return self.sample.likelihood_of_superiority

    @property
    def verdict(self) -> Verdict | None:
        """What the sequential test says; None without one."""
        return None if self.sprt is None else self.sprt.verdict(Sample.of_pairs(self.pairs))

    @property
    def faults(self) -> list[str]:
        """How players lost otherwise than by the rules of the game."""
        return [game["result"] for game in self.games if game.get("fault")]

    @property
    def failed(self) -> list[str]:
        """The players that lost each of their games by a fault: what the match shows is no strength."""
        return failed_players(self.players, self.games)

    def rows(self) -> list[tuple[str, str]]:
        """What is shown of the match: names and values."""
        wins, draws, losses = self.counts
        total = len(self.games)
        low, high = self.interval
        rows = [
            ("games", f"{total}: {wins} won, {draws} drawn, {losses} lost"),
            ("score", f"{self.score:g} of {total}" + (f" ({100 * self.score / total:.1f} %)" if total else "")),
            ("Elo difference", f"{elo_text(self.elo)}, 95 % between {elo_text(low)} and {elo_text(high)}"),
            ("likelihood of superiority", f"{100 * self.likelihood_of_superiority:.1f} %"),
            ("pairs with 0, ½, 1, 1½, 2", ", ".join(map(str, self.pairs))),
        ]
        if self.sprt is not None:
            rows.append(("sequential test", self._test_words(self.sprt)))
        if self.faults:
            rows.append(("faults", f"{count_text(len(self.faults), 'game')}; the first: {self.faults[0]}"))
        rows += [("no measure", no_measure(name)) for name in self.failed]
        return rows

    def _test_words(self, sprt: Sprt) -> str:
        ratio = sprt.ratio(Sample.of_pairs(self.pairs))
        bounds = f"ratio {ratio:.2f} between {sprt.lower:.2f} and {sprt.upper:.2f}"
        claim = f"Elo {sprt.elo1:g} rather than {sprt.elo0:g}"
        return f"{claim}: {self.verdict}, {bounds}"

    def __str__(self) -> str:
        rows = self.rows()
        width = max(len(name) for name, _ in rows)
        head = f"{self.players[0]} against {self.players[1]}{', unfinished' if self.stopped else ''}"
        return "\n".join([head, *(f"  {name:<{width}}  {value}" for name, value in rows)])

    def to_dict(self) -> dict[str, Any]:
        """The result for JSON, without the games."""
        wins, draws, losses = self.counts
        return {
            "players": list(self.players),
            "games": len(self.games),
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "score": self.score,
            "pairs": list(self.pairs),
            "elo": self.elo,
            "interval": list(self.interval),
            "likelihood_of_superiority": self.likelihood_of_superiority,
            "verdict": None if self.verdict is None else str(self.verdict),
            "faults": self.faults,
            "failed": self.failed,
            "stopped": self.stopped,
        }


def points_of(game: dict[str, Any], player: int) -> int:
    """Half points of a player in a game."""
    if game["winner"] is None:
        return 1
    return 2 if game["seats"][game["winner"]] == player else 0


def failed_players(names: Sequence[str], games: Sequence[dict[str, Any]]) -> list[str]:
    """The names of the players that lost each of their games by a fault.

    >>> games = [{"seats": (0, 1), "winner": 0, "fault": True}, {"seats": (1, 0), "winner": 1, "fault": True}]
    >>> failed_players(("A", "B"), games), failed_players(("A", "B"), [*games, {"seats": (0, 1), "winner": 0}])
    (['B'], [])
    """
    found = []
    for player, name in enumerate(names):
        own = [game for game in games if player in game["seats"]]
        if own and all(game.get("fault") and points_of(game, player) == 0 for game in own):
            found.append(name)
    return found


def no_measure(name: str) -> str:
    """What is said of a player that lost each of its games by a fault."""
    return f"{name} lost every game by a fault, so this says nothing of its strength"


def pentanomial(games: Sequence[dict[str, Any]], player: int) -> tuple[int, ...]:
    """The numbers of pairs by the half points of a player; games without their counterpart are left out.

    >>> games = [{"pair": 0, "winner": 0, "seats": (0, 1)}, {"pair": 0, "winner": None, "seats": (1, 0)}]
    >>> pentanomial(games, 0), pentanomial(games, 1), pentanomial(games[:1], 0)
    ((0, 0, 0, 1, 0), (0, 1, 0, 0, 0), (0, 0, 0, 0, 0))
    """
    found: dict[int, list[int]] = {}
    for game in games:
        found.setdefault(game["pair"], []).append(points_of(game, player))
    counts = [0] * 5
    for points in found.values():
        if len(points) == 2:
            counts[sum(points)] += 1
    return tuple(counts)


def elo_text(elo: float) -> str:
    """An Elo difference with its sign.

    >>> elo_text(12.34), elo_text(-0.01), elo_text(-math.inf)
    ('+12.3', '0.0', '-∞')
    """
    if math.isinf(elo):
        return "+∞" if elo > 0 else "-∞"
    return "0.0" if abs(elo) < 0.05 else f"{elo:+.1f}"
