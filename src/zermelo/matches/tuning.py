"""`tune`: whether engines should search a game by alpha-beta or by Monte Carlo, decided by matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from zermelo.arguments import check_int, check_number, checked_game
from zermelo.formatting import Pretty
from zermelo.game import Game
from zermelo.matches.match_api import match
from zermelo.matches.match_result import MatchResult
from zermelo.matches.openings import DEFAULT_PLIES
from zermelo.monte_carlo_settings import MonteCarlo
from zermelo.play.own_weights import default_weights
from zermelo.play.win_probability import evaluation_scale

ALPHA_BETA = "alpha-beta"

CERTAINTY = 0.95
"""A challenger must be stronger than the best search so far with this likelihood."""

LEAST_GAMES = 10
"""Fewer games say nothing: the likelihood of a single pair is 0, 50 or 100 %."""

HALF_A_WIN = 1.0986
"""The evaluation that counts as half a win, in units of `evaluation_scale`: the curve there is tanh(x / 2)."""

OnMatch = Callable[[MatchResult], object]


@dataclass(frozen=True)
class Tuning(Pretty):
    """What the matches showed: each challenger against the best search before it, and the best in the end."""

    game: Game
    matches: tuple[MatchResult, ...]
    best: MonteCarlo | None
    """The settings of the best search; None for alpha-beta."""

    @property
    def fact(self) -> str:
        """What to write into the class of the game, as Python."""
        return f"monte_carlo = {settings_text(self.best)}"

    @property
    def verdict(self) -> str:
        """The best search, as a sentence."""
        best = ALPHA_BETA if self.best is None else settings_text(self.best)
        return f"Best: {best}. In the class of the game: {self.fact}"

    def __str__(self) -> str:
        return "\n".join([*map(match_row, self.matches), self.verdict])

    def to_dict(self) -> dict[str, Any]:
        """The result for JSON."""
        return {"matches": [result.to_dict() for result in self.matches], "fact": self.fact}


def tune(
    game: Game,
    *,
    seconds: float = 0.1,
    games: int = 100,
    seed: int = 0,
    openings: int = DEFAULT_PLIES,
    concurrency: int = 1,
    on_match: OnMatch | None = None,
) -> Tuning:
    """Find the better search for a game by matches at `seconds` a move, and return what to write into its class.

    Alpha-beta begins as the best search. Each setting of Monte Carlo search challenges the best one so far in
    `games` games: without and with RAVE, and with the static evaluation in place of playouts where the game has one. It
    takes the place of the best one if it is stronger with a likelihood of 95 %.

    >>> import zermelo as z
    >>> z.tune(z.load("tic_tac_toe"), seconds=0.005, games=10).fact
    'monte_carlo = None'
    """
    checked_game("tune", game)
    check_number(f"tune of {game!r}", above_zero=True, seconds=seconds)
    check_int(f"tune of {game!r}", least=LEAST_GAMES, games=games)
    best: MonteCarlo | None = None
    matches = []
    options: dict[str, Any] = {"games": games, "seed": seed, "openings": openings, "concurrency": concurrency}
    for challenger in challengers(game):
        result = match(game, player(challenger, seconds), player(best, seconds), **options)
        matches.append(result)
        if on_match is not None:
            on_match(result)
        if result.stopped:
            break
        if result.elo > 0 and result.likelihood_of_superiority >= CERTAINTY:
            best = challenger
    return Tuning(game, tuple(matches), best)


def challengers(game: Game) -> list[MonteCarlo]:
    """The settings that are tried, one after the other."""
    found = [MonteCarlo(), MonteCarlo(exploration=0.4), MonteCarlo(exploration=0.3, rave=500)]
    found.append(MonteCarlo(exploration=0.1, rave=200))
    if game.has("evaluate") or game.has("features") or default_weights(game) is not None:
        scale = float(f"{HALF_A_WIN * evaluation_scale(game):.3g}") or 1.0
        found += [MonteCarlo(exploration=0.4, playout_plies=plies, evaluation_scale=scale) for plies in (0, 4)]
    return found


def player(settings: MonteCarlo | None, seconds: float) -> dict[str, Any]:
    """The player of a match that searches so, without a book."""
    search: MonteCarlo | str = "alpha_beta" if settings is None else settings
    name = ALPHA_BETA if settings is None else settings_text(settings)
    return {"name": name, "search": search, "seconds": seconds, "book": "none"}


def settings_text(settings: MonteCarlo | None) -> str:
    """The settings as Python, without those that have their default.

    >>> settings_text(MonteCarlo(rave=500)), settings_text(None)
    ('z.MonteCarlo(rave=500)', 'None')
    """
    if settings is None:
        return "None"
    given = {field.name: getattr(settings, field.name) for field in fields(MonteCarlo)}
    changed = [f"{name}={value!r}" for name, value in given.items() if value != getattr(MonteCarlo, name)]
    return f"z.MonteCarlo({', '.join(changed)})"


def match_row(result: MatchResult) -> str:
    """A match on one line."""
    wins, draws, losses = result.counts
    first, second = result.players
    sure = f"{100 * result.likelihood_of_superiority:.0f} %"
    return f"{first} against {second}: +{wins} ={draws} -{losses}, {sure} likely to be stronger"
