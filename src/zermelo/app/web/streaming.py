"""Streams: what a search finds as lines of JSON, for as long as somebody reads them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from zermelo.app.web.responses import encoded
from zermelo.app.web.rule_pool import Refusal
from zermelo.app.web.search_pool import Running


class Stream(Response):
    """A response that ends the search when the client has gone, whether anything is being sent or not."""

    media_type = "application/x-ndjson"

    def __init__(self, one: Running, first: Any, rest: AsyncIterator[Any]) -> None:
        self.one, self.first, self.rest = one, first, rest
        self.status_code = 200
        self.background = None
        self.init_headers({"X-Accel-Buffering": "no"})

    @classmethod
    async def begun(cls, one: Running) -> Stream:
        """The stream of a search that has found something; what went wrong before that is raised."""
        rest = aiter(one)
        try:
            first = await anext(rest, None)
        except BaseException:
            one.stop()
            raise
        return cls(one, first, rest)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with stopping(self.one, receive):
            with contextlib.suppress(OSError):  # the client has gone
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
        except Refusal as error:
            yield _line({"error": error.sentence})


@asynccontextmanager
async def stopping(one: Running, receive: Receive) -> AsyncIterator[None]:
    """End the search with the block, or when the client has gone."""
    listening = asyncio.create_task(_left(receive))
    listening.add_done_callback(lambda _: one.stop())
    try:
        yield
    finally:
        listening.cancel()


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _line(record: Any) -> bytes:
    return encoded(record) + b"\n"
