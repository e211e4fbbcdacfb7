"""Star2 over any game's rules, as a kernel: alpha-beta for games in which chance takes part. Scores are floats.

Decision nodes are searched as in pvs.py. The expectation of a chance node lies between the sum that takes the least
value for every open outcome and the sum that takes the greatest. Once that interval has left the window, the rest is
cut off; before that, it gives the window of each outcome (Star1). At first each outcome is only probed: its most
promising move alone bounds it from one side, which is often enough (Star2; Ballard 1983). The table keeps what a probe
found for the full search.

The least and the greatest value are the game's `payoff_bounds`. A payoff outside them stops the search with an error.
An estimate outside them is clamped to them. The true expectation is inside, so this only improves the estimate, and a
heuristic leaf never counts for more than a win.

A search to a given depth finds what plain expectimax to that depth finds, whatever the table holds and however many
threads share it, because an entry counts only for the depth it was made for, or for every greater one where no
heuristic leaf took part. Chance counts as a ply. Sums are rounded as floats are.

Where the game says so by `replies`, only the best moves of a state by evaluation are searched, if at least another
throw and move follow (forward pruning).
"""

from __future__ import annotations

from zermelo import rules
from zermelo.game import ONGOING, Game, State
from zermelo.keys import state_check, state_key
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import candidates_into, canonical, chances_into, changes_player
from zermelo.searching.alphabeta.move_ordering import pick_move, record_cutoff, score_moves, update_pv
from zermelo.searching.alphabeta.transposition_table import NO_HINT, hint
from zermelo.searching.chance.chance_sampling import sample_outcomes
from zermelo.searching.chance.expectation_table import (
    depth_of,
    hint_of,
    is_proven,
    probe_expectation,
    store_expectation,
)
from zermelo.searching.runtime.thread_memory import (
    BAD_EVAL,
    HEURISTIC_LEAVES,
    MAX_NODES,
    MAX_PLY,
    MOVES,
    NODES,
    PAYOFF_OUTSIDE,
    PLAYED,
    PLY_ROWS,
    PV,
    PV_LENGTH,
    REPLIES,
    SALT,
    SAMPLES,
    STOP,
    TABLE_ENTRY,
    THREAD,
    WIDTH,
    WIDTH_NEEDED,
)
from zermelo.value import DECISIVE, INFINITY

ALL_MOVES = 1 << 30
"""The number of `tries` that searches every move of a state; a probe tries one."""

MIN_TABLE_DEPTH = 2
"""The depth from which on the table is used: a state next to the horizon is searched in less time than probed."""


MIN_PRUNED_DEPTH = 3
"""The depth from which on `replies` prunes: a move, a throw and another move. Below it, evaluating is all there is."""

EVALUATION_STEPS = float(1 << 40)
"""In how many steps evaluations are compared between the least and the greatest payoff."""


