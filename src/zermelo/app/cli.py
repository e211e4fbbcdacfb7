"""The command line: `zermelo games | check | perft | tree | analyze | solve | probe | play | serve | plot | bench`.

Each command reads its arguments here and does its work in a function that is imported when it is needed, so that help
is quick. Mistakes are one red sentence: exit code 2 for a command line that cannot be read, 1 for a game or a task
that fails, and for an answer that cannot be printed. A reader who has seen enough, as `| head` has, is no mistake: 0.
"""

from __future__ import annotations

import io
import re
import sys
import warnings
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo import __version__
from zermelo.app.commands import plot_command
from zermelo.app.options import (
    ALGORITHMS,
    Cut,
    Database,
    Fail,
    Form,
    GameText,
    Json,
    Method,
    Position,
    Repetition,
    Side,
    Style,
    Table,
    limited,
    number,
    window,
)
from zermelo.arguments import MAX_THREADS
from zermelo.files import build_time
from zermelo.perft_divide import MAX_PERFT_DEPTH
from zermelo.play.book import DEFAULT_PLIES, EASY_NODES

app = typer.Typer(
    name="zermelo",
    help="Play and solve two-player games of perfect information.",
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(plot_command.app, name="plot")


LONG = 3.0
"""Seconds after which a rule that is still running is spoken of."""


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
    from zermelo.app.commands import game_commands

    game_commands.games(json)


@app.command()
def check(game: GameText, json: Json = False) -> None:
    """Check that a game keeps the contract: its rules are asked on many states, compiled and interpreted."""
    from zermelo.app.commands import game_commands

    game_commands.check(game, json)


@app.command()
def perft(
    game: GameText,
    depth: Annotated[int, typer.Argument(min=0, max=MAX_PERFT_DEPTH, help="Plies.")],
    position: Position = "",
    divide: Annotated[bool, typer.Option("--divide", help="Count after each move.")] = False,
    interpreted: Annotated[bool, typer.Option("--interpreted", help="Do not compile.")] = False,
    json: Json = False,
) -> None:
    """Count the move sequences of exactly DEPTH plies."""
    from zermelo.app.commands import game_commands

    game_commands.perft(game, depth, position, divide=divide, interpreted=interpreted, as_json=json)


@app.command()
def tree(
    game: GameText,
    position: Position = "",
    algorithm: Annotated[str, typer.Option(metavar="NAME", help=f"One of {ALGORITHMS}.")] = "alphabeta",
    depth: Annotated[int | None, typer.Option(min=0, help="Plies; as deep as the game goes if not given.")] = None,
    form: Annotated[Form | None, typer.Option(help="The form in which alphabeta is written.")] = None,
    fail: Annotated[Fail | None, typer.Option(help="Values outside the window: soft or hard.")] = None,
    cut: Annotated[Cut | None, typer.Option(help="Cut at equality, or only beyond it.")] = None,
    window: Annotated[
        Any, typer.Option(parser=window, metavar="LOW,HIGH", help="Alpha and beta at the root; open if not given.")
    ] = None,
    guess: Annotated[Any, typer.Option(parser=number, metavar="NUMBER", help="The guess of aspiration.")] = None,
    margin: Annotated[
        Any, typer.Option(parser=number, metavar="NUMBER", help="Half the width of the first aspiration window.")
    ] = None,
    order: Annotated[bool, typer.Option("--order", help="Try moves by the game's order rule.")] = False,
    symmetric: Annotated[bool, typer.Option("--symmetric", help="Count equivalent states as one.")] = False,
    repetition: Annotated[Repetition | None, typer.Option(help="Count a state that comes back as a draw.")] = None,
    max_nodes: Annotated[int, typer.Option(min=1, help="The largest tree that is shown.")] = 1000,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the tree to a picture instead.")] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page instead that steps through the search.")
    ] = None,
    max_depth: Annotated[int | None, typer.Option(min=1, help="Plies that are drawn.")] = None,
    max_width: Annotated[
        int | None,
        typer.Option(min=1, help="Successors of a node that are drawn."),
    ] = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw the tree in plain ASCII.")] = False,
    json: Json = False,
) -> None:
    """Run a textbook algorithm and print its trace and its tree, or draw the tree to a file."""
    from zermelo.app.commands import tree_command

    chosen: dict[str, Any] = {"depth": depth, "form": form, "fail": fail, "cut": cut, "repetition": repetition}
    chosen |= {"window": window, "guess": guess, "margin": margin, "order": order or None}
    chosen |= {"symmetric": symmetric or None}
    given = {name: str(value) if isinstance(value, StrEnum) else value for name, value in chosen.items()}
    if svg is None and html is None and (max_depth or max_width):
        raise typer.BadParameter("--max-depth and --max-width are for --svg and --html.")
    pictures = tree_command.Pictures(svg, html, max_depth, max_width)
    tree_command.show(game, position, algorithm, given, max_nodes, pictures=pictures, ascii=ascii, as_json=json)


