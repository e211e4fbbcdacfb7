"""Error messages: one sentence in place of a traceback, and the exit code that goes with it."""

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

from zermelo.app.rule_watchdog import RuleTimeout, author_game, rule_in, timeout_of_this_thread
from zermelo.declaration import ChangedGame
from zermelo.formatting import exception_text, one_line, shortened
from zermelo.game import Game, GameError
from zermelo.games.registry import TextError, name_of
from zermelo.system_errors import is_out_of_memory

FAILURE = 1
USAGE = 2
INTERRUPTED = 130

MAX_SENTENCE_LENGTH = 2000
"""Characters of a sentence; longer ones are cut."""

RULE_SECONDS = 2.0
"""How long a rule may take while an error is described."""


@dataclass(frozen=True)
class ErrorMessage:
    """What to print, and the exit code of the process."""

    sentence: str
    code: int
    details: str = ""


def debugging() -> bool:
    """Whether the person asked for tracebacks."""
    return os.environ.get("ZERMELO_DEBUG", "") not in ("", "0")


def describe_error(error: BaseException) -> ErrorMessage:
    """Describe any error, of ours or of a rule, in one printable line of bounded length."""
    try:
        found = _message_of(error)
    except KeyboardInterrupt:
        raise
    except BaseException as another:  # its game or state cannot be written either
        names = f"{type(error).__name__}, and then {type(another).__name__} while it was being described"
        found = ErrorMessage(f"The rules raised {names}.", FAILURE)
    return replace(found, sentence=shortened(_with_short_trees(one_line(found.sentence)), MAX_SENTENCE_LENGTH))


def _message_of(error: BaseException) -> ErrorMessage:
    if isinstance(error, GameError):
        code = USAGE if isinstance(error, TextError) else FAILURE
        return ErrorMessage(
            exception_text(error, 100 * MAX_SENTENCE_LENGTH), code, getattr(error, "reproduction", "") or ""
        )
    if is_out_of_memory(error):
        return ErrorMessage("There is not enough memory for this.", FAILURE)
    if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
        return ErrorMessage("The system starts no other thread: memory or processes are limited.", FAILURE)
    if rule := _rule_that_raised(error):
        return ErrorMessage(rule, FAILURE)
    if isinstance(error, RuleTimeout):
        return ErrorMessage(f"What was asked {exception_text(error)}.", FAILURE)
    if game := _compiled_game(error):
        return ErrorMessage(_compiled_rule_message(game, error), FAILURE)
    if isinstance(error, RecursionError):
        return ErrorMessage("The game goes too deep for a recursive algorithm; give it a depth limit.", FAILURE)
    if isinstance(error, OSError) and error.filename is None and error.errno in UNWRITABLE:
        return ErrorMessage(f"The answer cannot be printed: {_reason(error)}.", FAILURE)
    if isinstance(error, OSError):
        return ErrorMessage(exception_text(error), FAILURE)
    game = _game_in_use(error)
    if game is not None and (found := _check_finding(game)) is not None:
        return found
    if isinstance(error, ValueError):
        return ErrorMessage(exception_text(error), USAGE)
    words = f"{type(error).__name__}: {exception_text(error)}"
    hint = "" if game is None else f"try `zermelo check {shlex.quote(name_of(game, folder=''))}`; "
    return ErrorMessage(f"Something went wrong inside Zermelo ({words}); {hint}ZERMELO_DEBUG=1 shows where.", FAILURE)


UNWRITABLE = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EDQUOT)
"""The errors of an output that cannot be written."""


def _reason(error: OSError) -> str:
    words = error.strerror or exception_text(error)
    return "the output is closed" if error.errno == errno.EBADF else words[:1].lower() + words[1:]


ONE_ARGUMENT = "a position of several moves is one argument, in quotes"

PARSER_MESSAGES = (
    (r"Input should be a valid integer.*", "it must be a whole number"),
    (r"Input should be a valid number.*", "it must be a number"),
    (r"Input should be greater than or equal to (.*)", r"it must be at least \1"),
    (r"Input should be less than or equal to (.*)", r"it must be at most \1"),
    (r"Value error, ", ""),
    (
        r"Got unexpected extra argument(?:\(s\)|s)? \((.*)\)",
        rf"There are more arguments than the command takes (\1); {ONE_ARGUMENT}",
    ),
)
"""What the command line parser says, and the same in plain words."""


def usage_message(error: Any) -> str:
    """Describe a mistake in the command line, in plain words."""
    context = getattr(error, "ctx", None)
    help_command = f" See `{context.command_path} --help`." if context else ""
    sentence = error.format_message().rstrip(".")
    for pattern, plain in PARSER_MESSAGES:
        sentence = re.sub(pattern, plain, sentence)
    if context and context.info_name == "match":
        sentence = sentence.replace(ONE_ARGUMENT, "a match is between two players, and its game is given by --game")
    return f"{sentence}{'' if sentence.endswith('?') else '.'}{help_command}"


def _with_short_trees(sentence: str) -> str:
    """Shorten the texts of game trees in a sentence."""
    return re.sub(r"GameTree\(tree=(['\"])(.{70}).{11,}?\1\)", r"GameTree(tree=\1\2 …\1)", sentence)


def _rule_that_raised(error: BaseException) -> str | None:
    """A sentence with the game, the rule, the line, the exception and the state; None if no rule was running."""
    rule = rule_in(_frames(error))
    if rule is None:
        return None
    if isinstance(error, ChangedGame):
        return f"{rule.game!r}: the rule `{rule.name}` {error.problem}."
    words = exception_text(error)
    raised = (
        words if isinstance(error, RuleTimeout) else f"raised {type(error).__name__}{f': {words}' if words else ''}"
    )
    return f"{rule.game!r}: the rule `{rule.name}` {raised} ({rule.file}, line {rule.line}){rule.where}."


def _compiled_game(error: BaseException) -> Game | None:
    """The game whose compiled rules were running; None if there is none. Compiled code leaves no traceback."""
    for frame, _ in _frames(error):
        game = frame.f_locals.get("game")
        if isinstance(game, Game) and frame.f_globals.get("__name__") == "zermelo.native.kernel_dispatch":
            return author_game(game)
    return None


def _compiled_rule_message(game: Game, error: BaseException) -> str:
    """Find the rule that raised, and where, by a short check of the interpreted rules."""
    if found := _check_finding(game):
        return found.sentence
    words = f"{type(error).__name__}: {exception_text(error)}"
    return f"{game!r}: a rule raised {words}, compiled; with --interpreted perft shows where."


def _game_in_use(error: BaseException) -> Game | None:
    """The game in use when the error was raised, as the innermost function has it; None if there is none."""
    for frame, _ in reversed(list(_frames(error))):
        known = frame.f_locals.get("game"), getattr(frame.f_locals.get("self"), "game", None)
        for game in known:
            if isinstance(game, Game):
                return author_game(game)
    return None


def _check_finding(game: Game) -> ErrorMessage | None:
    """What a short check finds wrong with the game; None where it finds nothing."""
    from zermelo.checking import check

    try:
        with timeout_of_this_thread(RULE_SECONDS).running():
            check(game, states=300, games=10, seconds=0.5)
    except GameError as found:
        return describe_error(found)
    except (Exception, RuleTimeout):  # the same error may occur again, and a rule may not end
        return None
    return None


def _frames(error: BaseException) -> Iterator[tuple[types.FrameType, int]]:
    return traceback.walk_tb(error.__traceback__)
