"""Random play from the initial state: how often it ends, after how many plies, and who wins.

The statistics show what no single state does. A `result` that is seen by the wrong player keeps the contract, but then
the player who made the last move loses where that player should win.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from zermelo import rules
from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.checking.exploration import MAX_GAME_PLIES, check_payoff
from zermelo.formatting import count_text, percent_text
from zermelo.game import ONGOING


@dataclass(frozen=True, slots=True)
class RandomPlay:
    """The outcomes of random games, counted for the first player, and their lengths in plies.

    `games` is how many were played to their end or for MAX_GAME_PLIES plies. All else is of the `ended` ones:
    `last_mover` is in how many of them the player who moved last won, `points` the first player's mean payoff.
    """

    games: int = 0
    ended: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    last_mover: int = 0
    points: float = 0.0
    shortest: int = 0
    mean: float = 0.0
    longest: int = 0

    def length_text(self) -> str:
        """How many games ended, and when."""
        if not self.games:
            return "none at random: the first one took too long"
        if not self.ended:
            return f"{self.games} at random: none ended within {MAX_GAME_PLIES} plies"
        how_many = "all" if self.ended == self.games else f"{self.ended} ({percent_text(self.ended, self.games)})"
        plies = count_text(self.longest, "ply", "plies")
        if self.shortest < self.longest:
            plies = f"{self.shortest} to {plies}, {self.mean:.1f} on average"
        return f"{self.games} at random: {how_many} ended, after {plies}"

    def outcome_text(self, margin: bool) -> str:
        """Who won, in shares of the games that ended."""
        shares = (percent_text(part, self.ended) for part in (self.wins, self.draws, self.losses))
        text = "the first player won {}, drew {}, lost {}".format(*shares)
        if margin:
            text += f", {self.points:+.1f} points on average"
        if decided := self.wins + self.losses:
            text += f"; the winner made the last move in {percent_text(self.last_mover, decided)} of the decided games"
        return text


@dataclass(slots=True)
class _Game:
    """A random game that ended."""

    plies: int
    points: int  # of the first player
    last_mover: int | None  # who made the last move that was not left to chance


def play_at_random(examiner: Examiner, games: int) -> RandomPlay:
    """Play up to `games` games at random, as many as there is time for."""
    played: list[_Game | None] = []
    dice = random.Random(examiner.seed)
    while len(played) < games:
        game = _random_game(examiner, dice)
        if examiner.late and game is None:  # cut short by the clock
            break
        played.append(game)
        if examiner.late:
            break
    ended = [game for game in played if game is not None]
    if not ended:
        return RandomPlay(len(played))
    points, plies = [game.points for game in ended], [game.plies for game in ended]
    return RandomPlay(
        games=len(played),
        ended=len(ended),
        wins=sum(each > 0 for each in points),
        draws=points.count(0),
        losses=sum(each < 0 for each in points),
        last_mover=sum(game.points * (1 if game.last_mover == 0 else -1) > 0 for game in ended),
        points=sum(points) / len(ended),
        shortest=min(plies),
        mean=sum(plies) / len(ended),
        longest=max(plies),
    )


def _random_game(examiner: Examiner, dice: random.Random) -> _Game | None:
    """One game at random; None if it did not end within MAX_GAME_PLIES plies, or in time."""
    game, last_mover = examiner.game, None
    visit = Visit(examiner.call(game, "initial", None))
    for plies in range(MAX_GAME_PLIES + 1):
        payoff = examiner.call(game, "result", visit, visit.state)
        check_payoff(examiner, "result", visit, payoff)
        outcome = _random_outcome(examiner, visit, dice) if payoff == ONGOING else None
        player = examiner.call(game, "mover", visit, visit.state) if game.has("mover") else plies % 2
        if outcome is None:
            if payoff == ONGOING:
                payoff = examiner.call(game, "stuck", visit, visit.state)
                check_payoff(examiner, "stuck", visit, payoff)
            return _Game(plies, payoff if player == 0 else -payoff, last_mover)
        if examiner.late:
            return None
        if not visit.chance:
            last_mover = player
        (move,) = outcome
        visit = Visit(examiner.call(game, "play", visit, visit.state, move), visit, move, plies + 1)
    return None


def _random_outcome(examiner: Examiner, visit: Visit, dice: random.Random) -> tuple[Any] | None:
    """A move or an outcome of chance, alone in a tuple; None where there is none."""
    game = examiner.game
    visit.chance = rules.has_chance(game) and bool(examiner.call(game, "is_chance", visit, visit.state))
    if not visit.chance:
        moves = examiner.call(game, "moves", visit, visit.state)
        return (dice.choice(moves),) if moves else None
    chances = examiner.call(game, "chances", visit, visit.state)
    outcomes, odds = zip(*chances, strict=True)
    return (dice.choices(outcomes, odds)[0],)
