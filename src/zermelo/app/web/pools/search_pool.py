"""The search pool: a bounded number of searches, each in a thread of its own, stopped when their client disconnects.

A search takes a slot from its start to its end. Where all slots are taken, a request waits for a moment and is then
told to come back. One slot is reserved for moves, so that analyses cannot delay those who play.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

from zermelo.app.web.request_errors import ApiError, ServerBusy, as_api_error

SLOT_TIMEOUT = 1.0
"""Seconds that a request waits for a slot."""

MIN_SLOTS = 4
"""Slots on a machine with few processors."""

SEARCH_GRACE = 10.0
"""Seconds beyond its announced duration after which a search counts as endless: compiled rules that do not return
cannot be interrupted, and the client should not wait for them."""

STREAM_INTERVAL = 0.05
"""Seconds between two reports of a stream: those in between are dropped. The last is sent at once."""

ENDLESS_CHECK_INTERVAL = 1.0
"""Seconds between two checks whether a silent search is endless."""


class SearchControl:
    """The link from a client to its search: the search checks `stopped`, or sets `on_stop` to be told."""

    def __init__(self) -> None:
        self.on_stop: Callable[[], None] = lambda: None
        self.stopped = False

    def announce_duration(self, seconds: float) -> None:
        """Called by the search: how many more seconds it intends to run."""

    def stop(self) -> None:
        """Stop the search soon; its last report can still be read."""
        self.stopped = True
        self.on_stop()


Job = Callable[[SearchControl], Iterator[Any]]
"""A search: it yields better and better results."""


def slot_count(wanted: int | None) -> int:
    """How many searches may run at once: as many as wanted, or else as there are processors."""
    return wanted or max(MIN_SLOTS, os.cpu_count() or 1)


class SearchPool:
    """The slots of a server."""

    def __init__(self, slots: int | None = None) -> None:
        self.slots = slot_count(slots)
        self._searches: set[RunningSearch] = set()
        self._freed = asyncio.Event()
        self._closed = False

    @property
    def running(self) -> int:
        """How many slots are taken."""
        return len(self._searches)

    def has_slot(self, reserved: int = 1) -> bool:
        """Whether a slot is free beyond the reserved ones."""
        return not self._closed and self.running < max(1, self.slots - reserved)

    async def wait_for_slot(self, reserved: int = 1) -> None:
        """Wait for a slot. Raise ServerBusy if none becomes free in time."""
        try:
            async with asyncio.timeout(SLOT_TIMEOUT):
                while not self.has_slot(reserved):
                    self._freed.clear()
                    await self._freed.wait()
        except TimeoutError:
            raise ServerBusy("searches") from None

    async def start(self, prepare: Callable[[], Awaitable[Job]], reserved: int = 1) -> RunningSearch:
        """Take the first free slot, prepare a search and start it there. Raise ServerBusy, unprepared, if none is."""
        await self.wait_for_slot(reserved)
        search = RunningSearch(self._release)
        self._searches.add(search)
        try:
            search.start(await prepare())
        except BaseException:
            self._release(search)
            raise
        return search

    def _release(self, search: RunningSearch) -> None:
        self._searches.discard(search)
        self._freed.set()

    def close(self) -> None:
        """Stop all searches, and start no other."""
        self._closed = True
        for search in self._searches:
            search.stop()


class RunningSearch(SearchControl):
    """A search in its thread, and the newest of its results."""

    def __init__(self, release: Callable[[RunningSearch], None]) -> None:
        super().__init__()
        self.loop = asyncio.get_running_loop()
        self.deadline: float | None = None
        self._release = release
        self._newest: Any = None
        self._failure: ApiError | None = None
        self._ended = asyncio.Event()
        self._news = asyncio.Event()

    def start(self, job: Job) -> None:
        """Run the job in a thread of its own."""
        threading.Thread(target=self._run, args=(job,), daemon=True, name="search").start()

    def announce_duration(self, seconds: float) -> None:
        self.deadline = time.monotonic() + seconds + SEARCH_GRACE

    async def __aiter__(self) -> AsyncIterator[Any]:
        """Yield results as they are found, the last one always. Raise ApiError for what the rules raise."""
        while True:
            await self._wait_for_news()
            self._news.clear()
            ended, newest, self._newest = self._ended.is_set(), self._newest, None
            if newest is not None:
                yield newest
            if self._failure is not None:
                raise self._failure
            if ended:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STREAM_INTERVAL):
                    await self._ended.wait()

    async def _wait_for_news(self) -> None:
        """Wait for a result or the end. Raise ApiError if the search is silent beyond its deadline."""
        while not self._news.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ENDLESS_CHECK_INTERVAL):
                    await self._news.wait()
            if self.deadline is not None and time.monotonic() > self.deadline and not self._news.is_set():
                self.stop()
                raise ApiError(422, "The search does not end: a rule of the game may not; `zermelo check` tells which.")

    async def last(self) -> Any:
        """The last result, once the search has ended."""
        found = None
        async for newer in self:
            found = newer
        return found

    def _run(self, job: Job) -> None:
        try:
            for found in job(self) if not self.stopped else ():
                self._call_in_loop(self._on_result, found)
        except BaseException as error:
            if not self.stopped:  # nobody waits for a search that was stopped
                self._call_in_loop(self._on_failure, as_api_error(error))
        finally:
            self._call_in_loop(self._on_end)

    def _call_in_loop(self, callback: Callable[..., None], *args: Any) -> None:
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(callback, *args)

    # -- in the event loop -----------------------------------------------------------------------------------------

    def _on_result(self, found: Any) -> None:
        self._newest = found
        self._news.set()

    def _on_failure(self, failure: ApiError) -> None:
        self._failure = failure

    def _on_end(self) -> None:
        self._ended.set()
        self._release(self)
        self._news.set()
