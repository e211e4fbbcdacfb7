"""The worker pool: threads that share a range of work, and recovery when one of them stops early."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from zermelo.solving.retrograde.solver_memory import (
    CHANGES,
    INNER_MOVES,
    LONGEST,
    MAX_MOVES,
    STOP_DETAIL,
    STOP_REASON,
    TOO_MANY_MOVES,
    new_memory,
)
from zermelo.word_arrays import Words

MIN_CHUNK, MAX_CHUNK = 1 << 9, 1 << 16
"""States that a thread takes at a time, at least and at most."""

SLICE = 1 << 18
"""Numbers of an array that NumPy works on at a time: they fit into a cache, and calls are few."""

COUNTERS = (INNER_MOVES, LONGEST, CHANGES)
"""What a thread counts."""

Job = Callable[[int, Words, int, int], int]
"""Called with the number of a thread, its memory, and the start and stop of a chunk; returns how far it came."""

Recover = Callable[[int, int, int], None]
"""Called with the reason why a thread stopped, a detail of it, and how far the thread came."""


class WorkerPool:
    """Worker threads, each with its own memory."""

    def __init__(self, threads: int, fields: int, words: int, step: int, state_words: int = 0) -> None:
        self.threads = threads
        self.shape = fields, words
        self.state_words = state_words
        self.step = step
        self.stopped = False
        self.executor = ThreadPoolExecutor(threads)
        self.grow(64)

    def grow(self, width: int) -> None:
        """Give every thread memory for states of `width` moves."""
        before = getattr(self, "memories", [])
        self.memories = [new_memory(*self.shape, width, self.step, self.state_words) for _ in range(self.threads)]
        for old, new in zip(before, self.memories, strict=False):
            for counter in COUNTERS:
                new[counter] = old[counter]

    def total(self, counter: int) -> int:
        """Return the sum of a counter over all threads."""
        return sum(memory[counter] for memory in self.memories)

    def most(self, counter: int) -> int:
        """Return the greatest of a counter over all threads."""
        return max(memory[counter] for memory in self.memories)

    def reset(self, *counters: int) -> None:
        for memory in self.memories:
            for counter in counters:
                memory[counter] = 0

    def counters(self) -> list[list[int]]:
        """Return all counters of all threads, to be restored after other work."""
        return [[memory[counter] for counter in COUNTERS] for memory in self.memories]

    def restore(self, before: list[list[int]]) -> None:
        for memory, numbers in zip(self.memories, before, strict=True):
            for counter, number in zip(COUNTERS, numbers, strict=True):
                memory[counter] = number

    def for_slices(self, count: int, work: Callable[[int, int], None]) -> None:
        """Call `work` with the start and stop of slices that cover all numbers below `count`, in all threads.

        It is for NumPy, which lets other threads run while it works on a slice.
        """
        slices = [(start, min(start + SLICE, count)) for start in range(0, count, SLICE)]
        if self.threads == 1 or len(slices) == 1:
            for start, stop in slices:
                work(start, stop)
        else:
            list(self.executor.map(lambda part: work(*part), slices))

    def parallel_for(
        self,
        count: int,
        job: Job,
        recover: Recover | None = None,
        on_progress: Callable[[int], None] | None = None,
        threads: int | None = None,
        chunk: int | None = None,
    ) -> None:
        """Run a job for all numbers below `count`; in order with one thread. `on_progress` gets the number done.

        Threads take `chunk` numbers at a time, by default as many as suit states.
        """
        assert not self.stopped, "after an exception a pool is not used again"
        threads = threads or self.threads
        size = chunk or max(MIN_CHUNK, min(MAX_CHUNK, count // (16 * threads)))
        parts = deque((start, min(start + size, count)) for start in range(0, count, size))
        while parts:
            stops = self._round(parts, job, on_progress, threads)
            self._recover(stops, recover)

    def _round(
        self, parts: deque[tuple[int, int]], job: Job, on_progress: Callable[[int], None] | None, threads: int
    ) -> list[list[int]]:
        """Let the threads take chunks until none is left, or one of them stops early."""
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
                list(self.executor.map(work, range(min(threads, len(parts)))))
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
