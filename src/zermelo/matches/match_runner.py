"""Plays the games of a match in several processes, and yields their records as they end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from queue import Empty
from typing import Any

from zermelo.game import GameError
from zermelo.matches.game_worker import Setup
from zermelo.matches.single_game import Task, lost_record
from zermelo.matches.worker_processes import WorkerPool, WorkerProcess

POLL_SECONDS = 0.2
"""Seconds between two looks at the workers; Ctrl-C is heard then."""


def play_all(setup: Setup, tasks: Iterable[Task], concurrency: int, unused: list[int]) -> Iterator[dict[str, Any]]:
    """Yield the record of each game as it ends, in any order. Leaving the loop ends the games that are being played.

    A worker that does not answer any more, or ends, costs the player its game whose turn it is, and is replaced.
    """
    left = iter(tasks)
    pool = WorkerPool(setup, unused)
    try:
        waiting = next(left, None)
        while waiting is not None or any(worker.task for worker in pool.workers):
            while waiting is not None and (worker := _idle(pool, concurrency)) is not None:
                worker.give(waiting)
                waiting = next(left, None)
            yield from _receive(pool)
            yield from _overdue(pool)
    finally:
        pool.close()


def _idle(pool: WorkerPool, concurrency: int) -> WorkerProcess | None:
    """A worker without a task, a new one if there may be more; None if all are playing."""
    for worker in pool.workers:
        if worker.task is None:
            return worker
    return pool.start() if len(pool.workers) < concurrency else None


def _receive(pool: WorkerPool) -> Iterator[dict[str, Any]]:
    """Take the next message, if one comes in time."""
    try:
        worker, message = pool.inbox.get(timeout=POLL_SECONDS)
    except Empty:
        return
    if worker not in pool.workers:
        return  # it was ended, and this is what it said before
    if message is None:
        yield from _ended(pool, worker)
    elif "turn" in message:
        worker.note(*message["turn"])
    elif "game" in message:
        worker.task = worker.deadline = None
        yield message["game"]
    else:
        raise GameError(message["error"])


def _ended(pool: WorkerPool, worker: WorkerProcess) -> Iterator[dict[str, Any]]:
    """A worker has ended: the player whose turn it is there has ended it."""
    code = worker.exit_code()
    if worker.side is None:
        raise GameError(f"{pool.setup.game!r}: a process of the match has ended with exit code {code}.")
    yield from _lost(pool, worker, f"ends its process, with exit code {code}")


def _overdue(pool: WorkerPool) -> Iterator[dict[str, Any]]:
    """End the workers that do not answer in time."""
    for worker in [*pool.workers]:
        if worker.overdue:
            yield from _lost(pool, worker, f"does not answer within {worker.allowed:.3g} s")


def _lost(pool: WorkerPool, worker: WorkerProcess, why: str) -> Iterator[dict[str, Any]]:
    pool.end(worker)
    if worker.task is None or worker.side is None:
        return
    names = [pool.setup.players[number].name for number in worker.task.seats]
    yield lost_record(pool.setup.game, worker.task, names, worker.side, worker.moves, why)
