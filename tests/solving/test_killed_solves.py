"""Solves that are killed at any moment, with little memory and scratch files, end with the file of one that is not."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

import zermelo as z

SOLVE = """
import sys
from zermelo.solving import memory_budget
memory_budget.SMALL, memory_budget.MIN_BUDGET, memory_budget.CHUNK = 1 << 12, 1 << 16, 1 << 20
from zermelo.solving.storage import store
store.SAVE_INTERVAL = 0.0
import zermelo as z
print("begun", flush=True)
z.solve(z.load(sys.argv[1]), sys.argv[2], threads=2, memory=0.2, scratch=sys.argv[3])
"""


def solver(game, path, scratch):
    process = subprocess.Popen(
        [sys.executable, "-c", SOLVE, game, path, scratch],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": "0"},
    )  # fmt: skip
    assert process.stdout.readline() == "begun\n"
    return process


@pytest.mark.parametrize(
    ("game", "kills"),
    [
        ("connect_four(4,4)", 4),
        *(
            pytest.param(game, 40, marks=pytest.mark.slow)
            for game in ("connect_four(5,4)", "three_mens_morris", "chess_endgame(KQK)", "kalah(3,2)", "pig(20)")
        ),
    ],
)
def test_a_solve_that_spills_and_is_killed_ends_with_the_same_file(game, kills, tmp_path, monkeypatch):
    """Kills come at any moment: while states are found, merged, solved or written."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    undisturbed, path, scratch = tmp_path / "undisturbed", tmp_path / "killed", tmp_path / "scratch"
    scratch.mkdir()
    z.solve(z.load(game), undisturbed, threads=1)
    started = time.monotonic()
    assert solver(game, path, scratch).wait() == 0
    whole = time.monotonic() - started
    assert path.read_bytes() == undisturbed.read_bytes()
    path.unlink()
    dice = random.Random(kills)
    for _ in range(kills):
        process = solver(game, path, scratch)
        time.sleep(dice.random() * whole / 2)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert list(scratch.iterdir()) == []  # scratch files have no names
        if path.exists():
            assert path.read_bytes() == undisturbed.read_bytes()
            path.unlink()
    assert solver(game, path, scratch).wait() == 0
    assert path.read_bytes() == undisturbed.read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["killed", "scratch", "undisturbed"]
