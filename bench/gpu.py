"""What one GPU does: random games, perft, Connect Four and nine men's morris, each as a user would ask for it.

    python bench/gpu.py [playouts] [perft] [connect_four] [morris] [whole_morris]

Without names all but the last run, which takes three minutes and 60 GB of memory. Kernels compile first, where not
said otherwise.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import zermelo as z


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
    """Every position of Connect Four 5x5 and 6x5, enumerated and evaluated, in memory."""
    for name in ("connect_four(5, 5)", "connect_four(6, 5)"):
        game = z.load(name)
        for run in ("with compilation", "again"):
            solution, seconds = timed(lambda game=game: z.solve(game, on="cuda", force=True))
            print(f"{name} {run}: {len(solution):,} states, {solution.value()}, {seconds:.2f} s, {solution.outcomes()}")
            del solution


def morris() -> None:
    """The moving phase of nine men's morris: all 28 subspaces."""
    game: Any = z.load("nine_mens_morris")
    solution, seconds = timed(lambda: z.solve(game, on="cuda", stage=game.stage_of(9, 9), force=True))
    print(f"nine men's morris, moving phase: {len(solution):,} states, {seconds:.1f} s with compilation")


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
