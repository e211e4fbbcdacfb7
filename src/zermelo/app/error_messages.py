"""Errors as sentences: what the command line says in place of a traceback."""

from __future__ import annotations

import errno
import os
import re
import shlex
import traceback
import types
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from zermelo.app.rule_watchdog import Overtime, authors, rule_in
from zermelo.formatting import exception_text, one_line, shortened
from zermelo.game import Game, GameError
from zermelo.games.registry import TextError, name_of

FAILURE = 1
USAGE = 2
INTERRUPTED = 130

LONGEST = 2000
"""Letters of a sentence; longer ones are cut."""


@dataclass(frozen=True)
class Complaint:
    """What to say, and the exit code to leave with."""

    sentence: str
    code: int
    details: str = ""


def debugging() -> bool:
    """Whether the person asked for tracebacks."""
    return os.environ.get("ZERMELO_DEBUG", "") not in ("", "0")


def complaint(error: BaseException) -> Complaint:
    """The sentence for an error, whoever raised it: one line that can be shown, and not too long, whatever rules do."""
    try:
        found = _complaint(error)
    except KeyboardInterrupt:
        raise
    except BaseException as another:  # a game or a state that cannot be written either
        names = f"{type(error).__name__}, and then {type(another).__name__} while it was put into words"
        found = Complaint(f"The rules raised {names}.", FAILURE)
    return replace(found, sentence=shortened(_bearable(one_line(found.sentence)), LONGEST))


def _complaint(error: BaseException) -> Complaint:
    if isinstance(error, GameError):
        code = USAGE if isinstance(error, TextError) else FAILURE
        return Complaint(exception_text(error, 100 * LONGEST), code, getattr(error, "reproduction", "") or "")
    if _short_of_memory(error):
        return Complaint("There is not enough memory for this.", FAILURE)
    if rule := _rule_that_raised(error):
        return Complaint(rule, FAILURE)
    if isinstance(error, Overtime):
        return Complaint(f"What was asked {exception_text(error)}.", FAILURE)
    if game := _compiled_game(error):
        return Complaint(_what_check_says(game, error), FAILURE)
    if isinstance(error, RecursionError):
        return Complaint("The game goes too deep for a recursive algorithm; give it a depth limit.", FAILURE)
    if isinstance(error, OSError) and error.filename is None and error.errno in UNWRITABLE:
        return Complaint(f"The answer cannot be printed: {_reason(error)}.", FAILURE)
    if isinstance(error, OSError):
        return Complaint(exception_text(error), FAILURE)
    game = _game_at_work(error)
    if game is not None and (found := _found_by_check(game)) is not None:
        return found
    if isinstance(error, ValueError):
        return Complaint(exception_text(error), USAGE)
    words = f"{type(error).__name__}: {exception_text(error)}"
    hint = "" if game is None else f"try `zermelo check {shlex.quote(name_of(game, folder=''))}`; "
    return Complaint(f"Something went wrong inside Zermelo ({words}); {hint}ZERMELO_DEBUG=1 shows where.", FAILURE)


UNWRITABLE = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EDQUOT)
"""What a system says of an output that takes nothing."""


def _reason(error: OSError) -> str:
    words = error.strerror or exception_text(error)
    return "the output is closed" if error.errno == errno.EBADF else words[:1].lower() + words[1:]


def _short_of_memory(error: BaseException) -> bool:
    """Whether memory ran out, be it for a library that was to be loaded, which says so in many words."""
    cause: BaseException | None = error
    while cause is not None:
        loading = isinstance(cause, ImportError | OSError)
        if isinstance(cause, MemoryError) or (loading and re.search(NO_ROOM, exception_text(cause))):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


NO_ROOM = "failed to map segment|[Cc]annot allocate memory"

PLAINLY = (
    (r"Input should be a valid integer.*", "it must be a whole number"),
    (r"Input should be a valid number.*", "it must be a number"),
    (r"Input should be greater than or equal to (.*)", r"it must be at least \1"),
    (r"Input should be less than or equal to (.*)", r"it must be at most \1"),
    (r"Value error, ", ""),
    (
        r"Got unexpected extra argument(?:\(s\)|s)? \((.*)\)",
        r"There are more arguments than the command takes (\1); a position of several moves is one argument, in quotes",
    ),
)
"""What the command line parser says, and the same in plain words."""


def usage(error: Any) -> str:
    """What is wrong with a command line, in the place of what its parser says."""
    context = getattr(error, "ctx", None)
    help_command = f" See `{context.command_path} --help`." if context else ""
    sentence = error.format_message().rstrip(".")
    for pattern, plainly in PLAINLY:
        sentence = re.sub(pattern, plainly, sentence)
    return f"{sentence}{'' if sentence.endswith('?') else '.'}{help_command}"


def _bearable(sentence: str) -> str:
    """A sentence about a game that is a long tree, with the beginning of it."""
    return re.sub(r"GameTree\(tree=(['\"])(.{70}).{11,}?\1\)", r"GameTree(tree=\1\2 …\1)", sentence)


def _rule_that_raised(error: BaseException) -> str | None:
    """A sentence with the game, the rule, the line, the exception and the state; None where no rule was running."""
    rule = rule_in(_frames(error))
    if rule is None:
        return None
    words = exception_text(error)
    raised = words if isinstance(error, Overtime) else f"raised {type(error).__name__}{f': {words}' if words else ''}"
    return f"{rule.game!r}: the rule `{rule.name}` {raised} ({rule.file}, line {rule.line}){rule.where}."


def _compiled_game(error: BaseException) -> Game | None:
    """The game whose rules were running as machine code, which leaves no trace of them."""
    for frame, _ in _frames(error):
        game = frame.f_locals.get("game")
        if isinstance(game, Game) and frame.f_globals.get("__name__") == "zermelo.native.kernel_dispatch":
            return authors(game)
    return None


def _what_check_says(game: Game, error: BaseException) -> str:
    """Which rule raised, and where: the check asks the rules in Python and finds the line."""
    if found := _found_by_check(game):
        return found.sentence
    words = f"{type(error).__name__}: {exception_text(error)}"
    return f"{game!r}: a rule raised {words}, in machine code; with --interpreted perft shows where."


def _game_at_work(error: BaseException) -> Game | None:
    """The game that was worked with when the error came up, as the innermost function knew it."""
    for frame, _ in reversed(list(_frames(error))):
        known = frame.f_locals.get("game"), getattr(frame.f_locals.get("self"), "game", None)
        for game in known:
            if isinstance(game, Game):
                return authors(game)
    return None


def _found_by_check(game: Game) -> Complaint | None:
    """What a short check finds wrong with the game; None where it finds nothing."""
    from zermelo.checking import check

    try:
        check(game, states=300, games=10, seconds=0.5)
    except GameError as found:
        return complaint(found)
    except Exception:  # whatever went wrong may go wrong once more
        return None
    return None


def _frames(error: BaseException) -> Iterator[tuple[types.FrameType, int]]:
    return traceback.walk_tb(error.__traceback__)
