"""The command line: `zermelo games`, `check`, `perft`, `tree`, `analyze`, `solve`, `learn`, `play`, `serve` ...

The parsers of the commands are in `parsers/`, the commands in `commands/`. Errors are one red sentence: exit code 2 for
a command line that cannot be read, 1 for a game or a task that fails, and for an answer that cannot be printed. A
reader that closes the output early, as `| head` does, is no error: 0.
"""

from __future__ import annotations

import importlib
import io
import re
import sys
import warnings
from typing import Annotated, Any

import typer

from zermelo import __version__
from zermelo.app.light_command import LightCommand, LightGroup
from zermelo.files import build_time

COMMANDS = {
    "games": "game_parsers", "check": "game_parsers", "perft": "game_parsers", "playouts": "game_parsers",
    "tree": "search_parsers", "analyze": "search_parsers", "solve": "solve_parsers", "probe": "solve_parsers",
    "export": "solve_parsers", "book": "solve_parsers", "play": "play_parsers", "serve": "play_parsers",
    "match": "match_parsers", "tournament": "match_parsers", "tune": "match_parsers", "report": "design_parsers",
    "convert": "record_parsers", "learn": "learn_parsers", "uci": "protocol_parsers", "ugi": "protocol_parsers",
    "xboard": "protocol_parsers", "gtp": "protocol_parsers", "gnubg": "protocol_parsers", "nboard": "protocol_parsers",
    "bench": "search_parsers", "cache": "setup_parsers", "completion": "setup_parsers",
}  # fmt: skip
"""The commands in the order of the help, and the module in `parsers/` that reads each."""

SLOW_RULE_SECONDS = 3.0
"""Seconds after which a rule that is still running is reported."""


def application(name: str | None = None) -> typer.Typer:
    """The parser of the command line; of one command alone if its name is given, since each costs time to build."""
    app = typer.Typer(
        name="zermelo",
        cls=LightGroup,
        help="Play and solve two-player games of perfect information.",
        context_settings={"help_option_names": ["-h", "--help"]},
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(options)
    chosen = [name] if name in COMMANDS else [*COMMANDS]
    for each in chosen:
        parsers = importlib.import_module(f"zermelo.app.parsers.{COMMANDS[each]}")
        app.command(cls=LightCommand)(getattr(parsers, each))
    if name not in COMMANDS:
        from zermelo.app.commands import plot_command

        app.add_typer(plot_command.app, name="plot")
    return app


def _version(wanted: bool) -> None:
    if wanted:
        print(f"zermelo {__version__}")
        raise typer.Exit


def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Play and solve two-player games of perfect information."""


# -- entry and exit codes ------------------------------------------------------------------------------------


def main() -> None:
    """The command `zermelo`."""
    from zermelo.app import STARTED, exit_handling, output, shell_completion, time_limit

    def sentence(message: Warning | str, *_: object, **__: object) -> str:
        """Without the line of ours that warns, and the one where Numba stumbled over a setting."""
        return f"{output.visible(str(message).partition('The parse failed')[0].strip())}\n"

    time_limit.count_from(STARTED)
    exit_handling.open_streams()
    exit_handling.end_at_second_ctrl_c()
    warnings.formatwarning = sentence
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without ∞ shows a question mark, and goes on
    completed = shell_completion.answer()
    exit_handling.exit_process(run(sys.argv[1:]) if completed is None else completed)


def readable(args: list[str]) -> list[str]:
    """The arguments as the parser reads them: --time is --seconds, and a position may begin with a dash.

    >>> readable(["analyze", "cant_stop", "- / - / X rolls", "--depth=3", "-o", "a-b", "--time=1"])
    ['analyze', 'cant_stop', ' - / - / X rolls', '--depth=3', '-o', 'a-b', '--seconds=1']
    """
    args = [re.sub(r"^--time(?=$|=)", "--seconds", arg) for arg in args]
    return [f" {arg}" if re.match("-[^-].*[ :/-]", arg) else arg for arg in args]


def run(args: list[str]) -> int:
    """Run a command line and return its exit code; every error becomes a sentence on the error stream."""
    from zermelo.app import error_messages, exit_handling, output, rule_watchdog

    def tell(_: int, rule: rule_watchdog.Rule, seconds: float) -> None:
        running = f"`{rule.name}` has been running for {seconds:.0f} s{rule.where}, line {rule.line} of {rule.file}"
        output.say(f"{rule.game!r}: {running}; Ctrl-C ends it.")

    try:
        build_time()  # before the libraries that would stumble over a bad one
        with rule_watchdog.Watchdog(SLOW_RULE_SECONDS, tell).running():
            given = readable(args) or ["--help"]
            answer: Any = application(given[0])(given, prog_name="zermelo", standalone_mode=False)
        if answer == error_messages.INTERRUPTED:  # how Typer passes Ctrl-C on
            raise KeyboardInterrupt
        return answer if isinstance(answer, int) else 0
    except (KeyboardInterrupt, typer.Abort):
        output.say_error("Interrupted.")
        return error_messages.INTERRUPTED
    except BrokenPipeError:  # the reader has what it wanted
        exit_handling.discard_output()
        return 0
    except SystemExit as left:
        exit_handling.discard_output()
        if isinstance(left.__context__, BrokenPipeError):  # how Typer passes it on
            return 0
        output.say_error(error_messages.describe_error(left).sentence)
        return error_messages.FAILURE
    except Exception as error:
        if error_messages.debugging():
            raise
        if isinstance(error, typer.BadParameter.__mro__[2]):  # whatever the command line parser complains about
            output.say_error(error_messages.usage_message(error))
            return error_messages.USAGE
        if isinstance(error, OSError) and error.filename is None and error.errno in error_messages.UNWRITABLE:
            exit_handling.discard_output()  # what is left of it would fail once more
        found = error_messages.describe_error(error)
        output.say_error(found.sentence, found.details)
        return found.code
