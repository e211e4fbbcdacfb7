"""Win probability: what a value means on a scale from 0 (lost) to 1 (won), the same for every game.

    a proven win, draw or loss      1, 0.5, 0
    an estimate                     a logistic curve, as wide as the evaluations of the game are far from level
    an expectation                  linear between the game's `payoff_bounds`
    points                          a curve that is steep near a tie and ends at the most that can be won

The scale belongs to the game: 100 is a man in one game, and nothing in another. It grows with the score, so that of two
values of a game the better one is never lower.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache

from zermelo import rules
from zermelo.game import ONGOING, Game
from zermelo.play.own_weights import default_weights
from zermelo.value import DECISIVE, Score, Value

PLAYOUTS = 6
PLAYOUT_PLIES = 40
"""Random play from which the scale of evaluations is measured; chess takes 0.1 s."""

MAX_ESTIMATE = 0.99
"""The highest probability of what is not proven."""

LOGIT_SCALE = 0.5
"""The scale of learned evaluations: the value that they expect is their hyperbolic tangent."""

POINT_STEEPNESS = 3.0
"""How steep the curve of points is at a tie: a lead of a third of the most is worth about 0.88."""


def win_probability(game: Game, value: Value, player: int = 0) -> float:
    """The first player's win probability, where `value` is seen by `player`, who is to move.

    >>> from zermelo.games.registry import load
    >>> chess = load("chess")
    >>> [win_probability(chess, value, 1) for value in (Value.win(3), Value.draw(), Value.estimate(0))]
    [0.0, 0.5, 0.5]
    >>> 0.5 < win_probability(chess, Value.estimate(0.83)) < win_probability(chess, Value.estimate(1.02)) < 0.7
    True
    >>> win_probability(load("pig"), Value.expected(0.5))
    0.75
    """
    seen = _mover_probability(game, value)
    return seen if player == 0 else 1.0 - seen


def _mover_probability(game: Game, value: Value) -> float:
    if rules.has_chance(game):
        return _expectation(game, value.score)
    if game.margin:
        return _points(game, value.score)
    if abs(value.score) >= DECISIVE and value.outcome is not None:
        return 1.0 if value.score > 0 else 0.0
    return _estimate(game, value.score)


def _estimate(game: Game, score: Score) -> float:
    curve = 0.5 + 0.5 * math.tanh(score / (2 * evaluation_scale(game)))
    return min(max(curve, 1 - MAX_ESTIMATE), MAX_ESTIMATE)


def _expectation(game: Game, score: Score) -> float:
    low, high = game.payoff_bounds
    most = max(abs(low), abs(high), 1)  # an expectation of 0 is level, even where the bounds are not
    return min(max(0.5 + score / (2 * most), 0.0), 1.0)


def _points(game: Game, score: Score) -> float:
    share = min(max(score / most_points(game), -1.0), 1.0)
    return 0.5 + 0.5 * math.tanh(POINT_STEEPNESS * share) / math.tanh(POINT_STEEPNESS)


@lru_cache(256)
def evaluation_scale(game: Game) -> float:
    """How far the evaluations of a game are from level in random play, on average; 1 where there is none.

    A lead of the scale is worth 0.73. In chess it is about two and a half pawns. Where engines use learned weights, an
    evaluation is a logit.
    """
    if default_weights(game) is not None:
        return LOGIT_SCALE
    found = [abs(score) for score, over in _random_scores(game) if not over]
    return sum(found) / len(found) if any(found) else 1.0


@lru_cache(256)
def most_points(game: Game) -> float:
    """The most points that can be won: by the game's `payoff_bounds`, else the most that random play has seen."""
    if game.has("payoff_bounds"):
        return float(max(*map(abs, game.payoff_bounds), 1))
    return float(max((abs(score) for score, _ in _random_scores(game)), default=0) or 1)


def _random_scores(game: Game) -> list[tuple[Score, bool]]:
    """The evaluations and the payoffs along random play, always the same; the flag says that the game was over."""
    dice, scores = random.Random(0), []
    for _ in range(PLAYOUTS):
        state = rules.initial_state(game)
        for _ in range(PLAYOUT_PLIES):
            actions = rules.legal_actions(game, state)
            if not actions:
                break
            state = game.play(state, dice.choice(actions))
            payoff = rules.payoff(game, state)
            over = payoff != ONGOING
            scores.append((payoff if over else rules.static_eval(game, state), over))
            if over:
                break
    return scores


def estimated_value(game: Game, probability: float) -> Value:
    """The estimate that has this win probability for the player to move: the inverse of `win_probability`.

    >>> from zermelo.games.registry import load
    >>> chess = load("chess")
    >>> round(win_probability(chess, estimated_value(chess, 0.7)), 3), estimated_value(chess, 0.5).score
    (0.7, 0.0)
    """
    seen = 2 * min(max(probability, 1 - MAX_ESTIMATE), MAX_ESTIMATE) - 1
    if rules.has_chance(game):
        low, high = game.payoff_bounds
        return Value.estimate(seen * max(abs(low), abs(high), 1))
    if game.margin:
        return Value.estimate(most_points(game) * math.atanh(seen * math.tanh(POINT_STEEPNESS)) / POINT_STEEPNESS)
    return Value.estimate(2 * evaluation_scale(game) * math.atanh(seen))
