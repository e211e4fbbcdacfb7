"""Work: the rules of a game asked in threads of their own, for so long and no longer.

Rules are an author's Python. They may raise, be slow, or not end at all; none of that may hold the server up.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from zermelo.app.error_messages import complaint
from zermelo.app.rule_watchdog import Overtime, interrupt, unended
from zermelo.app.web.game_catalog import UnknownGame

SECONDS = 5.0
"""How long the rules may take to answer a request."""

THREADS = 8
"""Requests whose rules are asked at the same time."""

WAITING = 200
"""Requests that may wait for their turn."""

PATIENCE = 10.0
"""Seconds for which one waits for its turn."""

Answer = TypeVar("Answer")


class Refusal(Exception):
    """A request that cannot be answered: the status, a sentence, and seconds after which to try again."""

    def __init__(self, status: int, sentence: str, retry: int | None = None) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.retry = status, sentence, retry


class Busy(Refusal):
    """There is no room at present."""

    def __init__(self, what: str) -> None:
        super().__init__(503, f"The server is busy with other {what}; try again in a moment.", 2)


class Work:
    """The threads in which rules are asked."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self.waiting = 0
        self._turns = asyncio.Semaphore(THREADS)

    async def done(self, job: Callable[[], Answer]) -> Answer:
        """What the job returns; a Refusal where it raises, takes too long, or too many others wait."""
        if self.waiting >= WAITING:
            raise Busy("requests")
        await self._turn()
        one = _One(job, self._turns.release)
        try:
            return await asyncio.wait_for(asyncio.shield(one.answer), self.seconds)
        except TimeoutError:
            one.interrupt(unended(self.seconds))
        except asyncio.CancelledError:  # whoever asked has gone, or asks something else
            one.interrupt("was ended: nobody waits for it any more")
            raise
        try:
            return await asyncio.wait_for(asyncio.shield(one.answer), 1)
        except TimeoutError:
            raise Refusal(422, f"The rules of the game took longer than {self.seconds:g} seconds.") from None

    async def _turn(self) -> None:
        """Wait for a thread; Busy where none becomes free in time."""
        self.waiting += 1
        try:
            async with asyncio.timeout(PATIENCE):
                await self._turns.acquire()
        except TimeoutError:
            raise Busy("requests") from None
        finally:
            self.waiting -= 1


class _One:
    """One job in its thread."""

    def __init__(self, job: Callable[[], Any], leave: Callable[[], None]) -> None:
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Any] = self.loop.create_future()
        self.job = job
        self.leave = leave
        self.lock = threading.Lock()
        self.ended = False
        self.thread = threading.Thread(target=self._run, daemon=True, name="rules")
        self.thread.start()

    def interrupt(self, why: str) -> None:
        """Raise Overtime in the thread, wherever its rules are."""
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
                failure = refusal(error)
            with self.lock:
                self.ended = True
        except Overtime as late:  # it came when the job had ended, or while its error was put into words
            self.ended = True
            if found is None and failure is None:
                failure = refusal(late)
        with suppress(RuntimeError):  # the server has closed meanwhile
            self.loop.call_soon_threadsafe(self._finish, found, failure)

    def _finish(self, found: Any, failure: BaseException | None) -> None:
        self.leave()
        if failure is None:
            self.answer.set_result(found)
        else:
            self.answer.set_exception(failure)
            self.answer.exception()  # whoever waited may have gone


def refusal(error: BaseException) -> Refusal:
    """What is said of an error, whoever raised it."""
    if isinstance(error, Refusal):
        return error
    return Refusal(404 if isinstance(error, UnknownGame) else 422, complaint(error).sentence)
