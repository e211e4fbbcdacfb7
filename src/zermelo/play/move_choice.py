"""Choosing a move without the main search: from a database, or by the rules' own word on the next states."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from zermelo import rules
from zermelo.game import ONGOING, Move, State
from zermelo.searching import Line, Report
from zermelo.value import Score, Value, ending

if TYPE_CHECKING:
    from zermelo.solving.solution import Solution


class Source(StrEnum):
    """Where a move comes from."""

    BOOK = "book"
    DATABASE = "database"
    SEARCH = "search"


class Decision(NamedTuple):
    """The report whose first line is the move to play, and where it comes from."""

    report: Report
    source: Source


def database_report(solution: Solution, state: State) -> Report | None:
    """A report on every move of a state, best first, with a perfect game as the first line.

    None if the solution does not have the state, or has no distances, so that it cannot tell the best move.

    >>> import zermelo as z
    >>> game = z.load("tic_tac_toe")
    >>> report = database_report(z.solve(game), z.position(game, "a1 b1 a2 b2"))
    >>> report.pv_text, str(report.value), report.nodes
    (['a3'], 'win in 1', 0)
    """
    if solution.header.wdl or state not in solution or not solution.best(state):
        return None
    values, perfect = solution.moves(state), tuple(solution.line(state))
    lines = [Line(values.pop(perfect[0]), perfect)]
    lines += [Line(value, (move,)) for move, value in values.items()]
    score = lines[0].value.score
    return Report(solution.game, state, tuple(lines), depth=0, nodes=0, seconds=0.0, bounds=(score, score))


def with_book(report: Report, book: Report) -> tuple[Report, Source]:
    """A search's report with the book's move first, and its proven value; what the search has proven itself stays.

    >>> import zermelo as z
    >>> from zermelo.play.books.proven_book import own_book
    >>> game = z.load("connect_four")
    >>> found = z.search(game, limit=z.Limit(depth=2), lines=7)
    >>> report, source = with_book(found, own_book(game).report(game.initial()))
    >>> str(report.value), report.pv_text[0], source.value, len(report.lines)
    ('win', '4', 'book', 7)
    """
    if report.value.exact:
        return report, Source.SEARCH
    line = book.lines[0]
    same = next((other for other in report.lines if other.pv[0] == line.pv[0]), line)
    others = tuple(other for other in report.lines if other.pv[0] != line.pv[0])
    first = same if same.value.outcome is not None else Line(line.value, same.pv)
    return replace(report, lines=(first, *others)), Source.BOOK


def with_first(report: Report, line: Line) -> Report:
    """The report with one of its lines first."""
    return replace(report, lines=(line, *(other for other in report.lines if other is not line)))


def one_ply_report(report: Report, lines: int | None = None) -> Report:
    """The report of a search that saw nothing, with as many moves, or `lines`, best first by the next state alone: by
    its payoff or its estimate.

    >>> import zermelo as z
    >>> game = z.load("tic_tac_toe")
    >>> print(one_ply_report(z.search(game, z.position(game, "a1 b1 a2 b2"), z.Limit(nodes=1))).value)
    win in 1
    """
    found = [_one_ply_line(report, move) for move in rules.legal_actions(report.game, report.state)]
    best = sorted(found, key=lambda line: -line.value.score)[: lines or len(report.lines)]
    return replace(report, lines=tuple(best), depth=1, nodes=report.nodes + len(found))


def _one_ply_line(report: Report, move: Move) -> Line:
    """A move with the payoff or the estimate of the state after it."""
    game, child = report.game, report.game.play(report.state, move)
    payoff = rules.payoff(game, child)
    score: Score = rules.static_eval(game, child) if payoff == ONGOING else payoff
    sign = -1 if rules.changes_player(game, report.state, child) else 1
    if payoff == ONGOING or not rules.has_distance(game):
        value = Value.estimate(sign * score)
    else:
        value = Value.of(ending(sign * payoff, 1), exact=False)  # a draw is not: another move may be better
    return Line(value.seen_by(rules.mover(game, report.state)), (move,))
