"""The command line: `zermelo games | check | perft | tree | play | bench`.

Each command reads its arguments here and does its work in a function that is imported when it is needed, so that help
is quick. Mistakes are one red sentence: exit code 2 for a command line that cannot be read, 1 for a game or a task
that fails.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from enum import StrEnum
from typing import Annotated, Any

import typer

from zermelo import __version__

app = typer.Typer(
    name="zermelo",
    help="Play and solve two-player games of perfect information.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

GameText = Annotated[
    str, typer.Argument(metavar="GAME", help="A name, 'connect_four(5, 4)', or path/to/my_game.py:MyGame(n=3).")
]
Position = Annotated[str, typer.Argument(help="Moves from the start in the game's notation, or a state.")]
Json = Annotated[bool, typer.Option("--json", help="Print a record for programs.")]


class Side(StrEnum):
    """Who plays a side in the terminal."""

    human = "human"
    engine = "engine"


class Form(StrEnum):
    """The two ways to write minimax and alpha-beta."""

    maxmin = "maxmin"
    negamax = "negamax"


class Fail(StrEnum):
    """What a search returns outside its window."""

    soft = "soft"
    hard = "hard"


class Cut(StrEnum):
    """Whether a value equal to the bound is cut off."""

    equal = "equal"
    beyond = "beyond"


class Repetition(StrEnum):
    """What a state counts that comes back on its own path."""

    draw = "draw"


def _version(wanted: bool) -> None:
    if wanted:
        print(f"zermelo {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Play and solve two-player games of perfect information."""


@app.command()
def games(json: Json = False) -> None:
    """List the games that come with Zermelo."""
    from zermelo.app import commands

    commands.games(json)


@app.command()
def check(game: GameText, json: Json = False) -> None:
    """Check that a game keeps the contract: its rules are asked on many states, compiled and interpreted."""
    from zermelo.app import commands

    commands.check(game, json)


@app.command()
def perft(
    game: GameText,
    depth: Annotated[int, typer.Argument(min=0, help="Plies.")],
    position: Position = "",
    divide: Annotated[bool, typer.Option("--divide", help="Count after each move.")] = False,
    interpreted: Annotated[bool, typer.Option("--interpreted", help="Do not compile.")] = False,
    json: Json = False,
) -> None:
    """Count the move sequences of exactly DEPTH plies."""
    from zermelo.app import commands

    commands.perft(game, depth, position, divide=divide, interpreted=interpreted, as_json=json)


@app.command()
def tree(
    game: GameText,
    position: Position = "",
    algorithm: Annotated[str, typer.Option(help="A textbook algorithm: minimax, alphabeta, star2, ...")] = "alphabeta",
    depth: Annotated[int | None, typer.Option(min=0, help="Plies; as deep as the game goes if not given.")] = None,
    form: Annotated[Form | None, typer.Option(help="The form in which alphabeta is written.")] = None,
    fail: Annotated[Fail | None, typer.Option(help="Values outside the window: soft or hard.")] = None,
    cut: Annotated[Cut | None, typer.Option(help="Cut at equality, or only beyond it.")] = None,
    repetition: Annotated[Repetition | None, typer.Option(help="Count a state that comes back as a draw.")] = None,
    max_nodes: Annotated[int, typer.Option(min=1, help="The largest tree that is shown.")] = 1000,
    json: Json = False,
) -> None:
    """Run a textbook algorithm and print its trace and its tree."""
    from zermelo.app import tree

    chosen = {"depth": depth, "form": form, "fail": fail, "cut": cut, "repetition": repetition}
    given = {name: str(value) if isinstance(value, StrEnum) else value for name, value in chosen.items()}
    tree.show(game, position, algorithm, given, max_nodes, as_json=json)


@app.command()
def play(
    game: GameText = "connect_four",
    position: Position = "",
    first: Annotated[Side, typer.Option(help="Who plays the first player's side.")] = Side.human,
    opponent: Annotated[Side | None, typer.Option(help="Who plays the other side; by default the other kind.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Time for a move of the engine; 1 by default.")] = None,
    depth: Annotated[int | None, typer.Option(help="Plies the engine looks ahead.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Nodes the engine may visit for a move.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the dice.")] = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw boards in plain ASCII.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a record of the game at the end.")] = False,
) -> None:
    """Play in the terminal: against the engine, with a friend, or watch the engine play itself."""
    from zermelo.app import terminal
    from zermelo.limits import Limit

    nothing_set = seconds is None and depth is None and nodes is None
    limit = Limit(seconds=1.0 if nothing_set else seconds, depth=depth, nodes=nodes)
    other = opponent or (Side.engine if first is Side.human else Side.human)
    terminal.play(game, position, (first.value, other.value), limit, seed=seed, ascii=ascii, as_json=json)


@app.command()
def bench(json: Json = False) -> None:
    """Search fixed positions and print the node count that names this version's behaviour, and its speed."""
    from zermelo.app.bench import bench as run_bench

    run_bench(json)


# -- the way in and the way out ------------------------------------------------------------------------------------


def main() -> None:
    """The command `zermelo`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without ∞ shows a question mark, and goes on
    code = run(sys.argv[1:])
    _flush()
    if any(thread.daemon and thread.is_alive() for thread in threading.enumerate()):
        os._exit(code)  # a compiler still at work in the background would hold the door
    sys.exit(code)


def run(args: list[str]) -> int:
    """Run a command line and return its exit code; every error becomes a sentence on the error stream."""
    from zermelo.app import errors, output

    try:
        answer: Any = app(args, prog_name="zermelo", standalone_mode=False)
        if answer == errors.INTERRUPTED:  # how Typer passes Ctrl-C on
            raise KeyboardInterrupt
        return answer if isinstance(answer, int) else 0
    except (KeyboardInterrupt, typer.Abort):
        output.say_error("Interrupted.")
        return errors.INTERRUPTED
    except (BrokenPipeError, SystemExit):  # how Typer passes on that the reader has gone
        _forget_output()
        return errors.FAILURE
    except Exception as error:
        if errors.debugging():
            raise
        if isinstance(error, typer.BadParameter.__mro__[2]):  # whatever the command line parser complains about
            output.say_error(_usage(error))
            return errors.USAGE
        found = errors.complaint(error)
        output.say_error(found.sentence, found.details)
        return found.code


def _usage(error: Any) -> str:
    context = getattr(error, "ctx", None)
    help_command = f" See `{context.command_path} --help`." if context else ""
    return f"{error.format_message().rstrip('.')}.{help_command}"


def _flush() -> None:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        _forget_output()


def _forget_output() -> None:
    """The reader has gone: keep the interpreter from flushing to it once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
