"""The search kernel: principal variation search over any game's rules, compiled where the rules compile.

Fail-soft negamax with a transposition table that keeps both bounds. All successors are looked at before any is
searched: what the rules or the table know of them often settles the matter. Scores are ints (see value.py); distances
are counted from the root.

Reductions, null moves and quiescence depend on facts and rules that a game may do without; where it does, nothing of
them is compiled. None of them takes part in a search without horizon, which proves values, nor in a pure one, which
tells how soon a win or loss comes where play can repeat (see graph_history.py).
"""

from __future__ import annotations

from zermelo.keys import key_is_exact
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import candidates_into, changes_player, has_noise, has_skip
from zermelo.searching.alphabeta.abdada import SHARED, claim, release
from zermelo.searching.alphabeta.move_ordering import guess_moves, keep_line, pick, put_off, remember_cut
from zermelo.searching.alphabeta.static_bounds import final_score, look, look_at_moves, look_up_moves, tightened
from zermelo.searching.alphabeta.transposition_table import (
    ENDLESS,
    NO_HINT,
    check_at,
    expect,
    from_state,
    hint,
    hint_of,
    name,
    probe,
    store,
    worth,
)
from zermelo.searching.runtime.thread_memory import (
    AGE,
    CHECKS,
    DEEPEST,
    FARTHEST,
    GUESSES,
    HIGHS,
    HORIZON,
    KEYS,
    LENGTH,
    LOWS,
    NO_MOVE,
    NODES,
    NOMINAL,
    OPEN,
    PATH,
    PLAYED,
    PURE,
    STOP,
    THREAD,
    UNJUDGED,
    WIDEST,
    checks_at,
    row,
)
from zermelo.value import DECISIVE, INFINITY

FAR = 12
"""Plies below a state of an endless search that make it worth asking the table about its successors (8 to 17 did
equally well on Connect Four)."""

DEEP = 4
"""The depth from which that is worth it in other searches, and from which a move to try first is worth a search."""

NEAR = 2
"""Plies below a state of an endless search that make it worth a place in the table."""

LATE = 3
"""How many moves are searched to the full depth before reductions begin."""


@kernel
def alphabeta(game, state, depth, ply, alpha, beta, unit, table, memory):
    """The score of `state` for its mover: exact inside (alpha, beta), else a bound on the side it fell.

    `depth` plies are searched, without end where it is ENDLESS. Judgements are multiplied by `unit`. Meaningless
    once memory[STOP] is set. The principal variation is left in pv[ply].
    """
    memory[LENGTH + ply] = 0
    memory[NOMINAL] = ply + depth
    low, high = look(game, state, ply, memory)
    if low >= beta or low >= high:
        return low
    if high <= alpha:
        return high
    return visit(game, state, depth, ply, alpha, beta, low, high, 0, unit, table, memory)


