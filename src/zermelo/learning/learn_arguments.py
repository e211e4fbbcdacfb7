"""What `learn` takes besides numbers, checked; and what it measures of a game before it begins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo import rules
from zermelo.arguments import is_int
from zermelo.formatting import shortened
from zermelo.game import ONGOING, Game, GameError
from zermelo.networks.network import Network
from zermelo.networks.network_file import MAX_STAGE, open_weights
from zermelo.solving.random_play import random_games

MEASURED_GAMES, MEASURED_PLIES = 30, 1000
"""Random games by which the length of games and the largest payoff of a game of points are estimated."""

MAX_STAGES = 7
"""The most stages at which weights change."""


def started_network(where: str, game: Game, start: Any) -> Network | None:
    """Return the network that is learned further; None if the training begins anew."""
    if start is None:
        return None
    found = open_weights(start, game) if isinstance(start, str | Path) else start
    if not isinstance(found, Network) or found.game != game:
        raise GameError(f"{where}: start must be a network of this game, or its file, not {shortened(repr(start))}.")
    return found


def checked_stages(where: str, stages: Any) -> tuple[int, ...]:
    """Return the stages at which weights change. Raise GameError unless they are whole numbers that increase."""
    try:
        found = tuple(stages)
    except TypeError:
        found = (None,)
    if not all(is_int(stage) and 0 < stage < MAX_STAGE for stage in found) or len(found) > MAX_STAGES:
        raise GameError(f"{where}: stages must be at most {MAX_STAGES} whole numbers above 0, not {stages!r}.")
    return tuple(sorted({*map(int, found)}))


def measure_games(game: Game, seed: int) -> tuple[int, float]:
    """Return the mean length of random games, and the largest payoff of a game of points or of chance; 0 for others."""
    lengths, largest = [], 1
    for states in random_games(game, MEASURED_GAMES, MEASURED_PLIES, seed=seed):
        length = 0
        for length, (state, _) in enumerate(states):  # noqa: B007
            pass
        lengths.append(length)
        payoff = rules.payoff(game, state)
        largest = max(largest, 0 if payoff == ONGOING else abs(payoff))
    mean = sum(lengths) // len(lengths)
    if not game.margin and not rules.has_chance(game):
        return mean, 0.0
    low, high = game.payoff_bounds
    return mean, float(largest if game.margin and (low, high) == (-1, 1) else max(abs(low), abs(high)))
