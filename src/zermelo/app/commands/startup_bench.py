"""Start-up as multiples of `import numba`: how long a process takes to its first answer, with and without a cache.

Each row starts a process and stops the clock when it prints its answer. `import numba`, a process of its own as well,
is timed just before it, since the load of a machine changes. A row is the median of the ratios of its rounds. Rows are
measured one after the other, so that each can be printed as soon as it is known.
"""

from __future__ import annotations

import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from zermelo.games.support.compile_worker import is_compiling_into
from zermelo.native.cache import cache_maintenance

README_GAME = '''\
# my_game.py
from typing import NamedTuple

from zermelo import DRAW, LOSS, ONGOING, Game


class State(NamedTuple):
    mine: int  # cells of the player to move, one bit each
    theirs: int


class MyGame(Game):
    """Three in a row on a 3x3 board."""

    def initial(self):
        return State(0, 0)

    def moves(self, state):
        for cell in range(9):
            if not (state.mine | state.theirs) >> cell & 1:
                yield cell

    def play(self, state, cell):
        return State(state.theirs, state.mine | 1 << cell)

    def result(self, state):
        for line in (7, 56, 448, 73, 146, 292, 273, 84):
            if state.theirs & line == line:
                return LOSS
        return DRAW if state.mine | state.theirs == 511 else ONGOING
'''
"""The game of the README, where a test compares it."""

LINES = (7, 56, 448, 73, 146, 292, 273, 84)

SCRIPT = """
import zermelo as z
print(z.search(z.load({game!r}), limit=z.Limit(depth=6)).value, flush=True)
"""

IMPORT_NUMBA = ("-c", "import numba; print(numba.__version__, flush=True)")

ROUNDS = 5

SETTLED_SECONDS, LOOK_SECONDS = 1.0, 0.05
"""A cache into which nothing was compiled for so long is complete, if no process of the compiler holds its lock."""

MAX_FILLS = 5
"""Runs after which a cache must hold all that a command needs."""


def edited_game(number: int) -> str:
    """The README's game with another order of the lines in `result`: the same rules, written in another way."""
    order = next(itertools.islice(itertools.permutations(LINES), number, None))
    return README_GAME.replace(str(LINES), str(order))


class Workspace:
    """A folder with a game and with caches, in which processes are timed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = itertools.count(1)

    def write_game(self, text: str) -> str:
        """Write the game to a file and return its name for `load`."""
        path = self.folder / "my_game.py"
        path.write_text(text, "utf-8")
        return f"{path}:MyGame"

    def edit_game(self) -> str:
        """Edit a rule, as it was never written before."""
        return self.write_game(edited_game(next(self._numbers)))

    def empty_cache(self) -> Path:
        return Path(tempfile.mkdtemp(prefix="cache-", dir=self.folder))

    def fill(self, cache: Path, *arguments: str) -> None:
        """Run a process until it finds all that it needs in the cache."""
        for _ in range(MAX_FILLS):
            before = _names(cache)
            self.time(cache, *arguments)
            if _names(cache) == before:
                return

    def settle(self, cache: Path) -> None:
        """Wait until nothing more is compiled into the cache: a process of its own goes on after a command."""
        names, since = _names(cache), time.monotonic()
        while time.monotonic() < since + SETTLED_SECONDS:
            time.sleep(LOOK_SECONDS)
            if _names(cache) != names or is_compiling_into(cache):
                names, since = _names(cache), time.monotonic()

    def time(self, cache: Path, *arguments: str) -> float:
        """Start Python with these arguments; return the seconds until it prints the last line of its output.

        What the process does after that, for example compile for the next one, is waited for but not counted. Raise
        CalledProcessError if it fails.
        """
        # A user's installation has its bytecode; a shell that forbids writing it would measure Python's parser instead.
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        env[cache_maintenance.FOLDER_VARIABLE] = str(cache)
        started = answered = time.perf_counter()
        with (
            tempfile.TemporaryFile("w+", encoding="utf-8") as errors,
            subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, stderr=errors, env=env) as process,
        ):
            assert process.stdout is not None
            for _ in process.stdout:
                answered = time.perf_counter()
            if process.wait():
                errors.seek(0)
                raise subprocess.CalledProcessError(process.returncode, process.args, stderr=errors.read())
        self.settle(cache)
        return answered - started


def _names(cache: Path) -> set[str]:
    return {entry.path.name for entry in cache_maintenance.entries(cache)}


def _analyze(game: str, *options: str) -> tuple[str, ...]:
    return ("-m", "zermelo", "analyze", game, "--json", *options)


def _solve(game: str) -> tuple[str, ...]:
    return ("-m", "zermelo", "solve", game, "--json")


# -- the rows: each prepares what it needs, and returns a function that is timed in every round ----------------------

Measure = Callable[[], float]


def _cold(game: str | None, *options: str) -> Callable[[Workspace], Measure]:
    """A first analysis with an empty cache, of the README's game if None."""

    def prepare(work: Workspace) -> Measure:
        def measure() -> float:
            text = work.write_game(README_GAME) if game is None else game
            return work.time(work.empty_cache(), *_analyze(text, *options))

        return measure

    return prepare


