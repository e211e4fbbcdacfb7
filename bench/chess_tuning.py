"""Tune the weights of chess: play games against itself, and fit the weights to their results by logistic regression.

    python bench/chess_tuning.py play games.jsonl --games 2000 --nodes 5000
    python bench/chess_tuning.py fit games.jsonl

`play` adds games to the file; calls with other seeds may run beside it, each with a file of its own, to be joined.
`fit` takes the quiet positions: not in check, and with a best move that is not noisy. The target of a position is the
searched score of those after it in its game, by TD(lambda), and at last the result. The weights under which the targets
are most likely are printed as they stand in `chess_evaluation.py`, and the values of squares, in hundredths of a pawn,
as in `piece_square_tables.py`, with the error on games that were left out.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from chess_contest import OPENINGS

import zermelo as z
from zermelo.games.chess.chess_evaluation import MAX_PHASE, WEIGHTS, game_phase
from zermelo.games.chess.chess_state import State
from zermelo.games.chess.piece_square_tables import ENDGAME_TABLE, MIDDLEGAME_TABLE
from zermelo.native import kernel
from zermelo.play import Engine, Session
from zermelo.rules import features_into, state_from_words, state_length
from zermelo.word_arrays import Words

MATE = 20.0
"""The score of a mate that a search saw, in pawns."""

LONGEST = 300
"""Plies after which a game is a draw."""

TRACE = 0.95
"""The lambda of TD(lambda): how far a target looks ahead, to later scores and at last the result of the game."""

PRIOR = 2000.0
"""How many positions the present weights count for."""

SQUARE_PRIOR = 1000.0
"""How many positions the present value of a square counts for."""

PHASES = ("piece-square middlegame", "piece-square endgame")
"""The features that are replaced by one for each type of piece and square."""

PIECE_SQUARE_WEIGHTS = np.concatenate(
    [
        WEIGHTS[name] * table[64:].reshape(6, 8, 8)[:, :, :4].ravel()
        for name, table in zip(PHASES, (MIDDLEGAME_TABLE, ENDGAME_TABLE), strict=True)
    ]
)
"""The present value of each type of piece on each square of the queen's side, in the middlegame and in the endgame."""

CHUNK = 1 << 16
"""Positions that are fitted at once."""

