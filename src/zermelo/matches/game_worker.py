"""A process that plays games of a match, one after another, as the process of the match tells it.

Both write lines of JSON. The worker is told a task and answers with the side that is to move, before each move, and at
the end with the record of the game. So the process of the match knows who is to blame if a worker does not answer any
more, or ends. What players print goes nowhere.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Any, NoReturn

from zermelo.formatting import exception_text
from zermelo.game import Game, GameError
from zermelo.games.registry import load, name_of
from zermelo.games.support import game_spec
from zermelo.limits import Limit
from zermelo.matches.adjudication import DrawAgreement, Resignation
from zermelo.matches.openings import Opening
from zermelo.matches.player_spec import PlayerSpec, player_spec
from zermelo.matches.players import Forfeit, Player, make_player
from zermelo.matches.single_game import Conditions, Referee, Seat, Task
from zermelo.play.clock import MoveTime
from zermelo.play.session import Session

TRUSTED = ("zermelo", "monte_carlo", "random")
"""Kinds of players that always answer, if only after the time that a depth takes."""


@dataclass(frozen=True)
class Setup:
    """What a worker has to know: the game, the players, the conditions and the database of the referee."""

    game: Game
    players: tuple[PlayerSpec, ...]
    conditions: Conditions
    database: Path | None = None

    def to_json(self) -> dict[str, Any] | None:
        """The setup for a process that makes game and players itself; None where it could not."""
        name = name_of(self.game)
        if not all(spec.text for spec in self.players) or not _is_loadable(name):
            return None
        database = None if self.database is None else str(self.database)
        players = [[spec.name, spec.text] for spec in self.players]
        conditions = asdict(self.conditions)
        return {"game": name, "players": players, "conditions": conditions, "database": database, "path": sys.path}

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Setup:
        sys.path[:] = found["path"]
        conditions = found["conditions"]
        for name, kind in (("limit", Limit), ("resign", Resignation), ("draw", DrawAgreement)):
            conditions[name] = None if conditions[name] is None else kind(**conditions[name])
        players = tuple(player_spec(text) for _, text in found["players"])
        return cls(
            load(found["game"]),
            tuple(_named(spec, name) for spec, (name, _) in zip(players, found["players"], strict=True)),
            Conditions(**conditions),
            None if found["database"] is None else Path(found["database"]),
        )


def _named(spec: PlayerSpec, name: str) -> PlayerSpec:
    return PlayerSpec(spec.kind, name, spec.limit, spec.settings, spec.target, spec.text)


def _is_loadable(name: str) -> bool:
    """Whether another process can load a game by this name: not one of a notebook, or of a script that is running."""
    try:
        spec = game_spec.parse(name)
    except GameError:
        return False
    return spec.kind != "module" or (spec.target != "__main__" and "<" not in name)


class _Absent:
    """The place of a player that could not be made: it loses every game."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def begin(self, seed: int) -> None:
        raise Forfeit(self.reason)

    def choose(self, session: Session, allowed: MoveTime) -> NoReturn:
        raise Forfeit(self.reason)

    def close(self) -> None: ...


class Worker:
    """Plays the games that it is told."""

    def __init__(self, setup: Setup, lines: IO[str], answers: IO[str]) -> None:
        self.setup, self.lines, self.answers = setup, lines, answers
        self.players: dict[int, Player] = {}
        self.database: Any = None

    def run(self) -> None:
        """Play until there are no more tasks."""
        try:
            if self.setup.database is not None:
                from zermelo.searching.runtime.tablebase_probing import checked_solution

                self.database = checked_solution("match", self.setup.game, self.setup.database)
            for line in self.lines:
                self._play(_task(json.loads(line)))
        except BrokenPipeError:
            pass  # the match has ended
        except Exception as error:
            self._tell({"error": exception_text(error), "kind": type(error).__name__})
        finally:
            self.close()

    def close(self) -> None:
        for player in self.players.values():
            with suppress(Exception):
                player.close()

    def _play(self, task: Task) -> None:
        seats = [self._seat(number) for number in task.seats]
        referee = Referee(self.setup.game, seats, self.setup.conditions, self.database)
        record = referee.play(task, lambda *turn: self._tell({"turn": turn}))
        self._tell({"game": record})

    def _seat(self, number: int) -> Seat:
        spec = self.setup.players[number]
        if number not in self.players:
            try:
                self.players[number] = make_player(spec, self.setup.game)
            except Exception as error:
                self.players[number] = _Absent(f"cannot play: {exception_text(error)}".rstrip("."))
        return Seat(self.players[number], spec.name, spec.limit, spec.kind in TRUSTED)

    def _tell(self, message: dict[str, Any]) -> None:
        self.answers.write(json.dumps(message) + "\n")
        self.answers.flush()


def _task(found: dict[str, Any]) -> Task:
    opening = Opening(found["start"], tuple(found["moves"]))
    return Task(found["number"], found["pair"], opening, found["seed"], (found["seats"][0], found["seats"][1]))


def task_message(task: Task) -> dict[str, Any]:
    """A task as a worker reads it."""
    opening = {"start": task.opening.start, "moves": task.opening.moves}
    return {"number": task.number, "pair": task.pair, "seed": task.seed, "seats": task.seats, **opening}


def work(setup: Setup | None, tasks: int, answers: int, unused: Sequence[int] = ()) -> None:
    """Run a worker with these two file descriptors. Without a setup, the first line holds it."""
    for each in unused:
        with suppress(OSError):
            os.close(each)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    with os.fdopen(tasks, encoding="utf-8") as lines, os.fdopen(answers, "w", encoding="utf-8") as writer:
        if setup is None:
            try:
                setup = Setup.from_json(json.loads(lines.readline()))
            except Exception as error:
                writer.write(json.dumps({"error": exception_text(error), "kind": type(error).__name__}) + "\n")
                return
        worker = Worker(setup, lines, writer)

        def end(number: int, frame: FrameType | None) -> None:
            worker.close()
            os._exit(1)

        signal.signal(signal.SIGTERM, end)
        with suppress(OSError, ValueError):
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        worker.run()


if __name__ == "__main__":
    work(None, os.dup(0), os.dup(1))
    os._exit(0)  # a thread of a player must not keep the process