@kernel(kinds="state int int real real real real int words words")
def star2(game, state, depth, ply, alpha, beta, least, greatest, tries, table, memory):
    """The expectation of `state` for its mover: exact inside (alpha, beta), else a bound on the side it fell.

    `least` and `greatest` bound every payoff, seen by the same mover. At most `tries` moves are tried: with fewer than
    ALL_MOVES the score is a lower bound if it is above alpha, and means nothing if it is not. It is meaningless once
    memory[STOP] is set. The principal variation is left in pv[ply], and ends where chance moves.
    """
    memory[PV_LENGTH + ply] = 0
    memory[NODES] += 1
    if memory[NODES] >= memory[MAX_NODES]:
        memory[STOP] = 1
    if memory[STOP]:
        return 0.0

    # Step 1. The end of the game
    result = game.result(state)
    if result != ONGOING:
        return terminal_value(result, least, greatest, memory)

    # Step 2. Static bounds by the tablebase and the rules
    lower, upper = game._probe(state, ply, memory)
    known_low, known_high = game.bounds(state)
    low = min(max(float(known_low), float(lower), least), greatest)
    high = min(max(min(float(known_high), float(upper)), least), greatest)
    if low >= beta or low >= high:
        return low
    if high <= alpha:
        return high

    # Step 3. The horizon
    if depth == 0 or ply >= MAX_PLY:
        memory[HEURISTIC_LEAVES] += 1
        estimate = float(game.evaluate(state))
        if estimate - estimate != 0.0:  # infinite, or not a number
            memory[BAD_EVAL] = ply + 1
            memory[STOP] = 1
            return 0.0
        return max(low, min(high, max(1.0 - DECISIVE, min(DECISIVE - 1.0, estimate))))

    # Step 4. The table
    horizon = memory[HEURISTIC_LEAVES]
    key = 0
    check = 0
    data = 0
    if depth >= MIN_TABLE_DEPTH or memory[SAMPLES] > 0:
        here = canonical(game, state)
        key = state_key(game, here) ^ memory[SALT]
        check = state_check(game, here)
    if depth >= MIN_TABLE_DEPTH:
        data = probe_expectation(table, key, check, depth, memory)
    if data != 0 and (depth_of(data) == depth or is_proven(data)):
        entry = memory.reals(TABLE_ENTRY, 2)
        lower = min(entry[0], high)
        upper = max(entry[1], low)
        if not is_proven(data) and (lower > low or upper < high):
            memory[HEURISTIC_LEAVES] += 1
        low = max(low, lower)
        high = min(high, upper)
        if low >= beta or low >= high:
            return low
        if high <= alpha:
            return high

    # Step 5. The moves, or the outcomes of chance
    chance = game.is_chance(state)
    if chance and tries < ALL_MOVES:
        return low
    width = memory[WIDTH]
    moves = memory.part(MOVES + 2 * ply * width, width)
    move_scores = memory.part(MOVES + (2 * ply + 1) * width, width)
    rows = MOVES + (2 * PLY_ROWS + 3 * ply) * width
    odds = memory.reals(rows, width)
    lows = memory.reals(rows + width, width)
    highs = memory.reals(rows + 2 * width, width)
    count = chances_into(game, state, moves, odds) if chance else candidates_into(game, state, moves)
    if count > width:
        memory[WIDTH_NEEDED] = max(count, memory[WIDTH_NEEDED])
        memory[STOP] = 1
        return 0.0
    inner_alpha = max(alpha, low)
    inner_beta = min(beta, high)

    if chance:
        # Step 6. Each outcome's value lies in an interval, and the expectation between `floor` and `ceiling`; they
        # close in while each outcome is first probed, unless it is at the horizon, and then searched
        if 0 < memory[SAMPLES] < count:
            count = sample_outcomes(moves, odds, count, memory[SAMPLES], key)
        floor = 0.0
        ceiling = 0.0
        for i in range(count):
            lows[i] = least
            highs[i] = greatest
            floor += odds[i] * least
            ceiling += odds[i] * greatest
        best = 0.0
        first = first_outcome(memory[THREAD], count)
        for step in range(count if depth == 1 else 0, 2 * count):
            i = (first + step) % count
            p = odds[i]
            if p == 0.0 or lows[i] >= highs[i]:
                continue
            # at or beyond these values of the outcome, the expectation is outside the window whatever the others are
            fail_low = (inner_alpha - (ceiling - p * highs[i])) / p
            fail_high = (inner_beta - (floor - p * lows[i])) / p
            if fail_low < highs[i] and fail_high > lows[i]:
                window_low = max(fail_low, lows[i])
                window_high = min(fail_high, highs[i])
                if window_low >= window_high:  # by rounding alone
                    window_low = lows[i]
                    window_high = highs[i]
                child = game.play(state, moves[i])
                turned = changes_player(game, state, child)
                a, b, c, d = child_window(turned, window_low, window_high, least, greatest)
                probe = step < count
                score = star2(game, child, depth - 1, ply + 1, a, b, c, d, 1 if probe else ALL_MOVES, table, memory)
                if memory[STOP]:
                    memory[PLAYED + ply] = moves[i]  # the path to where it stopped
                    return 0.0
                if turned:
                    score = -score
                if score < window_high and (turned or not probe):
                    ceiling -= p * (highs[i] - max(score, lows[i]))
                    highs[i] = max(score, lows[i])
                if score > window_low and not (turned and probe):
                    floor += p * (min(score, highs[i]) - lows[i])
                    lows[i] = min(score, highs[i])
            if lows[i] >= fail_high:
                best = max(inner_beta, floor)
                break
            if highs[i] <= fail_low:
                best = min(inner_alpha, ceiling)
                break
        else:
            for i in range(count):
                best += odds[i] * lows[i]
    elif count == 0:
        best = terminal_value(game.stuck(state), least, greatest, memory)
    else:
        # Step 7. The best of the moves, the most promising first
        if 0 < memory[REPLIES] < count and depth >= MIN_PRUNED_DEPTH:
            evaluate_moves(game, state, ply, least, greatest, moves, move_scores, count, memory)
            if memory[STOP]:
                return 0.0
            memory[HEURISTIC_LEAVES] += 1  # what follows is no proof
            tries_here = min(tries, memory[REPLIES])
        else:
            score_moves(game, state, ply, moves, move_scores, count, hint_of(data), memory)
            tries_here = tries
        best = -float(INFINITY)
        for _ in range(min(count, tries_here)):
            move = moves[pick_move(move_scores, count)]
            memory[PLAYED + ply] = move
            child = game.play(state, move)
            turned = changes_player(game, state, child)
            a, b, c, d = child_window(turned, inner_alpha, inner_beta, least, greatest)
            score = star2(game, child, depth - 1, ply + 1, a, b, c, d, ALL_MOVES, table, memory)
            if memory[STOP]:
                return 0.0
            if turned:
                score = -score
            if score > best:
                best = score
                if score > inner_alpha:
                    inner_alpha = score
                    update_pv(memory, ply, move)
            if inner_alpha >= inner_beta:
                record_cutoff(memory, ply, move, depth)
                break

    # Step 8. Store the bounds, as proven where no heuristic leaf took part
    best = max(low, min(high, best))
    if tries < ALL_MOVES and best <= alpha:
        return best
    if best > alpha:
        low = best
    if best < beta and tries == ALL_MOVES:
        high = best
    if depth >= MIN_TABLE_DEPTH:
        move_hint = hint(memory[PV + ply * PLY_ROWS]) if memory[PV_LENGTH + ply] > 0 else NO_HINT
        proven = 1 if memory[HEURISTIC_LEAVES] == horizon else 0
        store_expectation(table, key, check, depth, low, high, proven, move_hint, memory)
    return best


