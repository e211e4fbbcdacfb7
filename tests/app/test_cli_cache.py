"""`zermelo cache`: what it shows, what it deletes, and which folder it refuses."""

import json
import os
import subprocess
import sys

import pytest

from zermelo.app.cli import run
from zermelo.native.cache import cache_maintenance, private_folder

posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes mean nothing there")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A folder with three kernels of two games, one of them of an older version, and a file of somebody else."""
    monkeypatch.setattr(private_folder, "_checked", {})
    monkeypatch.setattr(private_folder, "_warned", set())
    folder = tmp_path / "kernels"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("ZERMELO_CACHE", str(folder))
    monkeypatch.delenv("ZERMELO_CACHE_SIZE", raising=False)
    for number, (game, size) in enumerate([("Nim", 4000), ("Nim", 2000), ("Hex", 1000)]):
        name = cache_maintenance.entry_name("search", game, f"{number:032x}", "kernel")
        (folder / name.replace("-Hex-0.1.0", "-Hex-0.0.1")).write_bytes(bytes(size))
    (folder / "notes.txt").write_text("not ours")
    return folder


def test_it_shows_folder_size_bound_and_entries_by_game_and_version(cache, capsys):
    assert run(["cache"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(cache)
    assert lines[1] == "3 entries, 7 kB of at most 1,024 MB"
    rows = {tuple(line.split()[:5]) for line in lines[4:]}
    assert rows == {("Nim", cache_maintenance.current_version(), "2", "6", "kB"), ("Hex", "0.0.1", "1", "1", "kB")}


def test_its_record(cache, capsys, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE_SIZE", "2MB")
    assert run(["cache", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["folder"], record["entries"], record["size"], record["bound"]) == (str(cache), 3, 7000, 2 * 2**20)
    assert [group["game"] for group in record["groups"] if group["version"] == "0.0.1"] == ["Hex"]


def test_prune_deletes_older_versions_and_what_is_beyond_a_size(cache, capsys):
    assert run(["cache", "--prune"]) == 0
    assert capsys.readouterr().out == "Deleted 1 entry, 1 kB.\n"
    assert run(["cache", "--prune", "--size", "5kB"]) == 0
    assert capsys.readouterr().out == "Deleted 1 entry, 4 kB.\n"
    assert run(["cache", "--prune", "--size", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"deleted": 1, "size": 2000}
    assert [path.name for path in cache.iterdir()] == ["notes.txt"]


def test_clear_deletes_every_kernel_and_nothing_else(cache, capsys):
    assert run(["cache", "--clear"]) == 0
    assert capsys.readouterr().out == "Deleted 3 entries, 7 kB.\n"
    assert [path.name for path in cache.iterdir()] == ["notes.txt"]


def test_a_folder_that_does_not_exist_is_empty_and_not_made(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "none"))
    assert run(["cache"]) == run(["cache", "--prune"]) == run(["cache", "--clear"]) == 0
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'none'}\n0 entries, 0 bytes")
    assert not (tmp_path / "none").exists()


@posix
@pytest.mark.parametrize("option", [[], ["--prune", "--size", "0"], ["--clear"]])
def test_a_folder_that_others_can_write_is_neither_shown_nor_pruned(cache, capsys, option):
    cache.chmod(0o777)
    before = set(cache.iterdir())
    assert run(["cache", *option]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert f"Others can write to the cache folder {cache}" in err.replace("\n", " ")
    assert set(cache.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--prune", "--clear"], "--prune and --clear exclude each other."),
        (["--size", "1GB"], "--size is for --prune."),
        (["--prune", "--size", "much"], "must be a size such as 200MB or 1GB, not 'much'"),
        (["--prune", "--size", "-1"], "not '-1'"),
    ],
)
def test_a_mistake_is_a_sentence(cache, capsys, arguments, sentence):
    before = set(cache.iterdir())
    assert run(["cache", *arguments]) == 2
    assert sentence in capsys.readouterr().err
    assert set(cache.iterdir()) == before


def test_a_bound_that_is_no_size_is_a_sentence(cache, capsys, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE_SIZE", "plenty")
    assert run(["cache"]) == 1
    assert "ZERMELO_CACHE_SIZE must be a size" in capsys.readouterr().err


def test_it_loads_no_compiler_and_no_arrays(cache):
    code = (
        "import sys; from zermelo.app.cli import run; run(['cache']); assert not {'numba', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
