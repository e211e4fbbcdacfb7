"""The kernel that Python calls: it searches one state, or the moves of the root one after the other.

A round of iterative deepening has few calls then, each of which costs Python as much time as a hundred nodes. The root
is searched like every other node: its first move in the whole window, the others by a null window first, late ones to a
smaller depth where the game sets `reductions`.
"""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import changes_player
from zermelo.searching.alphabeta.pvs import search_node, search_state
from zermelo.searching.alphabeta.quiescence import MAX_QUIESCENCE_LEAVES
from zermelo.searching.alphabeta.reductions import FULL_DEPTH_MOVES, late_move_depth
from zermelo.searching.alphabeta.static_bounds import state_bounds
from zermelo.searching.runtime.thread_memory import (
    MOVE_SCORES,
    NODES,
    NOMINAL_PLY,
    OPEN_MOVES,
    PLAYED,
    PV_LENGTH,
    QUIESCENCE_LEAVES,
    ROOT_MOVES,
    ROOT_TRIED,
    STOP,
    ply_row,
)

CALL_NODES = 10_000
"""Nodes after which a call returns to Python with the next move of the root, so that the table may grow."""

ROOT_REDUCTION_DEPTH = 6
"""The least depth of a round in which late moves of the root are reduced: shallow ones, as of weak players, try all."""


@kernel(kinds="state int int int int real words words")
def alphabeta(game, state, depth, ply, alpha, beta, unit, table, memory):
    """The score of `state` (`search_state`); or of a move of the root, where memory[ROOT_MOVES] are to be searched."""
    if memory[ROOT_MOVES] > 0:
        return search_moves(game, state, depth, alpha, beta, unit, table, memory)
    return search_state(game, state, depth, ply, alpha, beta, unit, table, memory)


@kernel
def search_moves(game, state, depth, alpha, beta, unit, table, memory):
    """Search the moves of the root from number memory[ROOT_TRIED] on, until one beats alpha, and return its score.

    The call also ends after the first move of a round, and after CALL_NODES; its score is that of the last move that
    was tried. Where the score beats alpha, the principal variation is left in pv[1]. The nodes that each move took are
    left beside it.
    """
    moves = ply_row(memory, 0, OPEN_MOVES)
    nodes = ply_row(memory, 0, MOVE_SCORES)
    before = memory[NODES]
    memory[NOMINAL_PLY] = depth
    memory[QUIESCENCE_LEAVES + 1] = MAX_QUIESCENCE_LEAVES
    while True:
        tried = memory[ROOT_TRIED]
        move = moves[tried]
        child = game.play(state, move)
        start = memory[NODES]
        memory[PLAYED] = move
        low, high = state_bounds(game, child, 1, memory)
        changes = changes_player(game, state, child)
        if changes:
            low, high = -high, -low
        full = depth - 1
        less = full
        if game.reductions and tried >= FULL_DEPTH_MOVES and depth >= ROOT_REDUCTION_DEPTH and low < high:
            less = late_move_depth(game, state, child, move, full, tried)
        top = beta if tried == 0 else alpha + 1
        while True:
            memory[PV_LENGTH + 1] = 0
            if low >= top or low >= high or high <= alpha:  # resolved by its bounds
                score = high if high <= alpha else low
            elif changes:
                score = -search_node(game, child, less, 1, -top, -alpha, -high, -low, 0, unit, table, memory)
            else:
                score = search_node(game, child, less, 1, alpha, top, low, high, 0, unit, table, memory)
            if memory[STOP] or score <= alpha:
                break
            if less < full:
                less = full
            elif top < beta and score < beta:
                top = beta
            else:
                break
        if memory[STOP]:
            return 0
        nodes[tried] = memory[NODES] - start
        memory[ROOT_TRIED] = tried + 1
        if score > alpha or tried == 0 or tried + 1 == memory[ROOT_MOVES] or memory[NODES] - before >= CALL_NODES:
            return score
