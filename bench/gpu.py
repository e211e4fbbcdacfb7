"""What one GPU does: random games, perft, Connect Four and nine men's morris, each as a user would ask for it.

    python bench/gpu.py [playouts] [perft] [connect_four] [morris] [whole_morris] [verify_morris] [connect_four_6x6]
                        [prove]

Without names the first four run: the others take minutes, two of them 60 and 100 GB of memory. Kernels compile first,
where not said otherwise.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import zermelo as z
from zermelo.native.device.device_platform import free_memory
from zermelo.solving.retrograde.database_loading import load_database
from zermelo.solving.retrograde.entries import value_of
from zermelo.solving.retrograde.solver_memory import WRONG_ENTRY
from zermelo.solving.retrograde.stage_work import StageWork
from zermelo.solving.retrograde.wdl import VERIFY, initialise
from zermelo.solving.verification import recompute_stage

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))
from connect_four_counts import COUNTS, counts_by_ply, published_counts


def playouts() -> None:
    """Random games on the GPU and on all cores."""
    for name, n in (("connect_four", 2 * 10**9), ("tic_tac_toe", 2 * 10**9), ("othello", 10**8), ("chess", 10**6)):
        game = z.load(name)
        z.playouts(game, n=1, on="cuda", limit=500)
        found = z.playouts(game, n=n, on="cuda", limit=500)
        cores = z.playouts(game, n=max(n // 1000, 10**4), limit=500)
        print(
            f"{name}: {n:,} games in {found.seconds:.2f} s, {found.rate / 1e9:.2f} G plies/s; all cores "
            f"{cores.rate / 1e9:.3f} G; {found.summary}, {found.mean_length:.2f} plies"
        )


def perft() -> None:
    """Leaves on the GPU."""
    for name, depth in (("connect_four", 12), ("othello", 9)):
        game = z.load(name)
        z.perft(game, 3, on="cuda")
        leaves, seconds = timed(lambda game=game, depth=depth: z.perft(game, depth, on="cuda"))
        same, cores = timed(lambda game=game, depth=depth: z.perft(game, depth - 1))
        assert same == z.perft(game, depth - 1, on="cuda")
        rates = f"{leaves / seconds / 1e9:.2f} G leaves/s; one core {same / cores / 1e9:.3f} G"
        print(f"perft({name}, {depth}) = {leaves:,}, {seconds:.2f} s, {rates}")


def connect_four() -> None:
    """Every position of Connect Four 5x5, 7x4 and 6x5, enumerated and evaluated, in memory."""
    for name in ("connect_four(5, 5)", "connect_four(7, 4)", "connect_four(6, 5)"):
        game = z.load(name)
        for run in ("with compilation", "again"):
            stages = Stages(10**12)
            solution, seconds = timed(
                lambda game=game, stages=stages: z.solve(game, on="cuda", force=True, progress=stages.note)
            )
            stages.finish()
            phases = ", ".join(f"{phase} {each:.2f}" for phase, each in stages.seconds.items())
            print(f"{name} {run}: {len(solution):,} states, {solution.value()}, {seconds:.2f} s ({phases})")
            compare_counts(solution)
            del solution


def connect_four_6x6() -> None:
    """All positions of Connect Four 6x6, in memory; then a sample of each ply is compared with its successors."""
    solve_and_check("connect_four(6, 6)", 1000)


def compare_counts(solution: z.Solution) -> None:
    """Compare what the player to move wins, draws and loses at each ply with published counts, where there are any."""
    board = f"{solution.game.width}x{solution.game.height}"
    if board in COUNTS:
        found, published = counts_by_ply(solution), published_counts(board)
        assert found == published, [row for row in zip(found, published, strict=True) if row[0] != row[1]]
        print(f"  wins, draws and losses of all {len(found)} plies as published: {solution.positions:,} positions")


def solve_and_check(name: str, sample: int) -> None:
    """Solve a game, print what each stage takes, and check random states of each stage.

    With GPU_SAMPLES=FILE, these states and their values are written to a file, to be proven by search elsewhere.
    """
    game = z.load(name)
    z.solve(z.load("connect_four(6, 4)"), on="cuda", force=True)  # the device starts
    stages = Stages()
    solution, seconds = timed(lambda: z.solve(game, on="cuda", force=True, progress=stages.note))
    stages.finish()
    print(f"{name}: {len(solution):,} states, {solution.positions:,} positions, {solution.value()}")
    print(f"{seconds:.1f} s with compilation")
    compare_counts(solution)
    print(f"forward {stages.seconds['forward']:.1f} s, backward {stages.seconds['backward']:.1f} s")
    for stage in sorted(solution.tables):
        rows = [count for count in solution.header.counts if count.stage == stage]
        states, all_positions = sum(row.states for row in rows), sum(row.positions for row in rows)
        size = getattr(solution.tables[stage].keys.source, "nbytes", 0)
        print(f"  ply {stage}: {states:,} states, {all_positions:,} positions, {8 * size / states:.1f} bits a key")
    sys.stdout.flush()
    print(
        f"first moves: {[str(solution.value(game.play(game.initial(), move))) for move in game.moves(game.initial())]}"
    )
    chooser, checked = random.Random(1), []
    start = time.perf_counter()
    for _, table in sorted(solution.tables.items()):
        for place in {chooser.randrange(table.length) for _ in range(sample)}:
            state = table.state(place)
            solution.check(state)
            checked.append((list(state), str(solution.value(state))))
    print(f"{len(checked):,} random states follow from their successors ({time.perf_counter() - start:.0f} s)")
    if "GPU_SAMPLES" in os.environ:
        samples_file().write_text(json.dumps(chooser.sample(checked, min(6000, len(checked)))))


def prove() -> None:
    """Prove the states in the file GPU_SAMPLES by search, on one core, the late ones first."""
    game: Any = z.load("connect_four(6, 6)")
    states = {type(game.initial())(*numbers): text for numbers, text in json.loads(samples_file().read_text())}
    left = sorted((state for state in states if game.result(state) == z.ONGOING), key=game.stage, reverse=True)
    for start in range(0, len(left), 100):
        part = left[start : start + 100]
        for state, report in zip(part, z.search_many(game, part, table="1GB"), strict=True):
            assert str(report.value) == states[state], game.state_text(state)
        print(f"{start + len(part):,} states proven, down to ply {game.stage(part[-1])}", flush=True)


def samples_file() -> Path:
    return Path(os.environ["GPU_SAMPLES"])


class Stages:
    """Prints what each stage takes that has `least` states or more, and adds the seconds of each phase."""

    def __init__(self, least: int = 10**7) -> None:
        self.least = least
        self.now, self.since = ("", 0, 0), time.perf_counter()
        self.seconds = {"forward": 0.0, "backward": 0.0}

    def note(self, progress: Any) -> None:
        here = progress.phase, progress.stage, progress.total
        if here[:2] != self.now[:2]:
            self.finish()
            self.now, self.since = here, time.perf_counter()

    def finish(self) -> None:
        phase, stage, total = self.now
        seconds = time.perf_counter() - self.since
        if phase in self.seconds:
            self.seconds[phase] += seconds
        if total > self.least:
            print(f"  {phase} {stage}: {total:,} states, {seconds:.2f} s, {free_memory() >> 30} GiB free", flush=True)


def morris() -> None:
    """The moving phase of nine men's morris: all 28 subspaces."""
    game: Any = z.load("nine_mens_morris")
    solution, seconds = timed(lambda: z.solve(game, on="cuda", stage=game.stage_of(9, 9), force=True))
    print(f"nine men's morris, moving phase: {len(solution):,} states, {seconds:.1f} s with compilation")


