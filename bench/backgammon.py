"""How well the backgammon player plays: matches against a random and a greedy player, with confidence intervals.

    python bench/backgammon.py [--games 500] [--depth 3] [--seed 1]

The sides change after every game. A search of depth 1 compares its own plays by the evaluation; depth 3 looks at every
roll and reply as well. The greedy player hits where it can, and leaves as few checkers alone as possible.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import zermelo as z
from zermelo.game import ONGOING, Game, Move, State

Player = Callable[[State, list[Move], random.Random], Move]


@dataclass(frozen=True)
class Score:
    """The points of each game of a match, for the first of its players."""

    points: list[int]

    @property
    def wins(self) -> tuple[float, float, float]:
        """The share of games won, and its 95% confidence interval (Wilson 1927)."""
        n, share = len(self.points), sum(point > 0 for point in self.points) / len(self.points)
        middle, width = share + 1.92 / n, 1.96 * math.sqrt(share * (1 - share) / n + 0.96 / n**2)
        return share, (middle - width) / (1 + 3.84 / n), (middle + width) / (1 + 3.84 / n)

    @property
    def equity(self) -> tuple[float, float, float]:
        """The points of a game on average, and their 95% confidence interval."""
        n, mean = len(self.points), sum(self.points) / len(self.points)
        error = 1.96 * math.sqrt(sum((point - mean) ** 2 for point in self.points) / (n - 1) / n)
        return mean, mean - error, mean + error

    def __str__(self) -> str:
        wins = "{:.1%} ({:.1%} to {:.1%})".format(*self.wins)
        return f"{len(self.points)} games, wins {wins}, points a game " + "{:+.3f} ({:+.3f} to {:+.3f})".format(
            *self.equity
        )


def engine(game: Game, depth: int) -> Player:
    """The engine's choice at a given depth."""
    return lambda state, moves, dice: z.search(game, state, z.Limit(depth=depth)).move


def at_random(state: State, moves: list[Move], dice: random.Random) -> Move:
    return dice.choice(moves)


def greedy(game: Game) -> Player:
    """Hits first, then the fewest checkers that stand alone."""

    def choose(state: State, moves: list[Move], dice: random.Random) -> Move:
        return max(moves, key=lambda move: (game.order(state, move), dice.random()))

    return choose


def match(game: Game, one: Player, other: Player, games: int, seed: int) -> Score:
    """What `one` gets against `other`, each beginning every second game."""
    dice = random.Random(seed)
    return Score([(-1) ** number * _points(game, (one, other)[:: (-1) ** number], dice) for number in range(games)])


def _points(game: Game, players: tuple[Player, ...], dice: random.Random) -> int:
    """The points of the player who begins."""
    state = game.initial()
    while game.result(state) == ONGOING:
        if game.is_chance(state):
            rolls, odds = zip(*game.chances(state), strict=True)
            move = dice.choices(rolls, odds)[0]
        else:
            moves = list(game.moves(state))
            move = moves[0] if len(moves) == 1 else players[game.mover(state)](state, moves, dice)
        state = game.play(state, move)
    return int(game.result(state)) * (1 if game.mover(state) == 0 else -1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game = z.load("backgammon")
    player = engine(game, options.depth)
    print(f"The engine, to depth {options.depth}, with 95% confidence intervals:")
    for name, other in (("the random player", at_random), ("the greedy player", greedy(game))):
        start = time.perf_counter()
        score = match(game, player, other, options.games, options.seed)
        print(f"  against {name}: {score}, {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
