"""Compile ahead: what a command or the next one needs, in a process of its own.

An author's loop is check, analyze, solve, and again after an edit. Each command starts to compile what the next is
likely to need. Games of the catalogue are not compiled ahead, since few of them are searched after they were checked.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from zermelo.game import Game
from zermelo.native.compilability import error_of
from zermelo.native.compile_process import start_compiling
from zermelo.native.kernel_dispatch import Kernel

AHEAD_VARIABLE = "ZERMELO_COMPILE_AHEAD"
"""Set to 0, it keeps commands from compiling for the next one."""


def compile_for_next(game: Game, kernels: Callable[[Game], Iterable[Kernel]]) -> None:
    """Start to compile kernels that the next command is likely to need."""
    own = not type(game).__module__.startswith("zermelo.games.")
    if own and os.environ.get(AHEAD_VARIABLE, "1") != "0":
        compile_elsewhere(game, kernels(game))


def compile_elsewhere(game: Game, kernels: Iterable[Kernel], *, quick: bool = False) -> None:
    """Start to compile kernels in another process, those that are not in the cache. Who needs one waits for it.

    With `quick`, who needs one gets quick code until it is optimised.
    """
    if error_of(game) is None:
        start_compiling(game, [kernel.name for kernel in kernels if not kernel.is_cached(game)], quick=quick)
