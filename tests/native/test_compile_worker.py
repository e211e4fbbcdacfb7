"""The process that compiles: one at a time for each game, and what it reads."""

import pickle
import subprocess
import sys
import threading

import pytest

import taking
import zermelo as z
from zermelo.games.support.compile_worker import alone, requested_game, requested_kernels
from zermelo.native import compilability, compile_process, fingerprint
from zermelo.native.compile_timing import CompileTimer
from zermelo.native.linking import linked_kernel
from zermelo.native.linking.linked_kernel import LinkedKernel
from zermelo.native.linking.loader import LoadedKernel
from zermelo.play.own_weights import evaluated
from zermelo.searching.alphabeta.root_search import alphabeta


class Countdown(taking.Countdown):
    """A game of which no other test knows what the compiler said."""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    return tmp_path


def test_one_process_at_a_time_compiles_for_a_game(cache):
    pytest.importorskip("fcntl")
    order = []

    def second():
        with alone(Countdown()):
            order.append("second")

    with alone(Countdown()):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(0.1)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_a_long_request_does_not_wait_for_its_reader(cache, monkeypatch):
    """A pipe holds 64 kB."""
    requests = []

    def started(command, *, stdin, **_):
        requests.append(stdin.read())

    monkeypatch.setattr(subprocess, "Popen", started)
    request = bytes(1 << 20)
    compile_process._started(request)
    assert requests == [request]


def test_a_game_with_learned_weights_is_compiled_by_another_process(cache):
    game = z.load("backgammon")
    searched = evaluated(game, game, True)
    assert type(searched).__qualname__.startswith("<locals>")
    request = pickle.loads(compile_process._request(searched, ["star2"], False))
    assert fingerprint(requested_game(request)) == request["fingerprint"] == fingerprint(searched)


def test_an_error_that_another_process_found_is_read(cache, monkeypatch):
    game = Countdown(start=7)
    assert compilability.known_error(game) is None

    def finds_error(waiting, *_):
        compilability.save_entry(compilability._error_file(waiting), b"`play` does not compile")
        compilability.look_again(waiting)

    monkeypatch.setattr(linked_kernel, "wait_for", finds_error)
    monkeypatch.setattr(LinkedKernel, "load", lambda *_: pytest.fail("compiled again"))
    assert not alphabeta.prepare(game)
    assert compilability.known_error(game) == "`play` does not compile"


def test_kernels_that_were_not_used_for_long_leave_the_memory(monkeypatch):
    kernel = LinkedKernel("alphabeta", alphabeta.python, alphabeta.kinds)
    monkeypatch.setattr(linked_kernel, "MAX_LOADED", 2)
    monkeypatch.setattr(kernel, "_load", lambda game: f"code of {game.start}")
    games = [Countdown(start) for start in (1, 2, 3)]
    assert [kernel.load(games[i]) for i in (0, 1, 0, 2)] == ["code of 1", "code of 2", "code of 1", "code of 3"]
    assert [*kernel._loaded.values()] == ["code of 1", "code of 3"]


def test_code_that_calls_a_function_of_another_process_is_refused():
    header = {"entry": "entry", "result": (), "environments": {}, "needs_numba": False, "symbols": ["no_such_function"]}
    with pytest.raises(z.GameError, match="no_such_function"):
        LoadedKernel(b"", header, (), compilability.layout(Countdown()), None, None)


def test_compilations_of_many_threads_are_timed():
    timer = CompileTimer()

    def compile_often():
        for _ in range(20_000):
            timer.begin()
            timer.end()

    threads = [threading.Thread(target=compile_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not timer.busy


def test_the_kernels_of_a_request_are_found():
    request = compile_process._request(Countdown(), ["expand", "alphabeta"], quick=False)
    assert pickle.loads(request)["kernels"]["alphabeta"] == "zermelo.searching.alphabeta.root_search"
    assert [each.name for each in requested_kernels(pickle.loads(request)["kernels"])] == ["expand", "alphabeta"]
    assert [each.name for each in requested_kernels({"dfpn": "", "uct": "os"})] == ["dfpn", "uct"]


SCIPY_SCRIPT = """
import sys
import numba
from zermelo.native.linking import rule_ir
from numba.core.registry import cpu_target
cpu_target.target_context.refresh()
assert "scipy.linalg" not in sys.modules

if importlib.util.find_spec("scipy") is not None:
    import numpy as np
    product = numba.njit(lambda one, other: one @ other)
    assert (product(np.eye(2), np.ones((2, 2))) == 1).all()
"""


def test_scipy_is_imported_only_for_matrices():
    process = subprocess.run(
        [sys.executable, "-c", "import importlib.util" + SCIPY_SCRIPT], capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr
