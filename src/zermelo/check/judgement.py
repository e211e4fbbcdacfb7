"""Judgement: evaluations that a search can compare, and guesses about moves."""

from __future__ import annotations

from zermelo.check.examiner import Examiner
from zermelo.check.kinds import described, is_bool, is_int, is_number, shown
from zermelo.check.writer import Visit
from zermelo.value import DECISIVE


def check_judgement(examiner: Examiner) -> None:
    """Estimates are numbers inside the band of estimates, and as many features are weighed as there are weights."""
    game = examiner.game
    for visit in examiner.visits.values():
        if not visit.ongoing:
            continue
        if examiner.late:
            break
        if game.has("features"):
            _check_features(examiner, visit)
        if game.has("evaluate") or game.has("features"):
            _check_evaluation(examiner, visit)
        if not visit.chance and (game.has("order") or game.has("noisy")):
            _check_guesses(examiner, visit)


def _check_features(examiner: Examiner, visit: Visit) -> None:
    features, weights = examiner.ask("features", visit, visit.state), examiner.game.weights
    if not isinstance(features, tuple) or not all(is_number(feature) for feature in features):
        problem = f"returns {described(features)}, not a tuple of numbers"
        examiner.fail("features", visit, problem, "game.features(state)")
    if len(features) != len(weights) and not examiner.game.has("evaluate"):
        problem = f"returns {len(features)} numbers, and there are {len(weights)} `weights`"
        examiner.fail("features", visit, problem, "len(game.features(state)), len(game.weights)")


def _check_evaluation(examiner: Examiner, visit: Visit) -> None:
    estimate = examiner.ask("evaluate", visit, visit.state)
    if not is_number(estimate):
        examiner.fail("evaluate", visit, f"returns {described(estimate)}, not a finite number", "game.evaluate(state)")
    if abs(estimate) >= DECISIVE:
        problem = f"returns {shown(estimate)}; an estimate lies between -{DECISIVE} and {DECISIVE}"
        examiner.fail("evaluate", visit, problem, "game.evaluate(state)")


def _check_guesses(examiner: Examiner, visit: Visit) -> None:
    for move in visit.moves:
        if examiner.game.has("order"):
            guess = examiner.ask("order", visit, visit.state, move)
            if not is_int(guess):
                problem = f"returns {described(guess)} for the move {shown(move)}; it must be an int"
                examiner.fail("order", visit, problem, f"game.order(state, {move!r})")
        if examiner.game.has("noisy"):
            answer = examiner.ask("noisy", visit, visit.state, move)
            if not is_bool(answer):
                problem = f"returns {described(answer)} for the move {shown(move)}, not True or False"
                examiner.fail("noisy", visit, problem, f"game.noisy(state, {move!r})")
