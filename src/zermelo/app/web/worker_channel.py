"""Channel: messages between the server and a worker, a line of JSON each, read with a deadline and a bound.

Rules share the worker's end with it, and may write to it what they like: what is no message is a Nonsense.
"""

from __future__ import annotations

import contextlib
import json
import math
import socket
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from typing import Any

from zermelo.formatting import size_text
from zermelo.game import GameError

LARGEST = 1 << 24
"""Bytes of the largest message: a tree with all its steps has a few millions."""

CHUNK = 1 << 16

STATUS = (404, 422, 503)
"""What a refusal may be answered with."""


class Nonsense(Exception):
    """What was read is no message."""


class Channel:
    """One end; both are made by `pair`."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self._read = bytearray()  # what has come of the next message, and of those after it
        self._sending = threading.Lock()

    @staticmethod
    def pair() -> tuple[Channel, socket.socket]:
        """The server's end, and what is handed over to the worker."""
        ours, theirs = socket.socketpair()
        return Channel(ours), theirs

    def send(self, line: bytes) -> None:
        """Send a message that was `written`, whole; an OSError where nobody is there to read it."""
        with self._sending:
            self.end.sendall(line)

    def next(self, until: float) -> list[Any] | None:
        """The next message; None where it has not come by then, an EOFError where none will."""
        looked_at = 0
        while (length := self._read.find(b"\n", looked_at)) < 0:
            looked_at = len(self._read)
            if looked_at > LARGEST:
                raise Nonsense("too long")
            if not wait([self.end], max(0.0, until - time.monotonic())):
                return None
            chunk = self.end.recv(CHUNK)
            if not chunk:
                raise EOFError
            self._read += chunk
        line = bytes(self._read[:length])
        del self._read[: length + 1]
        return parsed(line)

    def close(self) -> None:
        with self._sending, contextlib.suppress(OSError):  # whoever still sends to it, sends to nobody else
            self.end.close()


def written(message: list[Any]) -> bytes:
    """The line that says so; a GameError for one that is too long."""
    line = json.dumps(message).encode() + b"\n"
    if len(line) > LARGEST:
        raise GameError(f"The answer has {size_text(len(line))}, and {size_text(LARGEST)} are the most.")
    return line


def parsed(line: bytes) -> list[Any]:
    """The message in a line, seen to be one of those there are.

    >>> parsed(b'["lasts", 3, 60]')
    ['lasts', 3, 60]
    """
    try:
        message = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Nonsense(line[:80]) from None
    if not isinstance(message, list) or len(message) < 2 or type(message[1]) is not int:
        raise Nonsense(line[:80])
    word, _, *rest = message
    form = FORMS.get(word) if isinstance(word, str) else None
    if form is None or len(form) != len(rest) or not all(fits(part) for fits, part in zip(form, rest, strict=True)):
        raise Nonsense(line[:80])
    return message


def _refuse(_: str) -> None:
    raise ValueError


def _is(*kinds: type) -> Callable[[Any], bool]:
    return lambda part: type(part) in kinds


def _seconds(part: Any) -> bool:
    return type(part) in (int, float) and 0 <= part < math.inf


FORMS: dict[str, tuple[Callable[[Any], bool], ...]] = {
    "ask": (_is(dict),),
    "late": (),
    "stop": (),
    "hello": (_is(dict),),
    "alive": (),
    "lasts": (_seconds,),
    "found": (_is(dict),),
    "refused": (lambda part: part in STATUS, _is(str), _is(int, type(None))),
    "done": (),
}
"""The words, and what follows their number."""
