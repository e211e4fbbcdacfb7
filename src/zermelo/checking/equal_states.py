"""Check states that Python calls equal although their parts are of different classes.

1 == True == 1.0, and NamedTuples of two classes are equal if their fields are. Such states are one state for every
algorithm, so the rules must answer alike for both. A class that says whose card it is says nothing: a field must.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.checking.answer_types import same, shown
from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.game import Move, State


def check_equal_state(examiner: Examiner, visit: Visit, parent: Visit | None, move: Move, state: State) -> None:
    """Check that the rules answer for `state`, which `move` leads to, as for the equal state that was visited."""
    if parent is None or same_classes(visit.state, state):
        return
    for rule, *more in _questions(examiner, visit):
        first, second = (examiner.call(examiner.game, rule, visit, each, *more) for each in (visit.state, state))
        if same(first, second):
            continue
        problem = (
            f"answers {shown(first)}, but {shown(second)} in {shown(state)}, which is equal to {shown(visit.state)} "
            "and so the same state; only a field can tell states apart, not the class of a part"
        )
        call = examiner.code(rule, visit, (visit.state, *more))
        way = examiner.reproduction(parent, f"state = game.play(state, {move!r})").split("\n", 1)[1]
        examiner.fail(rule, visit, problem, f"first = {call}\n{way}\nfirst, {call}", (visit.state, *more))


def same_classes(one: State, other: State) -> bool:
    """Whether two equal states are of the same classes, part by part of their tuples.

    >>> same_classes((1, (2,)), (1, (2,))), same_classes((1, (2,)), (True, (2,)))
    (True, False)
    """
    if type(one) is not type(other):
        return False
    return not isinstance(one, tuple) or all(map(same_classes, one, other))


def _questions(examiner: Examiner, visit: Visit) -> Iterator[tuple[Any, ...]]:
    """Rules that are asked in a state, each with its arguments beside the state."""
    yield from ((rule,) for rule in ("result", "is_chance", "mover") if examiner.game.has(rule))
    if visit.ongoing:
        yield ("chances",) if visit.chance else ("moves",)
    yield from (("play", move) for move in visit.moves)
