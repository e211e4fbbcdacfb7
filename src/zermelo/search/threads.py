"""Threads: several workers at one search, and the clock that ends it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

TICK = 0.2
"""Seconds after which a thread that waits looks up, since not every system interrupts a wait by Ctrl-C."""

Answer = TypeVar("Answer")

if TYPE_CHECKING:
    from zermelo.search.driver import Search
    from zermelo.search.worker import Worker


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


def in_background(job: Callable[[], Answer], stop: Callable[[], None] = lambda: None) -> Answer:
    """What a job returns. It runs in a thread: machine code does not hear Ctrl-C, but whoever waits for it does.

    Then `stop` is called, and nobody waits for the job any longer.
    """
    answers: list[Answer] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            answers.append(job())
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=work, daemon=True, name="search")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(TICK)
    except BaseException:
        stop()
        raise
    if failures:
        raise failures[0]
    return answers[0]


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
