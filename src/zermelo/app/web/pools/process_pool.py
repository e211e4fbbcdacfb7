"""The process pool: processes that own the games named by file, so that rules which cannot be interrupted are killed.

A rule may hold Python's lock for any length of time, and with it every thread of its process. So the server calls such
rules in processes of their own (see worker_process.py), one request at a time. A worker that falls silent is killed,
and the next request goes to a new one. Idle workers beyond a small reserve end after a while.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from zermelo.app.output import say
from zermelo.app.web.pools.rule_pool import MAX_QUEUED_REQUESTS, QUEUE_TIMEOUT
from zermelo.app.web.pools.search_pool import SearchControl
from zermelo.app.web.pools.worker_main import WorkerRequest, raise_failure
from zermelo.app.web.pools.worker_process import Worker, WorkerLost
from zermelo.app.web.request_errors import ApiError, ServerBusy
from zermelo.app.web.solved_games import SolvedGames

SPARE_WORKERS = 2
"""Workers there may be beyond one for each search."""

MIN_IDLE_WORKERS = 1
"""Idle workers that stay, however long no request comes."""

IDLE_TIMEOUT = 60.0
"""Seconds after which the other idle workers end: each holds its own databases and compiler."""


class _UsedWorkerLost(Exception):
    """A worker was lost that an earlier request may have broken."""


class ProcessPool:
    """The worker processes of a server, and what they say of their games: `listing` and `named`."""

    def __init__(self, texts: Sequence[str], databases: Sequence[Path], slots: int) -> None:
        self.texts = list(texts)
        self.databases = [str(path) for path in databases]
        self._solved = SolvedGames()
        self._slots = threading.BoundedSemaphore(slots + SPARE_WORKERS)
        self._lock = threading.Lock()
        self._idle: list[Worker] = []  # a stack: the worker that became idle last is used first, so that others can end
        self._all: set[Worker] = set()
        self._closed = threading.Event()
        self._queued = 0
        first = self._start_worker()
        self.listing: dict[str, Any] = first.hello["listing"]
        self.named: list[str] = first.hello["named"]
        self._return_worker(first)
        threading.Thread(target=self._reap_idle_workers, daemon=True, name="idle workers").start()

    def check_games(self) -> None:
        """Check the games before they are served. Raise what their rules raise at once; report rules that time out."""
        for name in self.named:
            try:
                for found in self.results(WorkerRequest("check", name), SearchControl()):
                    raise_failure(found)
                    if found["warning"]:
                        say(found["warning"])
            except ApiError as error:
                say(f"{error.sentence} It is served all the same.")

    def results(self, request: WorkerRequest, control: SearchControl) -> Iterator[Any]:
        """Yield what a worker finds, better and better, until the client stops it."""
        try:
            try:
                yield from self._results(request, control)
            except _UsedWorkerLost:  # broken by another request, perhaps: try once more, with a new process
                yield from self._results(request, control, new=True)
        except ApiError:
            if self._closed.is_set():
                raise ServerBusy("tasks") from None
            raise

    def _results(self, request: WorkerRequest, control: SearchControl, *, new: bool = False) -> Iterator[Any]:
        """Yield what one worker finds. Raise _UsedWorkerLost if it is lost and has had other requests before."""
        with self._borrowed_worker(new=new) as worker:
            used, answered = worker.number > 0, False
            try:
                for found in worker.results(request, control) if not control.stopped else ():
                    answered = True
                    yield found
            except WorkerLost:
                if answered or not used or self._closed.is_set():
                    raise
                raise _UsedWorkerLost from None

    def close(self) -> None:
        """Kill all processes, whatever they are doing, and start no other."""
        self._closed.set()
        with self._lock:
            workers = list(self._all)
        for worker in workers:
            worker.process.kill()
        self._solved.close()

    @contextlib.contextmanager
    def _borrowed_worker(self, *, new: bool = False) -> Iterator[Worker]:
        """A worker for one request. Afterwards it is idle, or killed."""
        if not self._acquire_slot():
            raise ServerBusy("requests")
        worker: Worker | None = None
        try:
            worker = (None if new else self._idle_worker()) or self._start_worker()
            yield worker
        finally:
            if worker is not None:
                self._return_worker(worker)
            self._slots.release()

    def _acquire_slot(self) -> bool:
        """Wait for a slot; False if none becomes free in time, or too many others wait."""
        with self._lock:
            self._queued += 1
        try:
            return self._queued <= MAX_QUEUED_REQUESTS and self._slots.acquire(timeout=QUEUE_TIMEOUT)
        finally:
            with self._lock:
                self._queued -= 1

    def _idle_worker(self) -> Worker | None:
        """An idle worker that is still alive, if there is one."""
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None or worker.alive:
                return worker
            self._discard(worker)

    def _start_worker(self) -> Worker:
        worker = Worker(self.texts, self.databases, str(self._solved.folder))
        with self._lock:
            self._all.add(worker)
        if self._closed.is_set():
            worker.process.kill()
        try:
            worker.wait_until_loaded()
        except BaseException:
            self._discard(worker)
            raise
        return worker

    def _return_worker(self, worker: Worker) -> None:
        if worker.become_idle():
            with self._lock:
                self._idle.append(worker)
        else:
            self._discard(worker)

    def _reap_idle_workers(self) -> None:
        """End workers that have been idle for long, until the pool is closed."""
        while not self._closed.wait(IDLE_TIMEOUT / 4):
            self._end_idle(time.monotonic() - IDLE_TIMEOUT)

    def _end_idle(self, since: float) -> None:
        """End the workers that have been idle since then, all but MIN_IDLE_WORKERS."""
        with self._lock:
            unneeded = [worker for worker in self._idle[:-MIN_IDLE_WORKERS] if worker.idle_since <= since]
            self._idle = [worker for worker in self._idle if worker not in unneeded]
        for worker in unneeded:
            self._discard(worker)

    def _discard(self, worker: Worker) -> None:
        worker.kill()
        with self._lock:
            self._all.discard(worker)
