"""The server: the API and the static page behind one door, which looks at who knocks."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo import __version__
from zermelo.app.rule_watchdog import ending
from zermelo.app.web.api import Server, router
from zermelo.app.web.game_catalog import Served, served
from zermelo.app.web.process_pool import Workers
from zermelo.app.web.request_errors import about
from zermelo.app.web.responses import refused
from zermelo.app.web.rule_pool import SECONDS, Refusal

STATIC = Path(__file__).parent / "static"

HEADERS = {
    # Boards carry a style of their own, so styles may stand in the page; scripts come from files alone.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",  # kept, and asked about by its ETag: a page is never older than its server
}

STREAM = "/api/analyze"
"""The address whose lines are read one by one, and so are not compressed, which would hold them back."""


def create_app(games: Served | Workers | None = None, places: int | None = None, hosts: Iterable[str] = ()) -> FastAPI:
    """The application: `games` are all of Zermelo's by default, `places` the searches that may run at once.

    It answers to addresses in numbers, to localhost and to the names in `hosts`: a name that somebody else had point
    here is not answered.
    """
    server = Server(games or served(), places)
    app = FastAPI(
        title="Zermelo",
        version=__version__,
        description="Two-player games of perfect information: play, analyze, look up, and watch a search.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=_lifespan,
        middleware=[
            Middleware(Door, hosts=frozenset({"localhost", *map(str.lower, hosts)})),
            Middleware(Compression),
            Middleware(Heads),
        ],
        exception_handlers={Refusal: _refusal, RequestValidationError: _unreadable},
    )
    app.state.server = server
    app.include_router(router)
    app.mount("/", StaticFiles(directory=STATIC, html=True), name="static")
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Make the machine code of the first game meanwhile; leave no search behind."""
    server: Server = app.state.server
    with ending(SECONDS).watching():
        preparing = asyncio.create_task(server.prepare())
        yield
        preparing.cancel()
        server.close()


async def _refusal(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return refused(error)


async def _unreadable(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return refused(Refusal(422, about(error.errors())))


# -- who knocks ------------------------------------------------------------------------------------------------------


class Door:
    """Lets in what comes to this server by its own name and from its own page, and says what the answer may do."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        problem = self._problem(scope, Headers(scope=scope))
        app = self.app if problem is None else refused(problem)
        await app(scope, receive, _with_headers(send))

    def _problem(self, scope: Scope, headers: Headers) -> Refusal | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._trusted(host):
            return Refusal(400, f"{host or 'No name'} is not a name of this server.")
        if scope["type"] == "websocket" and origin is not None and origin.partition("://")[2] != host:
            return Refusal(403, "Other sites may not open a socket here.")
        if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-dest") != "document":
            return Refusal(403, "Other sites may link to this one, and no more.")
        return None

    def _trusted(self, host: str) -> bool:
        """Whether a Host header is a name of this server; addresses in numbers cannot be made to point elsewhere."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self.hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


class Heads:
    """Answers HEAD as GET, without what follows the headers; nobody waits for the rest of a stream."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD" or not scope["path"].startswith("/api"):
            await self.app(scope, receive, send)
            return
        told = asyncio.Event()

        async def gone() -> Message:
            await told.wait()
            return {"type": "http.disconnect"}

        async def headers_only(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
            elif not told.is_set():
                told.set()
                await send({"type": "http.response.body", "body": b""})

        await self.app({**scope, "method": "GET"}, gone, headers_only)


class Compression:
    """Compresses answers, but for those that are read line by line."""

    def __init__(self, app: ASGIApp) -> None:
        self.plain = app
        self.compressing = GZipMiddleware(app, minimum_size=1000, compresslevel=6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app: Any = self.plain if scope.get("path") == STREAM else self.compressing
        await app(scope, receive, send)
