"""Move ordering: table move, the game's `order`, killers, countermoves and history; and the principal variation.

The arrays of killers, countermoves and history are parts of a thread's memory (see thread_memory.py).
"""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.searching.alphabeta.abdada import DEFERRED_PENALTY, is_searching
from zermelo.searching.alphabeta.transposition_table import NO_HINT, UNLIMITED, hint
from zermelo.searching.runtime.thread_memory import (
    COUNTERMOVES,
    HISTORY,
    HISTORY_SIZE,
    KILLERS,
    PLAYED,
    PLY_ROWS,
    PV,
    PV_LENGTH,
)

TRIED = -1 << 62
"""The score of a move that was picked before."""

MAX_HISTORY = 1_000_000
"""The bound of history scores."""


@kernel
def score_moves(game, state, ply, moves, move_scores, count, table_hint, memory):
    """Score each move: the table's first, then by the game's `order`, killers, the countermove and history."""
    countermove = memory[COUNTERMOVES + history_slot(memory[PLAYED + ply - 1])]
    for i in range(count):
        move = moves[i]
        score = game.order(state, move) * 4_000_000 + memory[HISTORY + history_slot(move)]
        if move == memory[KILLERS + 2 * ply]:
            score += 2_000_000
        elif move == memory[KILLERS + 2 * ply + 1]:
            score += 1_900_000
        elif move == countermove:
            score += 1_800_000
        if table_hint != NO_HINT and hint(move) == table_hint:
            score += 1 << 50
        move_scores[i] = score


def pick_move(move_scores, count):
    """Return the index of the best move that is not TRIED, the first of equals, and mark it TRIED."""
    best = 0
    for i in range(1, count):
        if move_scores[i] > move_scores[best]:
            best = i
    move_scores[best] = TRIED
    return best


def sort_moves(moves, move_scores, count):
    """Sort moves by their scores, best first; the sort is stable."""
    for i in range(1, count):
        move = moves[i]
        score = move_scores[i]
        j = i
        while j > 0 and move_scores[j - 1] < score:
            moves[j] = moves[j - 1]
            move_scores[j] = move_scores[j - 1]
            j -= 1
        moves[j] = move
        move_scores[j] = score


@kernel
def defer_moves(game, keys, move_scores, count, table):
    """Lower the scores of moves that another thread is searching (see abdada.py)."""
    for i in range(count):
        if move_scores[i] > -DEFERRED_PENALTY // 2 and is_searching(game, table, keys[i]):
            move_scores[i] -= DEFERRED_PENALTY


def record_cutoff(memory, ply, move, depth):
    """Record a beta cutoff: the move becomes a killer of its ply and a countermove, and gains history."""
    killers = KILLERS + 2 * ply
    if memory[killers] != move:
        memory[killers + 1] = memory[killers]
        memory[killers] = move
    memory[COUNTERMOVES + history_slot(memory[PLAYED + ply - 1])] = move
    add_history(memory, move, 1 if depth == UNLIMITED else depth * depth)


def record_failures(memory, moves, move_scores, count, move, depth):
    """Record that the moves tried before the one that caused a cutoff did not: they lose history."""
    for i in range(count):
        if move_scores[i] == TRIED and moves[i] != move:
            add_history(memory, moves[i], -depth * depth)


def add_history(memory, move, bonus):
    """Add to the history score of a move; it stays within MAX_HISTORY."""
    history = HISTORY + history_slot(move)
    memory[history] += bonus - memory[history] * abs(bonus) // MAX_HISTORY


def history_slot(move):
    """The index of a move in the tables of history and countermoves."""
    return move % HISTORY_SIZE


def update_pv(memory, ply, move):
    """Make the principal variation of a ply this move, followed by that of the next ply."""
    line = PV + ply * PLY_ROWS
    memory[line] = move
    length = memory[PV_LENGTH + ply + 1]
    for i in range(length):
        memory[line + i + 1] = memory[line + PLY_ROWS + i]
    memory[PV_LENGTH + ply] = length + 1


def update_pv_by_bound(memory, ply, move, score, alpha):
    """Make the principal variation this move alone, if its static bound beats alpha."""
    if score > alpha:
        memory[PV_LENGTH + ply + 1] = 0
        update_pv(memory, ply, move)
