"""The channel between the server and a worker: messages of a line of JSON each, read with a deadline and a size limit.

Rules share the worker's end and may write anything to it: what is no message raises ProtocolError.
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

MAX_MESSAGE_BYTES = 1 << 24
"""Bytes of the largest message: a tree with all its steps has a few millions."""

READ_SIZE = 1 << 16

ERROR_STATUSES = (404, 422, 503)
"""The HTTP statuses that an error may have."""


class ProtocolError(Exception):
    """The bytes read are no message."""


class Channel:
    """One end of the channel; `pair` makes both."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self._read = bytearray()  # received, but not yet returned
        self._sending = threading.Lock()

    @staticmethod
    def pair() -> tuple[Channel, socket.socket]:
        """The server's end, and the socket to hand to the worker."""
        ours, theirs = socket.socketpair()
        return Channel(ours), theirs

    def send(self, line: bytes) -> None:
        """Send an encoded message, whole. Raise OSError if the other end is closed."""
        with self._sending:
            self.end.sendall(line)

    def receive(self, deadline: float) -> list[Any] | None:
        """The next message, or None if there is none by the deadline. Raise EOFError at the end of the stream."""
        scanned = 0
        while (length := self._read.find(b"\n", scanned)) < 0:
            scanned = len(self._read)
            if scanned > MAX_MESSAGE_BYTES:
                raise ProtocolError("too long")
            if not wait([self.end], max(0.0, deadline - time.monotonic())):
                return None
            chunk = self.end.recv(READ_SIZE)
            if not chunk:
                raise EOFError
            self._read += chunk
        line = bytes(self._read[:length])
        del self._read[: length + 1]
        return parse_message(line)

    def close(self) -> None:
        with self._sending, contextlib.suppress(OSError):  # a sender that waits for the lock gets an OSError
            self.end.close()


def encode_message(message: list[Any]) -> bytes:
    """Encode a message as a line. Raise GameError if it is too long."""
    line = json.dumps(message).encode() + b"\n"
    if len(line) > MAX_MESSAGE_BYTES:
        raise GameError(f"The answer has {size_text(len(line))}, and {size_text(MAX_MESSAGE_BYTES)} are the most.")
    return line


def parse_message(line: bytes) -> list[Any]:
    """Parse a line. Raise ProtocolError if it is no message of a known type.

    >>> parse_message(b'["duration", 3, 60]')
    ['duration', 3, 60]
    """
    try:
        message = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise ProtocolError(line[:80]) from None
    if not isinstance(message, list) or len(message) < 2 or type(message[1]) is not int:
        raise ProtocolError(line[:80])
    kind, _, *rest = message
    checks = MESSAGE_TYPES.get(kind) if isinstance(kind, str) else None
    if (
        checks is None
        or len(checks) != len(rest)
        or not all(check(part) for check, part in zip(checks, rest, strict=True))
    ):
        raise ProtocolError(line[:80])
    return message


def _refuse(_: str) -> None:
    raise ValueError


def _is(*kinds: type) -> Callable[[Any], bool]:
    return lambda part: type(part) in kinds


def _seconds(part: Any) -> bool:
    return type(part) in (int, float) and 0 <= part < math.inf


MESSAGE_TYPES: dict[str, tuple[Callable[[Any], bool], ...]] = {
    "request": (_is(dict),),
    "timeout": (),
    "stop": (),
    "hello": (_is(dict),),
    "heartbeat": (),
    "duration": (_seconds,),
    "result": (_is(dict),),
    "error": (lambda part: part in ERROR_STATUSES, _is(str), _is(int, type(None))),
    "done": (),
}
"""The types of messages, with a check for each part after the number."""
