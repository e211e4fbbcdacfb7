"""Kernels for a GPU: in Numba's simulator, or on a real one where ZERMELO_TEST_GPU is set (`make test-gpu`)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import zermelo as z
from zermelo.game import ONGOING

WORKER = Path(__file__).parents[1] / "helpers" / "cuda_worker.py"
REAL = os.environ.get("ZERMELO_TEST_GPU", "0") != "0"
REAL_CHECKS = ("large", "connected", "limited") if REAL else ()
KINDS = 5


def found_on_device(*checks):
    """What a process with the simulator, or with the GPU, found."""
    settings = dict(os.environ) if REAL else {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, str(WORKER), "1000" if REAL else "1", *checks]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def all_found():
    """In the simulator, one process finds all: most of the time goes into its start. A GPU takes several at a time."""
    if not REAL:
        return found_on_device()
    groups = (
        ("large",), ("connected",), ("solutions",), ("within_limits", "runs"), ("errors", "resumed", "leaves"),
        ("playouts",), ("kinds", "without_room"), ("spilled",), ("limited",),
    )  # fmt: skip
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda checks: found_on_device(*checks), groups))
    return {name: answer for part in found for name, answer in part.items()}


def test_kernels_of_a_gpu_find_what_the_cpu_finds():
    found = all_found()
    for check in ("playouts", "leaves"):
        assert len(found[check]) >= 3
        for name, (cpu, cuda) in found[check].items():
            assert cpu == cuda, (check, name)
    same = {name: equal for check in ("solutions", "kinds", *REAL_CHECKS) for name, equal in found[check].items()}
    assert len(same) == (KINDS + 11 if REAL else KINDS + 4)
    assert [name for name, equal in same.items() if not equal] == []
    assert len(found["runs"]) == 35
    assert all(found["runs"])
    for check in ("within_limits", "spilled"):
        assert len(found[check]) >= 20
        assert all(found[check]), (check, found[check])
    assert found["without_room"] == [True, True]
    assert found["resumed"] == [[True, True], [True, True]]
    assert len(found["errors"]) == 2
    assert all("no `stuck` rule" in text for text in found["errors"])


class Listed(z.Game):
    """A game of which `moves` makes a list, which no GPU has."""

    def initial(self):
        return 3

    def moves(self, state):
        ways = [1, 2]
        for way in ways:
            if way <= state:
                yield way

    def play(self, state, move):
        return state - move

    def result(self, state):
        return z.LOSS if state == 0 else ONGOING


class Searching(z.Game):
    """A game of which `result` defines a function."""

    def initial(self):
        return 3

    def moves(self, state):
        return range(1, min(state, 2) + 1)

    def play(self, state, move):
        return state - move

    def result(self, state):
        values = sum(item for item in (state, 0))
        return z.LOSS if values == 0 else ONGOING


def test_a_rule_that_does_not_compile_has_a_sentence():
    if Listed().native_error is None:
        line = Listed.moves.__code__.co_firstlineno + 1
        assert Listed().cuda_error == f"Listed.moves, line {line}: a list does not compile for a GPU; use a tuple"
    assert z.load("connect_four").cuda_error is None
    assert Searching().cuda_error is not None


@pytest.mark.skipif(REAL, reason="there is a GPU")
def test_without_a_gpu_there_is_a_sentence():
    with pytest.raises(z.GameError, match=r'on="cuda" needs an NVIDIA GPU, and .*'):
        z.playouts(z.load("nim"), n=10, on="cuda")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pig(20)", "chance takes part and play can repeat"),
    ],
)
def test_what_stays_on_the_cpu_says_so(name, words):
    with pytest.raises(z.GameError, match=words):
        z.solve(z.load(name), on="cuda")
