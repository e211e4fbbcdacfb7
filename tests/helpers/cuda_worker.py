"""Runs checks of kernels for a GPU, in Numba's simulator or on a real one, and prints what it found as JSON.

NUMBA_ENABLE_CUDASIM=1 python cuda_worker.py CHECK
"""

from __future__ import annotations

import json
import sys

import zermelo as z

SCALE = 1 if len(sys.argv) < 3 else int(sys.argv[2])
"""How much larger the games are on a real GPU."""


def playouts():
    """Random games, as the CPU plays them."""
    found = {}
    for name, n in (("tic_tac_toe", 200), ("pig(15)", 60), ("kalah(2, 2)", 40), ("three_mens_morris", 20)):
        game = z.load(name)
        both = [z.playouts(game, n=n * SCALE, seed=3, limit=60, on=on).to_dict() for on in ("cpu", "cuda")]
        for record in both:
            for fact in ("on", "seconds", "plies_per_second"):
                del record[fact]
        found[name] = both
    return found


CHECKS = {"playouts": playouts}

if __name__ == "__main__":
    print(json.dumps(CHECKS[sys.argv[1]]()))
