"""search: iterated deepening from the root, under a limit.

Depth 1, 2, 3, ... until the value is proven, the limit is reached, or somebody stops it. Each round tries the best move
of the round before first. A round that is cut short still counts for the moves it finished, so there is always an
answer, and never a worse one for having looked further.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from zermelo import rules
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.limits import Limit
from zermelo.search.alphabeta import HORIZON, MOST, NODES, STOP, WIDEST, alphabeta, expectimax
from zermelo.search.report import Report
from zermelo.value import DECISIVE, INFINITY, Score, Value

if TYPE_CHECKING:
    import numpy as np

DEEPEST = 200
"""Plies beyond which no round goes: the size of the arrays."""


def search(game: Game, state: State = None, limit: Limit | None = None) -> Report:
    """The best move of a state (the initial one by default) and its value, as far as the limit allows.

    Without a limit it goes on until the value is proven, or for one second where play may never end.
    The clock starts when the machine code is ready.

    >>> import zermelo as z
    >>> print(z.search(z.load("tic_tac_toe")).value)
    draw
    """
    state = rules.start(game) if state is None else state
    if rules.payoff(game, state) != ONGOING:
        raise GameError(f"{game!r}: the game is over in {game.state_text(state)}; there is nothing to search.")
    if game.is_chance(state):
        raise GameError(f"{game!r}: chance moves in {game.state_text(state)}; there is no move to choose.")
    search = _Search(game, state, limit or Limit(seconds=1 if game.loops else None))
    return search.run()


class _Search:
    """One search: its arrays, its clock, and the best line so far."""

    def __init__(self, game: Game, state: State, limit: Limit) -> None:
        self.game = game
        self.state = state
        self.limit = limit
        self.moves: list[Move] = list(game.moves(state))
        self.pv: tuple[Move, ...] = (self.moves[0],)
        self.score: Score = 0
        self.exact = False
        self.depth = 0
        self._allocate(width=64)

    def _allocate(self, width: int) -> None:
        import numpy as np

        numbers = object if rules_need_objects(self.game) else np.int64
        self.buffer = np.zeros((DEEPEST + 2, width), numbers)
        self.lines = np.zeros((DEEPEST + 2, DEEPEST + 2), numbers)
        self.length = np.zeros(DEEPEST + 2, np.int64)
        self.counters = np.zeros(5, np.int64)
        self.counters[MOST] = self.limit.nodes or (1 << 62)

    def run(self) -> Report:
        self._score_of_move(self.moves[0], 1, -INFINITY)  # compiles, outside the clock
        self.counters[:MOST] = 0
        self.counters[STOP:] = 0
        start = time.perf_counter()
        clock = None
        if self.limit.seconds is not None:
            clock = threading.Timer(self.limit.seconds, self.stop)
            clock.daemon = True
            clock.start()
        try:
            while not self._finished():
                self._round(self.depth + 1)
        finally:
            if clock is not None:
                clock.cancel()
        return self._report(time.perf_counter() - start)

    def stop(self) -> None:
        """End the search at its next node."""
        self.counters[STOP] = 1

    def _finished(self) -> bool:
        deepest = min(self.limit.depth or DEEPEST, DEEPEST)
        return bool(self.counters[STOP]) or self.exact or self.depth >= deepest

    def _round(self, depth: int) -> None:
        """Search every root move to `depth`, the best one so far first."""
        self.counters[HORIZON] = 0
        first = self.pv[0]
        best: Score = -INFINITY
        line = self.pv
        order = [first, *(move for move in self.moves if move != first)]
        for number, move in enumerate(order):
            score = self._score_of_move(move, depth, best)
            if self.counters[STOP]:
                self._keep_unfinished(best, line, order[number])
                return
            if score > best:
                best, line = score, (move, *self._line_after())
        self.score, self.pv, self.depth = best, line, depth
        self.exact = self.counters[HORIZON] == 0 or abs(best) >= DECISIVE

    def _keep_unfinished(self, best: Score, line: tuple[Move, ...], unsearched: Move) -> None:
        """What a round that was cut short is worth: its best move, unless all it found is that moves lose."""
        if best > -DECISIVE:
            self.score, self.pv = best, line
        elif best > -INFINITY:
            self.pv = (unsearched,)

    def _score_of_move(self, move: Move, depth: int, alpha: Score) -> Score:
        """The move's score, or a bound below `alpha`; buffers grow where a state has more moves than they hold."""
        child = self.game.play(self.state, move)
        sign = -1 if rules.turns(self.game, self.state, child) else 1
        while True:
            score = sign * self._score_of_child(child, depth - 1, sign, alpha)
            widest = int(self.counters[WIDEST])
            if not widest:
                return score
            nodes, stopped = int(self.counters[NODES]), self.counters[NODES] >= self.counters[MOST]
            self._allocate(2 * widest)
            self.counters[NODES] = nodes
            if stopped:
                self.stop()
                return score

    def _score_of_child(self, child: State, depth: int, sign: int, alpha: Score) -> float:
        arrays = (self.buffer, self.lines, self.length, self.counters)
        if rules.has_chance(self.game):
            return float(expectimax(self.game, child, depth, 1, *arrays))
        low, high = (-float(INFINITY), -float(alpha)) if sign < 0 else (float(alpha), float(INFINITY))
        return float(alphabeta(self.game, child, depth, 1, low, high, *arrays))

    def _line_after(self) -> list[Move]:
        line: np.ndarray = self.lines[1, : self.length[1]]
        return line.tolist()  # type: ignore[no-any-return]

    def _report(self, seconds: float) -> Report:
        score = int(self.score) if float(self.score).is_integer() else self.score
        chance = rules.has_chance(self.game)
        value = Value.of(score, exact=self.exact, margin=self.game.margin, chance=chance)
        return Report(
            game=self.game,
            state=self.state,
            value=value.seen_by(rules.mover(self.game, self.state)),
            move=self.pv[0],
            pv=self.pv,
            depth=self.depth,
            nodes=int(self.counters[NODES]),
            seconds=seconds,
        )


def rules_need_objects(game: Game) -> bool:
    """Whether moves are something other than ints, so that arrays must hold objects (and the game is interpreted)."""
    return not all(isinstance(move, int) for move in game.moves(game.initial()))
