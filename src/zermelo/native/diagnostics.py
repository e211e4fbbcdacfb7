"""Diagnostics: why the rules of a game do not compile.

A game is interpreted if a kernel failed to compile for it, or if its state has no machine layout. The reason names the
rule and the line. It is found by compiling the rules one at a time.
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
from zermelo.native.cache_maintenance import entry_name
from zermelo.native.codegen.jit import jitted
from zermelo.native.codegen.yield_buffers import int_move
from zermelo.native.compile_errors import advice
from zermelo.native.fingerprints import DISPLAY_RULES, author_members, fingerprint
from zermelo.native.game_type import numba_type
from zermelo.native.kernel_cache import load_entry, save_entry
from zermelo.native.state_layout import Layout, LayoutError

_errors: dict[str, str | None] = {}
"""By fingerprint: why a game is interpreted, or None if all its rules compile."""

_unknown: set[str] = set()
"""Fingerprints of games for which the cache holds no error. Every call of a kernel asks, so it is looked up once."""


def known_error(game: Game) -> str | None:
    """The known reason why this game is interpreted, or None. Nothing is compiled to find out.

    Raise GameError if there is a reason and the game says native = True.
    """
    reason = _error_of(game)
    if reason is not None and game.native:
        raise GameError(f"{game!r} says native = True, but its rules do not compile. {reason}.")
    return reason


def _error_of(game: Game) -> str | None:
    if config.DISABLE_JIT:
        return "NUMBA_DISABLE_JIT is set, which turns the compiler off"
    if game.native is False:
        return f"{type(game).__name__} says native = False"
    name = fingerprint(game)
    if name not in _errors and name not in _unknown:
        try:
            numba_type(game)
        except LayoutError as error:
            _errors[name] = f"{type(game).__name__}.initial: {error}"
        else:
            found = load_entry(_error_file(game))
            if found is None:
                _unknown.add(name)
            else:
                _errors[name] = found.decode(errors="replace")
    return _errors.get(name)


def _error_file(game: Game) -> str:
    """The cache entry that stores why a game does not compile, so that the next process need not diagnose it again."""
    versions = hashlib.sha256(f"{numba.__version__} {sys.version}".encode()).hexdigest()[:8]
    return entry_name("rules", type(game).__name__, fingerprint(game).rpartition("-")[2] + versions, "error")


def record_failure(game: Game, error: Exception) -> None:
    """Record that a kernel did not compile for this game: find the rule that fails and store the reason."""
    name, reason = fingerprint(game), _diagnose(game)
    if reason is not None:
        save_entry(_error_file(game), reason.encode())
    _errors[name] = reason or f"{type(game).__name__}, {_short_message(error, type(game).moves)}"
    known_error(game)


def native_error(game: Game) -> str | None:
    """The rule that does not compile, its line and the reason; None if every rule compiles."""
    reason = _error_of(game)
    if reason is None and fingerprint(game) not in _errors:
        reason = _errors[fingerprint(game)] = _diagnose(game)
    return reason


def layout(game: Game) -> Layout:
    """The machine layout of the game's states."""
    return numba_type(game).layout


def to_native(game: Game, state: State) -> Any:
    """Convert a state for compiled code. Raise StateMismatch if it cannot be a state of the game."""
    try:
        return layout(game).to_native(state)
    except GameError as error:
        raise StateMismatch(f"{game!r}: {state!r} cannot be a state, since {error}.") from None


class StateMismatch(GameError):
    """A state whose layout differs from that of the initial state."""


def raise_unless_interpreted(game: Game, mismatch: StateMismatch) -> None:
    """Raise the mismatch if the rules compile; otherwise the game is interpreted and may accept the state.

    So the answer does not depend on whether the rules were diagnosed before.
    """
    if native_error(game) is None:
        raise mismatch
    known_error(game)


def _diagnose(game: Game) -> str | None:
    """The first rule that does not compile on its own, with line and reason; None if all compile."""
    typ = numba_type(game)
    typ.register()
    arguments = {"state": typ.layout.type, "move": types.int64, "stage": types.int64, "index": types.int64}
    for rule, function in _rules_in_order(game):
        name = f"{type(game).__name__}.{rule}"
        given = list(inspect.signature(function).parameters)[1:]
        wanted = list(inspect.signature(getattr(Game, rule)).parameters)[1:]
        if len(given) != len(wanted):
            return f"{name} takes {_argument_count(given)}, not {_argument_count(wanted)}"
        signature = (typ, *(arguments[argument] for argument in wanted))
        try:
            if not inspect.isgeneratorfunction(function):
                jitted(function).compile(signature)
            jitted(_rule_caller(rule, len(wanted))).compile(signature)
        except Exception as error:
            return f"{name}, {_short_message(error, function)}"
    if typ.layout_error is not None:
        play: Any = type(game).play
        return f"{type(game).__name__}.play, line {play.__code__.co_firstlineno}: {typ.layout_error}"
    return None


