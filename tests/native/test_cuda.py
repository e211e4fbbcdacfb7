"""Kernels for a GPU: in Numba's simulator, or on a real one where ZERMELO_TEST_GPU is set (`make test-gpu`)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import zermelo as z
from zermelo.game import ONGOING
from zermelo.native.device.device_check import _diagnose

WORKER = Path(__file__).parents[1] / "helpers" / "cuda_worker.py"
REAL = os.environ.get("ZERMELO_TEST_GPU", "0") != "0"
REAL_CHECKS = ("large", "connected", "limited") if REAL else ()
KINDS = 9


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


class Pile(z.Game):
    """Take one or two stones; who takes the last one wins."""

    def initial(self):
        return 3

    def moves(self, state):
        return range(1, min(state, 2) + 1)

    def play(self, state, move):
        return state - move

    def result(self, state):
        return z.LOSS if state == 0 else ONGOING


class ListedMoves(Pile):
    def moves(self, state):
        ways = [1, 2]
        for way in ways:
            if way <= state:
                yield way


class ListCall(Pile):
    def result(self, state):
        return z.LOSS if len(list(range(state))) == 0 else ONGOING


class Sorted(Pile):
    def result(self, state):
        return z.LOSS if sorted((state, 1))[0] == 0 else ONGOING


class Dictionary(Pile):
    def result(self, state):
        ends = {0: z.LOSS}
        return ends.get(state, ONGOING)


class SetOfStates(Pile):
    def result(self, state):
        return z.LOSS if state in {0, -1} | {-2} else ONGOING


class Text(Pile):
    def result(self, state):
        return z.LOSS if str(state) == "0" else ONGOING


class Formatted(Pile):
    def result(self, state):
        return z.LOSS if f"{state}" == "0" else ONGOING


class Tried(Pile):
    def play(self, state, move):
        try:
            return state - move
        except Exception:
            return 0


class NewArray(Pile):
    def result(self, state):
        return z.LOSS if np.full(2, state).sum() == 0 else ONGOING


class Inner(Pile):
    def result(self, state):
        ended = lambda left: left == 0  # noqa: E731
        return z.LOSS if ended(state) else ONGOING


def helped(state):
    return z.LOSS if state in set(range(1)) else ONGOING


class Helped(Pile):
    def result(self, state):
        return helped(state)


def descended(left):
    return 0 if left == 0 else descended(left - 1)


class Recursive(Pile):
    def result(self, state):
        if state < 0:
            raise ValueError(state)
        return z.LOSS if descended(state) == state else ONGOING


A_LIST = "a list does not compile for a GPU; use a tuple"
A_DICT = "a dict does not compile for a GPU; use a table, which is a tuple of numbers or an array that the class holds"
A_SET = "a set does not compile for a GPU; use the bits of an int"
AN_ARRAY = "numpy.full makes an array, and a GPU makes none; use a tuple, or an array that the class holds"
A_STRING = "a string does not compile for a GPU; use numbers"


@pytest.mark.parametrize(
    ("kind", "rule", "place", "reason"),
    [
        (ListedMoves, "moves", 1, A_LIST),
        (ListCall, "result", 1, A_LIST),
        (Sorted, "result", 1, A_LIST),
        (Dictionary, "result", 1, A_DICT),
        (SetOfStates, "result", 1, A_SET),
        (Text, "result", 1, A_STRING),
        (Formatted, "result", 1, A_STRING),
        (Tried, "play", 1, "`try` does not compile for a GPU; ask with `if` before the error can happen"),
        (NewArray, "result", 1, AN_ARRAY),
        (Inner, "result", 1, "a lambda inside a rule does not compile for a GPU"),
    ],
)  # fmt: skip
def test_a_rule_that_does_not_compile_has_a_sentence(kind, rule, place, reason):
    line = getattr(kind, rule).__code__.co_firstlineno + place
    assert _diagnose(kind()) == f"{kind.__name__}.{rule}, line {line}: {reason}"


def test_so_has_a_function_that_a_rule_calls():
    line = helped.__code__.co_firstlineno + 1
    assert _diagnose(Helped()) == f"Helped.result, line {line} of helped: {A_SET}"


def test_generators_recursion_and_exceptions_compile():
    assert z.load("connect_four").cuda_error is None
    assert _diagnose(Recursive()) is None


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
