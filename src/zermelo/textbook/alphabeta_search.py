"""Alpha-beta: the value of minimax without visiting nodes that cannot change it.

Alpha is the value that Max is assured of on the path from the root, beta the value that Min is assured of. A node whose
value leaves the window between them is not reached by best play, and its other successors are cut off.
"""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game import Game, GameError, Move, State
from zermelo.textbook.pseudocode import alphabeta_code
from zermelo.textbook.search_result import Result, bound_text
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tree_node import Node, check_choice
from zermelo.textbook.tree_walk import Walk
from zermelo.value import EXACT, INFINITY, LOWER, UPPER, Score, Value

FULL_WINDOW = (-INFINITY, INFINITY)


def alphabeta(
    game: Game,
    state: State = None,
    *,
    depth: int | None = None,
    window: tuple[Score, Score] = FULL_WINDOW,
    form: str = "maxmin",
    fail: str = "soft",
    cut: str = "equal",
    order: bool = False,
    repetition: str | None = None,
    trace: Trace | None = None,
) -> Result:
    """The value of `state` with best play of both sides; `depth` and `repetition` as for minimax.

    `form` is "maxmin" or "negamax". `cut` is "equal" to cut off when the value reaches the bound, or "beyond" to cut
    off only when it passes the bound. `order` sorts moves by the game's `order`. With v the true value, a window
    (alpha, beta) gives

        alpha < result < beta    result == v
        result <= alpha          v <= result    fail="hard": the result is alpha     bound "upper"
        result >= beta           v >= result    fail="hard": the result is beta      bound "lower"

    >>> import zermelo as z
    >>> tree = z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))")
    >>> print(alphabeta(tree, form="negamax"))
    alphabeta: +3 by B C 2 (11 nodes, 5 leaves, 2 cut-offs)
    >>> print(alphabeta(tree, window=(4, 6)))
    alphabeta: <= +3 by B C 2 (9 nodes, 4 leaves, 2 cut-offs)
    """
    check_choice("alphabeta", game, "form", form, ("maxmin", "negamax"))
    negamax = form == "negamax"
    walk = Walk("alphabeta", game, state, depth=depth, repetition=repetition, trace=trace, order=order, negamax=negamax)
    search = AlphaBeta(walk, fail, cut)
    alpha, beta = checked_window(walk, window)
    score = walk.run(lambda root: search.value(root, alpha, beta))
    score = search.clamped(score, alpha, beta)  # if the root is a leaf, its score is not clamped yet
    return walk.result(score, bound_of(score, alpha, beta))


def bound_of(score: Score, alpha: Score, beta: Score) -> str:
    """Whether a score from this window is exact or a bound on the true value."""
    return LOWER if score >= beta else UPPER if score <= alpha else EXACT


def checked_window(walk: Walk, window: tuple[Score, Score]) -> tuple[Score, Score]:
    """The window, clamped to all possible scores. Raise GameError if it is empty."""
    alpha, beta = window
    if not alpha < beta:
        raise GameError(f"{walk.algorithm} of {walk.game!r}: alpha must be below beta in window={window!r}.")
    return max(alpha, -INFINITY), min(beta, INFINITY)


