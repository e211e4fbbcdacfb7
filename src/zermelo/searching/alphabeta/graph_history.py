"""The graph-history interaction: exact distances of wins and losses where play can repeat.

The rounds of a search score a state that repeats on its own path as a draw. That is right on that path, but the table
keeps it for other paths, where it may hide a win. A win or loss that is found is still right, since a line that ends
does not repeat. But there may be a shorter one.

Whether a state is won within n plies depends neither on the path to it nor on any rule of repetition. So a
*path-independent* search, n - 1 plies deep and with a null window, tests this again: without repetitions, static
evaluation, extensions, null moves and reductions, and with a table of its own. If it finds a shorter distance, that is
the score, and the test is repeated.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo import rules
from zermelo.searching.runtime.search_worker import RootMove, Worker
from zermelo.value import DECISIVE, WIN_SCORE


def confirm_distances(worker: Worker, found: list[RootMove], depth: int, nodes: int) -> list[RootMove]:
    """Confirm the distances in the lines of a round to `depth`, with at most `nodes` nodes; best first.

    Each line in turn is corrected until it is exact. Moves that are not among the lines are no better, except for wins
    that a repetition hid.
    """
    if not any(_within(worker, line, depth) for line in found):
        return found
    lines_by_move = {line.line[0]: line for line in found}
    lines: list[RootMove] = []
    with worker.node_budget(nodes), worker.path_free():
        while len(lines) < len(found):
            taken = [line.line[0] for line in lines]
            left = (lines_by_move[move] for move in lines_by_move if move not in taken)
            line = max(left, key=lambda line: line.score)
            if lines and lines[-1].exact:  # it is no better than the best
                line = line._replace(score=min(line.score, lines[-1].score))
            if _within(worker, line, depth):
                line = _confirmed(worker, line, [move for move in worker.moves if move not in taken])
                lines_by_move[line.line[0]] = line
            lines.append(line)
    return lines


def _within(worker: Worker, line: RootMove, depth: int) -> bool:
    """Whether a line claims a win or loss within `depth` plies."""
    return rules.has_distance(worker.game) and abs(line.score) >= DECISIVE and _plies(line) <= depth


def _confirmed(worker: Worker, line: RootMove, moves: Sequence[int]) -> RootMove:
    """Return the best line by one of these moves, at first `line`; it is exact unless the worker was halted."""
    if _plies(line) == 1:
        return line._replace(exact=True)
    return _soonest(worker, line, moves) if line.score > 0 else _latest(worker, line, moves)


def _soonest(worker: Worker, line: RootMove, moves: Sequence[int]) -> RootMove:
    """Return the shortest win."""
    while True:
        for move in moves:
            score = worker.score_of_move(move, _plies(line) - 2, line.score, line.score + 1)
            if worker.halted:
                return line
            if score > line.score:
                line = RootMove(score, (move,))
                break
        else:
            return line._replace(exact=True)
        if _plies(line) == 1:
            return line._replace(exact=True)


def _latest(worker: Worker, line: RootMove, moves: Sequence[int]) -> RootMove:
    """Return the longest loss; no move is known to lose later than `line`."""
    best = line
    while _plies(best) > 1:
        sooner = []
        for move in (best.line[0], *moves):
            score = worker.score_of_move(move, _plies(best) - 2, best.score - 1, best.score)
            if worker.halted:
                return line
            if score >= best.score:
                return (best if move == best.line[0] else RootMove(best.score, (move,)))._replace(exact=True)
            sooner.append(RootMove(score, (move,)))
        best = max(sooner, key=lambda found: found.score)
    return best._replace(exact=True)


def _plies(line: RootMove) -> int:
    return int(WIN_SCORE - abs(line.score))