def _after_edit(command: Callable[[str], tuple[str, ...]]) -> Callable[[Workspace], Measure]:
    """A command whose cache holds what it needs for the README's game before one rule of it was edited."""

    def prepare(work: Workspace) -> Measure:
        cache = work.empty_cache()
        work.fill(cache, *command(work.write_game(README_GAME)))
        return lambda: work.time(cache, *command(work.edit_game()))

    return prepare


def _warm(command: Callable[[str], tuple[str, ...]]) -> Callable[[Workspace], Measure]:
    """A command whose cache holds all that it needs."""

    def prepare(work: Workspace) -> Measure:
        cache = work.empty_cache()
        work.fill(cache, *command(work.write_game(README_GAME)))
        return lambda: work.time(cache, *command(work.write_game(README_GAME)))

    return prepare


def _script(game: str) -> tuple[str, ...]:
    return ("-c", SCRIPT.format(game=game))


def warm_script(game: str, cache: Path) -> Callable[[Workspace], Measure]:
    """A script that imports Zermelo and searches a game, with a cache that holds all that it needs."""

    def prepare(work: Workspace) -> Measure:
        work.fill(cache, *_script(game))
        return lambda: work.time(cache, *_script(game))

    return prepare


ROWS: tuple[tuple[str, Callable[[Workspace], Measure]], ...] = (
    ("README game, first analysis, empty cache", _cold(None)),
    ("README game, analysis after one rule was edited", _after_edit(_analyze)),
    ("README game, first solve, kernels of that shape known", _after_edit(_solve)),
    ("Connect Four, first analysis, empty cache", _cold("connect_four", "--depth", "12")),
    ("chess, first analysis, empty cache", _cold("chess", "--depth", "5")),
    ("warm `zermelo analyze` to its answer", _warm(_analyze)),
    ("warm `import zermelo` + `z.search` in a script", _warm(_script)),
)
"""Name and measurement of each row."""


class StartUp(NamedTuple):
    """A row of the table: medians of all rounds."""

    name: str
    numba: float
    """Seconds of `import numba` beside it."""
    seconds: float
    ratio: float
    """Against `import numba`."""


def start_up_rows(
    rows: tuple[tuple[str, Callable[[Workspace], Measure]], ...] = ROWS, rounds: int = ROUNDS
) -> Iterator[StartUp]:
    """Measure the rows, each in seconds and as a multiple of `import numba`; yield each as soon as it is measured."""
    with tempfile.TemporaryDirectory(prefix="zermelo-bench-", ignore_cleanup_errors=True) as folder:
        work = Workspace(Path(folder))
        unused = work.empty_cache()
        for name, prepare in rows:
            measure = prepare(work)
            times = [(work.time(unused, *IMPORT_NUMBA), measure()) for _ in range(rounds)]
            yield StartUp(
                name,
                statistics.median(numba for numba, _ in times),
                statistics.median(seconds for _, seconds in times),
                statistics.median(seconds / numba for numba, seconds in times),
            )