@app.command()
def analyze(
    game: GameText,
    position: Position = "",
    seconds: Annotated[float | None, typer.Option(help="Time for the analysis.")] = None,
    depth: Annotated[int | None, typer.Option(help="Plies to look ahead.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Nodes to visit.")] = None,
    lines: Annotated[int | None, typer.Option(min=1, help="How many moves get a line; 1 by default.")] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, max=MAX_THREADS, help="Threads that search together; 1 by default.")
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Prove the value, by null windows.")] = False,
    table: Table = None,
    method: Annotated[Method, typer.Option(help="Alpha-beta, proof-number search or Monte Carlo tree search.")] = (
        Method.search
    ),
    at_least: Annotated[
        int | None, typer.Option(help="What proof asks for: 1, a win, by default; 0, a draw; or so many points.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of monte-carlo.")] = None,
    database: Database = None,
    json: Annotated[bool, typer.Option("--json", help="Print one record a line, the last one final.")] = False,
) -> None:
    """Search a position, and show depth, value and line of each round as it is finished.

    Without a limit it goes on until the value is proven. Ctrl-C ends it with the answer so far.
    """
    from zermelo.app.commands import analyze_command

    limit = limited(seconds, depth, nodes)
    options: dict[str, Any] = {"exact": exact or None, "lines": lines, "threads": threads, "table": table}
    options |= {"at_least": at_least, "seed": seed, "database": database}
    analyze_command.analyze(game, position, limit, method.value, options, as_json=json)


