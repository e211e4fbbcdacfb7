"""The engine: a player that answers from its opening book, else from its database, else by a search.

The order is that of Engine, and of it alone: the terminal, the notebook, the web page and programs ask it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.arguments import check_int, checked_game, checked_megabytes, checked_threads
from zermelo.game import Game, GameError, Move, State
from zermelo.limits import Limit, both
from zermelo.monte_carlo_settings import MonteCarlo
from zermelo.play.books.any_book import AnyBook, chosen_book
from zermelo.play.books.opening_lines import OpeningLines
from zermelo.play.clock import Budget, Clock
from zermelo.play.levels import FULL_STRENGTH, check_level, draw_line, next_thought
from zermelo.play.monte_carlo_moves import chosen_settings
from zermelo.play.move_choice import Decision, Source, database_report, with_first
from zermelo.play.move_overhead import MoveOverhead
from zermelo.play.move_search import MoveSearch, OnReport, part_of
from zermelo.play.own_weights import evaluated
from zermelo.play.repetition import repeating_moves, with_draws
from zermelo.play.search_preparation import SearchPreparation
from zermelo.play.style import STYLES, preferred_line
from zermelo.play.syzygy_tables import SyzygyTables
from zermelo.rules import legal_actions
from zermelo.searching import DEFAULT_MEGABYTES, Report, analyze
from zermelo.searching.runtime.tablebase_probing import checked_solution, with_tablebase

if TYPE_CHECKING:
    from zermelo.networks.weight_files import Weights
    from zermelo.searching.runtime.analysis_stream import Analysis
    from zermelo.solving.solution import Solution

COMPILING_MOVE_SECONDS = 1.0
"""Seconds for a move while its search is still compiling, where the limit names no time."""

MOVE_LIMIT = Limit(seconds=1)
"""The limit for a move where none is given."""


class Engine:
    """A player of one game that answers within a limit for each move, one second by default, or on a Clock.

    `level` is its strength, from 1 (Beginner) to 10, its full strength (see play/levels.py). A level below 10 plays as
    a person of that strength might, without book and database; the limit still holds. It draws its moves: by `seed`,
    the same in the same state and ply, or differently each time without one.

    `style` says which of equally good moves it plays (see play/style.py). `seed` makes it choose at random where the
    style leaves several: the same in the same state, as far as the search itself repeats, which it does under a limit
    of depth or nodes on one thread. All but "exact" without a seed need the value of every move, and so search less
    deep in the same time.

    A `database` (a Solution, or its file) answers the states that it has, and the search probes it, for which it is
    loaded into memory at once; with `probe_in_search=False` nothing is loaded, and only the states to move in are
    looked up. The opening `book` (a Book, or its file) is the game's own where it has one and no database is given;
    False is none. It may be proven, learned, or lines that people wrote (.lines), of which one is drawn; for chess also
    a Polyglot book (.bin). See play/books/. Chess may have a folder of `syzygy` tables as well, which python-chess
    reads. The style "exact" without a seed plays from these; a move of a proven book keeps the outcome, if not the
    shortest way.

    `search` is "alpha_beta", "monte_carlo" or settings of the latter, a MonteCarlo; None is what the game says by its
    fact `monte_carlo`. A level, a style, a seed or a database asks for the value of every move, and a limit may be one
    of depth: these need alpha-beta anyway.

    `weights` replace the game's evaluation, as in `zermelo.search`; they are those that ship with the game, where it
    has some, and False is none. `lines` is how many moves get a value of their own in the reports, and `table` the
    memory of a search, as in `zermelo.search`. `stop` ends a search from another thread.

    >>> from zermelo.games.registry import load, position
    >>> game = load("tic_tac_toe")
    >>> report = Engine(game, Limit(depth=3)).choose(position(game, "a1 b1 a2 b2"))
    >>> game.move_text(report.state, report.move), str(report.value)
    ('a3', 'win in 1')
    """

    def __init__(
        self,
        game: Game,
        limit: Limit | Clock = MOVE_LIMIT,
        *,
        level: int = FULL_STRENGTH,
        style: str = "exact",
        seed: int | None = None,
        threads: int | None = 1,
        database: Solution | str | Path | None = None,
        probe_in_search: bool = True,
        book: AnyBook | str | Path | bool | None = True,
        syzygy: str | Path | None = None,
        lines: int = 1,
        table: float | str = DEFAULT_MEGABYTES,
        weights: Weights | bool = True,
        search: str | MonteCarlo | None = None,
    ) -> None:
        checked_game("Engine", game)
        if not isinstance(limit, Limit | Clock):
            raise GameError(f"Engine of {game!r}: limit must be a Limit or a Clock, not {limit!r}.")
        if style not in STYLES:
            raise GameError(f"Engine of {game!r}: style must be one of {', '.join(STYLES)}, not {style!r}.")
        check_level(f"Engine of {game!r}", level)
        if style != "exact" and level < FULL_STRENGTH:
            raise GameError(
                f"Engine of {game!r}: style {style} is for level {FULL_STRENGTH}; level {level} draws its moves."
            )
        check_int(f"Engine of {game!r}", optional=True, seed=seed)
        check_int(f"Engine of {game!r}", least=1, lines=lines)
        self.game = game
        self.clock = limit if isinstance(limit, Clock) else None
        self.limit = limit if isinstance(limit, Limit) else MOVE_LIMIT
        self.level = level
        self.style = style
        self.seed = seed
        self._own_seed = random.SystemRandom().randrange(1 << 32)
        self.lines = lines
        self.table = checked_megabytes(f"Engine of {game!r}", table=table)
        self.book = chosen_book(game, database is None if book is True else book)
        self.syzygy = None if syzygy is None else SyzygyTables(game, syzygy)
        self.database = None if database is None else checked_solution("Engine", game, database)
        # the game that is searched; loaded here, before any clock runs
        probed = self.database if probe_in_search and level == FULL_STRENGTH else None
        searched = evaluated(with_tablebase(game, probed), game, weights)
        unprobed = searched if probed is None else evaluated(game, game, weights)
        self._searches = MoveSearch(searched, unprobed, self.table, checked_threads(f"Engine of {game!r}", threads))
        settings = chosen_settings(f"Engine of {game!r}", game, search)
        self.monte_carlo = None if self._wants_every_move or self.database is not None else settings
        self._preparation = SearchPreparation(searched, by_playouts=self.monte_carlo is not None)
        self._overhead = MoveOverhead()

    @property
    def threads(self) -> int:
        """The threads of a search."""
        return self._searches.threads

    @threads.setter
    def threads(self, count: int) -> None:
        self._searches.threads = count

    # -- compiling -----------------------------------------------------------------------------------------------------

    def prepare(self, max_wait: float | None = None) -> None:
        """Compile the search in the background.

        The next choice waits for the compiler, for at most `max_wait` seconds if that is given; no clock runs then.
        While the search is still compiling, a choice is interpreted, and takes a second where its limit names no time.
        """
        self._preparation.begin(max_wait)

    @property
    def compiling(self) -> bool:
        """Whether the search is still compiling."""
        return self._preparation.running

    @property
    def loading(self) -> bool:
        """Whether the search is being loaded from the cache, which takes a moment."""
        return self._preparation.loading

    def wait_for_compiler(self, seconds: float) -> None:
        """Wait until the search is compiled, for `seconds` at most; also where nobody has begun to compile it."""
        self._preparation.wait(seconds)

    def require_native(self) -> None:
        """Compile the search of a game with native = True, however long it takes. Raise GameError if it cannot be.

        Such a game is never interpreted, so that nothing depends on how fast the compiler is; no clock runs then.
        """
        if self.game.native:
            self._preparation.require()

    # -- choosing a move -----------------------------------------------------------------------------------------------

    def decide(self, state: State, on_report: OnReport | None = None, history: Sequence[State] = ()) -> Decision:
        """Choose a move: from the book, else from the database, else by a search.

        `on_report` is called with the reports of the search so far. `history` holds the states played before: a move
        that brings one of them back for the third time is a draw, and chosen only where that is good enough.
        """
        self._searches.begin_choice()
        self.require_native()
        if (report := self._book_report(state)) is not None:
            return Decision(report, Source.BOOK)
        drawn = repeating_moves(self.game, state, history)
        self._searches.continue_game(state, history)
        if not self._wants_every_move and (report := self._timed_probe(state)) is not None:
            return Decision(with_draws(report, drawn) if drawn else report, Source.DATABASE)
        return Decision(self._searched_report(state, on_report, drawn, len(history)), Source.SEARCH)

    def choose(self, state: State, on_report: OnReport | None = None, history: Sequence[State] = ()) -> Report:
        """The report of `decide`: its first line, with its `move`, is the engine's choice."""
        return self.decide(state, on_report, history).report

    def is_quick(self, clock: Clock, ply: int) -> bool:
        """Whether a choice on this clock takes a few milliseconds at most, so that nobody needs to stop it."""
        if self.compiling or self.database is not None or self.syzygy is not None or self._wants_every_move:
            return False
        self._overhead.prepare(clock, ply)
        return self._searches.is_quick(clock.budget())

    def stop(self) -> None:
        """End the search that runs in another thread, if one does: its `decide` returns what was found so far.

        Searches that the same `decide` begins afterwards end as soon as they have a move.
        """
        self._searches.stop()

    def compare(self, state: State, on_report: OnReport | None = None) -> Report:
        """A report with a line for every move, best first: from the database, else by a search.

        >>> from zermelo.games.registry import load, position
        >>> game = load("tic_tac_toe")
        >>> report = Engine(game, Limit(depth=9)).compare(position(game, "a1 b1 a2 b2"))
        >>> [str(value) for value in report.moves.values()]
        ['win in 1', 'draw', 'loss in 2', 'loss in 2', 'loss in 2']
        """
        self._searches.begin_choice()
        self.require_native()
        if (report := self.probe(state)) is not None:
            return report
        limit = self._limit_once_compiled()
        self._searches.continue_game(state, ())
        moves = len(legal_actions(self.game, state))
        return self._search(state, limit, 1, on_report, moves=moves, lines=moves)

    def look_up(self, state: State) -> Decision | None:
        """What the book, else the database says of a state; None if neither has it, and a search is needed.

        >>> from zermelo.games.registry import load
        >>> game = load("connect_four")
        >>> found = Engine(game).look_up(game.initial())
        >>> found.source.value, str(found.report.value), game.move_text(game.initial(), found.report.move)
        ('book', 'win', '4')
        """
        if self.book is not None and (report := self.book.report(state)) is not None:
            return Decision(report, Source.BOOK)
        report = self.probe(state)
        return None if report is None else Decision(report, Source.DATABASE)

    def probe(self, state: State) -> Report | None:
        """The database's report on every move of a state; None without one, or where it cannot tell the best move."""
        if self.syzygy is not None and (report := self.syzygy.report(state)) is not None:
            return report
        return None if self.database is None else database_report(self.database, state)

    def analyze(self, state: State, lines: int = 1) -> Analysis:
        """The stream of reports of a search within the limit: that of `zermelo.analyze`; no clock runs.

        `look_up` says what needs no search.

        >>> import zermelo as z
        >>> game = z.load("tic_tac_toe")
        >>> with Engine(game, Limit(depth=9)).analyze(z.position(game, "a1 b1 a2 b2")) as reports:
        ...     print([str(report.value) for report in reports][-1])
        win in 1
        """
        self.require_native()
        limit = self._limit_once_compiled()
        return analyze(self._searches.game, state, limit, lines=lines, threads=self.threads, table=self.table)

    @property
    def _wants_every_move(self) -> bool:
        """Whether its level, its style or its seed chooses among all moves, by their values."""
        return self.level < FULL_STRENGTH or self.style != "exact" or self.seed is not None

    def _timed_probe(self, state: State) -> Report | None:
        """Probe on the clock. Where the database cannot tell, the search starts the clock anew."""
        if self.clock is None or (self.database is None and self.syzygy is None):
            return self.probe(state)
        start = self.clock.timer()
        report = self.probe(state)
        if report is not None:
            self.clock.spend(self.clock.timer() - start)
        return report

    def _book_report(self, state: State) -> Report | None:
        if self.book is None or self._wants_every_move:
            return None
        if isinstance(self.book, OpeningLines):
            return self.book.drawn(state, random.Random(f"{self._own_seed}:{self.game.state_text(state)}"))
        return self.book.report(state)

    # -- searching -----------------------------------------------------------------------------------------------------

    def _searched_report(self, state: State, on_report: OnReport | None, drawn: list[Move], ply: int) -> Report:
        limit = self._limit_once_compiled()
        if self.clock is None:
            return self._choice(state, limit, on_report, drawn, ply)
        self._overhead.prepare(self.clock, ply)
        self.clock.start()
        budget = self.clock.budget()
        try:
            allowed = _compiling_limit(budget) if self.compiling else budget
            return self._choice(state, allowed, on_report, drawn, ply)
        finally:
            self._overhead.planned(self.clock, ply, min(self.clock.spent, budget.hard))
            self.clock.stop()

    def _limit_once_compiled(self) -> Limit:
        """Wait for the compiler as long as `prepare` allows, and return the limit for a move.

        A limit of depth or nodes alone could keep interpreted rules busy for long: it gets a limit of time.
        """
        self._preparation.wait_as_allowed()
        unbounded = self.compiling and self.limit.seconds is None
        return replace(self.limit, seconds=COMPILING_MOVE_SECONDS) if unbounded else self.limit

    def _choice(
        self, state: State, limit: Limit | Budget, on_report: OnReport | None, drawn: list[Move], ply: int
    ) -> Report:
        """Search, and put the line first that the level or the style chooses."""
        if self.level < FULL_STRENGTH:
            return self._level_search(state, limit, on_report, drawn, ply)
        return self._styled_search(state, limit, on_report, drawn)

    def _level_search(
        self, state: State, limit: Limit | Budget, on_report: OnReport | None, drawn: list[Move], ply: int
    ) -> Report:
        """Search as the level thinks in this turn, and draw a line. What it knew in other turns is forgotten."""
        seed = self._own_seed if self.seed is None else self.seed
        dice = random.Random(f"{seed}:{ply}:{self.game.state_text(state)}")
        thought = next_thought(self.level, dice)
        allowed = Limit(seconds=limit.hard) if isinstance(limit, Budget) else limit
        moves = len(legal_actions(self.game, state))
        with self._searches.knowing_nothing():
            report = self._searches.whole_rounds(state, both(thought.limit, allowed), moves, on_report)
        if drawn:
            report = with_draws(report, drawn)
        return with_first(report, draw_line(report, thought.temperature, dice))

    def _styled_search(
        self, state: State, limit: Limit | Budget, on_report: OnReport | None, drawn: list[Move]
    ) -> Report:
        """Search, and put the line first that the style prefers. "trickiest" keeps half the time for the replies."""
        moves = legal_actions(self.game, state)
        every = self._wants_every_move
        parts = 2 if self.style == "trickiest" else 1
        lines = len(moves) if every else max(1, min(self.lines + len(drawn), len(moves)))
        by_playouts = self.monte_carlo is not None and not every
        if isinstance(limit, Limit) and limit.depth is not None:
            by_playouts = False
        if by_playouts:
            report = self._playouts(state, limit, on_report, moves=len(moves))
        else:
            report = self._search(state, limit, parts, on_report, moves=len(moves), lines=lines)
        seen = report.nodes if by_playouts else report.depth
        if not seen and not report.value.exact:  # not even one ply, in so short a time
            report = self._searches.one_ply(state, report, compiling=self.compiling)
        if drawn:
            report = with_draws(report, drawn)
        if every:
            again = None if on_report is None else lambda _: on_report(report)  # what is searched next is another state
            line = preferred_line(
                report,
                self.style,
                self.seed,
                lambda child, sight, count: self._searches.replies(child, limit, sight, count, again),
            )
            report = with_first(report, line)
        if report.move not in moves:
            raise GameError(f"{self.game!r}: the search chose {report.move!r} in {self.game.state_text(state)}.")
        return report

    def _playouts(self, state: State, limit: Limit | Budget, on_report: OnReport | None, *, moves: int) -> Report:
        """Search by Monte Carlo; on a clock, up to the soft limit."""
        assert self.monte_carlo is not None
        if isinstance(limit, Limit):
            return self._searches.by_playouts(state, limit, self.monte_carlo, on_report)
        if moves == 1:
            return self._searches.only_move(state, limit)
        return self._searches.by_playouts(state, Limit(seconds=limit.soft), self.monte_carlo, on_report)

    def _search(
        self, state: State, limit: Limit | Budget, parts: int, on_report: OnReport | None, *, moves: int, lines: int
    ) -> Report:
        if isinstance(limit, Limit):
            return self._searches.within(state, part_of(limit, parts), lines, on_report)
        assert self.clock is not None
        if moves == 1:
            return self._searches.only_move(state, limit)
        return self._searches.on_clock(state, self.clock, limit.part(parts), lines, on_report)


def _compiling_limit(budget: Budget) -> Limit:
    """What a move may take of a clock while the search is compiling: interpreted rounds tell nothing of the next."""
    return Limit(seconds=min(budget.hard, COMPILING_MOVE_SECONDS))
