"""Questions: what requests ask, answered from the rules, a search, a solution or a textbook algorithm."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import typer

from zermelo.app.options import window as window_of
from zermelo.app.output import plain
from zermelo.app.web import serialisation
from zermelo.app.web.game_catalog import Ready
from zermelo.app.web.rule_pool import Refusal
from zermelo.app.web.search_pool import Job, Wanted
from zermelo.game import Game, GameError, State
from zermelo.games.registry import REQUIRED, Entry, TextError
from zermelo.limits import Limit
from zermelo.play.engine import Engine
from zermelo.play.session import Session
from zermelo.searching import Report, analyze
from zermelo.show.trees.tree_picture import tree_record
from zermelo.solving.solution import Solution

SECONDS = 1.0
"""For a move, where the request names neither seconds nor depth."""

PATIENCE = 10.0
"""Seconds for a move to a depth."""

COLD = 1.5
"""The same while machine code is still being made, which nobody should wait for."""

INSISTING = 600.0
"""Seconds that machine code may take which a game insists on."""

TICK = 0.25
"""Seconds after which a search tells of its nodes, where nothing else is new."""

MOST_NODES = 2000
"""Nodes of the largest tree that is shown."""


@dataclass(frozen=True)
class Asked:
    """The position that a request is about."""

    ready: Ready
    session: Session

    @classmethod
    def of(cls, ready: Ready, start: str, moves: str) -> Asked:
        return cls(ready, serialisation.session_of(ready.game, start, moves))

    @property
    def game(self) -> Game:
        return self.ready.game

    @property
    def state(self) -> State:
        return self.session.state

    def position(self) -> dict[str, Any]:
        return serialisation.position(self.ready, self.session)

    def solution(self) -> Solution:
        """The solution of the game; a 404 where none was opened."""
        if self.ready.solution is None:
            raise Refusal(404, f"No database of {self.ready.name} is open here; `zermelo serve --database` opens one.")
        return self.ready.solution


def parameters(entry: Entry) -> list[dict[str, Any]]:
    """The parameters of a game with their types and defaults; None where there is no default."""
    try:
        hints = typing.get_type_hints(entry.game)
    except Exception:  # annotations that only make sense where the game was written
        hints = {}
    return [
        {"name": name, "type": _type(hints.get(name, Any)), "default": None if value is REQUIRED else plain(value)}
        for name, value in entry.parameters.items()
    ]


def _type(hint: Any) -> str:
    plainly = isinstance(hint, type) and not typing.get_args(hint)
    return hint.__name__ if plainly else str(hint).replace("typing.", "")


# -- searches --------------------------------------------------------------------------------------------------------


class Stopped(Exception):
    """Nobody wants to know any more."""


def analysis(asked: Asked, seconds: float, depth: int | None, lines: int) -> Job:
    """The reports of a search, or the one of a solution, which needs no search."""

    def job(wanted: Wanted) -> Iterator[Any]:
        state = _to_move(asked)
        if (found := serialisation.known(asked.ready.solution, state)) is not None:
            yield serialisation.report(found, database=True)
            return
        insist(asked.game, wanted)
        wanted.lasts(seconds)
        many = min(lines, len(asked.session.moves))
        with analyze(asked.game, state, Limit(seconds, depth), lines=many) as reports:
            wanted.end = reports.stop
            if not wanted.stopped:
                yield from map(serialisation.report, reports.live(TICK))

    return job


def choice(asked: Asked, seconds: float | None, depth: int | None, style: str) -> Job:
    """The engine's move."""

    def job(wanted: Wanted) -> Iterator[Any]:
        def tell(_: Report) -> None:
            if wanted.stopped:
                raise Stopped

        state = _to_move(asked)
        perfect = style == "exact" and depth is None  # to look so many plies ahead is to be as strong as that
        found = serialisation.known(asked.ready.solution, state) if perfect else None
        database = found is not None
        if found is None:
            limit = Limit(seconds or _patience(asked.ready, depth), depth)
            insist(asked.game, wanted)
            wanted.lasts(limit.seconds or 0)
            found = Engine(asked.game, limit, style=style).choose(state, tell, asked.session.states)
        told = serialisation.report(found, database=database)
        yield {"move": asked.game.move_text(state, found.move), "report": told}

    return job


def insist(game: Game, wanted: Wanted) -> None:
    """Have the machine code of a game that insists on it, however long that takes."""
    if game.native:
        wanted.lasts(INSISTING)
        Engine(game).insist()


def _patience(ready: Ready, depth: int | None) -> float:
    if depth is None:
        return SECONDS
    return COLD if ready.cold else PATIENCE


def _to_move(asked: Asked) -> State:
    """The state, seen to be one in which a player moves."""
    game, state = asked.game, asked.state
    if asked.session.outcome is not None:
        raise GameError(f"{game!r}: the game is over in {game.state_text(state)}; there is nothing to search.")
    if game.is_chance(state):
        raise GameError(f"{game!r}: chance moves in {game.state_text(state)}, so there is no move to choose.")
    return state


# -- solutions and trees ---------------------------------------------------------------------------------------------


def probe(asked: Asked) -> dict[str, Any]:
    """What the solution says of the position."""
    return serialisation.probed(asked.solution(), asked.state)


def longest(asked: Asked) -> dict[str, Any]:
    """Positions of the solution that are farthest from their end."""
    return serialisation.longest(asked.solution())


def tree(asked: Asked, algorithm: str, options: dict[str, Any], window: str) -> dict[str, Any]:
    """A textbook algorithm on the position, with its trace and its tree."""
    given = {name: option for name, option in options.items() if option is not None}
    if window.strip():
        given["window"] = _window(window)
    return serialisation.record(tree_record(asked.game, asked.state, algorithm, given, MOST_NODES))


def _window(text: str) -> tuple[float, ...]:
    try:
        return window_of(text)
    except typer.BadParameter as error:
        raise TextError(f"window: {error.message}") from None


def position(asked: Asked) -> dict[str, Any]:
    """Everything a page needs to show the position."""
    return asked.position()


ANSWERS: dict[str, Callable[..., dict[str, Any]]] = {
    "position": position,
    "probe": probe,
    "longest": longest,
    "tree": tree,
}
"""What rules answer at once, by the last part of its address."""

SEARCHES: dict[str, Callable[..., Job]] = {"analyze": analysis, "move": choice}
"""What is searched for, better and better."""
