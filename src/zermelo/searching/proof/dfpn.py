"""Depth-first proof-number search: the kernel behind `prove`.

A *goal* is a payoff that the mover must reach. Two numbers estimate the work left, each a count of states that would
still have to be solved, INFINITE once it is impossible:

    phi      to prove that the mover reaches the goal: one move is enough, so the minimum over the moves
    delta    to disprove it: every move must fail, so the sum over the moves

If the mover's goal is g, the opponent's is 1 - g, for exactly one of the two is reached. The search expands the move
of least phi, until a number exceeds its threshold (Nagai 2002), a quarter above the second-best move, which avoids
thrashing (the 1 + epsilon trick of Pawlewicz and Lew 2007). A new state has phi 1 and its number of moves as delta.
Each ply keeps the numbers of its moves, so that the search terminates with any table, however small.

A cycle has the payoff 0. A result that depends on a repetition holds only below the repeated state: `since` is the ply
of that state, and the table stores no result that depends on a state above its own.

Measured on Connect Four 6x5, in nodes until it is proven whether the first player wins, and whether he draws:
27.7 M and 7.2 M; without the game's `order` 31.1 M and 6.2 M; with delta 1 in place of the number of moves 50.1 M and
9.1 M; with the largest number in place of the sum (Ueda and others 2008) more than 60 M and 35.1 M.
"""

from __future__ import annotations

from zermelo.bits import msb
from zermelo.game import ONGOING
from zermelo.keys import key_is_exact
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import candidates_into, changes_player
from zermelo.searching.alphabeta.move_ordering import sort_moves
from zermelo.searching.alphabeta.transposition_table import (
    bucket,
    canonical_key,
    check_at,
    entry_size,
    matches,
    probe,
    write_entry,
)
from zermelo.searching.runtime.thread_memory import MAX_NODES, MAX_PLY, NODES, PLY_ROWS, STOP, WIDTH, WIDTH_NEEDED
from zermelo.word_arrays import Words

INFINITE = (1 << 28) - 1
"""The number of a result that is impossible; the other number is then 0."""

UNREACHABLE = 1 << 27
"""The number of a result that MAX_PLY plies cannot prove. Sums stay below it."""

NO_REPETITION = 1 << 20
"""The `since` of a result that depends on no repetition."""

# memory: counters (see thread_memory.py), then
BEST = 15  # a counter: the index of the best move of the state that was searched last
PROOF_PATH = 16  # one word a ply: the keys on the path
PROOF_CHECKS = PROOF_PATH + PLY_ROWS  # one word a ply: their checks, where a state does not fit its key
PROOF_GOALS = PROOF_CHECKS + PLY_ROWS  # one word a ply: which of the two goals is tested
PROOF_ROWS = PROOF_GOALS + PLY_ROWS  # rows of `width` words: moves, keys, phi, delta, since, checks
ROWS_PER_PLY = 6


def new_proof_memory(width: int = 64) -> Words:
    """Return new memory for states of at most `width` moves."""
    memory = Words.zeros(PROOF_ROWS + ROWS_PER_PLY * PLY_ROWS * width)
    memory[WIDTH] = width
    return memory


