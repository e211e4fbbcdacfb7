"""Games of somebody's own are asked in processes that can be left behind: nothing that a rule does stops the server."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from awaited import awaited

pytest.importorskip("fastapi")

from fastapi.testclient import TestClient

from web_server import process
from zermelo.app.web import game_catalog, handlers
from zermelo.app.web.pools import process_pool, search_pool, worker_main
from zermelo.app.web.pools.process_pool import ProcessPool
from zermelo.app.web.pools.search_pool import RunningSearch, SearchControl
from zermelo.app.web.pools.worker_main import WorkerRequest, results
from zermelo.app.web.pools.worker_process import Worker
from zermelo.app.web.server import create_app
from zermelo.play import Engine

HOLDING = '''
import os
import time
from typing import NamedTuple

import zermelo as z


class Left(NamedTuple):
    left: int


class Holding(z.Game):
    """Take one or two; with six left or fewer, `moves` keeps Python's lock for half an hour, or ends the process."""

    until: int = 6
    ending: bool = False
    seconds: float = 0.0
    native = False

    def initial(self):
        return Left(9)

    def moves(self, state):
        if self.until < 0:
            raise ValueError(self.until)
        time.sleep(self.seconds)
        if 0 < state.left <= self.until:
            if self.ending:
                os._exit(3)
            sum(range(10**12))
        return [1, 2]

    def play(self, state, taken):
        return Left(state.left - taken)

    def result(self, state):
        return z.LOSS if state.left <= 0 else z.ONGOING
