"""Connections: so many at a time, and none without a question for long."""

from __future__ import annotations

import asyncio
from typing import Any

HEADERS = 20.0
"""Seconds in which the headers of a request must have come, from the connection or from their first byte on."""

MOST = 512
"""Connections there may be at once; whoever comes next is turned away."""


def bounded(protocol: type) -> type:
    """One of uvicorn's protocols, which by itself would wait for the headers of a request for ever."""

    class Bounded(protocol):  # type: ignore[misc]
        _waiting: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > MOST:
                transport.abort()
            else:
                self._wait()

        def data_received(self, data: bytes) -> None:
            before = self.cycle
            super().data_received(data)
            if self.cycle is not before:
                self._wait_no_longer()
            elif self._waiting is None and (before is None or before.response_complete):
                self._wait()

        def connection_lost(self, error: Exception | None) -> None:
            self._wait_no_longer()
            super().connection_lost(error)

        def _wait(self) -> None:
            self._waiting = self.loop.call_later(HEADERS, self._late)

        def _wait_no_longer(self) -> None:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None

        def _late(self) -> None:
            if self.transport.get_protocol() is self:  # else it has become a socket
                self.transport.close()

    return Bounded
