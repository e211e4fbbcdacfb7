"""The engine's search: `search`, `analyze`, `search_many`, `prove`, `monte_carlo`, and the Reports they return.

Arguments with the same name mean the same in each of them:

- `state`: the state to search; None is the initial one.
- `limit`: a Limit. None: a call that promises a proof runs until it has it, `analyze` until you leave it, and a call
  that returns an estimate for DEFAULT_LIMIT, ten seconds. `Limit()` is no limit at all.
- `threads`: 1 by default, since the report of several threads is not the same each time; None is all cores.
- `table`: memory of the transposition table or tree: megabytes, or a text such as "64MB" or "1GB"; in `search` and
  `analyze` also a TranspositionTable, which keeps its entries for the next search.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo import rules
from zermelo.arguments import check_int, checked_megabytes, checked_threads
from zermelo.game import Game, GameError, State
from zermelo.limits import DEFAULT_LIMIT, Limit
from zermelo.searching.report import Line, Report
from zermelo.searching.runtime.search_threads import in_background
from zermelo.searching.search_arguments import (
    DEFAULT_MEGABYTES,
    chance_sampling,
    check_no_depth,
    checked_history,
    checked_state,
    clock_start,
    with_data,
)
from zermelo.value import WIN

if TYPE_CHECKING:
    from zermelo.networks.weight_files import Weights
    from zermelo.searching.alphabeta.transposition_table import TranspositionTable
    from zermelo.searching.chance.chance_sampling import ChanceSampling
    from zermelo.searching.runtime.analysis_stream import Analysis
    from zermelo.searching.runtime.search_driver import AlphaBetaSearch
    from zermelo.solving.solution import Solution

__all__ = ["Line", "Report", "analyze", "monte_carlo", "prove", "search", "search_many"]


def search(
    game: Game,
    state: State = None,
    limit: Limit | None = None,
    *,
    exact: bool = False,
    lines: int = 1,
    threads: int | None = 1,
    table: float | str | TranspositionTable = DEFAULT_MEGABYTES,
    samples: int | None = None,
    seed: int = 0,
    database: Solution | str | Path | None = None,
    weights: Weights = None,
    history: Sequence[State] = (),
) -> Report:
    """Return the best move of a state (the initial one by default) and its value, as far as the limit allows.

    Without a limit the search runs until the value is proven, but no longer than ten seconds (DEFAULT_LIMIT); with
    `exact`, as long as the proof takes. `lines` is how many moves get a value and a line of their own. `table` is the
    memory of the transposition table, in megabytes or as "1GB"; where play can repeat, a quarter more is used.
    `threads` share the table, and each gets an equal part of a limit's nodes; None is all cores. The default is one,
    since only one thread gives the same report each time. Interpreted, there is one.

    In a game of chance the value is an expected payoff, and estimates outside the game's `payoff_bounds` count as the
    bound they pass. `samples` limits the outcomes that are searched where chance has more; they are drawn by their
    probability. The values are estimates then, which depend on `seed` and get better with more samples.

    A `database` (a Solution, or its file) is probed for every state on the way. A state in it is not searched, so
    `exact` joins a search from here with a solution of the end.

    `weights` replace the game's evaluation: what `learn` has found, or its file, or numbers for the game's `features`.

    `history` are the states that were played before this one. Where play can repeat, the third occurrence of a state
    counts as a draw, so that the side that is ahead makes progress; like every repetition, such a draw is no proof.

    A limit of seconds counts from the call: while kernels are compiling, the search is interpreted. Without one, an
    interpreted search runs beside the compiler and answers if it is finished first, with the same report. Where the
    game says native = True, the search waits for the compiler.

    >>> import zermelo as z
    >>> print(z.search(z.load("tic_tac_toe")).value)
    draw
    >>> print(z.search(z.load("connect_four(5, 4)"), exact=True).value)
    draw
    """
    called = time.perf_counter()
    from zermelo.searching.runtime.analysis_stream import Analysis

    game = with_data("search", game, limit, exact, database, weights)
    start = clock_start(game, limit, called)
    limit = limit or (Limit() if exact else DEFAULT_LIMIT)
    sampling = chance_sampling("search", game, samples, seed)
    new = _new_search("search", game, state, limit, exact, lines, threads, table, sampling, start, history)
    return Analysis(new, every_round=False).last()


def analyze(
    game: Game,
    state: State = None,
    limit: Limit | None = None,
    *,
    exact: bool = False,
    lines: int = 1,
    threads: int | None = 1,
    table: float | str | TranspositionTable = DEFAULT_MEGABYTES,
    samples: int | None = None,
    seed: int = 0,
    database: Solution | str | Path | None = None,
    weights: Weights = None,
    history: Sequence[State] = (),
) -> Analysis:
    """Return a stream of better and better reports of a search that runs in the background; the last one is final.

    A report comes after each iteration, and when an iteration finds a better move. Without a limit the search runs
    until the value is proven or you leave the block, which ends it at once. The other arguments are those of `search`.

    >>> import zermelo as z
    >>> with z.analyze(z.load("tic_tac_toe")) as reports:
    ...     for report in reports:
    ...         if report.depth >= 3:
    ...             break
    >>> report.move in range(9)
    True
    """
    called = time.perf_counter()
    from zermelo.searching.runtime.analysis_stream import Analysis

    game = with_data("analyze", game, limit, exact, database, weights)
    start = clock_start(game, limit or DEFAULT_LIMIT, called)  # a stream does not wait for the compiler
    sampling = chance_sampling("analyze", game, samples, seed)
    new = _new_search("analyze", game, state, limit or Limit(), exact, lines, threads, table, sampling, start, history)
    return Analysis(new)


def search_at_once(
    game: Game, state: State, limit: Limit, *, lines: int, table: TranspositionTable, history: Sequence[State]
) -> Report:
    """Return the report of a search within nodes or a depth that runs in this thread: it waits for no other.

    On a busy machine every thread that is woken comes late. Ctrl-C waits, so the limit has to be a short one.
    """
    start, sampling = time.perf_counter(), chance_sampling("search", game, None, 0)
    return _new_search("search", game, state, limit, False, lines, 1, table, sampling, start, history).run()


def _new_search(
    verb: str,
    game: Game,
    state: State,
    limit: Limit,
    exact: bool,
    lines: int,
    threads: int | None,
    table: float | str | TranspositionTable,
    sampling: ChanceSampling,
    start: float | None,
    history: Sequence[State],
) -> AlphaBetaSearch:
    from zermelo.searching.alphabeta.transposition_table import TranspositionTable
    from zermelo.searching.runtime.search_driver import AlphaBetaSearch

    where = f"{verb} of {game!r}"
    count = checked_threads(where, threads)
    shared = (
        table if isinstance(table, TranspositionTable) else TranspositionTable(checked_megabytes(where, table=table))
    )
    check_int(where, least=1, lines=lines)
    state = checked_state(game, state, verb)
    return AlphaBetaSearch(
        game,
        state,
        limit,
        shared,
        lines,
        exact=exact,
        threads=count,
        start=start,
        sampling=sampling,
        grows=count == 1 and not exact and not rules.has_chance(game),
        history=checked_history(where, game, history),
    )


def search_many(
    game: Game,
    states: Iterable[State],
    limit: Limit | None = None,
    *,
    exact: bool = True,
    threads: int | None = 1,
    table: float | str = DEFAULT_MEGABYTES,
    database: Solution | str | Path | None = None,
    weights: Weights = None,
) -> Sequence[Report]:
    """Return the proven value and a best move of each state, with one table for all and in one compiled call.

    `threads` take the states by turns; None is all cores. With a `limit` for each, or without `exact`, the states are
    searched one after the other, as `search` does it. Without a limit each is searched until its value is proven;
    without `exact`, no longer than ten seconds (DEFAULT_LIMIT).

    >>> import zermelo as z
    >>> game = z.load("connect_four(5, 4)")
    >>> states = [z.position(game, text) for text in ("", "1", "33", "3344")]
    >>> [str(report.value) for report in z.search_many(game, states)]
    ['draw', 'win in 19', 'draw', 'win in 3']
    """
    from zermelo.searching.alphabeta.transposition_table import TranspositionTable
    from zermelo.searching.runtime.batch import Batch, Series
    from zermelo.searching.runtime.search_driver import AlphaBetaSearch

    game = with_data("search_many", game, limit, exact, database, weights)
    where = f"search_many of {game!r}"
    count, megabytes = checked_threads(where, threads), checked_megabytes(where, table=table)
    if not isinstance(states, Iterable):
        raise GameError(f"{where} takes several states, as in [state, other], not {states!r}.")
    first = type(rules.initial_state(game))
    given = [state if type(state) is first else checked_state(game, state, "search_many") for state in states]
    if not given:
        return []
    checked_state(game, given[0], "search_many")  # the others are checked when their turn comes
    if exact and limit is None:
        batch = Batch(game, given, megabytes, lambda state: checked_state(game, state, "search_many"))
        if batch.compiled():
            return in_background(lambda: batch.prove(count), batch.stop)
    each_limit, shared = limit or (Limit() if exact else DEFAULT_LIMIT), TranspositionTable(megabytes)
    checked = [checked_state(game, state, "search_many") for state in given]
    series = Series(checked, lambda state: AlphaBetaSearch(game, state, each_limit, shared, exact=exact, threads=count))
    return in_background(series.run, series.stop)


def prove(
    game: Game,
    state: State = None,
    limit: Limit | None = None,
    *,
    at_least: int = WIN,
    table: float | str = DEFAULT_MEGABYTES,
) -> Report:
    """Prove or disprove, by proof-number search, that the player to move wins, or gets `at_least` DRAW or some points.

    The value says what is proven: "win", ">= 0", and so on where the answer is yes, "<= 0", "loss" and so on where it
    is no, "unknown" where the limit came first. How long a win takes is not asked. The line is one of the proof: each
    player who reaches the goal plays a move that keeps it. Nodes are expanded states. A play that repeats for ever
    counts as 0. Without a limit the search runs until there is an answer, or none within reach. Seconds count from the
    call, as in `search`.

    >>> import zermelo as z
    >>> game = z.load("connect_four(6, 4)")
    >>> print(z.prove(game).value, z.prove(game, at_least=z.DRAW).value)
    <= 0 loss
    """
    called = time.perf_counter()
    from zermelo.searching.proof.proof_search import ProofSearch, checked_goal

    check_no_depth("prove", game, limit)
    megabytes = checked_megabytes(f"prove of {game!r}", table=table)
    goal = checked_goal(game, at_least)
    root = checked_state(game, state, "prove")
    new = ProofSearch(game, root, limit or Limit(), megabytes, goal, clock_start(game, limit, called))
    return in_background(new.run, new.stop)


def monte_carlo(
    game: Game,
    state: State = None,
    limit: Limit | None = None,
    *,
    seed: int = 0,
    exploration: float | None = None,
    rave: float | None = None,
    playout_plies: int | None = None,
    table: float | str = DEFAULT_MEGABYTES,
    weights: Weights = None,
) -> Report:
    """Return the most promising moves by Monte Carlo tree search, which needs no evaluation: nodes are random playouts.

    Each candidate gets a line, which is every move where the game has no `candidates` rule; the most visited comes
    first. Values are mean payoffs, between -1 and 1 where no points are counted, until ends of the game prove a value;
    then it is a proof, a win or loss without its distance. The same seed and number of nodes give the same report.
    `exploration`, `rave` and `playout_plies` are those of `MonteCarlo`; what is not given is as the game's fact
    `monte_carlo` says, else as there by default. With `playout_plies=0` the static evaluation stands in for playouts;
    `weights` replace the game's own. `table` is the memory of the tree, which stops growing when it is full. Without a
    limit the search runs until the value is proven, but no longer than ten seconds (DEFAULT_LIMIT). Seconds count from
    the call, as in `search`.

    >>> import zermelo as z
    >>> game = z.load("connect_four")
    >>> report = z.monte_carlo(game, z.position(game, "4455"), z.Limit(nodes=2000))
    >>> print(report.value, report.pv_text[0])
    win 3
    """
    called = time.perf_counter()
    from zermelo.searching.mcts.monte_carlo_search import MonteCarloSearch, settings_for

    check_no_depth("monte_carlo", game, limit)
    megabytes = checked_megabytes(f"monte_carlo of {game!r}", table=table)
    settings = settings_for(game, seed, {"exploration": exploration, "rave": rave, "playout_plies": playout_plies})
    game = with_data("monte_carlo", game, limit, False, None, weights)
    root = checked_state(game, state, "monte_carlo")
    start = clock_start(game, limit, called)
    new = MonteCarloSearch(game, root, limit or DEFAULT_LIMIT, megabytes, seed, settings, start)
    return in_background(new.run, new.stop)
