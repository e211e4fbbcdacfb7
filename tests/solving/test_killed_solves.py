"""Solves that are killed at any moment, with little memory and scratch files, end with the file of one that is not."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress

import numpy as np
import pytest

import zermelo as z
from zermelo.solving import stage_pace
from zermelo.solving.storage import store
from zermelo.solving.storage.checkpoint import Checkpoint, identity_in

SOLVE = """
import sys
from zermelo.solving import memory_budget
memory_budget.SMALL, memory_budget.MIN_BUDGET, memory_budget.CHUNK = 1 << 12, 1 << 16, 1 << 20
from zermelo.solving.storage import store
store.SAVE_INTERVAL = float(sys.argv[4])
from zermelo.solving import stage_pace
stage_pace.MIN_PART, stage_pace.PART_SECONDS = 1 << 10, 0.0
import zermelo as z
print("begun", flush=True)
z.solve(z.load(sys.argv[1]), sys.argv[2], threads=2, memory=0.2, scratch=sys.argv[3])
"""


PAUSES = 0.0, 0.03, 0.2
"""Seconds between two layers: with some, the end of the enumeration is kept later, or never."""


def solver(game, path, scratch, pause=0.0):
    process = subprocess.Popen(
        [sys.executable, "-c", SOLVE, game, path, scratch, str(pause)],
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
        process = solver(game, path, scratch, dice.choice(PAUSES))
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


INTERVAL = 23
"""Parts after which a solve is interrupted."""


class Interrupted(Exception):
    """What stops a solve after some parts."""


@pytest.fixture
def small_parts(monkeypatch):
    """Every stage is kept part by part; the list gets the stage and the end of each part."""
    kept = []
    monkeypatch.setattr(stage_pace, "MIN_PART", 256)
    monkeypatch.setattr(stage_pace, "PART_SECONDS", 0.0)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    for name in ("save_expanded", "save_evaluated"):
        save = getattr(store.Store, name)

        def interrupt(self, part, *rest, save=save, name=name):
            save(self, part, *rest)
            kept.append((name, part.stage, part.reached))
            if len(kept) % INTERVAL == 0:
                raise Interrupted

        monkeypatch.setattr(store.Store, name, interrupt)
    return kept


def test_the_first_part_of_a_process_is_a_small_one(small_parts):
    """A process that goes on in the middle of a long stage keeps parts too, before it knows how fast it is."""
    assert list(stage_pace.Pace().stops(256, 1024, in_parts=True)) == [512, 768, 1024]
    assert list(stage_pace.Pace().stops(256, 1024, in_parts=False)) == [1024]


def test_a_solve_goes_on_after_the_last_part_that_was_kept(small_parts, tmp_path):
    """No part is done twice, although the process ends in the middle of stages, again and again."""
    game = z.load("connect_four(4,4)")
    with pytest.raises(Interrupted):
        z.solve(game, tmp_path / "parts", threads=2)
    for _ in range(100):
        with suppress(Interrupted):
            z.solve(game, tmp_path / "parts", threads=2)
            break
    assert len(set(small_parts)) == len(small_parts) > 100
    assert {name for name, *_ in small_parts} == {"save_expanded", "save_evaluated"}
    small_parts.clear()
    stage_pace.MIN_PART = 1 << 22  # the fixture puts it back
    z.solve(game, tmp_path / "whole", threads=1)
    assert small_parts == []
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize("kind", ["save_expanded", "save_evaluated"])
def test_a_part_that_was_lost_is_done_again_with_all_that_follow(kind, small_parts, tmp_path):
    """The parts after it may not begin where the new ones end."""
    game, folder = z.load("connect_four(4,4)"), tmp_path / "file.partial"

    def later_parts():
        names = sorted(path.name for path in folder.glob("part-*.layer"))
        return [folder / name for name in names if name[:11] == names[-1][:11]][1:]

    while not small_parts or small_parts[-1][0] != kind or len(later_parts()) < 4:
        with pytest.raises(Interrupted):
            z.solve(game, tmp_path / "file", threads=1)
    later_parts()[0].unlink()
    stage_pace.MIN_PART = 64  # the fixture puts it back
    small_parts[:] = small_parts[: INTERVAL - 1]  # one part more, then an interruption
    with pytest.raises(Interrupted):
        z.solve(game, tmp_path / "file", threads=1)
    assert len(later_parts()) == 1
    stage_pace.MIN_PART = 1 << 22
    z.solve(game, tmp_path / "file", threads=1)
    z.solve(game, tmp_path / "whole", threads=1)
    assert (tmp_path / "file").read_bytes() == (tmp_path / "whole").read_bytes()


WRONG = ("stage", "reached", "arrays", "counts", "items")
"""What may be something else in a part."""


@pytest.mark.parametrize("kind", ["save_expanded", "save_evaluated"])
def test_a_part_that_holds_something_else(kind, small_parts, tmp_path):
    game, interrupted = z.load("connect_four(4,4)"), tmp_path / "file.partial"
    while not small_parts or small_parts[-1][0] != kind:
        with pytest.raises(Interrupted):
            z.solve(game, tmp_path / "file", threads=1)
    for wrong in WRONG:
        shutil.copytree(interrupted, tmp_path / f"{wrong}.partial")
        spoil_last_part(tmp_path / f"{wrong}.partial", wrong)
        with pytest.raises(z.FileError, match=rf"{wrong}.partial.* is damaged: .*begin anew with --fresh"):
            z.solve(game, tmp_path / wrong, threads=1)


def spoil_last_part(folder, wrong):
    """Let the last part that was kept hold something else."""
    identity, _ = identity_in(folder)
    with Checkpoint(folder, identity) as checkpoint:
        name = max(name for name in checkpoint.names() if name.startswith("part-"))
        items = checkpoint.get(name)
        arrays = [each for each in items if isinstance(items[each], np.ndarray)]
        if wrong in items:
            items[wrong] = items[wrong][1:] if wrong == "counts" else items[wrong] + 100_000
        elif wrong == "items":
            items["more"] = 1
        elif arrays:
            items[arrays[0]] = np.full(len(items[arrays[0]]), -1)
        checkpoint.put(name, **items)
