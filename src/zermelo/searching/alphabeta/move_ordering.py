"""Which move to try first, and what a cut-off teaches about that."""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.searching.alphabeta.abdada import PUT_OFF, claimed
from zermelo.searching.alphabeta.transposition_table import ENDLESS, NO_HINT, hint
from zermelo.searching.runtime.thread_memory import ANSWERS, HISTORY, HISTORY_SIZE, KILLERS, LENGTH, PLAYED, PV, ROWS

TRIED = -1 << 62
"""The guess of a move that has had its turn."""

MOST_HISTORY = 1_000_000


@kernel
def guess_moves(game, state, ply, moves, guesses, count, best_hint, memory):
    """Guess how good each move is: the table's first, then by the game's `order`, killers, answers and history."""
    answer = memory[ANSWERS + slot(memory[PLAYED + ply - 1])]
    for i in range(count):
        move = moves[i]
        guess = game.order(state, move) * 4_000_000 + memory[HISTORY + slot(move)]
        if move == memory[KILLERS + 2 * ply]:
            guess += 2_000_000
        elif move == memory[KILLERS + 2 * ply + 1]:
            guess += 1_900_000
        elif move == answer:
            guess += 1_800_000
        if best_hint != NO_HINT and hint(move) == best_hint:
            guess += 1 << 50
        guesses[i] = guess


def pick(guesses, count):
    """The place of the best guess of the moves that have not had their turn, the first of equals; now it has it."""
    best = 0
    for i in range(1, count):
        if guesses[i] > guesses[best]:
            best = i
    guesses[best] = TRIED
    return best


def sort_moves(moves, guesses, count):
    """Put the moves in the order of their guesses, the best first; equals keep theirs."""
    for i in range(1, count):
        move = moves[i]
        guess = guesses[i]
        j = i
        while j > 0 and guesses[j - 1] < guess:
            moves[j] = moves[j - 1]
            guesses[j] = guesses[j - 1]
            j -= 1
        moves[j] = move
        guesses[j] = guess


@kernel
def put_off(game, keys, guesses, count, table):
    """Have the moves come last that another thread is searching."""
    for i in range(count):
        if guesses[i] > -PUT_OFF // 2 and claimed(game, table, keys[i]):
            guesses[i] -= PUT_OFF


def remember_cut(memory, ply, move, depth):
    """A move that cut off here may do so elsewhere: at this ply, after the same move, or anywhere."""
    killers = KILLERS + 2 * ply
    if memory[killers] != move:
        memory[killers + 1] = memory[killers]
        memory[killers] = move
    memory[ANSWERS + slot(memory[PLAYED + ply - 1])] = move
    history = HISTORY + slot(move)
    bonus = 1 if depth == ENDLESS else depth * depth
    memory[history] += bonus - memory[history] * bonus // MOST_HISTORY


def slot(move):
    return move % HISTORY_SIZE


def keep_line(memory, ply, move):
    """A new best move: the line is this move and then the line found after it."""
    line = PV + ply * ROWS
    memory[line] = move
    length = memory[LENGTH + ply + 1]
    for i in range(length):
        memory[line + i + 1] = memory[line + ROWS + i]
    memory[LENGTH + ply] = length + 1


def keep_settled_line(memory, ply, move, score, alpha):
    """A new best move whose score is known without a search: the line is the move alone."""
    if score > alpha:
        memory[LENGTH + ply + 1] = 0
        keep_line(memory, ply, move)
