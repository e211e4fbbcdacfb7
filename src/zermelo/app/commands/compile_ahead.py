"""Compile ahead: what a command or the next one needs, in a process of its own.

An author's loop is check, analyze, solve, and again after an edit. Each command starts to compile what the next is
likely to need. Games of the catalogue are not compiled ahead, since few of them are searched after they were checked.
"""

from __future__ import annotations

import os

from zermelo import rules
from zermelo.game import Game
from zermelo.games.support.compile_worker import linked_kernels
from zermelo.native.compilability import error_of
from zermelo.native.compile_process import start_compiling

AHEAD_VARIABLE = "ZERMELO_COMPILE_AHEAD"
"""Set to 0, it keeps commands from compiling for the next one."""


def search_kernels(game: Game) -> list[str]:
    """The kernels of a search."""
    return ["star2" if rules.has_chance(game) else "alphabeta"]


def solve_kernels(game: Game) -> list[str]:
    """The kernels of a solve, in the order in which they are needed."""
    numbered = [] if rules.has_index(game) else ["expand"]
    if rules.has_chance(game):
        return [*numbered, "tighten_bounds", "tally"]
    if game.margin:
        return [*numbered, "solve_margins", "tally"]
    return [*numbered, "initialise", "tally", *(["propagate"] if game.loops else [])]


def compile_for_next(game: Game, kernels: list[str]) -> None:
    """Start to compile kernels that the next command is likely to need."""
    own = not type(game).__module__.startswith("zermelo.games.")
    if own and os.environ.get(AHEAD_VARIABLE, "1") != "0":
        compile_elsewhere(game, kernels)


def compile_elsewhere(game: Game, kernels: list[str]) -> None:
    """Start to compile kernels in another process, those that are not in the cache. Who needs one waits for it."""
    if error_of(game) is None:
        known = linked_kernels()
        start_compiling(game, [name for name in kernels if not known[name].is_cached(game)])
