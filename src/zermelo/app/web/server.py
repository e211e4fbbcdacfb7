"""The web application: the API and the static page, behind middleware that validates Host and Origin."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.middleware import Middleware
from starlette.responses import Response

from zermelo import __version__
from zermelo.app.rule_watchdog import interrupting_watchdog
from zermelo.app.web.api import Server, router
from zermelo.app.web.game_catalog import GameCatalog, open_catalog
from zermelo.app.web.middleware import Compression, HeadRequests, HostOriginCheck
from zermelo.app.web.pools.process_pool import ProcessPool
from zermelo.app.web.pools.rule_pool import RULE_TIMEOUT
from zermelo.app.web.request_errors import ApiError, validation_message
from zermelo.app.web.responses import error_response
from zermelo.show.svg.theme import style

STATIC = Path(__file__).parent / "static"


def create_app(
    games: GameCatalog | ProcessPool | None = None, slots: int | None = None, hosts: Iterable[str] = ()
) -> FastAPI:
    """The application: `games` are all of Zermelo's by default, `slots` the searches that may run at once.

    It answers to numeric addresses, to localhost and to the names in `hosts`, so that a foreign name which points to
    this machine reaches nothing.
    """
    server = Server(games or open_catalog(), slots)
    app = FastAPI(
        title="Zermelo",
        version=__version__,
        description="Two-player games of perfect information: play, analyze, look up, and watch a search.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=_lifespan,
        middleware=[
            Middleware(HostOriginCheck, hosts=frozenset({"localhost", *map(str.lower, hosts)})),
            Middleware(Compression),
            Middleware(HeadRequests),
        ],
        exception_handlers={ApiError: _on_api_error, RequestValidationError: _on_invalid_request},
    )
    app.state.server = server
    app.include_router(router)
    app.add_route("/board/theme.css", _theme)
    app.mount("/", StaticFiles(directory=STATIC, html=True), name="static")
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Compile the first game in the background; stop all searches at the end."""
    server: Server = app.state.server
    with interrupting_watchdog(RULE_TIMEOUT).running():
        compiling = asyncio.create_task(server.compile_default_game())
        yield
        compiling.cancel()
        server.close()


async def _theme(_: Request) -> Response:
    """The colours of all boards, for pictures that have no style sheet of their own."""
    return Response(style(), media_type="text/css")


async def _on_api_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    return error_response(error)


async def _on_invalid_request(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return error_response(ApiError(422, validation_message(error.errors())))
