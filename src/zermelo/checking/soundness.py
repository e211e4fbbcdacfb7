"""Check the rules that promise to keep a state's value, on trees that are small enough for minimax."""

from __future__ import annotations

from typing import Any

from zermelo.checking.answer_types import close, is_number, shown
from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.checking.reference_minimax import Values
from zermelo.game import State
from zermelo.rules import has_distance
from zermelo.value import Score, number, words

PROMISES = ("bounds", "candidates", "symmetries", "canonical")


def check_soundness(examiner: Examiner) -> int:
    """Check that bounds hold and that candidates and symmetries keep the minimax value. Return the number of values."""
    if not any(examiner.game.has(rule) for rule in PROMISES):
        return 0
    values, solved = Values(examiner), 0
    too_big: set[State] = set()
    _check_form(examiner)
    for visit in sorted(examiner.visits.values(), key=lambda visit: -visit.plies):
        if not visit.ongoing or any(child.state in too_big for _, child in visit.children):
            too_big |= {visit.state} if visit.ongoing else set()
            continue
        value = values.of(visit, visit.state)
        if value is None:
            too_big.add(visit.state)
            continue
        solved += 1
        _check_bounds(examiner, visit, value)
        _check_candidates(examiner, visit, value, values)
        _check_symmetries(examiner, visit, value, values)
    return solved


def _check_form(examiner: Examiner) -> None:
    """Check at every state, without its value, that bounds are in order and candidates are moves."""
    for visit in examiner.visits.values():
        if visit.ongoing and examiner.game.has("bounds"):
            bounds = examiner.ask("bounds", visit, visit.state)
            if not _is_pair(bounds):
                problem = f"returns {shown(bounds)}, not a pair of scores (low, high)"
                examiner.fail("bounds", visit, problem, "game.bounds(state)")
            if bounds[0] > bounds[1]:
                problem = f"returns {shown(bounds)}, where low is above high"
                examiner.fail("bounds", visit, problem, "game.bounds(state)")
        if visit.ongoing and not visit.chance and examiner.game.has("candidates"):
            _check_subset(examiner, visit, examiner.ask("candidates", visit, visit.state))


def _is_pair(bounds: Any) -> bool:
    return isinstance(bounds, tuple) and len(bounds) == 2 and all(is_number(bound) for bound in bounds)


def _check_subset(examiner: Examiner, visit: Visit, candidates: list[Any]) -> None:
    code = "list(game.candidates(state)), list(game.moves(state))"
    for move in candidates:
        if move not in visit.moves:
            examiner.fail("candidates", visit, f"gives {shown(move)}, which is not among the moves", code)
        if candidates.count(move) > 1:
            examiner.fail("candidates", visit, f"gives the move {shown(move)} more than once", code)
    if visit.moves and not candidates:
        examiner.fail("candidates", visit, "is empty, although there are moves", code)


def _check_bounds(examiner: Examiner, visit: Visit, value: Score) -> None:
    if not examiner.game.has("bounds"):
        return
    low, high = examiner.call(examiner.game, "bounds", visit, visit.state)
    if low - 1e-9 <= value <= high + 1e-9:
        return
    problem = f"says {_text(examiner, low)} to {_text(examiner, high)}, but the value is {_text(examiner, value)}"
    if has_distance(examiner.game) and -1 <= low <= high <= 1:
        problem += " (bounds are scores, such as win_in(3) and loss_in(2), not payoffs)"
    examiner.fail("bounds", visit, problem, "game.bounds(state)")


def _check_candidates(examiner: Examiner, visit: Visit, value: Score, values: Values) -> None:
    if not examiner.game.has("candidates") or visit.chance or not visit.moves:
        return
    candidates = examiner.call(examiner.game, "candidates", visit, visit.state)
    scores = [values.of_move(visit, visit.state, move) for move in candidates]
    best = max((score for score in scores if score is not None), default=None)
    if best is not None and None not in scores and not close(best, value):
        problem = f"leaves {shown(candidates)}, worth {_text(examiner, best)}; the value is {_text(examiner, value)}"
        examiner.fail("candidates", visit, problem, "list(game.candidates(state)), list(game.moves(state))")


def _check_symmetries(examiner: Examiner, visit: Visit, value: Score, values: Values) -> None:
    game = examiner.game
    if game.has("symmetries"):
        for other in examiner.call(game, "symmetries", visit, visit.state):
            _check_same_value(examiner, "symmetries", visit, other, value, values)
    if game.has("canonical"):
        other = examiner.call(game, "canonical", visit, visit.state)
        _check_same_value(examiner, "canonical", visit, other, value, values)


def _check_same_value(examiner: Examiner, rule: str, visit: Visit, other: State, value: Score, values: Values) -> None:
    found = values.of(visit, other)
    if found is not None and not close(found, value):
        problem = (
            f"gives {examiner.text(other)} as the same state, but the value there is {_text(examiner, found)}, "
            f"and here {_text(examiner, value)}"
        )
        examiner.fail(rule, visit, problem, examiner.code(rule, visit, (visit.state,)))


def _text(examiner: Examiner, score: Score) -> str:
    return words(score) if has_distance(examiner.game) else number(score)
