"""The memory that a process takes while it solves: no more than it was given, and a little for everything else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

BASE = 224
"""Megabytes that a solve may take beyond its limit: the compiler, the sample of an estimate, and buffers."""

SOLVE = """
import re, sys, threading, time
from pathlib import Path
import zermelo as z
from zermelo.solving import memory_budget

def memory():  # without files that are mapped, which can be dropped at any time
    found = re.findall(r"(?:RssAnon|RssShmem):\\s*(\\d+) kB", Path("/proc/self/status").read_text())
    return sum(map(int, found)) / 1024

def watch():
    while True:
        most[0] = max(most[0], memory())
        time.sleep(0.002)

memory_budget.MIN_BUDGET = 1 << 20
name, small, limit, folder = sys.argv[1:]
z.solve(z.load(small), Path(folder, "small"), scratch=folder)  # compiles
before, most, used = memory(), [0.0], []
threading.Thread(target=watch, daemon=True).start()
z.solve(z.load(name), Path(folder, "file"), memory=int(limit), scratch=folder, threads=2,
        progress=lambda progress: used.append((progress.memory, progress.disk)))
print(most[0] - before, max(used)[0] / 2**20, max(disk for _, disk in used) / 2**20)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize(
    ("game", "small", "limit"),
    [
        ("connect_four(5,4)", "connect_four(4,4)", 8),
        pytest.param("connect_four(5,5)", "connect_four(4,4)", 64, marks=pytest.mark.slow),
        pytest.param("chess_endgame(KQKR)", "chess_endgame(KQK)", 2, marks=pytest.mark.slow),
        pytest.param("kalah(4,3)", "kalah(3,2)", 8, marks=pytest.mark.slow),
        pytest.param("pig(50)", "pig(20)", 4, marks=pytest.mark.slow),
    ],
)
def test_a_solve_takes_no_more_than_it_was_given(game, small, limit, tmp_path):
    command = [sys.executable, "-c", SOLVE, game, small, str(limit), tmp_path]
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
    taken, in_arrays, on_disk = map(float, found.stdout.split())
    assert taken < limit + BASE
    assert in_arrays <= limit
    assert on_disk > 0
