"""The search kernel: principal variation search over any game's rules, compiled where the rules compile.

Fail-soft negamax with a transposition table that keeps both bounds. Scores are ints (see value.py); distances are
counted from the root.
"""

from __future__ import annotations

from zermelo.game import ONGOING
from zermelo.native.kernel import kernel
from zermelo.rules import candidates_into, canonical, has_distance, state_key, turns
from zermelo.search.memory import (
    AGE,
    DEEPEST,
    HISTORY,
    HISTORY_SIZE,
    HORIZON,
    KILLERS,
    LENGTH,
    MOST,
    MOVES,
    NODES,
    PATH,
    PV,
    ROWS,
    STOP,
    WIDEST,
    WIDTH,
)
from zermelo.search.table import (
    ENDLESS,
    NO_HINT,
    depth_of,
    from_root,
    from_state,
    hint,
    hint_of,
    lower_of,
    probe,
    store,
    upper_of,
)
from zermelo.value import DECISIVE, INFINITY, WIN_SCORE


@kernel
def alphabeta(game, state, depth, ply, alpha, beta, unit, table, memory):
    """The score of `state` for its mover: exact inside (alpha, beta), else a bound on the side it fell.

    `depth` plies are searched, without end where it is ENDLESS. Judgements are multiplied by `unit`. Meaningless
    once memory[STOP] is set. The principal variation is left in pv[ply].
    """
    memory[LENGTH + ply] = 0
    memory[NODES] += 1
    if memory[NODES] >= memory[MOST]:
        memory[STOP] = 1
    if memory[STOP]:
        return 0

    # Step 1. The end of the game
    result = game.result(state)
    if result != ONGOING:
        return final_score(game, result, ply)

    # Step 2. Nothing ends sooner than here, where `stuck` may still say how
    known_low, known_high = game.bounds(state)
    low = from_root(known_low, ply)
    high = from_root(known_high, ply)
    if has_distance(game):
        low = max(low, ply - WIN_SCORE)
        high = min(high, WIN_SCORE - ply)
    if low >= beta or low >= high:
        return low
    if high <= alpha:
        return high

    # Step 3. The table, and play that comes round again
    horizon = memory[HORIZON]
    key = state_key(game, canonical(game, state))
    if game.loops:
        for earlier in range(ply - 1, -1, -1):
            if memory[PATH + earlier] == key:
                memory[HORIZON] += 1
                return 0
    memory[PATH + ply] = key
    data = probe(table, key)
    if data != 0:
        # wins and losses are proven to any depth; other bounds hold for the depth they were searched to
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
        if low >= beta or low >= high:
            return low
        if high <= alpha:
            return high

    # Step 4. The horizon
    if depth == 0 or ply >= DEEPEST:
        memory[HORIZON] += 1
        if depth == ENDLESS:  # too deep to prove anything: no judgement may pass for a proof
            memory[STOP] = 1
            return 0
        return max(low, min(high, judgement(game, state, unit)))

    # Step 5. The moves, each with a guess
    width = memory[WIDTH]
    moves = memory.part(MOVES + 2 * ply * width, width)
    guesses = memory.part(MOVES + (2 * ply + 1) * width, width)
    count = candidates_into(game, state, moves)
    if count == 0:
        return final_score(game, game.stuck(state), ply)
    if count > width:
        memory[WIDEST] = max(count, memory[WIDEST])
        memory[STOP] = 1
        return 0
    guess_moves(game, state, ply, moves, guesses, count, hint_of(data), memory)

    # Step 6. Search them, the most promising first, the others by a null window
    next_depth = depth if depth == ENDLESS else depth - 1
    start = alpha
    alpha = max(alpha, low)
    best = -INFINITY
    best_move = moves[0]
    for i in range(count):
        move = pick(moves, guesses, i, count)
        child = game.play(state, move)
        sign = -1 if turns(game, state, child) else 1
        low_window = -beta if sign < 0 else alpha
        high_window = -alpha if sign < 0 else beta
        if i > 0:
            # a null window shows whether the move is better at all
            low_window = -alpha - 1 if sign < 0 else alpha
            high_window = low_window + 1
        score = sign * alphabeta(game, child, next_depth, ply + 1, low_window, high_window, unit, table, memory)
        if i > 0 and alpha < score < beta and not memory[STOP]:
            low_window = -beta if sign < 0 else alpha
            high_window = -alpha if sign < 0 else beta
            score = sign * alphabeta(game, child, next_depth, ply + 1, low_window, high_window, unit, table, memory)
        if memory[STOP]:
            return 0
        if score > best:
            best = score
            best_move = move
            if score > start:
                keep_line(memory, ply, move)
        if best > alpha:
            alpha = best
        if alpha >= beta:
            remember_cut(memory, ply, move, depth)
            break

    # Step 7. Keep what was found, for good where no judgement took part
    best = max(low, min(high, best))
    if memory[HORIZON] == horizon:
        depth = ENDLESS
    lower = low
    upper = high
    if best > start:
        lower = max(lower, best)
    if best < beta:
        upper = min(upper, best)
    move_hint = hint(best_move) if best > start else NO_HINT
    store(table, key, from_state(lower, ply), from_state(upper, ply), depth, memory[AGE], move_hint)
    return best


@kernel
def final_score(game, payoff, ply):
    """The score of a finished game: wins and losses with their distance from the root, points as they are."""
    if not has_distance(game) or payoff == 0:
        return payoff
    return WIN_SCORE - ply if payoff > 0 else ply - WIN_SCORE


@kernel
def judgement(game, state, unit):
    """The evaluation as a score, kept below every proven win and above every proven loss."""
    return int(min(max(game.evaluate(state) * unit, 1 - DECISIVE), DECISIVE - 1))


@kernel
def guess_moves(game, state, ply, moves, guesses, count, best_hint, memory):
    """Guess how good each move is: the table's first, then by the game's `order`, killers and history."""
    for i in range(count):
        move = moves[i]
        guess = game.order(state, move) * 4_000_000 + memory[HISTORY + history_slot(move)]
        if move == memory[KILLERS + 2 * ply]:
            guess += 2_000_000
        elif move == memory[KILLERS + 2 * ply + 1]:
            guess += 1_900_000
        if best_hint != NO_HINT and hint(move) == best_hint:
            guess += 1 << 50
        guesses[i] = guess


def pick(moves, guesses, i, count):
    """Bring the best guess of those from `i` on to place `i`, and return its move; equals keep their order."""
    best = i
    for j in range(i + 1, count):
        if guesses[j] > guesses[best]:
            best = j
    move = moves[best]
    guess = guesses[best]
    for j in range(best, i, -1):
        moves[j] = moves[j - 1]
        guesses[j] = guesses[j - 1]
    moves[i] = move
    guesses[i] = guess
    return move


def history_slot(move):
    return move % HISTORY_SIZE


def remember_cut(memory, ply, move, depth):
    """A move that cut off here may do so elsewhere."""
    killers = KILLERS + 2 * ply
    if memory[killers] != move:
        memory[killers + 1] = memory[killers]
        memory[killers] = move
    slot = HISTORY + history_slot(move)
    memory[slot] = min(memory[slot] + depth * depth, 1_000_000)


def keep_line(memory, ply, move):
    """A new best move: the line is this move and then the line found after it."""
    line = PV + ply * ROWS
    memory[line] = move
    length = memory[LENGTH + ply + 1]
    for i in range(length):
        memory[line + i + 1] = memory[line + ROWS + i]
    memory[LENGTH + ply] = length + 1
