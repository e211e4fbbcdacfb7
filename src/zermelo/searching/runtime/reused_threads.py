"""Threads that are used again: on a busy machine a new thread waits long for its first turn, one that slept does not.

A search starts up to four threads (its own, two deadlines, the one that answers a GUI). With twenty processes on two
cores, each new thread came late by tens of milliseconds, which lost games with a second on the clock.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue

MAX_IDLE = 16
"""Threads that wait for another job; more end."""

IDLE_NAME = "idle thread of searches"


class RunningJob:
    """A job that runs in another thread; `join` and `is_alive` are those of a thread."""

    def __init__(self, job: Callable[[], object], name: str) -> None:
        self.job, self.name = job, name
        self.ended = threading.Event()

    def join(self, timeout: float | None = None) -> None:
        self.ended.wait(timeout)

    def is_alive(self) -> bool:
        return not self.ended.is_set()


class _Runner(threading.Thread):
    """Runs one job after another."""

    def __init__(self) -> None:
        super().__init__(daemon=True, name=IDLE_NAME)
        self.jobs: SimpleQueue[RunningJob] = SimpleQueue()

    def run(self) -> None:
        while True:
            self._run_job(self.jobs.get())
            if len(_idle) >= MAX_IDLE:
                return
            _idle.append(self)

    def _run_job(self, running: RunningJob) -> None:
        self.name = running.name
        try:
            running.job()
        except BaseException:
            threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), self)))
        finally:
            self.name = IDLE_NAME
            running.ended.set()


_idle: list[_Runner] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # a copy of the process has none of the threads


def start_thread(job: Callable[[], object], name: str) -> RunningJob:
    """Run a job in a daemon thread, one that waits for work if there is one.

    >>> answers = []
    >>> start_thread(lambda: answers.append(42), "example").join()
    >>> answers
    [42]
    """
    running = RunningJob(job, name)
    try:
        runner = _idle.pop()
    except IndexError:
        runner = _Runner()
        runner.start()
    runner.jobs.put(running)
    return running
