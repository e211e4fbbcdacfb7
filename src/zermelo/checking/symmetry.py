"""Check which states count as one: symmetric states, canonical states and keys, and states that are equal.

1 == True == 1.0, and NamedTuples of two classes are equal if their fields are. Such states are one state for every
algorithm, so the rules must answer alike for both. A class that says whose card it is says nothing: a field must.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.bits import WORD
from zermelo.checking.answer_types import described, is_hashable, is_int, same, shown
from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.game import Move, State
from zermelo.rules import alternates


def check_symmetry(examiner: Examiner) -> None:
    """Check that equivalent states have one result and one canonical state, and different states different keys.

    soundness.py checks that they have one value as well.
    """
    game = examiner.game
    for visit in examiner.visits.values():
        if examiner.late:
            break
        if game.has("symmetries"):
            for other in examiner.ask("symmetries", visit, visit.state):
                _check_equivalent(examiner, "symmetries", visit, other)
                _check_closed(examiner, visit, other)
        if examiner.has_symmetry:
            _check_canonical(examiner, visit)
    if game.has("key"):
        _check_keys(examiner)
    _look_for_rounding(examiner)


def _look_for_rounding(examiner: Examiner) -> None:
    """Note states that differ by rounding alone: such a state is searched and stored twice."""
    met: dict[State, Visit] = {}
    for visit in examiner.visits.values():
        other = met.setdefault(_rounded(visit.state), visit)
        if other is not visit:
            problem = (
                f"leads to {examiner.text(visit.state)} and to {examiner.text(other.state)}, which differ by rounding"
            )
            examiner.note("play", visit, f"{problem} alone and count as two states; whole numbers meet again", "state")
            return


def _rounded(part: State) -> State:
    if isinstance(part, tuple):
        return tuple(_rounded(inner) for inner in part)
    return float(f"{part:.9g}") if isinstance(part, float) else part


def representative(examiner: Examiner, visit: Visit, state: State) -> State:
    """The canonical state if the game has symmetries, otherwise the state itself."""
    return examiner.call(examiner.game, "canonical", visit, state) if examiner.has_symmetry else state


def _check_canonical(examiner: Examiner, visit: Visit) -> None:
    rule = "canonical" if examiner.game.has("canonical") else "symmetries"
    chosen = examiner.ask("canonical", visit, visit.state)
    _check_equivalent(examiner, rule, visit, chosen)
    again = examiner.ask("canonical", visit, chosen)
    if again != chosen:
        problem = f"leads to {examiner.text(chosen)}, and from there on to {examiner.text(again)}; once must be enough"
        examiner.fail(rule, visit, problem, "game.canonical(state), game.canonical(game.canonical(state))")


def _check_equivalent(examiner: Examiner, rule: str, visit: Visit, other: State) -> None:
    """Check that an equivalent state has the same result and, unless players alternate, the same player to move."""
    game, code = examiner.game, examiner.code(rule, visit, (visit.state,))
    if other is None or not is_hashable(other):
        examiner.fail(rule, visit, f"gives {described(other)}, which is no state", code)
    result = examiner.call(game, "result", visit, other)
    if result != visit.result:
        problem = f"gives {examiner.text(other)} as the same state, but `result` is {result} there, not {visit.result}"
        examiner.fail(rule, visit, problem, code)
    if game.has("mover") and not alternates(game) and examiner.call(game, "mover", visit, other) != visit.mover:
        problem = f"gives {examiner.text(other)} as the same state, where the other player is to move"
        examiner.fail(rule, visit, problem, code)


def _check_closed(examiner: Examiner, visit: Visit, other: State) -> None:
    """Check that symmetric states have the same canonical state: otherwise they would be stored twice."""
    one, two = (examiner.call(examiner.game, "canonical", visit, state) for state in (visit.state, other))
    if one != two:
        rule = "canonical" if examiner.game.has("canonical") else "symmetries"
        problem = (
            f"makes {examiner.text(one)} of this state, but {examiner.text(two)} "
            f"of {examiner.text(other)}, which is symmetric to it"
        )
        examiner.fail(rule, visit, problem, "[game.canonical(each) for each in (state, *game.symmetries(state))]")


def _check_keys(examiner: Examiner) -> None:
    owners: dict[int, Visit] = {}
    for visit in examiner.visits.values():
        key = examiner.ask("key", visit, visit.state)
        if not is_int(key) or not -1 << 63 <= key < 1 << 64:
            problem = f"returns {described(key)}, not an int of 64 bits, from -2**63 to 2**64 - 1"
            examiner.fail("key", visit, problem, "game.key(state)")
        owner = owners.setdefault(int(key) & WORD, visit)  # -1 and 2**64 - 1 are one word
        if owner is not visit and not _equivalent(examiner, owner, visit):
            problem = f"returns {shown(key)}, which is also the key of the different state {examiner.text(owner.state)}"
            other = examiner.reproduction(owner, "other = state").split("\n", 1)[1]
            code = f"key = game.key(state)\n{other}\nkey == game.key(other)"
            examiner.fail("key", visit, problem, code)


def _equivalent(examiner: Examiner, one: Visit, other: Visit) -> bool:
    return bool(representative(examiner, one, one.state) == representative(examiner, other, other.state))


# -- equal states of different classes --------------------------------------------------------------------------------


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
