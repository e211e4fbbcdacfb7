"""Search threads: run a job on several workers, interruptibly, or until a deadline."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from zermelo.searching.runtime.reused_threads import start_thread

POLL_SECONDS = 0.2
"""Seconds between two checks of a waiting thread, since not every system interrupts a wait by Ctrl-C."""

STOP_SECONDS = 1.0
"""Seconds to wait for a job that was stopped."""

Answer = TypeVar("Answer")

if TYPE_CHECKING:
    from zermelo.limits import Limit
    from zermelo.searching.runtime.search_driver import AlphaBetaSearch
    from zermelo.searching.runtime.search_worker import Worker


HELPER_DELAY = 0.005
"""Seconds after which helper threads start: shorter searches are faster without them."""


def run_on_workers(search: AlphaBetaSearch, job: Callable[[AlphaBetaSearch, Worker], None]) -> None:
    """Run a job on all workers of a search: the first in this thread, the others in threads of their own.

    They share the table; the search records the first result and interrupts the others. An exception of one of them is
    raised here when all have ended.
    """
    failures: list[BaseException] = []
    ended = threading.Event()

    def help_search(worker: Worker) -> None:
        try:
            if not ended.wait(HELPER_DELAY):
                job(search, worker)
        except BaseException as error:
            failures.append(error)
            search.finish()

    helpers = [threading.Thread(target=help_search, args=(worker,), daemon=True) for worker in search.workers[1:]]
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
    """Run a job in a thread and return its result, so that Ctrl-C interrupts compiled code.

    On Ctrl-C, call `stop`, which ends the job at once unless it is compiling, and wait STOP_SECONDS at most.
    """
    answers: list[Answer] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            answers.append(job())
        except BaseException as error:
            failures.append(error)
        ended.set()

    ended = threading.Event()  # in Python 3.11 a join that Ctrl-C interrupts marks the thread as dead
    threading.Thread(target=work, daemon=True, name="search").start()
    try:
        while not ended.wait(POLL_SECONDS):
            pass
    except BaseException:
        if stop is not None:
            stop()
            ended.wait(STOP_SECONDS)
        raise
    if failures:
        raise failures[0]
    return answers[0]


def time_left(limit: Limit, start: float, part: float = 1) -> float | None:
    """Seconds until a part of a time limit that counts from `start` is over; None without a time limit."""
    if limit.seconds is None:
        return None
    return max(0.0, start + part * limit.seconds - time.perf_counter())


@contextmanager
def deadline(seconds: float | None, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` after `seconds`, unless the block is left before."""
    if seconds is None:
        yield
        return
    left = threading.Event()

    def wait() -> None:
        if not left.wait(seconds):
            stop()

    start_thread(wait, "deadline")
    try:
        yield
    finally:
        left.set()
