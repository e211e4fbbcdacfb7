"""Training: rounds of self-play and updates, on all cores, reproducible from a seed.

In a round the games are played with the same weights, in parts that threads share. Then the weights of each set are
updated by all records in their order, and threads share the sets. So the result does not depend on the threads.

A lock-free training has no such order: each thread updates the weights as soon as it has played a part, while others
play and update (Niu, Recht, Re and Wright 2011). All cores are busy all the time. Tables of weights are large and a
state touches few of them, so that an update is hardly ever lost to that of another thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo import bits, rules
from zermelo.game import Game, GameError
from zermelo.learning import arena
from zermelo.learning.arena import play_opponent
from zermelo.learning.self_play import play_and_record
from zermelo.learning.training_format import (
    EXPLORATION,
    FEATURES,
    MAX_GAME_PLIES,
    OPENING_PLIES,
    PLAYED_PLIES,
    RATE,
    RECORD_HEAD,
    RECORD_WORDS,
    RECORDS_HEAD,
    RETURNS,
    ROOM,
    ROWS,
    SETTINGS,
    TRACE,
)
from zermelo.learning.weight_update import update_set
from zermelo.networks.network import Network, Shape
from zermelo.networks.network_format import (
    HEADER,
    KIND,
    MAX_HIDDEN,
    MAX_WEIGHT,
    PAYOFF_SCALE,
    SET_WEIGHTS,
    TUPLES,
    VIEWS,
)
from zermelo.word_arrays import Words

ROUND_SHARE, MAX_ROUND = 48, 4096
"""A round has one in ROUND_SHARE of the games before it, and at most MAX_ROUND."""

MAX_ROUND_PLIES, LEAST_ROUND = 1 << 21, 16
"""Where games are long, a round has about MAX_ROUND_PLIES, which its records hold; but LEAST_ROUND games at least."""

PARTS, PART_PLIES = 64, 1 << 12
"""Parts of a round, which threads share; more of them where that leaves PART_PLIES to each, lest cores wait for one."""

FIRST_ROOM = 256
"""Moves of a state for which there is room at first."""

CURVE_SEED = 1 << 40
"""Added to the seed for games against opponents, so that they are others than those of self-play."""


@dataclass(frozen=True)
class Schedule:
    """How a network is trained."""

    round_games: int = 128
    """Games of the first rounds; later ones have a share of the games so far, so that cores wait less."""
    exploration: float = 0.1
    trace: float = 0.7
    rate: float = 1.0
    opening: int = 6
    """The most plies at the start of a game that are drawn by lot."""
    game_plies: int = 400
    """Plies after which a game counts as drawn."""


@dataclass(frozen=True)
class Score:
    """Games of a network against an opponent."""

    wins: int
    draws: int
    losses: int
    payoff: float
    """The average, as a share of the largest payoff."""

    @property
    def share(self) -> float:
        """The points of the network: a win counts 1 and a draw one half."""
        return (self.wins + self.draws / 2) / max(1, self.wins + self.draws + self.losses)


class Training:
    """A network in training, or the weights of a game's own features."""

    def __init__(
        self,
        game: Game,
        shape: Shape | None,
        schedule: Schedule,
        seed: int,
        threads: int,
        scale: float,
        lock_free: bool = False,
    ) -> None:
        self.game, self.shape, self.schedule, self.seed, self.threads = game, shape, schedule, seed, threads
        self.lock_free = lock_free
        self.state = rules.initial_state(game)
        self.scale = scale
        self.pool: ThreadPoolExecutor | None = None
        self.rounds = self.games = self.plies = 0
        if shape is None:
            size = len(tuple(game.features(self.state)))
            words = [0] * HEADER
            words[KIND], words[SET_WEIGHTS], words[VIEWS] = FEATURES, size, 1
            words[PAYOFF_SCALE] = int(np.float64(scale).view(np.int64))
            self.sets, inputs = 1, size
        else:
            words, _ = shape.words()
            size, self.sets, inputs = shape.set_weights, shape.sets, (len(shape.cells) + len(shape.levels) + 7) // 8
        self.network = Words(np.array(words, np.int64))
        self.weights = np.zeros(3 * self.sets * size)
        if shape is not None and shape.hidden:
            self._draw_layers(shape)
        self.record_words = RECORD_HEAD + inputs + rules.state_length(game)
        self.room = FIRST_ROOM

    def _draw_layers(self, shape: Shape) -> None:
        """Random weights of the first layer, and of the output, so that the units differ."""
        dice = np.random.default_rng(self.seed)
        rows = self.weights[: self.weights.size // 3].reshape(self.sets, -1)
        inputs = shape.hidden * (sum(shape.radices) + len(shape.levels))
        rows[:, :inputs] = dice.normal(0.0, 0.7 / len(shape.cells) ** 0.5, (self.sets, inputs))
        rows[:, inputs : inputs + shape.hidden] = 0.3
        rows[:, inputs + shape.hidden : -1] = dice.normal(0.0, 1.0 / shape.hidden**0.5, (self.sets, shape.hidden))

    # -- rounds ----------------------------------------------------------------------------------------------------

    def round(self, rate: float = 1.0, label: Callable[[Words], None] | None = None) -> float:
        """Play a round and update the weights, by steps of so much of the full size; return the mean squared error.

        `label` sets other targets than those of self-play.
        """
        parts = self._parts()
        if self.lock_free and label is None:
            played = self._map(lambda part: self._play_and_update(part, rate), parts)
        else:
            played = self._play_then_update(parts, rate, label)
        rows, plies, loss = (sum(column) for column in zip(*played, strict=True))
        self.games = parts[-1][1]
        self.plies += int(plies)
        self.rounds += 1
        return float(loss / max(1, rows))

    def _parts(self) -> list[tuple[int, int]]:
        """The games of the next round, in parts: the first number and the one after the last."""
        games, count = min(MAX_ROUND, max(self.schedule.round_games, self.games // ROUND_SHARE)), PARTS
        if self.plies:
            games = max(LEAST_ROUND, min(games, MAX_ROUND_PLIES * self.games // self.plies))
            count = max(PARTS, games * self.plies // self.games // PART_PLIES)
        count = min(count, games)
        return [(self.games + games * i // count, self.games + games * (i + 1) // count) for i in range(count)]

    def _play_then_update(
        self, parts: list[tuple[int, int]], rate: float, label: Callable[[Words], None] | None
    ) -> list[tuple[int, int, float]]:
        """Play all parts and then update the weights; return the records, plies and squared errors."""
        played = self._map(self._play, parts)
        batches = [records for records, _ in played]
        if label is not None:
            self._map(label, batches)
        loss = self.update(batches, rate, returns=label is None)
        return [(sum(records[ROWS] for records in batches), sum(plies for _, plies in played), loss)]

    def _play_and_update(self, part: tuple[int, int], rate: float) -> tuple[int, int, float]:
        """Play a part and update the weights at once; return its records, plies and squared errors."""
        records, plies = self._play(part)
        loss = sum(self._update_set(chosen, [records], rate, True) for chosen in range(self.sets))
        return records[ROWS], plies, loss

    def _play(self, part: tuple[int, int]) -> tuple[Words, int]:
        start, stop = part
        rows = (stop - start) * self.schedule.game_plies
        records = Words.zeros(RECORDS_HEAD + rows * self.record_words)
        arguments = bits.signed(self.seed), start, stop, self.network, Words(self.weights)
        plies = self._with_room(
            lambda settings, buffer: int(play_and_record(self.game, self.state, *arguments, settings, records, buffer)),
            stop,
        )
        return records, plies

    def _with_room(self, run: Callable[[Words, Words], int], stop: int) -> int:
        """Run a kernel, with a larger buffer where a state has more moves; return the plies that it played."""
        while True:
            settings = self.settings()
            room = settings[ROOM]
            buffer = Words.zeros(2 * room + 2 * (self.record_words + rules.state_length(self.game) + MAX_HIDDEN + 8))
            if run(settings, buffer) == stop:
                return settings[PLAYED_PLIES]
            self.room = max(self.room, -2 * settings[ROOM])

    def update(self, batches: list[Words], rate: float = 1.0, returns: bool = False) -> float:
        """Update the weights by records; return the sum of the squared errors.

        With `returns`, a network of tuples computes the targets anew, as returns of the weights that change.
        """
        return float(sum(self._map(lambda chosen: self._update_set(chosen, batches, rate, returns), range(self.sets))))

    def _update_set(self, chosen: int, batches: list[Words], rate: float, returns: bool) -> float:
        settings, scratch = self.settings(rate), Words.zeros(2 * MAX_HIDDEN)
        settings[RETURNS] = returns and self.network[KIND] == TUPLES
        arguments = chosen, self.network, Words(self.weights), settings
        return float(sum(update_set(self.game, *arguments, each, scratch) for each in batches))

    def settings(self, rate: float = 1.0) -> Words:
        """The settings of kernels."""
        schedule, settings = self.schedule, Words.zeros(SETTINGS)
        reals = settings.reals(0, SETTINGS)
        reals[EXPLORATION], reals[TRACE], reals[RATE] = schedule.exploration, schedule.trace, schedule.rate * rate
        settings[MAX_GAME_PLIES], settings[OPENING_PLIES] = schedule.game_plies, schedule.opening
        settings[RECORD_WORDS], settings[ROOM] = self.record_words, self.room
        return settings

    def _map(self, function: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
        """Call a function on all cores. Compiled kernels run without the interpreter lock."""
        items = list(items)
        if self.threads == 1 or len(items) == 1:
            return [function(item) for item in items]
        if self.pool is None:
            self.pool = ThreadPoolExecutor(self.threads)
        return list(self.pool.map(function, items))

    def close(self) -> None:
        """End the threads."""
        if self.pool is not None:
            self.pool.shutdown()
            self.pool = None

    # -- opponents -------------------------------------------------------------------------------------------------

    def play(self, opponent: int, games: int) -> Score:
        """Play against an opponent (see arena.py)."""
        parts = [(games * i // PARTS, games * (i + 1) // PARTS) for i in range(PARTS)]
        totals = sum(self._map(lambda part: self._meet(opponent, *part), [part for part in parts if part[1] > part[0]]))
        wins, draws, losses = (int(count) for count in totals[:3])
        return Score(wins, draws, losses, float(totals[3]) / games)

    def _meet(self, opponent: int, start: int, stop: int) -> Any:
        results = Words.zeros(arena.RESULTS)

        def run(settings: Words, buffer: Words) -> int:
            results.fill(0)
            seed = bits.signed(self.seed + CURVE_SEED)
            arguments = seed, start, stop, opponent, self.network, Words(self.weights), settings, results, buffer
            return int(play_opponent(self.game, self.state, *arguments))

        self._with_room(run, stop)
        return np.array([results[0], results[1], results[2], results.reals(arena.PAYOFF, 1)[0]])

    # -- the result ------------------------------------------------------------------------------------------------

    @property
    def reals(self) -> Any:
        """The weights, a row for each set."""
        return self.weights[: self.weights.size // 3].reshape(self.sets, -1)

    def result(self, facts: dict[str, Any]) -> Network:
        """Return the network as it is now."""
        if self.shape is None:
            raise GameError("the weights of features are no network")
        stored = np.clip(np.rint(self.reals * self.shape.unit), -MAX_WEIGHT, MAX_WEIGHT).astype(np.int16)
        return Network(self.game, self.shape, stored, facts)
