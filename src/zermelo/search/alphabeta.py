"""Alpha-beta over any game's rules, as a kernel: compiled where the rules compile.

Fail-soft negamax. Scores are floats, so that evaluations and expectations need no scale; ints up to 2**53 are exact
in them. Distances are counted from the root.

Arrays shared by all plies:

    moves     int64 [plies + 1, width]          the moves of each ply, best guess first
    pv        int64 [plies + 2, plies + 2]      row p holds the principal variation from ply p on
    length    int64 [plies + 2]                 how long each row is
    counters  int64 [5]                         see the names below
"""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel import kernel
from zermelo.rules import has_distance, moves_into, turns
from zermelo.value import DECISIVE, INFINITY, WIN_SCORE

NODES = 0  # states visited
MOST = 1  # the search stops when it has visited this many
STOP = 2  # set from outside, or by the search itself: give up
HORIZON = 3  # how many states were judged, not searched
WIDEST = 4  # the most moves met in a state: more than the buffer holds is a reason to stop


@kernel
def alphabeta(game, state, depth, ply, alpha, beta, moves, pv, length, counters):
    """The score of `state` for its mover: exact inside (alpha, beta), else a bound on the side it fell.

    Meaningless once counters[STOP] is set. The principal variation is left in pv[ply].
    """
    length[ply] = 0
    counters[NODES] += 1
    if counters[NODES] >= counters[MOST]:
        counters[STOP] = 1
    if counters[STOP]:
        return 0.0

    # Step 1. The end of the game, or of the search
    result = game.result(state)
    if result != ONGOING:
        return final_score(game, result, ply)
    count = moves_into(game, state, moves[ply])
    if count == 0:
        return final_score(game, game.stuck(state), ply)
    if depth == 0:
        counters[HORIZON] += 1
        return judgement(game, state)
    if count > len(moves[ply]):
        counters[WIDEST] = max(count, counters[WIDEST])
        counters[STOP] = 1
        return 0.0

    # Step 2. Promising moves first
    sort_moves(game, state, moves[ply], count)

    # Step 3. Search the moves, narrowing the window
    best = -float(INFINITY)
    for i in range(count):
        move = moves[ply, i]
        child = game.play(state, move)
        if turns(game, state, child):
            score = -alphabeta(game, child, depth - 1, ply + 1, -beta, -alpha, moves, pv, length, counters)
        else:
            score = alphabeta(game, child, depth - 1, ply + 1, alpha, beta, moves, pv, length, counters)
        if counters[STOP]:
            return 0.0
        if score > best:
            best = score
            keep_line(pv, length, ply, move)
        if best > alpha:
            alpha = best
        if alpha >= beta:
            break
    return best


@kernel
def expectimax(game, state, depth, ply, moves, pv, length, counters):
    """The expectation of `state` for its mover, where chance takes part. Nothing is pruned.

    Outcomes of chance count as a ply. The principal variation ends where chance begins.
    """
    length[ply] = 0
    counters[NODES] += 1
    if counters[NODES] >= counters[MOST]:
        counters[STOP] = 1
    if counters[STOP]:
        return 0.0
    result = game.result(state)
    if result != ONGOING:
        return float(result)
    if depth == 0:
        counters[HORIZON] += 1
        return judgement(game, state)
    if game.is_chance(state):
        total = 0.0
        for outcome, probability in game.chances(state):
            child = game.play(state, outcome)
            score = expectimax(game, child, depth - 1, ply + 1, moves, pv, length, counters)
            if counters[STOP]:
                return 0.0
            total += -probability * score if turns(game, state, child) else probability * score
        return total
    count = moves_into(game, state, moves[ply])
    if count == 0:
        return float(game.stuck(state))
    if count > len(moves[ply]):
        counters[WIDEST] = max(count, counters[WIDEST])
        counters[STOP] = 1
        return 0.0
    best = -float(INFINITY)
    for i in range(count):
        move = moves[ply, i]
        child = game.play(state, move)
        score = expectimax(game, child, depth - 1, ply + 1, moves, pv, length, counters)
        if turns(game, state, child):
            score = -score
        if counters[STOP]:
            return 0.0
        if score > best:
            best = score
            keep_line(pv, length, ply, move)
    return best


@kernel
def final_score(game, payoff, ply):
    """The score of a finished game: wins and losses with their distance from the root, points as they are."""
    if not has_distance(game) or payoff == 0:
        return float(payoff)
    return float(WIN_SCORE - ply) if payoff > 0 else float(ply - WIN_SCORE)


@kernel
def judgement(game, state):
    """The evaluation, kept below every proven win and above every proven loss."""
    return min(max(float(game.evaluate(state)), 1.0 - DECISIVE), DECISIVE - 1.0)


@kernel
def sort_moves(game, state, moves, count):
    """Put the moves with the higher `order` first; equals keep their places."""
    for i in range(1, count):
        move = moves[i]
        guess = game.order(state, move)
        j = i
        while j > 0 and game.order(state, moves[j - 1]) < guess:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = move


def keep_line(pv, length, ply, move):
    """A new best move: the line is this move and then the line found after it."""
    pv[ply, 0] = move
    for i in range(length[ply + 1]):
        pv[ply, i + 1] = pv[ply + 1, i]
    length[ply] = length[ply + 1] + 1
