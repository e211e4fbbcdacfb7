"""The rule pool: threads in which requests call the rules of a game, each with a timeout.

Rules are an author's Python. They may raise, be slow, or not return at all; none of that may block the server.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from zermelo.app.rule_watchdog import POLLS_PER_TIMEOUT, RuleTimeout, Stopwatch, interrupt, timeout_message
from zermelo.app.web.request_errors import ApiError, ServerBusy, as_api_error

RULE_TIMEOUT = 5.0
"""Seconds that the rules may take to answer a request. On a busy machine they have longer: see Stopwatch."""

MAX_RULE_THREADS = 8
"""Requests whose rules run at the same time."""

MAX_QUEUED_REQUESTS = 200
"""Requests that may wait for a thread or a process."""

QUEUE_TIMEOUT = 10.0
"""Seconds that a request waits for a thread or a process."""

UNWIND_TIMEOUT = 1.0
"""Seconds that interrupted rules have to raise."""

Result = TypeVar("Result")


class RulePool:
    """The threads in which rules run."""

    def __init__(self, timeout: float = RULE_TIMEOUT) -> None:
        self.timeout = timeout
        self.queued = 0
        self._threads = asyncio.Semaphore(MAX_RULE_THREADS)

    async def run(self, job: Callable[[], Result]) -> Result:
        """Return what the job returns. Raise ApiError if it raises or times out, ServerBusy if too many others wait."""
        if self.queued >= MAX_QUEUED_REQUESTS:
            raise ServerBusy("requests")
        await self._acquire()
        call = _RuleCall(job, self._threads.release)
        try:
            return await self._timed(call.result)
        except TimeoutError:
            call.interrupt(timeout_message(self.timeout))
        except asyncio.CancelledError:  # the client has disconnected, or asks something else
            call.interrupt("was ended: nobody waits for it any more")
            raise
        try:
            return await asyncio.wait_for(asyncio.shield(call.result), UNWIND_TIMEOUT)
        except TimeoutError:
            raise ApiError(422, f"The rules of the game took longer than {self.timeout:g} seconds.") from None

    async def _timed(self, result: asyncio.Future[Result]) -> Result:
        """Return the result. Raise TimeoutError when the rules have run for too long."""
        stopwatch, wait = Stopwatch(), self.timeout
        while True:
            try:
                return await asyncio.wait_for(asyncio.shield(result), wait)
            except TimeoutError:
                if stopwatch.exceeds(self.timeout):
                    raise
                wait = self.timeout / POLLS_PER_TIMEOUT

    async def _acquire(self) -> None:
        """Wait for a thread. Raise ServerBusy if none becomes free in time."""
        self.queued += 1
        try:
            async with asyncio.timeout(QUEUE_TIMEOUT):
                await self._threads.acquire()
        except TimeoutError:
            raise ServerBusy("requests") from None
        finally:
            self.queued -= 1


class _RuleCall:
    """One job in its thread."""

    def __init__(self, job: Callable[[], Any], release: Callable[[], None]) -> None:
        self.loop = asyncio.get_running_loop()
        self.result: asyncio.Future[Any] = self.loop.create_future()
        self.job = job
        self.release = release
        self.lock = threading.Lock()
        self.ended = False
        self.thread = threading.Thread(target=self._run, daemon=True, name="rules")
        self.thread.start()

    def interrupt(self, why: str) -> None:
        """Raise RuleTimeout in the thread, wherever its rules are."""
        with self.lock:
            if not self.ended and self.thread.ident is not None:
                interrupt(self.thread.ident, why)

    def _run(self) -> None:
        found: Any = None
        failure: BaseException | None = None
        try:
            try:
                found = self.job()
            except BaseException as error:
                failure = as_api_error(error)
            with self.lock:
                self.ended = True
        except RuleTimeout as late:  # raised after the job ended, or while its error was put into words
            self.ended = True
            if found is None and failure is None:
                failure = as_api_error(late)
        with suppress(RuntimeError):  # the server has closed its loop
            self.loop.call_soon_threadsafe(self._finish, found, failure)

    def _finish(self, found: Any, failure: BaseException | None) -> None:
        self.release()
        if failure is None:
            self.result.set_result(found)
        else:
            self.result.set_exception(failure)
            self.result.exception()  # marked as read: the client may have disconnected
