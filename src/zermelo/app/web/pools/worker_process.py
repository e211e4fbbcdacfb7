"""One worker process, as the server sees it.

Both sides exchange lists in JSON, [type, number, ...], where the number is that of a request. The server sends
["request", n, request], ["timeout", n] and ["stop", n]. The worker sends ["heartbeat", n] at once and at intervals,
["duration", n, seconds], ["result", n, record], ["error", n, status, sentence, retry], and ["done", n] at the end.
Both sides ignore messages about an earlier request: they may arrive while the next one is being answered.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from zermelo.app.web.pools.rule_pool import RULE_TIMEOUT
from zermelo.app.web.pools.search_pool import SearchControl
from zermelo.app.web.pools.worker_channel import Channel, ProtocolError, encode_message
from zermelo.app.web.pools.worker_main import HEARTBEAT, WorkerRequest, raise_failure, run_worker
from zermelo.app.web.request_errors import ApiError
from zermelo.formatting import shortened
from zermelo.game import GameError

LOAD_TIMEOUT = 60.0
"""Seconds that a worker may take to load its games."""

HEARTBEAT_TIMEOUT = 5.0
"""Seconds without a message after which a busy worker is given up; its heartbeat is much more frequent."""

STOP_TIMEOUT = 1.0
"""Seconds that a worker has to answer once it was told that it is late, or that nobody waits."""


class WorkerLost(ApiError):
    """A worker has ended, breaks the protocol or does not respond: an earlier request may have broken it."""

    def __init__(self, sentence: str) -> None:
        super().__init__(422, sentence)


class Worker:
    """One process: it has loaded all games, and answers one request at a time."""

    def __init__(self, texts: list[str], databases: list[str], solved: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.channel, theirs = Channel.pair()
        arguments = (theirs, texts, databases, solved)
        self.process = context.Process(target=run_worker, args=arguments, daemon=True, name="games")
        self.process.start()
        theirs.close()
        self.hello: dict[str, Any] = {}
        self.game = " and ".join(texts)
        """The game of the present request; all of them while they are loaded."""
        self.number = 0
        """The number of the present request."""
        self.busy = self.lost = False
        self.idle_since = 0.0

    @property
    def alive(self) -> bool:
        return self.process.is_alive()

    def wait_until_loaded(self) -> None:
        """Wait until its games are loaded. Raise GameError if they cannot be."""
        try:
            message = self._receive(time.monotonic() + LOAD_TIMEOUT)
        except ApiError as error:
            raise GameError(error.sentence) from None
        if message is None:
            raise GameError(f"{self.game} did not load within {LOAD_TIMEOUT:g} seconds.")
        raise_failure(message[2])
        self.hello = message[2]

    def results(self, request: WorkerRequest, control: SearchControl) -> Iterator[Any]:
        """Yield what it finds. Raise ApiError if the rules raise, take too long, or end the process."""
        number = self._send_request(request)
        control.on_stop = lambda: self._send(["stop", number])
        if control.stopped:  # before on_stop was set
            control.on_stop()
        deadline, late, responded = time.monotonic() + RULE_TIMEOUT, False, False
        while True:
            message = self._receive(min(deadline, time.monotonic() + HEARTBEAT_TIMEOUT))
            now = time.monotonic()
            rest: list[Any]
            kind, *rest = ["silent"] if message is None else self._of_this_request(message)
            responded |= message is not None and message[1] == number
            if kind == "result":
                yield rest[0]
            elif kind == "duration":
                deadline = now + rest[0] + RULE_TIMEOUT  # for the rule that runs at that moment
                control.announce_duration(rest[0])
            elif kind == "error":
                raise ApiError(*rest)
            elif kind == "done":
                self.busy = False
                return
            elif now >= deadline and not late:
                deadline, late = now + STOP_TIMEOUT, True
                self._send(["timeout", number])
            elif now >= deadline or kind == "silent":
                self.lost = True
                raise unresponsive(self.game) if responded else WorkerLost(unresponsive(self.game).sentence)

    def _send_request(self, request: WorkerRequest) -> int:
        """Send the next request; return its number."""
        self.busy = True
        self.game = shortened(request.game.strip() or self.hello["listing"]["default"])
        self.number += 1
        self._send(["request", self.number, asdict(request)])
        return self.number

    def _of_this_request(self, message: list[Any]) -> list[Any]:
        """A message without its number; one about an earlier request only shows that the worker is alive."""
        kind, number, *rest = message
        return [kind, *rest] if number == self.number else [HEARTBEAT]

    def become_idle(self) -> bool:
        """Stop the present request. Return whether the worker is ready for the next one within STOP_TIMEOUT."""
        if self.busy and not self.lost and self.alive:
            self._send(["stop", self.number])
            self._send(["timeout", self.number])
            deadline = time.monotonic() + STOP_TIMEOUT
            with contextlib.suppress(ApiError):
                while self.busy and (message := self._receive(deadline)) is not None:
                    self.busy = self._of_this_request(message)[0] != "done"
        self.idle_since = time.monotonic()
        return not self.busy and self.alive

    def kill(self) -> None:
        self.process.kill()
        self.process.join(STOP_TIMEOUT)
        self.channel.close()

    def _receive(self, deadline: float) -> list[Any] | None:
        """The next message; None if there is none by the deadline. Raise WorkerLost if there will be none."""
        try:
            return self.channel.receive(deadline)
        except (EOFError, OSError):
            self.process.join(STOP_TIMEOUT)
            raise WorkerLost(exit_message(self.game, self.process.exitcode)) from None
        except ProtocolError:
            self.lost = True
            raise WorkerLost(
                f"The process of {self.game} breaks the protocol: a rule may write to its channel."
            ) from None

    def _send(self, message: list[Any]) -> None:
        with contextlib.suppress(OSError):  # the process has ended, which _receive reports
            self.channel.send(encode_message(message))


def unresponsive(game: str) -> ApiError:
    """The error of a worker that is silent, or does not stop."""
    return ApiError(
        422, f"The rules of {game} took longer than {RULE_TIMEOUT:g} seconds; only their process could be ended."
    )


def exit_message(game: str, code: int | None) -> str:
    """A sentence about a worker that has exited.

    >>> exit_message("nim", -11)
    'The process of nim ended by signal 11: a rule may have ended it.'
    """
    how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
    return f"The process of {game} ended {how}: a rule may have ended it."
