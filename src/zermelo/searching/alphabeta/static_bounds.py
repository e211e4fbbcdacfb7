"""Static bounds: what rules, tablebase and table know of a state and its successors before any of them is searched."""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.keys import key_is_exact
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import changes_player, has_distance
from zermelo.searching.alphabeta.move_ordering import update_pv_by_bound
from zermelo.searching.alphabeta.transposition_table import (
    UNLIMITED,
    canonical_key,
    check_at,
    depth_of,
    lower_of,
    prefetch,
    probe,
    score_from_table,
    upper_of,
)
from zermelo.searching.runtime.thread_memory import (
    BOUNDED_MOVES,
    HEURISTIC_LEAVES,
    HIGHS,
    KEYS,
    LOWS,
    MAX_NODES,
    NODES,
    OPEN_MOVES,
    PAYOFF_OUTSIDE,
    RESOLVED_MOVES,
    STOP,
    checks_at,
    ply_row,
)
from zermelo.value import DECISIVE, INFINITY, WIN_SCORE

BOUNDS_PAY_AT = 64
"""Static bounds are asked for ahead where they resolve at least one move in this many."""


@kernel
def state_bounds(game, state, ply, memory):
    """Count a node, and return its bounds (low, high) by the rules and the tablebase; equal where the game is over."""
    memory[NODES] += 1
    if memory[NODES] >= memory[MAX_NODES]:
        memory[STOP] = 1
    result = game.result(state)
    if result != ONGOING:
        if not has_distance(game) and abs(result) >= DECISIVE:  # no score can express it
            memory[PAYOFF_OUTSIDE] = abs(result) + 1
            memory[STOP] = 1
        score = terminal_score(game, result, ply)
        return score, score
    low, high = -INFINITY, INFINITY
    if ply > 0:  # the root needs a move, which no tablebase has
        least, most = game._probe(state, ply, memory)
        low = int(least)
        high = int(most)
    if low == high:
        return low, high
    least, most = game.bounds(state)
    low = max(low, score_from_table(int(least), ply))
    high = min(high, score_from_table(int(most), ply))
    if has_distance(game):  # the game can end here at the earliest, by `stuck`
        low = max(low, ply - WIN_SCORE)
        high = min(high, WIN_SCORE - ply)
    return low, high


@kernel
def bound_moves(game, state, ply, count, probe_children, alpha, beta, best, table, memory):
    """Bound the successors of a state, and keep the moves that static bounds do not resolve, the open moves.

    Return how many are open, the best lower bound of any move, at least `best`, and that move. If the table will be
    probed for the successors (`probe_children`), compute their keys and prefetch their entries.
    """
    moves = ply_row(memory, ply, OPEN_MOVES)
    lows = ply_row(memory, ply, LOWS)
    highs = ply_row(memory, ply, HIGHS)
    keys = ply_row(memory, ply, KEYS)
    checks = checks_at(memory, ply)
    best_move = moves[0]
    kept = 0
    for i in range(count):
        move = moves[i]
        child = game.play(state, move)
        low, high = state_bounds(game, child, ply + 1, memory)
        if memory[STOP]:
            break
        keys[kept] = 0
        if probe_children and low < high:
            keys[kept] = canonical_key(game, child, checks + kept, memory)
            prefetch(game, table, keys[kept])
        if changes_player(game, state, child):
            low, high = -high, -low
        if low > best:
            best = low
            best_move = move
            update_pv_by_bound(memory, ply, move, best, alpha)
            if best >= beta:
                break
        if low < high:
            moves[kept] = move
            lows[kept] = low
            highs[kept] = high
            kept += 1
    return kept, best, best_move


def bounds_pay(memory):
    """Whether static bounds resolve enough moves to be worth asking for before any move is searched.

    In Connect Four a move often ends the game; in chess hardly any does, and one good move spares playing the others.
    """
    return memory[RESOLVED_MOVES] * BOUNDS_PAY_AT >= memory[BOUNDED_MOVES]


@kernel
def bound_late(game, state, child, ply, at, memory):
    """Bound one successor when its turn comes: the bounds of the open move `at`."""
    low, high = state_bounds(game, child, ply + 1, memory)
    if changes_player(game, state, child):
        low, high = -high, -low
    ply_row(memory, ply, LOWS)[at] = low
    ply_row(memory, ply, HIGHS)[at] = high
    ply_row(memory, ply, KEYS)[at] = 0


@kernel
def probe_moves(game, state, depth, ply, count, start, alpha, beta, best, best_move, table, memory):
    """Probe the table for the successors of the open moves, and keep the moves that can still beat alpha.

    Return what `bound_moves` returns. Bounds from the table resolve a move here or not at all: they may hold for this
    depth only, while the bounds that stay with an open move hold for every depth.
    """
    moves = ply_row(memory, ply, OPEN_MOVES)
    lows = ply_row(memory, ply, LOWS)
    highs = ply_row(memory, ply, HIGHS)
    keys = ply_row(memory, ply, KEYS)
    checks = checks_at(memory, ply)
    kept = 0
    for i in range(count):
        move = moves[i]
        check = check_at(game, checks + i, memory)
        data = probe(game, table, keys[i], check)
        low = lows[i]
        high = highs[i]
        if data != 0 and changes_player(game, state, game.play(state, move)):
            high, low = tighten_by_table(data, depth, ply + 1, -high, -low, memory)
            low, high = -low, -high
        elif data != 0:
            low, high = tighten_by_table(data, depth, ply + 1, low, high, memory)
        if low > best:
            best = low
            best_move = move
            update_pv_by_bound(memory, ply, move, best, start)
            if best >= beta:
                break
        if high <= max(alpha, best):
            best = max(best, high)
            continue
        moves[kept] = move
        lows[kept] = lows[i]
        highs[kept] = highs[i]
        keys[kept] = keys[i]
        if not key_is_exact(game):
            memory[checks + kept] = check
        kept += 1
    return kept, best, best_move


def tighten_by_table(data, depth, ply, low, high, memory):
    """Tighten the bounds of a score by the data of its table entry, which is 0 if there is none.

    Wins and losses hold for any depth; other bounds hold for the depth they were searched to.
    """
    if data == 0:
        return low, high
    lower = score_from_table(lower_of(data), ply)
    upper = score_from_table(upper_of(data), ply)
    if lower > low and (depth_of(data) >= depth or lower > DECISIVE):
        low = lower
        if depth_of(data) != UNLIMITED and lower < DECISIVE:
            memory[HEURISTIC_LEAVES] += 1
    if upper < high and (depth_of(data) >= depth or upper < -DECISIVE):
        high = upper
        if depth_of(data) != UNLIMITED and upper > -DECISIVE:
            memory[HEURISTIC_LEAVES] += 1
    return low, max(low, high)


@kernel
def terminal_score(game, payoff, ply):
    """The score of a finished game: wins and losses with their distance from the root; margins as they are."""
    if not has_distance(game) or payoff == 0:
        return payoff
    return WIN_SCORE - ply if payoff > 0 else ply - WIN_SCORE
