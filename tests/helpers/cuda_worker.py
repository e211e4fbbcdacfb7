"""Runs checks of kernels for a GPU, in Numba's simulator or on a real one, and prints what it found as JSON.

NUMBA_ENABLE_CUDASIM=1 python cuda_worker.py [SCALE]
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import zermelo as z

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


def solutions():
    """Files of solutions, as the CPU writes them: whether they are equal, byte by byte."""
    found = {}
    small = [("hexapawn", True), ("dots_and_boxes(1, 2)", False), ("mu_torere", False)]
    small.append(("three_mens_morris", False))
    large = [
        ("six_mens_morris", False),
        ("chess_endgame(KRK)", True),
        ("tic_tac_toe", False),
        ("connect_four(5, 4)", False),
        ("connect_four(4, 4)", True),
        ("kalah(3, 3)", False),
    ]
    for name, wdl in small if SCALE == 1 else small + large:
        game = z.load(name)
        files = []
        for on in ("cpu", "cuda"):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "solution.zd"
                z.solve(game, path, on=on, wdl=wdl)
                files.append(path.read_bytes())
        found[f"{name} wdl={wdl}"] = files[0] == files[1]
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


CHECKS = {"errors": errors, "resumed": resumed, "playouts": playouts, "leaves": leaves, "solutions": solutions}

if __name__ == "__main__":
    print(json.dumps({name: check() for name, check in CHECKS.items()}))
