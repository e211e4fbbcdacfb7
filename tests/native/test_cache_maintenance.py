"""The folder of compiled kernels: what is shown of it, what is deleted from it, and that its bound holds."""

import os
import random
import string
import subprocess
import sys
import time
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.game import GameError
from zermelo.native.cache import cache_maintenance as maintenance

MB = 2**20
DIGEST = "0123456789abcdef" * 2


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "cache"
    made.mkdir(mode=0o700)
    return made


def put(folder, name, size=1000, age=0.0):
    """A file of this size that was last used some seconds ago."""
    path = folder / name
    path.write_bytes(bytes(size))
    os.utime(path, (time.time() - age,) * 2)
    return path


def numbered(number, game="Nim", version=None):
    name = maintenance.entry_name("search", game, f"{number:032x}", "kernel")
    return name if version is None else name.replace(maintenance.current_version(), version)


def names(folder):
    return {path.name for path in folder.iterdir()}


# -- names -----------------------------------------------------------------------------------------------------------


@given(kernel=st.text(string.ascii_lowercase + "_", min_size=1), game=st.text())
def test_every_name_that_is_written_is_read_again(kernel, game):
    name = maintenance.entry_name(kernel, game, DIGEST, "kernel")
    found = maintenance.ENTRY.fullmatch(name)
    assert found is not None
    assert found["version"] == maintenance.current_version()
    assert len(name) < 200
    assert not set(name) & set('/\\:*?"<>|\0')


def test_entries_of_the_first_versions_are_known(folder):
    put(folder, f"alphabeta-{DIGEST}.kernel")
    put(folder, f"Take-{DIGEST}-01234567.error")
    assert {(entry.game, entry.version) for entry in maintenance.entries(folder)} == {("", "")}


FOREIGN = (
    "checkpoint-key", "notes.txt", "holiday-2024.kernel", "a-b-c.kernel", f"{DIGEST}.kernel", f"x-Nim-0.1.0-{DIGEST}",
    f"x-Nim-0.1.0-{DIGEST}.KERNEL", f"x-Nim-latest-{DIGEST}.kernel", f"x-Nim-0.1.0-{DIGEST}.kernel.bak", "été-1.kernel",
)  # fmt: skip


def test_files_that_are_not_ours_are_neither_shown_nor_deleted(folder):
    for name in FOREIGN:
        put(folder, name, age=10**9)
    (folder / f"x-Nim-0.0.1-{DIGEST}.kernel").mkdir()
    put(folder.parent, "elsewhere", age=10**9)
    (folder / f"y-Nim-0.0.1-{DIGEST}.kernel").symlink_to(folder.parent / "elsewhere")
    writing = put(folder, ".writing-0123456789abcdef")
    before = names(folder)
    assert maintenance.summary(folder).entries == 0
    assert maintenance.prune(folder, 0) == maintenance.clear(folder) == (0, 0)
    maintenance.enforce_bound(folder)
    assert names(folder) - {maintenance.TALLY_FILE} == before
    os.utime(writing, (0, 0))  # of a process that was killed long ago
    maintenance.clear(folder)
    assert names(folder) == before - {writing.name}


# -- what is shown ---------------------------------------------------------------------------------------------------


def test_the_summary_counts_by_game_and_version(folder):
    for number, (game, version, size, age) in enumerate(
        [("Nim", None, 10, 500), ("Nim", None, 20, 100), ("Hex", None, 40, 300), ("Nim", "0.0.1", 80, 900)]
    ):
        put(folder, numbered(number, game, version), size, age)
    found = maintenance.summary(folder)
    assert (found.entries, found.size) == (4, 150)
    rows = [(group.game, group.version, group.entries, group.size) for group in found.groups]
    now = maintenance.current_version()
    assert rows == [("Nim", now, 2, 30), ("Hex", now, 1, 40), ("Nim", "0.0.1", 1, 80)]
    assert maintenance.summary(folder / "none").entries == 0


# -- what is deleted -------------------------------------------------------------------------------------------------


def survivors(files, size):
    """The reference: take older versions out, then the least recently used, one at a time."""
    left = {name: each for name, each in files.items() if not maintenance.is_older(each[2])}
    while sum(each[0] for each in left.values()) > size:
        del left[max(left, key=lambda name: left[name][1])]
    return set(left)


@pytest.mark.parametrize("seed", range(20))
def test_the_least_recently_used_go_first(folder, seed):
    dice = random.Random(seed)
    ages = dice.sample(range(10**6), 30)
    files = {}
    for number, age in enumerate(ages):
        version = dice.choice([maintenance.current_version()] * 4 + ["0.0.3", "9.0"])
        name = numbered(number, version=version)
        files[name] = (dice.randrange(3000), age, version)
        put(folder, name, *files[name][:2])
    size = dice.randrange(30_000)
    before = sum(each[0] for each in files.values())
    count, freed = maintenance.prune(folder, size)
    assert names(folder) == survivors(files, size)
    assert count == len(files) - len(names(folder))
    assert freed == before - sum(path.stat().st_size for path in folder.iterdir())


