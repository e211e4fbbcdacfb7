"""Win/loss search: only whether the player to move wins. It stops at the first winning successor."""

from __future__ import annotations

from zermelo import rules
from zermelo.game import Game, State
from zermelo.textbook.search_result import Result
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tree_node import Node
from zermelo.textbook.tree_walk import Walk
from zermelo.value import DRAW, EXACT, LOSS, UPPER, WIN, Score, Value


def win_loss(
    game: Game, state: State = None, *, order: bool = False, repetition: str | None = None, trace: Trace | None = None
) -> Result:
    """Whether the player to move at `state` wins: the value is WIN or LOSS, +1 or -1, without a distance.

    A node is won as soon as one successor is, and the rest is not visited. Draws are not wins for the player at the
    root: if a draw was found and the root is not won, the value is 0 with bound "upper", at most a draw. So the window
    of the search, as a trace shows it, is (DRAW, WIN).

    >>> import zermelo as z
    >>> print(win_loss(z.GameTree([[1, -1], [1, 1], [1, -1]])))
    win_loss: +1 by 2 1 (7 nodes, 4 leaves, 1 cut-off)
    """
    walk = Walk("win_loss", game, state, repetition=repetition, trace=trace, order=order)
    walk.distance = False
    search = WinLoss(walk)
    wins = walk.run(search.value) == WIN
    outcome = WIN if wins else LOSS
    drawn = search.draws > 0 and not wins
    value = Value.estimate(0) if drawn else Value.margin(outcome)
    bound = UPPER if drawn else EXACT
    return Result(**vars(walk.result(0, bound)) | {"value": value.seen_by(rules.mover(game, walk.root.state))})


class WinLoss:
    """The search, in max/min form: WIN is a win for Max, LOSS anything else."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.draws = 0  # how many leaves were drawn

    def value(self, node: Node) -> Score:
        """WIN if Max wins from here, else LOSS."""
        walk, draws = self.walk, self.draws
        if (score := walk.enter(node, DRAW, WIN)) is not None:
            self.draws += score == 0
            return WIN if score > 0 else LOSS
        score = -node.sign
        for child in walk.children(node):
            score = self.value(child)
            wanted = score == node.sign  # the player of the node wins
            if wanted or node.best is None:
                walk.update(node, child, self.proven(score, draws), DRAW, WIN)
            if wanted:
                if node.rest:
                    walk.cut(node, self.proven(score, draws), WIN if node.sign > 0 else DRAW)
                break
        proven = self.proven(score, draws)
        walk.leave(node, proven, UPPER if proven == DRAW else EXACT)
        return score

    def proven(self, score: Score, draws: int) -> Score:
        """The value in the trace: no win is a loss, or at most a draw if more than `draws` leaves are drawn so far."""
        return DRAW if score == LOSS and self.draws > draws else score
