"""Single-kernel search: one kernel, one state, one thread; the base of proof-number search and Monte Carlo search."""

from __future__ import annotations

from abc import abstractmethod

from zermelo.game import Game, State
from zermelo.limits import Limit
from zermelo.searching.runtime.move_encoding import EncodedGame
from zermelo.searching.runtime.search_lifecycle import SearchLifecycle
from zermelo.searching.runtime.thread_memory import MAX_NODES, STOP
from zermelo.word_arrays import Words


class SingleKernelSearch(SearchLifecycle):
    """A search with the memory of one thread."""

    def __init__(self, game: Game, state: State, limit: Limit, memory: Words, start: float | None) -> None:
        super().__init__(game, state, limit, start)
        self.rules: Game = game
        self.compiled = False
        self.memory = memory
        self.memory[MAX_NODES] = limit.nodes or 1 << 62

    @abstractmethod
    def _run_kernel(self) -> None:
        """Run the kernel until it ends or is stopped or paused."""

    def _use(self, compiled: bool) -> None:
        """Continue compiled or interpreted."""
        self.compiled = compiled
        self.rules = self.game if compiled else EncodedGame(self.game)

    def _prepare(self, compiled: bool) -> None:
        if not self.finished:
            self._use(compiled)

    def _search(self) -> None:
        if not self.finished:
            self._run_kernel()

    def _stop_kernels(self) -> None:
        self.memory[STOP] = 1

    def _pause_kernels(self) -> None:
        self.memory[STOP] = 1

    def _resume_kernels(self) -> None:
        self.memory[STOP] = self.stopped

    @property
    def must_stop(self) -> bool:
        """Whether the search is stopped or paused."""
        return self.stopped or self.paused

    def _replace_memory(self, memory: Words, counters: tuple[int, ...]) -> None:
        """Replace the memory by a wider one, with these counters copied."""
        with self.lock:
            for counter in counters:
                memory[counter] = self.memory[counter]
            self.memory = memory
            self.memory[STOP] = self.must_stop  # the clock may have run out since
