"""Who may pass to the compiler, and why not.

A game is refused once a kernel failed to compile for it, or its state is no machine value. The reason is a sentence
with the rule and the line, found by compiling the rules one at a time.
"""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
import types as python
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import config

from zermelo import rules
from zermelo.game import OPTIONAL, REQUIRED, Game, GameError, State
from zermelo.native.codegen.jit import jitted
from zermelo.native.codegen.yield_buffers import int_move
from zermelo.native.fingerprints import LOOKING, author_members, fingerprint
from zermelo.native.game_type import game_type
from zermelo.native.kernel_cache import keep, kept
from zermelo.native.state_layout import Layout, LayoutError

_reasons: dict[str, str | None] = {}
"""By fingerprint: why a game is interpreted, or None where all its rules were seen to compile."""

_unjudged: set[str] = set()
"""Fingerprints of games about which no other process left a verdict: asked once, since every call of a kernel asks."""


def refused(game: Game) -> str | None:
    """Why this game is interpreted, as far as is known; None as long as nothing speaks against compiling it.

    Where the game says native = True, a reason is an error.
    """
    reason = _known_reason(game)
    if reason is not None and game.native:
        raise GameError(f"{game!r} says native = True, but its rules do not compile. {reason}.")
    return reason


def _known_reason(game: Game) -> str | None:
    if config.DISABLE_JIT:
        return "NUMBA_DISABLE_JIT is set, which turns the compiler off"
    if game.native is False:
        return f"{type(game).__name__} says native = False"
    name = fingerprint(game)
    if name not in _reasons and name not in _unjudged:
        try:
            game_type(game)
        except LayoutError as error:
            _reasons[name] = f"{type(game).__name__}.initial: {error}"
        else:
            verdict = kept(_verdict_file(name))
            if verdict is None:
                _unjudged.add(name)
            else:
                _reasons[name] = verdict.decode(errors="replace")
    return _reasons.get(name)


def _verdict_file(name: str) -> str:
    """Under what it is kept that a game does not compile, so that the next process need not find out again."""
    versions = hashlib.sha256(f"{numba.__version__} {sys.version}".encode()).hexdigest()[:8]
    return f"{name}-{versions}.refused"


def refuse(game: Game, error: Exception) -> None:
    """A kernel did not compile for this game: find the rule to blame and remember it."""
    name, reason = fingerprint(game), _diagnosis(game)
    if reason is not None:
        keep(_verdict_file(name), reason.encode())
    _reasons[name] = reason or f"{type(game).__name__}, {_complaint(error, type(game).moves)}"
    refused(game)


def native_error(game: Game) -> str | None:
    """Which rule does not compile, at which line, and why; None if every rule does."""
    reason = _known_reason(game)
    if reason is None and fingerprint(game) not in _reasons:
        reason = _reasons[fingerprint(game)] = _diagnosis(game)
    return reason


def layout(game: Game) -> Layout:
    return game_type(game).layout


def to_native(game: Game, state: State) -> Any:
    """A state as compiled code takes it; what is no state of the game gets a sentence."""
    try:
        return layout(game).to_native(state)
    except GameError as error:
        raise Misfit(f"{game!r}: {state!r} cannot be a state, since {error}.") from None


class Misfit(GameError):
    """A state that is not laid out as the initial one."""


def admit(game: Game, misfit: Misfit) -> None:
    """A state does not fit: that is the state's fault where the rules compile, and else one more reason to interpret.

    So the answer does not depend on whether somebody has found out before that they do not compile.
    """
    if native_error(game) is None:
        raise misfit
    refused(game)


def _diagnosis(game: Game) -> str | None:
    """The first rule that does not compile on its own, in a sentence."""
    typ = game_type(game)
    typ.register()
    arguments = {"state": typ.layout.type, "move": types.int64, "stage": types.int64, "index": types.int64}
    for rule, function in _rules_in_order(game):
        name = f"{type(game).__name__}.{rule}"
        given = list(inspect.signature(function).parameters)[1:]
        wanted = list(inspect.signature(getattr(Game, rule)).parameters)[1:]
        if len(given) != len(wanted):
            return f"{name} takes {_count(given)}, not {_count(wanted)}"
        signature = (typ, *(arguments[argument] for argument in wanted))
        try:
            if not inspect.isgeneratorfunction(function):
                jitted(function).compile(signature)
            jitted(_caller(rule, len(wanted))).compile(signature)
        except Exception as error:
            return f"{name}, {_complaint(error, function)}"
    if typ.misfit is not None:
        play: Any = type(game).play
        return f"{type(game).__name__}.play, line {play.__code__.co_firstlineno}: {typ.misfit}"
    return None


