"""Compiling the search of an engine ahead of its first move, in the background."""

from __future__ import annotations

import time

from zermelo import rules
from zermelo.game import Game, GameError
from zermelo.limits import Limit
from zermelo.monte_carlo_settings import MonteCarlo
from zermelo.native.background_compiler import BackgroundCompilation
from zermelo.searching.alphabeta.transposition_table import new_table
from zermelo.searching.mcts.monte_carlo_search import MonteCarloSearch
from zermelo.searching.mcts.uct import uct
from zermelo.searching.runtime.search_worker import ready, search_kernel

INTERRUPT_INTERVAL = 0.2
"""Seconds between two moments at which a wait for the compiler reacts to Ctrl-C."""


class SearchPreparation:
    """The compilation of the search of `game`, which may be a game with a tablebase or other weights."""

    def __init__(self, game: Game, by_playouts: bool = False) -> None:
        self.game, self.by_playouts = game, by_playouts
        self.max_wait: float | None = None
        """Seconds for which a choice waits; None is as long as it takes."""
        self._compilation: BackgroundCompilation | None = None

    def begin(self, max_wait: float | None = None) -> None:
        """Begin to compile."""
        self.max_wait = max_wait
        self._compilation = BackgroundCompilation(
            self.game, self._compile, kernel=uct if self.by_playouts else search_kernel(self.game)
        )

    @property
    def running(self) -> bool:
        """Whether the search is still compiling."""
        return self._compilation is not None and self._compilation.running

    @property
    def loading(self) -> bool:
        """Whether the search is being loaded from the cache, which takes a moment."""
        return self._compilation is not None and self._compilation.running and self._compilation.cached

    def wait(self, seconds: float) -> None:
        """Wait until the search is compiled, for `seconds` at most; also where nobody has begun to compile it."""
        if self._compilation is None:
            time.sleep(seconds)
        else:
            self._compilation.wait(seconds)

    def wait_as_allowed(self) -> None:
        """Wait for a compilation that was begun, as long as `begin` allows."""
        if self._compilation is not None:
            self._compilation.wait(self.max_wait)

    def require(self) -> None:
        """Compile, however long it takes. Raise GameError if the rules do not compile."""
        if self._compilation is None:
            self.begin()
        while (compilation := self._compilation) is not None and compilation.running:
            compilation.wait(INTERRUPT_INTERVAL)
        if compilation is not None and isinstance(compilation.error, GameError):
            raise compilation.error  # a rule that raises something else will raise it again where it is called

    def _compile(self) -> bool:
        state = rules.initial_state(self.game)
        if not rules.legal_actions(self.game, state):
            return False
        if self.by_playouts:
            return MonteCarloSearch(self.game, state, Limit(nodes=1), 0, 0, MonteCarlo()).compile()
        return ready(self.game, state, new_table(0))
