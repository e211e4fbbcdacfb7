"""The null-window driver of exact search: MTD-style bisection of the score, compiled.

Short wins and losses are cheap to find or to rule out, so they are tested first; then whether the state is won or lost;
then the distance. runtime/mtd_bisection.py does the same for several lines and threads.
"""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import candidates_into, changes_player, has_distance, state_from_words, state_length
from zermelo.searching.alphabeta.pvs import search_state
from zermelo.searching.alphabeta.transposition_table import UNLIMITED
from zermelo.searching.runtime.thread_memory import (
    MAX_NODES,
    MOVES,
    NO_MOVE,
    NODES,
    PV,
    PV_LENGTH,
    SELDEPTH,
    STOP,
    WIDTH,
)
from zermelo.value import DECISIVE, WIN_SCORE

SHORT_WINS = (6, 14)
"""Distances in plies that are tested first: the best of many tried on Connect Four."""


@kernel
def prove_score(game, state, unit, table, memory):
    """The proven score of `state`; meaningless once the search is stopped.

    memory[PV] is a move that reaches it, or NO_MOVE if no search returned one.
    """
    memory[PV] = NO_MOVE
    least, most = game.bounds(state)
    low = int(least)
    high = int(most)
    while low < high:
        threshold = bisection_point(game, low, high)
        score = search_state(game, state, UNLIMITED, 0, threshold, threshold + 1, unit, table, memory)
        if memory[STOP]:
            return score
        if score <= threshold:
            high = min(score, high)
        else:
            low = max(score, low)
            if memory[PV_LENGTH] == 0:  # the table had the score and no move
                memory[PV] = NO_MOVE
    return low


@kernel
def bisection_point(game, low, high):
    """The next threshold to test, low <= threshold < high: is the score above it?"""
    if not has_distance(game):
        return (low + high) // 2
    for plies in SHORT_WINS:
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
def find_proving_move(game, state, score, unit, table, memory):
    """The first move that keeps the proven score of `state`; the table has most of the scores that this takes."""
    width = memory[WIDTH]
    moves = memory.part(MOVES, width)
    count = candidates_into(game, state, moves)
    for i in range(min(count, width)):
        child = game.play(state, moves[i])
        if changes_player(game, state, child):
            kept = -search_state(game, child, UNLIMITED, 1, -score, -score + 1, unit, table, memory) >= score
        else:
            kept = search_state(game, child, UNLIMITED, 1, score - 1, score, unit, table, memory) >= score
        if kept:
            return moves[i]
    return moves[0]


@kernel(kinds="words int words words words real words words")
def prove_batch(game, rows, count, scores, moves, nodes, unit, table, memory):
    """Prove `count` states, whose words are in `rows`, with one table, for memory[MAX_NODES] nodes together.

    Return how many were proven: the next one could not be, or has no move to search.
    """
    left = memory[MAX_NODES]
    length = state_length(game)
    for i in range(count):
        state = state_from_words(game, rows.part(i * length, length))
        if game.result(state) != ONGOING or candidates_into(game, state, memory.part(MOVES, memory[WIDTH])) == 0:
            return i
        memory[NODES] = 0
        memory[MAX_NODES] = left
        memory[SELDEPTH] = 0
        scores[i] = prove_score(game, state, unit, table, memory)
        moves[i] = memory[PV]
        if moves[i] == NO_MOVE and not memory[STOP]:
            moves[i] = find_proving_move(game, state, scores[i], unit, table, memory)
        nodes[i] += memory[NODES]
        left -= memory[NODES]
        if memory[STOP]:
            return i
    return count