def _count(names: list[str]) -> str:
    return f"{len(names)} argument{'s' if len(names) != 1 else ''} ({', '.join(names)}) besides self"


def _rules_in_order(game: Game) -> list[tuple[str, python.FunctionType]]:
    """The rules the author wrote that are compiled, in the order of game.py; `initial` is computed in Python."""
    written = {name: member for name, member in author_members(type(game)) if isinstance(member, python.FunctionType)}
    order = [rule for rule in (*REQUIRED[1:], *OPTIONAL) if rule not in LOOKING]
    return [(rule, written[rule]) for rule in order if rule in written]


def _caller(rule: str, count: int) -> Any:
    """A function that calls the rule the way kernels do, so that its result is cast and its moves are looped over."""
    arguments = ", ".join(f"a{i}" for i in range(count))
    call = f"game.{rule}({arguments})"
    if rule in ("moves", "candidates"):
        body = f"for move in {call}:\n        int_move(move)\n    {rule}_into(game, a0, np.zeros(1, np.int64))"
    elif rule == "chances":
        body = f"for outcome, _ in {call}:\n        int_move(outcome)\n"
        body += "    chances_into(game, a0, np.zeros(1, np.int64), np.zeros(1))"
    elif rule in ("symmetries", "predecessors"):
        body = f"for each in {call}:\n        pass"
    else:
        body = call
    scope: dict[str, Any] = {"__name__": __name__, "int_move": int_move, "np": np, **vars(rules)}
    exec(f"def caller({', '.join(['game', arguments]) if arguments else 'game'}):\n    {body}", scope)
    return scope["caller"]


# -- the compiler's words, made short ------------------------------------------------------------------------------

_NOISE = re.compile(
    r"Failed in nopython|- Resolution failure|There are \d+ candidate|- Of which|Overload (in|of) function"
    r"|No implementation of function Function\(<function (overload|cast_state|int_move)"
    r"|>>> (overload|cast_state|int_move)|With argument|Rejected as|During:|raised from|File |<source|None$|Return of:"
    r"|\^|$"
)


_OPCODES = {
    "IMPORT_": "an import inside a rule does not compile; import at the top of the file",
    "FORMAT_": "format spec in f-strings not supported yet",
    "SETUP_ANNOTATIONS": "annotated variables do not compile",
    "LOAD_SUPER_ATTR": "super() does not compile; give the inherited rule a helper method and call that",
}


def _complaint(error: Exception, function: Any) -> str:
    """`line 12: what the compiler says`, from its many lines of explanation."""
    text = re.sub(r"\x1b\[[0-9;]*m|(TypingError|LoweringError|InternalError): ", "", str(error))
    lines = [line.strip() for line in text.splitlines()]
    telling = [number for number, line in enumerate(lines) if not _NOISE.match(line)]
    first = telling[0] if telling else 0
    reason = lines[first] if lines else repr(error)
    if reason.endswith(":") and first + 1 < len(lines):  # "No implementation of ... found for signature:"
        reason += " " + next((line for line in lines[first + 1 :] if line.startswith(">>>")), "")
    for opcode, meaning in _OPCODES.items():
        if f"unsupported opcode ({opcode}" in reason:
            reason = meaning
    if "OptionalType" in reason:
        reason = "one way through the rule returns None; a `return` is missing"
    reason = re.sub(r"\.? ?Raised from .*$", "", reason)
    return f"line {_line(lines[first:], function)}: {reason.rstrip('. ')}"


def _line(lines: list[str], function: Any) -> Any:
    """The first line of the author's file that the compiler points at; else where the rule begins."""
    file = re.escape(Path(function.__code__.co_filename).name)
    for line in lines:
        if found := re.search(rf'{file}"?,? \(?(?:line )?(\d+)', line):
            return int(found[1])
    return function.__code__.co_firstlineno
