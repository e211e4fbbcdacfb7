"""The engine: a player that answers from its opening book, else from its database, else by a search.

The order is that of Engine, and of it alone: the terminal, the notebook, the web page and programs ask it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo import rules
from zermelo.arguments import check_int, checked_game, checked_megabytes, checked_threads
from zermelo.game import Game, GameError, Move, State
from zermelo.limits import Limit, both
from zermelo.native.background_compiler import BackgroundCompilation
from zermelo.play.book import Book, open_book, own_book
from zermelo.play.clock import Budget, Clock
from zermelo.play.learned_book import LearnedBook, is_learned, open_learned
from zermelo.play.levels import FULL_STRENGTH, check_level, draw_line, next_thought
from zermelo.play.move_choice import Decision, Source, database_report, one_ply_report, with_first
from zermelo.play.move_overhead import MoveOverhead
from zermelo.play.own_weights import evaluated
from zermelo.play.polyglot_book import PolyglotBook
from zermelo.play.repetition import repeating_moves, with_draws
from zermelo.play.style import STYLES, preferred_line
from zermelo.play.syzygy_tables import SyzygyTables
from zermelo.rules import legal_actions
from zermelo.searching import DEFAULT_MEGABYTES, Report, analyze, search
from zermelo.searching.alphabeta.transposition_table import TranspositionTable, new_table
from zermelo.searching.runtime.search_worker import ready, search_kernel
from zermelo.searching.runtime.tablebase_probing import checked_solution, with_tablebase

if TYPE_CHECKING:
    from zermelo.networks.weight_files import Weights
    from zermelo.searching.runtime.analysis_stream import Analysis
    from zermelo.solving.solution import Solution

AnyBook = Book | LearnedBook | PolyglotBook
"""Books by what their moves rest on: proofs, games and searches, or another chess program."""

OnReport = Callable[[Report], object]
"""A callback for the reports of a search so far. What it raises ends the search."""

REPORT_INTERVAL = 0.2
"""Seconds after which the callback gets a report though only the nodes have changed."""

INTERRUPT_INTERVAL = 0.2
"""Seconds between two moments at which a wait for the compiler reacts to Ctrl-C."""

COMPILING_MOVE_SECONDS = 1.0
"""Seconds for a move while its search is still compiling, where the limit names no time."""

LEVEL_MEGABYTES = 4.0
"""Megabytes of the table for a move of a level below the highest: it visits few nodes."""

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
    False is none. It may be proven or learned (see play/learned_book.py), and for chess a Polyglot book (.bin); chess
    may also have a folder of `syzygy` tables, which python-chess reads. The style "exact" without a seed plays from
    these; a move of a proven book keeps the outcome, if not the shortest way.

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
        self.threads = checked_threads(f"Engine of {game!r}", threads)
        self.lines = lines
        self.table = checked_megabytes(f"Engine of {game!r}", table=table)
        self.book = _opened_book(game, database is None if book is True else book)
        self.syzygy = None if syzygy is None else SyzygyTables(game, syzygy)
        self.database = None if database is None else checked_solution("Engine", game, database)
        # the game that is searched; loaded here, before any clock runs
        probed = self.database if probe_in_search and level == FULL_STRENGTH else None
        self._searched = evaluated(with_tablebase(game, probed), game, weights)
        self._unprobed = self._searched if probed is None else evaluated(game, game, weights)
        self._compilation: BackgroundCompilation | None = None
        self._max_wait: float | None = None
        self._stopped = False
        """Whether `stop` was called since the last choice began."""
        self._analysis: Analysis | None = None
        self._last_analysis: Analysis | None = None
        self._overhead = MoveOverhead()
        self._table = TranspositionTable(self.table)
        self._history: Sequence[State] = ()
        self._last_searched: State = None

    # -- compiling -----------------------------------------------------------------------------------------------------

    def prepare(self, max_wait: float | None = None) -> None:
        """Compile the search in the background.

        The next choice waits for the compiler, for at most `max_wait` seconds if that is given; no clock runs then.
        While the search is still compiling, a choice is interpreted, and takes a second where its limit names no time.
        """
        self._max_wait = max_wait
        self._compilation = BackgroundCompilation(self._searched, self._compile, kernel=search_kernel(self.game))

    @property
    def compiling(self) -> bool:
        """Whether the search is still compiling."""
        return self._compilation is not None and self._compilation.running

    def wait_for_compiler(self, seconds: float) -> None:
        """Wait until the search is compiled, for `seconds` at most; also where nobody has begun to compile it."""
        if self._compilation is None:
            time.sleep(seconds)
        else:
            self._compilation.wait(seconds)

    def require_native(self) -> None:
        """Compile the search of a game with native = True, however long it takes. Raise GameError if it cannot be.

        Such a game is never interpreted, so that nothing depends on how fast the compiler is; no clock runs then.
        """
        if not self.game.native:
            return
        if self._compilation is None:
            self.prepare()
        while (compilation := self._compilation) is not None and compilation.running:
            compilation.wait(INTERRUPT_INTERVAL)
        if compilation is not None and isinstance(compilation.error, GameError):
            raise compilation.error  # a rule that raises something else will raise it again where it is called

    def _compile(self) -> bool:
        state = rules.initial_state(self.game)
        return bool(rules.legal_actions(self.game, state)) and ready(self._searched, state, new_table(0))

    # -- choosing a move -----------------------------------------------------------------------------------------------

    def decide(self, state: State, on_report: OnReport | None = None, history: Sequence[State] = ()) -> Decision:
        """Choose a move: from the book, else from the database, else by a search.

        `on_report` is called with the reports of the search so far. `history` holds the states played before: a move
        that brings one of them back for the third time is a draw, and chosen only where that is good enough.
        """
        self._stopped = False
        self.require_native()
        if (report := self._book_report(state)) is not None:
            return Decision(report, Source.BOOK)
        drawn = repeating_moves(self.game, state, history)
        self._continue_game(state, history)
        if not self._wants_every_move and (report := self._timed_probe(state)) is not None:
            return Decision(with_draws(report, drawn) if drawn else report, Source.DATABASE)
        return Decision(self._searched_report(state, on_report, drawn, len(history)), Source.SEARCH)

    def choose(self, state: State, on_report: OnReport | None = None, history: Sequence[State] = ()) -> Report:
        """The report of `decide`: its first line, with its `move`, is the engine's choice."""
        return self.decide(state, on_report, history).report

    def stop(self) -> None:
        """End the search that runs in another thread, if one does: its `decide` returns what was found so far.

        Searches that the same `decide` begins afterwards end as soon as they have a move.
        """
        self._stopped = True
        analysis = self._analysis
        if analysis is not None:
            analysis.hurry()

    def compare(self, state: State, on_report: OnReport | None = None) -> Report:
        """A report with a line for every move, best first: from the database, else by a search.

        >>> from zermelo.games.registry import load, position
        >>> game = load("tic_tac_toe")
        >>> report = Engine(game, Limit(depth=9)).compare(position(game, "a1 b1 a2 b2"))
        >>> [str(value) for value in report.moves.values()]
        ['win in 1', 'draw', 'loss in 2', 'loss in 2', 'loss in 2']
        """
        self._stopped = False
        self.require_native()
        if (report := self.probe(state)) is not None:
            return report
        limit = self._limit_once_compiled()
        self._continue_game(state, ())
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
        return analyze(self._searched, state, limit, lines=lines, threads=self.threads, table=self.table)

    def _continue_game(self, state: State, history: Sequence[State]) -> None:
        """Keep the table of the last search where it was one of this game; another game begins with an empty one."""
        self._wait_for_last()
        if self._last_searched is None or self._last_searched not in history:
            self._table = TranspositionTable(self.table)
        self._history, self._last_searched = history, state

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
        return None if self.book is None or self._wants_every_move else self.book.report(state)

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
        if self._compilation is not None:
            self._compilation.wait(self._max_wait)
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
        with self._knowing_nothing():
            report = self._whole_rounds(state, both(thought.limit, allowed), moves, on_report)
        if drawn:
            report = with_draws(report, drawn)
        return with_first(report, draw_line(report, thought.temperature, dice))

    def _whole_rounds(self, state: State, limit: Limit, lines: int, on_report: OnReport | None) -> Report:
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

    def _styled_search(
        self, state: State, limit: Limit | Budget, on_report: OnReport | None, drawn: list[Move]
    ) -> Report:
        """Search, and put the line first that the style prefers. "trickiest" keeps half the time for the replies."""
        moves = legal_actions(self.game, state)
        every = self._wants_every_move
        parts = 2 if self.style == "trickiest" else 1
        lines = len(moves) if every else max(1, min(self.lines + len(drawn), len(moves)))
        report = self._search(state, limit, parts, on_report, moves=len(moves), lines=lines)
        if report.depth == 0 and not report.value.exact:  # not even one ply, in so short a time
            report = self._one_ply(state, report)
        if drawn:
            report = with_draws(report, drawn)
        if every:
            again = None if on_report is None else lambda _: on_report(report)  # what is searched next is another state
            line = preferred_line(
                report,
                self.style,
                self.seed,
                lambda child, sight, count: self._search_replies(child, limit, sight, count, again),
            )
            report = with_first(report, line)
        if report.move not in moves:
            raise GameError(f"{self.game!r}: the search chose {report.move!r} in {self.game.state_text(state)}.")
        return report

    def _one_ply(self, state: State, report: Report) -> Report:
        """One ply, though there was no time for it. Compiled rules take a millisecond for that, in chess."""
        if self.compiling or not search_kernel(self.game).is_cached(self._searched):
            return one_ply_report(report)
        self._wait_for_last()
        return search(self._searched, state, Limit(depth=1), lines=len(report.lines), **self._options)

    def _search(
        self, state: State, limit: Limit | Budget, parts: int, on_report: OnReport | None, *, moves: int, lines: int
    ) -> Report:
        if isinstance(limit, Limit):
            return self._search_within(state, _part(limit, parts), lines, on_report)
        if moves == 1:  # whatever its value, it will be played
            return search(
                self._searched, state, Limit(seconds=limit.hard, depth=1), threads=self.threads, table=self._table
            )
        return self._search_on_clock(state, limit.part(parts), lines, on_report)

    def _search_within(self, state: State, limit: Limit, lines: int, on_report: OnReport | None) -> Report:
        if on_report is None:
            self._wait_for_last()
            return search(self._searched, state, limit, lines=lines, **self._options)
        with self._analyzing(state, limit, lines) as reports:
            for report in reports.live(REPORT_INTERVAL):
                on_report(report)
        return report

    @property
    def _options(self) -> dict[str, Any]:
        """What all searches for a move of a game share."""
        return {"threads": self.threads, "table": self._table, "history": self._history}

    @contextmanager
    def _analyzing(self, state: State, limit: Limit, lines: int) -> Iterator[Analysis]:
        """An analysis that `stop` ends."""
        self._wait_for_last()
        analysis = analyze(self._searched, state, limit, lines=lines, **self._options)
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

    def _wait_for_last(self) -> None:
        """Wait for the end of a search whose answer was given before: it has the table."""
        if self._last_analysis is not None:
            self._last_analysis.join()
            self._last_analysis = None

    def _search_on_clock(self, state: State, budget: Budget, lines: int, on_report: OnReport | None) -> Report:
        """Search until the hard limit, or until the budget has no time for another iteration."""
        assert self.clock is not None
        start = finished = self.clock.spent
        depth = 0
        limit = Limit(seconds=budget.hard)
        with self._analyzing(state, limit, lines) as reports:
            for report in reports if on_report is None else reports.live(REPORT_INTERVAL):
                if on_report is not None:
                    on_report(report)
                if report.depth > depth:
                    now = self.clock.spent
                    next_iteration = (now - finished) * max(report.growth or 1, 1)
                    if budget.over(now - start, next_iteration):
                        break
                    depth, finished = report.depth, now
        return report

    def _search_replies(
        self, state: State, limit: Limit | Budget, sight: Limit | None, count: int, on_report: OnReport | None
    ) -> Report:
        """The values of all replies, in one of `count` searches that share half the limit; one ply less is left.

        The state to move in was played before them. With `sight`, as a player sees them who looks so far, and who
        knows nothing of the searches before.
        """
        whole = Limit(seconds=limit.soft) if isinstance(limit, Budget) else limit
        part, replies = _part(whole, 2 * count), len(legal_actions(self.game, state))
        before, self._history = self._history, (*self._history, self._last_searched)
        try:
            if sight is not None:
                with self._knowing_nothing():
                    return self._whole_rounds(state, both(sight, part), replies, on_report)
            if part.depth is not None:
                part = replace(part, depth=max(part.depth - 1, 1))
            return self._search_within(state, part, replies, on_report)
        finally:
            self._history = before

    @contextmanager
    def _knowing_nothing(self) -> Iterator[None]:
        """Search as a player who has no database and remembers no search."""
        kept = self._searched, self._table
        self._searched, self._table = self._unprobed, TranspositionTable(min(self.table, LEVEL_MEGABYTES))
        try:
            yield
        finally:
            self._searched, self._table = kept


