"""Checkpoints: a layer is there as a whole or not at all, whatever happens to the process that stores it."""

import functools
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from zermelo import files
from zermelo.files import TEMPORARY_PREFIX, FileError
from zermelo.solving.storage import checkpoint as checkpoint_module
from zermelo.solving.storage.archive import Archive, write
from zermelo.solving.storage.archive_format import BLOCK_SIZE
from zermelo.solving.storage.checkpoint import Checkpoint, checkpoint_folder

NIM = {"game": "Nim(piles=(3, 4, 5))", "fingerprint": "abc", "method": "acyclic", "options": {"wdl": False}}


def layer(number):
    """What the made-up solve finds for a layer, which depends on its number only."""
    values = np.random.default_rng(number).integers(0, 9, 3 * BLOCK_SIZE + number, np.uint8)
    return {"values": values, "keys": np.arange(number, 5000 + number), "number": number, "counts": [number, 2, 3]}


def assert_is_layer(found, number):
    expected = layer(number)
    assert list(found) == ["number", "counts", "values", "keys"]
    assert (found["number"], found["counts"]) == (number, [number, 2, 3])
    np.testing.assert_array_equal(found["values"], expected["values"])
    np.testing.assert_array_equal(found["keys"], expected["keys"])


def test_layers_come_back_in_the_next_process(tmp_path):
    with Checkpoint(tmp_path / "x.partial", NIM) as checkpoint:
        assert checkpoint.names() == []
        for number in (3, 1, 2):
            checkpoint.put(f"stage-{number}", **layer(number))
        checkpoint.put("name", name="an item may be called so")
    with Checkpoint(tmp_path / "x.partial", NIM) as checkpoint:
        assert checkpoint.names() == ["name", "stage-1", "stage-2", "stage-3"]
        for number in (1, 2, 3):
            assert_is_layer(checkpoint.get(f"stage-{number}"), number)
        assert checkpoint.get("name") == {"name": "an item may be called so"}
        with checkpoint.open("stage-2") as archive:
            assert archive.item("keys", 10) == 12
        checkpoint.put("stage-2", **layer(9))
        assert_is_layer(checkpoint.get("stage-2"), 9)
        checkpoint.remove("stage-2")
        checkpoint.remove("stage-2")
        assert checkpoint.names() == ["name", "stage-1", "stage-3"]
        with pytest.raises(FileError, match=r"stage-2\.layer cannot be read: no such file"):
            checkpoint.get("stage-2")


@pytest.mark.parametrize("name", ["", ".hidden", "a/b", "../a", "a b", "-", "ä"])
def test_names_that_are_no_names_of_files(tmp_path, name):
    with Checkpoint(tmp_path / "x", NIM) as checkpoint, pytest.raises(FileError, match="cannot hold a layer"):
        checkpoint.put(name, number=1)


def test_another_identity_is_refused_or_begun_anew(tmp_path):
    folder = tmp_path / "x.partial"
    with Checkpoint(folder, NIM) as checkpoint:
        checkpoint.put("a", number=1)
    changed = {"fingerprint": "abd", "method": "dense", "options": {"wdl": True}, "more": 1, "game": None}
    for key, value in changed.items():
        sentence = f"x.partial holds another solve: its {key} is {NIM.get(key)!r}, not {value!r}; "
        with pytest.raises(FileError) as refused:
            Checkpoint(folder, {**NIM, key: value})
        assert sentence in str(refused.value)
    with Checkpoint(folder, json.loads(json.dumps(NIM))) as checkpoint:
        assert checkpoint.names() == ["a"]
    with Checkpoint(folder, {**NIM, "piles": (1, 2)}, fresh=True) as checkpoint:
        assert checkpoint.names() == []
    with Checkpoint(folder, {**NIM, "piles": (1, 2)}) as checkpoint:  # tuples are lists to JSON, and equal all the same
        assert checkpoint.names() == []


