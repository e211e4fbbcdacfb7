"""The crew: threads that share a range of work, and what is done when one of them comes back early."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from zermelo.solving.retrograde.solver_memory import (
    INNER_MOVES,
    MAX_MOVES,
    NEW_STATES,
    STOP_DETAIL,
    STOP_REASON,
    TOO_MANY_MOVES,
    new_memory,
)
from zermelo.word_arrays import Words

MIN_CHUNK, MAX_CHUNK = 1 << 13, 1 << 16
"""How many states a thread takes at once."""

Job = Callable[[int, Words, int, int], int]
"""What a thread does with a part of the work: its number, its memory, from where and to where; how far it came."""

Recover = Callable[[int, int, int], None]
"""What is done about a reason, with the number it is about and how far the thread came."""


class WorkerPool:
    """Threads, each with its own memory."""

    def __init__(self, threads: int, fields: int, words: int, step: int) -> None:
        self.threads = threads
        self.shape = fields, words
        self.step = step
        self.stopped = False
        self.executor = ThreadPoolExecutor(threads)
        self.grow(64)

    def grow(self, width: int) -> None:
        """Give every thread memory for states of so many moves."""
        before = getattr(self, "memories", [])
        self.memories = [new_memory(*self.shape, width, self.step) for _ in range(self.threads)]
        for old, new in zip(before, self.memories, strict=False):
            new[INNER_MOVES], new[NEW_STATES] = old[INNER_MOVES], old[NEW_STATES]

    def total(self, counter: int) -> int:
        """The sum of a counter over all threads."""
        return sum(memory[counter] for memory in self.memories)

    def reset(self, counter: int) -> None:
        for memory in self.memories:
            memory[counter] = 0

    def parallel_for(
        self,
        count: int,
        job: Job,
        recover: Recover | None = None,
        on_progress: Callable[[int], None] | None = None,
        threads: int | None = None,
    ) -> None:
        """Have a job done for all numbers below `count`, in order by one thread alone; `told` hears how many more."""
        threads = threads or self.threads
        size = max(MIN_CHUNK, min(MAX_CHUNK, count // (8 * threads) or 1))
        parts = deque((start, min(start + size, count)) for start in range(0, count, size))
        while parts:
            stops = self._round(parts, job, on_progress, threads)
            self._recover(stops, recover)

    def _round(
        self, parts: deque[tuple[int, int]], job: Job, on_progress: Callable[[int], None] | None, threads: int
    ) -> list[list[int]]:
        """Let every thread take parts until none is left, or one of them cannot go on."""
        stops: list[list[int]] = []
        lock = threading.Lock()

        def work(number: int) -> None:
            memory = self.memories[number]
            while not stops and not self.stopped:
                try:
                    start, stop = parts.popleft()
                except IndexError:
                    return
                reached = job(number, memory, start, stop)
                if on_progress is not None:
                    with lock:
                        on_progress(reached - start)
                if reached < stop:
                    parts.appendleft((reached, stop))
                    stops.append([memory[STOP_REASON], memory[STOP_DETAIL], reached])

        if threads == 1 or len(parts) == 1:
            work(0)
        else:
            try:
                list(self.executor.map(work, range(threads)))
            except BaseException:
                self.stopped = True
                raise
        return stops

    def _recover(self, stops: list[list[int]], recover: Recover | None) -> None:
        for why, where, reached in stops:
            if why == TOO_MANY_MOVES:
                if where > self.memories[0][MAX_MOVES]:
                    self.grow(2 * where)
            else:
                assert recover is not None, why
                recover(why, where, reached)
