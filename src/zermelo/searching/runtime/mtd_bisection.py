"""Proving the root's value: questions with null windows that close in on it, for each line that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from zermelo import rules
from zermelo.game import Game, GameError
from zermelo.searching.alphabeta.null_window import question
from zermelo.searching.alphabeta.transposition_table import ENDLESS
from zermelo.searching.runtime.search_worker import Found, Worker
from zermelo.value import DECISIVE, INFINITY, Score, loss_in, words

if TYPE_CHECKING:
    from zermelo.searching.runtime.search_driver import Search


class Question(NamedTuple):
    """Is the score of the root more than `ask`, by one of these moves? By any, where `moves` is None."""

    ask: int
    moves: tuple[int, ...] | None
    line: int
    """Which line it is about: 0 for the best."""


class Proof:
    """What is proven of the root: its best lines, and bounds of the next one."""

    def __init__(self, worker: Worker, count: int) -> None:
        self.worker = worker
        self.count = min(count, len(worker.moves))
        self.lines: list[Found] = []
        self.low, self.high = worker.rules.bounds(worker.state)
        self.line: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        return len(self.lines) == self.count

    @property
    def bounds(self) -> tuple[Score, Score]:
        """Between which scores the root's lies."""
        return (self.lines[0].score, self.lines[0].score) if self.lines else (self.low, self.high)

    def next(self) -> Question:
        """What to ask now."""
        if self.low >= self.high:  # the score is known, but not yet which move keeps it
            return Question(self.low - 1, tuple(self.worker.moves), 0)
        ask = question.interpreted(self.worker.rules, self.low, self.high)
        taken = [found.line[0] for found in self.lines]
        rest = tuple(move for move in self.worker.moves if move not in taken)
        return Question(ask, rest if taken else None, len(taken))

    def open(self, asked: Question) -> bool:
        """Whether the answer is not known yet."""
        if asked.line != len(self.lines):
            return False
        return self.low <= asked.ask < self.high or (self.low >= self.high and asked.moves is not None)

    def answer(self, asked: Question, score: int, line: tuple[int, ...]) -> None:
        """Close in on the score: it is at most `score` where that is not more than was asked, else at least."""
        if self.low >= self.high:
            self.line = line or self.line
            if not self.line:
                game, state = self.worker.game, self.worker.state
                raise GameError(
                    f"{game!r}: `bounds` says {words(self.low)} of {game.state_text(state)}, and no move reaches that."
                )
        elif score <= asked.ask:
            self.high = min(self.high, score)
        else:
            self.low, self.line = max(self.low, score), line
        if self.low >= self.high and self.line:
            self.lines.append(Found(self.low, self.line, exact=True))
            self.low, self.high, self.line = loss_in(0), self.low, ()

    def best_lines(self, guesses: list[Found]) -> list[Found]:
        """The proven lines, after them the one that the proof supports so far, and what is only guessed.

        Nothing is put above what is proven of it, nor a guess above what the proof supports. What was exact before
        stays as it is.
        """
        taken = [found.line[:1] for found in self.lines]
        left = [found for found in guesses if found.line[:1] not in taken]
        exact = [found for found in left if found.exact]
        rest = [found._replace(score=min(found.score, self.high)) for found in left if not found.exact]
        if not self.complete and self.line and self.line[:1] not in [found.line[:1] for found in exact]:
            known = next((found.score for found in rest if found.line[:1] == self.line[:1]), 0)
            first = Found(self._within(known), self.line)
            others = [found for found in rest if found.line[:1] != self.line[:1]]
            rest = [first, *(found._replace(score=min(found.score, first.score)) for found in others)]
        rest = sorted([*exact, *rest], key=lambda found: -found.score)
        return [*self.lines, *rest][: self.count]

    def corrected(self, found: list[Found]) -> list[Found]:
        """Lines of a round, none above what is proven; and what the proof supports in place of a line below that."""
        low, high = self.bounds
        if self.line and found[0].score < low:
            return [Found(low, self.line)]
        return [line._replace(score=min(line.score, high)) for line in found]

    def _within(self, score: Score) -> Score:
        if self.low >= DECISIVE:
            return self.low
        if self.high <= -DECISIVE:
            return self.high
        return max(self.low, min(self.high, score))


def provable(game: Game) -> bool:
    """Whether a search should try to prove who wins beside its rounds: where the rules help with `bounds`."""
    return game.has("bounds") and not game.loops and rules.has_distance(game)


def prove(search: Search, worker: Worker) -> None:
    """Ask until all lines are proven; answers of other threads count as well."""
    while (asked := search.next_question(worker)) is not None:
        score, line = _ask(worker, asked, search.favourite)
        if worker.lost:
            search.give_up()
        elif not worker.halted:
            search.answer(asked, score, line)


def _ask(worker: Worker, asked: Question, favourite: int | None) -> tuple[int, tuple[int, ...]]:
    """A bound of the score on the side of the answer, and the line that reaches it if that is yes.

    The move that looks best is asked about first: a yes should say what it is good for, and not what another move that
    will hardly be played is.
    """
    ask = asked.ask
    if asked.moves is not None:
        return _ask_of_each(worker, asked.moves, ask)
    if favourite is not None:
        score = int(worker.score_of_move(favourite, ENDLESS, ask, ask + 1))
        if worker.halted or score > ask:
            return score, (favourite, *worker.line(1))
    score = int(worker.score(worker.state, ENDLESS, 0, ask, ask + 1))
    line = worker.line(0)
    if score > ask and not line and not worker.halted:  # the table knew it, but not by which move
        line = _ask_of_each(worker, tuple(worker.moves), score - 1)[1]
    return score, line


def _ask_of_each(worker: Worker, moves: tuple[int, ...], ask: int) -> tuple[int, tuple[int, ...]]:
    """The same about these moves alone."""
    best = -INFINITY
    for move in moves:
        score = int(worker.score_of_move(move, ENDLESS, ask, ask + 1))
        if worker.halted or score > ask:
            return score, (move, *worker.line(1))
        best = max(best, score)
    return best, ()
