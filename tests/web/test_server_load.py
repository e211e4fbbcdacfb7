"""The server under load: many clients, clients who leave, Ctrl-C, and requests that nobody would write by hand."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import hypothesis
import pytest
import uvicorn
import websockets

import zermelo as z
from awaited import awaited
from web_server import process, serving
from zermelo.app.commands import serve_command
from zermelo.app.web import game_catalog
from zermelo.app.web.server import create_app

LONG = "/api/analyze?game=connect_four&seconds=600"
THINKING = "/api/move?game=connect_four&seconds=60&style=longest"  # this style has no use for a book


@pytest.fixture(scope="module")
def server():
    with serving() as server:
        yield server


def asked(server, path):
    """A connection on which a question was asked."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=300)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    return connection


async def answered(port, path):
    """The status, the headers and the body of an answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.lower(), body


# -- clients who leave -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [LONG, THINKING, f"{LONG}&lines=7&depth=40"])
def test_a_dropped_connection_frees_its_search(server, path):
    connection = asked(server, path)
    server.wait_until(lambda: server.searches.running == 1)
    connection.close()
    server.wait_until(lambda: server.searches.running == 0)


def test_a_stream_that_was_read_from_frees_its_search(server):
    connection = asked(server, LONG)
    received = b""
    while b'"depth"' not in received:
        received += connection.recv(1 << 16)
    assert server.searches.running == 1
    connection.close()
    server.wait_until(lambda: server.searches.running == 0)


def test_a_dropped_socket_frees_its_search(server):
    async def visit(leave):
        async with websockets.connect(f"ws://127.0.0.1:{server.port}/api/analyze") as live:
            await live.send(json.dumps({"game": "connect_four", "seconds": 600}))
            assert "report" in json.loads(await live.recv())
            assert server.searches.running == 1
            if leave == "stop":
                await live.send(json.dumps({"stop": True}))
                while server.searches.running:
                    await asyncio.sleep(0.01)
            if leave == "abort":
                live.transport.abort()

    for leave in ("close", "abort", "stop"):
        awaited(asyncio.wait_for(visit(leave), 300))
        server.wait_until(lambda: server.searches.running == 0)


# -- connections without a question ---------------------------------------------------------------------------------


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_request_that_does_not_come_is_not_waited_for(server, begun, monkeypatch):
    monkeypatch.setattr("zermelo.app.web.connection_limits.HEADER_TIMEOUT", 0.2)
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(begun)
        assert connection.recv(1 << 16) == b""
    monkeypatch.undo()
    assert awaited(answered(server.port, "/"))[0] == 200


def test_a_second_request_that_does_not_come_is_not_waited_for(server, monkeypatch):
    monkeypatch.setattr("zermelo.app.web.connection_limits.HEADER_TIMEOUT", 0.2)
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"200 OK" in connection.recv(1 << 16)
        connection.sendall(b"HEAD / HT")
        while connection.recv(1 << 16):
            pass


def test_a_request_that_takes_longer_than_its_headers_may_is_answered(server, monkeypatch):
    monkeypatch.setattr("zermelo.app.web.connection_limits.HEADER_TIMEOUT", 0.2)
    path = "/api/move?game=connect_four&seconds=1&style=longest"
    assert awaited(answered(server.port, path))[0] == 200

    async def live():
        async with websockets.connect(f"ws://127.0.0.1:{server.port}/api/analyze") as socket:
            await asyncio.sleep(0.5)
            await socket.send(json.dumps({"game": "tic_tac_toe", "depth": 1}))
            return json.loads(await socket.recv())

    assert "report" in awaited(asyncio.wait_for(live(), 60))


def test_one_connection_too_many_is_turned_away(server, monkeypatch):
    monkeypatch.setattr("zermelo.app.web.connection_limits.MAX_CONNECTIONS", 0)
    address = ("127.0.0.1", server.port)
    with contextlib.suppress(ConnectionError), socket.create_connection(address, timeout=60) as connection:
        assert connection.recv(1) == b""
    monkeypatch.undo()
    assert awaited(answered(server.port, "/"))[0] == 200


def test_bytes_on_the_socket_are_refused_with_a_close_frame(server):
    async def visit():
        async with websockets.connect(f"ws://127.0.0.1:{server.port}/api/analyze") as live:
            await live.send(b"bytes")
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await live.recv()
            return closed.value.rcvd

    closed = awaited(asyncio.wait_for(visit(), 60))
    assert (closed.code, closed.reason) == (1003, "Questions are text, in JSON.")


# -- many at once ----------------------------------------------------------------------------------------------------


async def crowd(port, clients, counts):
    """So many clients analyze at once, and others look at positions meanwhile."""

    async def analyze(number):
        path = f"/api/analyze?game=connect_four&seconds=0.5&lines=7&moves={number % 7 + 1}"
        status, head, body = await answered(port, path)
        counts[status] += 1
        assert status in (200, 503)
        assert b'"depth"' in body if status == 200 else b"retry-after" in head

    async def live(number):
        try:
            async with websockets.connect(f"ws://127.0.0.1:{port}/api/analyze", open_timeout=300) as socket:
                await socket.send(json.dumps({"game": "connect_four", "moves": str(number % 7 + 1), "seconds": 0.5}))
                message = json.loads(await socket.recv())
                counts["report" if "report" in message else message["retry_after"]] += 1
        except websockets.InvalidStatus as denied:
            counts[denied.response.status_code, denied.response.headers["Retry-After"]] += 1

    async def look():
        status, _, _ = await answered(port, "/api/position?game=connect_four&moves=4+4")
        counts["looked"] += status == 200

    kinds = (analyze, live)
    busy = asyncio.gather(*(kinds[number % 2](number) for number in range(clients)))
    while not busy.done():
        await asyncio.wait_for(look(), 300)
        await asyncio.sleep(0.05)
    await busy


def test_each_of_many_clients_gets_an_answer_or_is_told_to_come_back(server):
    counts = Counter()
    awaited(asyncio.wait_for(crowd(server.port, 40, counts), 400))
    assert counts[200] + counts["report"] >= 2, counts
    assert counts["looked"] >= 2, counts
    server.wait_until(lambda: server.searches.running == 0)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_two_hundred_clients_again_and_again():
    """Memory stays bounded: four searches, and a table of 64 megabytes each at the most."""
    with process() as (server, port):
        awaited(answered(port, "/api/move?game=connect_four&seconds=5"))
        before = resident(server.pid)
        counts = Counter()
        for _ in range(4):
            awaited(asyncio.wait_for(crowd(port, 200, counts), 200))
            assert resident(server.pid) - before < 600
        assert counts["looked"] >= 20


def resident(pid):
    """Megabytes that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


