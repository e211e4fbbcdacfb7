"""The worker pool of an alpha-beta search: one worker for each thread, and the table that they share."""

from __future__ import annotations

from zermelo.game import Game, State
from zermelo.limits import Limit
from zermelo.searching.chance.chance_sampling import ChanceSampling
from zermelo.searching.runtime.search_worker import Worker
from zermelo.word_arrays import Words

UNLIMITED_NODES = 1 << 62
"""The node limit of a search without one."""


class WorkerPool:
    """Workers that search one state. Compiled there is one for each thread; interpreted there is one."""

    def __init__(
        self,
        game: Game,
        state: State,
        limit: Limit,
        table: Words,
        *,
        threads: int,
        sampling: ChanceSampling,
        max_megabytes: float,
        root_on_path: bool,
    ) -> None:
        self.game = game
        self.state = state
        self.limit = limit
        self.table = table
        self.threads = threads
        self.sampling = sampling
        self.max_megabytes = max_megabytes
        self.root_on_path = root_on_path
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
            max_megabytes=self.max_megabytes,
            root_on_path=self.root_on_path,
        )

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
