"""How well the doubling cube is played: matches between players that move checkers alike, with 95 % intervals.

    python bench/cube.py [--match 5] [--games 200] [--depth 1] [--seed 1]

The engine decides on the cube by search. Its opponents play checkers by the same search, and the cube as follows:

    never       never double, and take whatever comes
    passing     never double, and pass every double
    points      double if the game without a cube is worth half a point, take if it costs at most half a point: a good
                rule of thumb for money, which knows neither the owner of the cube nor the score

`--match 0` plays single games for points. The sides change after every game, and both games of a pair have one seed.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable

from confidence import mean_and_error

import zermelo as z
from zermelo.game import ONGOING, Game, State
from zermelo.games.backgammon.backgammon_rules import Backgammon
from zermelo.games.backgammon.backgammon_rules import State as CheckerState
from zermelo.games.backgammon.cube_rules import DOUBLE, PASS, ROLL, TAKE, TO_ANSWER, TO_DOUBLE
from zermelo.play.own_weights import evaluated

Decide = Callable[[State], int]
"""What to do with the cube."""


def searched(game: Game, depth: int) -> Callable[[State], int]:
    """The move that the search finds."""
    return lambda state: int(z.search(game, state, z.Limit(depth=depth)).move)


def by_points() -> Decide:
    """Decides by what the game is worth without a cube."""
    plain = Backgammon()
    learned = evaluated(plain, plain, True)

    def decide(state: State) -> int:
        mine, theirs = (state.near, state.far), (state.their_near, state.their_far)
        if state.dice == TO_DOUBLE:
            return DOUBLE if learned.evaluate(CheckerState(*mine, *theirs, 0, 0)) >= 0.5 else ROLL
        return TAKE if learned.evaluate(CheckerState(*theirs, *mine, 0, 0)) <= 0.5 else PASS

    return decide


OPPONENTS: dict[str, Callable[[], Decide]] = {
    "never": lambda: lambda state: ROLL if state.dice == TO_DOUBLE else TAKE,
    "passing": lambda: lambda state: ROLL if state.dice == TO_DOUBLE else PASS,
    "points": by_points,
}


def played(game: Game, play: Decide, decide: tuple[Decide, Decide], seed: int) -> int:
    """What the first player gets."""
    dice, state = random.Random(seed), game.initial()
    while game.result(state) == ONGOING:
        if game.is_chance(state):
            rolls, odds = zip(*game.chances(state), strict=True)
            move = dice.choices(rolls, odds)[0]
        elif state.dice in (TO_DOUBLE, TO_ANSWER):
            move = decide[state.player](state)
        else:
            move = play(state)
        state = game.play(state, move)
    return int(game.result(state)) * (1 if state.player == 0 else -1)


def interval(points: list[int]) -> tuple[float, float]:
    """The mean, and half of its 95 % confidence interval; both games of a pair count as one."""
    return mean_and_error([(one + other) / 2 for one, other in zip(points[::2], points[1::2], strict=False)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--match", type=int, default=5)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opponents", nargs="+", choices=OPPONENTS, default=list(OPPONENTS))
    parser.add_argument("--seconds", type=float, default=math.inf, help="of CPU time for each opponent")
    options = parser.parse_args()
    game = z.load(f"cube_backgammon(match={options.match})")
    engine = searched(evaluated(game, game, True), options.depth)
    for name in options.opponents:
        other, points, start = OPPONENTS[name](), list[int](), time.process_time()
        while len(points) < options.games and time.process_time() - start < options.seconds:
            seed = options.seed + len(points) // 2
            points += [played(game, engine, (engine, other), seed), -played(game, engine, (other, engine), seed)]
        mean, error = interval(points)
        unit = "points a game" if options.match == 0 else "matches won more than lost, as a share"
        print(f"against {name}: {len(points)} played, {mean:+.3f} +- {error:.3f} {unit}", flush=True)


if __name__ == "__main__":
    main()
