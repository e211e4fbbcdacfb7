"""The search kernel: principal variation search over any game's rules, compiled where the rules compile.

Fail-soft negamax with a transposition table that keeps both bounds. Every successor gets static bounds before any is
searched: the rules or the table often resolve the node. Scores are ints (see value.py); distances are counted from the
root. The parts of the search stand in modules of their own:

    static_bounds.py    bounds of successors by the rules, the tablebase and the table
    static_evaluation.py, quiescence.py, extensions.py      the horizon
    singular.py, null_move.py, futility.py, reductions.py   selective search
    move_ordering.py, abdada.py                             the order of moves, for one thread and for several
    transposition_table.py                                  entries

Singular extensions, reductions, null moves and quiescence depend on facts and rules that a game may lack; then they
cost nothing. None of them takes part in an UNLIMITED search, which proves values, nor in a path-independent one, which
finds how soon a win or loss comes where play can repeat (see graph_history.py).
"""

from __future__ import annotations

from zermelo.keys import key_is_exact
from zermelo.native.kernel_dispatch import kernel
from zermelo.rules import candidates_into, changes_player, has_noise, has_skip
from zermelo.searching.alphabeta.abdada import DEFER_PLIES, mark_searching, unmark_searching
from zermelo.searching.alphabeta.extensions import extended_depth
from zermelo.searching.alphabeta.futility import (
    UNKNOWN,
    futile_score,
    is_above,
    is_below,
    is_futility_node,
    may_skip,
)
from zermelo.searching.alphabeta.game_history import played_twice
from zermelo.searching.alphabeta.move_ordering import (
    defer_moves,
    pick_move,
    record_cutoff,
    record_failures,
    score_moves,
    update_pv,
)
from zermelo.searching.alphabeta.null_move import is_null_move_node, may_pass, null_move_depth
from zermelo.searching.alphabeta.quiescence import MAX_QUIESCENCE_LEAVES, keep_noisy_moves, leaves_of_move
from zermelo.searching.alphabeta.reductions import FULL_DEPTH_MOVES, MIN_REDUCTION_DEPTH, late_move_depth
from zermelo.searching.alphabeta.singular import (
    NO_THRESHOLD,
    is_singular_node,
    singular_test_depth,
    singular_threshold,
    without_move,
)
from zermelo.searching.alphabeta.static_bounds import (
    bound_late,
    bound_moves,
    bounds_pay,
    probe_moves,
    state_bounds,
    terminal_score,
    tighten_by_table,
)
from zermelo.searching.alphabeta.static_evaluation import static_eval
from zermelo.searching.alphabeta.transposition_table import (
    NO_HINT,
    UNLIMITED,
    canonical_key,
    check_at,
    draft_for,
    hint,
    hint_of,
    prefetch,
    probe,
    score_to_table,
    store,
)
from zermelo.searching.runtime.thread_memory import (
    AGE,
    BOUNDED_MOVES,
    CHECKS,
    EXCLUDED,
    HEURISTIC_LEAVES,
    HIGHS,
    KEYS,
    LOWS,
    MAX_PLY,
    MOVE_SCORES,
    NO_MOVE,
    NODES,
    NOMINAL_PLY,
    OPEN_MOVES,
    PATH,
    PATH_FREE,
    PLAYED,
    PV_LENGTH,
    QUIESCENCE_LEAVES,
    RESOLVED_MOVES,
    SELDEPTH,
    STOP,
    THREAD,
    WIDTH_NEEDED,
    checks_at,
    ply_row,
)
from zermelo.value import INFINITY

PROBE_CHILDREN_PLIES = 12
"""Plies below a node of an UNLIMITED search from which on the table is probed for its successors (8 to 17 did equally
well on Connect Four)."""

PROBE_CHILDREN_DEPTH = 4
"""The depth from which on other searches do so. Beyond it, internal iterative deepening pays."""

LAZY_PROBE_DEPTH = 8
"""The same where successors are not bounded ahead, so that their keys cost more: chess saves a fifth of its time."""

MIN_SUBTREE_PLIES = 2
"""Plies below a node of an UNLIMITED search from which on it is stored in the table."""


