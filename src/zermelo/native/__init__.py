"""Compile kernels for a game with Numba, or run them interpreted.

Importing this package does not import Numba; the first compiled call does.
"""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext

from zermelo.game import Game
from zermelo.native.fingerprints import fingerprint
from zermelo.native.kernel_dispatch import Kernel, cache_statistics, kernel, kernels, warm_up

__all__ = ["Kernel", "cache_statistics", "cuda_error", "fingerprint", "kernel", "kernels", "native_error", "warm_up"]

# Where colorama is installed, Numba colours its messages with it, and colorama replaces sys.stdout and sys.stderr for
# the length of each message. Kernels compile beside threads that print, whose output would go astray.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
if "numba.core.errors" in sys.modules and hasattr(sys.modules["numba.core.errors"], "ColorShell"):
    setattr(sys.modules["numba.core.errors"], "ColorShell", nullcontext)  # noqa: B010  Numba was imported before


def native_error(game: Game) -> str | None:
    """The rule of the game that does not compile, its line and the reason; None if every rule compiles."""
    from zermelo.native import diagnostics

    return diagnostics.native_error(game)


def cuda_error(game: Game) -> str | None:
    """The rule of the game that does not compile for a GPU, its line and the reason; None if every rule does."""
    from zermelo.native.device import device_check

    return device_check.cuda_error(game)
