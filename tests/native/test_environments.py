"""The same answers with Numba's bounds checked, and with Numba turned off; and the bench's one number."""

import json
import os
import subprocess
import sys

import pytest

SCRIPT = """
import json
import sys
import zermelo as z

small = {"pig": "pig(10)", "connect_four": "connect_four(5,4)", "nim": "nim(piles=(2,3))", "gomoku": "gomoku(5,4)"}
answers = {}
for entry in z.catalog():
    if (entry.name in sys.argv[2:]) != (sys.argv[1] == "few"):
        continue
    game = z.load(small.get(entry.name, entry.name))
    report = z.check(game, states=150, games=5)
    answers[entry.name] = [z.perft(game, 4), report.native]
    if not game.has("is_chance"):
        answers[entry.name] += [z.search(game, limit=z.Limit(depth=3)).nodes]
print(json.dumps(answers))
"""


FEW = ("tic_tac_toe", "nim", "pig")
"""Games of every kind of rule whose compilation is short: those of `make test`."""


def answers(which, **settings):
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT, which, *FEW], env={**os.environ, **settings}, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


@pytest.fixture(scope="module", params=["few", pytest.param("all others", marks=pytest.mark.slow)])
def which(request):
    return request.param


@pytest.fixture(scope="module")
def usual(which):
    return answers(which)


def test_every_game_is_compiled(usual, which):
    assert set(usual) == {*FEW} if which == "few" else len(usual) >= 8 and not {*FEW} & {*usual}
    assert all(answer[1] for answer in usual.values())


def test_bounds_checked(usual, which):
    assert answers(which, NUMBA_BOUNDSCHECK="1") == usual


def test_compiler_turned_off(usual, which):
    interpreted = answers(which, NUMBA_DISABLE_JIT="1")
    assert not any(answer[1] for answer in interpreted.values())
    assert {name: [a[0], *a[2:]] for name, a in interpreted.items()} == {
        name: [a[0], *a[2:]] for name, a in usual.items()
    }


def test_the_bench_signature():
    from zermelo.app.commands.bench_command import signature

    # a commit that moves this number has changed what the search does, and ends with `Bench: N`
    assert signature() == 81494


STREAMS = """
import sys
{first}
import zermelo.native
before = sys.stdout, sys.stderr
from numba.core import errors

swapped = []
class Watched(type(sys)):
    def __setattr__(self, name, value):
        swapped.append(name)
        super().__setattr__(name, value)
sys.__class__ = Watched
errors.TypingError("a message")
assert not swapped, swapped
"""


@pytest.mark.parametrize("first", ["", "import numba"])
def test_messages_of_the_compiler_leave_the_streams_alone(first):
    """Colorama, which the tools of the documentation install, would swap them beside threads that print."""
    import colorama  # noqa: F401

    usual = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_DISABLE_ERROR")}
    script = STREAMS.format(first=first)
    process = subprocess.run([sys.executable, "-c", script], env=usual, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
