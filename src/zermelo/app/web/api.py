"""The HTTP API: every question is a GET that carries the whole position, so the server remembers nobody."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import RedirectResponse, Response
from pydantic import ValidationError

from zermelo.app.web import handlers, models
from zermelo.app.web.game_catalog import Served
from zermelo.app.web.process_pool import Workers
from zermelo.app.web.request_errors import about
from zermelo.app.web.responses import Answer, refused
from zermelo.app.web.rule_pool import Busy, Refusal, Work
from zermelo.app.web.search_pool import Job, Running, Searches
from zermelo.app.web.streaming import Stream, stopping
from zermelo.app.web.worker_main import Question
from zermelo.formatting import shortened

router = APIRouter(prefix="/api")

REFUSALS: dict[int | str, dict[str, Any]] = {
    404: {"model": models.Error, "description": "No such game, or no database of it."},
    422: {"model": models.Error, "description": "A question that cannot be answered."},
    503: {"model": models.Error, "description": "Busy; Retry-After says when to come back."},
}
NDJSON = "application/x-ndjson"
UNSUPPORTED = 1003
"""How a socket is closed by whoever cannot read what it was sent."""


class Server:
    """What the endpoints share: the games, the threads in which rules are asked, and the places of searches."""

    def __init__(self, games: Served | Workers, places: int | None = None) -> None:
        self.games = games
        self.work = Work()
        self.searches = Searches(places)

    async def answer(self, kind: str, place: models.Place, **options: Any) -> Answer:
        """What the rules answer to a question about a position."""
        games = self.games
        if isinstance(games, Workers):
            return Answer(await self._told(games, asking(kind, place, options)))
        where = await self.asked(games, place, compiled=kind == "position")
        return Answer(await self.work.done(lambda: handlers.ANSWERS[kind](where, **options)))

    async def _told(self, games: Workers, question: Question) -> Any:
        """What a worker answers. It keeps its own time, and takes no place of a search."""
        one = Running(lambda _: None)
        one.begin(lambda wanted: games.answers(question, wanted))
        try:
            found = await one.last()
        finally:
            one.stop()
        if found is None:
            raise Busy("tasks")
        return found

    async def asked(self, games: Served, place: models.Place, *, compiled: bool) -> handlers.Asked:
        """The game and the position that a request names; `compiled` where machine code will be of use."""
        text = place.game.strip() or games.default
        where = await self.work.done(lambda: handlers.Asked.of(games.load(text), place.start, place.moves))
        if compiled:
            games.prepare(where.ready)
        return where

    async def begin(self, kind: str, place: models.Place, kept: int = 1, **options: Any) -> Running:
        """Begin the search that a request asks for."""
        games = self.games

        async def prepare() -> Job:
            if isinstance(games, Workers):
                question = asking(kind, place, options)
                return lambda wanted: games.answers(question, wanted)
            return handlers.SEARCHES[kind](await self.asked(games, place, compiled=True), **options)

        return await self.searches.begin(prepare, kept)

    async def prepare(self) -> None:
        """Have the machine code made of the game that is shown first."""
        games = self.games
        with suppress(Refusal):  # said to whoever asks for the game
            if isinstance(games, Workers):
                await self._told(games, Question("prepare"))
            else:
                games.prepare(await self.work.done(lambda: games.load(games.default)))

    def close(self) -> None:
        """End all searches, and the processes of games, whatever they are doing."""
        self.searches.close()
        if isinstance(self.games, Workers):
            self.games.close()


def asking(kind: str, place: models.Place, options: dict[str, Any]) -> Question:
    """A request as a question to a worker."""
    return Question(kind, place.game, place.start, place.moves, options)


def _server(request: Request | WebSocket) -> Server:
    server: Server = request.app.state.server
    return server


@router.get("/games", response_model=models.GamesRecord, responses=REFUSALS)
async def games(request: Request, _: Annotated[models.Nothing, Query()]) -> Any:
    """The games that are served, with their parameters, and the one to begin with."""
    games = _server(request).games
    return Answer(games.listing if isinstance(games, Workers) else games.listing())


@router.get("/position", response_model=models.PositionRecord, responses=REFUSALS)
async def position(request: Request, asked: Annotated[models.Place, Query()]) -> Any:
    """A position: the board, the legal moves with the squares to click, and how it came about."""
    return await _server(request).answer("position", asked)


@router.get("/move", response_model=models.MoveRecord, responses=REFUSALS)
async def move(request: Request, asked: Annotated[models.MoveAsked, Query()]) -> Any:
    """What the engine plays, and why. Machine code that is still being made is not waited for."""
    options = {"seconds": asked.seconds, "depth": asked.depth, "style": asked.style.value}
    one = await _server(request).begin("move", asked, kept=0, **options)
    async with stopping(one, request.receive):
        found = await one.last()
    if found is None:
        raise Busy("tasks")
    return Answer(found)


@router.get(
    "/analyze",
    response_class=Response,
    responses={
        200: {"content": {NDJSON: {"schema": {"type": "string"}}}, "description": "A report a line."},
        **REFUSALS,
    },
)
async def analyze(request: Request, asked: Annotated[models.AnalysisAsked, Query()]) -> Any:
    """A stream of reports, better and better ones, a line each; closing the connection ends the search."""
    return await Stream.begun(await _analysis(_server(request), asked))


async def _analysis(server: Server, asked: models.AnalysisAsked) -> Running:
    return await server.begin("analyze", asked, seconds=asked.seconds, depth=asked.depth, lines=asked.lines)


@router.get("/probe", response_model=models.ProbeRecord, responses=REFUSALS)
async def probe(request: Request, asked: Annotated[models.Place, Query()]) -> Any:
    """What the database says of a position: perfect values, best moves, and a perfect game."""
    return await _server(request).answer("probe", asked)


@router.get("/longest", response_model=models.LongestRecord, responses=REFUSALS)
async def longest(request: Request, asked: Annotated[models.Place, Query()]) -> Any:
    """Positions of the database that are farthest from their end."""
    return await _server(request).answer("longest", asked)


@router.get("/tree", response_model=models.TreeRecord, responses=REFUSALS)
async def tree(request: Request, asked: Annotated[models.TreeAsked, Query()]) -> Any:
    """A textbook algorithm on a position: its result, every step, and the tree as a picture."""
    options = asked.model_dump(mode="json", include={"depth", "fail", "cut", "order", "repetition"})
    chosen = {"algorithm": asked.algorithm, "options": options, "window": asked.window}
    return await _server(request).answer("tree", asked, **chosen)


@router.get("", include_in_schema=False)
@router.get("/", include_in_schema=False)
async def overview() -> Response:
    """Who asks for the API itself is led to its description."""
    return RedirectResponse("/api/openapi.json")


@router.get("/{path:path}", include_in_schema=False)
async def nothing(path: str) -> Any:
    """What is asked of an address where there is nothing; any other address shows a page instead."""
    raise Refusal(404, f"There is no /api/{shortened(path)} here; /api/openapi.json lists what there is.")


# -- the socket ------------------------------------------------------------------------------------------------------


@router.websocket("/analyze")
async def socket(websocket: WebSocket) -> None:
    """Reports on whatever position the client names last."""
    server = _server(websocket)
    try:
        await server.searches.wait()
    except Busy as error:
        await websocket.send_denial_response(refused(error))
        return
    await websocket.accept()
    present: asyncio.Task[None] | None = None
    try:
        while True:
            text = await websocket.receive_text()
            if present is not None:
                present.cancel()
                await asyncio.wait([present])
            present = asyncio.create_task(_answer(server, websocket, text))
    except WebSocketDisconnect:
        pass
    except KeyError:  # bytes in place of text
        await websocket.close(UNSUPPORTED, "Questions are text, in JSON.")
    finally:
        if present is not None:
            present.cancel()


async def _answer(server: Server, websocket: WebSocket, text: str) -> None:
    """Send reports on the position that a message names, until the search ends or the task is cancelled."""
    one: Running | None = None
    try:
        message = models.Message.model_validate_json(text)
        if message.stop:
            return
        one = await _analysis(server, message)
        async for found in one:
            await websocket.send_text(json.dumps({"report": found}))
        if not one.stopped:  # a server that shuts down ends searches that are not done
            await websocket.send_text(json.dumps({"done": True}))
    except ValidationError as error:
        await websocket.send_text(json.dumps({"error": about(error.errors())}))
    except Refusal as error:
        await websocket.send_text(json.dumps({"error": error.sentence, "retry_after": error.retry}))
    except (WebSocketDisconnect, RuntimeError):  # it has gone while it was told something
        pass
    finally:
        if one is not None:
            one.stop()
