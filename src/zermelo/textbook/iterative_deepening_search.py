"""Iterative deepening: search to depth 1, 2, 3, ... until the limit. There is always a best move so far."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import count

from zermelo import rules
from zermelo.game import Game, State
from zermelo.limits import Limit
from zermelo.textbook.alphabeta_search import search_root
from zermelo.textbook.expectiminimax_search import node_value
from zermelo.textbook.search_result import Result
from zermelo.textbook.tracing.trace import Trace
from zermelo.textbook.tree_node import LimitReached, check_game
from zermelo.textbook.tree_walk import Walk
from zermelo.value import Value


@dataclass(frozen=True, kw_only=True)
class DeepeningResult(Result):
    """The result of the deepest completed iteration; `nodes` counts all iterations, including an interrupted one."""

    iterations: tuple[Result, ...] = ()
    """Every completed iteration, the shallowest first."""
    stopped: str = ""
    """Why the search stopped: 'depth', 'nodes' or 'seconds' (the limit), or 'solved'."""


def iterative_deepening(
    game: Game,
    state: State = None,
    limit: Limit | None = None,
    *,
    order: bool = False,
    repetition: str | None = None,
    trace: Trace | None = None,
) -> DeepeningResult:
    """The best move found by searches of growing depth under `limit`; without a limit, until the value is proven.

    Each iteration first tries the principal variation of the one before. An iteration that the limit interrupts is
    discarded; if it was the first, the move is the first legal one. Games of chance are searched by expectiminimax.

    >>> import zermelo as z
    >>> result = iterative_deepening(z.GameTree("A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6)))"), limit=z.Limit(depth=9))
    >>> result.depth, result.stopped, str(result.value)
    (3, 'solved', '+3')
    """
    check_game("iterative_deepening", game, trace)
    limit = limit or Limit()
    start = time.perf_counter()
    done: list[Result] = []
    stopped, nodes = "", 0
    for depth in count(1):
        walk = _walk(game, state, depth, done, order=order, repetition=repetition, trace=trace)
        walk.apply_limit(limit, start, nodes)
        try:
            done.append(_search(walk))
        except LimitReached as out:
            stopped = str(out)
        nodes += walk.nodes
        if not stopped:
            stopped = "solved" if done[-1].value.exact else "depth" if depth == limit.depth else ""
        if stopped:
            break
    last = done[-1] if done else _unsearched(walk)
    record = vars(last) | {"algorithm": "iterative_deepening", "nodes": nodes}
    record.pop("lines", None)
    return DeepeningResult(**record, iterations=tuple(done), stopped=stopped)


def _walk(
    game: Game,
    state: State,
    depth: int,
    done: list[Result],
    *,
    order: bool,
    repetition: str | None,
    trace: Trace | None,
) -> Walk:
    """A walk to this depth, in negamax form if the game has no chance."""
    chance = rules.has_chance(game)
    walk = Walk(
        "iterative_deepening", game, state, depth=depth, order=order, repetition=repetition, trace=trace,
        chance=chance, negamax=not chance,
    )  # fmt: skip
    walk.first = done[-1].pv if done else ()
    return walk


def _search(walk: Walk) -> Result:
    if walk.negamax:
        return search_root(walk, f"iterative_deepening, depth {walk.depth}")
    return walk.result(walk.run(lambda root: node_value(walk, root), f"iterative_deepening, depth {walk.depth}"))


def _unsearched(walk: Walk) -> Result:
    """The result if no iteration was completed: the first legal move and the static evaluation."""
    game, state = walk.game, walk.root.state
    moves = [] if game.is_chance(state) else rules.legal_actions(game, state)
    value = Value.estimate(rules.static_eval(game, state)).seen_by(rules.mover(game, state))
    line = tuple(game.move_text(state, move) for move in moves[:1])
    return Result(
        algorithm="iterative_deepening",
        value=value,
        move=moves[0] if moves else None,
        pv=tuple(moves[:1]),
        line=line,
        depth=0,
    )
