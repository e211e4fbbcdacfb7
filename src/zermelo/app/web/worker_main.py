"""Answering: questions as plain data, and the process that answers them for the server (see worker_process.py)."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from zermelo.app.error_messages import USAGE, complaint
from zermelo.app.rule_watchdog import Overtime, ending, interrupt, unended
from zermelo.app.web import handlers
from zermelo.app.web.game_catalog import Served, look_at, served
from zermelo.app.web.rule_pool import SECONDS, refusal
from zermelo.app.web.search_pool import Wanted
from zermelo.app.web.worker_channel import Channel, written
from zermelo.checking.check_report import CheckError
from zermelo.game import Game
from zermelo.games.registry import TextError

ALIVE = "alive"
TICK = 0.5
"""Seconds after which a worker says that it is alive."""

SPOILT = 70
"""The exit code of a worker that can ask no rules any more."""

ORPHANED = 30.0
"""Seconds after which a worker ends itself if a rule has kept everything else from running. The server has given it up
long before, unless it is no more."""


@dataclass(frozen=True)
class Question:
    """What is asked of a game, and of which position."""

    kind: str
    game: str = ""
    start: str = ""
    moves: str = ""
    options: dict[str, Any] = field(default_factory=dict)


def answers(games: Served, question: Question, wanted: Wanted) -> Iterator[Any]:
    """What is found for a question, better and better."""
    text = question.game.strip() or games.default
    if question.kind == "look":
        wanted.lasts(SECONDS)
        yield _looked_at(next(game for game in games.games if games.text(game) == text), wanted)
        return
    ready = games.load(text)
    if question.kind in ("prepare", "move", "analyze"):  # the others would make the same machine code at the same time
        games.prepare(ready)
    if question.kind == "prepare":
        yield {}
        return
    asked = handlers.Asked.of(ready, question.start, question.moves)
    if question.kind in handlers.SEARCHES:
        yield from handlers.SEARCHES[question.kind](asked, **question.options)(wanted)
    else:
        yield handlers.ANSWERS[question.kind](asked, **question.options)


def _looked_at(game: Game, wanted: Wanted) -> dict[str, Any]:
    """What is said of a game that is looked at: nothing mostly."""
    try:
        said = look_at(game)
        handlers.insist(game, wanted)
        return {"said": said}
    except Overtime:
        raise
    except BaseException as error:
        return failure(error)


def failure(error: BaseException) -> dict[str, Any]:
    """An error that keeps games from being served, as plain data."""
    found = complaint(error)
    return {"failure": found.sentence, "code": found.code, "details": found.details}


def raise_failure(told: dict[str, Any]) -> None:
    """Raise what another process has told of an error, if it has."""
    if "failure" in told:
        if told["code"] == USAGE:
            raise TextError(told["failure"])
        raise CheckError(told["failure"], reproduction=told["details"])


# -- the process -----------------------------------------------------------------------------------------------------


def work(end: socket.socket, texts: list[str], databases: list[str]) -> None:
    """Load the games, and answer one question after the other until the server hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the server ends this one
    channel = Channel(end)
    told: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_tell, args=(channel, told), daemon=True, name="telling").start()
    try:
        games = served(texts, map(Path, databases), looked_at=False)
        hello = written(["hello", 0, {"listing": games.listing(), "named": games.named}])
    except BaseException as error:
        channel.send(written(["hello", 0, failure(error)]))
        return
    channel.send(hello)
    try:
        with ending(SECONDS).watching(), open(os.devnull, "w") as nowhere:
            _listen(channel, told, games, nowhere)
    except (EOFError, OSError):
        os._exit(0)  # whatever still runs here, nobody waits for it
    except BaseException:  # rules have spoilt this process, so that it can ask no others: the server takes a new one
        os._exit(SPOILT)


def _listen(channel: Channel, told: SimpleQueue[bytes], games: Served, nowhere: Any) -> None:
    one: _Answer | None = None
    while True:
        faulthandler.dump_traceback_later(ORPHANED, exit=True, file=nowhere)
        message = channel.next(time.monotonic() + TICK)
        if message is None:
            if one is not None and one.at_work:  # nobody hears it otherwise
                one.tell(ALIVE)
            continue
        kind, number, *rest = message
        if kind == "ask":
            channel.send(written([ALIVE, number]))  # before rules may keep everything else from running
            one = _Answer(games, number, Question(**rest[0]), told)
        elif one is not None and number == one.number:  # a former question has ended, whoever still wants it to
            (one.stop if kind == "stop" else one.interrupt)()


def _tell(channel: Channel, told: SimpleQueue[bytes]) -> None:
    """Send what is told. Nothing is ever raised in this thread, so that no message is cut short."""
    with contextlib.suppress(OSError):
        while True:
            channel.send(told.get())


class _Answer(Wanted):
    """One question being answered, in a thread of its own; another waits for its end, and tells of it."""

    def __init__(self, games: Served, number: int, question: Question, told: SimpleQueue[bytes]) -> None:
        super().__init__()
        self.number = number
        self.at_work = True
        self._told = told
        self._lock = threading.Lock()
        self._ended = False
        self._thread = threading.Thread(target=self._run, args=(games, question), daemon=True, name="rules")
        threading.Thread(target=self._whole, daemon=True, name="waiting").start()

    def tell(self, word: str, *rest: Any) -> None:
        """Say something of this question."""
        self._told.put(written([word, self.number, *rest]))

    def lasts(self, seconds: float) -> None:
        self.tell("lasts", seconds)

    def interrupt(self) -> None:
        """Raise Overtime in the thread, wherever its rules are."""
        with self._lock:
            if not self._ended and self._thread.ident is not None:
                interrupt(self._thread.ident, unended(SECONDS))

    def _whole(self) -> None:
        try:
            self._thread.start()
        except RuntimeError:  # rules have begun as many threads as there may be
            os._exit(SPOILT)
        self._thread.join()
        self.at_work = False
        self.tell("done")

    def _run(self, games: Served, question: Question) -> None:
        try:
            for found in answers(games, question, self):
                self.tell("found", found)
        except BaseException as error:
            if not self.stopped:
                found = refusal(error)
                self.tell("refused", found.status, found.sentence, found.retry)
        with self._lock:
            self._ended = True
