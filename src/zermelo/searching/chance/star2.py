"""Star2 over any game's rules, as a kernel: alpha-beta for games in which chance takes part. Scores are floats.

Players choose as in pvs.py. Where chance moves, the expectation is known to lie between the sum that takes the
least value for every outcome still open and the sum that takes the greatest; once that interval has left the window,
the rest is cut off, and before that it says which window each outcome's value must fall into to matter (Star1). At
first each outcome is only probed: its most promising move alone bounds it from one side, which is often enough (Star2;
Ballard 1983). What a probe found is in the table when the search comes by again.

The least and the greatest value are the game's `payoff_bounds`, so no payoff may lie outside them: a search that meets
such a one stops and says so. An estimate outside them is taken for the bound that it passes. The true expectation is
inside, so that can only bring an estimate nearer to it, and an outcome that is merely judged never counts for more
than one that is won.

A search to a given depth finds what plain expectimax to that depth finds, whatever the table holds and however many
threads share it, because an entry counts only for the depth it was made for, or for every greater one where no
judgement took part. Chance counts as a ply. Sums are rounded as floats are.
"""

from __future__ import annotations

from zermelo import rules
from zermelo.game import ONGOING, Game, State
from zermelo.keys import state_check, state_key
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import candidates_into, canonical, chances_into, changes_player
from zermelo.searching.alphabeta.move_ordering import guess_moves, keep_line, pick, remember_cut
from zermelo.searching.alphabeta.transposition_table import NO_HINT, hint
from zermelo.searching.chance.chance_sampling import draw
from zermelo.searching.chance.expectation_table import depth_of, hint_of, lasting, recall, remember
from zermelo.searching.runtime.thread_memory import (
    DEEPEST,
    ENTRY,
    HORIZON,
    LENGTH,
    MOST,
    MOVES,
    NODES,
    OUTSIDE,
    PLAYED,
    PV,
    ROWS,
    SALT,
    SAMPLES,
    STOP,
    THREAD,
    UNJUDGED,
    WIDEST,
    WIDTH,
)
from zermelo.value import DECISIVE, INFINITY

ALL = 1 << 30
"""How many moves of a state are tried, unless it is probed."""

WORTH_KEEPING = 2
"""Plies from which on the table is used: a state next to the horizon is searched in less time than it is looked up."""