def test_a_damaged_folder_is_refused_or_begun_anew(tmp_path):
    folder = tmp_path / "x.partial"
    with Checkpoint(folder, NIM) as checkpoint:
        checkpoint.put("a", **layer(1))
        checkpoint.put("b", **layer(2))
    for name in ("a.layer", "identity"):
        data = bytearray((folder / name).read_bytes())
        data[-40] ^= 1
        (folder / name).write_bytes(data)
        with pytest.raises(FileError, match=f"{name} is damaged"), Checkpoint(folder, NIM) as checkpoint:
            checkpoint.get("a")
    with Checkpoint(folder, NIM, fresh=True) as checkpoint:
        assert checkpoint.names() == []


def test_layers_without_an_identity_count_for_nothing(tmp_path):
    """What a kill leaves behind while a folder is discarded or begun anew."""
    folder = tmp_path / "x.partial"
    with Checkpoint(folder, NIM) as checkpoint:
        checkpoint.put("a", number=1)
    (folder / "identity").unlink()
    with Checkpoint(folder, {"game": "another"}) as checkpoint:
        assert checkpoint.names() == []


def test_half_written_files_are_swept_and_files_of_others_stay(tmp_path):
    folder = tmp_path / "x.partial"
    with Checkpoint(folder, NIM) as checkpoint:
        checkpoint.put("a", number=1)
    (folder / f"{TEMPORARY_PREFIX}0123").write_bytes(b"half")
    (folder / "note.txt").write_text("mine")
    with Checkpoint(folder, NIM) as checkpoint:
        assert sorted(os.listdir(folder)) == ["a.layer", "identity", "lock", "note.txt"]
        checkpoint.discard()
    assert os.listdir(folder) == ["note.txt"]


def test_the_final_file_is_made_of_the_layers(tmp_path):
    path = tmp_path / "solution"
    assert checkpoint_folder(path) == tmp_path / "solution.partial"
    checkpoint = Checkpoint(checkpoint_folder(path), NIM)
    for number in (1, 2, 3):
        checkpoint.put(f"stage-{number}", **layer(number))
    sections = [(f"values-{n}", checkpoint.section(f"stage-{n}", "values")) for n in (1, 2, 3)]
    checkpoint.finish(path, {"done": True}, sections)
    assert os.listdir(tmp_path) == ["solution"]
    write(tmp_path / "direct", {"done": True}, [(f"values-{n}", layer(n)["values"]) for n in (1, 2, 3)])
    assert path.read_bytes() == (tmp_path / "direct").read_bytes()


def test_a_closed_checkpoint_does_nothing(tmp_path):
    checkpoint = Checkpoint(tmp_path / "x.partial", NIM)
    checkpoint.put("a", number=1)
    checkpoint.close()
    for ask in (
        lambda: checkpoint.put("b", number=1),
        lambda: checkpoint.get("a"),
        lambda: checkpoint.remove("a"),
        lambda: checkpoint.finish(tmp_path / "x", {}, []),
        checkpoint.discard,
    ):
        with pytest.raises(FileError, match="was closed"):
            ask()
    assert sorted(os.listdir(tmp_path / "x.partial")) == ["a.layer", "identity", "lock"]


