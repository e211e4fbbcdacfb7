"""Compiled against interpreted: the rules as machine code must say what the same rules say in Python.

Typical differences: a number that does not fit 64 bits, `%` and `//` on words with the highest bit set, an array read
beyond its end. Rules are asked in groups, one kernel each, because compiling is what takes the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from zermelo.checking.answer_types import close, is_int, parted, too_wide
from zermelo.checking.check_report import CheckError
from zermelo.checking.compiled_rules import BUFFERS, STATES, WIDTH, ask_compiled
from zermelo.checking.counterexample import Visit
from zermelo.checking.examiner import Examiner
from zermelo.formatting import exception_text
from zermelo.game import Game, GameError, State, plain

ALWAYS = ("initial", "result", "mover", "is_chance", "stage", "canonical", "key", "index", "size", "at")
ONGOING = ("evaluate", "features", "bounds")
PLAYER = ("moves", "candidates", "forcing")
CHOICE = (*PLAYER, "skip")
MOVE = ("play", "order", "noisy")

VISITS = 300
"""How many states are compared, about."""

ARGUMENTS = {"initial": (), "size": ("game.stage(state)",), "at": ("game.stage(state)", "game.index(state)")}
"""What rules are given that are not asked about a state; a kernel computes it the same way."""


def check_agreement(examiner: Examiner) -> tuple[int, str | None]:
    """On how many states both worlds agreed, and why there is no compiled world where there is none."""
    from zermelo.native import diagnostics

    game = examiner.game
    try:
        reason = diagnostics.known_error(game)
        compared = 0 if reason else _compare_visits(examiner)
        reason = reason or diagnostics.known_error(game)
    except CheckError:
        raise
    except GameError as error:  # the game says native = True
        raise CheckError(str(error), "native", None, f"game = {game!r}\ngame.native_error") from error
    return (0, reason) if reason else (compared, None)


def _compare_visits(examiner: Examiner) -> int:
    """How many states were compared; the last of them may have shown that a rule does not compile."""
    visits = list(examiner.visits.values())
    chosen = visits[:: max(1, len(visits) // VISITS)]
    for visit in chosen:
        _check_fits(examiner, visit)
        if not _agree(examiner, visit):
            return 0
    for visit in visits:
        _check_fits(examiner, visit)
    return len(chosen)


def _agree(examiner: Examiner, visit: Visit) -> bool:
    """Compare every rule at one state; False where a rule turns out not to compile."""
    from zermelo.native import diagnostics

    for group, move in _questions(examiner.game, visit):
        args = (visit.state,) if move is None else (visit.state, int(move) if isinstance(move, bool) else move)
        interpreted = [_interpreted(examiner, rule, visit, args) for rule in group]
        answers = _ask(examiner, group, visit, args)
        if diagnostics.known_error(examiner.game) is not None:
            return False
        for rule, ours, theirs in zip(group, interpreted, answers, strict=True):
            _compare(examiner, rule, visit, args, ours, theirs)
    return True


def _questions(game: Game, visit: Visit) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The groups of rules to ask at this state, with the move where they take one."""
    yield _written(game, ALWAYS), None
    yield from (((rule,), None) for rule in _written(game, STATES))
    if visit.ongoing:
        asked = ("chances",) if visit.chance else CHOICE if visit.moves else PLAYER
        yield _written(game, (*asked, *ONGOING)), None
        if not visit.moves:
            yield ("stuck",), None
    for move in visit.moves[:40]:
        yield ("play",) if visit.chance else _written(game, MOVE), move


def _written(game: Game, group: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(rule for rule in group if game.has(rule))


# -- one question ----------------------------------------------------------------------------------------------


def _interpreted(examiner: Examiner, rule: str, visit: Visit, args: tuple[Any, ...]) -> Any:
    if rule in ARGUMENTS:
        args = _arguments(examiner.game, rule, visit.state)
    answer = examiner.call(examiner.game, rule, visit, *args)
    return answer[:WIDTH] if rule in BUFFERS else answer


def _arguments(game: Game, rule: str, state: State) -> tuple[Any, ...]:
    """What ARGUMENTS says."""
    if rule == "initial":
        return ()
    return (game.stage(state),) if rule == "size" else (game.stage(state), game.index(state))


def _ask(examiner: Examiner, group: tuple[str, ...], visit: Visit, args: tuple[Any, ...]) -> list[Any]:
    """The compiled answers; if the group raises an exception, its rules are asked alone to see which one it was.

    None at all if it turns out that a rule does not compile: moves that are no ints fit no array either.
    """
    from zermelo.native import diagnostics

    try:
        return ask_compiled(examiner.game, group, *args)
    except Exception as error:
        if isinstance(error, GameError) and examiner.game.native:
            raise
        if diagnostics.known_error(examiner.game) is not None:
            return []
        if len(group) > 1:
            return [answer for rule in group for answer in _ask(examiner, (rule,), visit, args)]
        text = exception_text(error).rstrip(".")
        _fail(examiner, group[0], visit, args, f"raises {type(error).__name__} compiled ({text}), but not interpreted")


def _compare(examiner: Examiner, rule: str, visit: Visit, args: tuple[Any, ...], ours: Any, theirs: Any) -> None:
    if close(plain(ours), plain(theirs)):
        return
    if rule == "play" and (misfit := _misfit(examiner, ours)):
        examiner.fail(rule, visit, misfit, examiner.code(rule, visit, args), args)
    compiled, interpreted, where = parted(theirs, ours)
    bits = "; an int of machine code has 64 bits, and this one does not fit" if too_wide(plain(ours)) else ""
    _fail(examiner, rule, visit, args, f"says {compiled} compiled and {interpreted} interpreted{where}{bits}")


def _fail(examiner: Examiner, rule: str, visit: Visit, args: tuple[Any, ...], problem: str) -> NoReturn:
    inside = ARGUMENTS.get(rule, ("state", *map(repr, args[1:])))
    call = f"game.{rule}({', '.join(inside)})" if rule in ARGUMENTS else examiner.code(rule, visit, args)
    question = ", ".join(("game", repr(rule), *inside))
    code = f"from zermelo.checking import compiled\ncompiled({question}), {call}"
    examiner.fail(rule, visit, problem, code, args)


# -- numbers too large for the machine ---------------------------------------------------------------------------


def _check_fits(examiner: Examiner, visit: Visit) -> None:
    """A state or move that is too large for its machine type was made by a rule that forgot to wrap."""
    if misfit := _misfit(examiner, visit.state):
        rule, origin = ("initial", None) if visit.parent is None else ("play", visit.parent)
        args = () if origin is None else (origin.state, visit.move)
        examiner.fail(rule, origin, misfit, examiner.code(rule, origin, args), args)
    for move in visit.moves:
        if is_int(move) and not -(1 << 63) <= move < 1 << 63:
            rule = "chances" if visit.chance else "moves"
            examiner.fail(rule, visit, f"gives {move}, which does not fit a 64-bit int", f"list(game.{rule}(state))")


def _misfit(examiner: Examiner, state: State) -> str:
    from zermelo.native import diagnostics

    try:
        diagnostics.layout(examiner.game).to_native(state)
    except (GameError, ValueError) as error:
        return f"leads to a state that machine code cannot hold: {error}".rstrip(".")
    return ""
