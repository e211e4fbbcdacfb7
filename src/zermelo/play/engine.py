"""Engine: a player that searches, within a limit for each move or on a clock for the whole game."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo import rules
from zermelo.arguments import check_int, checked_game, checked_threads
from zermelo.game import ONGOING, Game, GameError, Move, State
from zermelo.limits import Limit
from zermelo.native.background_compiler import responsive_compilation
from zermelo.play.book import Book, open_book, own_book
from zermelo.play.clock import Budget, Clock
from zermelo.play.repetition import repeating, with_draws
from zermelo.play.style import STYLES, chosen
from zermelo.rules import legal_actions
from zermelo.searching import Line, Report, analyze, search
from zermelo.searching.alphabeta.transposition_table import new_table
from zermelo.searching.runtime.search_worker import ready
from zermelo.searching.runtime.tablebase_probing import with_tablebase
from zermelo.value import Score, Value, ending

if TYPE_CHECKING:
    from zermelo.solving.solution import Solution

Tell = Callable[[Report], object]
"""Who hears what a search has found so far. What they raise ends the search."""

TICK = 0.2
"""Seconds after which they hear of the nodes, where nothing else is new."""

MEANWHILE = 1.0
"""Seconds for a move while machine code is still being made, where the limit names no time."""


MOVE_LIMIT = Limit(seconds=1)
"""The limit for a move where none is given."""


class Engine:
    """A player of one game that answers within a limit for each move, one second by default, or on a Clock.

    `style` says which of equally good moves it plays (see play/style.py), `seed` that it chooses at random where the
    style leaves several: the same in the same state, as far as the search itself repeats, which it does under a limit
    of depth or nodes on one thread. All but "exact" without a seed need the value of every move, and so see less far
    in the same time. A `database` (a Solution, or its file) is asked about every state on the way. The opening `book`
    (a Book, or its file) is the game's own where it has one and no database is given, and False is none. The style
    "exact" without a seed plays from it: a move that keeps the outcome, if not the shortest way.

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
        style: str = "exact",
        seed: int | None = None,
        threads: int | None = 1,
        database: Solution | str | Path | None = None,
        book: Book | str | Path | bool | None = True,
    ) -> None:
        checked_game("Engine", game)
        if not isinstance(limit, Limit | Clock):
            raise GameError(f"Engine of {game!r}: limit must be a Limit or a Clock, not {limit!r}.")
        if style not in STYLES:
            raise GameError(f"Engine of {game!r}: style must be one of {', '.join(STYLES)}, not {style!r}.")
        check_int(f"Engine of {game!r}", optional=True, seed=seed)
        self.game = game
        self.clock = limit if isinstance(limit, Clock) else None
        self.limit = limit if isinstance(limit, Limit) else MOVE_LIMIT
        self.style = style
        self.seed = seed
        self.threads = checked_threads(f"Engine of {game!r}", threads)
        self.book = _opened(game, database is None if book is True else book)
        self._searched = with_tablebase(game, database)
        self._preparing: threading.Thread | None = None
        self._patience: float | None = None
        self._refusal: GameError | None = None

    def prepare(self, patience: float | None = None) -> None:
        """Have the machine code of its search made in the background, while somebody else thinks.

        It is waited for before the next choice, for `patience` seconds if that is given, and no clock runs meanwhile.
        While it is not there, a choice is interpreted, and takes a second where its limit names no other time.
        """
        self._patience = patience
        self._preparing = threading.Thread(target=self._compile, daemon=True, name=f"preparing {self.game!r}")
        self._preparing.start()

    @property
    def preparing(self) -> bool:
        """Whether machine code is still being made."""
        return self._preparing is not None and self._preparing.is_alive()

    def insist(self) -> None:
        """Where the game says native = True, have its machine code, however long it takes; a sentence if it cannot be.

        It is never interpreted, so that nothing depends on how fast the compiler is; no clock runs meanwhile.
        """
        if not self.game.native:
            return
        if self._preparing is None:
            self.prepare()
        while (thread := self._preparing) is not None and thread.is_alive():
            thread.join(TICK)  # Ctrl-C is heard between two of them everywhere
        if self._refusal is not None:
            raise self._refusal

    def choose(self, state: State, tell: Tell | None = None, history: Sequence[State] = ()) -> Report:
        """The report on a state in which a player moves; its first line, with its `move`, is the engine's choice.

        `tell` is called with the reports on the way. `history` are the states that were played before: a move that
        brings one of them back for the third time is a draw, and chosen only where that is good enough.
        """
        self.insist()
        if (known := self._from_book(state)) is not None:
            return known
        limit = self._waited()
        drawn = repeating(self.game, state, history)
        if self.clock is None:
            return self._choice(state, limit, tell, drawn)
        self.clock.start()
        try:
            return self._choice(state, _soon(self.clock) if self.preparing else self.clock.budget(), tell, drawn)
        finally:
            self.clock.stop()

    def compare(self, state: State, tell: Tell | None = None) -> Report:
        """The report on a state with a line for every move, best first, within the limit for one move.

        >>> from zermelo.games.registry import load, position
        >>> game = load("tic_tac_toe")
        >>> report = Engine(game, Limit(depth=9)).compare(position(game, "a1 b1 a2 b2"))
        >>> [str(value) for value in report.moves.values()]
        ['win in 1', 'draw', 'loss in 2', 'loss in 2', 'loss in 2']
        """
        self.insist()
        limit = self._waited()
        moves = len(legal_actions(self.game, state))
        return self._report(state, limit, 1, tell, moves=moves, lines=moves)

    @property
    def _wants_every_move(self) -> bool:
        """Whether its style or its seed chooses among all moves, by their values."""
        return self.style != "exact" or self.seed is not None

    def _from_book(self, state: State) -> Report | None:
        return None if self.book is None or self._wants_every_move else self.book.report(state)

    def _waited(self) -> Limit:
        """The limit for a move, once the machine code is there or is waited for no longer.

        A limit of depth or nodes alone could keep interpreted rules busy for long: it gets a limit of time.
        """
        if self._preparing is not None:
            self._preparing.join(self._patience)
        unbounded = self.preparing and self.limit.seconds is None
        return replace(self.limit, seconds=MEANWHILE) if unbounded else self.limit

    def _choice(self, state: State, limit: Limit | Budget, tell: Tell | None, drawn: list[Move]) -> Report:
        """Search, and put the line first that the style prefers. The trickiest keeps half the time for the replies."""
        moves = legal_actions(self.game, state)
        every = self._wants_every_move
        parts = 2 if self.style == "trickiest" else 1
        lines = len(moves) if every else max(1, min(1 + len(drawn), len(moves)))
        report = self._report(state, limit, parts, tell, moves=len(moves), lines=lines)
        if report.depth == 0 and not report.value.exact:  # not even one ply, in so short a time
            report = one_ply(report)
        if drawn:
            report = with_draws(report, drawn)
        if every:
            again = None if tell is None else lambda _: tell(report)  # what is searched next is another state
            line = chosen(report, self.style, self.seed, lambda child, count: self._replies(child, limit, count, again))
            report = replace(report, lines=(line, *(other for other in report.lines if other is not line)))
        if report.move not in moves:
            raise GameError(f"{self.game!r}: the search chose {report.move!r} in {self.game.state_text(state)}.")
        return report

    def _report(
        self, state: State, limit: Limit | Budget, parts: int, tell: Tell | None, *, moves: int, lines: int
    ) -> Report:
        if isinstance(limit, Limit):
            return self._within(state, _part(limit, parts), lines, tell)
        if moves == 1:  # whatever it is worth, it will be played
            return search(self._searched, state, Limit(seconds=limit.hard, depth=1), threads=self.threads)
        return self._round_by_round(state, limit.part(parts), lines, tell)

    def _within(self, state: State, limit: Limit, lines: int, tell: Tell | None) -> Report:
        if tell is None:
            return search(self._searched, state, limit, lines=lines, threads=self.threads)
        with analyze(self._searched, state, limit, lines=lines, threads=self.threads) as reports:
            for report in reports.live(TICK):
                tell(report)
        return report

    def _round_by_round(self, state: State, budget: Budget, lines: int, tell: Tell | None) -> Report:
        """Search until the hard limit, or until the budget finds no further round worth beginning."""
        assert self.clock is not None
        start = finished = self.clock.spent
        depth = 0
        limit = Limit(seconds=budget.hard)
        with analyze(self._searched, state, limit, lines=lines, threads=self.threads) as reports:
            for report in reports if tell is None else reports.live(TICK):
                if tell is not None:
                    tell(report)
                if report.depth > depth:
                    now = self.clock.spent
                    next_round = (now - finished) * max(report.growth or 1, 1)
                    if budget.over(now - start, next_round):
                        break
                    depth, finished = report.depth, now
        return report

    def _replies(self, state: State, limit: Limit | Budget, count: int, tell: Tell | None) -> Report:
        """The values of all replies in one of `count` states that share half the limit; one ply less is left."""
        whole = Limit(seconds=limit.soft) if isinstance(limit, Budget) else limit
        part = _part(whole, 2 * count)
        if part.depth is not None:
            part = replace(part, depth=max(part.depth - 1, 1))
        return self._within(state, part, len(legal_actions(self.game, state)), tell)

    def _compile(self) -> None:
        try:
            state = rules.initial_state(self.game)
            if rules.legal_actions(self.game, state):
                with responsive_compilation():
                    ready(self._searched, state, new_table(0))
        except GameError as error:  # said where the game insists on compiling; a search finds out by itself
            self._refusal = error
        except Exception:  # a rule that raises will say so where it is asked
            return


