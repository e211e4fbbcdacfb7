"""What is known of a state, and of the states after its moves, before any of them is searched."""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.keys import key_is_exact
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import changes_player, has_distance
from zermelo.searching.alphabeta.move_ordering import keep_settled_line
from zermelo.searching.alphabeta.transposition_table import (
    ENDLESS,
    check_at,
    depth_of,
    expect,
    from_root,
    lower_of,
    name,
    probe,
    upper_of,
)
from zermelo.searching.runtime.thread_memory import (
    HIGHS,
    HORIZON,
    KEYS,
    LOWS,
    MOST,
    NODES,
    OPEN,
    OUTSIDE,
    STOP,
    checks_at,
    row,
)
from zermelo.value import DECISIVE, INFINITY, WIN_SCORE


@kernel
def look(game, state, ply, memory):
    """Between which scores a state lies by the rules alone, low and high: the same where the game is over."""
    memory[NODES] += 1
    if memory[NODES] >= memory[MOST]:
        memory[STOP] = 1
    result = game.result(state)
    if result != ONGOING:
        if not has_distance(game) and abs(result) >= DECISIVE:  # no score can tell
            memory[OUTSIDE] = abs(result) + 1
            memory[STOP] = 1
        score = final_score(game, result, ply)
        return score, score
    low, high = -INFINITY, INFINITY
    if ply > 0:  # of the root, a move is asked for, which no database tells
        low, high = game._probe(state, ply, memory)
    if low == high:
        return low, high
    least, most = game.bounds(state)
    low = max(low, from_root(least, ply))
    high = min(high, from_root(most, ply))
    if has_distance(game):  # nothing ends sooner than here, where `stuck` may still say how
        low = max(low, ply - WIN_SCORE)
        high = min(high, WIN_SCORE - ply)
    return low, high


@kernel
def look_at_moves(game, state, ply, count, far, alpha, beta, best, table, memory):
    """Look at the states after the moves of this ply, and keep the moves that are not settled.

    How many those are, the best score that is certain by any move, at least `best`, and that move. Where much is `far`
    below, the table will be asked about them, and their entries are called for.
    """
    moves = row(memory, ply, OPEN)
    lows = row(memory, ply, LOWS)
    highs = row(memory, ply, HIGHS)
    keys = row(memory, ply, KEYS)
    checks = checks_at(memory, ply)
    best_move = moves[0]
    kept = 0
    for i in range(count):
        move = moves[i]
        child = game.play(state, move)
        low, high = look(game, child, ply + 1, memory)
        if memory[STOP]:
            break
        keys[kept] = 0
        if far and low < high:
            keys[kept] = name(game, child, checks + kept, memory)
            expect(game, table, keys[kept])
        if changes_player(game, state, child):
            low, high = -high, -low
        if low > best:
            best = low
            best_move = move
            keep_settled_line(memory, ply, move, best, alpha)
            if best >= beta:
                break
        if low < high:
            moves[kept] = move
            lows[kept] = low
            highs[kept] = high
            kept += 1
    return kept, best, best_move


@kernel
def look_up_moves(game, state, depth, ply, count, start, alpha, beta, best, best_move, table, memory):
    """Ask the table about the states after the open moves, and keep those that can still be better than alpha.

    What the table knows settles a move here or not at all: it may hold for a depth only, while the bounds that are
    handed on with a move hold for good.
    """
    moves = row(memory, ply, OPEN)
    lows = row(memory, ply, LOWS)
    highs = row(memory, ply, HIGHS)
    keys = row(memory, ply, KEYS)
    checks = checks_at(memory, ply)
    kept = 0
    for i in range(count):
        move = moves[i]
        check = check_at(game, checks + i, memory)
        data = probe(game, table, keys[i], check)
        low = lows[i]
        high = highs[i]
        if data != 0 and changes_player(game, state, game.play(state, move)):
            high, low = tightened(data, depth, ply + 1, -high, -low, memory)
            low, high = -low, -high
        elif data != 0:
            low, high = tightened(data, depth, ply + 1, low, high, memory)
        if low > best:
            best = low
            best_move = move
            keep_settled_line(memory, ply, move, best, start)
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


def tightened(data, depth, ply, low, high, memory):
    """Bounds of a score, as the table's entry for its state leaves them; data is 0 where there is none.

    Wins and losses are proven to any depth; other bounds hold for the depth they were searched to.
    """
    if data == 0:
        return low, high
    lower = from_root(lower_of(data), ply)
    upper = from_root(upper_of(data), ply)
    if lower > low and (depth_of(data) >= depth or lower > DECISIVE):
        low = lower
        if depth_of(data) != ENDLESS and lower < DECISIVE:
            memory[HORIZON] += 1
    if upper < high and (depth_of(data) >= depth or upper < -DECISIVE):
        high = upper
        if depth_of(data) != ENDLESS and upper > -DECISIVE:
            memory[HORIZON] += 1
    return low, max(low, high)


@kernel
def final_score(game, payoff, ply):
    """The score of a finished game: wins and losses with their distance from the root, points as they are."""
    if not has_distance(game) or payoff == 0:
        return payoff
    return WIN_SCORE - ply if payoff > 0 else ply - WIN_SCORE
