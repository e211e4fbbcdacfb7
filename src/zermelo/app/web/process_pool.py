"""Workers: processes that own the games named by file, so that rules which nothing can end are left behind with them.

A rule may hold Python's lock for any length of time, and with it every thread of its process. So the server asks such
rules in processes of their own (see worker_process.py), one question at a time. A worker that falls silent is killed,
and the next question goes to a new one. Idle workers beyond a small reserve end after a while.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from zermelo.app.output import say
from zermelo.app.web.rule_pool import PATIENCE, WAITING, Busy, Refusal
from zermelo.app.web.search_pool import Wanted
from zermelo.app.web.worker_main import Question, raise_failure
from zermelo.app.web.worker_process import Lost, Worker

SPARE = 2
"""Workers there may be beyond one for each search."""

KEPT = 1
"""Workers at rest that stay, however long nobody asks anything."""

REST = 60.0
"""Seconds after which the others end: each holds its own databases and compiler."""


class _Spoilt(Exception):
    """A worker was lost whose former questions may be to blame."""


class Workers:
    """The processes of a server, and what they say of their games: `listing` and `named`."""

    def __init__(self, texts: Sequence[str], databases: Sequence[Path], places: int) -> None:
        self.texts = list(texts)
        self.databases = [str(path) for path in databases]
        self._places = threading.BoundedSemaphore(places + SPARE)
        self._lock = threading.Lock()
        self._idle: list[Worker] = []  # the last to come to rest is the first to be asked, so that others can end
        self._all: set[Worker] = set()
        self._closed = threading.Event()
        self._waiting = 0
        first = self._hired()
        self.listing: dict[str, Any] = first.hello["listing"]
        self.named: list[str] = first.hello["named"]
        self._back(first)
        threading.Thread(target=self._thin_out, daemon=True, name="idle workers").start()

    def look(self) -> None:
        """Have the games looked at before they are served: what goes wrong at once is an error."""
        for name in self.named:
            try:
                for found in self.answers(Question("look", name), Wanted()):
                    raise_failure(found)
                    if found["said"]:
                        say(found["said"])
            except Refusal as refused:
                say(f"{refused.sentence} It is served all the same.")

    def answers(self, question: Question, wanted: Wanted) -> Iterator[Any]:
        """What a worker finds, better and better, for as long as anybody wants it."""
        try:
            try:
                yield from self._asked(question, wanted)
            except (
                _Spoilt
            ):  # by what somebody else has asked it: once more, of a process that nobody has asked anything
                yield from self._asked(question, wanted, anew=True)
        except Refusal:
            if self._closed.is_set():
                raise Busy("tasks") from None
            raise

    def _asked(self, question: Question, wanted: Wanted, *, anew: bool = False) -> Iterator[Any]:
        """What one worker finds, a new one if wanted; _Spoilt where it is lost that had other questions before."""
        with self._lent(anew=anew) as worker:
            used, told = worker.number > 0, False
            try:
                for found in worker.answers(question, wanted) if not wanted.stopped else ():
                    told = True
                    yield found
            except Lost:
                if told or not used or self._closed.is_set():
                    raise
                raise _Spoilt from None

    def close(self) -> None:
        """End all processes, whatever they are doing, and begin no other."""
        self._closed.set()
        with self._lock:
            workers = list(self._all)
        for worker in workers:
            worker.process.kill()

    @contextlib.contextmanager
    def _lent(self, *, anew: bool = False) -> Iterator[Worker]:
        """A worker for a question: it comes back at rest, or is ended."""
        if not self._turn():
            raise Busy("requests")
        worker: Worker | None = None
        try:
            worker = (None if anew else self._rested()) or self._hired()
            yield worker
        finally:
            if worker is not None:
                self._back(worker)
            self._places.release()

    def _turn(self) -> bool:
        """Wait for a place; whether there is one in time, and not too many others wait."""
        with self._lock:
            self._waiting += 1
        try:
            return self._waiting <= WAITING and self._places.acquire(timeout=PATIENCE)
        finally:
            with self._lock:
                self._waiting -= 1

    def _rested(self) -> Worker | None:
        """A worker at rest, if there is one; those that something has ended meanwhile are no more."""
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None or worker.alive:
                return worker
            self._dismiss(worker)

    def _hired(self) -> Worker:
        worker = Worker(self.texts, self.databases)
        with self._lock:
            self._all.add(worker)
        if self._closed.is_set():
            worker.process.kill()
        try:
            worker.begin()
        except BaseException:
            self._dismiss(worker)
            raise
        return worker

    def _back(self, worker: Worker) -> None:
        if worker.rest():
            with self._lock:
                self._idle.append(worker)
        else:
            self._dismiss(worker)

    def _thin_out(self) -> None:
        """End workers that have rested for long, all but a few, as long as there is a server."""
        while not self._closed.wait(REST / 4):
            self._end_idle(time.monotonic() - REST)

    def _end_idle(self, since: float) -> None:
        """End the workers that have been at rest since then, all but those that are kept."""
        with self._lock:
            unneeded = [worker for worker in self._idle[:-KEPT] if worker.since <= since]
            self._idle = [worker for worker in self._idle if worker not in unneeded]
        for worker in unneeded:
            self._dismiss(worker)

    def _dismiss(self, worker: Worker) -> None:
        worker.end()
        with self._lock:
            self._all.discard(worker)
