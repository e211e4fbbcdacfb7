"""The main loop of a worker process: it loads the games, and answers the server's requests (see worker_process.py)."""

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

from zermelo.app.error_messages import USAGE, describe_error
from zermelo.app.rule_watchdog import RuleTimeout, interrupt, interrupting_watchdog, timeout_message
from zermelo.app.web import handlers
from zermelo.app.web.game_catalog import GameCatalog, check_game, open_catalog
from zermelo.app.web.pools.rule_pool import RULE_TIMEOUT
from zermelo.app.web.pools.search_pool import SearchControl
from zermelo.app.web.pools.worker_channel import Channel, encode_message
from zermelo.app.web.request_errors import as_api_error
from zermelo.app.web.solved_games import SolvedGames
from zermelo.checking.check_report import CheckError
from zermelo.game import Game
from zermelo.games.registry import TextError
from zermelo.play.engine import Engine

HEARTBEAT = "heartbeat"
HEARTBEAT_INTERVAL = 0.5
"""Seconds between two heartbeats of a busy worker."""

COMPILING_KINDS = ("compile", "move", "analyze", "match")
"""Requests that search, so that the search is compiled for them."""

EXIT_UNUSABLE = 70
"""The exit code of a worker whose process can run no rules any more."""

ORPHAN_TIMEOUT = 30.0
"""Seconds after which a worker ends itself if a rule has kept its main loop from running. The server has given it up
long before, unless the server has ended."""


@dataclass(frozen=True)
class WorkerRequest:
    """A request as plain data: its kind, the game, the position, and the options of its handler."""

    kind: str
    game: str = ""
    start: str = ""
    moves: str = ""
    options: dict[str, Any] = field(default_factory=dict)


def results(games: GameCatalog, request: WorkerRequest, control: SearchControl) -> Iterator[Any]:
    """Yield what is found for a request, better and better."""
    text = request.game.strip() or games.default
    if request.kind == "check":
        control.announce_duration(RULE_TIMEOUT)
        yield _check(next(game for game in games.games if games.text(game) == text), control)
        return
    loaded = games.load(text)
    if request.kind in (
        "compile",
        "move",
        "analyze",
        "match",
    ):  # for the others, each worker would compile the same kernel
        games.compile_in_background(loaded)
    if request.kind == "compile":
        yield {}
        return
    position = handlers.PositionRequest.parse(loaded, request.start, request.moves)
    if request.kind in handlers.SEARCH_HANDLERS:
        yield from handlers.SEARCH_HANDLERS[request.kind](position, **request.options)(control)
    else:
        yield handlers.RULE_HANDLERS[request.kind](position, **request.options)


def _check(game: Game, control: SearchControl) -> dict[str, Any]:
    """The record of a first check: a warning, mostly empty, or a failure."""
    try:
        warning = check_game(game)
        handlers.require_native(Engine(game), control)
        return {"warning": warning}
    except RuleTimeout:
        raise
    except BaseException as error:
        return failure_record(error)


def failure_record(error: BaseException) -> dict[str, Any]:
    """An error that keeps games from being served, as plain data."""
    found = describe_error(error)
    return {"failure": found.sentence, "code": found.code, "details": found.details}


def raise_failure(record: dict[str, Any]) -> None:
    """Raise the error of another process, if the record holds one."""
    if "failure" in record:
        if record["code"] == USAGE:
            raise TextError(record["failure"])
        raise CheckError(record["failure"], reproduction=record["details"])


# -- the process -----------------------------------------------------------------------------------------------------


def run_worker(end: socket.socket, texts: list[str], databases: list[str], solved: str) -> None:
    """Load the games, and answer one request after the other until the server closes the channel.

    `solved` is the folder of the games that visitors have had solved, in any of the processes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the server ends this one
    channel = Channel(end)
    outbox: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_send_outbox, args=(channel, outbox), daemon=True, name="sender").start()
    try:
        games = open_catalog(texts, map(Path, databases), check=False, solved=SolvedGames(solved))
        hello = encode_message(["hello", 0, {"listing": games.listing(), "named": games.named}])
    except BaseException as error:
        channel.send(encode_message(["hello", 0, failure_record(error)]))
        return
    channel.send(hello)
    try:
        with interrupting_watchdog(RULE_TIMEOUT).running(), open(os.devnull, "w") as devnull:
            _serve_requests(channel, outbox, games, devnull)
    except (EOFError, OSError):
        os._exit(0)  # the server has ended: nobody waits for what still runs here
    except BaseException:  # rules have broken this process: the server starts another
        os._exit(EXIT_UNUSABLE)


def _serve_requests(channel: Channel, outbox: SimpleQueue[bytes], games: GameCatalog, devnull: Any) -> None:
    task: _Task | None = None
    while True:
        faulthandler.dump_traceback_later(ORPHAN_TIMEOUT, exit=True, file=devnull)
        message = channel.receive(time.monotonic() + HEARTBEAT_INTERVAL)
        if message is None:
            if task is not None and task.running:  # the server expects heartbeats of a busy worker only
                task.send(HEARTBEAT)
            continue
        kind, number, *rest = message
        if kind == "request":
            channel.send(encode_message([HEARTBEAT, number]))  # before rules may keep all else from running
            task = _Task(games, number, WorkerRequest(**rest[0]), outbox)
        elif task is not None and number == task.number:  # an earlier request has ended already
            (task.stop if kind == "stop" else task.interrupt)()


def _send_outbox(channel: Channel, outbox: SimpleQueue[bytes]) -> None:
    """Send queued messages. No exception is ever raised in this thread, so that no message is cut short."""
    with contextlib.suppress(OSError):
        while True:
            channel.send(outbox.get())


class _Task(SearchControl):
    """One request being answered in a thread of its own; another thread waits for its end, and reports it."""

    def __init__(self, games: GameCatalog, number: int, request: WorkerRequest, outbox: SimpleQueue[bytes]) -> None:
        super().__init__()
        self.number = number
        self.running = True
        self._outbox = outbox
        self._lock = threading.Lock()
        self._ended = False
        self._thread = threading.Thread(target=self._run, args=(games, request), daemon=True, name="rules")
        threading.Thread(target=self._supervise, daemon=True, name="supervisor").start()

    def send(self, kind: str, *rest: Any) -> None:
        """Queue a message about this request."""
        self._outbox.put(encode_message([kind, self.number, *rest]))

    def announce_duration(self, seconds: float) -> None:
        self.send("duration", seconds)

    def interrupt(self) -> None:
        """Raise RuleTimeout in the thread, wherever its rules are."""
        with self._lock:
            if not self._ended and self._thread.ident is not None:
                interrupt(self._thread.ident, timeout_message(RULE_TIMEOUT))

    def _supervise(self) -> None:
        try:
            self._thread.start()
        except RuntimeError:  # rules have started as many threads as there may be
            os._exit(EXIT_UNUSABLE)
        self._thread.join()
        self.running = False
        self.send("done")

    def _run(self, games: GameCatalog, request: WorkerRequest) -> None:
        try:
            for found in results(games, request, self):
                self.send("result", found)
        except BaseException as error:
            if not self.stopped:
                found = as_api_error(error)
                self.send("error", found.status, found.sentence, found.retry)
        with self._lock:
            self._ended = True
