"""Drama: lead changes, comebacks, and when games are decided, by the win probabilities along them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from zermelo.design.sample_games import PlayedGame

CLEAR = 0.1
"""How far from a half a lead is: 60 to 40."""

LOSING = 0.25
"""The win probability from which winning is a comeback."""

DECIDED = 0.9
"""The win probability of a game that is decided, if it stays there."""


@dataclass(frozen=True)
class Drama:
    """What happens along games, on average."""

    lead_changes: float
    comebacks: float
    """The share of decided games whose winner was losing."""
    decided: float
    """When the winner is clear for good, as a share of the game."""


def drama_of(games: Sequence[PlayedGame]) -> Drama | None:
    """The drama of some games; None without evaluations.

    >>> drama_of([PlayedGame((), 0, (0.5, 0.2, 0.7, 0.95))])
    Drama(lead_changes=1.0, comebacks=1.0, decided=0.75)
    """
    watched = [game for game in games if game.chances]
    won = [game for game in watched if game.winner is not None]
    if not watched:
        return None
    return Drama(
        fmean(lead_changes(game.chances) for game in watched),
        fmean([is_comeback(game) for game in won]) if won else 0.0,
        fmean([decided_at(game) for game in won]) if won else 1.0,
    )


def lead_changes(chances: Sequence[float]) -> int:
    """How often another player takes a clear lead.

    >>> lead_changes([0.5, 0.7, 0.55, 0.45, 0.7, 0.3, 0.45, 0.8])
    2
    """
    leader, changes = 0, 0
    for chance in chances:
        now = 1 if chance > 0.5 + CLEAR else -1 if chance < 0.5 - CLEAR else 0
        if now and leader and now != leader:
            changes += 1
        leader = now or leader
    return changes


def is_comeback(game: PlayedGame) -> bool:
    """Whether the winner was losing at some time."""
    seen = game.chances if game.winner == 0 else [1 - chance for chance in game.chances]
    return min(seen) < LOSING


def decided_at(game: PlayedGame) -> float:
    """The share of the game after which the winner stays ahead for good."""
    seen = game.chances if game.winner == 0 else [1 - chance for chance in game.chances]
    last = max((at for at, chance in enumerate(seen) if chance < DECIDED), default=-1)
    return (last + 1) / len(seen)
