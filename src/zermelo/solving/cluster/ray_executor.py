"""Tasks on a Ray cluster. What passes through Ray are the game and the names of tasks, facts and reasons, never states.

Ray repeats nothing by itself here: a task that is lost with its worker or node is reported, and the queue decides.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from zermelo.game import GameError
from zermelo.solving.cluster.solve_job import SolveJob, Task
from zermelo.solving.cluster.task_outcomes import ERROR, LOST, MEMORY, Outcome, run_task

WAIT_SECONDS = 0.5
"""How long to wait for a task before the progress is reported, and a user who wants to stop is heard."""

RECONNECT = "run the same command again, and it goes on from there"


class RayExecutor:
    """A connection to a Ray cluster: one that runs, or one of this machine that ends with the process."""

    def __init__(self, where: str, on: str, cpus: int | None) -> None:
        self.where = where
        self.ray = _import_ray(where)
        self.limit = cpus
        self.job: SolveJob
        self._started = not self.ray.is_initialized()
        if self._started:
            self._connect(on, cpus)
        self._remote = self.ray.remote(run_on_worker)
        self._refs: dict[Any, Task] = {}
        self.idle: Callable[[], None] = lambda: None
        self.measure()

    def _connect(self, on: str, cpus: int | None) -> None:
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            if on != "ray":
                self.ray.init(on, **quiet)
                return
            try:
                self.ray.init("auto", **quiet)
            except ConnectionError:  # no cluster runs here
                self.ray.init("local", num_cpus=cpus, include_dashboard=False, **quiet)
        except Exception as error:  # Ray raises many kinds, for an address, a version, a port
            reason = str(error).strip().rpartition("\n")[2].rstrip(".")
            raise GameError(f'{self.where}: on="{on}" cannot be reached: {reason}.') from error

    def close(self) -> None:
        """End the tasks that run, and the connection if it was made here."""
        for ref in list(self._refs):
            with suppress(Exception):  # the cluster may be gone
                self.ray.cancel(ref, force=True)
        self._refs.clear()
        if self._started:
            self.ray.shutdown()

    def measure(self) -> None:
        """Look at how many nodes there are that have CPUs for tasks, and how many CPUs."""
        nodes = [node["Resources"].get("CPU", 0) for node in self.ray.nodes() if node["Alive"]]
        there = [int(cpus) for cpus in nodes if cpus >= 1]
        self.nodes = len(there)
        self.largest_node = max(there, default=1)
        self.node_cpus = min(min(there, default=1), self.limit or self.largest_node)
        self.workers = max(1, min(sum(there), self.limit or sum(there)))

    def wait_for_nodes(self, nodes: int, report: Callable[[], None]) -> None:
        """Wait until this number of nodes is there."""
        while self.nodes < nodes:
            report()
            time.sleep(WAIT_SECONDS)
            self.measure()

    def submit(self, task: Task, cpus: int) -> None:
        cpus = max(1, min(cpus, self.node_cpus))
        remote = self._remote.options(num_cpus=cpus, max_retries=0, scheduling_strategy="SPREAD", name=repr(task))
        self._refs[remote.remote(self.job, task, cpus, cpus / self.largest_node)] = task

    def next_outcome(self) -> tuple[Task, Outcome]:
        errors = self.ray.exceptions
        ready: list[Any] = []
        try:
            while not ready:
                ready, _ = self.ray.wait(list(self._refs), num_returns=1, timeout=WAIT_SECONDS)
                self.idle()
        except (ConnectionError, errors.RaySystemError) as error:
            raise self._disconnected() from error
        task = self._refs.pop(ready[0])
        try:
            return task, self.ray.get(ready[0])
        except (errors.OutOfMemoryError, errors.WorkerCrashedError):
            return task, Outcome(MEMORY, "its worker died, perhaps for lack of memory")
        except errors.RayTaskError as error:
            return task, Outcome(ERROR, self._failure(task, error))
        except ConnectionError as error:
            raise self._disconnected() from error
        except errors.RayError as error:
            return task, Outcome(LOST, str(error).strip().partition("\n")[0].rstrip("."))

    def _failure(self, task: Task, error: Any) -> str:
        """Return a sentence about an exception of a task that no task should raise."""
        reason = str(error.cause or error).strip().rpartition("\n")[2].rstrip(".")
        if isinstance(error.cause, ImportError) or "ModuleNotFoundError" in reason:
            return f"{self.where}: a worker could not begin: {reason}. Install Zermelo on all nodes."
        return f"{self.where}: the task {task} failed: {type(error.cause).__name__}: {reason}."

    def _disconnected(self) -> GameError:
        return GameError(f"{self.where}: the connection to the Ray cluster was lost; {RECONNECT}.")


def run_on_worker(job: SolveJob, task: Task, threads: int, share: float) -> Outcome:
    """Do a task in a process of Ray. One that has run out of memory ends, and its memory is free for others."""
    outcome = run_task(job, task, threads, share)
    if outcome.kind == MEMORY:
        os._exit(1)
    return outcome


def _import_ray(where: str) -> Any:
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise GameError(f'{where}: on="ray" needs Ray and fsspec: pip install "zermelo[cluster]".') from None
    return ray