def _opened_book(game: Game, book: AnyBook | str | Path | bool | None) -> AnyBook | None:
    if book is None or isinstance(book, bool):
        return own_book(game) if book else None
    if not isinstance(book, AnyBook | str | Path):
        raise GameError(f"Engine of {game!r}: book must be a Book, its file, True or False, not {book!r}.")
    found = book if isinstance(book, AnyBook) else open_any_book(game, book)
    if found.game != game:
        raise GameError(f"Engine of {game!r}: the book is one of {found.game!r}.")
    return found


def open_any_book(game: Game, path: str | Path) -> AnyBook:
    """Open a book of any kind. Raise FileError if the file is none, or one of other rules."""
    if Path(path).suffix.lower() == ".bin":
        return PolyglotBook(game, path)
    return open_learned(game, path) if is_learned(path) else open_book(game, path)


def _compiling_limit(budget: Budget) -> Limit:
    """What a move may take of a clock while the search is compiling: interpreted rounds tell nothing of the next."""
    return Limit(seconds=min(budget.hard, COMPILING_MOVE_SECONDS))


def _part(limit: Limit, parts: int) -> Limit:
    """One of so many equal parts of a limit; depth is not divided."""
    seconds = None if limit.seconds is None else limit.seconds / parts or limit.seconds  # the least has no parts
    nodes = None if limit.nodes is None else max(limit.nodes // parts, 1)
    return Limit(seconds, limit.depth, nodes)
