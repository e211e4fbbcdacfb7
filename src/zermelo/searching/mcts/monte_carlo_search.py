"""Sampling: a tree grown by playouts, and the report that is read off it."""

from __future__ import annotations

import time
from dataclasses import replace

from zermelo import rules
from zermelo.arguments import check_int, check_number
from zermelo.game import Game, GameError, Move, State
from zermelo.limits import Limit
from zermelo.searching.mcts.uct import DRAWN, SPREAD, UNJUDGED, USED, new_sampling_memory, uct
from zermelo.searching.mcts.uct_tree import ANYTHING, COUNT, FIRST, HIGH, LOW, MOVE, NODE, SIGN, VISITS, mean, new_tree
from zermelo.searching.report import Line, Report
from zermelo.searching.runtime.move_encoding import moves_of
from zermelo.searching.runtime.single_kernel import Solo
from zermelo.searching.runtime.thread_memory import MOST, NODES, WIDEST
from zermelo.value import DECISIVE, INFINITY, LOWER, Score, Value
from zermelo.word_arrays import Words


def check_options(game: Game, seed: int, exploration: float) -> None:
    """Raise GameError if an option makes no sense."""
    check_int(f"monte_carlo of {game!r}", seed=seed)
    check_number(f"monte_carlo of {game!r}", least=0, exploration=exploration)


class Sampling(Solo):
    """One Monte Carlo tree search of one state.

    Machine code that comes while the search is interpreted begins a tree of its own, so that a seed and a number of
    nodes give one report.
    """

    def __init__(
        self,
        game: Game,
        state: State,
        limit: Limit,
        megabytes: float,
        seed: int,
        exploration: float,
        start: float | None = None,
    ) -> None:
        super().__init__(game, state, limit, new_sampling_memory(seed), start)
        self.megabytes = megabytes
        self.seed = seed
        self.exploration = exploration
        self.moves = list(game.moves(state))
        self.tree = self._new_tree()
        self._former: tuple[Words, Words] | None = None

    def ready(self) -> bool:
        return bool(uct.ready(self.game, self.state, self.exploration, self.tree, self.memory))

    @property
    def finished(self) -> bool:
        return self.stopped or self.tree[LOW] == self.tree[HIGH] or self.memory[NODES] >= self.memory[MOST]

    def _new_tree(self) -> Words:
        most = 1 if rules.has_distance(self.game) else ANYTHING
        return new_tree(self.megabytes, len(self.moves), -most, most)

    def _prepare(self, compiled: bool) -> None:
        super()._prepare(compiled)
        if compiled and self.memory[NODES]:
            self._former = self.tree, self.memory
            self.tree = self._new_tree()
            self._replace_memory(new_sampling_memory(self.seed), (MOST,))

    def _search(self) -> None:
        """Run the kernel; its row of moves grows where a state has more than it holds."""
        run = uct if self.compiled else uct.interpreted
        run(self.rules, self.state, self.exploration, self.tree, self.memory)
        while self.memory[WIDEST] and not self.held:
            wider = new_sampling_memory(self.seed, 2 * self.memory[WIDEST])
            self._replace_memory(wider, (NODES, MOST, USED, SPREAD, DRAWN))
            run(self.rules, self.state, self.exploration, self.tree, self.memory)
        if self.memory[UNJUDGED]:  # interpreted, `evaluate` itself is told so
            raise GameError(
                f"monte_carlo of {self.game!r}: after {self.game.state_text(self.state)} `evaluate` returns what is no "
                "finite number, where a playout is broken off."
            )

    def _report(self) -> Report:
        if self._former is not None and self._former[1][NODES] > self.memory[NODES]:  # the code came too late
            self.tree, self.memory = self._former
            super()._prepare(compiled=False)
        return Report(
            game=self.game,
            state=self.state,
            lines=self._lines(),
            depth=0,
            nodes=self.memory[NODES],
            seconds=time.perf_counter() - self.start,
            bounds=(self._score(self.tree[LOW], -INFINITY), self._score(self.tree[HIGH], INFINITY)),
        )

    # -- reading the tree --------------------------------------------------------------------------------------------

    def _lines(self) -> tuple[Line, ...]:
        """A line for each move, best first; any move, where the search was stopped before it began."""
        unknown = Value.unknown().seen_by(rules.mover(self.game, self.state))
        first, *others = [self._line(child) for child in self._ranked(0)] or [Line(unknown, (self.moves[0],))]
        if first.value.exact and self.tree[LOW] < self.tree[HIGH]:  # what the best move is worth, another may beat
            first = Line(replace(first.value, outcome=None, bound=LOWER), first.pv)
        return first, *others

    def _ranked(self, node: int) -> list[int]:
        """The children of a node, best first: by visits, those that cannot be best last.

        The best of those that are proven comes before the others if it beats what the most visited one promises.
        """
        tree, first = self.tree, self.tree[node + FIRST]
        children = tree.array[first : first + tree[node + COUNT] * NODE].reshape(-1, NODE)
        visits, lows, highs = (children[:, word].tolist() for word in (VISITS, LOW, HIGH))  # one by one they take long
        floor = max(lows, default=0)
        still_open: list[int] = []
        proven: list[int] = []
        last: list[int] = []
        for i in sorted(range(len(visits)), key=lambda i: -visits[i]):
            group = still_open if highs[i] > floor else proven if lows[i] == highs[i] == floor else last
            group.append(first + i * NODE)
        if still_open and mean(still_open[0], tree) >= floor:
            return [*still_open, *proven, *last]
        return [*proven, *still_open, *last]

    def _line(self, child: int) -> Line:
        """A child of the root with its value, and the moves that look best after it, or are proven to be."""
        node, state, moves = child, self.state, []
        while True:
            moves.append(self._move(state, self.tree[node + MOVE]))
            state = self.game.play(state, moves[-1])
            if not self.tree[node + FIRST] or self.game.is_chance(state):
                break
            after = self._keeping(node)
            if after is None or not self.tree[after + VISITS]:
                break
            node = after
        value = self._value(child).seen_by(rules.mover(self.game, self.state))
        return Line(value, tuple(moves))

    def _keeping(self, node: int) -> int | None:
        """The best child of a node; where its payoff is proven, one that is proven to keep it, if there is any yet."""
        ranked = self._ranked(node)
        if self.tree[node + LOW] == self.tree[node + HIGH]:
            payoff = self.tree[node + SIGN] * self.tree[node + LOW]
            ranked = [child for child in ranked if self.tree[child + LOW] >= payoff]
        return next(iter(ranked), None)

    def _move(self, state: State, number: int) -> Move:
        """The move of the game behind that of the kernel."""
        return moves_of(self.rules, state, (number,))[0]

    def _value(self, child: int) -> Value:
        """What is proven, otherwise the mean payoff as an estimate; of a win or loss the distance is not known."""
        low, high = self.tree[child + LOW], self.tree[child + HIGH]
        if low == high:
            if rules.has_distance(self.game) and low:
                return Value.at_least(DECISIVE) if low > 0 else Value.at_most(-DECISIVE)
            return Value.of(low, exact=True, margin=self.game.margin, chance=rules.has_chance(self.game))
        return Value.estimate(mean(child, self.tree)) if self.tree[child + VISITS] else Value.unknown()

    def _score(self, payoff: int, limit: Score) -> Score:
        """A proven bound of the payoff as one of the score; `limit` where the bound says nothing."""
        if not rules.has_distance(self.game):
            return limit if abs(payoff) >= DECISIVE else payoff
        return payoff * DECISIVE if payoff * limit < 0 or payoff == 0 else limit
