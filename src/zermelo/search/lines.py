"""Lines: what a kernel found, as people read it."""

from __future__ import annotations

from zermelo import rules
from zermelo.game import ONGOING, State
from zermelo.keys import state_check, state_key
from zermelo.search.memory import DEEPEST
from zermelo.search.report import Line
from zermelo.search.table import ENDLESS, hint, hint_of, probe
from zermelo.search.worker import Found, Worker
from zermelo.value import DECISIVE, WIN_SCORE, Score, Value, later


def shown(worker: Worker, found: Found) -> Line:
    """A line in the moves of the game, with its value in words."""
    game, score = worker.game, found.score
    if abs(score) < DECISIVE and worker.unit != 1.0:
        score = score / worker.unit
    if isinstance(score, float) and score.is_integer():
        score = int(score)
    exact = found.exact and not worker.draws.samples
    value = Value.of(score, exact=exact, margin=game.margin, chance=worker.chance)
    if not found.exact and value.outcome is not None:  # won or lost, but perhaps sooner than that
        value = Value.at_least(score) if score > 0 else Value.at_most(score)
    return Line(value.seen_by(rules.mover(game, worker.state)), worker.moves_of(found.line))


def played_out(worker: Worker, found: Found) -> Found:
    """A proven line to the end of the game, where the table had cut it short."""
    if worker.chance:
        return found
    state, score, moves = worker.state, found.score, list(found.line)
    for move in found.line:
        state, score = _step(worker, state, score, move)
    while rules.payoff(worker.rules, state) == ONGOING and len(moves) < DEEPEST:
        kept = _keeping(worker, state, score)
        if kept is None:
            break
        moves.append(kept)
        state, score = _step(worker, state, score, kept)
    return found._replace(line=tuple(moves))


def _keeping(worker: Worker, state: State, score: Score) -> int | None:
    """A move that keeps the proven score of a state; None if the search was stopped before it was found."""
    depth = ENDLESS
    if worker.game.loops:  # a search without end may go round and round
        depth = min(int(WIN_SCORE - abs(score)), DEEPEST) if abs(score) >= DECISIVE else 0
    for move in _promising(worker, state) if depth else ():
        if worker.halted or worker.spent:
            return None
        child = worker.rules.play(state, move)
        sign = -1 if rules.turns(worker.rules, state, child) else 1
        kept = sign * worker.score_of_child(child, depth, sign, score - 1, score) >= score
        if kept and not worker.halted:
            return int(move)
    return None


def _promising(worker: Worker, state: State) -> list[int]:
    """The moves that matter, the one that the table remembers first."""
    game = worker.rules
    here = rules.canonical(game, state)
    best = hint_of(probe.interpreted(game, worker.table, state_key(game, here), state_check(game, here)))
    return sorted(game.candidates(state), key=lambda move: hint(move) != best)


def _step(worker: Worker, state: State, score: Score, move: int) -> tuple[State, Score]:
    """The state after a move, and the score there, counted from there, if the move keeps it."""
    child = worker.rules.play(state, move)
    score = later(score, -1)
    return child, -score if rules.turns(worker.rules, state, child) else score
