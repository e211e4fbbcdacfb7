"""Compile kernels for a game with Numba, or run them interpreted.

Importing this package does not import Numba; the first compiled call does.
"""

from __future__ import annotations

from zermelo.game import Game
from zermelo.native.fingerprints import fingerprint
from zermelo.native.kernel_dispatch import Kernel, kernel, kernels, warm_up

__all__ = ["Kernel", "fingerprint", "kernel", "kernels", "native_error", "warm_up"]


def native_error(game: Game) -> str | None:
    """The rule of the game that does not compile, its line and the reason; None if every rule compiles."""
    from zermelo.native import diagnostics

    return diagnostics.native_error(game)
