"""Check the rules that guide a search: evaluation, payoff bounds, move ordering, noisy and forcing moves, skip."""

from __future__ import annotations

from zermelo.checking.answer_types import described, is_bool, is_int, is_number, shown
from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.rules import has_chance, has_distance
from zermelo.value import DECISIVE, Score


def check_evaluation(examiner: Examiner) -> None:
    """Check that evaluations are numbers inside their range and that features and weights are equally many.

    `order` returns ints, `noisy` and `forcing` bools, and `skip` a state in which the other player is to move.
    """
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
            _check_move_hints(examiner, visit)
        if not visit.chance and game.has("forcing"):
            _check_forcing(examiner, visit)
        if visit.moves and not visit.chance and game.has("skip"):
            _check_skip(examiner, visit)


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


def _check_move_hints(examiner: Examiner, visit: Visit) -> None:
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


def _check_forcing(examiner: Examiner, visit: Visit) -> None:
    answer = examiner.ask("forcing", visit, visit.state)
    if not is_bool(answer):
        problem = f"returns {described(answer)}, not True or False"
        examiner.fail("forcing", visit, problem, "game.forcing(state)")


def _check_skip(examiner: Examiner, visit: Visit) -> None:
    """Check that `skip` returns a state of the same type in which the other player is to move."""
    game, code = examiner.game, "game.skip(state)"
    skipped = examiner.ask("skip", visit, visit.state)
    if type(skipped) is not type(visit.state):
        problem = f"returns {described(skipped)}, not a state like {examiner.text(visit.state)}"
        examiner.fail("skip", visit, problem, code)
    if skipped == visit.state:  # the game has no null move here
        return
    result = examiner.call(game, "result", visit, skipped)
    if not is_int(result):
        problem = f"leads to {examiner.text(skipped)}, where `result` returns {described(result)}, not an int"
        examiner.fail("skip", visit, problem, f"game.result({code})")
    if game.has("mover") and examiner.call(game, "mover", visit, skipped) == visit.mover:
        problem = f"leads to {examiner.text(skipped)}, where the same player is to move; who passes leaves the move"
        examiner.fail("skip", visit, problem, f"game.mover(state), game.mover({code})")


# -- payoff bounds ---------------------------------------------------------------------------------------------------


def check_payoffs(examiner: Examiner) -> None:
    """Check payoffs and evaluations against `payoff_bounds`, since Star1 and Star2 cut off by them.

    Games without chance that do not set `payoff_bounds` are not checked.
    """
    game = examiner.game
    if not has_chance(game) and not game.has("payoff_bounds"):
        return
    evaluated = not has_distance(game) and (game.has("evaluate") or game.has("features"))
    for visit in examiner.visits.values():
        if examiner.late:
            break
        if not visit.ongoing:
            _check_inside(examiner, "result", visit, visit.result)
        elif not visit.moves:
            _check_inside(examiner, "stuck", visit, examiner.call(game, "stuck", visit, visit.state))
        elif evaluated:
            _check_inside(examiner, "evaluate", visit, examiner.call(game, "evaluate", visit, visit.state))


def _check_inside(examiner: Examiner, rule: str, visit: Visit, score: Score) -> None:
    from zermelo.searching.chance.star2 import payoff_range

    low, high = (bound + 0.0 for bound in payoff_range(examiner.game, visit.state))  # no -0.0 in a message
    if low - 1e-9 <= score <= high + 1e-9:
        return
    bounds = shown(examiner.game.payoff_bounds)
    problem = f"returns {shown(score)}; by payoff_bounds = {bounds} the player to move gets from {low:g} to {high:g}"
    examiner.fail(rule, visit, problem, f"game.{rule}(state), game.payoff_bounds")
