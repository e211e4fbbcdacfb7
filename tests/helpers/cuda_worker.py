"""Runs checks of kernels for a GPU, in Numba's simulator or on a real one, and prints what it found as JSON.

NUMBA_ENABLE_CUDASIM=1 python cuda_worker.py [SCALE] [CHECK ...]
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

import zermelo as z
from solve_games import Layers, Rooms, Rounds, Squares, Stairs, Throws, Turns, Ways, roll
from zermelo import bits

os.environ["SOURCE_DATE_EPOCH"] = "1700000000"

SCALE = 1 if len(sys.argv) < 2 else int(sys.argv[1])
"""How much larger the games are on a real GPU."""


def playouts():
    """Random games, as the CPU plays them."""
    found = {}
    for name, n in (("tic_tac_toe", 200), ("pig(15)", 60), ("hexapawn", 40)):
        game = z.load(name)
        both = [z.playouts(game, n=n * SCALE, seed=3, limit=60, on=on).to_dict() for on in ("cpu", "cuda")]
        for record in both:
            for fact in ("on", "seconds", "plies_per_second"):
                del record[fact]
        found[name] = both
    return found


SMALL = [("hexapawn", True), ("dots_and_boxes(1, 2)", False), ("mu_torere", False), ("three_mens_morris", False)]
LARGE = [("six_mens_morris", False), ("chess_endgame(KRK)", True), ("kalah(3, 3)", False)]
CONNECTED = [("tic_tac_toe", False), ("connect_four(5, 4)", False), ("connect_four(4, 4)", True)]


def solutions(games=SMALL):
    """Files of solutions, as the CPU writes them: whether they are equal, byte by byte."""
    return {f"{name} wdl={wdl}": same_files(z.load(name), wdl) for name, wdl in games}


def same_files(game, wdl):
    """Whether the CPU and the device write the same file."""
    files = []
    for on in ("cpu", "cuda"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "solution.zd"
            z.solve(game, path, on=on, wdl=wdl)
            files.append(path.read_bytes())
    return files[0] == files[1]


def runs():
    """Sorted keys, compressed and merged part by part on the device: whether they are those that NumPy finds."""
    from zermelo.native.device.device_platform import arrays, to_host
    from zermelo.solving.cuda import key_runs
    from zermelo.solving.enumeration.state_packing import Packing, Range

    xp, source, found = arrays(), np.random.default_rng(1), []
    key_runs.PART_KEYS = 128
    for length, spread in ((1, 4), (64, 2), (65, 8), (200, 40), (150 * SCALE, 12)):
        packing = Packing.fitting([Range(0, 2**50, -1), Range(1, 2**8, -1)])
        runs = key_runs.KeyRuns(packing)
        steps = [2 ** source.integers(0, spread, length) + source.integers(0, 3, length) for _ in range(3)]
        parts = [np.unique(np.cumsum(each) << runs.shift) + 1 for each in steps]
        whole = runs.merged([runs.on_device(part) for part in parts])
        expected = np.unique(np.concatenate(parts))
        copy = runs.on_host(whole)
        absent = np.setdiff1d(np.arange(1, 500) << runs.shift, expected - 1) + 1
        found += [
            np.array_equal(to_host(runs.keys(whole)), expected),
            np.array_equal(np.asarray(copy), expected),
            np.array_equal(to_host(runs.keys(runs.on_device(copy))), expected),
            np.array_equal(copy[70:150], expected[70:150]),
            np.array_equal(copy.find_many(expected), np.arange(len(expected))),
            bool((copy.find_many(absent) < 0).all()),
            copy.find(int(expected[-1])) == len(expected) - 1,
        ]
        assert len(xp.asarray(expected)) == copy.count
    return found


class Pairs(Layers):
    """Two stones on cells that take more than a word for each player, the second one near the first."""

    last = 2

    def moves(self, spread):
        first = bits.lsb(spread.theirs)
        for cell in range(self.cells):
            if spread.theirs == 0 or 0 < abs(cell - first) < 3:
                yield cell


def within_limits():
    """Solutions where every limit of memory is tiny: keys are compressed, spilled, and merged in many parts."""
    from zermelo.solving.cuda import cuda_backward, cuda_forward, key_runs

    cuda_forward.COMPRESSED_FROM, cuda_forward.SPARE_SHARE, cuda_forward.SIMULATED_CHUNK = 1, 2.0, 64
    cuda_forward.MOST_SUCCESSORS, key_runs.PART_KEYS = 1 << 14, 128
    cuda_backward.EVALUATED_KEYS, cuda_backward.PLAIN_SHARE = 128, 0.0
    return same_everywhere(
        [(Pairs(), False), (z.load("connect_four(3, 3)"), True), (z.load("dots_and_boxes(1, 2)"), False)]
    )


def spilled():
    """Solutions where next to nothing fits into the memory of the device: the host has all keys and entries."""
    from zermelo.solving.cuda import cuda_backward, cuda_forward, key_runs

    cuda_forward.COMPRESSED_FROM, cuda_forward.SIMULATED_CHUNK, key_runs.PART_KEYS = 100, 64, 128
    cuda_backward.EVALUATED_KEYS, cuda_backward.PART_SHARE, cuda_backward.FIRST_WIDTH = 128, 1e-5, 2
    cuda_backward.RESIDENT_SHARE, key_runs.SPILL_SHARE = 0.0, 2.0
    games = [(Pairs(), False), (z.load("connect_four(3, 3)"), True), (z.load("dots_and_boxes(1, 2)"), False)]
    return same_everywhere([*games, (Casts(), False)])


class Casts(Throws):
    """Chance, with stages."""

    games = 6
    stage = Stairs.stage


class FewThrows(Throws):
    """Chance, and plies as stages."""

    games = 6


class FewTurns(Turns):
    """Points that can be put off for ever: one stage, which the CPU evaluates."""

    games, places, loops = 6, 12, True
    target = Rounds.target


class FewRounds(Rounds):
    """Play repeats."""

    games = 6


class FewRooms(Rooms):
    """Play repeats within stages."""

    games = 6


class FewSquares(Squares):
    """Points, play that repeats within stages, and states that a rule numbers, with holes."""

    margin, games = True, 5
    payoff_bounds = (-90, 90)

    def ended(self, spot):
        if spot.place < self.places and roll(spot, 10, 8) > 0:
            return z.ONGOING
        return roll(spot, 11, 181) - 90


class SweptSquares(Squares):
    """Wins and losses in states that a rule numbers, with holes, without a rule that goes back: by sweeps."""

    games = 12


class FewWays(Ways):
    """The same with a rule that goes back: by waves."""

    games = 12


class FewSteps(FewSquares):
    """The same without loops: every move leads to a later stage."""

    loops, places = False, 27

    def target(self, spot, move):
        return spot.place // 7 * 7 + 8 + roll(spot, 2 + move, 6)

    def ended(self, spot):
        if spot.place < 22 and roll(spot, 10, 8) > 0:
            return z.ONGOING
        return roll(spot, 11, 181) - 90


def kinds():
    """Solutions of chance without loops, and of loops in stages that the device enumerates and the CPU evaluates.

    And of points, and of wins and losses, where a rule numbers the states.
    """
    games = (
        Casts(), FewThrows(), FewTurns(), FewRounds(), FewRooms(), FewSquares(), FewSteps(), SweptSquares(), FewWays(),
    )  # fmt: skip
    return {type(game).__name__: same_files(game, False) for game in games}


def without_room():
    """A numbered stage that does not fit into the memory of the device: the CPU solves it."""
    from zermelo.solving.cuda.numbered_stage import NumberedStage

    solve, tried = NumberedStage.solve, []

    def first_fails(stage):
        tried.append(stage.stage)
        if len(tried) == 1:
            raise MemoryError
        return solve(stage)

    NumberedStage.solve = first_fails
    same = same_files(z.load("three_mens_morris"), False)
    NumberedStage.solve = solve
    return [same, len(tried) > 1]


def limited():
    """A solution with so little memory of the device that most of it is on the host."""
    import cupy

    cupy.get_default_memory_pool().set_limit(size=40 << 20)
    return {"40 MiB": same_files(z.load("connect_four(5, 5)"), False)}


def same_everywhere(games):
    """Whether the CPU and the device write the same file, and have the same solution in memory."""
    found = []
    for game, wdl in games:
        found.append(same_files(game, wdl))
        cpu, cuda = (z.solve(game, wdl=wdl, on=on) for on in ("cpu", "cuda"))
        states = list(cpu)
        found += [list(cuda) == states, bool((cpu.values(states) == cuda.values(states)).all())]
        found += [cpu[state] == cuda[state] for state in states[::200]] + [cuda.get((1 << 40, 1)) is None]
        with tempfile.TemporaryDirectory() as folder:
            saved = [solution.save(Path(folder) / "file").path.read_bytes() for solution in (cpu, cuda)]
        found += [saved[0] == saved[1], str(z.verify(cuda)) == str(z.verify(cpu))]
    return found


def leaves():
    """Perft, as the CPU counts it."""
    depths = [("tic_tac_toe", 3), ("pig(15)", 5), ("hexapawn", 4)]
    if SCALE > 1:
        depths = [(name, depth + 4) for name, depth in depths]
    return {name: [z.perft(z.load(name), depth, on=on) for on in ("cpu", "cuda")] for name, depth in depths}


class Stuck(z.Game):
    """A game in which a state has no moves, and no rule says what that means."""

    def initial(self):
        return 3

    def moves(self, state):
        return range(1, state)

    def play(self, state, move):
        return state - move

    def result(self, state):
        return z.LOSS if state == 0 else z.ONGOING


def errors():
    """What is said of a game without a `stuck` rule, and of one that is solved on the CPU in part."""
    found = []
    for ask in (lambda: z.playouts(Stuck(), n=5, on="cuda"), lambda: z.solve(Stuck(), on="cuda")):
        try:
            ask()
        except z.GameError as error:
            found.append(str(error))
    return found


def resumed():
    """Whether a solve that was interrupted on the device is finished there, and on the CPU, with the same file."""
    from zermelo.solving.cuda.cuda_solver import CudaSolver
    from zermelo.solving.storage import store

    store.SAVE_INTERVAL = -1.0
    game, evaluate, found = z.load("hexapawn"), CudaSolver._evaluate, []
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.zd"
        z.solve(game, whole)
        for on in ("cpu", "cuda"):
            path, stages = Path(folder) / f"{on}.zd", []

            def stop(solver, stage, keys, stages=stages):
                stages.append(stage)
                if len(stages) == 3:
                    raise KeyboardInterrupt
                return evaluate(solver, stage, keys)

            CudaSolver._evaluate = stop
            try:
                z.solve(game, path, on="cuda")
            except KeyboardInterrupt:
                CudaSolver._evaluate = evaluate
                left = sorted(part.name for part in path.with_name(f"{path.name}.partial").iterdir())
                z.solve(game, path, on=on)
                found.append([any("solved" in name for name in left), path.read_bytes() == whole.read_bytes()])
    return found


CHECKS = {
    "errors": errors, "resumed": resumed, "playouts": playouts, "leaves": leaves, "solutions": solutions, "runs": runs,
    "within_limits": within_limits, "spilled": spilled, "kinds": kinds,
    "without_room": without_room, "large": lambda: solutions(LARGE),
    "connected": lambda: solutions(CONNECTED), "limited": limited,
}  # fmt: skip
"""The last three are for a real GPU."""

if __name__ == "__main__":
    chosen = sys.argv[2:] or [name for name in CHECKS if name not in ("large", "connected", "limited")]
    print(json.dumps({name: CHECKS[name]() for name in chosen}))
