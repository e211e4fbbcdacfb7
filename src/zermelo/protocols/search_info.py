"""The lines by which an engine tells a GUI about its search."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zermelo.protocols.dialects import Dialect
from zermelo.protocols.move_words import move_word
from zermelo.searching.report import Line, Report
from zermelo.value import DECISIVE, LOWER, UPPER, WIN_SCORE, Value

SURE_WIN = 10_000
"""Centipawns of a win whose length is not known."""

INFO_SCORE = re.compile(
    r"info (?!.*\bmultipv (?!1\b))(?:.* )?score (?P<kind>cp|mate) (?P<number>[-+]?\d{1,6})\b(?! (?:low|upp)erbound)"
)
"""A line that says what the best move is worth; bounds are passed over."""


def info_lines(dialect: Dialect, report: Report, wanted: int) -> Iterator[str]:
    """Yield a line for each of the best moves, as many as are wanted.

    >>> import zermelo as z
    >>> from zermelo.protocols.dialects import UGI
    >>> game = z.load("tic_tac_toe")
    >>> report = z.search(game, z.position(game, "a1 b1 a2 b2"), z.Limit(depth=1))
    >>> next(info_lines(UGI, report, 1)).startswith("info depth 1 multipv 1 score mate 1 nodes ")
    True
    """
    milliseconds = round(1000 * report.seconds)
    speed = round(report.nodes / report.seconds) if report.seconds > 0 else 0
    for number, line in enumerate(report.lines[:wanted], 1):
        yield (
            f"info depth {max(report.depth, 1)} multipv {number} score {score_words(dialect, line.value)} "
            f"nodes {report.nodes} nps {speed} time {milliseconds} pv {' '.join(pv_words(report, line))}"
        )


def pv_words(report: Report, line: Line) -> list[str]:
    """The moves of a line."""
    words, state = [], report.state
    for move in line.pv:
        words.append(move_word(report.game, state, move))
        state = report.game.play(state, move)
    return words


def score_words(dialect: Dialect, value: Value) -> str:
    """The score for the player to move: in hundredths of a point, or the way to the end.

    >>> from zermelo.protocols.dialects import UCI, UGI
    >>> [score_words(UCI, value) for value in (Value.win(3), Value.loss(4), Value.draw(), Value.estimate(0.35))]
    ['mate 2', 'mate -2', 'cp 0', 'cp 35']
    >>> score_words(UGI, Value.win(3)), score_words(UGI, Value.at_least(DECISIVE)), score_words(UGI, Value.at_most(-2))
    ('mate 3', 'cp 10000', 'cp -200 upperbound')
    """
    bound = {LOWER: " lowerbound", UPPER: " upperbound"}.get(value.bound, "")
    if abs(value.score) > DECISIVE and value.outcome:
        plies = round(WIN_SCORE - abs(value.score))
        sign = 1 if value.score > 0 else -1
        length = plies if dialect.plies_to_mate else (plies + 1) // 2
        return f"mate {sign * length}{bound}"
    if abs(value.score) >= DECISIVE:
        return f"cp {SURE_WIN if value.score > 0 else -SURE_WIN}"
    return f"cp {round(max(min(100 * value.score, SURE_WIN - 1), 1 - SURE_WIN))}{bound}"


def read_score(dialect: Dialect, line: str) -> Value | None:
    """The value that a line of a program gives the best move, for the player to move; None where it gives none.

    >>> from zermelo.protocols.dialects import UCI, UGI
    >>> lines = ("info depth 3 score cp 35 pv e2e4", "info depth 9 multipv 1 score mate -2 nodes 7", "info nodes 5")
    >>> [str(read_score(UCI, line)) for line in lines], str(read_score(UGI, "info score mate 3"))
    (['+0.35', 'loss in 4', 'None'], 'win in 3')
    >>> read_score(UCI, "info depth 1 multipv 2 score cp 4"), read_score(UCI, "info score cp 9 lowerbound")
    (None, None)
    """
    found = INFO_SCORE.match(line)
    if found is None:
        return None
    number = int(found["number"])
    if found["kind"] == "cp":
        return Value.estimate(number / 100)
    plies = abs(number) if dialect.plies_to_mate else max(2 * abs(number) - (number > 0), 0)
    return Value.win(plies) if number > 0 else Value.loss(plies)
