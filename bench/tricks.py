"""The style `trickiest` beside `exact`: points saved from lost positions of solved games, against levels that err.

    python bench/tricks.py --positions 30                      # all games, opponents of levels 3 to 7
    python bench/tricks.py --positions 60 --levels 5 "hexapawn(4, 4)"

A level draws its moves with probabilities that are known (play/levels.py). So nothing is left to luck: every reply of
the opponent is followed, with its weight, and what comes out is the expected number of points; a draw saves half a
point, a win one. Both styles play the same positions, with the solution as their database. The difference is a mean
over the positions, with its 95 % interval.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Callable
from functools import cache

from confidence import mean_and_error

import zermelo as z
from zermelo import rules
from zermelo.play import Engine, Session
from zermelo.play.levels import move_probabilities, thoughts
from zermelo.solving.solution import Solution

GAMES = ("hexapawn(4, 4)", "tic_tac_toe", "nim((3, 4, 5))", "connect_four(4, 4)", "connect_four(5, 4)")
MIN_PLIES = 4
"""Plies to the end, at least: the opponent has to find a move before the last."""

LIMIT = z.Limit(nodes=500_000)
IMPROBABLE = 1e-4
"""Replies that are not followed."""


def lost_positions(solution: Solution, count: int, seed: int) -> list[object]:
    """Distinct lost states of random play in which the player can choose; fewer where the game has fewer."""
    game, dice, found = solution.game, random.Random(seed), {}
    for _ in range(200 * count):
        session = Session(game, seed=1)
        while session.outcome is None:
            value = solution.value(session.state)
            if value.outcome == z.LOSS and (value.plies or 0) >= MIN_PLIES and len(session.moves) > 1:
                found[session.state] = None
            session.play(dice.choice(session.moves))
        if len(found) >= 3 * count:
            break
    states = list(found)
    dice.shuffle(states)
    return states[:count]


def replies_of(game: z.Game, level: int) -> Callable[[object], dict[object, float]]:
    """The probability of each move of a level in a state."""

    @cache
    def replies(state: object) -> dict[object, float]:
        chances = dict.fromkeys(rules.legal_actions(game, state), 0.0)
        for share, thought in thoughts(level):
            report = z.search(game, state, thought.limit, lines=len(chances))  # small games: every round is finished
            for line, chance in zip(report.lines, move_probabilities(report, thought.temperature), strict=True):
                chances[line.pv[0]] += share * chance
        return chances

    return replies


def expected(game: z.Game, choose: Callable[[object], object], replies: Callable[[object], dict[object, float]]):
    """The points that a player may expect who is to move, and chooses so."""

    @cache
    def points(state: object) -> float:
        payoff = rules.payoff(game, state)
        if payoff != z.ONGOING:
            return (payoff + 1) / 2
        child = game.play(state, choose(state))
        payoff = rules.payoff(game, child)
        if payoff != z.ONGOING:
            return (1 - payoff) / 2
        likely = {move: chance for move, chance in replies(child).items() if chance > IMPROBABLE}
        return sum(chance * points(game.play(child, move)) for move, chance in likely.items())

    return points


def report(name: str, pairs: list[tuple[float, float]]) -> None:
    gains = [tricky - plain for plain, tricky in pairs]
    gain, error = mean_and_error(gains)
    exact, trickiest = (statistics.mean(pair[side] for pair in pairs) for side in (0, 1))
    print(
        f"{name:20} {len(pairs):4} positions: exact saves {exact:.4f}, trickiest {trickiest:.4f}, "
        f"difference {gain:+.4f} ± {error:.4f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--positions", type=int, default=30, help="lost positions of each game")
    parser.add_argument("--levels", type=int, nargs="*", default=[3, 4, 5, 6, 7])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    by_level: dict[int, list[tuple[float, float]]] = {level: [] for level in options.levels}
    every: list[tuple[float, float]] = []
    for name in options.names:
        solution = z.solve(z.load(name))
        game, states = solution.game, lost_positions(solution, options.positions, options.seed)
        engines = [Engine(game, LIMIT, style=style, database=solution) for style in ("exact", "trickiest")]
        choices = [cache(lambda state, engine=engine: engine.choose(state).move) for engine in engines]
        means = [(0.0, 0.0)] * len(states)
        for level in options.levels:
            plain, tricky = (expected(game, choose, replies_of(game, level)) for choose in choices)
            pairs = [(plain(state), tricky(state)) for state in states]
            by_level[level] += pairs
            means = [
                (a + c / len(by_level), b + d / len(by_level)) for (a, b), (c, d) in zip(means, pairs, strict=True)
            ]
        report(name, means)
        every += means
    for level, pairs in by_level.items():
        report(f"level {level}", pairs)
    report("all", every)


if __name__ == "__main__":
    main()
