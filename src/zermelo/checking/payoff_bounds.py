"""Payoffs: what a game of chance or of points says a player can get at most holds for every end and estimate."""

from __future__ import annotations

from zermelo.checking.answer_types import shown
from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.rules import has_chance, has_distance
from zermelo.value import Score


def check_payoffs(examiner: Examiner) -> None:
    """Payoffs lie inside `payoff_bounds`, since Star1 and Star2 cut off by them, and so do estimates of them.

    Games without chance that do not speak of `payoff_bounds` need none.
    """
    game = examiner.game
    if not has_chance(game) and not game.has("payoff_bounds"):
        return
    judged = not has_distance(game) and (game.has("evaluate") or game.has("features"))
    for visit in examiner.visits.values():
        if examiner.late:
            break
        if not visit.ongoing:
            _check_inside(examiner, "result", visit, visit.result)
        elif not visit.moves:
            _check_inside(examiner, "stuck", visit, examiner.call(game, "stuck", visit, visit.state))
        elif judged:
            _check_inside(examiner, "evaluate", visit, examiner.call(game, "evaluate", visit, visit.state))


def _check_inside(examiner: Examiner, rule: str, visit: Visit, score: Score) -> None:
    from zermelo.searching.chance.star2 import payoff_range

    low, high = (bound + 0.0 for bound in payoff_range(examiner.game, visit.state))  # no -0.0 in a sentence
    if low - 1e-9 <= score <= high + 1e-9:
        return
    bounds = shown(examiner.game.payoff_bounds)
    problem = f"returns {shown(score)}; by payoff_bounds = {bounds} the player to move gets from {low:g} to {high:g}"
    examiner.fail(rule, visit, problem, f"game.{rule}(state), game.payoff_bounds")
