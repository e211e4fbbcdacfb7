"""Extensions: a state whose reply is forced is searched one ply deeper."""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.searching.alphabeta.transposition_table import UNLIMITED
from zermelo.searching.runtime.thread_memory import NOMINAL_PLY


@kernel
def extended_depth(game, state, depth, ply, path_free, memory):
    """The depth to which a state is searched: a ply more where the rule `forcing` says that there is little choice."""
    if depth != UNLIMITED and not path_free and ply < 2 * memory[NOMINAL_PLY] and game.forcing(state):
        return depth + 1
    return depth
