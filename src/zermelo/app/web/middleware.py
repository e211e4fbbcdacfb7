"""Middleware of the server: validates Host and Origin, sets security headers, answers HEAD, compresses responses."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.app.web.request_errors import ApiError
from zermelo.app.web.responses import error_response

SECURITY_HEADERS = {
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
    "Cache-Control": "no-cache",  # cached, and revalidated by its ETag: a page is never older than its server
}

STREAM_PATHS = ("/api/analyze", "/api/match", "/api/solve")
"""The addresses whose lines are read one by one, and so are not compressed, which would delay them."""


class HostOriginCheck:
    """Validates the Host and the Origin of a request, and adds the security headers to its response.

    A request must name this server as its host: an address in numbers, or one of `hosts`. A socket must come from the
    server's own page, and other sites may only link to a page.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        error = self._error(scope, Headers(scope=scope))
        app = self.app if error is None else error_response(error)
        await app(scope, receive, _with_security_headers(send))

    def _error(self, scope: Scope, headers: Headers) -> ApiError | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_own_name(host):
            return ApiError(400, f"{host or 'No name'} is not a name of this server.")
        if scope["type"] == "websocket" and origin is not None and origin.partition("://")[2] != host:
            return ApiError(403, "Other sites may not open a socket here.")
        if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-dest") != "document":
            return ApiError(403, "Other sites may link to this one, and no more.")
        return None

    def _is_own_name(self, host: str) -> bool:
        """Whether a Host header names this server. A numeric address does: DNS cannot make it point elsewhere."""
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


def _with_security_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers


class HeadRequests:
    """Answers HEAD as GET, without the body; a stream is ended after its headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD" or not scope["path"].startswith("/api"):
            await self.app(scope, receive, send)
            return
        answered = asyncio.Event()

        async def disconnect() -> Message:
            await answered.wait()
            return {"type": "http.disconnect"}

        async def headers_only(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
            elif not answered.is_set():
                answered.set()
                await send({"type": "http.response.body", "body": b""})

        await self.app({**scope, "method": "GET"}, disconnect, headers_only)


class Compression:
    """Compresses responses, except those that are read line by line."""

    def __init__(self, app: ASGIApp) -> None:
        self.plain = app
        self.compressing = GZipMiddleware(app, minimum_size=1000, compresslevel=6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app: Any = self.plain if scope.get("path") in STREAM_PATHS else self.compressing
        await app(scope, receive, send)
