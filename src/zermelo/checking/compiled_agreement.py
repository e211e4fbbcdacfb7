"""Compare compiled rules with interpreted ones.

Typical differences: a number that does not fit 64 bits, `%` and `//` on words with the highest bit set, an array read
beyond its end. Rules are called in groups, since a call costs more than most rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from zermelo.checking.answer_types import close, exceeds_64_bits, first_difference, is_int
from zermelo.checking.check_report import CheckError
from zermelo.checking.compiled_rules import LIST_LENGTH, STATE_GENERATORS, ask_compiled
from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.formatting import exception_text
from zermelo.game import Game, GameError, State
from zermelo.state_literals import plain
from zermelo.system_errors import is_out_of_memory

RULES_OF_ANY_STATE = ("initial", "result", "mover", "is_chance", "stage", "canonical", "key", "index", "size", "at")
RULES_OF_ONGOING = ("evaluate", "features", "bounds")
RULES_OF_PLAYER = ("moves", "candidates", "forcing")
RULES_WITH_MOVES = (*RULES_OF_PLAYER, "skip")
RULES_OF_MOVE = ("play", "order", "noisy")

COMPARED_STATES = 300
"""The approximate number of states that are compared."""

ARGUMENTS = {"initial": (), "size": ("game.stage(state)",), "at": ("game.stage(state)", "game.index(state)")}
"""The arguments of rules that do not take a state."""


def check_agreement(examiner: Examiner) -> tuple[int, str | None]:
    """The number of states at which compiled and interpreted rules agree, and why the rules do not compile, or None."""
    from zermelo.native import compilability

    game = examiner.game
    try:
        reason = compilability.known_error(game)
        compared = 0 if reason else _compare_visits(examiner)
        reason = reason or compilability.known_error(game)
    except CheckError:
        raise
    except GameError as error:  # the game says native = True
        raise CheckError(str(error), "native", None, f"game = {game!r}\ngame.native_error") from error
    return (0, reason) if reason else (compared, None)


def _compare_visits(examiner: Examiner) -> int:
    """The number of states compared; 0 if a rule turns out not to compile."""
    visits = list(examiner.visits.values())
    chosen = visits[:: max(1, len(visits) // COMPARED_STATES)]
    for visit in chosen:
        _check_fits(examiner, visit)
        if not _agree(examiner, visit):
            return 0
    for visit in visits:
        _check_fits(examiner, visit)
    return len(chosen)


def _agree(examiner: Examiner, visit: Visit) -> bool:
    """Compare every rule at one state; return False if a rule turns out not to compile."""
    from zermelo.native import compilability

    for group, move in _questions(examiner.game, visit):
        args = (visit.state,) if move is None else (visit.state, int(move) if isinstance(move, bool) else move)
        interpreted = [_interpreted(examiner, rule, visit, args) for rule in group]
        answers = _ask(examiner, group, visit, args)
        if compilability.known_error(examiner.game) is not None:
            return False
        for rule, ours, theirs in zip(group, interpreted, answers, strict=True):
            _compare(examiner, rule, visit, args, ours, theirs)
    return True


def _questions(game: Game, visit: Visit) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The groups of rules to compare at this state, with the move if they take one."""
    yield _written(game, RULES_OF_ANY_STATE), None
    yield from (((rule,), None) for rule in _written(game, STATE_GENERATORS))
    if visit.ongoing:
        asked = ("chances",) if visit.chance else RULES_WITH_MOVES if visit.moves else RULES_OF_PLAYER
        yield _written(game, (*asked, *RULES_OF_ONGOING)), None
        if not visit.moves:
            yield ("stuck",), None
    for move in visit.moves[:40]:
        yield ("play",) if visit.chance else _written(game, RULES_OF_MOVE), move


def _written(game: Game, group: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(rule for rule in group if game.has(rule))


# -- one comparison --------------------------------------------------------------------------------------------


def _interpreted(examiner: Examiner, rule: str, visit: Visit, args: tuple[Any, ...]) -> Any:
    if rule in ARGUMENTS:
        args = _arguments(examiner.game, rule, visit.state)
    answer = examiner.call(examiner.game, rule, visit, *args)
    return answer[:LIST_LENGTH] if rule in ("moves", "candidates", "chances") else answer


def _arguments(game: Game, rule: str, state: State) -> tuple[Any, ...]:
    """The arguments of a rule in ARGUMENTS."""
    if rule == "initial":
        return ()
    return (game.stage(state),) if rule == "size" else (game.stage(state), game.index(state))


def _ask(examiner: Examiner, group: tuple[str, ...], visit: Visit, args: tuple[Any, ...]) -> list[Any]:
    """The compiled answers. If the group raises an exception, its rules are called one by one to find which one does.

    Return [] if a rule turns out not to compile, for example because moves are not ints.
    """
    from zermelo.native import compilability

    try:
        return ask_compiled(examiner.game, group, *args)
    except Exception as error:
        if is_out_of_memory(error) or (isinstance(error, GameError) and examiner.game.native):
            raise
        if compilability.known_error(examiner.game) is not None:
            return []
        if len(group) > 1:
            return [answer for rule in group for answer in _ask(examiner, (rule,), visit, args)]
        text = exception_text(error).rstrip(".")
        _fail(examiner, group[0], visit, args, f"raises {type(error).__name__} compiled ({text}), but not interpreted")


def _compare(examiner: Examiner, rule: str, visit: Visit, args: tuple[Any, ...], ours: Any, theirs: Any) -> None:
    if close(plain(ours), plain(theirs)):
        return
    if rule == "play" and (problem := _layout_error(examiner, ours)):
        examiner.fail(rule, visit, problem, examiner.code(rule, visit, args), args)
    compiled, interpreted, where = first_difference(theirs, ours)
    bits = "; a compiled int has 64 bits, and this one does not fit" if exceeds_64_bits(plain(ours)) else ""
    _fail(examiner, rule, visit, args, f"says {compiled} compiled and {interpreted} interpreted{where}{bits}")


def _fail(examiner: Examiner, rule: str, visit: Visit, args: tuple[Any, ...], problem: str) -> NoReturn:
    inside = ARGUMENTS.get(rule, ("state", *map(repr, args[1:])))
    call = f"game.{rule}({', '.join(inside)})" if rule in ARGUMENTS else examiner.code(rule, visit, args)
    question = ", ".join(("game", repr(rule), *inside))
    code = f"from zermelo.checking import compiled\ncompiled({question}), {call}"
    examiner.fail(rule, visit, problem, code, args)


# -- numbers that do not fit 64 bits ------------------------------------------------------------------------------


def _check_fits(examiner: Examiner, visit: Visit) -> None:
    """Check that a state and its moves fit their machine types."""
    if problem := _layout_error(examiner, visit.state):
        rule, origin = ("initial", None) if visit.parent is None else ("play", visit.parent)
        args = () if origin is None else (origin.state, visit.move)
        examiner.fail(rule, origin, problem, examiner.code(rule, origin, args), args)
    for move in visit.moves:
        if is_int(move) and not -(1 << 63) <= move < 1 << 63:
            rule = "chances" if visit.chance else "moves"
            examiner.fail(rule, visit, f"gives {move}, which does not fit a 64-bit int", f"list(game.{rule}(state))")


def _layout_error(examiner: Examiner, state: State) -> str:
    from zermelo.native import compilability

    try:
        compilability.layout(examiner.game).to_native(state)
    except (GameError, ValueError) as error:
        return f"leads to a state that does not fit its machine types: {error}".rstrip(".")
    return ""