def test_older_versions_go_once_they_were_not_used_for_a_day(folder):
    unused, used = put(folder, numbered(1, version="0.0.9"), age=90_000), put(folder, numbered(2, version="0.0.9"))
    newer = put(folder, numbered(3, version="99.0"), age=90_000)
    maintenance.enforce_bound(folder)
    assert names(folder) == {used.name, newer.name, maintenance.TALLY_FILE}
    assert not unused.exists()
    maintenance.prune(folder, MB)
    assert names(folder) == {newer.name, maintenance.TALLY_FILE}


def test_what_was_used_again_is_young(folder):
    first, second = put(folder, numbered(1), 1000, age=9000), put(folder, numbered(2), 1000, age=8000)
    maintenance.note_use(first)
    maintenance.prune(folder, 1000)
    assert (first.exists(), second.exists()) == (True, False)
    maintenance.note_use(second)  # which is gone


# -- the bound -------------------------------------------------------------------------------------------------------


def save(folder, number, size):
    put(folder, numbered(number), size)
    maintenance.note_save(folder, size)


def total(folder):
    return sum(entry.size for entry in maintenance.entries(folder))


def test_the_bound_holds_after_every_save_and_few_saves_scan(folder, monkeypatch):
    monkeypatch.setenv(maintenance.SIZE_VARIABLE, "1MB")
    scans = []
    real = maintenance.enforce_bound
    monkeypatch.setattr(maintenance, "enforce_bound", lambda place: (scans.append(place), real(place)))
    dice, saved = random.Random(1), 0
    for number in range(800):
        size = dice.randrange(1, 20_000)
        save(folder, number, size)
        saved += size
        assert total(folder) <= MB
    assert total(folder) > MB / 2
    # a byte of the tally stands for at most 4096 bytes, so small entries count for more than they are
    assert len(scans) <= 1 + (saved + 800 * maintenance.TALLY_UNIT) / (MB / maintenance.SCANS_PER_BOUND)


def test_the_folder_is_scanned_once_a_day(folder, monkeypatch):
    save(folder, 1, 100)
    old = put(folder, numbered(2, version="0.0.1"), age=90_000)
    save(folder, 3, 100)
    assert old.exists()
    tomorrow = time.time() + maintenance.DAY
    monkeypatch.setattr(maintenance.time, "time", lambda: tomorrow)
    save(folder, 4, 100)
    assert not old.exists()


@pytest.mark.parametrize("content", [b"", b"nonsense\n", b"-5\n", b"9" * 30 + b"\n", b"\xff\xfe"])
def test_a_damaged_tally_is_replaced(folder, content):
    (folder / maintenance.TALLY_FILE).write_bytes(content)
    save(folder, 1, 100)
    assert (folder / maintenance.TALLY_FILE).read_bytes().strip().isdigit()


SAVER = """
import sys
from pathlib import Path
from zermelo.native.cache import cache_maintenance as maintenance
from zermelo.native.cache.private_folder import write_private
folder, start = Path(sys.argv[1]), int(sys.argv[2])
for number in range(start, start + 150):
    name = maintenance.entry_name("search", "Nim", f"{number:032x}", "kernel")
    write_private(folder / name, bytes(10_000))
    maintenance.note_save(folder, 10_000)
    maintenance.note_use(folder / name)
"""


def test_the_bound_holds_among_processes(folder):
    env = {**os.environ, maintenance.SIZE_VARIABLE: "1MB"}
    command = [sys.executable, "-W", "error", "-c", SAVER, str(folder)]
    running = [
        subprocess.Popen([*command, str(1000 * each)], env=env, stderr=subprocess.PIPE, text=True) for each in range(4)
    ]
    assert [process.communicate()[1] for process in running] == [""] * 4
    assert MB / 2 < total(folder) <= MB + 4 * 10_000  # each may have saved an entry that it has not told yet
    assert {path.stat().st_size for path in folder.glob("*.kernel")} == {10_000}
    assert not list(folder.glob(".writing-*"))


def test_a_bound_that_is_no_size_is_said_and_not_used(folder, monkeypatch):
    monkeypatch.setenv(maintenance.SIZE_VARIABLE, "plenty")
    with pytest.raises(GameError, match=r"ZERMELO_CACHE_SIZE must be a size of memory .* not 'plenty'"):
        maintenance.cache_bytes()
    with pytest.warns(RuntimeWarning, match=r"ZERMELO_CACHE_SIZE must be .* The bound is 1024 MB instead"):
        save(folder, 1, 100)
    monkeypatch.delenv(maintenance.SIZE_VARIABLE)
    assert maintenance.cache_bytes() == 1024 * MB


def test_a_folder_that_cannot_be_written_is_no_error(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        maintenance.note_save(folder / "none", 100)
        maintenance.note_use(folder / "none" / "file")
    assert maintenance.clear(folder / "none") == (0, 0)
