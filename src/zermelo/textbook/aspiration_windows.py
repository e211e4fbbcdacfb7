"""Aspiration search: alpha-beta with a narrow window around a guess."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial

from zermelo.arguments import check_number
from zermelo.game import Game, State
from zermelo.textbook.alphabeta_search import AlphaBeta, bound_of
from zermelo.textbook.search_result import Result
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tracing.trace_steps import plain
from zermelo.textbook.tree_walk import Walk
from zermelo.value import INFINITY, LOWER, UPPER, Score

OUTCOMES = {LOWER: "fail high", UPPER: "fail low"}
WIDENING = 4
"""Growth of the margin after each failure: few searches if the guess is far off, a narrow window if it is near."""


@dataclass(frozen=True)
class Window:
    """One search of an aspiration: its window, its score, and which of the three outcomes that is."""

    alpha: Score
    beta: Score
    score: Score
    outcome: str
    """'inside': the score is the value. 'fail high': the value is at least the score; 'fail low': at most."""

    def __str__(self) -> str:
        return f"({plain(self.alpha)}, {plain(self.beta)}): {plain(self.score)}, {self.outcome}"

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class AspirationResult(Result):
    """A result with the windows that were searched; the last one contains the value."""

    windows: tuple[Window, ...] = ()


def aspiration(
    game: Game,
    state: State = None,
    *,
    guess: Score = 0,
    margin: Score = 1,
    depth: int | None = None,
    order: bool = False,
    repetition: str | None = None,
    trace: Trace | None = None,
) -> AspirationResult:
    """The value of `state`, searched first between guess - margin and guess + margin.

    There are three outcomes: the score is inside the window and is the value; the search fails high (the score is at or
    above beta and a lower bound); it fails low. After a failure the window is widened on that side and searched again.

    >>> import zermelo as z
    >>> tree = z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))")
    >>> print(*aspiration(tree, guess=1, margin=1).windows, sep="; ")
    (0, 2): 2, fail high; (0, 6): 3, inside
    """
    check_number(f"aspiration of {game!r}", above_zero=True, margin=margin)
    alpha, beta = max(guess - margin, -INFINITY), min(guess + margin, INFINITY)
    windows: list[Window] = []
    nodes = leaves = cutoffs = 0
    while True:
        walk = Walk("aspiration", game, state, depth=depth, repetition=repetition, trace=trace, order=order)
        search = partial(AlphaBeta(walk).value, alpha=alpha, beta=beta)
        score = walk.run(search, f"aspiration ({plain(alpha)}, {plain(beta)})")
        result = walk.result(score, bound_of(score, alpha, beta))
        nodes, leaves, cutoffs = nodes + result.nodes, leaves + result.leaves, cutoffs + result.cutoffs
        windows.append(Window(alpha, beta, score, OUTCOMES.get(result.bound, "inside")))
        if result.bound not in OUTCOMES:
            counts = {"nodes": nodes, "leaves": leaves, "cutoffs": cutoffs}
            return AspirationResult(**vars(result) | counts, windows=tuple(windows))
        margin *= WIDENING
        if result.bound == LOWER:
            beta = min(score + margin, INFINITY)
        else:
            alpha = max(score - margin, -INFINITY)