SMALL_SUBSPACE = 35_000_000
"""Numbers of a subspace of which every entry is verified."""


def verify_morris() -> None:
    """The moving phase, verified: every entry of the small subspaces, and a random million of all the others.

    The CPU computes these entries again from their successors, by other code.
    """
    game: Any = z.load("nine_mens_morris")
    solution, seconds = timed(lambda: z.solve(game, on="cuda", stage=game.stage_of(9, 9), force=True))
    print(f"nine men's morris, moving phase: {len(solution):,} states, {seconds:.1f} s with compilation", flush=True)
    backward = load_database(solution, os.cpu_count() or 1)
    small = [stage for stage, table in sorted(solution.tables.items()) if table.length <= SMALL_SUBSPACE]
    for stage in small:
        _, seconds = timed(lambda stage=stage: recompute_stage(solution, backward, stage))
        entries = solution.tables[stage].length
        print(f"  every entry of stage {stage} verified: {entries:,}, {seconds:.1f} s", flush=True)
    checked, seconds = timed(lambda: verify_random(solution, backward, set(solution.tables) - set(small), 10**6))
    print(f"  {checked:,} random entries of the other {len(solution.tables) - len(small)} subspaces: {seconds:.1f} s")


def verify_random(solution: z.Solution, backward: Any, stages: set[int], count: int) -> int:
    """Compute entries again, drawn with the same chance from all states of some stages."""
    chosen = random_states(solution, sorted(stages), count)
    game, words, nothing = solution.game, backward.tables.words, StageWork(0).words

    def job(thread: int, memory: Any, start: int, stop: int) -> int:
        for place in range(start, stop):
            stage, number = chosen[place]
            if initialise(game, stage, number, number + 1, VERIFY, words, nothing, memory) <= number:
                return place  # it is wrong, or has more moves than there was room for
        return stop

    def refuse(why: int, where: int, place: int) -> None:
        stage, number = chosen[place]
        should = str(value_of(where)) if why == WRONG_ENTRY else "unknown"
        raise solution.contradiction(backward.state(stage, number), f"{should} by its successors")

    backward.pool.parallel_for(count, job, refuse)
    return count


def random_states(solution: z.Solution, stages: list[int], count: int) -> list[tuple[int, int]]:
    """Draw different states, as stage and number. A number without an entry names no state."""
    game, chooser = solution.game, random.Random()
    lengths = [solution.tables[stage].length for stage in stages]
    chosen: set[tuple[int, int]] = set()
    while len(chosen) < count:
        stage = chooser.choices(stages, lengths)[0]
        number = chooser.randrange(solution.tables[stage].length)
        if solution.tables[stage].entry(number):
            chosen.add((stage, number))
        else:
            assert game.index(game.at(stage, number)) != number, (stage, number)
    return list(chosen)


def whole_morris() -> None:
    """All of nine men's morris, from the empty board."""
    game = z.load("nine_mens_morris")
    solution, seconds = timed(lambda: z.solve(game, on="cuda", force=True))
    print(f"nine men's morris: {len(solution):,} states, {solution.value()}, {seconds:.1f} s with compilation")


def timed(work: Any) -> tuple[Any, float]:
    start = time.perf_counter()
    answer = work()
    return answer, time.perf_counter() - start


if __name__ == "__main__":
    chosen = sys.argv[1:] or ["playouts", "perft", "connect_four", "morris"]
    for each in chosen:
        globals()[each]()
