"""Lines: what a kernel found, as people read it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from zermelo import rules
from zermelo.game import ONGOING, State
from zermelo.keys import state_check, state_key
from zermelo.searching.alphabeta.transposition_table import ENDLESS, hint, hint_of, probe
from zermelo.searching.report import Line
from zermelo.searching.runtime.search_worker import Found, Worker
from zermelo.searching.runtime.thread_memory import DEEPEST, HORIZON, SPARE
from zermelo.value import DECISIVE, WIN_SCORE, Score, Value, later

GRACE = 0.01
"""Seconds that following all lines may take once the clock has run out: few enough that nobody will notice."""


def shown(worker: Worker, found: Found) -> Line:
    """A line in the moves of the game, with its value in words; of an exact one what is proven to be perfect play."""
    game, score = worker.game, found.score
    if abs(score) < DECISIVE and worker.unit != 1.0:
        score = score / worker.unit
    if isinstance(score, float) and score.is_integer():
        score = int(score)
    exact = found.exact and not worker.draws.samples
    value = Value.of(score, exact=exact, margin=game.margin, chance=worker.chance)
    if not found.exact and value.outcome is not None:  # won or lost, but perhaps sooner than that
        value = Value.at_least(score) if score > 0 else Value.at_most(score)
    line = found.line[: found.kept] if found.exact and not worker.chance else found.line
    return Line(value.seen_by(rules.mover(game, worker.state)), worker.moves_of(line))


def followed(worker: Worker, lines: Sequence[Found], grace: float = 0) -> list[Found]:
    """The same lines, the exact ones to the end of the game, each of their moves proven to keep the score.

    The kernel's own line is tried first; it stops short where the table knew the score and not the move. That takes few
    nodes, since the table has most answers. All lines together may take as many as the search itself, beyond its limit
    too, and once it was stopped so many seconds of `grace`. What is not proven by then is not shown.
    """
    if worker.chance:
        return list(lines)
    with worker.overtime(worker.nodes + SPARE):
        longer = [_walk(worker, found) for found in lines]
        if grace and worker.stopped:
            with worker.grace(grace):
                longer = [_walk(worker, found) for found in longer]
    return longer


def _walk(worker: Worker, found: Found) -> Found:
    """A line as far as its moves can be proven; what is proven of it already is not asked again."""
    if found.ended or not found.exact:
        return found
    state, score, likely, seen = worker.state, found.score, found.line, set[State]()
    moves = list(found.line[: found.kept])
    for move in moves:
        state, score = _step(worker, state, score, move, seen)
    while not worker.halted:
        if state in seen or rules.payoff(worker.rules, state) != ONGOING or len(moves) >= DEEPEST:
            return found._replace(line=tuple(moves), kept=len(moves), ended=True)
        guess = likely[len(moves)] if len(moves) < len(likely) else None
        next_move = _keeping(worker, state, score, guess)
        if next_move is None:
            break
        if next_move != guess:
            likely = ()
        moves.append(next_move)
        state, score = _step(worker, state, score, next_move, seen)
    return found._replace(line=(*moves, *likely[len(moves) :]), kept=len(moves))


def _keeping(worker: Worker, state: State, score: Score, guess: int | None) -> int | None:
    """A move that keeps the proven score of a state; None if none was found within what may be spent."""
    for move in _promising(worker, state, guess):
        child = worker.rules.play(state, move)
        sign = -1 if rules.changes_player(worker.rules, state, child) else 1
        if _keeps(worker, child, sign, score):
            return int(move)
        if worker.halted:
            return None
    return None


def _keeps(worker: Worker, child: State, sign: int, score: Score) -> bool:
    """Whether the score is at least this by the move to a child, for certain."""
    game, plies = worker.game, int(WIN_SCORE - abs(score))
    decisive = abs(score) >= DECISIVE and rules.has_distance(game)
    pure = decisive and game.loops
    depth = ENDLESS
    if pure or (decisive and not (game.reductions or rules.has_skip(game))):  # what comes later does not matter
        depth = min(plies, DEEPEST)
    elif game.loops:  # a search without end may go round and round: only what needs no judgement counts
        depth = max(worker.goal, 1)
    worker.memory[HORIZON] = 0
    with worker.pure() if pure else nullcontext():
        kept = sign * worker.score_of_child(child, depth, sign, score - 1, score) >= score
    return kept and not worker.halted and (decisive or not game.loops or worker.memory[HORIZON] == 0)


def _promising(worker: Worker, state: State, guess: int | None) -> list[int]:
    """The moves that matter: first the one that is guessed, then the one that the table remembers."""
    game = worker.rules
    here = rules.canonical(game, state)
    best = hint_of(probe.interpreted(game, worker.table, state_key(game, here), state_check(game, here)))
    return sorted(game.candidates(state), key=lambda move: (move != guess, hint(move) != best))


def _step(worker: Worker, state: State, score: Score, move: int, seen: set[State]) -> tuple[State, Score]:
    """The state after a move, and the score there, counted from there, if the move keeps it.

    A draw may go round, so its states are noted as `seen`; a win or loss comes nearer with every move.
    """
    if abs(score) < DECISIVE:
        seen.add(state)
    child = worker.rules.play(state, move)
    score = later(score, -1)
    return child, -score if rules.changes_player(worker.rules, state, child) else score
