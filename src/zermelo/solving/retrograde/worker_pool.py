"""The crew: threads that share a range of work, and what is done when one of them comes back early."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from zermelo.solving.retrograde.solver_memory import INNER, NEW, WHERE, WHY, WIDE, WIDTH, new_memory
from zermelo.word_arrays import Words

LEAST, MOST = 1 << 13, 1 << 16
"""How many states a thread takes at once."""

Job = Callable[[int, Words, int, int], int]
"""What a thread does with a part of the work: its number, its memory, from where and to where; how far it came."""

Mend = Callable[[int, int, int], None]
"""What is done about a reason, with the number it is about and how far the thread came."""


class Crew:
    """Threads, each with its own memory."""

    def __init__(self, threads: int, fields: int, words: int, step: int) -> None:
        self.threads = threads
        self.shape = fields, words
        self.step = step
        self.stopped = False
        self.pool = ThreadPoolExecutor(threads)
        self.hire(64)

    def hire(self, width: int) -> None:
        """Give every thread memory for states of so many moves."""
        before = getattr(self, "memories", [])
        self.memories = [new_memory(*self.shape, width, self.step) for _ in range(self.threads)]
        for old, new in zip(before, self.memories, strict=False):
            new[INNER], new[NEW] = old[INNER], old[NEW]

    def total(self, counter: int) -> int:
        """The sum of a counter over all threads."""
        return sum(memory[counter] for memory in self.memories)

    def reset(self, counter: int) -> None:
        for memory in self.memories:
            memory[counter] = 0

    def sweep(
        self,
        count: int,
        job: Job,
        mend: Mend | None = None,
        told: Callable[[int], None] | None = None,
        threads: int | None = None,
    ) -> None:
        """Have a job done for all numbers below `count`, in order by one thread alone; `told` hears how many more."""
        threads = threads or self.threads
        size = max(LEAST, min(MOST, count // (8 * threads) or 1))
        parts = deque((start, min(start + size, count)) for start in range(0, count, size))
        while parts:
            stops = self._round(parts, job, told, threads)
            self._mend(stops, mend)

    def _round(
        self, parts: deque[tuple[int, int]], job: Job, told: Callable[[int], None] | None, threads: int
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
                if told is not None:
                    with lock:
                        told(reached - start)
                if reached < stop:
                    parts.appendleft((reached, stop))
                    stops.append([memory[WHY], memory[WHERE], reached])

        if threads == 1 or len(parts) == 1:
            work(0)
        else:
            try:
                list(self.pool.map(work, range(threads)))
            except BaseException:
                self.stopped = True
                raise
        return stops

    def _mend(self, stops: list[list[int]], mend: Mend | None) -> None:
        for why, where, reached in stops:
            if why == WIDE:
                if where > self.memories[0][WIDTH]:
                    self.hire(2 * where)
            else:
                assert mend is not None, why
                mend(why, where, reached)
