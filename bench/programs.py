"""Zermelo against other programs: matches at equal time, with counts and 95 % intervals.

    python bench/programs.py                                    those that are installed, ten games each
    python bench/programs.py stockfish --elo 2000 --games 40 --seconds 0.1
    python bench/programs.py gnuchess --clock 1s+0.01 --games 100
    python bench/programs.py gnuchess-uci --seconds 0.1 --games 200 --concurrency 8 --budget 300
    python bench/programs.py --install                          what is missing, from Debian, npm and PyPI

Both players have one thread and the same time, one after the other; --concurrency plays as many games at once, which
needs as many cores. gnubg knows no time, and looks at its own plays (0 plies). Zermelo plays by UCI in chess, as it
does in graphical boards, and in the process of the match elsewhere.
Chess begins with well-known openings, and a match of more games than these have with random but balanced ones.
Breakthrough begins with random moves, and so do games against Fairy-Max, which knows no positions; every opening is
played with both colours. After --budget seconds a match ends with the games that are over, which are the shorter ones
where many are played at once. GNU Chess 6.2.7 ends with an assertion of its own in one game of ten or twenty, more
often on a busy machine; these games are faults, and lost.
The exit code is 2 where no match can be played, and 1 where a player broke the rules or lost on time.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import peer_venv
from chess_contest import OPENINGS
from rich.console import Console
from rich.table import Table
from worker import BenchError

import zermelo as z
from zermelo.matches.match_result import MatchResult, elo_text
from zermelo.play.record import replayed

NODE_FOLDER = Path(__file__).parent / ".npm"
FAIRY = NODE_FOLDER / "node_modules" / "fairy-stockfish-nnue.wasm" / "uci.js"
GAMES_FOLDER = "/usr/games"
"""Where Debian puts games; not every PATH has it."""


@dataclass(frozen=True)
class Program:
    """An opponent: its game, its text as a player, where it comes from, and the package there."""

    game: str
    player: str
    source: str
    package: str


PROGRAMS = {
    "gnuchess": Program("chess", "xboard:gnuchess --xboard", "Debian", "gnuchess"),
    "gnuchess-uci": Program("chess", "option.OwnBook=false,uci:gnuchess --uci", "Debian", "gnuchess"),
    "fairymax": Program("chess", "xboard:fairymax", "Debian", "fairymax"),
    "stockfish": Program(
        "chess", "option.UCI_LimitStrength=true,option.UCI_Elo={elo},uci:stockfish", "Debian", "stockfish"
    ),
    "sunfish": Program("chess", "uci:{python} -m sunfish", "PyPI", "sunfish"),
    "fairy-stockfish": Program(
        "breakthrough", f"uci:node --no-experimental-fetch {FAIRY}", "npm", "fairy-stockfish-nnue.wasm"
    ),
    "gnubg": Program("backgammon", "option.plies=0,gnubg:gnubg", "Debian", "gnubg"),
}


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False, markup=False)
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), GAMES_FOLDER])
    names = options.programs or [name for name in PROGRAMS if name != "gnuchess-uci"]
    played: dict[str, MatchResult] = {}
    for name in names:
        if (sentence := missing(PROGRAMS[name], options.install)) is not None:
            console.print(f"{name} is left out: {sentence}")
            continue
        try:
            played[name] = match(name, options)
        except (ValueError, OSError) as error:
            print(error, file=sys.stderr)
            continue
        console.print(table(played, options))
        for fault in played[name].faults:
            console.print(fault)
    if options.json:
        record = {name: result.to_dict() for name, result in played.items()}
        Path(options.json).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return 2 if not played else 1 if any(result.faults for result in played.values()) else 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench/programs.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("programs", nargs="*", choices=[*PROGRAMS, []], metavar="PROGRAM", help=f"{', '.join(PROGRAMS)} (all)")
    add("--games", type=int, default=10, metavar="N", help="games against each (10)")
    add("--seconds", type=float, default=0.1, metavar="S", help="seconds for a move (0.1)")
    add("--clock", metavar="TIME", help="a clock instead, as in 1s+0.01")
    add("--elo", type=int, default=1800, metavar="N", help="the strength of Stockfish (1800)")
    add("--concurrency", type=int, default=1, metavar="N", help="games at once, each in its own process (1)")
    add("--depth", type=int, default=1, metavar="N", help="how far Zermelo looks ahead against gnubg (1)")
    add("--install", action="store_true", help="install what is missing")
    add("--budget", type=float, default=math.inf, metavar="S", help="seconds for each match (no end)")
    add("--json", metavar="FILE", help="write the results")
    return parser


def missing(program: Program, install: bool) -> str | None:
    """None where the program can be started, else a sentence that says why not."""
    if program.source == "PyPI":
        return peer_venv.missing(program.package, install)
    if _is_there(program):
        return None
    if not install:
        return f"it is not installed; --install takes {program.package} from {program.source}."
    print(f"Installing {program.package} ...", file=sys.stderr, flush=True)
    command = ["apt-get", "install", "--yes", "--no-install-recommends", program.package]
    if program.source == "npm":
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(NODE_FOLDER), program.package]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        return f"{command[0]} cannot be started: {error.strerror}."
    return None if _is_there(program) else f"`{shlex.join(command)}` ended with exit code {done.returncode}."


def _is_there(program: Program) -> bool:
    if program.source == "npm":
        return FAIRY.exists() and shutil.which("node") is not None
    return shutil.which(program.package) is not None


def match(name: str, options: argparse.Namespace) -> MatchResult:
    """Play the match against a program."""
    program = PROGRAMS[name]
    game = z.load(program.game)
    other = program.player.format(elo=options.elo, python=peer_venv.python())
    with tempfile.TemporaryDirectory() as folder:
        limits = _limits(program, options)
        openings: Any = 4
        known = options.games <= 2 * len(OPENINGS)
        if program.game == "chess" and name != "fairymax" and known:  # which has no command for positions
            openings = Path(folder) / "openings"
            openings.write_text("\n".join(OPENINGS), encoding="utf-8")
        return z.match(
            game,
            _zermelo(program, options),
            f"name={name},{other}",
            games=options.games,
            openings=0 if program.game == "backgammon" else openings,
            concurrency=options.concurrency,
            on_game=_progress(time.monotonic() + options.budget),
            **limits,
        )


def _zermelo(program: Program, options: argparse.Namespace) -> str:
    if program.game == "backgammon":
        return f"name=Zermelo,depth={options.depth}"
    if program.game == "chess":
        return f"name=Zermelo,uci:{shlex.quote(sys.executable)} -m zermelo uci"
    return "name=Zermelo,zermelo"


def _limits(program: Program, options: argparse.Namespace) -> dict[str, Any]:
    if program.game == "backgammon":
        return {}
    if options.clock:
        return {"clock": options.clock}
    if program.player.startswith("xboard:") and options.seconds < 1:
        raise BenchError("The protocol of XBoard knows whole seconds only: give --seconds 1 or a --clock.")
    return {"limit": z.Limit(seconds=options.seconds)}


def _progress(end: float) -> Callable[[dict[str, Any], MatchResult], None]:
    """What is called after each game: it shows the score, and ends the match when its time is over."""

    def show(record: dict[str, Any], result: MatchResult) -> None:
        if sys.stderr.isatty():
            games = len(result.games)
            print(f"\r{result.players[1]}: {games} games, {result.score:g} points  ", end="", file=sys.stderr)
        if time.monotonic() > end:
            raise KeyboardInterrupt  # which ends a match with the result so far

    return show


def table(played: dict[str, MatchResult], options: argparse.Namespace) -> Table:
    each = options.clock or f"{options.seconds:g} s a move"
    table = Table(title=f"Zermelo against other programs, {each}", title_justify="left")
    for column in ("opponent", "game", "won", "drawn", "lost", "Elo, 95 % interval", "points a game", "faults"):
        table.add_column(column, justify="left" if column in ("opponent", "game") else "right")
    for name, result in played.items():
        low, high = result.interval
        elo = f"{elo_text(result.elo)} ({elo_text(low)} to {elo_text(high)})"
        points = f"{points_a_game(name, result):+.2f}" if PROGRAMS[name].game == "backgammon" else ""
        table.add_row(name, PROGRAMS[name].game, *map(str, result.counts), elo, points, str(len(result.faults)))
    return table


def points_a_game(name: str, result: MatchResult) -> float:
    """The points of Zermelo on average, gammons and backgammons counted."""
    game, total = z.load(PROGRAMS[name].game), 0
    for record in result.games:
        state = replayed(game, record).state
        points = abs(int(game.result(state))) if game.result(state) != z.ONGOING else 1
        total += points if record["seats"][record["winner"]] == 0 else -points
    return total / len(result.games)


if __name__ == "__main__":
    sys.exit(main())
