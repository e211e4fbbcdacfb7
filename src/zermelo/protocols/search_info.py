"""The lines by which an engine tells a GUI about its search."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.protocols.dialects import Dialect
from zermelo.protocols.move_words import move_word
from zermelo.searching.report import Line, Report
from zermelo.value import DECISIVE, LOWER, UPPER, WIN_SCORE, Value

SURE_WIN = 10_000
"""Centipawns of a win whose length is not known."""


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
