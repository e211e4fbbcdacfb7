"""Late move reductions: moves that come late in the order are searched to a smaller depth first.

They take part where the game sets `reductions`. A reduced move that beats alpha is searched again to the full depth.
"""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel

FULL_DEPTH_MOVES = 3
"""How many moves are searched to the full depth before reductions begin."""

MIN_REDUCTION_DEPTH = 3
"""The least depth of a node whose late moves are reduced."""

REDUCTION_DIVISOR = 6
"""The product of the logarithms of depth and move number that makes one ply of reduction."""


@kernel
def late_move_depth(game, state, child, move, depth, tried):
    """The depth to which a late move is searched first: less than `depth`, unless it is noisy or forces the reply."""
    if game.noisy(state, move) or game.forcing(child):
        return depth
    return max(depth - max(bit_length(depth) * bit_length(tried) // REDUCTION_DIVISOR, 1), 1)


def bit_length(number):
    """The logarithm to base 2, rounded up."""
    length = 0
    while number > 0:
        number >>= 1
        length += 1
    return length
