"""Playouts: the statistics of random games, as text, as a record and in a notebook."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from zermelo.formatting import Pretty
from zermelo.game import Game, State

BAR_WIDTH = 40
"""Characters of the longest bar of a distribution."""

MOST_BARS = 16
"""Bars of a distribution; more values share them."""

BLOCKS = " ▏▎▍▌▋▊▉█"
"""Eighths of a character."""


@dataclass(frozen=True, repr=False)
class Playouts(Pretty):
    """The statistics of random games from a state, seen by the player to move there."""

    game: Game
    state: State
    n: int
    """Games that were played."""
    wins: int
    draws: int
    losses: int
    unfinished: int
    """Games that were not over after `limit` plies."""
    payoffs: int
    """The sum of what the player to move in `state` got."""
    decisions: int
    """States in which a player chose."""
    choices: int
    """Moves of all these states together."""
    lengths: dict[int, int] = field(hash=False)
    """How many games took each number of plies."""
    branching: dict[int, int] = field(hash=False)
    """How many states had each number of moves."""
    on: str
    seed: int
    seconds: float

    @property
    def win_rate(self) -> float:
        return self.wins / self.n

    @property
    def draw_rate(self) -> float:
        return self.draws / self.n

    @property
    def loss_rate(self) -> float:
        return self.losses / self.n

    @property
    def mean_payoff(self) -> float:
        """What the player to move gets on average, over the games that were finished."""
        return self.payoffs / max(1, self.n - self.unfinished)

    @property
    def plies(self) -> int:
        """Plies of all games together."""
        return sum(length * games for length, games in self.lengths.items())

    @property
    def mean_length(self) -> float:
        return self.plies / self.n

    @property
    def mean_branching(self) -> float:
        """Moves of a state in which a player chose, on average."""
        return self.choices / max(1, self.decisions)

    @property
    def rate(self) -> float:
        """Plies a second."""
        return self.plies / self.seconds if self.seconds > 0 else 0.0

    def margin_of_error(self, rate: float) -> float:
        """Half the width of the 95 % confidence interval of a rate."""
        return 1.96 * math.sqrt(rate * (1 - rate) / self.n)

    def to_dict(self) -> dict[str, Any]:
        """A record for JSON."""
        return {
            "game": repr(self.game), "state": self.game.state_text(self.state), "games": self.n, "wins": self.wins,
            "draws": self.draws, "losses": self.losses, "unfinished": self.unfinished,
            "mean_payoff": self.mean_payoff, "mean_length": self.mean_length, "mean_branching": self.mean_branching,
            "lengths": self.lengths, "branching": self.branching, "on": self.on, "seed": self.seed,
            "seconds": self.seconds, "plies_per_second": self.rate,
        }  # fmt: skip

    def outcomes(self) -> dict[str, int]:
        """The games by outcome, without those that did not occur."""
        counts = {"win": self.wins, "draw": self.draws, "loss": self.losses, "unfinished": self.unfinished}
        return {name: count for name, count in counts.items() if count}

    def __repr__(self) -> str:
        return f"<Playouts of {self.game!r}: {self.n:,} games, {self.summary}>"

    @property
    def summary(self) -> str:
        """The rates in one line."""
        return ", ".join(f"{name} {count / self.n:.2%}" for name, count in self.outcomes().items())

    def __str__(self) -> str:
        lines = [f"{self.n:,} random games of {self.game!r}, seen by the player to move", ""]
        for name, count in self.outcomes().items():
            rate = count / self.n
            lines.append(f"  {name:<11}{rate:8.3%} ± {self.margin_of_error(rate):.3%}  {_bar(rate)}")
        if self.game.margin or set(self.outcomes()) - {"unfinished"} == set():
            lines.append(f"  payoff     {self.mean_payoff:8.3f}")
        lines += ["", f"plies: {self.mean_length:.2f} on average", *_bars(self.lengths)]
        lines += ["", f"moves: {self.mean_branching:.2f} on average", *_bars(self.branching)]
        place = "one GPU" if self.on == "cuda" else "the CPU"
        return "\n".join([*lines, "", f"{self.seconds:.3g} s on {place}, {_rate_text(self.rate)} plies/s"])


def _bar(share: float) -> str:
    eighths = round(8 * BAR_WIDTH * share)
    return (BLOCKS[-1] * (eighths // 8) + BLOCKS[eighths % 8]).rstrip()


def _bars(counts: dict[int, int]) -> list[str]:
    """A distribution as bars, from the least value to the greatest."""
    if not counts:
        return []
    low, high = min(counts), max(counts)
    step = -(-(high - low + 1) // MOST_BARS)
    shares = [0] * (-(-(high - low + 1) // step))
    for value, count in counts.items():
        shares[(value - low) // step] += count
    most, total = max(shares), sum(shares)
    lines = []
    for place, count in enumerate(shares):
        first = low + place * step
        name = f"{first}" if step == 1 else f"{first}-{min(first + step - 1, high)}"
        lines.append(f"  {name:>9}{count / total:8.2%}  {_bar(count / most)}".rstrip())
    return lines


def _rate_text(rate: float) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g} {unit}"
    return f"{rate:.3g}"