@kernel(kinds="state int int int int int words words")
def dfpn(game, state, key, goal, ply, phi_threshold, delta_threshold, table, memory):
    """Return (phi, delta, since) of an unfinished state once phi or delta reaches its threshold.

    They are valid after a stop too. The moves stay in the memory of this ply, and the index of the best in
    memory[BEST]. The check that belongs to the key is in memory already.
    """
    # Step 1. The moves, in the order of the game
    width = memory[WIDTH]
    row = PROOF_ROWS + ROWS_PER_PLY * ply * width
    moves = memory.part(row, width)
    keys = memory.part(row + width, width)
    phis = memory.part(row + 2 * width, width)
    deltas = memory.part(row + 3 * width, width)
    sinces = memory.part(row + 4 * width, width)
    checks = row + 5 * width
    memory[BEST] = 0
    if ply >= MAX_PLY:
        return UNREACHABLE, UNREACHABLE, NO_REPETITION
    count = candidates_into(game, state, moves)
    if count > width:
        memory[WIDTH_NEEDED] = max(count, memory[WIDTH_NEEDED])
        memory[STOP] = 1
        return 1, 1, NO_REPETITION
    for i in range(count):
        keys[i] = game.order(state, moves[i])
    sort_moves(moves, keys, count)
    before = memory[NODES]
    memory[PROOF_PATH + ply] = key
    asked = 1 if goal > 0 else 0
    memory[PROOF_GOALS + ply] = asked

    # Step 2. The numbers of each, from the rules and the table
    for i in range(count):
        child = game.play(state, moves[i])
        turn = changes_player(game, state, child)
        child_goal = 1 - goal if turn else goal
        keys[i], phi, delta, since = initialise_child(game, child, child_goal, ply, checks + i, table, memory)
        phis[i] = delta if turn else phi
        deltas[i] = phi if turn else delta
        sinces[i] = since
        if phis[i] == 0:
            count = i + 1
            break
        if memory[STOP]:
            return 1, 1, NO_REPETITION

    last = 0
    while True:
        # Step 3. The most promising move, phi of the second best, and the numbers of the node
        best = 0
        second = INFINITE
        total = deltas[0]
        largest = deltas[0]
        for i in range(1, count):
            total += deltas[i]
            largest = max(largest, deltas[i])
            if phis[i] < phis[best] or (phis[i] == phis[best] and deltas[i] < deltas[best]):
                second = phis[best]
                best = i
            elif phis[i] < second:
                second = phis[i]
        phi = phis[best]
        delta = largest if largest >= UNREACHABLE else min(total, UNREACHABLE - 1)

        # Step 4. A threshold is reached, the node is solved, or it cannot be
        if phi >= phi_threshold or delta >= delta_threshold or min(phi, delta) >= UNREACHABLE or memory[STOP]:
            break

        # Step 5. Search it
        child = game.play(state, moves[best])
        turn = changes_player(game, state, child)
        next_phi = min(phi_threshold, second + second // 4 + 1)
        next_delta = INFINITE if delta_threshold == INFINITE else delta_threshold - delta + deltas[best]
        if turn:
            next_delta, next_phi = next_phi, next_delta
        if not key_is_exact(game):
            memory[PROOF_CHECKS + ply + 1] = memory[checks + best]
        child_phi, child_delta, since = dfpn(
            game, child, keys[best], 1 - goal if turn else goal, ply + 1, next_phi, next_delta, table, memory
        )
        if memory[STOP]:
            break
        phis[best] = child_delta if turn else child_phi
        deltas[best] = child_phi if turn else child_delta
        sinces[best] = since
        last = best

    # Step 6. Store the numbers, unless they depend on the path; if all moves fail, the last one resisted longest
    memory[BEST] = best if phi < INFINITE else last
    since = NO_REPETITION
    if phi == 0:
        since = sinces[best]
    elif delta == 0:
        for i in range(count):
            since = min(since, sinces[i])
    if since >= ply:
        since = NO_REPETITION
    if since == NO_REPETITION and not memory[STOP] and (delta == 0 or phi == 0 or max(phi, delta) < UNREACHABLE):
        check = check_at(game, PROOF_CHECKS + ply, memory)
        store_numbers(game, table, key, check, phi, delta, asked, memory[NODES] - before)
    return phi, delta, since


@kernel
def initialise_child(game, state, goal, ply, at, table, memory):
    """(key, phi, delta, since) of a successor of the state at `ply`, without a search.

    Its check is left in memory[at].
    """
    memory[NODES] += 1
    if memory[NODES] >= memory[MAX_NODES]:
        memory[STOP] = 1
    result = game.result(state)
    if result != ONGOING:
        phi, delta, since = solved_numbers(result >= goal, NO_REPETITION)
        return 0, phi, delta, since
    low, high = game.bounds(state)
    if low >= goal or high < goal:
        phi, delta, since = solved_numbers(low >= goal, NO_REPETITION)
        return 0, phi, delta, since
    key = goal_key(game, state, goal, at, memory)
    check = check_at(game, at, memory)
    asked = 1 if goal > 0 else 0
    if game.loops:
        for earlier in range(ply, -1, -1):
            same = memory[PROOF_PATH + earlier] == key and check_at(game, PROOF_CHECKS + earlier, memory) == check
            if same and memory[PROOF_GOALS + earlier] == asked:
                phi, delta, since = solved_numbers(goal <= 0, earlier)
                return key, phi, delta, since
    data = probe(game, table, key, check)
    if data != 0 and data >> 62 == asked:
        return key, data & INFINITE, data >> 28 & INFINITE, NO_REPETITION
    width = memory[WIDTH]
    count = candidates_into(game, state, memory.part(PROOF_ROWS + ROWS_PER_PLY * (ply + 1) * width, width))
    if count == 0:
        phi, delta, since = solved_numbers(game.stuck(state) >= goal, NO_REPETITION)
        return key, phi, delta, since
    return key, 1, count, NO_REPETITION


@kernel
def goal_key(game, state, goal, at, memory):
    """A key of the state and of its goal; its check is left in memory[at]."""
    key = canonical_key(game, state, at, memory)
    return key if goal > 0 else ~key


def solved_numbers(reached, since):
    """The numbers of a solved state: `reached` says whether the mover reaches the goal."""
    return (0, INFINITE, since) if reached else (INFINITE, 0, since)


# -- the table: buckets of two entries as in transposition_table.py ----------------------------------------------------
#
#     bits  0..27   phi
#     bits 28..55   delta
#     bits 56..61   work: the bit length of the number of nodes
#     bit  62       which of the two goals: keys of one are complements of keys of the other
#
# Of the two entries, the one of less work is replaced.


@kernel
def store_numbers(game, table, key, check, phi, delta, asked, work):
    """Store the numbers of a state and goal."""
    at = bucket(game, table, key)
    other = at + entry_size(game)
    first = table[at + 1]
    second = table[other + 1]
    slot = at
    if matches(game, table, at, first, key, check):
        work += 1 << work_of(first)
    elif matches(game, table, other, second, key, check):
        slot = other
        work += 1 << work_of(second)
    elif work_of(second) < work_of(first):
        slot = other
    write_entry(game, table, slot, phi | delta << 28 | msb(work + 1) << 56 | asked << 62, key, check)


def work_of(data):
    return data >> 56 & 63
