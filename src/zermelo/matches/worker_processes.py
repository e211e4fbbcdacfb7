"""The processes that play the games of a match, as the match sees them.

Where game and players have names that another process can load, a worker is a new Python. Otherwise, as for classes in
a notebook, it is a copy of this process, where the system has such.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from abc import ABC, abstractmethod
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any

from zermelo.game import GameError
from zermelo.matches.game_worker import Setup, task_message, work
from zermelo.matches.single_game import Task

GRACE = 2.0
"""Seconds after a player's time before its process is killed: the worker itself ends what it can end."""

END_SECONDS = 1.0
"""Seconds in which a worker ends the programs that it has started, before it is killed."""

Inbox = SimpleQueue["tuple[WorkerProcess, dict[str, Any] | None]"]


class WorkerProcess(ABC):
    """A worker: the task that it has, whose turn it is there, and until when."""

    def __init__(self, inbox: Inbox) -> None:
        self.task: Task | None = None
        self.side: int | None = None
        self.allowed: float | None = None
        self.deadline: float | None = None
        self.moves: list[str] = []
        self.tasks, answers = self._start()
        threading.Thread(target=_forward, args=(self, answers, inbox), daemon=True, name="worker").start()

    @abstractmethod
    def _start(self) -> tuple[IO[str], IO[str]]:
        """Start the process; return what tasks are written to and answers are read from."""

    def give(self, task: Task) -> None:
        """Give it a game to play."""
        self.task, self.side, self.deadline, self.moves = task, None, None, list(task.opening.moves)
        with suppress(OSError):  # its end is reported by its other pipe
            self.tasks.write(json.dumps(task_message(task)) + "\n")
            self.tasks.flush()

    def note(self, side: int, allowed: float | None, moves: list[str]) -> None:
        """Note whose turn it is."""
        self.side, self.allowed, self.moves = side, allowed, moves
        self.deadline = None if allowed is None else time.monotonic() + allowed + GRACE

    @property
    def overdue(self) -> bool:
        return self.deadline is not None and time.monotonic() > self.deadline

    def end(self) -> None:
        """End the process and the programs that it has started."""
        self.deadline = None
        with suppress(OSError, ValueError):
            self.tasks.close()
        self._end()

    @abstractmethod
    def _end(self) -> None: ...

    @abstractmethod
    def exit_code(self) -> int | None:
        """Why it ended: its exit code, or the negative number of a signal."""


class NewPython(WorkerProcess):
    """A worker that makes game and players from their texts."""

    def __init__(self, setup: dict[str, Any], inbox: Inbox) -> None:
        self._setup = setup
        super().__init__(inbox)

    def _start(self) -> tuple[IO[str], IO[str]]:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "zermelo.matches.game_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for the match, which then ends its workers
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.write(json.dumps(self._setup) + "\n")
            self._process.stdin.flush()
        return self._process.stdin, self._process.stdout

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def exit_code(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)
        return self._process.poll()


class ForkedPython(WorkerProcess):
    """A worker that is a copy of this process, with its game and its players. It keeps no file of the match open."""

    def __init__(self, setup: Setup, inbox: Inbox, others: list[ForkedPython], unused: list[int]) -> None:
        self._setup = setup
        self._unused = [*unused, *(each.tasks.fileno() for each in others)]
        self._code: int | None = None
        super().__init__(inbox)

    def _start(self) -> tuple[IO[str], IO[str]]:
        tasks_out, tasks_in = os.pipe()
        answers_out, answers_in = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the copy runs no thread but this one
            self._pid = os.fork()
        if self._pid == 0:
            try:
                os.setsid()
                work(self._setup, tasks_out, answers_in, [*self._unused, tasks_in, answers_out])
            finally:
                os._exit(0)
        os.close(tasks_out)
        os.close(answers_in)
        return os.fdopen(tasks_in, "w", encoding="utf-8"), os.fdopen(answers_out, encoding="utf-8")

    def _end(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(OSError):
                os.kill(self._pid, number)
            if self.exit_code() is not None:
                return

    def exit_code(self) -> int | None:
        end = time.monotonic() + END_SECONDS
        while self._code is None and time.monotonic() < end:
            with suppress(ChildProcessError):
                pid, status = os.waitpid(self._pid, os.WNOHANG)
                if pid:
                    self._code = os.waitstatus_to_exitcode(status)
                    break
            time.sleep(0.005)
        return self._code


def _forward(worker: WorkerProcess, answers: IO[str], inbox: Inbox) -> None:
    """Put a worker's messages into the inbox, and None when it has ended."""
    with suppress(OSError, ValueError), answers:
        for line in answers:
            inbox.put((worker, json.loads(line)))
    inbox.put((worker, None))


class WorkerPool:
    """Starts the workers of a match, and ends them."""

    def __init__(self, setup: Setup, unused: list[int]) -> None:
        self.setup, self.unused = setup, unused
        self.texts = setup.to_json()
        self.inbox: Inbox = SimpleQueue()
        self.workers: list[WorkerProcess] = []
        if self.texts is None and not hasattr(os, "fork"):
            raise GameError(
                "A match with a game or a player that is no text needs a system that can fork. Put the class into a "
                "file and name it, as in my_player.py:MyPlayer."
            )

    def start(self) -> WorkerProcess:
        """A new worker."""
        worker: WorkerProcess
        if self.texts is not None:
            worker = NewPython(self.texts, self.inbox)
        else:
            forked = [each for each in self.workers if isinstance(each, ForkedPython)]
            worker = ForkedPython(self.setup, self.inbox, forked, self.unused)
        self.workers.append(worker)
        return worker

    def end(self, worker: WorkerProcess) -> None:
        worker.end()
        if worker in self.workers:
            self.workers.remove(worker)

    def close(self) -> None:
        for worker in [*self.workers]:
            self.end(worker)
