"""Exact search: proving a value by null windows that close in on it.

Short wins and losses are cheap to find or to rule out, so they are asked for first, twice as far each time and for both
sides by turns; what is left between them is then halved.
"""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel import kernel
from zermelo.rules import candidates_into, has_distance, state_from, turns
from zermelo.search.alphabeta import alphabeta
from zermelo.search.memory import FARTHEST, LENGTH, MOST, MOVES, NO_MOVE, NODES, PV, STOP, WIDTH
from zermelo.search.table import ENDLESS
from zermelo.value import DECISIVE, WIN_SCORE

NEAR = 4
"""Plies of the first question, "won, or lost, within so many?": 2 to 20 were tried on Connect Four."""


@kernel
def prove(game, state, unit, table, memory):
    """The score of `state`, proven; meaningless once the search is stopped.

    A move that keeps it is left at the head of the principal variation, NO_MOVE if none was met on the way.
    """
    memory[PV] = NO_MOVE
    low, high = game.bounds(state)
    asked = 0
    while low < high:
        ask = question(game, low, high, asked)
        asked += 1
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
def question(game, low, high, asked):
    """What to ask next of a score between `low` and `high`, after so many questions: is it more than this?"""
    ask = (low + high) // 2
    if has_distance(game):
        plies = NEAR << min(asked // 2, 10)
        losing = asked % 2 == 0
        if high > DECISIVE and (low >= -DECISIVE or not losing):
            ask = max(WIN_SCORE - plies - 1, 0)
        elif low < -DECISIVE:
            ask = min(plies - WIN_SCORE, -1)
    return max(low, min(high - 1, ask))


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
    """Prove the states in `rows`, one table for all, until all of them together took memory[MOST] nodes.

    How many were finished: the next one could not be, or is no state to search.
    """
    left = memory[MOST]
    for i in range(len(rows)):
        state = state_from(game, rows[i])
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
