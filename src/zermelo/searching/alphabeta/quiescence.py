"""Quiescence search: at the horizon, only noisy moves are searched, and the static evaluation is a lower bound.

It takes part where the game has the rule `noisy`.
"""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel


@kernel
def keep_noisy_moves(game, state, moves, count):
    """Move the noisy moves to the front, and return how many there are."""
    noisy = 0
    for i in range(count):
        if game.noisy(state, moves[i]):
            moves[noisy] = moves[i]
            noisy += 1
    return noisy
