"""Static evaluation: the game's `evaluate` as a score, at heuristic leaves."""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.searching.runtime.thread_memory import BAD_EVAL, STOP
from zermelo.value import DECISIVE


@kernel
def static_eval(game, state, ply, unit, memory):
    """The evaluation times `unit`, as a score below every proven win and above every proven loss.

    An evaluation that is not finite stops the search; memory[BAD_EVAL] then says at which ply.
    """
    estimate = game.evaluate(state)
    if estimate - estimate != 0:  # infinite, or not a number
        memory[BAD_EVAL] = ply + 1
        memory[STOP] = 1
        return 0
    return int(min(max(estimate * unit, 1 - DECISIVE), DECISIVE - 1))
