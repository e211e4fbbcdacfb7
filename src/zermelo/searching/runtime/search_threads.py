"""Threads: several workers at one search, and the clock that ends it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

TICK = 0.2
"""Seconds after which a thread that waits looks up, since not every system interrupts a wait by Ctrl-C."""

FAREWELL = 1.0
"""Seconds in which a job that was stopped has surely ended, if it listens at all."""

Answer = TypeVar("Answer")

if TYPE_CHECKING:
    from zermelo.limits import Limit
    from zermelo.searching.runtime.search_driver import Search
    from zermelo.searching.runtime.search_worker import Worker


DELAY = 0.005
"""Seconds after which helpers begin: what is over by then is done sooner alone."""


def together(search: Search, job: Callable[[Search, Worker], None]) -> None:
    """Do a job with all workers of a search: the first in this thread, the others in threads of their own.

    They share the table; the first to find something tells the search, which sends the others on. What one of them
    raises is raised here, when all have ended.
    """
    failures: list[BaseException] = []
    ended = threading.Event()

    def help_out(worker: Worker) -> None:
        try:
            if not ended.wait(DELAY):
                job(search, worker)
        except BaseException as error:
            failures.append(error)
            search.finish()

    helpers = [threading.Thread(target=help_out, args=(worker,), daemon=True) for worker in search.workers[1:]]
    for helper in helpers:
        helper.start()
    try:
        job(search, search.workers[0])
    finally:
        ended.set()
        if helpers:
            search.finish()
        for helper in helpers:
            helper.join()
    if failures:
        raise failures[0]


def in_background(job: Callable[[], Answer], stop: Callable[[], None] | None = None) -> Answer:
    """What a job returns. It runs in a thread: machine code does not hear Ctrl-C, but whoever waits for it does.

    Then `stop` is called, which ends the job at once unless it is with the compiler; nobody waits for that, nor for a
    job that cannot be stopped.
    """
    answers: list[Answer] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            answers.append(job())
        except BaseException as error:
            failures.append(error)
        ended.set()

    ended = threading.Event()  # a thread that is joined passes for dead once Ctrl-C interrupts that, in Python 3.11
    threading.Thread(target=work, daemon=True, name="search").start()
    try:
        while not ended.wait(TICK):
            pass
    except BaseException:
        if stop is not None:
            stop()
            ended.wait(FAREWELL)
        raise
    if failures:
        raise failures[0]
    return answers[0]


def time_left(limit: Limit, start: float, part: float = 1) -> float | None:
    """Seconds until this part of a limit is over that runs since `start`; None where there is no limit of time."""
    if limit.seconds is None:
        return None
    return max(0.0, start + part * limit.seconds - time.perf_counter())


@contextmanager
def deadline(seconds: float | None, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` when so many seconds are over, unless the block is left before."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