HELD_OUT = 10
"""One game in this number is left out of the fit."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="bench/chess_tuning.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=("play", "fit"))
    parser.add_argument("file", type=Path, help="games, one in a line")
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="games to play (1000)")
    parser.add_argument("--nodes", type=int, default=5000, metavar="N", help="nodes for a move (5000)")
    parser.add_argument("--seconds", type=float, default=1e9, metavar="S", help="end after S seconds")
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
    kept = rows_of(game, [record for number, record in enumerate(records) if number % HELD_OUT], slope)
    others = rows_of(game, records[::HELD_OUT], slope)
    present = np.array([*WEIGHTS.values(), *PIECE_SQUARE_WEIGHTS])
    found = best_weights(kept.features, kept.targets, present, slope, prior_of(kept.features))
    print(f"# {len(kept.features)} positions of {len(records) - len(records[::HELD_OUT])} games; slope {slope:.3f};")
    print("# error on the positions of other games,")
    for name, wanted in (("later scores", others.targets), ("results", others.results)):
        before, after = (error(others.features @ weights, wanted, slope) for weights in (present, found))
        print(f"# by {name}: {before:.5f} before, {after:.5f} after")
    print("WEIGHTS = {")
    for name, weight in zip(WEIGHTS, found, strict=False):
        print(f'    "{name}": {weight:.4g},')
    print("}")
    for phase, table in zip(("MIDDLEGAME", "ENDGAME"), np.split(found[len(WEIGHTS) :], 2), strict=True):
        print_table(phase, np.rint(100 * table).astype(int).reshape(6, 8, 4))


class Rows(NamedTuple):
    """Positions as rows of a matrix: their features, then the squares of their pieces; what they aim at; results."""

    features: Any
    targets: Any
    results: Any


def rows_of(game: z.Game, records: Sequence[dict[str, Any]], slope: float) -> Rows:
    """The quiet positions of games, seen by the player to move."""
    words, targets, results = [], [], []
    for record in records:
        expected, target = probability(slope * np.array(record["scores"])), record["result"]
        for at in range(len(expected) - 1, -1, -1):
            if record["quiet"][at]:
                words.append(record["states"][at])
                first = record["states"][at][-1] % 2 == 0
                targets.append(target if first else 1 - target)
                results.append(record["result"] if first else 1 - record["result"])
            target = (1 - TRACE) * expected[at] + TRACE * target
    states = np.array(words, np.uint64).reshape(-1, state_length(game))
    features = np.hstack([features_of(game, states), piece_squares(states)])
    return Rows(features, np.array(targets), np.array(results))


@kernel(kinds="words int int words")
def collect_features(game, rows, count, width, found):
    """Store the features of `count` states, whose words are in `rows`."""
    length = state_length(game)
    for i in range(count):
        features_into(game, state_from_words(game, rows.part(i * length, length)), found.reals(i * width, width))


def features_of(game: z.Game, states: Any) -> Any:
    """The features of states; those by which the tables of squares are weighted count in `piece_squares`."""
    rows, found = Words.zeros(states.size), Words.zeros(len(states) * len(WEIGHTS))
    rows.array[:] = states.view(np.int64).ravel()
    collect_features(game, rows, len(states), len(WEIGHTS), found)
    features = found.array.view(np.float64).reshape(-1, len(WEIGHTS)).astype(np.float32)
    features[:, [list(WEIGHTS).index(name) for name in PHASES]] = 0
    return features


def piece_squares(states: Any) -> Any:
    """How many pieces of each type stand on each square of the queen's side, or on its mirror image: mine less theirs.

    Times the share of the middlegame, and then times that of the endgame.
    """
    mine, theirs, pawns, knights, diagonals, straights, kings = (states[:, [column]] for column in range(7))
    queens = diagonals & straights
    squares = np.arange(64, dtype=np.uint64)
    tables = []
    for pieces in (queens, straights & ~queens, diagonals & ~queens, knights, pawns, kings):
        own, other = ((pieces & side) >> squares & np.uint64(1) for side in (mine, theirs))
        balance = own.astype(np.float32) - other.astype(np.float32)[:, squares.astype(int) ^ 56]
        sides = balance.reshape(-1, 8, 8)
        tables.append((sides[:, :, :4] + sides[:, :, :3:-1]).reshape(-1, 32))
    table = np.hstack(tables)
    middlegame = np.array([[game_phase(State(*words)) / MAX_PHASE] for words in states.tolist()], np.float32)
    return np.hstack([table * middlegame, table * (1 - middlegame)])


def prior_of(features: Any) -> Any:
    """How strongly each weight is held where it is: by the spread of its feature; squares all alike."""
    spread = np.maximum(features[:, : len(WEIGHTS)].std(axis=0), 1e-6)
    return np.concatenate([PRIOR * spread**2 / 4, np.full(features.shape[1] - len(WEIGHTS), SQUARE_PRIOR / 4)])


def print_table(phase: str, table: Any) -> None:
    """Print tables of squares as they stand in `piece_square_tables.py`."""
    print(f"{phase} = {{")
    for kind, rows in zip(("QUEEN", "ROOK", "BISHOP", "KNIGHT", "PAWN", "KING"), table, strict=True):
        print(f"    {kind}: (")
        for row in rows:
            print("        " + " ".join(f"{number}," for number in row))
        print("    ),")
    print("}")


def probability(logits: Any) -> Any:
    return 1 / (1 + np.exp(-logits))


def error(evaluations: Any, points: Any, slope: float) -> float:
    """The mean cross entropy of results and the probabilities that evaluations stand for."""
    expected = np.clip(probability(slope * evaluations), 1e-9, 1 - 1e-9)
    return float(-np.mean(points * np.log(expected) + (1 - points) * np.log(1 - expected)))


def best_slope(evaluations: Any, points: Any) -> float:
    """The slope of the logistic curve from pawns to points under which the results are most likely."""
    return min(np.arange(0.2, 2.0, 0.01), key=lambda slope: error(evaluations, points, slope))


def best_weights(features: Any, points: Any, present: Any, slope: float, prior: Any) -> Any:
    """Newton's method for logistic regression; `prior` is how strongly each weight is held where it is."""
    weights, pull = present.copy(), slope**2 * prior
    for _ in range(30):
        gradient, curvature = pull * (weights - present), np.diag(pull)
        for start in range(0, len(features), CHUNK):
            part = features[start : start + CHUNK]
            expected = probability(slope * part @ weights)
            gradient += slope * part.T @ (expected - points[start : start + CHUNK])
            curvature += slope**2 * (part.T * (expected * (1 - expected)).astype(part.dtype)) @ part
        step = np.linalg.solve(curvature, gradient)
        weights = weights - step
        if abs(step).max() < 1e-4:
            break
    return weights


if __name__ == "__main__":
    sys.exit(main())
