"""Star1 and Star2 (Ballard 1983): alpha-beta for trees with chance nodes.

Payoffs lie between two known bounds. While the outcomes of a chance node are searched one by one, its value lies in an
interval: the open outcomes count with the least payoff at the lower end, with the greatest at the upper end. When the
interval leaves the window, the rest is cut off. Before that, it gives the window in which each outcome's value matters.

Star2 first *probes*: one successor of each outcome's node bounds that node's value from one side, at a fraction of its
cost, and often that is enough. The result of a probe is reused, so no leaf is visited twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from zermelo import rules
from zermelo.game import Game, GameError, State
from zermelo.textbook.alphabeta_search import FULL_WINDOW, bound_of, checked_window
from zermelo.textbook.search_result import Result
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tracing.trace_steps import plain
from zermelo.textbook.tree_node import Node
from zermelo.textbook.tree_walk import Walk
from zermelo.value import EXACT, INFINITY, LOWER, UPPER, WIN_SCORE, Score


def star1(
    game: Game,
    state: State = None,
    *,
    depth: int | None = None,
    window: tuple[Score, Score] = FULL_WINDOW,
    payoff_bounds: tuple[Score, Score] | None = None,
    order: bool = False,
    repetition: str | None = None,
    trace: Trace | None = None,
) -> Result:
    """The value of expectiminimax, with the cut-offs that bounds on the payoffs allow.

    `payoff_bounds` are the least and the greatest payoff (or static evaluation, with a `depth`), seen by the player to
    move at the root; by default the game's `payoff_bounds`, or all scores if wins have a distance. A `window` works as
    in alphabeta, but a value that reaches a bound of the payoffs is exact in any window.

    >>> import zermelo as z
    >>> tree = z.GameTree("A(B[1/2: 5, 1/2: 5], C[1/2: 0, 1/2: D(9, 10)])")
    >>> print(star1(tree))
    star1: +5 by B (6 nodes, 3 leaves, 1 cut-off)
    """
    return _star("star1", game, state, depth, window, payoff_bounds, order, repetition, trace)


def star2(
    game: Game,
    state: State = None,
    *,
    depth: int | None = None,
    window: tuple[Score, Score] = FULL_WINDOW,
    payoff_bounds: tuple[Score, Score] | None = None,
    order: bool = False,
    repetition: str | None = None,
    trace: Trace | None = None,
) -> Result:
    """The value of expectiminimax, by Star1 with a probing phase; options as for star1.

    A state that is probed and then searched is entered twice, and `nodes` counts it twice; no leaf is visited twice.
    """
    return _star("star2", game, state, depth, window, payoff_bounds, order, repetition, trace)


def _star(
    algorithm: str, game: Game, state: State, depth: int | None, window: tuple[Score, Score],
    payoff_bounds: tuple[Score, Score] | None, order: bool, repetition: str | None, trace: Trace | None,
) -> Result:  # fmt: skip
    walk = Walk(algorithm, game, state, depth=depth, repetition=repetition, trace=trace, order=order, chance=True)
    alpha, beta = checked_window(walk, window)
    search = Star(walk, *_payoff_bounds(walk, payoff_bounds), probing=algorithm == "star2")
    score = walk.run(lambda root: search.value(root, alpha, beta))
    return walk.result(score, search.bound(score, alpha, beta))


def _payoff_bounds(walk: Walk, given: tuple[Score, Score] | None) -> tuple[Score, Score]:
    """The least and the greatest payoff seen by Max; those of a game are seen by the first player."""
    game = walk.game
    if given is None:
        low, high = (-WIN_SCORE, WIN_SCORE) if walk.distance else game.payoff_bounds
        given = (-high, -low) if rules.mover(game, walk.root.state) == 1 else (low, high)
    if given[0] > given[1]:
        raise GameError(f"{walk.algorithm} of {game!r}: payoff_bounds={given!r} must be the least, then the greatest.")
    return given


@dataclass(slots=True)
class Outcome:
    """An outcome of a chance node: its probability, and the interval that contains its value."""

    node: Node
    probability: float
    low: Score
    high: Score
    alpha: Score = -INFINITY  # at or below this its value makes the chance node fail low
    beta: Score = INFINITY  # at or above this its value makes the chance node fail high
    probed: tuple[Node, Score] | None = None  # a successor that was searched, with its value
    searched: bool = False  # completely: nothing of it is left to cut off

    @property
    def window(self) -> tuple[Score, Score]:
        return max(self.alpha, self.low), min(self.beta, self.high)


class Star:
    """Star1, and with `probing` Star2, over a walk in max/min form."""

    def __init__(self, walk: Walk, low: Score, high: Score, *, probing: bool) -> None:
        self.walk, self.low, self.high, self.probing = walk, low, high, probing

    def value(self, node: Node, alpha: Score, beta: Score, outcome: Outcome | None = None) -> Score:
        """The node's value, or a bound on it if it is outside the window: fail-soft alpha-beta.

        For an `outcome` of chance, its interval and the successor that was probed are used.
        """
        walk, window = self.walk, (alpha, beta)
        if (score := walk.enter(node, alpha, beta)) is not None:
            return self.within_bounds(node, score)
        if node.chance:
            score = self.chance_value(node, alpha, beta)
            return walk.leave(node, score, self.bound(score, *window, outcome))
        best: Score = -INFINITY * node.sign
        probed = None if outcome is None else outcome.probed
        for successor in walk.children(node):
            child, score = self.successor_value(node, successor, alpha, beta, probed)
            if score > best if node.sign > 0 else score < best:
                best = score
                alpha, beta = (max(alpha, best), beta) if node.sign > 0 else (alpha, min(beta, best))
                walk.update(node, child, best, alpha, beta)
            if alpha >= beta and node.rest:
                walk.cut(node, best, beta if node.sign > 0 else alpha)
                break
        return walk.leave(node, best, self.bound(best, *window, outcome))

    def bound(self, score: Score, alpha: Score, beta: Score, outcome: Outcome | None = None) -> str:
        """Whether a score is exact or a bound. A bound at the end of the possible interval is exact."""
        low, high = (self.low, self.high) if outcome is None else (outcome.low, outcome.high)
        bound = bound_of(score, alpha, beta)
        return EXACT if (score >= high if bound == LOWER else score <= low) else bound

    def successor_value(
        self, node: Node, child: Node, alpha: Score, beta: Score, probed: tuple[Node, Score] | None
    ) -> tuple[Node, Score]:
        """A successor with its value, perhaps from a probe."""
        if probed is None or probed[0].move != child.move:
            return child, self.value(child, alpha, beta)
        self.walk.known(node, *probed)
        return probed

    def chance_value(self, node: Node, alpha: Score, beta: Score) -> Score:
        """The expected value, or a bound on it: every outcome narrows the interval that contains it."""
        outcomes = [Outcome(child, p, self.low, self.high) for child, p in self.walk.outcomes(node)]
        for search in (self.probe, self.search) if self.probing else (self.search,):
            self.walk.probe(search == self.probe)
            for outcome in outcomes:
                if outcome.low < outcome.high:
                    self.narrow(outcome, outcomes, alpha, beta)
                    if outcome.alpha < outcome.high and outcome.beta > outcome.low:
                        search(outcome)
                    if outcome.beta <= outcome.low:
                        return self.fail(node, outcomes, "beta", max(beta, expected_end(outcomes, "low")), beta)
                    if outcome.alpha >= outcome.high:
                        return self.fail(node, outcomes, "alpha", min(alpha, expected_end(outcomes, "high")), alpha)
                    self.walk.update(node, None, expected_end(outcomes, "low"), alpha, beta, interval_text(outcomes))
        return expected_end(outcomes, "low")

    def narrow(self, outcome: Outcome, outcomes: list[Outcome], alpha: Score, beta: Score) -> None:
        """Compute the window in which the outcome's value matters, given the intervals of the others.

        The window never grows, so the result of a probe stays valid for the later search. Rounding must not undo that,
        hence max and min.
        """
        p = outcome.probability
        if p > 0:
            greatest, least = expected_end(outcomes, "high", outcome), expected_end(outcomes, "low", outcome)
            outcome.alpha = max(outcome.alpha, (alpha - greatest) / p)
            outcome.beta = min(outcome.beta, (beta - least) / p)

    def probe(self, outcome: Outcome) -> None:
        """Bound the outcome's value by its first successor: from below at a Max node, from above at a Min node."""
        node = outcome.node
        if node.chance:
            return
        if (score := self.walk.enter(node, *outcome.window)) is not None:
            outcome.low = outcome.high = self.within_bounds(node, score)
            return
        child = next(self.walk.children(node))
        score = self.value(child, *outcome.window)
        outcome.probed = (child, score)
        if node.rest:
            self.bounded(outcome, score)
        else:
            self.walk.leave(node, score, self.bound(score, *outcome.window, outcome))
            self.found(outcome, score)

    def bounded(self, outcome: Outcome, score: Score) -> None:
        """Narrow the interval of an outcome after one of several successors of its node was searched."""
        node = outcome.node
        if node.sign > 0:
            outcome.low = max(outcome.low, score) if score > outcome.alpha else outcome.low
        else:
            outcome.high = min(outcome.high, score) if score < outcome.beta else outcome.high
        known, bound = (outcome.low, LOWER) if node.sign > 0 else (outcome.high, UPPER)
        self.walk.postpone(node)
        self.walk.leave(node, known, EXACT if outcome.low == outcome.high else bound)

    def search(self, outcome: Outcome) -> None:
        """Search the outcome's value, or prove that it is outside its window."""
        self.found(outcome, self.value(outcome.node, *outcome.window, outcome))

    def found(self, outcome: Outcome, score: Score) -> None:
        """Narrow the interval of an outcome after all successors of its node were searched or cut off."""
        outcome.searched = True
        if score < outcome.beta:
            outcome.high = score
        if score > outcome.alpha:
            outcome.low = score

    def fail(self, node: Node, outcomes: list[Outcome], name: str, score: Score, bound: Score) -> Score:
        """Cut off the rest of the outcomes: the chance node's value is outside the window."""
        unresolved = [outcome for outcome in outcomes if outcome.low < outcome.high and not outcome.searched]
        node.rest = [outcome.node.move for outcome in unresolved]
        if node.rest:
            self.walk.cut(node, score, bound, name=name)
        return score

    def within_bounds(self, node: Node, score: Score) -> Score:
        if not self.low <= score <= self.high:
            walk = self.walk
            what = "estimate" if node.leaf == "evaluate" else "payoff"
            raise GameError(
                f"{walk.algorithm} of {walk.game!r}: the {what} {score:g} of {walk.game.state_text(node.state)} is not "
                f"between the payoff_bounds {self.low:g} and {self.high:g}; give wider ones."
            )
        return score


def expected_end(outcomes: list[Outcome], end: str, without: Outcome | None = None) -> Score:
    """The expected value if every outcome, except `without`, had the low or the high end of its interval."""
    expected: Score = 0
    for outcome in outcomes:
        if outcome is not without:
            expected += outcome.probability * getattr(outcome, end)
    return expected


def interval_text(outcomes: list[Outcome]) -> str:
    low, high = expected_end(outcomes, "low"), expected_end(outcomes, "high")
    return "" if low == high else f"between {plain(low)} and {plain(high)}"
