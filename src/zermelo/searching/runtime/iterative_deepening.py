"""Iterated deepening from the root.

Depth 1, 2, 3, ... until the value is proven, the limit is reached, or somebody stops it. Each round tries the best move
of the round before first, in a window around its score that widens where the score falls outside. A round that is
cut short still counts for the moves it finished, so there is always an answer, and never a worse one for having
looked further.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo import rules
from zermelo.searching.alphabeta.graph_history import certain
from zermelo.searching.principal_variation import followed
from zermelo.searching.runtime.search_worker import Found, Worker
from zermelo.searching.runtime.thread_memory import HORIZON, SPARE
from zermelo.value import DECISIVE, INFINITY, WIN_SCORE, Score, win_in

if TYPE_CHECKING:
    from zermelo.searching.runtime.search_driver import Search

MARGIN = 50
"""How far from the last score the window of the next round reaches at first, in hundredths of a unit of `evaluate`."""


def deepen(search: Search, worker: Worker) -> None:
    """Rounds of growing depth until there is no more to do; those of other threads count as well."""
    while (depth := search.next_depth(worker)) is not None:
        found = _round(search, worker, depth)
        if found:
            search.finish_round(depth, followed(worker, search.merged(found)))
            search.prove_between(worker)


def _round(search: Search, worker: Worker, depth: int) -> list[Found]:
    """The best lines to `depth`, none if the round was cut short; scores outside the window are searched again."""
    worker.memory[HORIZON] = 0
    before = worker.nodes
    alpha, beta = _window(search, worker)
    while True:
        found, rest = _try_moves(search, worker, depth, alpha, beta)
        if worker.halted:
            if worker.number == 0 and not worker.interrupted:
                search.keep_unfinished(found, rest)
            return []
        if alpha > -INFINITY and found[-1 if len(found) < search.count else search.count - 1].score <= alpha:
            alpha = -INFINITY
        elif found[0].score >= beta < INFINITY:
            beta = INFINITY
        else:
            if worker.game.loops and worker.memory[HORIZON] > 0 and not worker.chance:
                return certain(worker, found, depth, worker.nodes - before + SPARE)
            return [line._replace(exact=_proven(worker, line.score, depth)) for line in found]


def _window(search: Search, worker: Worker) -> tuple[Score, Score]:
    score = search.lines[0].score
    if worker.chance or search.count > 1 or search.depth < 3 or abs(score) >= DECISIVE:
        return -INFINITY, INFINITY
    margin = max(1, int(MARGIN * worker.unit) // 100)
    return score - margin, score + margin


def _try_moves(search: Search, worker: Worker, depth: int, alpha: Score, beta: Score) -> tuple[list[Found], list[int]]:
    """The best lines, best first, and the moves that were not tried before the search was stopped."""
    count = search.count
    found: list[Found] = []
    order = _order(search, worker)
    for i, move in enumerate(order):
        bound = max(alpha, found[count - 1].score) if len(found) >= count else alpha
        score = worker.score_of_move(move, depth - 1, bound, beta)
        if worker.halted:
            return found, order[i:]
        if len(found) < count or score > found[count - 1].score:
            found.append(Found(score, (move, *worker.line(1))))
            found.sort(key=lambda line: -line.score)
            del found[count:]
            if i > 0 and worker.number == 0 and found[0].line[0] == move and max(alpha, -DECISIVE) < score < beta:
                search.preview(found)  # a loss would only be one until the other moves are tried
        if count == 1 and found[0].score >= beta:
            break
    return found, []


def _order(search: Search, worker: Worker) -> list[int]:
    best = [found.line[0] for found in search.lines]
    return [*best, *(move for move in worker.moves if move not in best)]


def _proven(worker: Worker, score: Score, depth: int) -> bool:
    """Whether the score is the true one: no judgement took part, or it ends within the plies that were all searched.

    That is so where play cannot repeat; elsewhere see graph_history.py.
    A win that the table knows to lie beyond them is one, but there may be a shorter; than a win in one there is none.
    """
    game = worker.game
    if worker.memory[HORIZON] == 0 or (rules.has_distance(game) and score == win_in(1)):
        return True
    if not rules.has_distance(game) or game.reductions or rules.has_skip(game):
        return False
    return abs(score) >= DECISIVE and WIN_SCORE - abs(score) <= depth