@kernel
def visit(game, state, depth, ply, alpha, beta, low, high, key, unit, table, memory):
    """The score of a state that was looked at and not settled: it lies between `low` and `high`.

    `key` is 0 where nobody has computed it yet; else its check is in memory too.
    """
    memory[LENGTH + ply] = 0
    memory[FARTHEST] = max(ply, memory[FARTHEST])
    if memory[STOP]:
        return 0

    # Step 1. The horizon: a ply farther where there is little choice; beyond it, noisy moves alone
    asked = depth  # what the table goes by: a parent that looks a state up there does not know if it is forcing
    pure = is_pure(game, memory)
    if depth != ENDLESS and not pure and ply < 2 * memory[NOMINAL] and game.forcing(state):
        depth += 1
    best = -INFINITY
    quiet = depth == 0
    if quiet or ply >= DEEPEST:
        memory[HORIZON] += 1
        if depth == ENDLESS:  # too deep to prove anything: no judgement may pass for a proof
            memory[STOP] = 1
            return 0
        best = max(low, min(high, 0 if pure else judgement(game, state, ply, unit, memory)))
        if ply >= DEEPEST or not (pure or (has_noise(game) and best < beta)):
            return best

    # Step 2. Internal deepening: a shallower search tells which move to try first, where the table does not
    before = memory[NODES]
    horizon = memory[HORIZON]
    if DEEP < depth < ENDLESS and beta - alpha > 1:
        key = name(game, state, CHECKS + ply, memory)
        if hint_of(probe(game, table, key, check_at(game, CHECKS + ply, memory))) == NO_HINT:
            visit(game, state, depth - 2, ply, alpha, beta, low, high, key, unit, table, memory)
            if memory[STOP]:
                return 0
            memory[LENGTH + ply] = 0
            memory[HORIZON] = horizon

    # Step 3. The moves
    moves = row(memory, ply, OPEN)
    count = candidates_into(game, state, moves)
    if count == 0:
        return final_score(game, game.stuck(state), ply)
    if pure and quiet:  # it goes on, which is all that was asked
        return best
    if count > len(moves):
        memory[WIDEST] = max(count, memory[WIDEST])
        memory[STOP] = 1
        return 0
    if has_noise(game) and quiet:
        count = keep_noisy(game, state, moves, count)

    # Step 4. Play that comes round again. In a search without end, a state with a single move or with little below it
    # needs no place in the table: what follows has its own, or is soon found again
    tabled = not quiet
    if depth == ENDLESS and not game.loops:
        tabled = count > 1 and memory[FARTHEST] - ply >= NEAR
    if key == 0 and (tabled or game.loops):
        key = name(game, state, CHECKS + ply, memory)
        expect(game, table, key)
    check = check_at(game, CHECKS + ply, memory)
    if game.loops and not pure:
        for earlier in range(ply - 1, -1, -1):
            if memory[PATH + earlier] == key and check_at(game, CHECKS + earlier, memory) == check:
                memory[HORIZON] += 1
                memory[STOP] |= depth == ENDLESS  # what comes round proves nothing
                return 0
        memory[PATH + ply] = key

    # Step 5. Look at every successor: some are settled, and the best of them may settle this state
    next_depth = depth if depth == ENDLESS or quiet else depth - 1
    far = tabled and (memory[FARTHEST] - ply >= FAR if depth == ENDLESS else depth >= DEEP)
    start = alpha
    count, best, best_move = look_at_moves(game, state, ply, count, far, start, beta, best, table, memory)
    if memory[STOP]:
        return 0
    if best >= beta or count == 0:
        return best

    # Step 6. The table, about this state and about its successors
    data = 0
    if tabled:
        data = probe(game, table, key, check)
        low, high = tightened(data, asked, ply, low, high, memory)
    reached = best  # the score that the line stands for
    alpha = max(alpha, best, low)
    if low >= beta or low >= high or high <= alpha:
        memory[LENGTH + ply] = 0  # the table knows the score, and no line
        return low if low >= beta or low >= high else high
    if far:
        count, best, best_move = look_up_moves(
            game, state, next_depth, ply, count, start, alpha, beta, best, best_move, table, memory
        )
        if best >= beta:
            return best
        if best > alpha:
            reached = best
        alpha = max(alpha, best)

    # Step 7. The null move: whoever may pass and is still good enough will hardly do worse by moving
    if has_skip(game) and 3 <= depth < ENDLESS and beta - alpha == 1 and -DECISIVE < beta < DECISIVE:
        skipped = game.skip(state)
        # not twice in a row, nor once all lines have been seen to end, when the search is about to prove something
        allowed = memory[PLAYED + ply - 1] != NO_MOVE and memory[FARTHEST] + 2 >= memory[NOMINAL]
        allowed = allowed and skipped != state and changes_player(game, state, skipped)
        if allowed and judgement(game, state, ply, unit, memory) >= beta:
            memory[PLAYED + ply] = NO_MOVE
            horizon_before = memory[HORIZON]
            less = max(depth - 3 - depth // 6, 0)
            skip_low, skip_high = look(game, skipped, ply + 1, memory)
            score = -skip_high
            if skip_low < skip_high:
                score = -visit(game, skipped, less, ply + 1, -beta, -alpha, skip_low, skip_high, 0, unit, table, memory)
            if memory[STOP]:
                return 0
            if score >= beta:
                memory[HORIZON] += 1
                return beta
            memory[HORIZON] = horizon_before

    # Step 8. Search the open moves, the most promising first, the others by a null window
    sharing = far and memory[THREAD] > 0 and ply < SHARED
    if sharing:
        claim(game, table, key)
    guesses = row(memory, ply, GUESSES)
    lows = row(memory, ply, LOWS)
    highs = row(memory, ply, HIGHS)
    keys = row(memory, ply, KEYS)
    checks = checks_at(memory, ply)
    if count > 1:
        guess_moves(game, state, ply, moves, guesses, count, hint_of(data), memory)
    for tried in range(count):
        if sharing and tried > 0:
            put_off(game, keys, guesses, count, table)
        at = pick(guesses, count) if count > 1 else 0
        if highs[at] <= alpha:
            best = max(best, highs[at])
            continue
        move = moves[at]
        child = game.play(state, move)
        memory[PLAYED + ply] = move
        if not key_is_exact(game):
            memory[CHECKS + ply + 1] = memory[checks + at]
        less = next_depth
        if game.reductions and not pure and tried >= LATE and 3 <= depth < ENDLESS:
            less = reduced(game, state, child, move, next_depth, tried)
        top = beta if tried == 0 else alpha + 1
        while True:
            if changes_player(game, state, child):
                score = -visit(
                    game, child, less, ply + 1, -top, -alpha, -highs[at], -lows[at], keys[at], unit, table, memory
                )
            else:
                score = visit(
                    game, child, less, ply + 1, alpha, top, lows[at], highs[at], keys[at], unit, table, memory
                )
            if memory[STOP] or score <= alpha:
                break
            if less < next_depth:
                less = next_depth
            elif top < beta and score < beta:
                top = beta
            else:
                break
        if memory[STOP]:
            if sharing:
                release(game, table, key)
            return 0
        if score > best:
            best = score
            best_move = move
            if score > alpha:
                reached = score
                keep_line(memory, ply, move)
        alpha = max(alpha, best)
        if alpha >= beta:
            if count > 1:
                remember_cut(memory, ply, move, depth)
            break
    if sharing:
        release(game, table, key)

    # Step 9. Keep what was found, for good where no judgement took part
    best = max(low, min(high, best))
    if best > reached:  # the table had promised more than any move was asked to show
        memory[LENGTH + ply] = 0
    if tabled:
        if memory[HORIZON] == horizon:
            asked = ENDLESS
        lower = low
        upper = high
        if best > start:
            lower = max(lower, best)
        if best < beta:
            upper = min(upper, best)
        move_hint = hint(best_move) if best > start else NO_HINT
        value = worth(asked, memory[NODES] - before)
        store(game, table, key, check, from_state(lower, ply), from_state(upper, ply), value, memory[AGE], move_hint)
    return best


@kernel
def keep_noisy(game, state, moves, count):
    """Keep the noisy moves alone: how many there are."""
    noisy = 0
    for i in range(count):
        if game.noisy(state, moves[i]):
            moves[noisy] = moves[i]
            noisy += 1
    return noisy


@kernel
def reduced(game, state, child, move, depth, tried):
    """The depth at which a late move is tried first: less, unless it is noisy or forces the reply."""
    if game.noisy(state, move) or game.forcing(child):
        return depth
    return max(depth - (1 if tried < 2 * LATE else 2), 1)


@kernel
def is_pure(game, memory):
    """Whether nothing may count that depends on the way to a state; never where play cannot repeat."""
    return game.loops and memory[PURE] != 0


@kernel
def judgement(game, state, ply, unit, memory):
    """The evaluation as a score, kept below every proven win and above every proven loss.

    One that is no finite number ends the search: whoever runs the kernel says in which state it was met.
    """
    judged = game.evaluate(state)
    if judged - judged != 0:  # infinite, or not a number
        memory[UNJUDGED] = ply + 1
        memory[STOP] = 1
        return 0
    return int(min(max(judged * unit, 1 - DECISIVE), DECISIVE - 1))
