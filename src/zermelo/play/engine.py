"""Engine: a player that searches, within a limit for each move or on a clock for the whole game."""

from __future__ import annotations

import threading
from dataclasses import replace

from zermelo.game import Game, GameError, State
from zermelo.limits import Limit
from zermelo.native import warm_up
from zermelo.play.clock import Budget, Clock
from zermelo.play.style import STYLES, chosen
from zermelo.rules import successors
from zermelo.search import Report, analyze, search


class Engine:
    """A player of one game that answers within a limit for each move, or on a Clock.

    `style` says which of equally good moves it plays (see play/style.py), `seed` that it chooses at random where the
    style leaves several: the same in the same state, as far as the search itself repeats, which it does under a limit
    of depth or nodes on one thread. All but "exact" without a seed need the value of every move, and so see less far
    in the same time.

    >>> from zermelo.games.registry import load, position
    >>> game = load("tic_tac_toe")
    >>> report = Engine(game, Limit(depth=3)).choose(position(game, "a1 b1 a2 b2"))
    >>> game.move_text(report.state, report.move), str(report.value)
    ('a3', 'win in 1')
    """

    def __init__(
        self,
        game: Game,
        limit: Limit | Clock | None = None,
        *,
        style: str = "exact",
        seed: int | None = None,
        threads: int = 1,
    ) -> None:
        if limit is not None and not isinstance(limit, Limit | Clock):
            raise GameError(f"Engine of {game!r}: limit must be a Limit or a Clock, not {limit!r}.")
        if style not in STYLES:
            raise GameError(f"Engine of {game!r}: style must be one of {', '.join(STYLES)}, not {style!r}.")
        self.game = game
        self.clock = limit if isinstance(limit, Clock) else None
        self.limit = limit if isinstance(limit, Limit) else Limit(seconds=1)
        self.style = style
        self.seed = seed
        self.threads = threads
        self._preparing: threading.Thread | None = None
        self._refusal: GameError | None = None

    def prepare(self) -> None:
        """Have the machine code made in the background, while somebody else thinks."""
        self._preparing = threading.Thread(target=self._compile, daemon=True, name=f"warm_up {self.game!r}")
        self._preparing.start()

    @property
    def preparing(self) -> bool:
        """Whether machine code is still being made."""
        return self._preparing is not None and self._preparing.is_alive()

    def choose(self, state: State) -> Report:
        """The report on a state in which a player moves; its first line, with its `move`, is the engine's choice."""
        if self._refusal is not None:
            raise self._refusal
        if self.clock is None:
            return self._choice(state, self.limit)
        self.clock.start()
        try:
            return self._choice(state, self.clock.budget())
        finally:
            self.clock.stop()

    def _choice(self, state: State, limit: Limit | Budget) -> Report:
        """Search, and put the line first that the style prefers. The trickiest keeps half the time for the replies."""
        moves = successors(self.game, state)
        every = self.style != "exact" or self.seed is not None
        parts = 2 if self.style == "trickiest" else 1
        report = self._report(state, limit, parts, moves=len(moves), lines=len(moves) if every else 1)
        if every:
            line = chosen(report, self.style, self.seed, lambda child, count: self._replies(child, limit, count))
            report = replace(report, lines=(line, *(other for other in report.lines if other is not line)))
        if report.move not in moves:
            raise GameError(f"{self.game!r}: the search chose {report.move!r} in {self.game.state_text(state)}.")
        return report

    def _report(self, state: State, limit: Limit | Budget, parts: int, *, moves: int, lines: int) -> Report:
        if isinstance(limit, Limit):
            return search(self.game, state, _part(limit, parts), lines=lines, threads=self.threads)
        if moves == 1:  # whatever it is worth, it will be played
            return search(self.game, state, Limit(seconds=limit.hard, depth=1), threads=self.threads)
        return self._round_by_round(state, limit.part(parts), lines)

    def _round_by_round(self, state: State, budget: Budget, lines: int) -> Report:
        """Search until the hard limit, or until the budget finds no further round worth beginning."""
        assert self.clock is not None
        start = finished = self.clock.spent
        depth = 0
        limit = Limit(seconds=budget.hard)
        with analyze(self.game, state, limit, lines=lines, threads=self.threads) as reports:
            for report in reports:
                if report.depth > depth:
                    now = self.clock.spent
                    next_round = (now - finished) * max(report.branching or 1, 1)
                    if budget.over(now - start, next_round):
                        break
                    depth, finished = report.depth, now
        return report

    def _replies(self, state: State, limit: Limit | Budget, count: int) -> Report:
        """The values of all replies in one of `count` states that share half the limit; one ply less is left."""
        whole = Limit(seconds=limit.soft) if isinstance(limit, Budget) else limit
        part = _part(whole, 2 * count)
        if part.depth is not None:
            part = replace(part, depth=max(part.depth - 1, 1))
        return search(self.game, state, part, lines=len(successors(self.game, state)), threads=self.threads)

    def _compile(self) -> None:
        try:
            warm_up(self.game)
        except GameError as error:  # a game that insists on compiling, and does not: said when it is asked to play
            self._refusal = error
        except Exception:  # a rule that raises will say so where it is asked
            return


def _part(limit: Limit, parts: int) -> Limit:
    """One of so many equal parts of a limit; depth is not divided."""
    seconds = None if limit.seconds is None else limit.seconds / parts
    nodes = None if limit.nodes is None else max(limit.nodes // parts, 1)
    return Limit(seconds, limit.depth, nodes)
