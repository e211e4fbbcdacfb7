"""Workers: processes that own the games named by file, so that rules which nothing can end are left behind with them.

A rule may hold Python's lock for as long as it likes, and with it every thread of its process. So the server asks such
rules in processes of their own, one question at a time: a worker that falls silent is killed, and the next question
goes to a new one. Both sides speak in lists of JSON. A worker hears ["ask", ...], ["late"] and ["stop"]; it tells
["alive"] now and then, ["lasts", seconds], ["found", record], ["refused", status, sentence, retry], and ["done"] at
the end.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from zermelo.app.output import say
from zermelo.app.web.answering import Question, raise_failure, work
from zermelo.app.web.searching import GRACE, Wanted
from zermelo.app.web.working import PATIENCE, SECONDS, WAITING, Busy, Refusal
from zermelo.game import GameError

START = 60.0
"""Seconds that a worker may take to load its games."""

SILENCE = 5.0
"""Seconds without a word after which a worker is given up; at work it says that it is alive much more often."""

LAST_WORD = 1.0
"""Seconds that a worker has for its answer once it was told that it is late, or that nobody wants to know."""

SPARE = 2
"""Workers there may be beyond one for each search."""


class GivenUp(Refusal):
    """A worker was asked, and has fallen silent or does not end."""

    def __init__(self) -> None:
        super().__init__(
            422, f"The rules of the game took longer than {SECONDS:g} seconds; only their process could be ended."
        )


class Workers:
    """The processes of a server, and what they say of their games: `listing` and `named`."""

    def __init__(self, texts: Sequence[str], databases: Sequence[Path], places: int) -> None:
        self.texts = list(texts)
        self.databases = [str(path) for path in databases]
        self.most = places + SPARE
        self._places = threading.BoundedSemaphore(self.most)
        self._lock = threading.RLock()  # a second signal may come while the first has it
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._closed = False
        self._waiting = 0
        first = self._hired()
        self.listing: dict[str, Any] = first.hello["listing"]
        self.named: list[str] = first.hello["named"]
        self._idle.append(first)

    def look(self) -> None:
        """Have the games looked at before they are served: what goes wrong at once is an error."""
        try:
            for found in self.answers(Question("look"), Wanted()):
                raise_failure(found)
                if found["said"]:
                    say(found["said"])
        except Refusal as refused:
            say(f"{refused.sentence} The games are served all the same.")

    def answers(self, question: Question, wanted: Wanted) -> Iterator[Any]:
        """What a worker finds, better and better, for as long as anybody wants it."""
        with self._lent() as worker:
            wanted.end = worker.stop
            try:
                if not wanted.stopped:
                    yield from worker.answers(question, wanted)
            except Refusal:
                if self._closed:
                    raise Busy("tasks") from None
                raise

    def close(self) -> None:
        """End all processes, whatever they are doing, and begin no other."""
        with self._lock:
            self._closed = True
            workers = list(self._all)
        for worker in workers:
            worker.process.kill()

    @contextlib.contextmanager
    def _lent(self) -> Iterator[Worker]:
        """A worker for a question: it comes back at rest, or is ended."""
        if not self._turn():
            raise Busy("requests")
        worker: Worker | None = None
        try:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            worker = worker or self._hired()
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

    def _hired(self) -> Worker:
        worker = Worker(self.texts, self.databases)
        with self._lock:
            self._all.add(worker)
        if self._closed:
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

    def _dismiss(self, worker: Worker) -> None:
        worker.end()
        with self._lock:
            self._all.discard(worker)


class Worker:
    """One process, as the server sees it."""

    def __init__(self, texts: list[str], databases: list[str]) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, texts, databases), daemon=True, name="games")
        self.process.start()
        theirs.close()
        self.hello: dict[str, Any] = {}
        self.busy = self.lost = False
        self._sending = threading.Lock()

    def begin(self) -> None:
        """Wait until its games are loaded; a sentence where they cannot be."""
        try:
            told = self._next(time.monotonic() + START)
        except Refusal as ended:
            raise GameError(ended.sentence) from None
        if told is None:
            raise GameError(f"The games did not load within {START:g} seconds.")
        raise_failure(told[1])
        self.hello = told[1]

    def answers(self, question: Question, wanted: Wanted) -> Iterator[Any]:
        """What it finds. A Refusal where the rules raise, take too long, or end the process."""
        self.busy = True
        self._send(["ask", asdict(question)])
        due, late = time.monotonic() + SECONDS, False
        while True:
            told = self._next(min(due, time.monotonic() + SILENCE))
            now = time.monotonic()
            kind, *rest = told or ["silent"]
            if kind == "found":
                yield rest[0]
            elif kind == "lasts":
                due = now + rest[0] + GRACE
                wanted.lasts(rest[0])
            elif kind == "refused":
                raise Refusal(*rest)
            elif kind == "done":
                self.busy = False
                return
            elif now >= due and not late:
                due, late = now + LAST_WORD, True
                self._send(["late"])
            elif now >= due or kind == "silent":
                self.lost = True
                raise GivenUp

    def stop(self) -> None:
        """Nobody wants the answer any more."""
        self._send(["stop"])

    def rest(self) -> bool:
        """Whether it is ready for the next question, in a moment at most."""
        if self.busy and not self.lost and self.process.is_alive():
            self._send(["stop"])
            self._send(["late"])
            until = time.monotonic() + LAST_WORD
            with contextlib.suppress(Refusal):
                while self.busy and (told := self._next(until)) is not None:
                    self.busy = told[0] != "done"
        return not self.busy and self.process.is_alive()

    def end(self) -> None:
        self.process.kill()
        self.process.join(LAST_WORD)
        self.connection.close()

    def _next(self, until: float) -> list[Any] | None:
        """The next that it tells; None where it tells nothing by then."""
        try:
            if not self.connection.poll(max(0.0, until - time.monotonic())):
                return None
            told: list[Any] = json.loads(self.connection.recv_bytes())
        except (EOFError, OSError):
            self.process.join(LAST_WORD)
            raise Refusal(422, _how_it_ended(self.process.exitcode)) from None
        return told

    def _send(self, message: list[Any]) -> None:
        with self._sending, contextlib.suppress(OSError, ValueError):  # it has ended, which is seen where it is heard
            self.connection.send_bytes(json.dumps(message).encode())


def _how_it_ended(code: int | None) -> str:
    """What is said of a worker that is no more.

    >>> _how_it_ended(-11)
    'The process of the game ended by signal 11: a rule may have ended it.'
    """
    how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
    return f"The process of the game ended {how}: a rule may have ended it."