def _argument_count(names: list[str]) -> str:
    return f"{len(names)} argument{'s' if len(names) != 1 else ''} ({', '.join(names)}) besides self"


def _rules_in_order(game: Game) -> list[tuple[str, python.FunctionType]]:
    """The author's rules that are compiled, in the order of game.py. `initial` runs in Python."""
    written = {name: member for name, member in author_members(type(game)) if isinstance(member, python.FunctionType)}
    order = [rule for rule in (*REQUIRED[1:], *OPTIONAL) if rule not in DISPLAY_RULES]
    return [(rule, written[rule]) for rule in order if rule in written]


def _rule_caller(rule: str, count: int) -> Any:
    """A function that calls the rule as kernels do: its result is cast, its moves are iterated."""
    arguments = ", ".join(f"a{i}" for i in range(count))
    call = f"game.{rule}({arguments})"
    if rule in ("moves", "candidates"):
        body = f"for move in {call}:\n        int_move(move)\n    {rule}_into(game, a0, np.zeros(1, np.int64))"
    elif rule == "chances":
        body = f"for outcome, _ in {call}:\n        int_move(outcome)\n"
        body += "    chances_into(game, a0, np.zeros(1, np.int64), np.zeros(1))"
    elif rule in ("symmetries", "predecessors"):
        body = f"for each in {call}:\n        pass"
    elif rule == "evaluate":
        body = f"number({call})"
    elif rule == "features":
        body = f"number({call}[0])"
    elif rule == "bounds":
        body = f"low, high = {call}\n    number(low), number(high)"
    else:
        body = call
    scope: dict[str, Any] = {"int_move": int_move, "number": types.float64, "np": np, **vars(rules)}
    scope["__name__"] = __name__
    exec(f"def caller({', '.join(['game', arguments]) if arguments else 'game'}):\n    {body}", scope)
    return scope["caller"]


# -- shortening the compiler's messages ----------------------------------------------------------------------------

_NOISE = re.compile(
    r"Failed in nopython|- Resolution failure|There are \d+ candidate|- Of which|Overload (in|of) function"
    r"|No implementation of function Function\(<function (overload|cast_state|int_move|_constant|_lazy_constant)\b"
    r"|>>> (overload|cast_state|int_move|<lambda>|attribute)\(|With argument|Rejected as|During:|raised from|File "
    r"|<source|None$|Return of:|\^|$"
)
"""Lines of a message that give no reason."""


FOREIGN_FOLDERS = {"numba", "zermelo"}
"""Folders whose files are not the author's."""


def _short_message(error: Exception, function: Any) -> str:
    """The reason in the compiler's long message, as `line 12: reason`."""
    text = re.sub(r"\x1b\[[0-9;]*m|(TypingError|LoweringError|InternalError): |\w+Error: (?=Failed in)", "", str(error))
    lines = [line.strip() for line in text.splitlines()]
    telling = [number for number, line in enumerate(lines) if not _NOISE.match(line)]
    first = telling[0] if telling else 0
    reason = lines[first] if lines else repr(error)
    if reason.endswith(":") and first + 1 < len(lines):  # "No implementation of ... found for signature:"
        reason += " " + next((line for line in lines[first + 1 :] if line.startswith(">>>")), "")
    reason = re.sub(r"\.? ?Raised from .*$", "", reason)
    return f"{_place(lines[first:], function)}: {advice(reason, _source(lines[first:], function)).rstrip('. ')}"


def _place(lines: list[str], function: Any) -> str:
    """The first line of the author's that the message names, with its file if that is another than the rule's.

    The first line of the rule if the message names none.
    """
    own = re.escape(Path(function.__code__.co_filename).name)
    for line in lines:
        if found := re.search(rf'{own}"?,? \(?(?:line )?(\d+)', line):
            return f"line {found[1]}"
        if found := re.match(r'File "([^<].*)", line (\d+)', line):
            file = Path(found[1])
            if not FOREIGN_FOLDERS & set(file.parts):
                return f"line {found[2]} of {file.name}"
    return f"line {function.__code__.co_firstlineno}"


def _source(lines: list[str], function: Any) -> str:
    """The author's line above the first caret of the message; the whole rule if there is none."""
    if "^" in lines:
        return lines[lines.index("^") - 1]
    try:
        return inspect.getsource(function)
    except OSError:  # typed at a prompt
        return ""
