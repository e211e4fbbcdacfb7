"""`learn`: an evaluation for any game, from self-play."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from zermelo.arguments import check_choice, check_int, check_number, checked_game, checked_threads
from zermelo.files import check_writable
from zermelo.game import Game, GameError
from zermelo.learning.arena import GREEDY, RANDOM
from zermelo.learning.cell_sources import check_whole_numbers
from zermelo.learning.learn_arguments import checked_stages, measure_games, started_network
from zermelo.learning.refitting import Labels, forget_step_sizes, labels_for
from zermelo.learning.training import Schedule, Training
from zermelo.learning.training_checkpoint import load_checkpoint, save_checkpoint
from zermelo.learning.tuple_choice import TABLE_WEIGHTS, choose_shape
from zermelo.native.interpretation import warn_if_interpreted
from zermelo.networks.feature_weights import FeatureWeights
from zermelo.networks.network import Network
from zermelo.networks.network_format import MAX_HIDDEN
from zermelo.rules import initial_state
from zermelo.solving.solution import Solution

DEFAULT_SECONDS = 60.0
"""How long `learn` trains where neither games nor seconds are given."""

CURVE_GAMES, CURVE_POINTS = 200, 16
"""Games of a point of the learning curve against each opponent, and how many points there are at most."""

CHECKPOINT_SECONDS = 30.0
"""Seconds between two checkpoints."""

FINAL_PART, FINAL_RATE = 0.3, 0.1
"""In the last part of a training the step size falls to this share of its first value."""

REFIT_RATE = 0.3
"""The step size of a refit, as a share of that of self-play."""

LAYER_RATE = 0.02
"""The step size of a layered network, which has none of temporal coherence."""

LEAST_GAME_LIMIT, MOST_GAME_LIMIT = 40, 400
"""Plies after which a game counts as drawn: three times those of a random game, between these bounds."""

LONGEST_GAME = 1 << 16
"""The most plies of a game that a caller may ask for."""

MAX_OPENING = 6
"""The most plies of a random opening, unless the caller says."""


@dataclass(frozen=True)
class LearningPoint:
    """A point of the learning curve: the share of points against random moves, and against the greedy player."""

    games: int
    plies: int
    seconds: float
    error: float
    """The mean squared difference between targets and values."""
    against_random: float
    against_greedy: float


OnPoint = Callable[[LearningPoint], object]
"""A callback for each point of the learning curve. What it raises ends the training."""


def check_learnable(game: Game, kind: str) -> None:
    """Raise GameError if nothing can be learned from the states of a game, before any work is done."""
    if kind != "features":
        check_whole_numbers(game, initial_state(game))


def learn(
    game: Game,
    *,
    seconds: float | None = None,
    games: int | None = None,
    kind: str = "tuples",
    tuples: int = 24,
    table: int = TABLE_WEIGHTS,
    hidden: int = 40,
    exploration: float = 0.1,
    trace: float = 0.7,
    opening: int | None = None,
    stages: tuple[int, ...] = (),
    plies: int | None = None,
    refit: float = 0.0,
    depth: int = 3,
    database: Solution | str | Path | None = None,
    start: Network | str | Path | None = None,
    seed: int = 0,
    threads: int | None = None,
    checkpoint: str | Path | None = None,
    on_point: OnPoint | None = None,
) -> Network | FeatureWeights:
    """Learn an evaluation of a game by playing it against itself, for some `seconds` or `games`; one minute by default.

    The result is what `search`, `Engine` and all commands take as `weights`. Its `facts` hold the learning curve.

    The `kind` "tuples" reads the cells of the board in groups of neighbours, `tuples` of them with up to `table`
    weights each. "layers" is a fully connected network with one layer of `hidden` units, which also reads the game's
    own `features`. "features" finds weights for these alone. The cells are found by comparing states with their boards;
    without a board, they are the numbers and bits of a state. With `stages` there are separate weights from each of
    these stages on, by the game's `stage`.

    Moves are the best by the evaluation so far, but for a share of `exploration` and up to `opening` plies at the
    start (a fifth of a random game by default), which are drawn by lot. `trace` is the lambda of TD(lambda). The last
    part of the budget, a share of `refit`, fits the weights to values of searches of some `depth`, or to the exact
    ones of a `database` (a Solution, or its file).

    A game that has lasted for `plies`, chance included, counts as drawn; three times a random game by default.

    `start` is a network, or its file, that is learned further; its kind, size and stages stay as they are.

    With `games` the result follows from the `seed`, in any number of `threads` (None is all cores). With `seconds`
    alone all threads update the weights of tuples at once, which is faster. With a `checkpoint` file, a training that
    was killed goes on where it was.

    >>> import zermelo as z
    >>> network = z.learn(z.load("tic_tac_toe"), games=2000)
    >>> network.facts["curve"][-1]["against_random"] > 0.8
    True
    """
    where = f"learn of {checked_game('learn', game)!r}"
    check_choice(where, ("tuples", "layers", "features"), kind=kind)
    check_int(where, least=1, optional=True, games=games)
    check_number(where, above_zero=True, optional=True, seconds=seconds)
    check_int(where, least=1, most=256, tuples=tuples)
    check_int(where, least=2, most=1 << 20, table=table)
    check_int(where, least=1, most=MAX_HIDDEN, hidden=hidden)
    check_number(where, least=0, most=1, exploration=exploration, trace=trace)
    check_int(where, least=0, most=100, optional=True, opening=opening)
    check_int(where, least=2, most=LONGEST_GAME, optional=True, plies=plies)
    stages = checked_stages(where, stages)
    check_number(where, least=0, most=1, refit=refit)
    check_int(where, least=1, most=12, depth=depth)
    check_int(where, seed=seed)
    check_learnable(game, kind)
    if kind == "features" and refit:
        raise GameError(f"{where}: weights of features are not refitted.")
    if kind == "features" and not game.has("features"):
        raise GameError(f"{where}: the game has no `features`; the kind must be tuples or layers.")
    begun = started_network(where, game, start)
    if begun is not None:
        kind = "layers" if begun.shape.hidden else "tuples"
    path = None if checkpoint is None else check_writable(checkpoint)
    length, scale = measure_games(game, seed)
    limit = max(LEAST_GAME_LIMIT, min(MOST_GAME_LIMIT, 3 * length)) if plies is None else plies
    schedule = Schedule(
        exploration=exploration,
        trace=trace,
        opening=min(MAX_OPENING, length // 5) if opening is None else opening,
        rate=LAYER_RATE if kind == "layers" else 1.0,
        game_plies=limit,
    )
    shape = None if begun is None else begun.shape
    if shape is None and kind != "features":
        units = hidden if kind == "layers" else 0
        shape = choose_shape(game, tuples=tuples, weights=table, hidden=units, stages=stages, seed=seed, scale=scale)
    lock_free = kind == "tuples" and games is None
    training = Training(game, shape, schedule, seed, checked_threads(where, threads), scale, lock_free)
    if begun is not None:
        training.reals[:] = begun.weights / begun.shape.unit
    chosen: dict[str, Any] = {
        "kind": kind,
        "tuples": tuples,
        "table": table,
        "hidden": hidden,
        "seed": seed,
        "games": games,
    }
    chosen |= {"refit": refit, "depth": depth, "database": database is not None, "stages": [*stages]}
    if begun is not None:
        chosen |= {"start": begun.digest, "started": begun.facts.get("options"), "before": begun.facts.get("games")}
    budget = DEFAULT_SECONDS if games is None and seconds is None else seconds
    labels = labels_for(training, depth, database) if refit else None
    try:
        return _Lesson(training, {**chosen, **asdict(schedule)}, games, budget, path, on_point, labels).run()
    finally:
        training.close()


class _Lesson:
    """One call of `learn`: rounds until the budget is spent, points of the curve, and checkpoints."""

    def __init__(
        self,
        training: Training,
        options: dict[str, Any],
        games: int | None,
        seconds: float | None,
        checkpoint: Path | None,
        on_point: OnPoint | None,
        labels: Labels | None,
    ) -> None:
        self.training, self.options, self.games, self.seconds = training, options, games, seconds
        self.checkpoint, self.on_point, self.labels = checkpoint, on_point, labels
        self.refitting = False
        self.curve: list[dict[str, Any]] = []
        self.spent = 0.0
        """Seconds of training before a kill."""
        self.began = self.saved = time.perf_counter()
        self.error = 0.0

    def run(self) -> Network | FeatureWeights:
        warn_if_interpreted(self.training.game)
        if self.checkpoint is not None and self.checkpoint.exists():
            progress = load_checkpoint(self.checkpoint, self.training, self.options)
            self.curve, self.spent = list(progress["curve"]), float(progress["seconds"])
            self.refitting = bool(progress["refitting"])
        if not self.curve:
            self.training.play(RANDOM, 2)  # compiles, before the clock starts
            self.began = time.perf_counter()
            self._add_point()
        while (part := self._part()) < 1:
            self.error = self._round(part)
            if len(self.curve) < 1 + CURVE_POINTS * self._part() ** 0.5 - 0.999:
                self._add_point()
            self._save()
        if self.curve[-1]["games"] != self.training.games:
            self._add_point()
        if self.checkpoint is not None:
            with suppress(OSError):
                self.checkpoint.unlink()
        return self._result()

    def _round(self, part: float) -> float:
        if self.labels is None or part < 1 - self.options["refit"]:
            return self.training.round(self._rate(part))
        if not self.refitting:
            self.refitting = True
            forget_step_sizes(self.training)
        self.labels.begin_round()
        return self.training.round(REFIT_RATE * self._rate(part), self.labels.label)

    def _part(self) -> float:
        """How much of the budget is spent."""
        by_games = 0.0 if self.games is None else self.training.games / self.games
        return max(by_games, 0.0 if self.seconds is None else self.elapsed / self.seconds)

    @staticmethod
    def _rate(part: float) -> float:
        left = max(0.0, min(1.0, (1.0 - part) / FINAL_PART))
        return float(FINAL_RATE ** (1.0 - left))

    @property
    def elapsed(self) -> float:
        return self.spent + time.perf_counter() - self.began

    def _add_point(self) -> None:
        training, seconds = self.training, self.elapsed
        began = time.perf_counter()
        shares = [training.play(opponent, CURVE_GAMES).share for opponent in (RANDOM, GREEDY)]
        point = LearningPoint(training.games, training.plies, seconds, self.error, *shares)
        self.curve.append(asdict(point))
        self.began += time.perf_counter() - began  # which is no training
        if self.on_point is not None:
            self.on_point(point)

    def _save(self) -> None:
        if self.checkpoint is not None and time.perf_counter() - self.saved > CHECKPOINT_SECONDS:
            progress = {"curve": self.curve, "seconds": self.elapsed, "refitting": self.refitting}
            save_checkpoint(self.checkpoint, self.training, self.options, progress)
            self.saved = time.perf_counter()

    def _result(self) -> Network | FeatureWeights:
        training = self.training
        facts = {"options": self.options, "games": training.games, "plies": training.plies, "curve": self.curve}
        if training.shape is not None:
            return training.result(facts)
        return FeatureWeights(training.game, tuple(float(weight) for weight in training.reals[0]), facts)
