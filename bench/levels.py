"""The strength of the levels: neighbouring levels against each other, level 1 against random play.

    python bench/levels.py --games 100                       # all steps on all games
    python bench/levels.py --games 40 --steps 1-4 chess nim  # the steps from level 1 to level 4 on two games

For each game it prints the Elo difference of each step with its 95 % interval, at the end the mean of the steps over
the games. Games come in pairs from random openings with colours swapped. Nothing is timed: level 10 visits --nodes a
move, without its book, so that what is measured is the same on every machine. Step 0 is level 1 against random play.
"""

from __future__ import annotations

import argparse
import statistics
import time
from itertools import islice

import zermelo as z
from zermelo.matches.match_result import MatchResult, elo_text
from zermelo.matches.openings import random_openings
from zermelo.matches.player_spec import player_spec
from zermelo.matches.players import make_player
from zermelo.matches.single_game import Conditions, Referee, Seat, Task

GAMES = ("connect_four", "othello(6)", "breakthrough(6, 6)", "checkers", "chess", "backgammon", "dobutsu_shogi")
OPENING_PLIES = 2
MAX_PLIES = 300


def player_texts(step: int, nodes: int) -> tuple[str, str]:
    """The players of a step, the stronger one first."""
    higher = f"level={step + 1},book=none,nodes={nodes}" if step == 9 else f"level={step + 1}"
    return higher, f"level={step}" if step else "random"


def play_match(game: z.Game, texts: tuple[str, str], games: int, seed: int) -> MatchResult:
    """Play pairs of games in this process: there are no other programs to guard against."""
    specs = [player_spec(text) for text in texts]
    seats = [Seat(make_player(spec, game), spec.name, spec.limit, trusted=True) for spec in specs]
    conditions = Conditions(limit=z.Limit(), max_plies=MAX_PLIES)
    records = []
    for pair, opening in enumerate(islice(random_openings(game, OPENING_PLIES, seed), games // 2)):
        for number, (first, second) in enumerate(((0, 1), (1, 0))):
            task = Task(2 * pair + number, pair, opening, 1000 * seed + pair, (first, second))
            records.append(Referee(game, (seats[first], seats[second]), conditions).play(task))
    return MatchResult((specs[0].name, specs[1].name), tuple(records))


def measure(name: str, steps: range, games: int, nodes: int, seed: int) -> dict[int, float]:
    """Print the steps of a game, and return their Elo differences."""
    game, found = z.load(name), {}
    for step in steps:
        began = time.process_time()
        result = play_match(game, player_texts(step, nodes), games, seed)
        if result.faults:
            raise SystemExit(f"{name}: {result.faults[0]}")
        wins, draws, losses = result.counts
        cpu = time.process_time() - began
        low, high = result.interval
        found[step] = result.elo
        print(
            f"{name:20} {step:2} to {step + 1:2}: Elo {elo_text(result.elo):>6}, "
            f"95 % {elo_text(low)} to {elo_text(high)}, +{wins} ={draws} -{losses}, {cpu:.0f} CPU s",
            flush=True,
        )
    return found


def step_range(text: str) -> range:
    low, _, high = text.partition("-")
    return range(int(low), int(high or int(low) + 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--games", type=int, default=100, help="games of each match")
    parser.add_argument("--steps", type=step_range, default=range(10), help="levels from-to, as in 3-6")
    parser.add_argument("--nodes", type=int, default=200_000, help="nodes of level 10 for a move")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = [measure(name, options.steps, options.games, options.nodes, options.seed) for name in options.names]
    print("\nstep      mean over the games    lowest  highest")
    for step in options.steps:
        steps = [max(min(each[step], 800.0), -800.0) for each in found]
        print(f"{step:2} to {step + 1:2}: {statistics.mean(steps):12.0f} {min(steps):16.0f} {max(steps):8.0f}")


if __name__ == "__main__":
    main()