class AlphaBeta:
    """Alpha-beta over a walk, in the variants that textbooks differ in."""

    def __init__(self, walk: Walk, fail: str = "soft", cut: str = "equal") -> None:
        check_choice(walk.algorithm, walk.game, "fail", fail, ("soft", "hard"))
        check_choice(walk.algorithm, walk.game, "cut", cut, ("equal", "beyond"))
        self.walk = walk
        self.hard = fail == "hard"
        self.strict = cut == "beyond"
        walk.code = alphabeta_code(walk.negamax, fail, cut)

    def value(self, node: Node, alpha: Score, beta: Score) -> Score:
        """The node's value, or a bound on it if it is outside the window."""
        if self.walk.negamax:
            return self.negamax_value(node, alpha, beta)
        return self.max_value(node, alpha, beta) if node.sign > 0 else self.min_value(node, alpha, beta)

    def max_value(self, node: Node, alpha: Score, beta: Score) -> Score:
        """A Max node: its successors raise alpha; the rest is cut off when its value reaches beta."""
        walk, low = self.walk, alpha
        if (score := walk.enter(node, alpha, beta)) is not None:
            return score
        best: Score = -INFINITY
        for child in walk.children(node):
            score = self.value(child, alpha, beta)
            if score > best:
                best, alpha = score, max(alpha, score)
                walk.update(node, child, best, alpha, beta)
            if self.reaches(best, beta) and node.rest:
                walk.cut(node, best, beta, strict=self.strict)
                break
        return walk.leave(node, self.clamped(best, low, beta))

    def min_value(self, node: Node, alpha: Score, beta: Score) -> Score:
        """A Min node: its successors lower beta; the rest is cut off when its value reaches alpha."""
        walk, high = self.walk, beta
        if (score := walk.enter(node, alpha, beta)) is not None:
            return score
        best: Score = INFINITY
        for child in walk.children(node):
            score = self.value(child, alpha, beta)
            if score < best:
                best, beta = score, min(beta, score)
                walk.update(node, child, best, alpha, beta)
            if self.reaches(alpha, best) and node.rest:
                walk.cut(node, best, alpha, strict=self.strict)
                break
        return walk.leave(node, self.clamped(best, alpha, high))

    def negamax_value(self, node: Node, alpha: Score, beta: Score) -> Score:
        """A node seen by its player to move. The window is negated when the player changes."""
        walk, low = self.walk, alpha
        if (score := walk.enter(node, alpha, beta)) is not None:
            return score
        best: Score = -INFINITY
        for child in walk.children(node):
            window = (alpha, beta) if child.sign == node.sign else (-beta, -alpha)
            score = walk.seen_by_parent(node, child, self.negamax_value(child, *window))
            if score > best:
                best, alpha = score, max(alpha, score)
                walk.update(node, child, best, alpha, beta)
            if self.reaches(best, beta) and node.rest:
                walk.cut(node, best, beta, strict=self.strict)
                break
        return walk.leave(node, self.clamped(best, low, beta))

    def reaches(self, value: Score, bound: Score) -> bool:
        return value > bound if self.strict else value >= bound

    def clamped(self, score: Score, alpha: Score, beta: Score) -> Score:
        """Fail-hard never returns a value outside the window."""
        return max(alpha, min(score, beta)) if self.hard else score


# -- the root ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A move of the root: its value seen by the player to move, exact or a bound, and its principal variation."""

    move: Move
    value: Value
    bound: str
    line: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        return {"move": self.line[0], "value": self.value.to_dict(), "bound": self.bound, "pv": list(self.line)}

    def __str__(self) -> str:
        return f"{self.line[0]}: {bound_text(self.value, self.bound)}"


@dataclass(frozen=True, kw_only=True)
class RootResult(Result):
    """A result with a line for each move of the root, in the order of the search."""

    lines: tuple[Line, ...] = ()


def root_search(
    game: Game,
    state: State = None,
    *,
    depth: int | None = None,
    order: bool = False,
    repetition: str | None = None,
    first: tuple[Move, ...] = (),
    trace: Trace | None = None,
) -> RootResult:
    """The best move, the principal variation, and the value of each move or a bound on it.

    A move that raised alpha has its exact value. For the others the search only proves that they are no better. `first`
    is a line of moves to try before others, such as the principal variation of a shallower search.

    >>> import zermelo as z
    >>> result = root_search(z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))"))
    >>> print(*result.lines, sep=", ")
    B: +3, E: <= +1
    """
    walk = Walk("root_search", game, state, depth=depth, repetition=repetition, trace=trace, order=order, negamax=True)
    walk.first = first
    return search_root(walk)


def search_root(walk: Walk, title: str = "") -> RootResult:
    """Root search by a walk in negamax form."""
    search = AlphaBeta(walk)
    lines: list[Line] = []
    score = walk.run(lambda root: _root_value(search, root, lines), title)
    return RootResult(**vars(walk.result(score)), lines=tuple(lines))


def _root_value(search: AlphaBeta, root: Node, lines: list[Line]) -> Score:
    walk = search.walk
    if (score := walk.enter(root)) is not None:
        return score
    best: Score = -INFINITY
    for child in walk.children(root):
        window = (best, INFINITY) if child.sign == root.sign else (-INFINITY, -best)
        score = walk.seen_by_parent(root, child, search.negamax_value(child, *window))
        bound = bound_of(score, best, INFINITY)
        best_child, root.best = root.best, child
        lines.append(Line(child.move, walk.value(score, bound), bound, walk.line()))
        root.best = best_child
        if score > best:
            best = score
            walk.update(root, child, best, best, INFINITY)
    return walk.leave(root, best)
