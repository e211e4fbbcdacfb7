"""Engine: a player that searches."""

from __future__ import annotations

import threading

from zermelo.game import Game, GameError, State
from zermelo.limits import Limit
from zermelo.native import warm_up
from zermelo.rules import successors
from zermelo.search import Report, search


class Engine:
    """A player of one game that answers within a limit.

    >>> from zermelo.games.registry import load, position
    >>> game = load("tic_tac_toe")
    >>> report = Engine(game, Limit(depth=3)).choose(position(game, "a1 b1 a2 b2"))
    >>> game.move_text(report.state, report.move), str(report.value)
    ('a3', 'win in 1')
    """

    def __init__(self, game: Game, limit: Limit | None = None) -> None:
        self.game = game
        self.limit = limit or Limit(seconds=1)
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
        """The search's report on a state in which a player moves; its `move` is the engine's choice."""
        if self._refusal is not None:
            raise self._refusal
        report = search(self.game, state, self.limit)
        if report.move not in successors(self.game, state):
            raise GameError(f"{self.game!r}: the search chose {report.move!r} in {self.game.state_text(state)}.")
        return report

    def _compile(self) -> None:
        try:
            warm_up(self.game)
        except GameError as error:  # a game that insists on compiling, and does not: said when it is asked to play
            self._refusal = error
        except Exception:  # a rule that raises will say so where it is asked
            return
