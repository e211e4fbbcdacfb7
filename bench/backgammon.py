"""How well the backgammon player plays: matches and judged decisions, with 95 % confidence intervals.

    python bench/backgammon.py [--games 500] [--depth 3] [--seed 1]     # against a random and a greedy player
    python bench/backgammon.py --gnubg 500                              # against gnubg, 0-ply
    python bench/backgammon.py --judge 500                              # points lost per decision by gnubg 2-ply

The sides change after every game. A search of depth 1 compares its own plays by the evaluation; depth 3 looks at every
roll and reply as well. The greedy player hits where it can, and leaves as few checkers alone as possible. The engine
has the weights that ship with the game; `--weights none` or a file are others.

Judged decisions are the positions of games that gnubg plays against itself, where there is a choice. A play costs what
the best one is worth more, by gnubg 2-ply. `--labels FILE` keeps its values, for another run.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from confidence import mean_and_error
from gnubg_judge import Gnubg

import zermelo as z
from zermelo.game import ONGOING, Game, Move, State
from zermelo.games.backgammon.backgammon_notation import counts
from zermelo.play.own_weights import evaluated

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
        mean, error = mean_and_error(self.points)
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


# -- gnubg ---------------------------------------------------------------------------------------------------------

CANDIDATE_LOSS = 0.2
"""gnubg 2-ply judges the plays that 0-ply finds at most so much worse than the best."""


def boards_after(game: Game, state: State, moves: list[Move]) -> list[tuple[list[int], list[int]]]:
    """The boards after plays, of the player who is on roll then."""
    after = [game.play(state, move) for move in moves]
    return [(_board(each.near, each.far), _board(each.their_near, each.their_far)) for each in after]


def _board(near: int, far: int) -> list[int]:
    return list(counts(near, far))[1:]


def gnubg_player(game: Game, gnubg: Gnubg) -> Player:
    """The best play by gnubg's evaluation of the board after it: its 0-ply player."""

    def choose(state: State, moves: list[Move], dice: random.Random) -> Move:
        values = play_values(game, gnubg, state, moves, 0)
        return max(moves, key=values.__getitem__)

    return choose


def play_values(game: Game, gnubg: Gnubg, state: State, moves: list[Move], plies: int) -> dict[Move, float]:
    """What plays are worth to the player who makes them; bearing off the last checker is worth its points."""
    going = [move for move in moves if game.result(game.play(state, move)) == ONGOING]
    values = {move: -float(game.result(game.play(state, move))) for move in moves if move not in going}
    return values | dict(
        zip(going, (-value for value in gnubg.equities(boards_after(game, state, going), plies)), strict=True)
    )


def judged_positions(game: Game, gnubg: Gnubg, number: int, seed: int) -> list[tuple[str, dict[str, float]]]:
    """Positions of gnubg's games with a choice, and what their plays are worth; those far behind get no value."""
    dice, found, state = random.Random(seed), [], game.initial()
    while len(found) < number:
        if game.result(state) != ONGOING:
            state = game.initial()
        if game.is_chance(state):
            rolls, odds = zip(*game.chances(state), strict=True)
            state = game.play(state, dice.choices(rolls, odds)[0])
            continue
        moves = list(game.moves(state))
        rough = play_values(game, gnubg, state, moves, 0)
        if len(moves) > 1 and dice.random() < 0.2:  # neighbours in a game are alike
            near = [move for move in moves if rough[move] > max(rough.values()) - CANDIDATE_LOSS]
            exact = play_values(game, gnubg, state, near, 2)
            found.append((game.state_text(state), {game.move_text(state, move): exact[move] for move in near}))
        state = game.play(state, max(moves, key=rough.__getitem__))
    return found


def judge(game: Game, player: Player, gnubg: Gnubg, labels: list[tuple[str, dict[str, float]]]) -> list[float]:
    """The points that each decision of a player loses."""
    lost = []
    for text, known in labels:
        state = game.parse_state(text)
        move = player(state, list(game.moves(state)), random.Random(0))
        name = game.move_text(state, move)
        if name not in known:
            known[name] = play_values(game, gnubg, state, [move], 2)[move]
        lost.append(max(known.values()) - known[name])
    return lost


def is_race(game: Game, text: str) -> bool:
    """Whether the sides have passed each other."""
    return bool(game.stage(game.parse_state(text)) > 2 * game.checkers)


def print_judgement(game: Game, labels: list[tuple[str, dict[str, float]]], lost: list[float]) -> None:
    kinds = {
        "all": lambda text: True,
        "contact": lambda text: not is_race(game, text),
        "race": lambda text: is_race(game, text),
    }
    for kind, chosen in kinds.items():
        part = [1000 * loss for (text, _), loss in zip(labels, lost, strict=True) if chosen(text)]
        if len(part) > 1:
            mean, error = mean_and_error(part)
            print(
                f"  {kind}: {len(part)} decisions, {mean:.1f} +- {error:.1f} thousandths of a point lost each",
                flush=True,
            )


def judge_decisions(game: Game, player: Player, number: int, seed: int, file: Path | None) -> None:
    gnubg = Gnubg()
    if file is not None and file.exists():
        labels = [(text, dict(values)) for text, values in json.loads(file.read_text())][:number]
    else:
        labels = judged_positions(game, gnubg, number, seed)
    lost = judge(game, player, gnubg, labels)
    if file is not None and not file.exists():
        file.write_text(json.dumps(labels))
    gnubg.close()
    print_judgement(game, labels, lost)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--gnubg", type=int, default=0, help="games against gnubg 0-ply")
    parser.add_argument("--judge", type=int, default=0, help="decisions that gnubg 2-ply judges")
    parser.add_argument("--labels", type=Path, help="a file of judged positions, which is written if there is none")
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", default="own", help="own, none, or a file")
    options = parser.parse_args()
    game = z.load("backgammon")
    weights = {"own": True, "none": False}.get(options.weights, options.weights)
    player = engine(evaluated(game, game, weights), options.depth)
    print(f"The engine, to depth {options.depth}, weights {options.weights}, with 95 % confidence intervals:")
    if options.judge:
        judge_decisions(game, player, options.judge, options.seed, options.labels)
    opponents = {"the random player": at_random, "the greedy player": greedy(game)}
    games, gnubg = options.games, None
    if options.gnubg:
        gnubg = Gnubg()
        opponents, games = {"gnubg 0-ply": gnubg_player(game, gnubg)}, options.gnubg
    if options.gnubg or not options.judge:
        for name, other in opponents.items():
            start = time.process_time()
            score = match(game, player, other, games, options.seed)
            print(f"  against {name}: {score}, {time.process_time() - start:.0f} CPU s", flush=True)
    if gnubg is not None:
        gnubg.close()


if __name__ == "__main__":
    main()