'''


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "holding.py"
    path.write_text(HOLDING)
    return path


async def answered(port, path):
    """The status and the body of an answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split()[1]), body.decode()


GIVEN_UP = "The rules of {} took longer than 5 seconds; only their process could be ended."


async def page_while_rules_hang(port):
    """Ask what does not end, and the page and another position meanwhile; what the first were told in the end."""
    hanging = [
        asyncio.create_task(answered(port, f"/api/{path}"))
        for path in ("position?moves=2+1", "analyze?depth=8&seconds=60", "move?moves=2+1&seconds=1")
    ]
    await asyncio.sleep(1)
    for path in ("/", "/api/games"):
        status, _ = await answered(port, path)
        assert status == 200
    assert not any(one.done() for one in hanging)
    assert (await answered(port, "/api/position?moves=1"))[0] == 200
    return await asyncio.gather(*hanging)


def test_rules_that_hold_pythons_lock_are_left_behind(file):
    with process(f"{file}:Holding") as (_, port):
        position = awaited(answered(port, "/api/position?moves=1"))[1]
        asked, analyzed, moved = awaited(asyncio.wait_for(page_while_rules_hang(port), 300))
        assert asked == moved == (422, json.dumps({"detail": GIVEN_UP.format("holding")}, separators=(",", ":")))
        assert GIVEN_UP.format("holding") in analyzed[1]
        assert awaited(answered(port, "/api/position?moves=1")) == (200, position)
    with TestClient(create_app(game_catalog.open_catalog([f"{file}:Holding"])), base_url="http://localhost") as client:
        here = client.get("/api/position", params={"moves": "1"}).json()
    assert json.loads(position) == here


@pytest.mark.skipif(os.name != "posix", reason="a signal for one process alone")
def test_a_signal_ends_the_server_and_what_hangs(file):
    with process(f"{file}:Holding") as (server, port), socket.create_connection(("127.0.0.1", port)) as hanging:
        hanging.sendall(b"GET /api/position?moves=2+1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert awaited(answered(port, "/api/position"))[0] == 200
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) != 0
        assert server.stderr.read() == ""  # which ends when the last process has let go of it


def test_a_rule_that_ends_its_process_ends_no_other(file):
    with process(f"{file}:Holding(ending=True)", "nim") as (_, port):
        status, body = awaited(answered(port, "/api/position?moves=2+1"))
        assert status == 422
        assert "The process of holding(ending=True) ended with exit code 3: a rule may have ended it." in body
        assert awaited(answered(port, "/api/position"))[0] == 200
        assert awaited(answered(port, "/api/position?game=nim"))[0] == 200
        assert awaited(answered(port, "/api/position?game=hex"))[0] == 404


def test_a_game_that_hangs_at_once_is_served_with_a_sentence(file):
    serving = process(f"{file}:Holding(until=9)")
    with serving as (_, port):
        assert serving.before == [f"{GIVEN_UP.format('holding(until=9)')} It is served all the same.\n"]
        assert awaited(answered(port, "/"))[0] == 200


@pytest.mark.parametrize(
    ("game", "code", "sentence"),
    [
        ("none.py:None", 2, "none.py"),
        ("holding.py:Nobody", 2, "Nobody"),
        ("holding.py:Holding(until=-1)", 1, "`moves`"),
    ],
)
def test_what_goes_wrong_at_once_is_said(game, code, sentence, file):
    command = [sys.executable, "-m", "zermelo", "serve", "--port", "0", "--no-open", game]
    found = subprocess.run(command, cwd=file.parent, capture_output=True, text=True, timeout=200)
    assert found.returncode == code, found.stderr
    assert sentence in found.stderr
    assert "Traceback" not in found.stderr


# -- one worker after the other --------------------------------------------------------------------------------------


@pytest.fixture
def games(file):
    """The processes of a server; moves of the game take a moment."""
    games = ProcessPool([f"{file}:Holding(until=0, seconds=0.05)"], [], 4)
    yield games
    games.close()


def test_ending_a_former_question_does_not_end_the_next(games):
    former = SearchControl()
    assert len(list(games.results(WorkerRequest("position"), former))) == 1

    class Next(SearchControl):
        def announce_duration(self, seconds):
            former.stop()  # as every request ends, though late

    move = {"seconds": 60, "depth": None, "style": "exact"}
    (found,) = games.results(WorkerRequest("move", options=move), Next())
    assert found["move"] in ("1", "2")
    assert len(games._all) == 1  # it was the same process


def test_a_question_that_nobody_wants_by_the_time_it_is_asked_is_ended(games, monkeypatch):
    sent, send = [], Worker._send
    unwanted = SearchControl()

    def recorded(worker, message):
        sent.append(message[:2])
        unwanted.stopped = True  # while it is being sent
        send(worker, message)

    monkeypatch.setattr(Worker, "_send", recorded)
    list(games.results(WorkerRequest("position"), unwanted))
    assert sent[:2] == [["request", 1], ["stop", 1]]


def test_a_worker_that_ended_at_rest_is_replaced(games):
    (one,) = games._idle
    one.process.kill()
    one.process.join()
    assert len(list(games.results(WorkerRequest("position"), SearchControl()))) == 1
    assert one not in games._all


def test_workers_that_nobody_needs_any_more_end(file, monkeypatch):
    monkeypatch.setattr(process_pool, "IDLE_TIMEOUT", 0.01)
    games = ProcessPool([f"{file}:Holding"], [], 4)
    with games._borrowed_worker() as one, games._borrowed_worker() as other:
        pass
    while len(games._all) > 1:
        time.sleep(0.01)
    (kept,) = games._idle
    assert kept is one  # the last that came to rest
    assert not other.alive
    games.close()


def test_a_worker_at_rest_says_nothing(games):
    (one,) = games._idle
    assert one.channel.receive(time.monotonic() + 3 * worker_main.HEARTBEAT_INTERVAL) is None


def test_the_last_that_is_found_does_not_wait_for_others(monkeypatch):
    monkeypatch.setattr(search_pool, "STREAM_INTERVAL", 3600)
    go_on = threading.Event()

    def job(_):
        yield "first"
        go_on.wait(60)
        yield "last"

    async def last():
        one = RunningSearch(lambda _: None)
        one.start(job)
        found = []
        async for newer in one:
            found.append(newer)
            go_on.set()
        return found

    assert awaited(asyncio.wait_for(last(), 60)) == ["first", "last"]


def test_a_game_that_requires_compilation_is_waited_for(tmp_path, monkeypatch):
    """The compiler is not taken for a rule that does not end."""
    (tmp_path / "requires_native.py").write_text(REQUIRES_NATIVE)
    events = []

    class Recorded(SearchControl):
        def announce_duration(self, seconds):
            events.append(seconds)

    monkeypatch.setattr(Engine, "require_native", lambda engine: events.append("compiler"))
    games = game_catalog.open_catalog([str(tmp_path / "requires_native.py")], check=False)
    assert list(results(games, WorkerRequest("check"), Recorded())) == [{"warning": ""}]
    assert events[-2:] == [handlers.COMPILE_TIMEOUT, "compiler"]


REQUIRES_NATIVE = """
from zermelo import LOSS, ONGOING, Game

class RequiresNative(Game):
    native = True
    def initial(self):
        return 3
    def moves(self, left):
        return range(1, min(left, 2) + 1)
    def play(self, left, taken):
        return left - taken
    def result(self, left):
        return LOSS if left == 0 else ONGOING
"""
