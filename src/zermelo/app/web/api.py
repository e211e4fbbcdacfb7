"""The HTTP API: every request is a GET that carries the whole position, so the server keeps no sessions."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import RedirectResponse, Response
from pydantic import ValidationError

from zermelo.app.web import handlers, models
from zermelo.app.web.game_catalog import GameCatalog
from zermelo.app.web.pools.process_pool import ProcessPool
from zermelo.app.web.pools.rule_pool import RulePool
from zermelo.app.web.pools.search_pool import Job, RunningSearch, SearchPool
from zermelo.app.web.pools.worker_main import WorkerRequest
from zermelo.app.web.request_errors import ApiError, ServerBusy, validation_message
from zermelo.app.web.responses import RecordResponse, error_response
from zermelo.app.web.streaming import ReportStream, stop_on_disconnect
from zermelo.formatting import shortened

router = APIRouter(prefix="/api")

ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    404: {"model": models.Error, "description": "No such game, or no database of it."},
    422: {"model": models.Error, "description": "A question that cannot be answered."},
    503: {"model": models.Error, "description": "Busy; Retry-After says when to come back."},
}
NDJSON = "application/x-ndjson"
UNSUPPORTED_DATA = 1003
"""The close code of a socket that got bytes in place of text."""


class Server:
    """What the endpoints share: the games, and the pools of rules and searches.

    Games of a catalog run in this process, those of a process pool in its workers.
    """

    def __init__(self, games: GameCatalog | ProcessPool, slots: int | None = None) -> None:
        self.games = games
        self.rules = RulePool()
        self.searches = SearchPool(slots)

    async def answer(self, kind: str, query: models.PositionQuery, **options: Any) -> RecordResponse:
        """The response of a handler that calls the rules."""
        games = self.games
        if isinstance(games, ProcessPool):
            return RecordResponse(await self._ask_worker(games, worker_request(kind, query, options)))
        position = await self._position(
            games, query, compiled=kind in ("position", "engine"), only_drawn=kind == "picture"
        )
        return RecordResponse(await self.rules.run(lambda: handlers.RULE_HANDLERS[kind](position, **options)))

    async def _ask_worker(self, games: ProcessPool, request: WorkerRequest) -> Any:
        """The last result of a worker. It has its own timeout, and takes no slot of a search."""
        search = RunningSearch(lambda _: None)
        search.start(lambda control: games.results(request, control))
        try:
            found = await search.last()
        finally:
            search.stop()
        if found is None:
            raise ServerBusy("tasks")
        return found

    async def _position(
        self, games: GameCatalog, query: models.PositionQuery, *, compiled: bool, only_drawn: bool = False
    ) -> handlers.PositionRequest:
        """The position that a request names; `compiled` starts compiling its game, for the searches to come."""
        text = query.game.strip() or games.default
        load = games.load_to_draw if only_drawn else games.load
        position = await self.rules.run(lambda: handlers.PositionRequest.parse(load(text), query.start, query.moves))
        if compiled:
            games.compile_in_background(position.loaded)
        return position

    async def start_search(
        self, kind: str, query: models.PositionQuery, reserved: int = 1, **options: Any
    ) -> RunningSearch:
        """Start the search that a request asks for."""
        games = self.games

        async def prepare() -> Job:
            if isinstance(games, ProcessPool):
                request = worker_request(kind, query, options)
                return lambda control: games.results(request, control)
            return handlers.SEARCH_HANDLERS[kind](await self._position(games, query, compiled=True), **options)

        return await self.searches.start(prepare, reserved)

    async def compile_default_game(self) -> None:
        """Compile the game that is shown first, in the background."""
        games = self.games
        with suppress(ApiError):  # reported to those who ask for the game
            if isinstance(games, ProcessPool):
                await self._ask_worker(games, WorkerRequest("compile"))
            else:
                games.compile_in_background(await self.rules.run(lambda: games.load(games.default)))

    def close(self) -> None:
        """Stop all searches, and kill the worker processes."""
        self.searches.close()
        if isinstance(self.games, ProcessPool):
            self.games.close()
        else:
            self.games.solved.close()


def worker_request(kind: str, query: models.PositionQuery, options: dict[str, Any]) -> WorkerRequest:
    """The request to a worker that stands for one to the server."""
    return WorkerRequest(kind, query.game, query.start, query.moves, options)


def _server(request: Request | WebSocket) -> Server:
    server: Server = request.app.state.server
    return server


@router.get("/games", response_model=models.GamesRecord, responses=ERROR_RESPONSES)
async def games(request: Request, _: Annotated[models.EmptyQuery, Query()]) -> Any:
    """The games that are served, with their parameters, and the one to begin with."""
    games = _server(request).games
    return RecordResponse(games.listing if isinstance(games, ProcessPool) else games.listing())


@router.get("/position", response_model=models.PositionRecord, responses=ERROR_RESPONSES)
async def position(request: Request, query: Annotated[models.PositionQuery, Query()]) -> Any:
    """A position: the board, the legal moves with the squares to click, and how it came about."""
    return await _server(request).answer("position", query)


@router.get("/picture", response_model=models.PictureRecord, responses=ERROR_RESPONSES)
async def picture(request: Request, query: Annotated[models.PositionQuery, Query()]) -> Any:
    """A small picture of a position, for a gallery; before the first move, of the board with some pieces on it.

    Nothing is compiled for it. The picture has no style sheet of its own: `/board/theme.css` is that of all boards.
    """
    return await _server(request).answer("picture", query)


@router.get("/engine", response_model=models.EngineRecord, responses=ERROR_RESPONSES)
async def engine(request: Request, query: Annotated[models.PositionQuery, Query()]) -> Any:
    """Whether the fast engine of a game is ready, or being compiled; asking for a position begins that."""
    return await _server(request).answer("engine", query)


@router.get("/move", response_model=models.MoveRecord, responses=ERROR_RESPONSES)
async def move(request: Request, query: Annotated[models.MoveQuery, Query()]) -> Any:
    """What the engine plays, and why. It waits for a search that is compiling, as long as it may think."""
    options = query.model_dump(mode="json", include={"seconds", "depth", "style", "level", "seed"})
    search = await _server(request).start_search("move", query, reserved=0, **options)
    async with stop_on_disconnect(search, request.receive):
        found = await search.last()
    if found is None:
        raise ServerBusy("tasks")
    return RecordResponse(found)


@router.get(
    "/analyze",
    response_class=Response,
    responses={
        200: {"content": {NDJSON: {"schema": {"type": "string"}}}, "description": "A report a line."},
        **ERROR_RESPONSES,
    },
)
async def analyze(request: Request, query: Annotated[models.AnalysisQuery, Query()]) -> Any:
    """A stream of reports, better and better ones, a line each; closing the connection ends the search."""
    return await ReportStream.start(await _start_analysis(_server(request), query))


async def _start_analysis(server: Server, query: models.AnalysisQuery) -> RunningSearch:
    options: dict[str, Any] = query.model_dump(include={"seconds", "depth", "lines", "threads"})
    return await server.start_search("analyze", query, **options)


@router.get(
    "/match",
    response_class=Response,
    responses={
        200: {"content": {NDJSON: {"schema": {"type": "string"}}}, "description": "The game so far, and the score."},
        **ERROR_RESPONSES,
    },
)
async def match(request: Request, query: Annotated[models.MatchQuery, Query()]) -> Any:
    """A match of two engines, move by move, a line each; closing the connection ends it."""
    options = query.model_dump(include={"first", "second", "games", "seed"})
    return await ReportStream.start(await _server(request).start_search("match", query, **options))


@router.get("/probe", response_model=models.ProbeRecord, responses=ERROR_RESPONSES)
async def probe(request: Request, query: Annotated[models.PositionQuery, Query()]) -> Any:
    """What the database says of a position: perfect values, best moves, and a perfect game."""
    return await _server(request).answer("probe", query)


@router.get("/longest", response_model=models.LongestRecord, responses=ERROR_RESPONSES)
async def longest(request: Request, query: Annotated[models.PositionQuery, Query()]) -> Any:
    """Positions of the database that are farthest from their end."""
    return await _server(request).answer("longest", query)


@router.get("/statistics", response_model=models.StatisticsRecord, responses=ERROR_RESPONSES)
async def statistics(request: Request, query: Annotated[models.PositionQuery, Query()]) -> Any:
    """Counts of the solution by outcome, stage and distance, the longest wins, and positions of zugzwang."""
    return await _server(request).answer("statistics", query)


@router.get("/perfect", response_model=models.PerfectRecord, responses=ERROR_RESPONSES)
async def perfect(request: Request, query: Annotated[models.PositionQuery, Query()]) -> Any:
    """The tree of perfect play from a position: the best moves, the best replies, and so on."""
    return await _server(request).answer("perfect", query)


@router.get("/export", response_model=models.ExportRecord, responses=ERROR_RESPONSES)
async def export(request: Request, query: Annotated[models.ExportQuery, Query()]) -> Any:
    """A game with its variations in its own notation: PGN, PDN, SGF, GGF or .mat."""
    options = {"start": query.start, "lines": query.lines, "comments": query.comments, "form": query.format.value}
    return await _server(request).answer("export", models.PositionQuery(game=query.game, start="", moves=""), **options)


@router.get("/import", response_model=models.ImportRecord, responses=ERROR_RESPONSES)
async def import_(request: Request, query: Annotated[models.ImportQuery, Query()]) -> Any:
    """The first game of a text in one of these notations, with its variations and comments."""
    options = {"text": query.text, "form": query.format.value}
    return await _server(request).answer("import", models.PositionQuery(game=query.game, start="", moves=""), **options)


@router.get(
    "/solve",
    response_class=Response,
    responses={
        200: {"content": {NDJSON: {"schema": {"type": "string"}}}, "description": "The progress, a line at a time."},
        **ERROR_RESPONSES,
    },
)
async def solve(request: Request, query: Annotated[models.PositionQuery, Query()]) -> Any:
    """Solve the game if it is small enough; the database is there once the stream ends. Disconnecting stops it."""
    return await ReportStream.start(await _server(request).start_search("solve", query))


@router.get("/tree", response_model=models.TreeRecord, responses=ERROR_RESPONSES)
async def tree(request: Request, query: Annotated[models.TreeQuery, Query()]) -> Any:
    """A textbook algorithm on a position: its result, every step, and the tree as a picture."""
    options = query.model_dump(mode="json", include={"depth", "fail", "cut", "order", "repetition"})
    chosen = {"algorithm": query.algorithm, "options": options, "window": query.window, "fit": query.fit}
    drawing = query.model_dump(include={"boards", "fold", "unfold"})
    return await _server(request).answer("tree", query, **chosen, drawing=drawing)


@router.get("", include_in_schema=False)
@router.get("/", include_in_schema=False)
async def overview() -> Response:
    """Redirect the API itself to its description."""
    return RedirectResponse("/api/openapi.json")


@router.get("/{path:path}", include_in_schema=False)
async def not_found(path: str) -> Any:
    """An error for any other address of the API; elsewhere the static page answers."""
    raise ApiError(404, f"There is no /api/{shortened(path)} here; /api/openapi.json lists what there is.")


# -- the socket ------------------------------------------------------------------------------------------------------


@router.websocket("/analyze")
async def socket(websocket: WebSocket) -> None:
    """Reports on the position that the client's last message names."""
    server = _server(websocket)
    try:
        await server.searches.wait_for_slot()
    except ServerBusy as error:
        await websocket.send_denial_response(error_response(error))
        return
    await websocket.accept()
    current: asyncio.Task[None] | None = None
    try:
        while True:
            text = await websocket.receive_text()
            if current is not None:
                current.cancel()
                await asyncio.wait([current])
            current = asyncio.create_task(_send_reports(server, websocket, text))
    except WebSocketDisconnect:
        pass
    except KeyError:  # bytes in place of text
        await websocket.close(UNSUPPORTED_DATA, "Questions are text, in JSON.")
    finally:
        if current is not None:
            current.cancel()


async def _send_reports(server: Server, websocket: WebSocket, text: str) -> None:
    """Send reports on the position that a message names, until the search ends or the task is cancelled."""
    search: RunningSearch | None = None
    try:
        message = models.SocketMessage.model_validate_json(text)
        if message.stop:
            return
        search = await _start_analysis(server, message)
        async for found in search:
            await websocket.send_text(json.dumps({"report": found}))
        if not search.stopped:  # a server that shuts down ends searches that are not done
            await websocket.send_text(json.dumps({"done": True}))
    except ValidationError as error:
        await websocket.send_text(json.dumps({"error": validation_message(error.errors())}))
    except ApiError as error:
        await websocket.send_text(json.dumps({"error": error.sentence, "retry_after": error.retry}))
    except (WebSocketDisconnect, RuntimeError):  # the client disconnected while a message was being sent
        pass
    finally:
        if search is not None:
            search.stop()