# -- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="a signal for one process alone")
def test_ctrl_c_ends_searches_too_and_says_no_more_than_a_word(tmp_path):
    with process("tic_tac_toe", "connect_four") as (server, port):
        connection = socket.create_connection(("127.0.0.1", port), timeout=300)
        connection.sendall(f"GET {LONG} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert b"200" in connection.recv(1 << 16)
        server.send_signal(signal.SIGINT)
        assert server.wait(300) == 130
        assert server.stderr.read().strip() == "Interrupted."
        connection.close()


@pytest.mark.parametrize("before", [signal.SIG_IGN, signal.default_int_handler], ids=["ignored", "heard"])
def test_a_server_started_in_the_background_goes_on_ignoring_ctrl_c(before):
    app = create_app(game_catalog.open_catalog(["tic_tac_toe"]))
    heard = signal.signal(signal.SIGINT, before)
    try:
        server = serve_command._server(uvicorn.Config(app), app)
    finally:
        signal.signal(signal.SIGINT, heard)
    server.handle_exit(signal.SIGINT, None)
    assert server.should_exit == (before is not signal.SIG_IGN)
    server.handle_exit(signal.SIGTERM, None)
    assert server.should_exit


def test_a_signal_waits_for_no_lock():
    """It may come while the thread that hears it holds that very lock."""
    app = create_app(game_catalog.open_catalog(["tic_tac_toe"]))
    lock = threading.Lock()

    class Locked:
        def stop(self):
            with lock:
                pass

    app.state.server.searches._searches.add(Locked())
    server = serve_command._server(uvicorn.Config(app), app)
    with lock:
        hearing = threading.Thread(target=server.handle_exit, args=(signal.SIGTERM, None), daemon=True)
        hearing.start()
        hearing.join(20)
        assert not hearing.is_alive()
    assert server.should_exit


def test_a_port_in_use_is_a_sentence():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "zermelo", "serve", "--port", port, "tic_tac_toe"]
        found = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert found.returncode == 1
    assert found.stderr.startswith(f"`zermelo serve` cannot listen at 127.0.0.1, port {port}: ")
    assert len(found.stderr.splitlines()) == 1


