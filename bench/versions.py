"""Two versions of Zermelo against each other, or one against another program: what a change is worth in Elo.

    python bench/versions.py HEAD~1 . --games 200
    python bench/versions.py v0.1 main --game othello --nodes 20000 --sprt 0 20
    python bench/versions.py . "uci:gnuchess --uci" --seconds 0.1

A version is a folder with the source, or a revision of git, of which a copy is made. Each plays in a process of its
own, by UCI in chess and by UGI in other games, and is compiled before the first move. Chess begins with well-known
openings and two random moves; other games with random moves. The exit code is 2 where the match cannot be played.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shlex
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chess_contest import OPENINGS
from worker import BenchError

import zermelo as z
from zermelo import rules
from zermelo.matches.match_result import MatchResult
from zermelo.matches.player_spec import PROTOCOLS

COMPILE = """
import sys, time, zermelo as z
from zermelo.play import Engine
engine = Engine(z.load(sys.argv[1]))
engine.prepare()
while engine.compiling:
    time.sleep(0.05)
"""
"""Compiles the search of a version, so that it is in the cache when the match begins."""


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            print(played(options, Path(folder)))
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench/versions.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("first", help="a folder, a revision of git, or a player such as 'uci:gnuchess --uci'")
    add("second", help="its opponent")
    add("--game", default="chess", help="the game (chess)")
    add("--games", type=int, default=100, metavar="N", help="games, two for each opening (100)")
    add("--seconds", type=float, default=0.05, metavar="S", help="elapsed seconds for a move (0.05)")
    add("--nodes", type=int, metavar="N", help="nodes for a move, in place of seconds")
    add("--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"), help="end when a sequential test has decided")
    add("--seed", type=int, default=0, metavar="N", help="the seed of the openings (0)")
    return parser


def played(options: argparse.Namespace, folder: Path) -> MatchResult:
    """The result of the match; `folder` takes the copies of revisions and the openings."""
    game = z.load(options.game)
    limit = f"nodes={options.nodes}" if options.nodes else f"seconds={options.seconds}"
    players = [
        player(name, limit, options.game, folder / str(number))
        for number, name in enumerate((options.first, options.second))
    ]
    openings: Any = 6
    if options.game == "chess":
        openings = folder / "openings"
        openings.write_text("\n".join(chess_openings(game, (options.games + 1) // 2, options.seed)))
    return z.match(
        game,
        *players,
        games=options.games,
        openings=openings,
        seed=options.seed,
        sprt=tuple(options.sprt) if options.sprt else None,
        on_game=progress,
    )


def progress(record: dict[str, Any], result: MatchResult) -> None:
    if sys.stderr.isatty():
        wins, draws, losses = result.counts
        print(f"\r{wins} won, {draws} drawn, {losses} lost, Elo {result.elo:+.0f}  ", end="", file=sys.stderr)


def player(name: str, limit: str, game: str, folder: Path) -> str:
    """The player of a match that a folder, a revision or the text of a player stands for."""
    if name.split(",")[-1].split(":")[0] in PROTOCOLS:
        return f"{limit},{name}"
    source = source_folder(name, folder)
    environment = {**os.environ, "PYTHONPATH": str(source)}
    done = subprocess.run([sys.executable, "-c", COMPILE, game], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise BenchError(f"{name} does not run: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    protocol = ["uci"] if game == "chess" else ["ugi", game]
    command = shlex.join(["env", f"PYTHONPATH={source}", sys.executable, "-m", "zermelo", *protocol])
    return f"name={name},{limit},{protocol[0]}:{command}"


def source_folder(name: str, folder: Path) -> Path:
    """The folder that holds the package: of a checkout, or of a revision that is copied to `folder`."""
    for source in (Path(name) / "src", Path(name)):
        if (source / "zermelo" / "__init__.py").is_file():
            return source.resolve()
    made = subprocess.run(["git", "archive", name, "src"], capture_output=True)
    if made.returncode:
        raise BenchError(f"{name} is neither a folder with src/zermelo nor a revision of git here.")
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


def chess_openings(game: z.Game, count: int, seed: int) -> Iterator[str]:
    """Distinct positions: well-known openings, each followed by two random moves, the second time by others."""
    dice = random.Random(seed)
    seen: set[Any] = set()
    while len(seen) < count:
        state = z.position(game, OPENINGS[len(seen) % len(OPENINGS)])
        for _ in range(2):
            quiet = [move for move in rules.legal_actions(game, state) if not game.noisy(state, move)]
            state = game.play(state, dice.choice(quiet))
        if state not in seen and rules.payoff(game, state) == z.ONGOING:
            seen.add(state)
            yield game.state_text(state)


if __name__ == "__main__":
    sys.exit(main())
