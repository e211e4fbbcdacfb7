"""Drop-out expansion: a book that grows by search where it will be needed (T. Lincke, Strategies for the automatic
construction of opening books, 2000).

A position is expanded by a search that evaluates all its moves. The next one is the position that play leaves the book
at first: lines count their plies, and each mistake on the way, by either side, counts as more of them. So the book
covers good play deeply and bad play as far as it takes to punish it.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from itertools import count

from zermelo import rules
from zermelo.game import ONGOING, Game, Move, State
from zermelo.limits import Limit
from zermelo.play.books.learned_book import LearnedBook
from zermelo.play.win_probability import win_probability
from zermelo.searching import search
from zermelo.value import Value

MISTAKE_PLIES = 40.0
"""Plies that the loss of the whole game by one move counts as; the loss of a tenth is four."""

RARE_PLIES = 1.0
"""Plies that each halving of the probability of a roll counts as."""


def expand(book: LearnedBook, positions: int, limit: Limit, start: State = None) -> Iterator[State]:
    """Evaluate the moves of `positions` more positions, and yield each; at the end evaluations are backed up.

    >>> from zermelo.games.registry import load
    >>> game = load("tic_tac_toe")
    >>> book = LearnedBook(game)
    >>> len([*expand(book, 5, Limit(depth=9))]), str(book.report(game.initial()).value)
    (5, '0')
    """
    game = book.game
    first = rules.initial_state(game) if start is None else start
    ties = count()
    heap = [(0.0, next(ties), first)]
    queued = {game.canonical(first)}
    done = 0
    while heap and done < positions:
        cost, _, state = heapq.heappop(heap)
        if game.is_chance(state):
            children = [(outcome, probability) for outcome, probability in game.chances(state)]
            for outcome, probability in children:
                extra = -RARE_PLIES * math.log2(max(probability, 1e-9))
                _queue(game, game.play(state, outcome), cost + extra, heap, queued, ties)
            continue
        if not _is_evaluated(book, state):
            _evaluate(book, state, limit)
            done += 1
            yield state
        rows = book.positions[game.canonical(state)]
        home = game.canonical(state)
        scores = {
            move: win_probability(game, Value.estimate(row.evaluation))
            for move, row in rows.items()
            if row.evaluation is not None
        }
        best = max(scores.values())
        for move, score in scores.items():
            _queue(game, game.play(home, move), cost + 1 + MISTAKE_PLIES * (best - score), heap, queued, ties)
    back_up(book, first)


def _queue(
    game: Game, state: State, cost: float, heap: list[tuple[float, int, State]], queued: set[State], ties: Iterator[int]
) -> None:
    key = game.canonical(state)
    if key not in queued and rules.payoff(game, state) == ONGOING:
        queued.add(key)
        heapq.heappush(heap, (cost, next(ties), state))


def _is_evaluated(book: LearnedBook, state: State) -> bool:
    """Whether a search has evaluated all moves of a state."""
    rows = book.positions.get(book.game.canonical(state), {})
    return any(row.evaluation is not None for row in rows.values())


def _evaluate(book: LearnedBook, state: State, limit: Limit) -> None:
    """Let a search evaluate all moves of a state."""
    game = book.game
    home = game.canonical(state)
    lines = len(rules.legal_actions(game, home))
    for line in search(game, home, limit, lines=lines).lines:
        book.known(home, line.pv[0]).evaluation = float(line.value.score)


def back_up(book: LearnedBook, start: State) -> None:
    """Set the evaluation of each move to what the book says of the states after it, as far as it goes.

    A state that comes again on its own path is left as its search saw it.
    """
    values: dict[State, float] = {}
    _best(book, start, values, set())


def _best(book: LearnedBook, state: State, values: dict[State, float], path: set[State]) -> float | None:
    """The evaluation of a state for its player by the book; None where the book has none. Longest lines are bounded by
    the number of positions, so an explicit stack is not needed below Python's limit of a thousand.
    """
    game = book.game
    home = game.canonical(state)
    if home in values:
        return values[home]
    rows = book.positions.get(home)
    if not rows or home in path or len(path) > 400:
        return None
    path.add(home)
    for move, row in rows.items():
        if row.evaluation is not None:
            row.evaluation = _after(book, home, move, row.evaluation, values, path)
    path.discard(home)
    found = [row.evaluation for row in rows.values() if row.evaluation is not None]
    if not found:
        return None
    values[home] = max(found)
    return values[home]


def _after(
    book: LearnedBook, state: State, move: Move, fallback: float, values: dict[State, float], path: set[State]
) -> float:
    """The evaluation of a move by the states after it; where one is not in the book, by the search before it."""
    game = book.game
    child = game.play(state, move)
    if not game.is_chance(child):
        best = _best(book, child, values, path)
        return fallback if best is None else _sign(game, state, child) * best
    total = 0.0
    for outcome, probability in game.chances(child):
        after = game.play(child, outcome)
        best = _best(book, after, values, path)
        total += probability * (fallback if best is None else _sign(game, state, after) * best)
    return total


def _sign(game: Game, state: State, child: State) -> int:
    return -1 if rules.changes_player(game, state, child) else 1