@kernel
def search_state(game, state, depth, ply, alpha, beta, unit, table, memory):
    """The score of `state` for its mover: exact inside (alpha, beta), else a bound on the side it fell.

    `depth` is a number of plies, or UNLIMITED. Static evaluations are multiplied by `unit`. The score is meaningless
    once memory[STOP] is set. The principal variation is left in pv[ply].
    """
    memory[PV_LENGTH + ply] = 0
    memory[NOMINAL_PLY] = ply + depth
    memory[QUIESCENCE_LEAVES + ply] = MAX_QUIESCENCE_LEAVES
    low, high = state_bounds(game, state, ply, memory)
    if low >= beta or low >= high:
        return low
    if high <= alpha:
        return high
    return search_node(game, state, depth, ply, alpha, beta, low, high, 0, unit, table, memory)


@kernel
def search_node(game, state, depth, ply, alpha, beta, low, high, key, unit, table, memory):
    """The score of a state that static bounds did not resolve: it lies between `low` and `high`.

    `key` is 0 if it is not computed yet; else its check is in memory too.
    """
    memory[PV_LENGTH + ply] = 0
    memory[SELDEPTH] = max(ply, memory[SELDEPTH])
    if memory[STOP]:
        return 0

    # Step 1. Extensions and the horizon, beyond which noisy moves alone are searched, while leaves are left
    draft_depth = depth  # what the table goes by: a parent that probes for a state does not know if it is extended
    path_free = is_path_free(game, memory)
    leaves = memory[QUIESCENCE_LEAVES + ply] if has_noise(game) else MAX_QUIESCENCE_LEAVES
    if depth > 0 or leaves > 1:
        depth = extended_depth(game, state, depth, ply, path_free, memory)
    best = -INFINITY
    quiescent = depth == 0
    if quiescent or ply >= MAX_PLY:
        memory[HEURISTIC_LEAVES] += 1
        if depth == UNLIMITED:  # too deep to prove anything: no estimate may pass for a proof
            memory[STOP] = 1
            return 0
        best = max(low, min(high, 0 if path_free else static_eval(game, state, ply, unit, memory)))
        if ply >= MAX_PLY or not (path_free or (has_noise(game) and best < beta and leaves > 1)):
            return best

    # Step 2. Internal iterative deepening: a shallower search finds the first move, where the table has none
    before = memory[NODES]
    heuristic_leaves = memory[HEURISTIC_LEAVES]
    excluded = memory[EXCLUDED + ply]  # in the test of Step 3: the hint of the move that is left out
    if PROBE_CHILDREN_DEPTH < depth < UNLIMITED and beta - alpha > 1:
        key = canonical_key(game, state, CHECKS + ply, memory)
        if hint_of(probe(game, table, key, check_at(game, CHECKS + ply, memory))) == NO_HINT:
            search_node(game, state, depth - 2, ply, alpha, beta, low, high, key, unit, table, memory)
            if memory[STOP]:
                return 0
            memory[PV_LENGTH + ply] = 0
            memory[HEURISTIC_LEAVES] = heuristic_leaves

    # Step 3. Singular extensions: if all other moves are much worse, the table move is searched a ply deeper
    singular = NO_HINT
    if not path_free and is_singular_node(depth, ply, memory):
        key = canonical_key(game, state, CHECKS + ply, memory)
        data = probe(game, table, key, check_at(game, CHECKS + ply, memory))
        limit = singular_threshold(data, depth, memory)
        if limit > NO_THRESHOLD:
            memory[EXCLUDED + ply] = hint_of(data)
            less = singular_test_depth(depth)
            score = search_node(game, state, less, ply, limit - 1, limit, low, high, key, unit, table, memory)
            memory[EXCLUDED + ply] = NO_HINT
            if memory[STOP]:
                return 0
            if score < limit:
                singular = hint_of(data)
            memory[PV_LENGTH + ply] = 0
            memory[HEURISTIC_LEAVES] = heuristic_leaves

    # Step 4. Near the horizon, the static evaluation alone may decide
    estimate = UNKNOWN
    if is_futility_node(depth, ply, alpha, beta, memory) and not path_free and not game.forcing(state):
        estimate = static_eval(game, state, ply, unit, memory)
        if is_above(estimate, depth, beta, memory) and not memory[STOP]:
            memory[HEURISTIC_LEAVES] += 1
            return max(low, min(high, estimate))
        if is_below(estimate, depth, alpha, memory) and has_noise(game):
            score = search_node(game, state, 0, ply, alpha, beta, low, high, key, unit, table, memory)
            if memory[STOP] or score <= alpha:
                return score
            memory[PV_LENGTH + ply] = 0

    # Step 5. The moves
    moves = ply_row(memory, ply, OPEN_MOVES)
    count = candidates_into(game, state, moves)
    if count == 0:
        return terminal_score(game, game.stuck(state), ply)
    if path_free and quiescent:  # the game goes on, which is the whole question
        return best
    if count > len(moves):
        memory[WIDTH_NEEDED] = max(count, memory[WIDTH_NEEDED])
        memory[STOP] = 1
        return 0
    if excluded != NO_HINT:
        count = without_move(moves, count, excluded)
        if count == 0:
            return alpha
    if has_noise(game):
        if quiescent:
            count = keep_noisy_moves(game, state, moves, count)
            if count >= leaves:
                return best
        memory[QUIESCENCE_LEAVES + ply + 1] = leaves_of_move(draft_depth, leaves, count)

    # Step 6. Repetitions. In an UNLIMITED search, a state with a single move or a small subtree is not stored: its
    # successors are, or are soon searched again
    tabled = excluded == NO_HINT and (draft_depth > 0 or (not quiescent and leaves == MAX_QUIESCENCE_LEAVES))
    if depth == UNLIMITED and not game.loops:
        tabled = count > 1 and memory[SELDEPTH] - ply >= MIN_SUBTREE_PLIES
    if key == 0 and (tabled or game.loops):
        key = canonical_key(game, state, CHECKS + ply, memory)
        prefetch(game, table, key)
    check = check_at(game, CHECKS + ply, memory)
    if game.loops and not path_free:
        for earlier in range(ply - 1, -1, -1):
            if memory[PATH + earlier] == key and check_at(game, CHECKS + earlier, memory) == check:
                memory[HEURISTIC_LEAVES] += 1
                memory[STOP] |= depth == UNLIMITED  # a repetition proves nothing
                return 0
        if ply > 0 and depth != UNLIMITED and played_twice(game, key, check, memory):
            memory[HEURISTIC_LEAVES] += 1
            return 0
        memory[PATH + ply] = key

    # Step 7. Static bounds of every successor: the best of them may resolve this state
    next_depth = depth if depth == UNLIMITED or quiescent else depth - 1
    if depth == UNLIMITED:
        probe_children = tabled and memory[SELDEPTH] - ply >= PROBE_CHILDREN_PLIES
    else:
        probe_children = tabled and depth >= (PROBE_CHILDREN_DEPTH if bounds_pay(memory) else LAZY_PROBE_DEPTH)
    start = alpha
    best_move = moves[0]
    eager = depth == UNLIMITED or probe_children or path_free or bounds_pay(memory)
    if eager:
        open_moves, best, best_move = bound_moves(
            game, state, ply, count, probe_children, start, beta, best, table, memory
        )
        if memory[STOP]:
            return 0
        memory[BOUNDED_MOVES] += count
        memory[RESOLVED_MOVES] += count - open_moves
        count = open_moves
        if best >= beta or count == 0:
            return best

    # Step 8. Probe the table for this state and its successors
    data = 0
    if tabled:
        data = probe(game, table, key, check)
        low, high = tighten_by_table(data, draft_depth, ply, low, high, memory)
    pv_score = best  # the score of the principal variation
    alpha = max(alpha, best, low)
    if low >= beta or low >= high or high <= alpha:
        memory[PV_LENGTH + ply] = 0  # the table has the score and no line
        return low if low >= beta or low >= high else high
    if probe_children:
        count, best, best_move = probe_moves(
            game, state, next_depth, ply, count, start, alpha, beta, best, best_move, table, memory
        )
        if best >= beta:
            return best
        if best > alpha:
            pv_score = best
        alpha = max(alpha, best)

    # Step 9. The null move
    if has_skip(game) and excluded == NO_HINT and is_null_move_node(depth, alpha, beta):
        skipped = game.skip(state)
        if may_pass(game, state, skipped, ply, beta, unit, memory):
            memory[PLAYED + ply] = NO_MOVE
            leaves_before = memory[HEURISTIC_LEAVES]
            less = null_move_depth(depth)
            a, b = state_bounds(game, skipped, ply + 1, memory)
            score = -b
            if a < b:
                score = -search_node(game, skipped, less, ply + 1, -beta, -alpha, a, b, 0, unit, table, memory)
            if memory[STOP]:
                return 0
            if score >= beta:
                memory[HEURISTIC_LEAVES] += 1
                return beta
            memory[HEURISTIC_LEAVES] = leaves_before

    # Step 10. Search the open moves, the most promising first, the others by a null window; late moves are reduced
    deferring = probe_children and memory[THREAD] > 0 and ply < DEFER_PLIES
    if deferring:
        mark_searching(game, table, key)
    move_scores = ply_row(memory, ply, MOVE_SCORES)
    lows = ply_row(memory, ply, LOWS)
    highs = ply_row(memory, ply, HIGHS)
    keys = ply_row(memory, ply, KEYS)
    checks = checks_at(memory, ply)
    if count > 1:
        score_moves(game, state, ply, moves, move_scores, count, hint_of(data), memory)
    for tried in range(count):
        if deferring and tried > 0:
            defer_moves(game, keys, move_scores, count, table)
        at = pick_move(move_scores, count) if count > 1 else 0
        if eager and highs[at] <= alpha:
            best = max(best, highs[at])
            continue
        move = moves[at]
        child = game.play(state, move)
        memory[PLAYED + ply] = move
        if not eager:
            bound_late(game, state, child, ply, at, memory)
            if memory[STOP]:
                return 0
        elif not key_is_exact(game):
            memory[CHECKS + ply + 1] = memory[checks + at]
        is_open = lows[at] < highs[at]  # else the game may be over there, and its value is known
        if is_open and may_skip(game, state, child, move, depth, tried, estimate, best, alpha, memory):
            memory[HEURISTIC_LEAVES] += 1
            best = max(best, min(alpha, futile_score(estimate, depth, memory)))
            continue
        less = next_depth
        reducible = is_open and not path_free and tried >= FULL_DEPTH_MOVES
        if game.reductions and reducible and MIN_REDUCTION_DEPTH <= depth < UNLIMITED:
            less = late_move_depth(game, state, child, move, next_depth, tried)
        if singular != NO_HINT and hint(move) == singular:
            less = next_depth + 1
        top = beta if tried == 0 else alpha + 1
        while True:
            if lows[at] >= top or lows[at] >= highs[at] or highs[at] <= alpha:  # resolved by its bounds
                memory[PV_LENGTH + ply + 1] = 0
                score = highs[at] if highs[at] <= alpha else lows[at]
            elif changes_player(game, state, child):
                score = -search_node(
                    game, child, less, ply + 1, -top, -alpha, -highs[at], -lows[at], keys[at], unit, table, memory
                )
            else:
                score = search_node(
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
            if deferring:
                unmark_searching(game, table, key)
            return 0
        if score > best:
            best = score
            best_move = move
            if score > alpha:
                pv_score = score
                update_pv(memory, ply, move)
        alpha = max(alpha, best)
        if alpha >= beta:
            if count > 1:
                record_cutoff(memory, ply, move, depth)
                if tried > 0 and depth < UNLIMITED:
                    record_failures(memory, moves, move_scores, count, move, depth)
            break
    if deferring:
        unmark_searching(game, table, key)

    # Step 11. Store the bounds, as PROVEN where no heuristic leaf took part
    best = max(low, min(high, best))
    if best > pv_score:  # the table's bound is higher than the score of any move that was searched
        memory[PV_LENGTH + ply] = 0
    if tabled:
        if memory[HEURISTIC_LEAVES] == heuristic_leaves:
            draft_depth = UNLIMITED
        lower = low
        upper = high
        if best > start:
            lower = max(lower, best)
        if best < beta:
            upper = min(upper, best)
        move_hint = hint(best_move) if best > start else NO_HINT
        draft = draft_for(draft_depth, memory[NODES] - before)
        lower = score_to_table(lower, ply)
        upper = score_to_table(upper, ply)
        store(game, table, key, check, lower, upper, draft, memory[AGE], move_hint)
    return best


@kernel
def is_path_free(game, memory):
    """Whether the search ignores the path to a state (see graph_history.py); never where play cannot repeat."""
    return game.loops and memory[PATH_FREE] != 0