@app.command()
def solve(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="As in other commands; --verify needs it only for a game of your own.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where the solution is written.")
    ] = None,
    wdl: Annotated[bool, typer.Option("--wdl", help="Keep wins, draws and losses without their distance.")] = False,
    stage: Annotated[int | None, typer.Option(help="Solve this stage and those it leads to.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, max=MAX_THREADS, help="Threads; all cores by default.")] = None,
    epsilon: Annotated[
        float | None, typer.Option(help="The greatest error of an expectation; 1e-9 by default.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew, whatever an earlier run has kept.")] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Go on from a checkpoint made elsewhere; a forged one can do harm.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Try it though the game seems too large.")] = False,
    verify: Annotated[Path | None, typer.Option(metavar="FILE", help="Check a solution instead.")] = None,
    sample: Annotated[
        int | None, typer.Option(min=0, help="How many states --verify searches forward; 100 by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Find the exact value of every state of a game, by the method that suits its rules.

    With -o the solution is written to a file. What is finished on the way is kept beside it, so that the same command
    goes on where an earlier one was interrupted. --verify FILE computes every entry of such a file once more, from its
    successors, and some of them by search.
    """
    from zermelo.app.commands import solve_command

    chosen: dict[str, Any] = {"wdl": wdl or None, "stage": stage, "threads": threads, "epsilon": epsilon}
    chosen |= {"fresh": fresh or None, "trust": trust or None, "force": force or None}
    given = {name: value for name, value in chosen.items() if value is not None}
    if verify is None and sample is not None:
        raise typer.BadParameter("--sample is for --verify.")
    if verify is not None:
        if output is not None or given.keys() - {"threads"}:
            raise typer.BadParameter("--verify takes a game, --sample, --threads and --json.")
        given |= {} if sample is None else {"sample": sample}
        solve_command.verify(verify, game, given, as_json=json)
    elif not game:
        raise typer.BadParameter("Name the game to solve.")
    else:
        solve_command.solve(game, output, given, as_json=json)


@app.command()
def probe(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `zermelo solve -o FILE` wrote.")],
    position: Position = "",
    game: Annotated[str, typer.Option(metavar="GAME", help="The game, where it is not one of Zermelo's own.")] = "",
    json: Json = False,
) -> None:
    """Look a position up in a solution: its value, those of its moves, and a perfect game."""
    from zermelo.app.commands import probe_command

    probe_command.probe(file, game, position, as_json=json)


@app.command()
def book(
    game: GameText,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where the book is, or is to be.")],
    plies: Annotated[int, typer.Option(min=1, max=100, help="How far it reaches at most.")] = DEFAULT_PLIES,
    nodes: Annotated[int, typer.Option(min=1, help="It ends where so many nodes settle who wins.")] = EASY_NODES,
    table: Table = None,
) -> None:
    """Make an opening book: moves that are proven to keep the win or the draw, whatever the other side plays."""
    from zermelo.app.commands import book_command

    book_command.book(game, output, plies, nodes, table)


@app.command()
def play(
    game: GameText = "",
    position: Position = "",
    first: Annotated[Side, typer.Option(help="Who plays the first player's side.")] = Side.human,
    opponent: Annotated[Side | None, typer.Option(help="Who plays the other side; by default the other kind.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Time for a move of the engine; 1 by default.")] = None,
    depth: Annotated[int | None, typer.Option(help="Plies the engine looks ahead.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Nodes the engine may visit for a move.")] = None,
    clock: Annotated[
        str | None, typer.Option(metavar="TIME", help="The engine's time for the game: 5+3 or 40/90+30.")
    ] = None,
    style: Annotated[Style, typer.Option(help="Which of equally good moves the engine plays.")] = Style.exact,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the dice, and of the engine's choice between equal moves.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=MAX_THREADS, help="Threads of the engine.")] = 1,
    database: Database = None,
    book: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An opening book, as `zermelo book -o` writes it.")
    ] = None,
    no_book: Annotated[bool, typer.Option("--no-book", help="Search from the first move on.")] = False,
    load: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a game that was saved; its record names the game.")
    ] = None,
    full_screen: Annotated[bool, typer.Option("--full-screen", help="Fill the terminal, and use the mouse.")] = False,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw boards in plain ASCII.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a record of the game at the end.")] = False,
) -> None:
    """Play in the terminal: against the engine, with a friend, or watch the engine play itself.

    Without a name, the game is connect_four.
    """
    from zermelo.app.terminal import game_dialogue

    nothing_set = seconds is None and depth is None and nodes is None
    if clock is not None and not nothing_set:
        raise typer.BadParameter("--clock is for the whole game; it excludes --seconds, --depth and --nodes.")
    if book is not None and (no_book or seed is not None or style is not Style.exact):
        raise typer.BadParameter("--book is for the exact style without a seed; it excludes --no-book.")
    limit = limited(1.0 if nothing_set else seconds, depth, nodes)
    other = opponent or (Side.engine if first is Side.human else Side.human)
    options = game_dialogue.EngineOptions(limit, clock, style.value, seed, threads, database, book or not no_book)
    session = options.session(game, position, load)
    options.require_native(session.game)
    if full_screen:
        from zermelo.app.terminal.fullscreen_game import play as begin
    else:
        from zermelo.app.terminal.terminal_game import play as begin
    begin(session, (first.value, other.value), options, ascii=ascii, as_json=json)


@app.command()
def serve(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="The games to serve; all of Zermelo's by default.")
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen at; with 0.0.0.0 other machines can reach it.")] = (
        "127.0.0.1"
    ),
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port; 8000 by default, or the next that is free.")
    ] = None,
    database: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A solution, as `zermelo solve -o` writes it; any number.")
    ] = None,
    open: Annotated[bool | None, typer.Option("--open/--no-open", help="Open the page in a browser.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, max=MAX_THREADS, help="Searches that may run at once.")] = None,
) -> None:
    """Serve the web page and its API: play, analyze, explore databases, and watch a search think."""
    from zermelo.app.commands import serve_command

    serve_command.serve(games or [], host, port, database or [], opens=open, threads=threads)


@app.command()
def bench(json: Json = False) -> None:
    """Measure this version: one number for what its search does, and how fast it is.

    Bench is the number of nodes that fixed positions take to a fixed depth. It is the same on every machine, and
    changes only when the search does. Speed is given as ratios, taken side by side: rules compiled against the same
    rules interpreted, and the start of a second process against numba's import.
    """
    from zermelo.app.commands.bench_command import bench as run_bench

    run_bench(json)


# -- the way in and the way out ------------------------------------------------------------------------------------


def main() -> None:
    """The command `zermelo`."""
    from zermelo.app import exit_handling, output

    def sentence(message: Warning | str, *_: object, **__: object) -> str:
        """Without the line of ours that warns, and the one where Numba stumbled over a setting."""
        return f"{output.visible(str(message).partition('The parse failed')[0].strip())}\n"

    exit_handling.open_streams()
    exit_handling.end_at_second_ctrl_c()
    warnings.formatwarning = sentence
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without ∞ shows a question mark, and goes on
    exit_handling.exit_process(run(sys.argv[1:]))


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
        with rule_watchdog.Watchdog(LONG, tell).running():
            answer: Any = app(readable(args) or ["--help"], prog_name="zermelo", standalone_mode=False)
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
