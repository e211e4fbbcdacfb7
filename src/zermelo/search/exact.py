"""Exact search: proving a value by null windows that close in on it.

Short wins and losses are cheap to find or to rule out, so they are asked for first, a few plies farther each time and
for both sides by turns; what is left between them is then halved.
"""

from __future__ import annotations

from zermelo.native.kernel import kernel
from zermelo.rules import candidates_into, has_distance, state_from, turns
from zermelo.search.alphabeta import alphabeta
from zermelo.search.memory import MOVES, NODES, STOP, WIDTH
from zermelo.search.table import ENDLESS
from zermelo.value import DECISIVE, WIN_SCORE

STRIDE = 4
"""Plies by which the question "won, or lost, within so many?" grows: measured on Connect Four, 2 to 20 were tried."""


@kernel
def prove(game, state, unit, table, memory):
    """The score of `state`, proven; meaningless once the search is stopped."""
    low, high = game.bounds(state)
    plies = STRIDE
    losing = True
    while low < high:
        ask = (low + high) // 2
        if has_distance(game):
            if high > DECISIVE and (low >= -DECISIVE or not losing):
                ask = max(WIN_SCORE - plies - 1, 0)
            elif low < -DECISIVE:
                ask = min(plies - WIN_SCORE, -1)
            if not losing:
                plies += STRIDE
            losing = not losing
        ask = max(low, min(high - 1, ask))
        score = alphabeta(game, state, ENDLESS, 0, ask, ask + 1, unit, table, memory)
        if memory[STOP]:
            return score
        if score <= ask:
            high = min(score, high)
        else:
            low = max(score, low)
    return low


@kernel
def keeping_move(game, state, score, unit, table, memory):
    """The first move that keeps the proven score of `state`; the table has most of what it asks for."""
    width = memory[WIDTH]
    moves = memory.part(MOVES, width)
    count = candidates_into(game, state, moves)
    for i in range(min(count, width)):
        child = game.play(state, moves[i])
        if turns(game, state, child):
            kept = -alphabeta(game, child, ENDLESS, 1, -score, -score + 1, unit, table, memory) >= score
        else:
            kept = alphabeta(game, child, ENDLESS, 1, score - 1, score, unit, table, memory) >= score
        if kept:
            return moves[i]
    return moves[0]


@kernel
def prove_many(game, rows, scores, moves, nodes, unit, table, memory):
    """Prove the states in `rows`, one table for all: how many were finished before the search was stopped."""
    for i in range(len(rows)):
        memory[NODES] = 0
        state = state_from(game, rows[i])
        scores[i] = prove(game, state, unit, table, memory)
        moves[i] = keeping_move(game, state, scores[i], unit, table, memory)
        nodes[i] = memory[NODES]
        if memory[STOP]:
            return i
    return len(rows)
