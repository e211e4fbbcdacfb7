"""MTD-style bisection: prove the root's value by null-window searches, for each line that was requested.

alphabeta/null_window.py does the same for a batch of states, compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from zermelo import rules
from zermelo.game import Game, GameError
from zermelo.searching.alphabeta.null_window import bisection_point
from zermelo.searching.alphabeta.transposition_table import UNLIMITED
from zermelo.searching.runtime.search_worker import RootMove, Worker
from zermelo.value import DECISIVE, INFINITY, Score, loss_in, words

if TYPE_CHECKING:
    from zermelo.searching.runtime.search_driver import AlphaBetaSearch


class Query(NamedTuple):
    """A null-window test: is the score of the root above `threshold`, by one of `moves`? None: by any move."""

    threshold: int
    moves: tuple[int, ...] | None
    line: int
    """The index of the line: 0 for the best."""


class Proof:
    """The proven lines of the root, best first, and bounds of the next one."""

    def __init__(self, worker: Worker, count: int) -> None:
        self.worker = worker
        self.count = min(count, len(worker.moves))
        self.lines: list[RootMove] = []
        self.low, self.high = worker.rules.bounds(worker.state)
        self.line: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        return len(self.lines) == self.count

    @property
    def bounds(self) -> tuple[Score, Score]:
        """Proven bounds of the root's score."""
        return (self.lines[0].score, self.lines[0].score) if self.lines else (self.low, self.high)

    def next_query(self) -> Query:
        """The next test."""
        if self.low >= self.high:  # the score is proven, but not yet which move reaches it
            return Query(self.low - 1, tuple(self.worker.moves), 0)
        threshold = bisection_point.interpreted(self.worker.rules, self.low, self.high)
        taken = [found.line[0] for found in self.lines]
        rest = tuple(move for move in self.worker.moves if move not in taken)
        return Query(threshold, rest if taken else None, len(taken))

    def is_open(self, query: Query) -> bool:
        """Whether the result of a test is still unknown."""
        if query.line != len(self.lines):
            return False
        return self.low <= query.threshold < self.high or (self.low >= self.high and query.moves is not None)

    def record(self, query: Query, score: int, line: tuple[int, ...]) -> None:
        """Record the result of a test: `score` is an upper bound if it is at most the threshold, else a lower bound."""
        if self.low >= self.high:
            self.line = line or self.line
            if not self.line:
                game, state = self.worker.game, self.worker.state
                raise GameError(
                    f"{game!r}: `bounds` says {words(self.low)} of {game.state_text(state)}, and no move reaches that."
                )
        elif score <= query.threshold:
            self.high = min(self.high, score)
        else:
            self.low, self.line = max(self.low, score), line
        if self.low >= self.high and self.line:
            self.lines.append(RootMove(self.low, self.line, exact=True))
            self.low, self.high, self.line = loss_in(0), self.low, ()

    def best_lines(self, estimates: list[RootMove]) -> list[RootMove]:
        """The proven lines, then the line of the proof so far, then heuristic ones.

        No heuristic score exceeds its proven bound, nor the score of the proof. Lines that were exact before stay.
        """
        taken = [found.line[:1] for found in self.lines]
        left = [found for found in estimates if found.line[:1] not in taken]
        exact = [found for found in left if found.exact]
        rest = [found._replace(score=min(found.score, self.high)) for found in left if not found.exact]
        if not self.complete and self.line and self.line[:1] not in [found.line[:1] for found in exact]:
            known = next((found.score for found in rest if found.line[:1] == self.line[:1]), 0)
            first = RootMove(self._within(known), self.line)
            others = [found for found in rest if found.line[:1] != self.line[:1]]
            rest = [first, *(found._replace(score=min(found.score, first.score)) for found in others)]
        rest = sorted([*exact, *rest], key=lambda found: -found.score)
        return [*self.lines, *rest][: self.count]

    def corrected(self, found: list[RootMove]) -> list[RootMove]:
        """Clamp the lines of a round to the proven bounds; the line of the proof replaces lines below its bound."""
        low, high = self.bounds
        if self.line and found[0].score < low:
            return [RootMove(low, self.line)]
        return [line._replace(score=min(line.score, high)) for line in found]

    def _within(self, score: Score) -> Score:
        if self.low >= DECISIVE:
            return self.low
        if self.high <= -DECISIVE:
            return self.high
        return max(self.low, min(self.high, score))


def can_prove(game: Game) -> bool:
    """Whether a search should try proofs between rounds: where the game has `bounds` and distances, and no loops."""
    return game.has("bounds") and not game.loops and rules.has_distance(game)


def prove_root(search: AlphaBetaSearch, worker: Worker) -> None:
    """Run tests until all lines are proven; results of other threads count as well."""
    while (query := search.next_query(worker)) is not None:
        score, line = _test(worker, query, search.deepening.best_move)
        if worker.gave_up:
            search.give_up_proof()
        elif not worker.halted:
            search.record(query, score, line)


def _test(worker: Worker, query: Query, best_move: int | None) -> tuple[int, tuple[int, ...]]:
    """Run a test: return a bound of the score, and the line that reaches it if it is above the threshold.

    The best move so far is tested first, so that a proof is about the move that is likely to be played.
    """
    threshold = query.threshold
    if query.moves is not None:
        return _test_each(worker, query.moves, threshold)
    if best_move is not None:
        score = int(worker.score_of_move(best_move, UNLIMITED, threshold, threshold + 1))
        if worker.halted or score > threshold:
            return score, (best_move, *worker.line(1))
    score = int(worker.score(worker.state, UNLIMITED, 0, threshold, threshold + 1))
    line = worker.line(0)
    if score > threshold and not line and not worker.halted:  # the table had the score and no move
        line = _test_each(worker, tuple(worker.moves), score - 1)[1]
    return score, line


def _test_each(worker: Worker, moves: tuple[int, ...], threshold: int) -> tuple[int, tuple[int, ...]]:
    """The same for these moves alone."""
    best = -INFINITY
    for move in moves:
        score = int(worker.score_of_move(move, UNLIMITED, threshold, threshold + 1))
        if worker.halted or score > threshold:
            return score, (move, *worker.line(1))
        best = max(best, score)
    return best, ()
