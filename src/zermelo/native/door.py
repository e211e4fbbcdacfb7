"""Who may pass to the compiler, and why not.

A game is refused once a kernel failed to compile for it, or its state is no machine value. The reason is a sentence
with the rule and the line, found by compiling the rules one at a time.
"""

from __future__ import annotations

import inspect
import re
import types as python
from typing import Any

from numba import typeof, types
from numba.core import config
from numba.core.errors import NumbaError

from zermelo.game import OPTIONAL, REQUIRED, Game, GameError
from zermelo.native.bridge import game_type, jitted
from zermelo.native.fingerprint import LOOKING, author_members, fingerprint
from zermelo.native.layout import Layout, LayoutError

_reasons: dict[str, str | None] = {}
"""By fingerprint: why a game is interpreted, or None where all its rules were seen to compile."""


def refused(game: Game) -> str | None:
    """Why this game is interpreted, as far as is known; None as long as nothing speaks against compiling it."""
    if config.DISABLE_JIT:
        return "NUMBA_DISABLE_JIT is set, which turns the compiler off"
    name = fingerprint(game)
    if name not in _reasons:
        try:
            game_type(game)
            return None
        except LayoutError as error:
            _remember(game, f"{type(game).__name__}.initial: {error}")
    return _reasons[name]


def refuse(game: Game, error: Exception) -> None:
    """A kernel did not compile for this game: find the rule to blame and remember it."""
    _remember(game, _diagnosis(game) or f"{type(game).__name__}: {_reason(error)}")


def native_error(game: Game) -> str | None:
    """Which rule does not compile, at which line, and why; None if every rule does."""
    reason = refused(game)
    if reason is None and fingerprint(game) not in _reasons:
        reason = _reasons[fingerprint(game)] = _diagnosis(game)
    return reason


def layout(game: Game) -> Layout:
    return game_type(game).layout


def _remember(game: Game, reason: str) -> None:
    _reasons[fingerprint(game)] = reason
    if game.native:
        raise GameError(f"{game!r} says native = True, but its rules do not compile. {reason}.")


def _diagnosis(game: Game) -> str | None:
    """The first rule that does not compile on its own, in a sentence."""
    typ = game_type(game)
    arguments = {"state": typ.layout.type, "move": types.int64, "stage": types.int64, "index": types.int64}
    for rule, function in _rules_in_order(game):
        names = list(inspect.signature(function).parameters)[1:]
        wanted = [name for name in inspect.signature(getattr(Game, rule)).parameters][1:]
        if len(names) != len(wanted):
            return f"{type(game).__name__}.{rule} takes {len(names)} arguments, not {len(wanted)} ({', '.join(wanted)})"
        try:
            dispatcher = jitted(_caller(rule, len(wanted)))
            dispatcher.compile((typ, *(arguments[name] for name in wanted)))
        except NumbaError as error:
            return f"{type(game).__name__}.{rule}{_line(error, function)}: {_reason(error)}"
        except Exception as error:  # Numba's own failures are no reason to fail here
            return f"{type(game).__name__}.{rule}: {type(error).__name__} in the compiler: {error}"
    return None


def _rules_in_order(game: Game) -> list[tuple[str, python.FunctionType]]:
    written = {name: member for name, member in author_members(type(game)) if isinstance(member, python.FunctionType)}
    order = [rule for rule in (*REQUIRED, *OPTIONAL) if rule in written and rule not in LOOKING]
    return [(rule, written[rule]) for rule in order]


def _caller(rule: str, count: int) -> Any:
    """A function that calls the rule the way kernels do, so that its result is cast and its moves are looped over."""
    arguments = ", ".join(["game", *(f"a{i}" for i in range(count))])
    call = f"game.{rule}({arguments[6:]})"
    if rule in ("moves", "candidates"):
        body = f"    for move in {call}:\n        game.play(a0, move)"
    elif rule in ("chances", "symmetries", "predecessors"):
        body = f"    for each in {call}:\n        pass"
    else:
        body = f"    {call}"
    exec(f"def caller({arguments}):\n{body}", scope := {"__name__": __name__})
    return scope["caller"]


def _line(error: NumbaError, function: python.FunctionType) -> str:
    """The line in the author's file that the compiler complains about."""
    places = re.findall(r'File "([^"]+)", line (\d+)', str(error))
    file = inspect.getsourcefile(function) or function.__code__.co_filename
    lines = [int(line) for path, line in places if path == file or file.endswith(path)]
    return f", line {lines[-1]}" if lines else f", line {function.__code__.co_firstlineno}"


def _reason(error: Exception) -> str:
    """The compiler's complaint, in one line."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    return text


__all__ = ["layout", "native_error", "refuse", "refused", "typeof"]
