"""How soon a win or loss comes for certain, in games where play can repeat: the graph-history interaction.

The rounds of a search count a state that comes back on its own path as a draw. That is right on that path, and the
table keeps it for others, where it may hide a win. No win or loss that is found is wrong for it, since what ends has
not come round. But the win may be there sooner than that, or the loss come sooner.

Whether a state is won within n plies does not depend on how it was reached, nor on any rule of repetition. So this is
asked once more of a *pure* search, n - 1 plies deep and with a null window: without repetition, judgement, extension,
null move and reduction, and with a table of its own. Where it finds something sooner, that is the score, and the
question is asked again.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo import rules
from zermelo.searching.runtime.search_worker import Found, Worker
from zermelo.value import DECISIVE, WIN_SCORE


def certain(worker: Worker, found: list[Found], depth: int, nodes: int) -> list[Found]:
    """The lines of a round to `depth`, best first, and which are exact; so many nodes may be spent on that.

    The line that is best of those left is put right as often as it has to be; then it is exact. Of moves that are not
    among the lines it is known that they are no better, except for wins that a repetition hid.
    """
    if not any(_within(worker, line, depth) for line in found):
        return found
    known = {line.line[0]: line for line in found}
    lines: list[Found] = []
    with worker.allowed(nodes), worker.pure():
        while len(lines) < len(found):
            taken = [line.line[0] for line in lines]
            line = max((known[move] for move in known if move not in taken), key=lambda line: line.score)
            if lines and lines[-1].exact:  # it is no better than the best
                line = line._replace(score=min(line.score, lines[-1].score))
            if _within(worker, line, depth):
                line = _settled(worker, line, [move for move in worker.moves if move not in taken])
                known[line.line[0]] = line
            lines.append(line)
    return lines


def _within(worker: Worker, line: Found, depth: int) -> bool:
    """Whether a line claims an end within so many plies."""
    return rules.has_distance(worker.game) and abs(line.score) >= DECISIVE and _plies(line) <= depth


def _settled(worker: Worker, line: Found, moves: Sequence[int]) -> Found:
    """The best line by one of these moves, exact unless the worker was halted; as far as is known this is it."""
    if _plies(line) == 1:
        return line._replace(exact=True)
    return _soonest(worker, line, moves) if line.score > 0 else _latest(worker, line, moves)


def _soonest(worker: Worker, line: Found, moves: Sequence[int]) -> Found:
    """The shortest win."""
    while True:
        for move in moves:
            score = worker.score_of_move(move, _plies(line) - 2, line.score, line.score + 1)
            if worker.halted:
                return line
            if score > line.score:
                line = Found(score, (move,))
                break
        else:
            return line._replace(exact=True)
        if _plies(line) == 1:
            return line._replace(exact=True)


def _latest(worker: Worker, line: Found, moves: Sequence[int]) -> Found:
    """The longest loss; no move is known to hold out longer than this one."""
    best = line
    while _plies(best) > 1:
        sooner = []
        for move in (best.line[0], *moves):
            score = worker.score_of_move(move, _plies(best) - 2, best.score - 1, best.score)
            if worker.halted:
                return line
            if score >= best.score:
                return (best if move == best.line[0] else Found(best.score, (move,)))._replace(exact=True)
            sooner.append(Found(score, (move,)))
        best = max(sooner, key=lambda found: found.score)
    return best._replace(exact=True)


def _plies(line: Found) -> int:
    return int(WIN_SCORE - abs(line.score))
