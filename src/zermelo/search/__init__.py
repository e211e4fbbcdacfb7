"""The engine's search: `search`, `search_many`, and the Reports they return."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from zermelo import rules
from zermelo.game import ONGOING, Game, GameError, State
from zermelo.limits import Limit
from zermelo.search.report import Line, Report

if TYPE_CHECKING:
    from zermelo.search.deepening import Search

__all__ = ["Line", "Report", "search", "search_many"]

TABLE = 64
"""Megabytes of the transposition table, unless the caller chooses."""

PATIENCE = Limit(seconds=10)
"""What a search without a limit takes at most."""


def search(
    game: Game,
    state: State = None,
    limit: Limit | None = None,
    *,
    exact: bool = False,
    lines: int = 1,
    table: float = TABLE,
) -> Report:
    """The best move of a state (the initial one by default) and its value, as far as the limit allows.

    Without a limit it goes on until the value is proven, but no longer than ten seconds; with `exact`, as long as
    the proof takes. `lines` is how many moves get a value and a line of their own, `table` the megabytes for
    transpositions. The clock starts when the machine code is ready.

    >>> import zermelo as z
    >>> print(z.search(z.load("tic_tac_toe")).value)
    draw
    >>> print(z.search(z.load("connect_four(5, 4)"), exact=True).value)
    draw
    """
    from zermelo.search.deepening import Search
    from zermelo.search.table import new_table

    state = _searchable(game, state)
    limit = _checked(game, limit, exact)
    one = Search(game, state, limit, new_table(table), lines)
    one.prepare(exact)
    start = time.perf_counter()
    with _clock(one, limit):
        for _ in one.reports(start, exact):
            pass
    return one.report(time.perf_counter() - start)


def search_many(game: Game, states: Iterable[State], *, table: float = TABLE) -> list[Report]:
    """The proven value and a best move of each state, with one table for all and in one compiled call.

    >>> import zermelo as z
    >>> game = z.load("connect_four(5, 4)")
    >>> states = [z.position(game, text) for text in ("", "1", "33", "3344")]
    >>> [str(report.value) for report in z.search_many(game, states)]
    ['draw', 'win in 19', 'draw', 'win in 3']
    """
    from zermelo.search.many import prove_states

    return prove_states(game, [_searchable(game, state) for state in states], table)


def _searchable(game: Game, state: State) -> State:
    """The state, the initial one by default, if there is a move to choose in it."""
    rules.checked_game("search", game)
    if isinstance(state, Limit):
        raise GameError(f"{game!r}: the second argument of search is a state; write limit={state!r}.")
    state = rules.given_state(game, state)
    payoff = rules.payoff(game, state)
    if payoff != ONGOING:
        raise GameError(f"{game!r}: the game is over in {game.state_text(state)}; there is nothing to search.")
    if game.is_chance(state):
        raise GameError(
            f"{game!r}: chance moves in {game.state_text(state)}, so there is no move to choose; search the states "
            "after its outcomes, or ask textbook.expectiminimax or textbook.value_iteration for its value."
        )
    return state


def _checked(game: Game, limit: Limit | None, exact: bool) -> Limit:
    if limit is not None and not isinstance(limit, Limit):
        raise GameError(f"search of {game!r}: limit must be a Limit, as in Limit(seconds=1), not {limit!r}.")
    if exact and (game.loops or rules.has_chance(game)):
        what = "loops" if game.loops else "chance"
        raise GameError(f"{game!r} has {what}; exact search proves values only of games without loops and chance.")
    if exact and limit is not None and limit.depth is not None:
        raise GameError(f"search of {game!r}: exact search has no depth; give seconds or nodes.")
    return limit or (Limit() if exact else PATIENCE)


@contextmanager
def _clock(search: Search, limit: Limit) -> Iterator[None]:
    """Stop the search when its seconds are over."""
    timer = threading.Timer(limit.seconds or 0, search.stop)
    timer.daemon = True
    if limit.seconds is not None:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
