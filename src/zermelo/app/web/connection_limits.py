"""Limits on connections: how many at once, and how long each may wait before its request is complete."""

from __future__ import annotations

import asyncio
from typing import Any

HEADER_TIMEOUT = 20.0
"""Seconds in which the headers of a request must be complete, from the connection or from their first byte on."""

MAX_CONNECTIONS = 512
"""Connections there may be at once; the next is closed."""


def limit_connections(protocol: type) -> type:
    """Subclass one of uvicorn's protocols, which by itself waits for the headers of a request without a limit."""

    class Limited(protocol):  # type: ignore[misc]
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > MAX_CONNECTIONS:
                transport.abort()
            else:
                self._start_timer()

        def data_received(self, data: bytes) -> None:
            before = self.cycle
            super().data_received(data)
            if self.cycle is not before:
                self._cancel_timer()
            elif self._timer is None and (before is None or before.response_complete):
                self._start_timer()

        def connection_lost(self, error: Exception | None) -> None:
            self._cancel_timer()
            super().connection_lost(error)

        def _start_timer(self) -> None:
            self._timer = self.loop.call_later(HEADER_TIMEOUT, self._timed_out)

        def _cancel_timer(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _timed_out(self) -> None:
            if self.transport.get_protocol() is self:  # else it has become a socket
                self.transport.close()

    return Limited
