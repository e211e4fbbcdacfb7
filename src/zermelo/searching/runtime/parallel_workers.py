"""The worker pool of an alpha-beta search: one worker for each thread, and the table that they share."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.game import Game, State
from zermelo.limits import Limit
from zermelo.searching.alphabeta.transposition_table import TranspositionTable
from zermelo.searching.chance.chance_sampling import ChanceSampling
from zermelo.searching.runtime.search_worker import Worker, evaluation_unit
from zermelo.searching.runtime.thread_memory import UNLIMITED_NODES


class WorkerPool:
    """Workers that search one state. Compiled there is one for each thread; interpreted there is one."""

    def __init__(
        self,
        game: Game,
        state: State,
        limit: Limit,
        table: TranspositionTable,
        *,
        threads: int,
        sampling: ChanceSampling,
        grows: bool,
        root_on_path: bool,
        history: Sequence[State],
    ) -> None:
        self.game = game
        self.state = state
        self.limit = limit
        self.unit = evaluation_unit(game, state, table.unit_of(game))
        table.begin(game, self.unit, whole=not grows)
        self.shared = table
        self.table = table.words
        self.age = table.age
        self.threads = threads
        self.sampling = sampling
        self.grows = grows
        self.root_on_path = root_on_path
        self.history = history
        self.workers: list[Worker] = []
        self._former_nodes = 0

    def start(self, compiled: bool) -> None:
        """Start the workers; compiled ones continue with the nodes and the table of an interpreted one."""
        count = self.threads if compiled else 1
        if self.workers:
            self._former_nodes = self.workers[0].nodes
            self.table = self.workers[0].table
        left = max(1, self.limit.nodes - self._former_nodes) if self.limit.nodes else UNLIMITED_NODES
        self.workers = [self._new_worker(compiled, number, count, left) for number in range(count)]

    def _new_worker(self, compiled: bool, number: int, count: int, nodes: int) -> Worker:
        return Worker(
            self.game,
            self.state,
            self.table,
            compiled=compiled,
            nodes=-(-nodes // count),
            number=number,
            threads=count,
            sampling=self.sampling,
            max_megabytes=self.shared.megabytes if self.grows else 0,
            age=self.age,
            unit=self.unit,
            root_on_path=self.root_on_path,
            history=self.history,
        )

    def keep_table(self) -> None:
        """Leave the table, which may have grown, to the next search."""
        if self.workers:
            self.shared.keep(self.workers[0].table)

    @property
    def nodes(self) -> int:
        """Nodes of all workers, and of the interpreted one before them."""
        return self._former_nodes + sum(worker.nodes for worker in self.workers)

    @property
    def out_of_nodes(self) -> bool:
        return all(worker.out_of_nodes for worker in self.workers)

    def stop(self) -> None:
        """Stop all workers for good."""
        for worker in self.workers:
            worker.stop()

    def interrupt(self) -> None:
        """End what the workers run."""
        for worker in self.workers:
            worker.interrupt()
