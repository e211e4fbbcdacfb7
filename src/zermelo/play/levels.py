"""Levels: ten strengths of play for people, from Beginner to Perfect.

Level 10 is the engine at its full strength, with its book and its database. The others are a model of a player who
errs, which asks neither:

1. The player looks some plies ahead, within some nodes, and values every move by the last round that was finished.
2. In some turns, the lapses, the player looks one ply ahead only: a threat, or a win that is further away, is missed.
3. A win in one that is seen is played. Otherwise the move is drawn by what each loses beside the best, in win
   probability: in proportion to exp(-loss / T), where T is the level's temperature times the mean loss of all moves.

So losses count in relation to what is at stake: the temperature is about the share of what a random move would lose.
The numbers were chosen by self-play, for about even steps of Elo (bench/levels.py; docs/playing.md has the figures).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from zermelo import rules
from zermelo.arguments import check_int
from zermelo.game import Game
from zermelo.limits import Limit
from zermelo.play.win_probability import win_probability
from zermelo.searching import Line, Report
from zermelo.value import WIN, Value, win_in


class Level(NamedTuple):
    """How a level plays: how far it looks, the share of lapses, and the temperature of its choice."""

    name: str
    depth: int
    nodes: int
    lapses: float
    temperature: float


LEVELS = (
    Level("Beginner", 2, 3_000, 0.95, 1.20),
    Level("Novice", 2, 3_000, 0.62, 0.66),
    Level("Learner", 2, 3_000, 0.42, 0.44),
    Level("Casual", 3, 6_000, 0.30, 0.32),
    Level("Intermediate", 3, 6_000, 0.19, 0.21),
    Level("Skilled", 4, 10_000, 0.13, 0.15),
    Level("Advanced", 5, 20_000, 0.07, 0.09),
    Level("Expert", 7, 40_000, 0.03, 0.05),
    Level("Master", 10, 80_000, 0.01, 0.02),
)
"""Levels 1 to 9."""

FULL_STRENGTH = len(LEVELS) + 1
"""The highest level, which is the engine itself."""

LEVEL_NAMES = (*(level.name for level in LEVELS), "Perfect")
"""The names of all levels. Level 10 is perfect where a book, a database or its search proves what it plays."""

SURE, FADING = 0.75, 0.97
"""A win far ahead counts as SURE; what a win at once counts more becomes less with every ply, by FADING."""


def check_level(where: str, level: object) -> None:
    """Raise GameError unless this is the number of a level."""
    check_int(where, least=1, most=FULL_STRENGTH, level=level)


class Thought(NamedTuple):
    """How a player thinks in one turn: how far it looks, and the temperature of its choice."""

    limit: Limit
    temperature: float


def thoughts(level: int) -> tuple[tuple[float, Thought], ...]:
    """The ways in which a level below the highest thinks, each with its probability: with a lapse, and without.

    >>> [(share, thought.limit.depth) for share, thought in thoughts(1)]
    [(0.95, 1), (0.05, 2)]
    """
    found = LEVELS[level - 1]
    lapse = Thought(Limit(depth=1), found.temperature)
    careful = Thought(Limit(depth=found.depth, nodes=found.nodes), found.temperature)
    return (found.lapses, lapse), (round(1 - found.lapses, 6), careful)


def next_thought(level: int, dice: random.Random) -> Thought:
    """Draw how a level thinks in its next turn."""
    (lapses, lapse), (_, careful) = thoughts(level)
    return lapse if dice.random() < lapses else careful


def draw_line(report: Report, temperature: float, dice: random.Random) -> Line:
    """Draw a line of a report on all moves."""
    return dice.choices(report.lines, move_probabilities(report, temperature))[0]


def move_probabilities(report: Report, temperature: float) -> list[float]:
    """The probability with which each line of a report is played.

    >>> import zermelo as z
    >>> game = z.load("tic_tac_toe")
    >>> won, lost = (z.search(game, z.position(game, text), lines=6) for text in ("a1 b1 a2 b2", "b2 b1 a1"))
    >>> [round(each, 2) for each in move_probabilities(won, 0.5)]
    [1.0, 0.0, 0.0, 0.0, 0.0]
    >>> [(game.move_text(lost.state, lost.move), str(lost.value), round(move_probabilities(lost, 0.5)[0], 2))]
    [('c3', 'loss in 4', 0.69)]
    """
    game = report.game
    at_once = [float(rules.has_distance(game) and line.value.score == win_in(1)) for line in report.lines]
    if any(at_once):
        return _shares(at_once)
    seen = [_prospect(game, line.value) for line in report.lines]
    losses = [max(seen) - each for each in seen]
    scale = temperature * sum(losses) / len(losses)
    return _shares([math.exp(-loss / scale) if scale > 0 else 1.0 for loss in losses])


def _prospect(game: Game, value: Value) -> float:
    """The win probability that a player sees in a value: a win or loss is less certain, the further away it is."""
    if not value.outcome or value.plies is None or not rules.has_distance(game):
        return win_probability(game, value)
    certain = SURE + (1 - SURE) * FADING**value.plies
    return certain if value.outcome == WIN else 1 - certain


def _shares(weights: Sequence[float]) -> list[float]:
    return [weight / sum(weights) for weight in weights]
