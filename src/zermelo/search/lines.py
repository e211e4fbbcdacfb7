"""Lines: what a kernel found, as people read it."""

from __future__ import annotations

from contextlib import nullcontext

from zermelo import rules
from zermelo.game import ONGOING, State
from zermelo.keys import state_check, state_key
from zermelo.search.memory import DEEPEST, HORIZON, SPARE
from zermelo.search.report import Line
from zermelo.search.table import ENDLESS, hint, hint_of, probe
from zermelo.search.worker import Found, Worker
from zermelo.value import DECISIVE, WIN_SCORE, Score, Value, later

HURRIED = 20
"""How many times slower a search is, at least, that is interpreted."""


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


def followed(worker: Worker, found: Found) -> Found:
    """An exact line to the end of the game, each of its moves proven to keep the score.

    The kernel's own line is tried first; it stops short where the table knew the score and not the move. That takes few
    nodes, since the table has most answers. It may take as many as the search itself, beyond its limit too, and once
    the clock has run out a few that nobody will notice. What is not proven by then is left out.
    """
    if worker.chance:
        return found
    plenty, few = worker.nodes + SPARE, SPARE if worker.compiled else SPARE // HURRIED
    with worker.overtime(plenty):
        longer, ended = _walk(worker, found)
    if not ended and worker.stopped:
        with worker.overtime(few, stopped=True):
            longer, _ = _walk(worker, found._replace(line=max(longer.line, found.line, key=len)))
    return longer


def _walk(worker: Worker, found: Found) -> tuple[Found, bool]:
    """The line as far as its moves can be proven, and whether that is as far as it should go."""
    state, score, moves, likely, seen = worker.state, found.score, list[int](), found.line, set[State]()
    while state not in seen and rules.payoff(worker.rules, state) == ONGOING and len(moves) < DEEPEST:
        guess = likely[len(moves)] if len(moves) < len(likely) else None
        move = _keeping(worker, state, score, guess) if moves else guess
        if move is None:
            return found._replace(line=tuple(moves), kept=len(moves)), False
        if move != guess:
            likely = ()
        if abs(score) < DECISIVE:  # a draw may go round; a win or loss comes nearer with every move
            seen.add(state)
        moves.append(move)
        state, score = _step(worker, state, score, move)
    return found._replace(line=tuple(moves), kept=len(moves)), True


def _keeping(worker: Worker, state: State, score: Score, guess: int | None) -> int | None:
    """A move that keeps the proven score of a state; None if none was found within what may be spent."""
    for move in _promising(worker, state, guess):
        child = worker.rules.play(state, move)
        sign = -1 if rules.turns(worker.rules, state, child) else 1
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


def _step(worker: Worker, state: State, score: Score, move: int) -> tuple[State, Score]:
    """The state after a move, and the score there, counted from there, if the move keeps it."""
    child = worker.rules.play(state, move)
    score = later(score, -1)
    return child, -score if rules.turns(worker.rules, state, child) else score
