"""Principal variations: extend exact lines to the end of the game, and show lines in moves and values of the game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from zermelo import rules
from zermelo.game import ONGOING, State
from zermelo.keys import state_check, state_key
from zermelo.searching.alphabeta.transposition_table import UNLIMITED, hint, hint_of, probe
from zermelo.searching.report import Line
from zermelo.searching.runtime.search_worker import RootMove, Worker
from zermelo.searching.runtime.thread_memory import HEURISTIC_LEAVES, MAX_PLY, PV_NODES, UNLIMITED_NODES
from zermelo.value import DECISIVE, WIN_SCORE, Score, Value, later

GRACE_SECONDS = 0.01
"""Seconds that extending all lines may take once the clock has run out."""


def to_line(worker: Worker, found: RootMove) -> Line:
    """Convert a line to moves and a Value of the game; an exact line shows only its proven moves."""
    game, score = worker.game, found.score
    if abs(score) < DECISIVE and worker.unit != 1.0:
        score = score / worker.unit
    if isinstance(score, float) and score.is_integer():
        score = int(score)
    exact = found.exact and not worker.sampling.samples
    value = Value.of(score, exact=exact, margin=game.margin, chance=worker.chance)
    if not found.exact and value.outcome is not None:  # won or lost, but perhaps sooner
        value = Value.at_least(score) if score > 0 else Value.at_most(score)
    line = found.line[: found.proven_moves] if found.exact and not worker.chance else found.line
    return Line(value.seen_by(rules.mover(game, worker.state)), worker.decode_moves(line))


def extend_lines(
    worker: Worker, lines: Sequence[RootMove], grace: float = 0, *, patient: bool = False
) -> list[RootMove]:
    """Extend the exact lines to the end of the game; each of their moves is proven to keep the score.

    The kernel's own line is tried first; it stops short where the table had the score and not the move. This takes few
    nodes, since the table has most scores. All lines together may take as many nodes as the search itself, beyond its
    limit too, and once it was stopped `grace` seconds. Moves that are not proven by then are not shown. A search whose
    caller is `patient` takes all the nodes it needs: with a small table, proving a line may take longer than the value.
    """
    if worker.chance:
        return list(lines)
    with worker.uncounted(UNLIMITED_NODES if patient else worker.nodes + PV_NODES):
        longer = [_extend(worker, found) for found in lines]
        if grace and worker.stopped:
            with worker.grace(grace):
                longer = [_extend(worker, found) for found in longer]
    return longer


def _extend(worker: Worker, found: RootMove) -> RootMove:
    """Extend a line as far as its moves can be proven; moves that are proven already are not searched again."""
    if found.complete or not found.exact:
        return found
    state, score, likely, seen = worker.state, found.score, found.line, set[State]()
    moves = list(found.line[: found.proven_moves])
    for move in moves:
        state, score = _step(worker, state, score, move, seen)
    while not worker.halted:
        if state in seen or rules.payoff(worker.rules, state) != ONGOING or len(moves) >= MAX_PLY:
            return found._replace(line=tuple(moves), proven_moves=len(moves), complete=True)
        guess = likely[len(moves)] if len(moves) < len(likely) else None
        next_move = _proven_move(worker, state, score, guess)
        if next_move is None:
            break
        if next_move != guess:
            likely = ()
        moves.append(next_move)
        state, score = _step(worker, state, score, next_move, seen)
    return found._replace(line=(*moves, *likely[len(moves) :]), proven_moves=len(moves))


def _proven_move(worker: Worker, state: State, score: Score, guess: int | None) -> int | None:
    """A move that keeps the proven score of a state; None if none was found within the limit."""
    for move in _ordered_moves(worker, state, guess):
        child = worker.rules.play(state, move)
        sign = -1 if rules.changes_player(worker.rules, state, child) else 1
        if _keeps(worker, child, sign, score):
            return int(move)
        if worker.halted:
            return None
    return None


def _keeps(worker: Worker, child: State, sign: int, score: Score) -> bool:
    """Whether the move to a child is proven to reach the score."""
    game, plies = worker.game, int(WIN_SCORE - abs(score))
    decisive = abs(score) >= DECISIVE and rules.has_distance(game)
    path_free = decisive and game.loops
    depth = UNLIMITED
    if path_free or (decisive and rules.is_full_width(game)):  # later plies do not matter
        depth = min(plies, MAX_PLY)
    elif game.loops:  # an UNLIMITED search may cycle: heuristic leaves do not count
        depth = max(worker.target_depth, 1)
    worker.memory[HEURISTIC_LEAVES] = 0
    with worker.path_free() if path_free else nullcontext():
        proven = sign * worker.score_of_child(child, depth, sign, score - 1, score) >= score
    return proven and not worker.halted and (decisive or not game.loops or worker.memory[HEURISTIC_LEAVES] == 0)


def _ordered_moves(worker: Worker, state: State, guess: int | None) -> list[int]:
    """The candidate moves: first the guess, then the table move."""
    game = worker.rules
    here = rules.canonical(game, state)
    best = hint_of(probe.interpreted(game, worker.table, state_key(game, here), state_check(game, here)))
    return sorted(game.candidates(state), key=lambda move: (move != guess, hint(move) != best))


def _step(worker: Worker, state: State, score: Score, move: int, seen: set[State]) -> tuple[State, Score]:
    """The state after a move that keeps the score, and the score there, counted from there.

    A draw may cycle, so its states are noted as `seen`; a win or loss comes nearer with every move.
    """
    if abs(score) < DECISIVE:
        seen.add(state)
    child = worker.rules.play(state, move)
    score = later(score, -1)
    return child, -score if rules.changes_player(worker.rules, state, child) else score
