"""Diagnostics: why the rules of a game do not compile.

A game is interpreted if a kernel failed to compile for it, or if its state has no machine layout. The reason names the
rule and the line. It is found by compiling the rules one at a time.
"""

from __future__ import annotations

import inspect
import re
import types as python
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from zermelo import rules
from zermelo.game import OPTIONAL, REQUIRED, Game
from zermelo.native.codegen.jit import jitted
from zermelo.native.codegen.yield_buffers import int_move
from zermelo.native.compilability import error_of, errors, record_error
from zermelo.native.compile_errors import SIDE_EFFECT, advice
from zermelo.native.fingerprints import INTERPRETED_RULES, author_members, fingerprint
from zermelo.native.game_type import numba_type
from zermelo.native.linking.rule_code import linked_rules
from zermelo.native.linking.rule_interface import FUNCTIONS
from zermelo.native.overloads.state_types import state_type
from zermelo.native.side_effects import side_effect
from zermelo.system_errors import is_of_the_system, is_out_of_memory


def record_failure(game: Game, error: Exception) -> None:
    """Record that a kernel did not compile for this game: find the rule that fails and store the reason.

    What is no fault of the rules is not stored, since the next process would believe it: an error of the system, such
    as a working directory that is gone, holds for this process alone. Raise the error if memory ran out.
    """
    if is_out_of_memory(error):
        raise error
    reason = None if is_of_the_system(error) else _diagnose(game)
    record_error(game, reason, f"{type(game).__name__}, {_short_message(error, type(game).moves)}")


def native_error(game: Game) -> str | None:
    """The rule that does not compile, its line and the reason; None if every rule compiles."""
    reason = error_of(game)
    if reason is None and fingerprint(game) not in errors:
        reason = errors[fingerprint(game)] = None if _compiles(game) else _diagnose(game)
    return reason


def _compiles(game: Game) -> bool:
    """Whether all rules compile as linked kernels call them. Those that did are in the cache, which makes it quick."""
    try:
        written = [rule for rule, _ in _rules_in_order(game)]
        linked_rules(game, [f"{rule}_into" if f"{rule}_into" in FUNCTIONS else rule for rule in written])
        return numba_type(game).layout_error is None
    except Exception:  # of any kind, which the diagnosis explains
        return False


def _diagnose(game: Game) -> str | None:
    """The first rule that does not compile on its own, with line and reason; None if all compile."""
    typ = numba_type(game)
    typ.register()
    arguments = {"state": state_type(typ.layout), "move": types.int64, "stage": types.int64, "index": types.int64}
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
            if is_out_of_memory(error):
                raise
            if is_of_the_system(error):
                return None
            why = _short_message(error, function)
            if not why.endswith(SIDE_EFFECT) and (changed := side_effect(function, game)) is not None:
                # the compiler complains of something that it leads to, or of something else
                why = f"line {changed.line}: it {changed.what}, but {changed.why}; the compiler's reason: {why}"
            return f"{name}, {why}"
    if typ.layout_error is not None:
        play: Any = type(game).play
        return f"{type(game).__name__}.play, line {play.__code__.co_firstlineno}: {typ.layout_error}"
    return None


def _argument_count(names: list[str]) -> str:
    return f"{len(names)} argument{'s' if len(names) != 1 else ''} ({', '.join(names)}) besides self"


def _rules_in_order(game: Game) -> list[tuple[str, python.FunctionType]]:
    """The author's rules that are compiled, in the order of game.py. `initial` runs in Python."""
    written = {name: member for name, member in author_members(type(game)) if isinstance(member, python.FunctionType)}
    order = [rule for rule in (*REQUIRED[1:], *OPTIONAL) if rule not in INTERPRETED_RULES]
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
