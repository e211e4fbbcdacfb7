"""Handlers of requests: positions, searches, solutions and textbook algorithms, from a game to a record."""

from __future__ import annotations

import os
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import typer

from zermelo.app.options import window as window_of
from zermelo.app.output import plain
from zermelo.app.web import record_handlers, serialisation, solution_handlers
from zermelo.app.web.gallery import picture
from zermelo.app.web.game_catalog import LoadedGame
from zermelo.app.web.models import MAX_THREADS
from zermelo.app.web.pools.search_pool import Job, SearchControl
from zermelo.app.web.position_parsing import parse_session
from zermelo.app.web.request_errors import ApiError
from zermelo.game import Game, GameError, State
from zermelo.games.registry import REQUIRED, Entry, TextError
from zermelo.limits import Limit
from zermelo.play.engine import Engine
from zermelo.play.levels import FULL_STRENGTH
from zermelo.play.move_choice import Source, with_book
from zermelo.play.move_search import REPORT_INTERVAL
from zermelo.play.session import Session
from zermelo.searching import Report
from zermelo.show.trees.drawn_node import PLAIN, Detail
from zermelo.show.trees.tree_picture import tree_record
from zermelo.show.trees.tree_search import TooLarge
from zermelo.solving.solution import Solution

MOVE_SECONDS = 1.0
"""Seconds for a move, where the request names neither seconds nor depth."""

DEPTH_MOVE_SECONDS = 10.0
"""Seconds for a move to a depth."""

INTERPRETED_MOVE_SECONDS = 1.5
"""The most for a move whose search is still compiling after the wait for it, so that its rules are interpreted."""

COMPILE_TIMEOUT = 600.0
"""Seconds that compiling may take for a game that requires it."""

MAX_TREE_NODES = 2000
"""Nodes of the largest tree that is shown."""

DEFAULT_TREE_DEPTH = 3
"""Plies of a tree that is to fit, where none are given."""

FITTING_TREE_NODES = 700
"""Nodes of the largest tree that is shown where nobody has asked for its depth."""


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


def available_threads() -> int:
    """How many threads an analysis may use: the cores of the machine."""
    return min(os.cpu_count() or 1, MAX_THREADS)


class SearchStopped(Exception):
    """The client has stopped the search."""


def analyze_position(request: PositionRequest, seconds: float, depth: int | None, lines: int, threads: int = 1) -> Job:
    """What the book or the database knows, and the reports of a search where that is not all.

    A database knows every move, so there is nothing to search. A book knows one, and the search tells the others.
    """

    def job(control: SearchControl) -> Iterator[Any]:
        state, player = request.state_to_move(), request.session.player
        engine = _engine(request, Limit(seconds, depth), request.loaded.solution)
        engine.threads = min(threads, available_threads())
        require_native(engine, control)
        control.announce_duration(seconds)
        known = engine.look_up(state)
        if known is not None and known.source is Source.BOOK and known.report.value.outcome is None:
            known = None  # lines that people wrote say nothing of the value
        if known is not None:
            yield serialisation.report(known.report, player, known.source)
            if known.source is Source.DATABASE:
                return
        with engine.analyze(state, min(lines, len(request.session.moves))) as reports:
            control.on_stop = reports.stop
            if control.stopped:
                return
            for found in reports.live(REPORT_INTERVAL):
                report, source = (found, Source.SEARCH) if known is None else with_book(found, known.report)
                compiling = request.loaded.compiling
                yield serialisation.report(report, player, source, compiling=compiling, threads=engine.threads)

    return job


def choose_move(
    request: PositionRequest,
    seconds: float | None,
    depth: int | None,
    style: str = "exact",
    level: int = FULL_STRENGTH,
    seed: int | None = None,
) -> Job:
    """The engine's move. An engine of a given depth or a lower level gets no book and no database: it plays as well as
    that depth or level.

    While the search is compiling, the engine waits for it, as long as it may think; then it plays interpreted, and the
    record says so.
    """

    def job(control: SearchControl) -> Iterator[Any]:
        def stop_if_asked(_: Report) -> None:
            if control.stopped:
                raise SearchStopped

        state, loaded = request.state_to_move(), request.loaded
        limit = Limit(seconds or (MOVE_SECONDS if depth is None else DEPTH_MOVE_SECONDS), depth)
        knows = depth is None and level == FULL_STRENGTH
        engine = _engine(request, limit, loaded.solution if knows else None, style, book=knows, level=level)
        engine.seed = seed if level < FULL_STRENGTH else None
        require_native(engine, control)
        known = engine.look_up(state)
        if known is None and loaded.compiling:
            control.announce_duration(2 * (limit.seconds or 0))
            loaded.wait_for_compiler(limit.seconds or 0, lambda: control.stopped)
        compiling = loaded.compiling
        if compiling:
            engine.limit = replace(limit, seconds=min(limit.seconds or 0, INTERPRETED_MOVE_SECONDS))
        control.announce_duration(limit.seconds or 0)
        found, source = engine.decide(state, stop_if_asked, request.session.states)
        whole = found.depth == depth or (level < FULL_STRENGTH and found.seconds < (engine.limit.seconds or 0))
        weak = compiling and source is Source.SEARCH and not whole and not found.value.exact
        record = serialisation.report(found, request.session.player, source, compiling=weak)
        yield {"move": request.game.move_text(state, found.move), "report": record}

    return job