def one_ply(report: Report) -> Report:
    """The report of a search that saw nothing, with all moves by the rules' own word on the states after them.

    >>> from zermelo.games.registry import load, position
    >>> game = load("tic_tac_toe")
    >>> print(one_ply(search(game, position(game, "a1 b1 a2 b2"), Limit(nodes=1))).value)
    win in 1
    """
    lines = [_seen(report, move) for move in rules.legal_actions(report.game, report.state)]
    best = sorted(lines, key=lambda line: -line.value.score)[: len(report.lines)]
    return replace(report, lines=tuple(best), depth=1, nodes=report.nodes + len(lines))


def _seen(report: Report, move: Move) -> Line:
    """A move, with the payoff or the estimate of the state after it."""
    game, child = report.game, report.game.play(report.state, move)
    payoff = rules.payoff(game, child)
    score: Score = rules.static_eval(game, child) if payoff == ONGOING else payoff
    sign = -1 if rules.changes_player(game, report.state, child) else 1
    if payoff == ONGOING or not rules.has_distance(game):
        value = Value.estimate(sign * score)
    else:
        value = Value.of(ending(sign * payoff, 1), exact=False)  # a draw is not: another move may be better
    return Line(value.seen_by(rules.mover(game, report.state)), (move,))


def _opened(game: Game, book: Book | str | Path | bool | None) -> Book | None:
    if book is None or isinstance(book, bool):
        return own_book(game) if book else None
    if not isinstance(book, Book | str | Path):
        raise GameError(f"Engine of {game!r}: book must be a Book, its file, True or False, not {book!r}.")
    found = book if isinstance(book, Book) else open_book(game, book)
    if found.game != game:
        raise GameError(f"Engine of {game!r}: the book is one of {found.game!r}.")
    return found


def _soon(clock: Clock) -> Limit:
    """What a move may take of a clock while machine code is still being made: rounds tell too little of the next."""
    return Limit(seconds=min(clock.budget().hard, MEANWHILE))


def _part(limit: Limit, parts: int) -> Limit:
    """One of so many equal parts of a limit; depth is not divided."""
    seconds = None if limit.seconds is None else limit.seconds / parts or limit.seconds  # the least has no parts
    nodes = None if limit.nodes is None else max(limit.nodes // parts, 1)
    return Limit(seconds, limit.depth, nodes)
