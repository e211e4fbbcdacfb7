"""Streaming responses: the reports of a search as lines of JSON, until the client disconnects."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from zermelo.app.web.pools.search_pool import RunningSearch
from zermelo.app.web.request_errors import ApiError
from zermelo.app.web.responses import encoded


class ReportStream(Response):
    """A response that stops its search when the client disconnects, whether or not anything is being sent."""

    media_type = "application/x-ndjson"

    def __init__(self, search: RunningSearch, first: Any, rest: AsyncIterator[Any]) -> None:
        self.search, self.first, self.rest = search, first, rest
        self.status_code = 200
        self.background = None
        self.init_headers({"X-Accel-Buffering": "no"})

    @classmethod
    async def start(cls, search: RunningSearch) -> ReportStream:
        """Wait for the first report. Raise what the search raises before it, so that the response is an error."""
        rest = aiter(search)
        try:
            first = await anext(rest, None)
        except BaseException:
            search.stop()
            raise
        return cls(search, first, rest)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with stop_on_disconnect(self.search, receive):
            with contextlib.suppress(OSError):  # the client has disconnected
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                async for line in self._lines():
                    await send({"type": "http.response.body", "body": line, "more_body": True})
                await send({"type": "http.response.body", "body": b""})

    async def _lines(self) -> AsyncIterator[bytes]:
        try:
            if self.first is not None:
                yield _line(self.first)
            async for found in self.rest:
                yield _line(found)
        except ApiError as error:
            yield _line({"error": error.sentence})


@asynccontextmanager
async def stop_on_disconnect(search: RunningSearch, receive: Receive) -> AsyncIterator[None]:
    """Stop the search at the end of the block, or when the client disconnects."""
    listening = asyncio.create_task(_disconnected(receive))
    listening.add_done_callback(lambda _: search.stop())
    try:
        yield
    finally:
        listening.cancel()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _line(record: Any) -> bytes:
    return encoded(record) + b"\n"