@kernel
def star2(game, state, depth, ply, alpha, beta, least, greatest, tries, table, memory):
    """The expectation of `state` for its mover: exact inside (alpha, beta), else a bound on the side it fell.

    `least` and `greatest` bound every payoff, seen by the same mover. At most `tries` moves are tried: with fewer than
    ALL the answer is a lower bound if it is above alpha, and says nothing if it is not. Meaningless once memory[STOP]
    is set. The principal variation is left in pv[ply], and ends where chance begins.
    """
    memory[LENGTH + ply] = 0
    memory[NODES] += 1
    if memory[NODES] >= memory[MOST]:
        memory[STOP] = 1
    if memory[STOP]:
        return 0.0

    # Step 1. The end of the game
    result = game.result(state)
    if result != ONGOING:
        return within(result, least, greatest, memory)

    # Step 2. What a database and the rules know
    lower, upper = game._probe(state, ply, memory)
    known_low, known_high = game.bounds(state)
    low = min(max(float(known_low), float(lower), least), greatest)
    high = min(max(min(float(known_high), float(upper)), least), greatest)
    if low >= beta or low >= high:
        return low
    if high <= alpha:
        return high

    # Step 3. The horizon
    if depth == 0 or ply >= DEEPEST:
        memory[HORIZON] += 1
        judged = float(game.evaluate(state))
        if judged - judged != 0.0:  # infinite, or not a number
            memory[UNJUDGED] = ply + 1
            memory[STOP] = 1
            return 0.0
        return max(low, min(high, max(1.0 - DECISIVE, min(DECISIVE - 1.0, judged))))

    # Step 4. The table
    horizon = memory[HORIZON]
    key = 0
    check = 0
    data = 0
    if depth >= WORTH_KEEPING or memory[SAMPLES] > 0:
        here = canonical(game, state)
        key = state_key(game, here) ^ memory[SALT]
        check = state_check(game, here)
    if depth >= WORTH_KEEPING:
        data = recall(table, key, check, depth, memory)
    if data != 0 and (depth_of(data) == depth or lasting(data)):
        entry = memory.reals(ENTRY, 2)
        lower = min(entry[0], high)
        upper = max(entry[1], low)
        if not lasting(data) and (lower > low or upper < high):
            memory[HORIZON] += 1
        low = max(low, lower)
        high = min(high, upper)
        if low >= beta or low >= high:
            return low
        if high <= alpha:
            return high

    # Step 5. The moves, or the outcomes of chance
    chance = game.is_chance(state)
    if chance and tries < ALL:
        return low
    width = memory[WIDTH]
    moves = memory.part(MOVES + 2 * ply * width, width)
    guesses = memory.part(MOVES + (2 * ply + 1) * width, width)
    rows = MOVES + (2 * ROWS + 3 * ply) * width
    odds = memory.reals(rows, width)
    lows = memory.reals(rows + width, width)
    highs = memory.reals(rows + 2 * width, width)
    count = chances_into(game, state, moves, odds) if chance else candidates_into(game, state, moves)
    if count > width:
        memory[WIDEST] = max(count, memory[WIDEST])
        memory[STOP] = 1
        return 0.0
    inner_alpha = max(alpha, low)
    inner_beta = min(beta, high)

    if chance:
        # Step 6. Every outcome's value lies in an interval, and the expectation between `floor` and `ceiling`; they
        # close in while each outcome is first probed, unless it is at the horizon, and then searched
        if 0 < memory[SAMPLES] < count:
            count = draw(moves, odds, count, memory[SAMPLES], key)
        floor = 0.0
        ceiling = 0.0
        for i in range(count):
            lows[i] = least
            highs[i] = greatest
            floor += odds[i] * least
            ceiling += odds[i] * greatest
        best = 0.0
        first = start_of(memory[THREAD], count)
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
                a, b, c, d = seen(turned, window_low, window_high, least, greatest)
                probe = step < count
                score = star2(game, child, depth - 1, ply + 1, a, b, c, d, 1 if probe else ALL, table, memory)
                if memory[STOP]:
                    memory[PLAYED + ply] = moves[i]  # the way to where it stopped
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
        best = within(game.stuck(state), least, greatest, memory)
    else:
        # Step 7. The best of the moves, the most promising first
        guess_moves(game, state, ply, moves, guesses, count, hint_of(data), memory)
        best = -float(INFINITY)
        for _ in range(min(count, tries)):
            move = moves[pick(guesses, count)]
            memory[PLAYED + ply] = move
            child = game.play(state, move)
            turned = changes_player(game, state, child)
            a, b, c, d = seen(turned, inner_alpha, inner_beta, least, greatest)
            score = star2(game, child, depth - 1, ply + 1, a, b, c, d, ALL, table, memory)
            if memory[STOP]:
                return 0.0
            if turned:
                score = -score
            if score > best:
                best = score
                if score > inner_alpha:
                    inner_alpha = score
                    keep_line(memory, ply, move)
            if inner_alpha >= inner_beta:
                remember_cut(memory, ply, move, depth)
                break

    # Step 8. Keep what was found, for good where no judgement took part
    best = max(low, min(high, best))
    if tries < ALL and best <= alpha:
        return best
    if best > alpha:
        low = best
    if best < beta and tries == ALL:
        high = best
    if depth >= WORTH_KEEPING:
        move_hint = hint(memory[PV + ply * ROWS]) if memory[LENGTH + ply] > 0 else NO_HINT
        lasts = 1 if memory[HORIZON] == horizon else 0
        remember(table, key, check, depth, low, high, lasts, move_hint, memory)
    return best


def seen(turned, alpha, beta, least, greatest):
    """A window and the bounds of the payoffs as the mover of a successor sees them."""
    if turned:
        return -beta, -alpha, -greatest, -least
    return alpha, beta, least, greatest


def start_of(thread, count):
    """The outcome that a thread begins with: each somewhere else, so that they meet in the table."""
    return max(thread - 1, 0) * 618 * count // 1000


def within(payoff, least, greatest, memory):
    """The payoff as a score; one that the bounds do not allow ends the search, since what they cut off is wrong."""
    if not least <= payoff <= greatest:
        memory[OUTSIDE] = abs(payoff) + 1
        memory[STOP] = 1
    return float(payoff)


# -- around the kernel -------------------------------------------------------------------------------------------------


def payoff_range(game: Game, state: State) -> tuple[float, float]:
    """The least and the greatest payoff, seen by the mover of the state; of both players where no rule names it."""
    low, high = (float(bound) for bound in game.payoff_bounds)
    player = rules.mover(game, state)
    if player is None:
        return min(low, -high), max(high, -low)
    return (low, high) if player == 0 else (-high, -low)
