"""The engine's search: `search`, `analyze`, `search_many`, `prove`, `monte_carlo`, and the Reports they return."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo import rules
from zermelo.game import ONGOING, Game, GameError, State
from zermelo.limits import Limit
from zermelo.searching.report import Line, Report
from zermelo.searching.runtime.search_threads import in_background
from zermelo.value import WIN

if TYPE_CHECKING:
    from zermelo.searching.chance.chance_sampling import Draws
    from zermelo.searching.runtime.analysis_stream import Analysis
    from zermelo.searching.runtime.search_driver import Search
    from zermelo.solving.solution import Solution

__all__ = ["Line", "Report", "analyze", "monte_carlo", "prove", "search", "search_many"]

TABLE = 64
"""Megabytes of the transposition table, unless the caller chooses."""

ASKED = (
    "mover", "stuck", "is_chance", "chances", "evaluate", "features", "order", "noisy", "forcing", "skip", "bounds",
    "candidates", "symmetries", "canonical", "key",
)  # fmt: skip
"""The optional rules that searches ask."""

LARGEST = 1 << 20
"""Megabytes of the largest table that can be asked for."""

PATIENCE = Limit(seconds=10)
"""What a search without a limit takes at most."""


def search(
    game: Game,
    state: State = None,
    limit: Limit | None = None,
    *,
    exact: bool = False,
    lines: int = 1,
    threads: int = 1,
    table: float = TABLE,
    samples: int | None = None,
    seed: int = 0,
    database: Solution | str | Path | None = None,
) -> Report:
    """The best move of a state (the initial one by default) and its value, as far as the limit allows.

    Without a limit it goes on until the value is proven, but no longer than ten seconds; with `exact`, as long as
    the proof takes. `lines` is how many moves get a value and a line of their own, `table` the megabytes for
    transpositions, and where play can repeat a quarter more. `threads` share it, and each gets an equal part of a
    limit's nodes; interpreted, there is one.

    In a game of chance the value is an expected payoff, and estimates outside the game's `payoff_bounds` count as the
    bound they pass. `samples` makes do with so many outcomes where chance has more, drawn by their probability; the
    values are estimates then, other ones for each `seed`, and the more samples the better.

    A `database` (a Solution, or its file) is asked about every state on the way: what it knows is not searched, so
    `exact` joins a search from here with a solution of the end.

    A limit of seconds counts from the call: while machine code is being made, the search is interpreted. Without one,
    or where the game says native = True, it waits for the machine code.

    >>> import zermelo as z
    >>> print(z.search(z.load("tic_tac_toe")).value)
    draw
    >>> print(z.search(z.load("connect_four(5, 4)"), exact=True).value)
    draw
    """
    start = time.perf_counter()
    from zermelo.searching.runtime.analysis_stream import Analysis

    game = _lend("search", game, limit, exact, database)
    hurry = _hurry(game, limit, start)
    limit = limit or (Limit() if exact else PATIENCE)
    draws = _draws("search", game, samples, seed)
    one = _new_search("search", game, state, limit, exact, lines, threads, table, draws, hurry)
    return Analysis(one, every_round=False).last()


def analyze(
    game: Game,
    state: State = None,
    limit: Limit | None = None,
    *,
    exact: bool = False,
    lines: int = 1,
    threads: int = 1,
    table: float = TABLE,
    samples: int | None = None,
    seed: int = 0,
    database: Solution | str | Path | None = None,
) -> Analysis:
    """A stream of reports, better and better ones, of a search that runs in the background; the last one is final.

    A report comes after each round, and when a round finds a better move. The search goes on until the value is proven
    or the limit is reached; leaving the block ends it at once. The other arguments are those of `search`.

    >>> import zermelo as z
    >>> with z.analyze(z.load("tic_tac_toe")) as reports:
    ...     for report in reports:
    ...         if report.depth >= 3:
    ...             break
    >>> report.move in range(9)
    True
    """
    start = time.perf_counter()
    from zermelo.searching.runtime.analysis_stream import Analysis

    game = _lend("analyze", game, limit, exact, database)
    hurry = _hurry(game, limit or PATIENCE, start)  # whoever waits for reports does not wait for the compiler
    draws = _draws("analyze", game, samples, seed)
    one = _new_search("analyze", game, state, limit or Limit(), exact, lines, threads, table, draws, hurry)
    return Analysis(one)


def _new_search(
    name: str,
    game: Game,
    state: State,
    limit: Limit,
    exact: bool,
    lines: int,
    threads: int,
    table: float,
    draws: Draws,
    start: float | None,
) -> Search:
    from zermelo.searching.alphabeta.transposition_table import SMALL, new_table
    from zermelo.searching.runtime.search_driver import Search

    _check_options(name, game, table, lines=lines, threads=threads)
    grows = threads == 1 and not exact and not rules.has_chance(game)
    words, room = (new_table(min(SMALL, table)), table) if grows else (new_table(table), 0)
    state = _searchable(game, state, name)
    return Search(game, state, limit, words, lines, exact=exact, threads=threads, start=start, draws=draws, room=room)


def search_many(
    game: Game,
    states: Iterable[State],
    limit: Limit | None = None,
    *,
    exact: bool = True,
    threads: int = 1,
    table: float = TABLE,
    database: Solution | str | Path | None = None,
) -> Sequence[Report]:
    """The proven value and a best move of each state, with one table for all and in one compiled call.

    `threads` take the states by turns. With a `limit` for each, or without `exact`, the states are searched one after
    the other, as `search` does it.

    >>> import zermelo as z
    >>> game = z.load("connect_four(5, 4)")
    >>> states = [z.position(game, text) for text in ("", "1", "33", "3344")]
    >>> [str(report.value) for report in z.search_many(game, states)]
    ['draw', 'win in 19', 'draw', 'win in 3']
    """
    from zermelo.searching.alphabeta.transposition_table import new_table
    from zermelo.searching.runtime.batch import Batch, Series
    from zermelo.searching.runtime.search_driver import Search

    game = _lend("search_many", game, limit, exact, database)
    _check_options("search_many", game, table, threads=threads)
    if not isinstance(states, Iterable):
        raise GameError(f"search_many of {game!r} takes several states, as in [state, other], not {states!r}.")
    first = type(rules.start(game))
    given = [state if type(state) is first else _searchable(game, state, "search_many") for state in states]
    if not given:
        return []
    _searchable(game, given[0], "search_many")  # the others are looked at when their turn comes
    if exact and limit is None:
        batch = Batch(game, given, table, lambda state: _searchable(game, state, "search_many"))
        if batch.compiled():
            return in_background(lambda: batch.prove(threads), batch.stop)
    one_limit, words = limit or (Limit() if exact else PATIENCE), new_table(table)
    checked = [_searchable(game, state, "search_many") for state in given]
    series = Series(checked, lambda state: Search(game, state, one_limit, words, exact=exact, threads=threads))
    return in_background(series.run, series.stop)


def prove(
    game: Game, state: State = None, limit: Limit | None = None, *, at_least: int = WIN, table: float = TABLE
) -> Report:
    """Whether the player to move wins, or gets `at_least` DRAW or so many points, by proof-number search.

    The value says what is proven: "win", ">= 0", and so on where the answer is yes, "<= 0", "loss" and so on where it
    is no, "unknown" where the limit came first. How long a win takes is not asked. The line is one of the proof: each
    player whose cause is won plays a move that keeps it so. Nodes are states looked at. Going round for ever counts
    as 0. Without a limit it goes on until there is an answer, or none within reach. Seconds count from the call, as in
    `search`.

    >>> import zermelo as z
    >>> game = z.load("connect_four(6, 4)")
    >>> print(z.prove(game).value, z.prove(game, at_least=z.DRAW).value)
    <= 0 loss
    """
    start = time.perf_counter()
    from zermelo.searching.proof.proof_search import ProofSearch, checked_goal

    _check_options("prove", game, table)
    limit = _without_depth("prove", game, _checked("prove", game, limit, exact=False)) or Limit()
    goal = checked_goal(game, at_least)
    one = ProofSearch(game, _searchable(game, state, "prove"), limit, table, goal, _hurry(game, limit, start))
    return in_background(one.run, one.stop)


def monte_carlo(
    game: Game,
    state: State = None,
    limit: Limit | None = None,
    *,
    seed: int = 0,
    exploration: float = 1.4,
    table: float = TABLE,
) -> Report:
    """The most promising moves by Monte Carlo tree search, which needs no evaluation: nodes are random playouts.

    Each candidate gets a line, which is every move where the game has no `candidates` rule; the most visited comes
    first. Values are mean payoffs, between -1 and 1 where no points are counted, until ends of the game prove a value;
    then it is said as a proof, a win or loss without its distance. The same seed and number of nodes give the same
    report. `exploration` weighs moves that were tried less, `table` is the megabytes for the tree, which grows no more
    once they are full. Without a limit it goes on for ten seconds or until the value is proven. Seconds count from the
    call, as in `search`.

    >>> import zermelo as z
    >>> game = z.load("connect_four")
    >>> report = z.monte_carlo(game, z.position(game, "4455"), z.Limit(nodes=2000))
    >>> print(report.value, report.pv_text[0])
    win 3
    """
    start = time.perf_counter()
    from zermelo.searching.mcts.monte_carlo_search import Sampling, check_options

    _check_options("monte_carlo", game, table)
    limit = _without_depth("monte_carlo", game, _checked("monte_carlo", game, limit, exact=False))
    hurry = _hurry(game, limit, start)
    check_options(game, seed, exploration)
    root = _searchable(game, state, "monte_carlo")
    one = Sampling(game, root, limit or PATIENCE, table, seed, float(exploration), hurry)
    return in_background(one.run, one.stop)


def _hurry(game: Game, limit: Limit | None, start: float) -> float | None:
    """When the clock of a search began to run; None where there is none, and the search waits for its machine code.

    A game that insists on compiling is never interpreted, so its clock waits too: whether an answer or the compiler's
    refusal comes first must not depend on which of them is faster.
    """
    return start if limit is not None and limit.seconds is not None and not game.native else None


def _searchable(game: Game, state: State, name: str = "search") -> State:
    """The state, the initial one by default, if there is a move to choose in it."""
    rules.checked_game(name, game)
    if isinstance(state, Limit):
        raise GameError(f"{game!r}: the second argument of {name} is a state; write limit={state!r}.")
    state = rules.given_state(game, state)
    payoff = rules.payoff(game, state)
    if payoff is None or isinstance(payoff, str):  # anything but ONGOING would pass for an end
        raise rules.wrong_answer(game, "result", state, payoff, "a whole number")
    if payoff != ONGOING:
        raise GameError(f"{game!r}: the game is over in {game.state_text(state)}; there is nothing to search.")
    if game.is_chance(state):
        outcome = game.move_text(state, rules.successors(game, state)[0])
        raise GameError(
            f"{game!r}: chance moves in {game.state_text(state)}, so there is no move to choose; search a state "
            f"after an outcome, such as {outcome}, or ask textbook.expectiminimax or textbook.value_iteration for its "
            "value."
        )
    return state


def _lend(name: str, game: Game, limit: Limit | None, exact: bool, database: Any) -> Game:
    """The game that is searched: one that was lent the database, if there is any, and whose options make sense."""
    _checked(name, game, limit, exact, database is not None)
    if database is None:
        return game
    from zermelo.searching.runtime.tablebase_probing import with_tablebase

    return with_tablebase(game, database)


def _checked(name: str, game: Game, limit: Limit | None, exact: bool, lent: bool = False) -> Limit | None:
    rules.checked_game(name, game)
    for rule in ASKED:
        if not callable(getattr(game, rule)):
            raise GameError(
                f"{game!r}: `{rule}` is {getattr(game, rule)!r}, and not a rule; leave it out or define it."
            )
    if limit is not None and not isinstance(limit, Limit):
        raise GameError(f"{name} of {game!r}: limit must be a Limit, as in Limit(seconds=1), not {limit!r}.")
    if exact and (rules.has_chance(game) or (game.loops and not lent)):
        what = "chance" if rules.has_chance(game) else "loops"
        hint = "" if rules.has_chance(game) else ", unless a database has the part that repeats"
        raise GameError(
            f"{game!r} has {what}; exact search proves values only of games without loops and chance{hint}."
        )
    if exact and limit is not None and limit.depth is not None:
        raise GameError(f"{name} of {game!r}: exact search has no depth; give seconds or nodes.")
    return limit


def _without_depth(name: str, game: Game, limit: Limit | None) -> Limit | None:
    if limit is not None and limit.depth is not None:
        raise GameError(f"{name} of {game!r} has no depth; give seconds or nodes.")
    return limit


def _draws(name: str, game: Game, samples: int | None, seed: int) -> Draws:
    """Which outcomes of chance are searched, from the options of a search."""
    from zermelo.searching.chance.chance_sampling import WHOLE, Draws

    if isinstance(seed, bool) or not isinstance(seed, int):
        raise GameError(f"{name} of {game!r}: seed must be a whole number, not {seed!r}.")
    if samples is None:
        return WHOLE
    if not rules.has_chance(game):
        raise GameError(f"{name} of {game!r}: samples are drawn where chance moves, and it never does.")
    _check_options(name, game, TABLE, samples=samples)
    return Draws(samples, seed)


def _check_options(name: str, game: Game, table: float, *, threads: int = 1, **counts: int) -> None:
    """A sentence for options that make no sense."""
    rules.check_threads(f"{name} of {game!r}", threads)
    for option, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise GameError(f"{name} of {game!r}: {option} must be a whole number above zero, not {count!r}.")
    if isinstance(table, bool) or not isinstance(table, int | float) or not 0 < table <= LARGEST:
        raise GameError(
            f"{name} of {game!r}: table must be a number of megabytes above zero and at most {LARGEST}, not {table!r}."
        )
