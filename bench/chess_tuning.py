"""Tune the weights of chess: play games against itself, and fit the weights to their results by logistic regression.

    python bench/chess_tuning.py play games.jsonl --games 2000 --nodes 5000
    python bench/chess_tuning.py fit games.jsonl

`play` adds games to the file; calls with other seeds may run beside it, each with a file of its own, to be joined.
`fit` takes the quiet positions: not in check, and with a best move that is not noisy. The target of a position is the
searched score of those after it in its game, by TD(lambda), and at last the result. The weights under which the targets
are most likely are printed as they stand in `chess_evaluation.py`, with the error on games that were left out.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from chess_contest import OPENINGS

import zermelo as z
from zermelo.games.chess.chess_evaluation import WEIGHTS
from zermelo.play import Engine, Session

MATE = 20.0
"""The score of a mate that a search saw, in pawns."""

LONGEST = 300
"""Plies after which a game is a draw."""

TRACE = 0.95
"""The lambda of TD(lambda): how far a target looks ahead, to later scores and at last the result of the game."""

PRIOR = 2000.0
"""How many positions the present weights count for."""

HELD_OUT = 10
"""Every so many games, one is left out of the fit."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="bench/chess_tuning.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=("play", "fit"))
    parser.add_argument("file", type=Path, help="games, one in a line")
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="games to play (1000)")
    parser.add_argument("--nodes", type=int, default=5000, metavar="N", help="nodes for a move (5000)")
    parser.add_argument("--seconds", type=float, default=1e9, metavar="S", help="end after so many seconds")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of the openings (0)")
    options = parser.parse_args(arguments)
    try:
        play(options) if options.task == "play" else fit(options.file)
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


# -- games -------------------------------------------------------------------------------------------------------------


def play(options: argparse.Namespace) -> None:
    game, dice, end = z.load("chess"), random.Random(options.seed), time.monotonic() + options.seconds
    engine = Engine(game, z.Limit(nodes=options.nodes), book=False)
    engine.require_native()
    engine.prepare()
    while engine.compiling:
        time.sleep(0.05)
    with options.file.open("a", encoding="utf-8") as file:
        for _ in range(options.games):
            if time.monotonic() > end:
                break
            print(json.dumps(played(game, engine, dice)), file=file, flush=True)


def played(game: z.Game, engine: Engine, dice: random.Random) -> dict[str, Any]:
    """A game: the states and their scores as White sees them, which are quiet, and the result: 1, 1/2, 0."""
    session = Session(game, z.position(game, dice.choice(OPENINGS)))
    for _ in range(dice.randint(2, 6)):
        if session.outcome is None:
            session.play(dice.choice(session.moves))
    start = len(session.history)
    states, scores, quiet = [], [], []
    while session.outcome is None and len(session.history) - start < LONGEST:
        state = session.state
        report = engine.choose(state, history=session.states)
        score = MATE * (report.value.outcome or 0) if report.value.outcome is not None else report.value.score
        states.append([int(number) for number in state])
        scores.append(round(float(score if state.ply % 2 == 0 else -score), 3))
        quiet.append(abs(score) < MATE and not (game.forcing(state) or game.noisy(state, report.move)))
        session.play(report.move)
    winner = session.outcome.winner if session.outcome else None
    return {"states": states, "scores": scores, "quiet": quiet, "result": 0.5 if winner is None else 1.0 - winner}


# -- the fit -----------------------------------------------------------------------------------------------------------


def fit(path: Path) -> None:
    game = z.load("chess")
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if not any(any(record["quiet"]) for record in records):
        raise ValueError(f"{path} holds no quiet positions.")
    scores = np.concatenate([record["scores"] for record in records])
    slope = best_slope(scores, np.concatenate([[record["result"]] * len(record["scores"]) for record in records]))
    kept = [rows_of(game, record, slope) for number, record in enumerate(records) if number % HELD_OUT]
    others = [rows_of(game, record, slope) for record in records[::HELD_OUT]]
    features, targets, _ = (np.concatenate(part) for part in zip(*kept, strict=True))
    unseen, aims, results = (np.concatenate(part) for part in zip(*others, strict=True))
    present = np.array(list(WEIGHTS.values()))
    found = best_weights(features, targets, present, slope)
    print(
        f"# {len(features)} positions of {len(kept)} games; slope {slope:.3f}; error on the positions of other games,"
    )
    for name, wanted in (("later scores", aims), ("results", results)):
        before, after = (error(unseen @ weights, wanted, slope) for weights in (present, found))
        print(f"# by {name}: {before:.5f} before, {after:.5f} after")
    print("WEIGHTS = {")
    for name, weight in zip(WEIGHTS, found, strict=True):
        print(f'    "{name}": {weight:.4g},')
    print("}")


def rows_of(game: z.Game, record: dict[str, Any], slope: float) -> tuple[Any, Any, Any]:
    """The features, the targets and the results of the quiet positions of a game, seen by the player to move."""
    expected, target = probability(slope * np.array(record["scores"])), record["result"]
    rows, targets, results = [], [], []
    for at in range(len(expected) - 1, -1, -1):
        state = type(game.initial())(*record["states"][at])
        if record["quiet"][at]:
            rows.append(game.features(state))
            targets.append(target if state.ply % 2 == 0 else 1 - target)
            results.append(record["result"] if state.ply % 2 == 0 else 1 - record["result"])
        target = (1 - TRACE) * expected[at] + TRACE * target
    return np.array(rows).reshape(-1, len(WEIGHTS)), np.array(targets), np.array(results)


def probability(logits: Any) -> Any:
    return 1 / (1 + np.exp(-logits))


def error(evaluations: Any, points: Any, slope: float) -> float:
    """The mean cross entropy of results and the probabilities that evaluations stand for."""
    expected = np.clip(probability(slope * evaluations), 1e-9, 1 - 1e-9)
    return float(-np.mean(points * np.log(expected) + (1 - points) * np.log(1 - expected)))


def best_slope(evaluations: Any, points: Any) -> float:
    """The slope of the logistic curve from pawns to points under which the results are most likely."""
    return min(np.arange(0.2, 2.0, 0.01), key=lambda slope: error(evaluations, points, slope))


def best_weights(features: Any, points: Any, present: Any, slope: float) -> Any:
    """Newton's method for logistic regression, with a prior: the present weights, by the spread of their features."""
    spread = np.maximum(features.std(axis=0), 1e-6)
    prior = PRIOR * np.diag(spread**2) * slope**2 / 4
    weights = present.copy()
    for _ in range(30):
        expected = probability(slope * features @ weights)
        gradient = slope * features.T @ (expected - points) + prior @ (weights - present)
        curvature = slope**2 * (features.T * (expected * (1 - expected))) @ features + prior
        step = np.linalg.solve(curvature, gradient)
        weights = weights - step
        if abs(step).max() < 1e-6:
            break
    return weights


if __name__ == "__main__":
    sys.exit(main())