def test_a_missing_extra_is_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(z.GameError, match=r"needs uvicorn: pip install 'zermelo\[web\]'"):
        serve_command.serve(["tic_tac_toe"], "127.0.0.1", None, [], opens=False, threads=None)


def test_without_a_port_the_next_free_one_is_taken(monkeypatch):
    with serve_command.listening_socket("127.0.0.1", 0) as taken:
        monkeypatch.setattr(serve_command, "DEFAULT_PORT", taken.getsockname()[1])
        with serve_command.listening_socket("127.0.0.1", None) as listener:
            assert (
                serve_command.DEFAULT_PORT
                < listener.getsockname()[1]
                < serve_command.DEFAULT_PORT + serve_command.PORTS_TRIED
            )


# -- requests that nobody would write by hand ------------------------------------------------------------------------


@pytest.mark.parametrize("examples", [20, pytest.param(50, marks=pytest.mark.slow)])
def test_no_request_breaks_the_server(server, examples):
    """schemathesis, from the OpenAPI description: nothing but answers that it describes, and no error of the server."""
    schemathesis = pytest.importorskip("schemathesis")
    from schemathesis.specs.openapi import checks as openapi

    checks = [
        schemathesis.checks.not_a_server_error, openapi.status_code_conformance, openapi.content_type_conformance,
        openapi.response_schema_conformance,
    ]  # fmt: skip
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    seen = Counter()
    for found in schema.get_all_operations():
        tried(found.ok(), checks, seen, examples)
    answered = {path for path, status in seen if status == 200}
    assert answered >= {f"/api/{path}" for path in ("games", "position", "move", "analyze", "tree")}, seen


def tried(operation, checks, seen, examples):
    """Ask some times, now and then about a position that there is, and count what is answered."""

    @hypothesis.settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=operation.as_strategy(), place=hypothesis.strategies.sampled_from(PLACES))
    def try_it(case, place):
        question = case.query
        if place is not None:
            question["game"], question["moves"] = place
        if operation.path in ("/api/analyze", "/api/move") and acceptable(question.get("seconds")):
            question["seconds"] = 0.02
        if operation.path == "/api/solve" and question.get("game", "") in ("", "connect_four"):
            question["game"] = "connect_four(4, 3)"  # it takes half a minute to know that a game is too large
        if operation.path == "/api/match":  # a match of deep searches takes hours, as it should
            question["first"] = question["second"] = 1
            if str(question.get("games", 2)).isdigit():
                question["games"] = min(int(question.get("games", 2)), 1)
        response = case.call()
        seen[operation.path, response.status_code] += 1
        case.validate_response(response, checks=checks)

    try_it()


PLACES = [
    None,
    ("tic_tac_toe", "b2"),
    ("tic_tac_toe", "b2 a1 b1 b3 a2 c2"),
    ("connect_four", "44"),
    ("pig(20)", "roll"),
]


def acceptable(seconds):
    """Whether a request would be served, and take its time."""
    try:
        return seconds is None or 0 < float(seconds) <= 600
    except (TypeError, ValueError):
        return False
