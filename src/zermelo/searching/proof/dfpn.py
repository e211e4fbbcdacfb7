"""Depth-first proof-number search: the kernel behind `prove`.

A question is a *goal*: does the mover get at least so many points? Two numbers measure how far an answer is, each a
count of states that would still have to be settled, INFINITE once the answer is known to be the other one:

    phi      to show that the mover reaches the goal: one move is enough, so the least of the moves' numbers
    delta    to show that he does not: every move must fail, so the sum of the moves' numbers

If the mover's goal is g, the opponent's is 1 - g, for exactly one of the two is reached. The search goes on where phi
is least, until a number exceeds its threshold (Nagai 2002), and by a quarter beyond the second-best move, so that it
does not jump about (the 1 + epsilon trick of Pawlewicz and Lew 2007). A state seen for the first time has phi 1 and as
many moves as delta. Each ply remembers what it found out about its moves, so that the search comes to an end with any
table, however small.

Where play can repeat, going round for ever is worth 0. An answer that rests on a repetition holds only below the
earlier state: `since` is the ply of that state, and the table gets no answer that rests on a state further up.

Measured on Connect Four 6x5, in states looked at until it is known whether the first player wins, and whether he draws:
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
from zermelo.searching.alphabeta.transposition_table import bucket, check_at, entry_size, is_about, name, probe, write
from zermelo.searching.runtime.thread_memory import DEEPEST, MOST, NODES, ROWS, STOP, WIDEST, WIDTH
from zermelo.word_arrays import Words

INFINITE = (1 << 28) - 1
"""The number of an answer that is ruled out; the other number is then 0."""

HOPELESS = 1 << 27
"""The number of an answer that cannot be had within DEEPEST plies. Sums stay below it."""

FREE = 1 << 20
"""The `since` of an answer that rests on no repetition."""

# memory: counters (see thread_memory.py), then
BEST = 15  # a counter: the index of the best move of the state that was searched last
PATH = 16  # one word a ply: the keys on the way from the root
CHECKS = PATH + ROWS  # one word a ply: their checks, where a state does not fit its key
ASKED = CHECKS + ROWS  # one word a ply: which of the two goals was asked for
MOVES = ASKED + ROWS  # rows of `width` words: moves, keys, phi, delta, since, seen by the mover, and checks
ROWS_A_PLY = 6


def new_proof_memory(width: int = 64) -> Words:
    """Fresh memory for states of at most `width` moves."""
    memory = Words.zeros(MOVES + ROWS_A_PLY * ROWS * width)
    memory[WIDTH] = width
    return memory


@kernel
def dfpn(game, state, key, goal, ply, most_phi, most_delta, table, memory):
    """(phi, delta, since) of an unfinished state, as soon as phi >= most_phi or delta >= most_delta.

    They hold when the search was stopped too. The moves stay in the memory of this ply, and the best in memory[BEST].
    The check that belongs to the key is in memory already.
    """
    # Step 1. The moves, in the order of the game
    width = memory[WIDTH]
    row = MOVES + ROWS_A_PLY * ply * width
    moves = memory.part(row, width)
    keys = memory.part(row + width, width)
    phis = memory.part(row + 2 * width, width)
    deltas = memory.part(row + 3 * width, width)
    sinces = memory.part(row + 4 * width, width)
    checks = row + 5 * width
    memory[BEST] = 0
    if ply >= DEEPEST:
        return HOPELESS, HOPELESS, FREE
    count = candidates_into(game, state, moves)
    if count > width:
        memory[WIDEST] = max(count, memory[WIDEST])
        memory[STOP] = 1
        return 1, 1, FREE
    for i in range(count):
        keys[i] = game.order(state, moves[i])
    sort_moves(moves, keys, count)
    before = memory[NODES]
    memory[PATH + ply] = key
    asked = 1 if goal > 0 else 0
    memory[ASKED + ply] = asked

    # Step 2. A first look at each
    for i in range(count):
        child = game.play(state, moves[i])
        turn = changes_player(game, state, child)
        keys[i], phi, delta, since = first_look(game, child, 1 - goal if turn else goal, ply, checks + i, table, memory)
        phis[i] = delta if turn else phi
        deltas[i] = phi if turn else delta
        sinces[i] = since
        if phis[i] == 0:
            count = i + 1
            break
        if memory[STOP]:
            return 1, 1, FREE

    last = 0
    while True:
        # Step 3. The most promising move, what the second best takes, and the numbers of them all
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
        delta = largest if largest >= HOPELESS else min(total, HOPELESS - 1)

        # Step 4. Enough, or answered, or out of reach
        if phi >= most_phi or delta >= most_delta or (phi >= HOPELESS and delta >= HOPELESS) or memory[STOP]:
            break

        # Step 5. Go on with it
        child = game.play(state, moves[best])
        turn = changes_player(game, state, child)
        next_phi = min(most_phi, second + second // 4 + 1)
        next_delta = INFINITE if most_delta == INFINITE else most_delta - delta + deltas[best]
        if turn:
            next_delta, next_phi = next_phi, next_delta
        if not key_is_exact(game):
            memory[CHECKS + ply + 1] = memory[checks + best]
        child_phi, child_delta, since = dfpn(
            game, child, keys[best], 1 - goal if turn else goal, ply + 1, next_phi, next_delta, table, memory
        )
        if memory[STOP]:
            break
        phis[best] = child_delta if turn else child_phi
        deltas[best] = child_phi if turn else child_delta
        sinces[best] = since
        last = best

    # Step 6. Keep what was found, unless it rests on the way here; where all moves fail, the last one held out longest
    memory[BEST] = best if phi < INFINITE else last
    since = FREE
    if phi == 0:
        since = sinces[best]
    elif delta == 0:
        for i in range(count):
            since = min(since, sinces[i])
    if since >= ply:
        since = FREE
    if since == FREE and not memory[STOP] and (delta == 0 or phi == 0 or max(phi, delta) < HOPELESS):
        check = check_at(game, CHECKS + ply, memory)
        remember(game, table, key, check, phi, delta, asked, memory[NODES] - before)
    return phi, delta, since


@kernel
def first_look(game, state, goal, ply, at, table, memory):
    """(key, phi, delta, since) of a state that a move from `ply` leads to, without going further.

    Its check is left in memory[at].
    """
    memory[NODES] += 1
    if memory[NODES] >= memory[MOST]:
        memory[STOP] = 1
    result = game.result(state)
    if result != ONGOING:
        phi, delta, since = settled(result >= goal, FREE)
        return 0, phi, delta, since
    low, high = game.bounds(state)
    if low >= goal or high < goal:
        phi, delta, since = settled(low >= goal, FREE)
        return 0, phi, delta, since
    key = question_key(game, state, goal, at, memory)
    check = check_at(game, at, memory)
    asked = 1 if goal > 0 else 0
    if game.loops:
        for earlier in range(ply, -1, -1):
            same = memory[PATH + earlier] == key and check_at(game, CHECKS + earlier, memory) == check
            if same and memory[ASKED + earlier] == asked:
                phi, delta, since = settled(goal <= 0, earlier)
                return key, phi, delta, since
    data = probe(game, table, key, check)
    if data != 0 and data >> 62 == asked:
        return key, data & INFINITE, data >> 28 & INFINITE, FREE
    width = memory[WIDTH]
    count = candidates_into(game, state, memory.part(MOVES + ROWS_A_PLY * (ply + 1) * width, width))
    if count == 0:
        phi, delta, since = settled(game.stuck(state) >= goal, FREE)
        return key, phi, delta, since
    return key, 1, count, FREE


@kernel
def question_key(game, state, goal, at, memory):
    """A key of the state and of which of the two goals its mover has; its check is left in memory[at]."""
    key = name(game, state, at, memory)
    return key if goal > 0 else ~key


def settled(reached, since):
    """The numbers of an answer that is known."""
    return (0, INFINITE, since) if reached else (INFINITE, 0, since)


# -- the table: buckets of two entries as in transposition_table.py ----------------------------------------------------
#
#     bits  0..27   phi
#     bits 28..55   delta
#     bits 56..61   work: how many bits the number of states looked at has
#     bit  62       which of the two goals was asked for: keys of the one are complements of keys of the other
#
# Of the two entries, the one with less work behind it is replaced.


@kernel
def remember(game, table, key, check, phi, delta, asked, work):
    """Store the numbers of a question."""
    at = bucket(game, table, key)
    other = at + entry_size(game)
    first = table[at + 1]
    second = table[other + 1]
    slot = at
    if is_about(game, table, at, first, key, check):
        work += 1 << work_of(first)
    elif is_about(game, table, other, second, key, check):
        slot = other
        work += 1 << work_of(second)
    elif work_of(second) < work_of(first):
        slot = other
    write(game, table, slot, phi | delta << 28 | msb(work + 1) << 56 | asked << 62, key, check)


def work_of(data):
    return data >> 56 & 63
