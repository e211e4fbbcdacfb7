"""Searches: so many at a time, each in a thread of its own, and each ends when nobody listens any more.

A search takes a place from its first thread to its last. Where all places are taken, a request waits for a moment and
is then told to come back; one place is kept for moves, so that analyses cannot hold up those who play.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

from zermelo.app.web.rule_pool import Busy, Refusal, refusal

WAIT = 1.0
"""Seconds that a request waits for a place."""

LEAST = 4
"""Places there are at least."""

GRACE = 10.0
"""Seconds after which a search should have ended that was to last no longer: one whose rules do not end as machine
code cannot be ended, and nobody waits for it."""

PAUSE = 0.05
"""Seconds between two reports: what comes in between is passed over. The last does not wait."""


class Wanted:
    """What a search knows of those who wait for it. It looks at `stopped`, or leaves a way to stop it in `end`."""

    def __init__(self) -> None:
        self.end: Callable[[], None] = lambda: None
        self.stopped = False

    def lasts(self, seconds: float) -> None:
        """The job says for how long it means to search from now on."""

    def stop(self) -> None:
        """End the search soon; what it found last can still be read."""
        self.stopped = True
        self.end()


Job = Callable[[Wanted], Iterator[Any]]
"""What is found by a search, better and better."""


def places_of(wanted: int | None) -> int:
    """How many searches may run at once, as many as there are processors if nothing else is wanted."""
    return wanted or max(LEAST, os.cpu_count() or 1)


class Searches:
    """The places of a server."""

    def __init__(self, places: int | None = None) -> None:
        self.places = places_of(places)
        self._taken: set[Running] = set()
        self._freed = asyncio.Event()
        self._closed = False

    @property
    def running(self) -> int:
        """How many places are taken."""
        return len(self._taken)

    def room(self, kept: int = 1) -> bool:
        """Whether there is a place, so many kept free."""
        return not self._closed and self.running < max(1, self.places - kept)

    async def wait(self, kept: int = 1) -> None:
        """Wait for a place; Busy where none becomes free in time."""
        try:
            async with asyncio.timeout(WAIT):
                while not self.room(kept):
                    self._freed.clear()
                    await self._freed.wait()
        except TimeoutError:
            raise Busy("searches") from None

    async def begin(self, prepare: Callable[[], Awaitable[Job]], kept: int = 1) -> Running:
        """Take a place, the first that becomes free, and begin the search in it that was prepared meanwhile.

        Nothing is prepared for those who find no place in time: they are Busy's.
        """
        await self.wait(kept)
        one = Running(self._leave)
        self._taken.add(one)
        try:
            one.begin(await prepare())
        except BaseException:
            self._leave(one)
            raise
        return one

    def _leave(self, one: Running) -> None:
        self._taken.discard(one)
        self._freed.set()

    def close(self) -> None:
        """End all searches, and begin no other."""
        self._closed = True
        for one in self._taken:
            one.stop()


class Running(Wanted):
    """One search, and the newest that it has found."""

    def __init__(self, leave: Callable[[Running], None]) -> None:
        super().__init__()
        self.loop = asyncio.get_running_loop()
        self.due: float | None = None
        self._leave = leave
        self._newest: Any = None
        self._failure: Refusal | None = None
        self._ended = asyncio.Event()
        self._news = asyncio.Event()

    def begin(self, job: Job) -> None:
        """Search in a thread of its own."""
        threading.Thread(target=self._run, args=(job,), daemon=True, name="searching").start()

    def lasts(self, seconds: float) -> None:
        """The job says for how long it means to search from now on."""
        self.due = time.monotonic() + seconds + GRACE

    async def __aiter__(self) -> AsyncIterator[Any]:
        """What is found, as it is found, the last of it for sure; what its rules raise, as a Refusal."""
        while True:
            await self._told()
            self._news.clear()
            ended, newest, self._newest = self._ended.is_set(), self._newest, None
            if newest is not None:
                yield newest
            if self._failure is not None:
                raise self._failure
            if ended:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PAUSE):
                    await self._ended.wait()

    async def _told(self) -> None:
        """Wait for news; a Refusal where there is no end to it."""
        while not self._news.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._news.wait()
            if self.due is not None and time.monotonic() > self.due and not self._news.is_set():
                self.stop()
                raise Refusal(422, "The search does not end: a rule of the game may not; `zermelo check` tells which.")

    async def last(self) -> Any:
        """The last that is found, when the search has ended."""
        found = None
        async for newer in self:
            found = newer
        return found

    def _run(self, job: Job) -> None:
        try:
            for found in job(self) if not self.stopped else ():
                self._tell(self._found, found)
        except BaseException as error:
            if not self.stopped:  # nobody asks how a search ended that nobody wanted any more
                self._tell(self._failed, refusal(error))
        finally:
            self._tell(self._finished)

    def _tell(self, what: Callable[..., None], *args: Any) -> None:
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(what, *args)

    # -- in the thread of the server -------------------------------------------------------------------------------

    def _found(self, found: Any) -> None:
        self._newest = found
        self._news.set()

    def _failed(self, failure: Refusal) -> None:
        self._failure = failure

    def _finished(self) -> None:
        self._ended.set()
        self._leave(self)
        self._news.set()