def _engine(
    request: PositionRequest,
    limit: Limit,
    database: Solution | None,
    style: str = "exact",
    *,
    book: bool = True,
    level: int = FULL_STRENGTH,
) -> Engine:
    """The engine of a request. Its search does not probe: every worker would load the whole database for a move."""
    return Engine(request.game, limit, level=level, style=style, database=database, probe_in_search=False, book=book)


def require_native(engine: Engine, control: SearchControl) -> None:
    """Compile the search of a game that requires it, however long that takes."""
    if engine.game.native:
        control.announce_duration(COMPILE_TIMEOUT)
        engine.require_native()


# -- positions, solutions and trees ----------------------------------------------------------------------------------


def show_position(request: PositionRequest) -> dict[str, Any]:
    """Everything the page needs to show the position."""
    return serialisation.position(request.loaded, request.session)


def probe(request: PositionRequest) -> dict[str, Any]:
    """The position's values in the solution."""
    return serialisation.probed(request.solution(), request.state, request.session.player)


def show_picture(request: PositionRequest) -> dict[str, Any]:
    """A small picture of the position."""
    return picture(request.session)


def engine_status(request: PositionRequest) -> dict[str, Any]:
    """Whether the search of the game is compiling."""
    return {"compiling": request.loaded.compiling}


def longest(request: PositionRequest) -> dict[str, Any]:
    """Positions of the solution that are farthest from their end."""
    return serialisation.longest(request.solution())


def search_tree(
    request: PositionRequest,
    algorithm: str,
    options: dict[str, Any],
    window: str,
    fit: bool = False,
    drawing: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """A textbook algorithm on the position, with its trace and its tree; with `fit`, of a depth that can be shown."""
    given = {name: option for name, option in options.items() if option is not None}
    if window.strip():
        given["window"] = _window(window)
    detail = _detail(**drawing) if drawing else PLAIN
    for depth in _depths(given.get("depth"), fit):
        most = FITTING_TREE_NODES if fit and depth else MAX_TREE_NODES
        try:
            record = tree_record(request.game, request.state, algorithm, given | {"depth": depth}, most, detail)
        except TooLarge:
            if not fit or depth == 1:
                raise
        else:
            return serialisation.json_record(record | {"depth": depth})
    raise AssertionError("the last depth returns or raises")


def _detail(boards: bool, fold: bool, unfold: str) -> Detail:
    return Detail(boards, fold, frozenset(int(number) for number in unfold.split(",") if number))


def _depths(depth: int | None, fit: bool) -> list[int | None]:
    """The depths to try, one after the other."""
    return [depth, *range((depth or DEFAULT_TREE_DEPTH + 1) - 1, 0, -1)] if fit else [depth]


def _window(text: str) -> tuple[float, ...]:
    try:
        return window_of(text)
    except typer.BadParameter as error:
        raise TextError(f"window: {error.message}") from None


def solve_now(request: PositionRequest) -> Job:
    """Solve the game of the position."""
    return solution_handlers.solve_game(request.loaded)


def match_engines(request: PositionRequest, first: int, second: int, games: int, seed: int) -> Job:
    """A match of two engines from the position."""
    from zermelo.app.web.match_handler import play_match  # which needs this module

    return play_match(request, first, second, games, seed)


def statistics(request: PositionRequest) -> dict[str, Any]:
    """Counts of the solution, and positions that stand out."""
    return solution_handlers.statistics(request.solution())


def perfect(request: PositionRequest) -> dict[str, Any]:
    """The tree of perfect play from the position."""
    return solution_handlers.perfect_tree(request.solution(), request.state_to_move(), request.session.player)


def export_record(request: PositionRequest, start: str, lines: str, comments: str, form: str) -> dict[str, Any]:
    """The game and its variations in its own notation."""
    return record_handlers.export_game(request.loaded, start, lines, comments, form)


def import_record(request: PositionRequest, text: str, form: str) -> dict[str, Any]:
    """The first game of a text."""
    return record_handlers.import_game(request.loaded, text, form)


RULE_HANDLERS: dict[str, Callable[..., dict[str, Any]]] = {
    "position": show_position,
    "engine": engine_status,
    "picture": show_picture,
    "probe": probe,
    "longest": longest,
    "statistics": statistics,
    "perfect": perfect,
    "export": export_record,
    "import": import_record,
    "tree": search_tree,
}
"""Handlers that call the rules and return at once, by the last part of their address."""

SEARCH_HANDLERS: dict[str, Callable[..., Job]] = {
    "analyze": analyze_position,
    "move": choose_move,
    "solve": solve_now,
    "match": match_engines,
}
"""Handlers that search, and yield better and better results."""
