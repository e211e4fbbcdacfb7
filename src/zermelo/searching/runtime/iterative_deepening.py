"""Iterative deepening from the root, with aspiration windows.

Depth 1, 2, 3, ... until the value is proven, the limit is reached, or the search is stopped. Each round tries the best
move of the previous round first, in an aspiration window around its score that widens if the score falls outside. A
round that is cut short still counts for the moves that it finished, so the search always has a move, and deepening
never makes it worse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo import rules
from zermelo.searching.alphabeta.graph_history import confirm_distances
from zermelo.searching.principal_variation import extend_lines
from zermelo.searching.runtime.search_worker import RootMove, Worker
from zermelo.searching.runtime.thread_memory import HEURISTIC_LEAVES, PV_NODES
from zermelo.value import DECISIVE, INFINITY, WIN_SCORE, Score, win_in

if TYPE_CHECKING:
    from zermelo.searching.runtime.search_driver import AlphaBetaSearch

ASPIRATION_MARGIN = 50
"""Half the width of an aspiration window, in hundredths of a unit of `evaluate`."""


def deepen(search: AlphaBetaSearch, worker: Worker) -> None:
    """Run rounds of growing depth until the search is finished; rounds of other threads count as well."""
    while (depth := search.next_depth(worker)) is not None:
        found = _round(search, worker, depth)
        if found:
            search.finish_round(depth, extend_lines(worker, search.merged(found)))
            search.prove_between_rounds(worker)


def _round(search: AlphaBetaSearch, worker: Worker, depth: int) -> list[RootMove]:
    """Search to `depth`, again if the score falls outside the window; return the best lines, none if cut short."""
    worker.memory[HEURISTIC_LEAVES] = 0
    before = worker.nodes
    alpha, beta = _window(search, worker)
    while True:
        try_moves = _best_line if search.deepening.count == 1 and not worker.chance else _try_moves
        found, rest = try_moves(search, worker, depth, alpha, beta)
        if worker.halted:
            if worker.number == 0 and not worker.interrupted:
                search.keep_unfinished(found, rest)
            return []
        if (
            alpha > -INFINITY
            and found[-1 if len(found) < search.deepening.count else search.deepening.count - 1].score <= alpha
        ):
            alpha = -INFINITY
        elif found[0].score >= beta < INFINITY:
            beta = INFINITY
        else:
            if worker.game.loops and worker.memory[HEURISTIC_LEAVES] > 0 and not worker.chance:
                return confirm_distances(worker, found, depth, worker.nodes - before + PV_NODES)
            return [line._replace(exact=_proven(worker, line.score, depth)) for line in found]


def _window(search: AlphaBetaSearch, worker: Worker) -> tuple[Score, Score]:
    score = search.deepening.lines[0].score
    if worker.chance or search.deepening.count > 1 or search.deepening.depth < 3 or abs(score) >= DECISIVE:
        return -INFINITY, INFINITY
    margin = max(1, int(ASPIRATION_MARGIN * worker.unit) // 100)
    return score - margin, score + margin


def _best_line(
    search: AlphaBetaSearch, worker: Worker, depth: int, alpha: Score, beta: Score
) -> tuple[list[RootMove], list[int]]:
    """Return the best line, and the moves that were not tried before the search was stopped, or before a cutoff."""
    best: RootMove | None = None
    order, tried = _order(search, worker), 0
    while tried < len(order) and (best is None or best.score < beta):
        bound = alpha if best is None else max(alpha, best.score)
        tried, score = worker.score_of_moves(order, tried, depth, bound, beta)
        if worker.halted:
            break
        if best is None or score > bound:
            best = RootMove(score, (order[tried - 1], *worker.line(1)))
            if tried > 1 and worker.number == 0 and max(alpha, -DECISIVE) < score < beta:
                search.preview([best])  # a loss may be refuted by the moves that are left
    return [] if best is None else [best], order[tried:]


def _try_moves(
    search: AlphaBetaSearch, worker: Worker, depth: int, alpha: Score, beta: Score
) -> tuple[list[RootMove], list[int]]:
    """Return the best lines, best first, and the moves that were not tried before the search was stopped."""
    count = search.deepening.count
    found: list[RootMove] = []
    order = _order(search, worker)
    for i, move in enumerate(order):
        bound = max(alpha, found[count - 1].score) if len(found) >= count else alpha
        score = worker.score_of_move(move, depth - 1, bound, beta)
        if worker.halted:
            return found, order[i:]
        if len(found) < count or score > found[count - 1].score:
            found.append(RootMove(score, (move, *worker.line(1))))
            found.sort(key=lambda line: -line.score)
            del found[count:]
            if i > 0 and worker.number == 0 and found[0].line[0] == move and max(alpha, -DECISIVE) < score < beta:
                search.preview(found)  # a loss may be refuted by the moves that are left
        if count == 1 and found[0].score >= beta:
            break
    return found, []


def _order(search: AlphaBetaSearch, worker: Worker) -> list[int]:
    best = [found.line[0] for found in search.deepening.lines]
    others = [move for move in worker.moves if move not in best]
    if worker.game.reductions:  # those whose refutation took the most nodes are the likeliest to be good
        others.sort(key=lambda move: -worker.nodes_of_move[move])
    return [*best, *others]


def _proven(worker: Worker, score: Score, depth: int) -> bool:
    """Whether the score is exact: no heuristic leaf took part, or the game ends within the plies searched in full.

    This is for games where play cannot repeat; for others see graph_history.py. A longer win from the table is a win,
    but there may be a shorter one, except for a win in one.
    """
    game = worker.game
    if worker.memory[HEURISTIC_LEAVES] == 0 or (rules.has_distance(game) and score == win_in(1)):
        return True
    if not rules.has_distance(game) or not rules.is_full_width(game):
        return False
    return abs(score) >= DECISIVE and WIN_SCORE - abs(score) <= depth
