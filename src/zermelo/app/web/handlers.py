"""Handlers of requests: positions, searches, solutions and textbook algorithms, from a game to a record."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import typer

from zermelo.app.options import window as window_of
from zermelo.app.output import plain
from zermelo.app.web import serialisation
from zermelo.app.web.game_catalog import LoadedGame
from zermelo.app.web.pools.search_pool import Job, SearchControl
from zermelo.app.web.position_parsing import parse_session
from zermelo.app.web.request_errors import ApiError
from zermelo.game import Game, GameError, State
from zermelo.games.registry import REQUIRED, Entry, TextError
from zermelo.limits import Limit
from zermelo.play.engine import REPORT_INTERVAL, Engine
from zermelo.play.move_choice import Source
from zermelo.play.session import Session
from zermelo.searching import Report
from zermelo.show.trees.tree_picture import tree_record
from zermelo.solving.solution import Solution

MOVE_SECONDS = 1.0
"""Seconds for a move, where the request names neither seconds nor depth."""

DEPTH_MOVE_SECONDS = 10.0
"""Seconds for a move to a depth."""

INTERPRETED_MOVE_SECONDS = 1.5
"""The same while the search is still compiling, so that its rules are interpreted."""

COMPILE_TIMEOUT = 600.0
"""Seconds that compiling may take for a game that requires it."""

MAX_TREE_NODES = 2000
"""Nodes of the largest tree that is shown."""


@dataclass(frozen=True)
class PositionRequest:
    """The position that a request is about."""

    loaded: LoadedGame
    session: Session

    @classmethod
    def parse(cls, loaded: LoadedGame, start: str, moves: str) -> PositionRequest:
        return cls(loaded, parse_session(loaded.game, start, moves))

    @property
    def game(self) -> Game:
        return self.loaded.game

    @property
    def state(self) -> State:
        return self.session.state

    def solution(self) -> Solution:
        """The solution of the game. Raise ApiError 404 if none was opened."""
        if self.loaded.solution is None:
            name = self.loaded.name
            raise ApiError(404, f"No database of {name} is open here; `zermelo serve --database` opens one.")
        return self.loaded.solution

    def state_to_move(self) -> State:
        """The state. Raise GameError if no player is to move in it."""
        game, state = self.game, self.state
        if self.session.outcome is not None:
            raise GameError(f"{game!r}: the game is over in {game.state_text(state)}; there is nothing to search.")
        if game.is_chance(state):
            raise GameError(f"{game!r}: chance moves in {game.state_text(state)}, so there is no move to choose.")
        return state


def parameters(entry: Entry) -> list[dict[str, Any]]:
    """The parameters of a game with their types and defaults; None where there is no default."""
    try:
        hints = typing.get_type_hints(entry.game)
    except Exception:  # annotations that only resolve where the game was written
        hints = {}
    return [
        {"name": name, "type": _type(hints.get(name, Any)), "default": None if value is REQUIRED else plain(value)}
        for name, value in entry.parameters.items()
    ]


def _type(hint: Any) -> str:
    plainly = isinstance(hint, type) and not typing.get_args(hint)
    return hint.__name__ if plainly else str(hint).replace("typing.", "")


# -- searches --------------------------------------------------------------------------------------------------------


class SearchStopped(Exception):
    """The client has stopped the search."""


def analyze_position(request: PositionRequest, seconds: float, depth: int | None, lines: int) -> Job:
    """The reports of a search, or the one report of the database, which needs no search."""

    def job(control: SearchControl) -> Iterator[Any]:
        state = request.state_to_move()
        engine = _engine(request, Limit(seconds, depth), request.loaded.solution)
        require_native(engine, control)
        control.announce_duration(seconds)
        found = engine.analyze(state, min(lines, len(request.session.moves)))
        if isinstance(found, Report):
            yield serialisation.report(found, database=True)
            return
        with found as reports:
            control.on_stop = reports.stop
            if not control.stopped:
                yield from map(serialisation.report, reports.live(REPORT_INTERVAL))

    return job


def choose_move(request: PositionRequest, seconds: float | None, depth: int | None, style: str) -> Job:
    """The engine's move. An engine of a given depth gets no database: it plays as well as that depth."""

    def job(control: SearchControl) -> Iterator[Any]:
        def stop_if_asked(_: Report) -> None:
            if control.stopped:
                raise SearchStopped

        state = request.state_to_move()
        limit = Limit(seconds or _move_seconds(request.loaded, depth), depth)
        database = request.loaded.solution if depth is None else None
        engine = _engine(request, limit, database, style)
        require_native(engine, control)
        control.announce_duration(limit.seconds or 0)
        found, source = engine.decide(state, stop_if_asked, request.session.states)
        record = serialisation.report(found, database=source is Source.DATABASE)
        yield {"move": request.game.move_text(state, found.move), "report": record}

    return job


def _engine(request: PositionRequest, limit: Limit, database: Solution | None, style: str = "exact") -> Engine:
    """The engine of a request. Its search does not probe: every worker would load the whole database for a move."""
    return Engine(request.game, limit, style=style, database=database, probe_in_search=False)


def require_native(engine: Engine, control: SearchControl) -> None:
    """Compile the search of a game that requires it, however long that takes."""
    if engine.game.native:
        control.announce_duration(COMPILE_TIMEOUT)
        engine.require_native()


def _move_seconds(loaded: LoadedGame, depth: int | None) -> float:
    if depth is None:
        return MOVE_SECONDS
    return INTERPRETED_MOVE_SECONDS if loaded.compiling else DEPTH_MOVE_SECONDS


# -- positions, solutions and trees ----------------------------------------------------------------------------------


def show_position(request: PositionRequest) -> dict[str, Any]:
    """Everything the page needs to show the position."""
    return serialisation.position(request.loaded, request.session)


def probe(request: PositionRequest) -> dict[str, Any]:
    """The position's values in the solution."""
    return serialisation.probed(request.solution(), request.state)


def longest(request: PositionRequest) -> dict[str, Any]:
    """Positions of the solution that are farthest from their end."""
    return serialisation.longest(request.solution())


def search_tree(request: PositionRequest, algorithm: str, options: dict[str, Any], window: str) -> dict[str, Any]:
    """A textbook algorithm on the position, with its trace and its tree."""
    given = {name: option for name, option in options.items() if option is not None}
    if window.strip():
        given["window"] = _window(window)
    return serialisation.json_record(tree_record(request.game, request.state, algorithm, given, MAX_TREE_NODES))


def _window(text: str) -> tuple[float, ...]:
    try:
        return window_of(text)
    except typer.BadParameter as error:
        raise TextError(f"window: {error.message}") from None


RULE_HANDLERS: dict[str, Callable[..., dict[str, Any]]] = {
    "position": show_position,
    "probe": probe,
    "longest": longest,
    "tree": search_tree,
}
"""Handlers that call the rules and return at once, by the last part of their address."""

SEARCH_HANDLERS: dict[str, Callable[..., Job]] = {"analyze": analyze_position, "move": choose_move}
"""Handlers that search, and yield better and better results."""
