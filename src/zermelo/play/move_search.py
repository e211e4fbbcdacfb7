"""The searches for the moves of a player: within a limit or on a clock, and what one leaves to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zermelo.game import Game, State
from zermelo.limits import Limit, both
from zermelo.monte_carlo_settings import MonteCarlo
from zermelo.play.clock import Budget, Clock
from zermelo.play.monte_carlo_moves import as_estimates, monte_carlo_analysis
from zermelo.play.move_choice import one_ply_report
from zermelo.rules import legal_actions
from zermelo.searching import Report, analyze, search
from zermelo.searching.alphabeta.transposition_table import TranspositionTable
from zermelo.searching.runtime.search_worker import search_kernel
from zermelo.searching.search_api import search_at_once

if TYPE_CHECKING:
    from zermelo.searching.runtime.analysis_stream import Analysis

OnReport = Callable[[Report], object]
"""A callback for the reports of a search so far. What it raises ends the search."""

REPORT_INTERVAL = 0.2
"""Seconds after which the callback gets a report though only the nodes have changed."""

QUICK_SECONDS = 0.01
"""Seconds up to which a search on the clock runs at once, without threads and deadlines that may come late."""

QUICK_NODES = 200
"""Nodes of the shortest search: one ply in most games."""

LEVEL_MEGABYTES = 4.0
"""Megabytes of the table for a move of a level below the highest: it visits few nodes."""


class MoveSearch:
    """Searches of `game`, which has the player's tablebase and weights; `unprobed` is the same without the tablebase.

    The searches of one played game share a table of `megabytes`. `stop` ends them from another thread.
    """

    def __init__(self, game: Game, unprobed: Game, megabytes: float, threads: int) -> None:
        self.game, self.unprobed, self.megabytes, self.threads = game, unprobed, megabytes, threads
        self._stopped = False
        """Whether `stop` was called since the last choice began."""
        self._analysis: Analysis | None = None
        self._last_analysis: Analysis | None = None
        self._table = TranspositionTable(megabytes)
        self._history: Sequence[State] = ()
        self._last_searched: State = None
        self._speed = 0.0
        """Nodes a second of the fastest search on the clock; 0 where none was measured."""

    # -- one choice after the other ------------------------------------------------------------------------------------

    def begin_choice(self) -> None:
        """Begin another choice: a `stop` before it no longer counts."""
        self._stopped = False

    def stop(self) -> None:
        """End the search that runs in another thread, and those that the same choice begins afterwards."""
        self._stopped = True
        analysis = self._analysis
        if analysis is not None:
            analysis.hurry()

    def continue_game(self, state: State, history: Sequence[State]) -> None:
        """Keep the table of the last search where it was one of this game; another game begins with an empty one."""
        self.wait_for_last()
        if self._last_searched is None or self._last_searched not in history:
            self._table = TranspositionTable(self.megabytes)
        self._history, self._last_searched = history, state

    def wait_for_last(self) -> None:
        """Wait for the end of a search whose answer was given before: it has the table."""
        if self._last_analysis is not None:
            self._last_analysis.join()
            self._last_analysis = None

    # -- searches ------------------------------------------------------------------------------------------------------

    def by_playouts(self, state: State, limit: Limit, settings: MonteCarlo, on_report: OnReport | None) -> Report:
        """Search by Monte Carlo within a limit."""
        self.wait_for_last()
        analysis = monte_carlo_analysis(self.game, state, limit, settings, self.megabytes)
        with self._reading(analysis, limit) as reports:
            for report in reports:
                if on_report is not None:
                    on_report(as_estimates(report))
        return as_estimates(report)

    def within(self, state: State, limit: Limit, lines: int, on_report: OnReport | None) -> Report:
        """Search within a limit."""
        if on_report is None:
            self.wait_for_last()
            return search(self.game, state, limit, lines=lines, **self._options)
        with self._analyzing(state, limit, lines) as reports:
            for report in reports.live(REPORT_INTERVAL):
                on_report(report)
        return report

    def on_clock(self, state: State, clock: Clock, budget: Budget, lines: int, on_report: OnReport | None) -> Report:
        """Search until the hard limit, or until the budget has no time for another iteration."""
        if self.is_quick(budget):
            return self._quick(state, budget, lines, on_report)
        start = finished = clock.spent
        depth = 0
        limit = Limit(seconds=budget.hard)
        with self._analyzing(state, limit, lines) as reports:
            for report in reports if on_report is None else reports.live(REPORT_INTERVAL):
                if on_report is not None:
                    on_report(report)
                if report.depth > depth:
                    now = clock.spent
                    next_iteration = (now - finished) * max(report.growth or 1, 1)
                    if budget.over(now - start, next_iteration):
                        break
                    depth, finished = report.depth, now
        self._measure(report)
        return report

    def is_quick(self, budget: Budget) -> bool:
        """Whether a search on the clock is so short that it runs at once, in the thread that asks for it."""
        return budget.hard <= QUICK_SECONDS and self._speed > 0 and self._compiled

    def _quick(self, state: State, budget: Budget, lines: int, on_report: OnReport | None) -> Report:
        """Search as many nodes as there is time for."""
        self.wait_for_last()
        limit = Limit(nodes=max(int(self._speed * budget.hard), QUICK_NODES))
        report = search_at_once(self.game, state, limit, lines=lines, table=self._table, history=self._history)
        self._measure(report)
        if on_report is not None:
            on_report(report)
        return report

    def _measure(self, report: Report) -> None:
        """Note the speed of a compiled search. A short one spends much of its time on starting and ending."""
        if report.seconds > 0 and self._compiled:
            self._speed = max(self._speed, report.nodes / report.seconds)

    @property
    def _compiled(self) -> bool:
        return search_kernel(self.game).is_cached(self.game)

    def only_move(self, state: State, budget: Budget) -> Report:
        """Look one ply ahead, where only one move can be made: whatever its value, it will be played."""
        limit = Limit(seconds=budget.hard, depth=1)
        return search(self.game, state, limit, threads=self.threads, table=self._table)

    def one_ply(self, state: State, report: Report, *, compiling: bool) -> Report:
        """One ply, though there was no time for it. Compiled rules take a millisecond for that, in chess."""
        if compiling or not self._compiled:
            return one_ply_report(report)
        self.wait_for_last()
        return search(self.game, state, Limit(depth=1), lines=len(report.lines), **self._options)

    def whole_rounds(self, state: State, limit: Limit, lines: int, on_report: OnReport | None) -> Report:
        """The report after the last round that was finished: one that is cut short compares values of two depths.

        It has a line for each move, whatever the limit.
        """
        with self._analyzing(state, limit, lines) as reports:
            whole = next(reports)
            for report in reports:
                whole = report if report.depth > whole.depth else whole
                if on_report is not None:
                    on_report(whole)
        return one_ply_report(whole, lines) if whole.depth == 0 and not whole.value.exact else whole

    def replies(
        self, state: State, limit: Limit | Budget, sight: Limit | None, count: int, on_report: OnReport | None
    ) -> Report:
        """The values of all replies, in one of `count` searches that share half the limit; one ply less is left.

        The state to move in was played before them. With `sight`, as a player sees them who looks so far, and who
        knows nothing of the searches before.
        """
        whole = Limit(seconds=limit.soft) if isinstance(limit, Budget) else limit
        part, replies = part_of(whole, 2 * count), len(legal_actions(self.game, state))
        before, self._history = self._history, (*self._history, self._last_searched)
        try:
            if sight is not None:
                with self.knowing_nothing():
                    return self.whole_rounds(state, both(sight, part), replies, on_report)
            if part.depth is not None:
                part = replace(part, depth=max(part.depth - 1, 1))
            return self.within(state, part, replies, on_report)
        finally:
            self._history = before

    @contextmanager
    def knowing_nothing(self) -> Iterator[None]:
        """Search as a player who has no database and remembers no search."""
        kept = self.game, self._table
        self.game, self._table = self.unprobed, TranspositionTable(min(self.megabytes, LEVEL_MEGABYTES))
        try:
            yield
        finally:
            self.game, self._table = kept

    @property
    def _options(self) -> dict[str, Any]:
        """What all searches for a move of a game share."""
        return {"threads": self.threads, "table": self._table, "history": self._history}

    def _analyzing(self, state: State, limit: Limit, lines: int) -> AbstractContextManager[Analysis]:
        """An analysis by alpha-beta that `stop` ends."""
        self.wait_for_last()
        return self._reading(analyze(self.game, state, limit, lines=lines, **self._options), limit)

    @contextmanager
    def _reading(self, analysis: Analysis, limit: Limit) -> Iterator[Analysis]:
        """An analysis that `stop` ends."""
        if limit.seconds is not None:
            analysis.leave_after(limit.seconds)
        self._analysis = self._last_analysis = analysis
        if self._stopped:
            analysis.hurry()
        try:
            yield analysis
        finally:
            self._analysis = None
            analysis.leave()


def part_of(limit: Limit, parts: int) -> Limit:
    """One of `parts` equal parts of a limit; depth is not divided."""
    seconds = None if limit.seconds is None else limit.seconds / parts or limit.seconds  # the least has no parts
    nodes = None if limit.nodes is None else max(limit.nodes // parts, 1)
    return Limit(seconds, limit.depth, nodes)
