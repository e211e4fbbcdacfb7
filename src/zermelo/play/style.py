"""Style: which of several equally good moves is played.

exact       the best value: the shortest win, the longest loss
longest     of the moves that keep the outcome, the one after which the game lasts longest
trickiest   of the moves that keep the outcome, the one after which an opponent who errs loses most (opponent_model.py)

A move keeps the outcome if it wins where the best move wins, and so on; points, expectations and estimates have no
outcome and no distance, so there only moves of the same value are equal. A win is not put at risk: `trickiest` always
takes the shortest, since the opponent cannot err any more, and `longest` does where play can cycle.
"""

from __future__ import annotations

import random

from zermelo import rules
from zermelo.game import ONGOING, Game, State
from zermelo.play.opponent_model import OpponentModel, SearchReplies
from zermelo.play.win_probability import win_probability
from zermelo.searching import Line, Report
from zermelo.value import WIN, Value

STYLES = ("exact", "longest", "trickiest")


def preferred_line(report: Report, style: str, seed: int | None, search_replies: SearchReplies) -> Line:
    """The line that the style prefers in a report on all moves.

    Of equal lines the first; with a seed, one that the seed and the state determine.
    """
    lines = candidate_lines(report, style)
    ranks = _ranks(report, lines, style, search_replies)
    best = min(ranks)
    ties = [line for line, rank in zip(lines, ranks, strict=True) if rank == best]
    if seed is None:
        return ties[0]
    return random.Random(f"{seed}:{report.game.state_text(report.state)}").choice(ties)


def candidate_lines(report: Report, style: str) -> list[Line]:
    """The lines among which the style may choose."""
    best, game = report.value, report.game
    if style == "exact" or (best.outcome == WIN and (style == "trickiest" or game.loops)):
        return [line for line in report.lines if line.value.score == best.score]
    return [line for line in report.lines if keeps_value(game, line.value, best)]


def keeps_value(game: Game, value: Value, best: Value) -> bool:
    """Whether a move of this value keeps what the best move has: its score, or at least its outcome."""
    if value.score == best.score:
        return True
    return rules.has_distance(game) and best.outcome is not None and value.outcome == best.outcome


def _ranks(report: Report, lines: list[Line], style: str, search_replies: SearchReplies) -> list[tuple[float, ...]]:
    """The rank of each line, the lowest first; ties are broken by the value."""
    if style == "longest":
        return [(-_length(report.game, line), -line.value.score) for line in lines]
    if style == "trickiest" and len(lines) > 1:
        return _trick_ranks(report, lines, search_replies)
    return [(-line.value.score,) for line in lines]


def _length(game: Game, line: Line) -> float:
    """A number that grows with the plies to the end; the same for all lines where these are not known."""
    value = line.value
    if value.outcome and rules.has_distance(game):
        return -value.score * value.outcome
    return len(line.pv) if value.exact and not rules.has_chance(game) else 0


def _trick_ranks(report: Report, lines: list[Line], search_replies: SearchReplies) -> list[tuple[float, ...]]:
    """By what may be hoped for. Where the opponent does not move next, that is the value of the line."""
    states = [opponent_state(report, line) for line in lines]
    asked = [state for state in states if state is not None]
    hopes = iter(OpponentModel(report.game, search_replies).hopes(asked) if asked else ())
    ranks: list[tuple[float, ...]] = []
    for line, state in zip(lines, states, strict=True):
        hope = win_probability(report.game, line.value) if state is None else next(hopes)
        ranks.append((-round(hope, 9), -line.value.score))
    return ranks


def opponent_state(report: Report, line: Line) -> State | None:
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