@kernel
def evaluate_moves(game, state, ply, least, greatest, moves, move_scores, count, memory):
    """Score each move by the evaluation of the state that it leads to."""
    for i in range(count):
        memory[PLAYED + ply] = moves[i]
        child = game.play(state, moves[i])
        result = game.result(child)
        estimate = float(result) if result != ONGOING else float(game.evaluate(child))
        if estimate - estimate != 0.0:  # infinite, or not a number
            memory[BAD_EVAL] = ply + 2
            memory[STOP] = 1
            return
        if changes_player(game, state, child):
            estimate = -estimate
        share = (min(max(estimate, least), greatest) - least) / (greatest - least)
        move_scores[i] = int(share * EVALUATION_STEPS)


def child_window(turned, alpha, beta, least, greatest):
    """A window and the bounds of payoffs, seen by the mover of a successor."""
    if turned:
        return -beta, -alpha, -greatest, -least
    return alpha, beta, least, greatest


def first_outcome(thread, count):
    """The outcome that a thread searches first: each another one, so that they share results by the table."""
    return max(thread - 1, 0) * 618 * count // 1000


def terminal_value(payoff, least, greatest, memory):
    """The payoff as a score; one outside the bounds stops the search, since cutoffs relied on them."""
    if not least <= payoff <= greatest:
        memory[PAYOFF_OUTSIDE] = abs(payoff) + 1
        memory[STOP] = 1
    return float(payoff)


# -- around the kernel -------------------------------------------------------------------------------------------------


def payoff_range(game: Game, state: State) -> tuple[float, float]:
    """The least and the greatest payoff, seen by the mover of the state; of both players if it has no mover."""
    low, high = (float(bound) for bound in game.payoff_bounds)
    player = rules.mover(game, state)
    if player is None:
        return min(low, -high), max(high, -low)
    return (low, high) if player == 0 else (-high, -low)