def test_the_folder_follows_links_and_refuses_folders(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere" / "file")
    assert checkpoint_folder(tmp_path / "link") == tmp_path / "elsewhere" / "file.partial"
    with pytest.raises(FileError, match="cannot be written: it is a folder"):
        checkpoint_folder(tmp_path)


# -- what the system refuses ---------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "no" / "below"):
        with pytest.raises(FileError, match=f"{folder} cannot be made: "):
            Checkpoint(folder, NIM)
    assert os.listdir(tmp_path) == ["file"]


def test_a_full_disk_keeps_the_layers_that_are_there(tmp_path, monkeypatch):
    with Checkpoint(tmp_path / "x.partial", NIM) as checkpoint:
        checkpoint.put("a", **layer(1))
        before = {path.name: path.read_bytes() for path in checkpoint.folder.iterdir()}

        def fail(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(files.os, "fsync", fail)
        for name in ("a", "b"):
            with pytest.raises(FileError, match=rf"{name}\.layer cannot be written: no space left on device"):
                checkpoint.put(name, **layer(2))
        with pytest.raises(FileError, match="solution cannot be written: no space left on device"):
            checkpoint.finish(tmp_path / "solution", {}, [("values", checkpoint.section("a", "values"))])
        monkeypatch.undo()
        assert {path.name: path.read_bytes() for path in checkpoint.folder.iterdir()} == before
        assert os.listdir(tmp_path) == ["x.partial"]
        checkpoint.put("b", **layer(2))
        assert_is_layer(checkpoint.get("b"), 2)


# -- one process at a time -----------------------------------------------------------------------------------------

HOLD = """
import sys, time
from zermelo.solving.storage.checkpoint import Checkpoint
checkpoint = Checkpoint(sys.argv[1], {"game": "nim"})
print("held", flush=True)
time.sleep(600)
"""


def test_one_process_at_a_time_and_the_lock_ends_with_it(tmp_path):
    folder = tmp_path / "x.partial"
    process = subprocess.Popen([sys.executable, "-c", HOLD, folder], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "held\n"
        for fresh in (False, True):
            with pytest.raises(FileError, match="is in use: another process solves into it"):
                Checkpoint(folder, {"game": "nim"}, fresh=fresh)
    finally:
        process.kill()
        process.communicate()
    with Checkpoint(folder, {"game": "nim"}), pytest.raises(FileError, match="is in use"):
        Checkpoint(folder, {"game": "nim"})
    Checkpoint(folder, {"game": "nim"}).close()


def test_a_lock_on_a_folder_that_was_discarded_is_none(tmp_path, monkeypatch):
    """Another process discards the folder after we opened its lock and before we took it."""
    folder = tmp_path / "x.partial"
    first = Checkpoint(folder, NIM)
    take = checkpoint_module.try_lock

    def later(*arguments):
        monkeypatch.undo()
        first.discard()
        take(*arguments)

    monkeypatch.setattr(checkpoint_module, "try_lock", later)
    with Checkpoint(folder, NIM) as second:
        second.put("a", number=1)
        with pytest.raises(FileError, match="is in use"):
            Checkpoint(folder, NIM)


# -- a death at every step -----------------------------------------------------------------------------------------


class Killed(BaseException):
    """What no process survives."""


def dying(patch, steps):
    """Let the process do so many steps that change the disk, and none after those."""
    left = [steps]

    def step(real, *arguments, **options):
        if left[0] == 0:
            raise Killed
        left[0] -= 1
        return real(*arguments, **options)

    for name in ("fsync", "mkdir", "replace", "rmdir", "unlink"):
        patch.setattr(os, name, functools.partial(step, getattr(os, name)))


def solve(path, stored):
    """A made-up solve that notes which layers it has stored."""
    with Checkpoint(checkpoint_folder(path), NIM) as checkpoint:
        for number in range(3):
            if f"stage-{number}" not in checkpoint.names():
                checkpoint.put(f"stage-{number}", values=np.arange(number), number=number)
                stored.append(number)
        sections = [(str(number), checkpoint.section(f"stage-{number}", "values")) for number in range(3)]
        checkpoint.finish(path, {"done": True}, sections)


def died(monkeypatch, path, steps, stored):
    """Whether a solve that was given so many steps did not come to its end."""
    with monkeypatch.context() as patch:
        dying(patch, steps)
        try:
            solve(path, stored)
        except Killed:
            return True
    return False


def outcome(monkeypatch, path, *lives):
    """Whether the last of these lives ended too soon, after which a solve without end to its life came through."""
    stored, over = [], False
    for steps in lives:
        over = died(monkeypatch, path, steps, stored)
    written = path.exists()
    solve(path, stored)
    assert written or len(stored) == len(set(stored))  # no layer is made twice, unless all of them are deleted
    return over


def test_a_death_at_every_step(tmp_path, monkeypatch):
    solve(tmp_path / "undisturbed", [])
    for steps in itertools.count():
        over = outcome(monkeypatch, tmp_path / "file", steps)
        assert (tmp_path / "file").read_bytes() == (tmp_path / "undisturbed").read_bytes()
        assert sorted(os.listdir(tmp_path)) == ["file", "undisturbed"]
        (tmp_path / "file").unlink()
        if not over:
            break
    assert steps > 20


@pytest.mark.slow
def test_a_death_at_every_step_of_a_solve_that_has_died(tmp_path, monkeypatch):
    solve(tmp_path / "undisturbed", [])
    for first in range(30):
        for second in itertools.count():
            over = outcome(monkeypatch, tmp_path / "file", first, second)
            assert (tmp_path / "file").read_bytes() == (tmp_path / "undisturbed").read_bytes()
            assert sorted(os.listdir(tmp_path)) == ["file", "undisturbed"]
            (tmp_path / "file").unlink()
            if not over:
                break


# -- kills ---------------------------------------------------------------------------------------------------------

SOLVE = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from test_checkpoint import LAYERS, layer
from zermelo.solving.storage.checkpoint import Checkpoint, checkpoint_folder
path = Path(sys.argv[1])
print("begun", flush=True)
checkpoint = Checkpoint(checkpoint_folder(path), {"game": "nim"})
there = checkpoint.names()
for number in range(LAYERS):
    if f"stage-{number}" not in there:
        checkpoint.put(f"stage-{number}", **layer(number))
sections = ((f"values-{n}", checkpoint.section(f"stage-{n}", "values")) for n in range(LAYERS))
checkpoint.finish(path, {"layers": LAYERS}, sections)
"""
LAYERS = 60


def solver(path):
    here = str(Path(__file__).parent)
    process = subprocess.Popen([sys.executable, "-c", SOLVE, path, here], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    return process


def whole_layers(folder):
    """How many layers count, each found to be whole, in a folder that somebody may be changing."""
    layers = 0
    for path in folder.glob("*.layer"):
        try:
            archive = Archive.open(path)
        except FileError:
            assert not path.exists()  # discarded since
            continue
        with archive:
            found = {**archive.header["items"], **{key: archive.array(key) for key in archive.names}}
        assert_is_layer(found, int(path.stem.split("-")[1]))
        layers += 1
    return layers if (folder / "identity").exists() else 0


@pytest.mark.parametrize("kills", [8, pytest.param(60, marks=pytest.mark.slow)])
def test_a_solve_killed_again_and_again_ends_with_the_same_file(tmp_path, kills):
    undisturbed, path = tmp_path / "undisturbed", tmp_path / "killed"
    started = time.monotonic()
    assert solver(undisturbed).wait() == 0
    whole = time.monotonic() - started
    dice, layers = random.Random(kills), 0
    for _ in range(kills):
        process = solver(path)
        time.sleep(dice.random() * whole / 8)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if path.exists():
            assert path.read_bytes() == undisturbed.read_bytes()
            path.unlink()
            layers = 0
        before, layers = layers, whole_layers(checkpoint_folder(path))
        assert layers >= before
    assert solver(path).wait() == 0
    assert path.read_bytes() == undisturbed.read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["killed", "undisturbed"]


def test_a_reader_sees_whole_layers_at_any_moment(tmp_path):
    process = solver(tmp_path / "file")
    seen = []

    def look():
        while process.poll() is None:
            seen.append(whole_layers(checkpoint_folder(tmp_path / "file")))

    reader = threading.Thread(target=look)
    reader.start()
    reader.join()
    assert process.wait() == 0
    assert max(seen) > 0
