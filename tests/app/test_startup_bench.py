"""The start-up table of `zermelo bench --startup`: what it times, and that its game is that of the README."""

import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo as z
from zermelo.app.commands import bench_command, startup_bench
from zermelo.app.commands.startup_bench import README_GAME, StartUp, Workspace, edited_game, start_up_rows

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture
def work(tmp_path):
    return Workspace(tmp_path)


def test_the_game_is_that_of_the_readme():
    block = re.search(r"```python\n(# my_game\.py\n.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block[1] == README_GAME


def test_every_edit_is_new_and_plays_the_same_game(work):
    texts = [edited_game(number) for number in range(20)]
    assert texts[0] == README_GAME
    assert len(set(texts)) == 20
    leaves = [z.perft(z.load(work.write_game(text)), 5, interpreted=True) for text in (texts[0], texts[19])]
    assert leaves == [9 * 8 * 7 * 6 * 5] * 2
    first = work.edit_game()
    before = Path(first.rpartition(":")[0]).read_text(encoding="utf-8")
    assert work.edit_game() == first
    assert Path(first.rpartition(":")[0]).read_text(encoding="utf-8") != before


def test_the_clock_stops_at_the_last_line_and_waits_for_the_process(work, tmp_path):
    script = (
        "import os, pathlib, time; print('working', flush=True); print(os.environ['ZERMELO_CACHE'], flush=True); "
        f"time.sleep(1); pathlib.Path({str(tmp_path / 'ended')!r}).touch()"
    )
    clock = iter([10.0, 12.0, 17.0, 99.0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(startup_bench.time, "perf_counter", lambda: next(clock))
        assert work.time(tmp_path, "-c", script) == 7.0
    assert (tmp_path / "ended").exists()


def test_a_process_that_fails_is_an_error(work, tmp_path):
    with pytest.raises(subprocess.CalledProcessError) as found:
        work.time(tmp_path, "-c", "raise SystemExit('no such thing')")
    assert found.value.stderr == "no such thing\n"


def test_a_cache_is_filled_until_nothing_new_is_saved(work, monkeypatch):
    cache, runs = work.empty_cache(), []

    def run(folder, *arguments):
        runs.append(arguments)
        if len(runs) <= 2:
            (folder / f"search-MyGame-0.1.0-{len(runs):032x}.kernel").touch()

    monkeypatch.setattr(work, "time", run)
    work.fill(cache, "a", "b")
    assert runs == [("a", "b")] * 3


def test_a_row_is_the_median_of_the_ratios_of_its_rounds(monkeypatch):
    times = {"numba": iter([1.0, 2.0, 4.0]), "slow": iter([10.0, 30.0, 20.0])}
    monkeypatch.setattr(Workspace, "time", lambda self, cache, *_: next(times["numba"]))
    (found,) = start_up_rows((("slow", lambda work: lambda: next(times["slow"])),), rounds=3)
    assert found == StartUp("slow", numba=2.0, seconds=20.0, ratio=statistics.median([10, 15, 5]))


def test_a_cache_is_watched_until_the_compiler_is_done(work, monkeypatch):
    """A process of the compiler may work for long between two entries; its lock shows that it is there."""
    monkeypatch.setattr(startup_bench, "SETTLED_SECONDS", 0.2)
    cache = work.empty_cache()
    script = (
        "import pathlib, sys, time; from zermelo.games.registry import load\n"
        "from zermelo.games.support import compile_worker\n"
        "with compile_worker.alone(load('nim')):\n"
        "    print('locked', flush=True); time.sleep(1); pathlib.Path(sys.argv[1]).touch()"
    )
    environment = {**os.environ, "ZERMELO_CACHE": str(cache)}
    with subprocess.Popen(
        [sys.executable, "-c", script, work.folder / "done"], stdout=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout.readline() == b"locked\n"
        work.settle(cache)
        assert (work.folder / "done").exists()


def test_every_row_gives_its_process_the_cache_it_promises(monkeypatch):
    """Empty in every round, or filled with the game as it was, or filled with this very game."""
    seen = []

    def run(self, cache, *arguments):
        names = {path.name for path in cache.iterdir()}
        game = (self.folder / "my_game.py").read_text(encoding="utf-8") if "my_game.py" in str(arguments) else ""
        text = f"{hash((arguments, game)) % 2**64:016x}"
        if "import numba" not in arguments[-1]:
            seen.append(("this" if any(text in name for name in names) else "others") if names else "empty")
            (cache / f"search-MyGame-0.1.0-{text}.kernel").touch()
        return 1.0

    monkeypatch.setattr(Workspace, "time", run)
    assert len(list(start_up_rows(rounds=2))) == 7
    fills = ["empty", "this"]
    cold, edited, warm = ["empty"] * 2, [*fills, "others", "others"], [*fills, "this", "this"]
    assert seen == [*cold, *edited, *edited, *cold, *cold, *warm, *warm]


def test_each_row_is_printed_as_soon_as_it_is_known(capsys, monkeypatch):
    figures = {"signature": 7, "perft": {"compiled": 2e6, "interpreted": 1e6, "ratio": 2.0},
               "start_up": {"numba": 1.0, "ready": 2.0, "ratio": 2.0}}  # fmt: skip
    monkeypatch.setattr(bench_command, "PARTS", [(name, name, lambda name=name: figures[name]) for name in figures])
    printed = []

    def rows():
        yield StartUp("first", numba=1.0, seconds=9.0, ratio=9.0)
        printed.append(capsys.readouterr().out)
        yield StartUp("second", numba=1.0, seconds=4.0, ratio=4.0)

    monkeypatch.setattr(bench_command, "start_up_rows", rows)
    bench_command.bench(start_up=True)
    heading, row = printed[0].splitlines()
    assert heading == "First answers as multiples of `import numba`, medians of 5:"
    assert row.split() == ["first", "9.00", "9.00", "s,", "numba", "1.00", "s"]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["second", "4.00"]
    assert lines[-1] == "Bench: 7"
    bench_command.bench()
    assert "First answers" not in capsys.readouterr().out
    bench_command.bench(as_json=True, start_up=True)
    assert [row["ratio"] for row in json.loads(capsys.readouterr().out)["start_up_table"]["rows"]] == [9.0, 4.0]


def test_the_warm_script_is_python(work, tmp_path):
    (name, *script) = startup_bench._script(r"C:\games\it's my_game.py:MyGame")
    assert name == "-c"
    compile(script[0], "script", "exec")
