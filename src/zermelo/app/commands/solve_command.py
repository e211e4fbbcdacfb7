"""zermelo solve: strong solutions, made and verified."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from zermelo import rules
from zermelo.app.commands.game_commands import hint_to_name_game, open_game
from zermelo.app.commands.probe_command import value_text
from zermelo.app.output import console, named, print_json, say, short
from zermelo.app.progress_display import ProgressDisplay, peak_memory
from zermelo.checking.solution_check import verify as verify_solution
from zermelo.files import FileError
from zermelo.formatting import size_text
from zermelo.game import Game
from zermelo.games.registry import TextError
from zermelo.native.compile_timing import CompileTimer, compile_timer
from zermelo.searching.runtime.search_threads import in_background
from zermelo.solving import solve as solve_game
from zermelo.solving.cluster.parts_place import place_of_parts
from zermelo.solving.estimation.size_estimate import TooLarge
from zermelo.solving.estimation.size_estimate import estimate as estimate_size
from zermelo.solving.plan import EXPECTATION, Plan, plan_if_compiled
from zermelo.solving.plan import plan as plan_of
from zermelo.solving.solution import Solution
from zermelo.solving.solve_api import solve_small_game
from zermelo.solving.storage.checkpoint import checkpoint_folder
from zermelo.solving.storage.checkpoint_summary import CheckpointSummary, summarise_checkpoint
from zermelo.solving.storage.database import check_output

MIN_STATES_FOR_RATE = 1_000_000
"""States from which on the interpreter's and the compiler's own memory count for little."""


def solve(game: Game, file: Path | None, options: dict[str, Any], *, as_json: bool) -> None:
    """Solve a game, into a file if one is named, and print what was found and what it took.

    `options` are those of `zermelo.solve`, as far as they were given.
    """
    _check_options(game, file, options)
    before, started = peak_memory(), time.perf_counter()
    solution = in_background(lambda: solve_small_game(game, file, **options))
    if solution is not None:
        cost = Cost(solution, time.perf_counter() - started, 0.0, before, file, resumed=False, interpreted=True)
        _print(solution, cost, _opening(game, plan_if_compiled(game, options.get("wdl", False)), None), as_json)
        return
    on_ray = str(options.get("on", "")).startswith("ray")
    plan = in_background(lambda: plan_of(game, options.get("wdl", False)))
    found = (
        None
        if file is None or options.get("fresh") or on_ray
        else summarise_checkpoint(game, file, trust=options.get("trust", False))
    )
    if not as_json:
        for line in _opening(game, plan, found):
            console().print(line)
    started = time.perf_counter()
    with compile_timer() as timer, _report_checkpoint_on_interrupt(file, options), _errors_name_options():
        display = _progress_display(plan, found, timer)
        with display.shown():
            solution = in_background(lambda: solve_game(game, file, progress=display, **options), display.stop)
    seconds = time.perf_counter() - started
    cost = Cost(solution, seconds, timer.seconds, before, file, resumed=found is not None)
    _print(solution, cost, (), as_json)


def _print(solution: Solution, cost: Cost, opening: Iterable[str], as_json: bool) -> None:
    """Print what was found and what it took, after the opening."""
    if as_json:
        print_json({"name": named(solution.game), **solution.to_dict(), **cost.to_dict()})
    else:
        for line in (*opening, *_findings(solution), *cost.lines()):
            console().print(line)


def _progress_display(plan: Plan, found: CheckpointSummary | None, timer: CompileTimer) -> ProgressDisplay:
    steady = plan.order == "acyclic"
    if found is None:
        return ProgressDisplay(steady, timer=timer)
    return ProgressDisplay(steady, found.sizes, complete=found.complete, earlier=found.solved, timer=timer)


def _check_options(game: Game, file: Path | None, options: dict[str, Any]) -> None:
    """Raise TextError for options that would be ignored, and for a file that would be overwritten."""
    if file is None and options.get("fresh"):
        raise TextError("--fresh starts a file again, and no file is named; give it with -o.")
    if file is None and options.get("trust"):
        raise TextError("--trust resumes from the checkpoint of a file, and no file is named; give it with -o.")
    if "epsilon" in options and not rules.has_chance(game):
        raise TextError(f"--epsilon bounds the error of expectations, and there is no chance in {game!r}.")
    if file is not None:
        try:
            check_output(game, file)
        except FileError as error:
            raise TextError(str(error)) from None


@contextmanager
def _errors_name_options() -> Iterator[None]:
    """Where a game is too large, name the options of the command line that help."""
    try:
        yield
    except TooLarge as large:
        ways = {f"--{option}": effect for option, effect in large.ways.items()}
        raise TextError(str(TooLarge(large.why, ways))) from None


@contextmanager
def _report_checkpoint_on_interrupt(file: Path | None, options: dict[str, Any]) -> Iterator[None]:
    """On Ctrl-C, say that the work is not lost, if it is not."""
    try:
        yield
    except KeyboardInterrupt:
        if file is not None and str(options.get("on", "")).startswith("ray"):
            place = place_of_parts(file, options.get("scratch"))
            say(f"Finished parts are kept in {place}; run the same command to resume.")
        elif file is not None and checkpoint_folder(file).is_dir():
            say(f"Finished work is kept in {_partial_name(file)}; run the same command to resume.")
        raise


def _partial_name(file: Path) -> Path:
    return file.with_name(f"{file.name}.partial")


# -- what is printed -------------------------------------------------------------------------------------------------


def _opening(game: Game, plan: Plan, found: CheckpointSummary | None) -> Iterator[str]:
    """The game, the method with its reason, and what is resumed."""
    yield f"{game!r}"
    yield f"Method: {plan}"
    if found is not None:
        states = f"{found.states:,} states found, " if found.sizes else ""
        yield f"Resuming from {found.folder.name}: {states}{found.solved:,} states solved."


def _findings(solution: Solution) -> Iterator[str]:
    """The value of the game, the counts, and a state that is farthest from the end."""
    game = solution.game
    start = rules.initial_state(game)
    if start in solution:
        yield f"Value of the initial state: {value_text(solution, solution.value(start))}"
    positions = f" ({solution.positions:,} positions)" if solution.positions != len(solution) else ""
    counts = _counts(solution)
    yield f"{len(solution):,} states{positions}{f': {counts}' if counts else ''}"
    if solution.header.order == "intervals" and solution.header.method != "interpreted":
        yield f"Error of each value: at most {solution.header.error:.2g}, proven"
    for state in solution.longest(1):
        yield f"Farthest from the end: {game.state_text(state)}, {solution.value(state)}"


def _counts(solution: Solution) -> str:
    """Wins, draws and losses in words; nothing for expectations, which are all different."""
    if solution.header.values == EXPECTATION:
        return ""
    return ", ".join(f"{number:,} {name}" for name, number in solution.outcomes().items())


class Cost:
    """What a solution took: seconds, those spent compiling, memory, and bytes on the disk."""

    def __init__(
        self,
        solution: Solution,
        seconds: float,
        compiling: float,
        before: int | None,
        file: Path | None,
        *,
        resumed: bool,
        interpreted: bool = False,
    ) -> None:
        self.solution = solution
        self.seconds = seconds
        self.compiling = compiling
        self.resumed = resumed
        self.interpreted = interpreted
        """Whether Python was finished before the compiler."""
        self.memory = peak_memory()
        self.before = before
        self.file = file
        self.bytes = None if file is None else file.stat().st_size

    @property
    def solving(self) -> float:
        """Seconds of the solving itself."""
        return max(self.seconds - self.compiling, 1e-9)

    @property
    def grown(self) -> float | None:
        """Bytes of memory for each state, beyond what the process took before."""
        return None if self.memory is None or self.before is None else (self.memory - self.before) / len(self.solution)

    def lines(self) -> Iterator[str]:
        states, positions = len(self.solution), self.solution.positions
        rates = f", {short(states / self.solving)}states/s"
        if positions != states:
            rates += f", {short(positions / self.solving)}positions/s"
        code = f"; compiling: {self.compiling:.2f} s" if self.compiling else ""
        code += ", interpreted" if self.interpreted else ""
        yield f"Time: {self.solving:.2f} s{' for what was left' if self.resumed else rates}{code}"
        if self.memory is not None:
            each = f", {self.grown:.3g} bytes a state" if states >= MIN_STATES_FOR_RATE and not self.resumed else ""
            yield f"Memory: {size_text(self.memory)}{each}"
        if self.bytes is not None:
            yield f"File: {self.file}, {size_text(self.bytes)}, {self.bytes / states:.3g} bytes a state"

    def to_dict(self) -> dict[str, Any]:
        return {
            "seconds": self.seconds,
            "compiling_seconds": self.compiling,
            "states_per_second": None if self.resumed else len(self.solution) / self.solving,
            "memory": self.memory,
            "memory_per_state": self.grown,
            "file": None if self.file is None else str(self.file),
            "bytes": self.bytes,
        }


# -- estimate --------------------------------------------------------------------------------------------------------


def estimate(text: str, options: dict[str, Any], *, as_json: bool) -> None:
    """Print how many states a game has, by stage, and what solving them would take."""
    game = open_game(text)
    if not as_json:
        console().print(f"{game!r}")
        plan = in_background(lambda: plan_of(game, options.get("wdl", False)))
        console().print(f"Method: {plan}")
    found = in_background(lambda: estimate_size(game, **options))
    if as_json:
        print_json({"name": named(game), **found.to_dict()})
    else:
        for line in found.lines():
            console().print(line)


# -- verify ----------------------------------------------------------------------------------------------------------


def verify(file: Path, text: str, options: dict[str, Any], *, as_json: bool) -> None:
    """Compute every entry of a file once more, search some states forward, and say how many were checked."""
    game = open_game(text) if text else None
    with hint_to_name_game("as well: `zermelo solve my_game.py:MyGame --verify FILE`"):
        solution = in_background(lambda: Solution.open(file, game))
    if not as_json:
        console().print(f"{solution.game!r}: {len(solution):,} states in {file}")
    display = ProgressDisplay(True, {stage: table.length for stage, table in solution.tables.items()}, complete=True)
    with display.shown():
        found = in_background(lambda: verify_solution(solution, progress=display, **options), display.stop)
    if as_json:
        record = {"name": named(solution.game), "file": str(file), "states": len(solution)}
        print_json({**record, **asdict(found)})
    else:
        console().print(f"{found} ({found.seconds:.2f} s)")
