"""Monte Carlo tree search of one state: runs the kernel, and reads the report off the tree."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from zermelo import rules
from zermelo.arguments import check_int
from zermelo.game import Game, GameError, Move, State
from zermelo.limits import Limit
from zermelo.monte_carlo_settings import MonteCarlo, own_settings
from zermelo.native.kernel_dispatch import Kernel
from zermelo.searching.chance.star2 import payoff_range
from zermelo.searching.mcts.uct import PAYOFF_SCALE, RANDOM_COUNT, UCT_BAD_EVAL, USED, new_uct_memory, uct
from zermelo.searching.mcts.uct_tree import (
    COUNT,
    FIRST_CHILD,
    HIGH,
    LOW,
    MOVE,
    NODE,
    SIGN,
    UNKNOWN_PAYOFF,
    VISITS,
    mean,
    new_tree,
)
from zermelo.searching.report import Line, Report
from zermelo.searching.runtime.move_encoding import decode_moves
from zermelo.searching.runtime.single_kernel import SingleKernelSearch
from zermelo.searching.runtime.thread_memory import MAX_NODES, NODES, WIDTH_NEEDED
from zermelo.value import DECISIVE, INFINITY, LOWER, Score, Value
from zermelo.word_arrays import Words

FIRST_PART, REPORT_SECONDS = 256, 0.1
"""Playouts before the first report to a listener, and the seconds that later parts take."""


def settings_for(game: Game, seed: int, changes: dict[str, float | None]) -> MonteCarlo:
    """Return the settings of a search: those of the game, with changes. Raise GameError for a wrong argument."""
    check_int(f"monte_carlo of {game!r}", seed=seed)
    own = own_settings(game) or MonteCarlo()
    return replace(own, **{name: value for name, value in changes.items() if value is not None})  # type: ignore[arg-type]


class MonteCarloSearch(SingleKernelSearch):
    """One Monte Carlo tree search of one state.

    When compilation ends during an interpreted search, compiled code begins a new tree, so that a seed and a number of
    nodes determine the report.
    """

    def __init__(
        self,
        game: Game,
        state: State,
        limit: Limit,
        megabytes: float,
        seed: int,
        settings: MonteCarlo,
        start: float | None = None,
    ) -> None:
        self.payoffs = payoff_range(game, state) if rules.has_chance(game) else (1.0 - DECISIVE, DECISIVE - 1.0)
        super().__init__(game, state, limit, new_uct_memory(seed, settings, self.payoffs), start)
        self.tell: Callable[[Report], None] | None = None
        """Called with a report now and then, for those who wait for the move."""
        self.most_nodes = self.memory[MAX_NODES]
        self.megabytes = megabytes
        self.seed = seed
        self.settings = settings
        self.exploration = float(settings.exploration)
        self.moves = rules.listed_moves(game, state)
        self.tree = self._new_tree()
        self._former: tuple[Words, Words] | None = None

    @property
    def kernel(self) -> Kernel:
        return uct  # type: ignore[no-any-return]

    def compile(self) -> bool:
        return bool(uct.ready(self.game, self.state, self.exploration, self.tree, self.memory))

    @property
    def finished(self) -> bool:
        return self.stopped or self.tree[LOW] == self.tree[HIGH] or self.memory[NODES] >= self.most_nodes

    def now(self) -> Report | None:
        """Nothing: another thread cannot read the tree while the kernel writes it."""
        return None

    def _new_tree(self) -> Words:
        most = 1 if rules.has_distance(self.game) else UNKNOWN_PAYOFF
        return new_tree(self.megabytes, len(self.moves), -most, most)

    def _use(self, compiled: bool) -> None:
        super()._use(compiled)
        if compiled and self.memory[NODES]:
            self._former = self.tree, self.memory
            self.tree = self._new_tree()
            self._replace_memory(new_uct_memory(self.seed, self.settings, self.payoffs), (MAX_NODES,))

    def _run_kernel(self) -> None:
        """Run the kernel: as long as it takes, or in parts, with a report after each, if there is a listener."""
        part = FIRST_PART
        while self.tell is not None and not self.finished and not self.must_stop:
            began, self.memory[MAX_NODES] = time.perf_counter(), min(self.memory[NODES] + part, self.most_nodes)
            self._simulate()
            self.tell(self._report())
            part = part * 2 if time.perf_counter() - began < REPORT_SECONDS else part
        self.memory[MAX_NODES] = self.most_nodes
        if not self.must_stop:
            self._simulate()

    def _simulate(self) -> None:
        """Run the kernel up to memory[MAX_NODES]; its row of moves grows where a state has more than it holds."""
        run = uct if self.compiled else uct.interpreted
        run(self.rules, self.state, self.exploration, self.tree, self.memory)
        while self.memory[WIDTH_NEEDED] and not self.must_stop:
            wider = new_uct_memory(self.seed, self.settings, self.payoffs, 2 * self.memory[WIDTH_NEEDED])
            self._replace_memory(wider, (NODES, MAX_NODES, USED, PAYOFF_SCALE, RANDOM_COUNT))
            run(self.rules, self.state, self.exploration, self.tree, self.memory)
        if self.memory[UCT_BAD_EVAL]:  # interpreted, EncodedGame raises it
            raise GameError(
                f"monte_carlo of {self.game!r}: after {self.game.state_text(self.state)} `evaluate` returns what is no "
                "finite number, where a playout is cut off."
            )

    def _final_report(self) -> Report:
        if self._former is not None and self._former[1][NODES] > self.memory[NODES]:  # compiled, it got less far
            self.tree, self.memory = self._former
            super()._use(compiled=False)
        return self._report()

    def _report(self) -> Report:
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
        """A line for each move, best first; the first move alone if the search was stopped before it began."""
        unknown = Value.unknown().seen_by(rules.mover(self.game, self.state))
        first, *others = [self._line(child) for child in self._ranked(0)] or [Line(unknown, (self.moves[0],))]
        if first.value.exact and self.tree[LOW] < self.tree[HIGH]:  # another move may be better
            first = Line(replace(first.value, outcome=None, bound=LOWER), first.pv)
        return first, *others

    def _ranked(self, node: int) -> list[int]:
        """The children of a node, best first: by visits, those that cannot be best last.

        The best proven child comes first if it beats the mean of the most visited one.
        """
        tree, first = self.tree, self.tree[node + FIRST_CHILD]
        children = tree.array[first : first + tree[node + COUNT] * NODE].reshape(-1, NODE)
        visits, lows, highs = (children[:, word].tolist() for word in (VISITS, LOW, HIGH))  # word by word this is slow
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
        """The line of a child of the root: its value, and the best moves after it.

        From a proven payoff on, the line goes on only by moves that are proven to reach it.
        """
        node, state, moves = child, self.state, []
        proven: int | None = None  # the payoff from here on, seen by the mover
        while True:
            moves.append(self._move(state, self.tree[node + MOVE]))
            state = self.game.play(state, moves[-1])
            if not self.tree[node + FIRST_CHILD] or self.game.is_chance(state):
                break
            sign = self.tree[node + SIGN]
            if proven is not None:  # a parent's bounds may meet where the node's own do not
                proven *= sign
            elif self.tree[node + LOW] == self.tree[node + HIGH]:
                proven = sign * self.tree[node + LOW]
            after = self._best_child(node, proven)
            if after is None or not self.tree[after + VISITS]:
                break
            node = after
        value = self._value(child).seen_by(rules.mover(self.game, self.state))
        return Line(value, tuple(moves))

    def _best_child(self, node: int, proven: int | None) -> int | None:
        """The best child of a node; where its payoff is proven, the best child that is proven to reach it, if any."""
        ranked = self._ranked(node)
        if proven is not None:
            ranked = [child for child in ranked if self.tree[child + LOW] >= proven]
        return next(iter(ranked), None)

    def _move(self, state: State, number: int) -> Move:
        """Decode a move of the kernel."""
        return decode_moves(self.rules, state, (number,))[0]

    def _value(self, child: int) -> Value:
        """The proven value, or else the mean payoff as an estimate; a win or loss has no distance."""
        low, high = self.tree[child + LOW], self.tree[child + HIGH]
        if low == high:
            if rules.has_distance(self.game) and low:
                return Value.at_least(DECISIVE) if low > 0 else Value.at_most(-DECISIVE)
            return Value.of(low, exact=True, margin=self.game.margin, chance=rules.has_chance(self.game))
        return Value.estimate(mean(child, self.tree)) if self.tree[child + VISITS] else Value.unknown()

    def _score(self, payoff: int, limit: Score) -> Score:
        """Convert a proven bound of the payoff into one of the score; `limit` if there is none."""
        if not rules.has_distance(self.game):
            return limit if abs(payoff) >= DECISIVE else payoff
        return payoff * DECISIVE if payoff * limit < 0 or payoff == 0 else limit
