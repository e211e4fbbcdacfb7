"""Exact search: proving a value by null windows that close in on it.

Short wins and losses are cheap to find or to rule out, so they are asked for first; then whether the state is won, or
lost; then when.
"""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import candidates_into, changes_player, has_distance, state_from_words
from zermelo.searching.alphabeta.pvs import alphabeta
from zermelo.searching.alphabeta.transposition_table import ENDLESS
from zermelo.searching.runtime.thread_memory import FARTHEST, LENGTH, MOST, MOVES, NO_MOVE, NODES, PV, STOP, WIDTH
from zermelo.value import DECISIVE, WIN_SCORE

NEAR = (6, 14)
"""Plies of the first questions, "lost, or won, within so many?": the best of many tried on Connect Four."""


@kernel
def prove(game, state, unit, table, memory):
    """The score of `state`, proven; meaningless once the search is stopped.

    A move that keeps it is left at the head of the principal variation, NO_MOVE if none was met on the way.
    """
    memory[PV] = NO_MOVE
    low, high = game.bounds(state)
    while low < high:
        ask = question(game, low, high)
        score = alphabeta(game, state, ENDLESS, 0, ask, ask + 1, unit, table, memory)
        if memory[STOP]:
            return score
        if score <= ask:
            high = min(score, high)
        else:
            low = max(score, low)
            if memory[LENGTH] == 0:  # the table knew it
                memory[PV] = NO_MOVE
    return low


@kernel
def question(game, low, high):
    """What to ask of a score between `low` and `high`: is it more than this?"""
    if not has_distance(game):
        return (low + high) // 2
    for plies in NEAR:
        if low <= plies - WIN_SCORE < high:
            return plies - WIN_SCORE
        if low <= WIN_SCORE - plies - 1 < high:
            return WIN_SCORE - plies - 1
    if low > DECISIVE:
        return low + (high - low) // 4
    if high < -DECISIVE:
        return high - 1 - (high - low) // 4
    return min(max(low, 0), high - 1)


@kernel
def keeping_move(game, state, score, unit, table, memory):
    """The first move that keeps the proven score of `state`; the table has most of what it asks for."""
    width = memory[WIDTH]
    moves = memory.part(MOVES, width)
    count = candidates_into(game, state, moves)
    for i in range(min(count, width)):
        child = game.play(state, moves[i])
        if changes_player(game, state, child):
            kept = -alphabeta(game, child, ENDLESS, 1, -score, -score + 1, unit, table, memory) >= score
        else:
            kept = alphabeta(game, child, ENDLESS, 1, score - 1, score, unit, table, memory) >= score
        if kept:
            return moves[i]
    return moves[0]


@kernel
def prove_many(game, rows, scores, moves, nodes, unit, table, memory):
    """Prove the states in `rows`, one table for all, until all of them together took memory[MOST] nodes.

    How many were finished: the next one could not be, or is no state to search.
    """
    left = memory[MOST]
    for i in range(len(rows)):
        state = state_from_words(game, rows[i])
        if game.result(state) != ONGOING or candidates_into(game, state, memory.part(MOVES, memory[WIDTH])) == 0:
            return i
        memory[NODES] = 0
        memory[MOST] = left
        memory[FARTHEST] = 0
        scores[i] = prove(game, state, unit, table, memory)
        moves[i] = memory[PV]
        if moves[i] == NO_MOVE and not memory[STOP]:
            moves[i] = keeping_move(game, state, scores[i], unit, table, memory)
        nodes[i] += memory[NODES]
        left -= memory[NODES]
        if memory[STOP]:
            return i
    return len(rows)
