"""Learn the weights that ship with games, and measure them: against no evaluation, and against the game's own.

    python bench/learning.py OUT --seconds 45                 # all games, 45 s each on all cores
    python bench/learning.py OUT --seconds 45 breakthrough    # some of them
    python bench/learning.py OUT --measure --games 40         # matches at equal depth with the files in OUT

A file OUT/GAME.weights is written for each game, and OUT/learning.txt has what was measured.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import zermelo as z
from zermelo import ONGOING, rules
from zermelo.networks.weight_files import with_weights

OPTIONS = {
    "breakthrough": {"tuples": 32},
    "connect_four": {"tuples": 40, "trace": 0.8},
    "othello": {"tuples": 24, "trace": 0.5},
    "checkers": {"tuples": 32},
    "hex": {"tuples": 20, "trace": 0.8},
    "gomoku": {"tuples": 10, "opening": 4},
    "backgammon": {
        "kind": "layers", "hidden": 64, "exploration": 0.0, "opening": 0, "trace": 0.5, "stages": (1, 31),
    },
    "awari": {}, "kalah": {}, "pop_out": {}, "teeko": {}, "nine_mens_morris": {}, "domineering": {}, "fanorona": {},
    "dobutsu_shogi": {}, "einstein": {"kind": "layers"},
}  # fmt: skip
"""The games and how they are learned."""

SHIPPED = ("breakthrough", "connect_four", "othello", "checkers", "hex", "gomoku", "backgammon")
STRIPPED = (
    "breakthrough",
    "connect_four",
    "othello",
    "checkers",
    "hex",
    "awari",
    "kalah",
    "pop_out",
    "teeko",
    "domineering",
)
"""The games with weights, and the ten on which learning is compared with a search that has no evaluation."""

BUDGETS = {"connect_four": 2.0, "backgammon": 2.4, "gomoku": 1.6, "hex": 1.2, "checkers": 0.6, "breakthrough": 0.8}
"""How much of --seconds a game gets, where that is not all."""

DEPTHS = {"gomoku": 2, "backgammon": 1, "hex": 2}
"""Plies of the searches that are compared, where they are not 3."""

OPENING_PLIES, MAX_PLIES = 6, 300


def file_of(folder: Path, name: str) -> Path:
    return folder / f"{name.partition('(')[0]}.weights"


def train(folder: Path, name: str, seconds: float, seed: int, log) -> None:
    game = z.load(name)
    began, used = time.perf_counter(), time.process_time()
    learned = z.learn(game, seconds=seconds * BUDGETS.get(name, 1.0), seed=seed, **OPTIONS[name])
    learned.save(file_of(folder, name))
    last = learned.facts["curve"][-1]
    size, cpu = file_of(folder, name).stat().st_size, time.process_time() - used
    games, plies = learned.facts["games"], learned.facts["plies"]
    log(
        f"{name}: {games:,} games, {plies:,} plies, {plies / last['seconds']:,.0f} plies/s,"
        f" random {last['against_random']:.1%}, greedy {last['against_greedy']:.1%}, error {last['error']:.4f},"
        f" {size:,} bytes, {time.perf_counter() - began:.0f} s, {cpu:.0f} CPU s"
    )


def without_evaluation(game):
    """The same game, stripped of its evaluation."""
    inside = {rule: getattr(z.Game, rule) for rule in ("evaluate", "features") if game.has(rule)}
    cls = type(type(game).__name__, (type(game),), {**inside, "__module__": type(game).__module__})
    return cls(**{name: getattr(game, name) for name in game.__dataclass_fields__})


def play_pair(task) -> list[float]:
    """Two games from the same opening with colours swapped: the payoffs of the first player of the match."""
    name, weights, opponent, depth, seed = task
    game = z.load(name)
    learned = with_weights(game, weights)
    other = without_evaluation(game) if opponent == "none" else game
    return [
        play_game(game, (learned, other) if first else (other, learned), first, depth, seed) for first in (True, False)
    ]


def play_game(game, players, first: bool, depth: int, seed: int) -> float:
    dice = random.Random(seed)
    state, side, plies = game.initial(), 0, 0
    while rules.payoff(game, state) == ONGOING and plies < MAX_PLIES:
        if game.is_chance(state):
            outcomes = list(game.chances(state))
            move = dice.choices([outcome for outcome, _ in outcomes], [odds for _, odds in outcomes])[0]
        elif plies < OPENING_PLIES:
            move = dice.choice(rules.legal_actions(game, state))
        else:
            move = z.search(players[side], state, z.Limit(depth=depth)).move
        child = game.play(state, move)
        side ^= rules.changes_player(game, state, child)
        state, plies = child, plies + 1
    payoff = rules.payoff(game, state)
    payoff = 0 if payoff == ONGOING else payoff
    return float(payoff if (side == 0) == first else -payoff)


def measure(folder: Path, name: str, games: int, pool, log) -> None:
    depth = DEPTHS.get(name, 3)
    for opponent in ("none", "own"):
        tasks = [(name, str(file_of(folder, name)), opponent, depth, seed) for seed in range(games // 2)]
        payoffs = [payoff for pair in pool.map(play_pair, tasks) for payoff in pair]
        wins, losses = sum(payoff > 0 for payoff in payoffs), sum(payoff < 0 for payoff in payoffs)
        log(
            f"{name}, depth {depth}, learned against {opponent}: +{wins} ={len(payoffs) - wins - losses} -{losses},"
            f" {sum(payoffs) / max(1, len(payoffs)):+.3f} points a game"
        )


def measure_moves(folder: Path, count: int, log) -> None:
    """Connect Four at depth 4: how many moves keep the outcome, in random positions where some move does not."""
    game = z.load("connect_four")
    players = {"learned": with_weights(game, file_of(folder, "connect_four")), "own": game}
    kept, asked, dice = dict.fromkeys(players, 0), 0, random.Random(0)
    while asked < count:
        state = game.initial()
        for _ in range(dice.randint(14, 28)):
            moves = rules.legal_actions(game, state)
            state = game.play(state, dice.choice(moves)) if moves else state
        moves = rules.legal_actions(game, state)
        if not moves:
            continue
        children = [game.play(state, move) for move in moves]
        going = [child for child in children if game.result(child) == ONGOING]
        proven = iter(z.search_many(game, going))
        outcomes = [-(next(proven).value.outcome if child in going else game.result(child)) for child in children]
        if len({*outcomes}) == 1 or any(game.result(child) != ONGOING for child in children):
            continue
        asked += 1
        for name, player in players.items():
            move = z.search(player, state, z.Limit(depth=4)).move
            kept[name] += outcomes[moves.index(move)] == max(outcomes)
    for name, right in kept.items():
        log(f"connect_four, depth 4, {name}: {right} of {count} moves keep the outcome ({right / count:.1%})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="games; those with weights by default")
    parser.add_argument("--seconds", type=float, default=45.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--measure", action="store_true", help="measure files that exist; train nothing")
    parser.add_argument("--games", type=int, default=0, help="games of each match; none by default")
    parser.add_argument("--moves", type=int, default=0, help="positions of Connect Four in which moves are judged")
    given = parser.parse_intermixed_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    names = given.names or [*SHIPPED]

    def log(text: str) -> None:
        print(text, flush=True)
        with open(given.folder / "learning.txt", "a") as output:
            output.write(text + "\n")

    if not given.measure:
        for name in names:
            train(given.folder, name, given.seconds, given.seed, log)
    if given.moves:
        measure_moves(given.folder, given.moves, log)
    if given.games:
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            for name in names:
                if file_of(given.folder, name).exists():
                    measure(given.folder, name, given.games, pool, log)


if __name__ == "__main__":
    main()
