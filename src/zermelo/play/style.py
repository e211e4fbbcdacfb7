"""Style: which of several equally good moves is played.

exact       the best value: the shortest win, the longest loss
longest     of the moves that keep the outcome, the one after which the game lasts longest
trickiest   of the moves that keep the outcome, the one after which the opponent has the fewest correct replies

A move keeps the outcome if it wins where the best move wins, and so on; points, expectations and estimates have no
outcome and no distance, so there only moves of the same value are equal. A win is not put at risk: `trickiest` always
takes the shortest, since no reply to it is correct, and `longest` does where play can go round for ever.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from zermelo import rules
from zermelo.game import ONGOING, Game, State
from zermelo.searching import Line, Report
from zermelo.value import WIN, Value

STYLES = ("exact", "longest", "trickiest")

Ask = Callable[[State, int], Report]
"""The report on a state with a line for each move, when so many states are to be asked about."""


class Replies(NamedTuple):
    """What the opponent can answer: how many replies keep his value, and how many lose some of it."""

    correct: int
    wrong: int


def chosen(report: Report, style: str, seed: int | None, ask: Ask) -> Line:
    """The line of a report on all moves that the style prefers.

    Of lines that it finds equal, the first; with a seed, one that the seed and the state determine.
    """
    lines = equals(report, style)
    ranks = _ranks(report, lines, style, ask)
    best = min(ranks)
    ties = [line for line, rank in zip(lines, ranks, strict=True) if rank == best]
    if seed is None:
        return ties[0]
    return random.Random(f"{seed}:{report.game.state_text(report.state)}").choice(ties)


def equals(report: Report, style: str) -> list[Line]:
    """The lines among which the style may choose."""
    best, game = report.value, report.game
    if style == "exact" or (best.outcome == WIN and (style == "trickiest" or game.loops)):
        return [line for line in report.lines if line.value.score == best.score]
    return [line for line in report.lines if keeps(game, line.value, best)]


def keeps(game: Game, value: Value, best: Value) -> bool:
    """Whether a move of this value throws nothing away where the best has the other."""
    if value.score == best.score:
        return True
    return rules.has_distance(game) and best.outcome is not None and value.outcome == best.outcome


def _ranks(report: Report, lines: list[Line], style: str, ask: Ask) -> list[tuple[float, ...]]:
    """The rank of each line, the lowest first; what the style does not distinguish is decided by the value."""
    if style == "longest":
        return [(-_lasts(report.game, line), -line.value.score) for line in lines]
    if style == "trickiest" and len(lines) > 1:
        return _trick_ranks(report, lines, ask)
    return [(-line.value.score,) for line in lines]


def _lasts(game: Game, line: Line) -> float:
    """A number that grows with the plies to the end as far as they are known; the same for all where they are not."""
    value = line.value
    if value.outcome and rules.has_distance(game):
        return -value.score * value.outcome
    return len(line.pv) if value.exact and not rules.has_chance(game) else 0


def _trick_ranks(report: Report, lines: list[Line], ask: Ask) -> list[tuple[float, ...]]:
    """By correct replies, then by wrong ones; a line that asks nothing of the opponent comes last."""
    questions = [question(report, line) for line in lines]
    count = sum(state is not None for state in questions)
    ranks: list[tuple[float, ...]] = []
    for line, state in zip(lines, questions, strict=True):
        if state is None:
            ranks.append((float("inf"), 0, -line.value.score))
        else:
            replies = replies_in(ask(state, count))
            ranks.append((replies.correct, -replies.wrong, -line.value.score))
    return ranks


def question(report: Report, line: Line) -> State | None:
    """The first state of the line in which the opponent moves; None where the game ends or chance moves before."""
    game, state, turned = report.game, report.state, False
    for move in line.pv:
        child = game.play(state, move)
        turned ^= rules.changes_player(game, state, child)
        state = child
        if rules.payoff(game, state) != ONGOING or game.is_chance(state):
            return None
        if turned:
            return state
    return None


def replies_in(report: Report) -> Replies:
    """The replies in a report on all moves of the opponent's state."""
    correct = sum(keeps(report.game, line.value, report.value) for line in report.lines)
    return Replies(correct, len(report.lines) - correct)
