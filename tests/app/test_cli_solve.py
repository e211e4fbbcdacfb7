"""`zermelo solve`, `probe` and `export`: what they print, what they keep, and what they refuse."""

from __future__ import annotations

import io
import mmap
import os
import re
import signal
import time

import pytest
import test_cli
from rich.console import Console
from test_cli import BAD

import zermelo as z
from zermelo.app import progress_display
from zermelo.app.commands import solve_command
from zermelo.app.progress_display import ProgressDisplay, SolverStopped
from zermelo.native import compile_process
from zermelo.native.compile_timing import CompileTimer
from zermelo.native.kernel_dispatch import Kernel
from zermelo.solving import Progress, memory_budget
from zermelo.solving.storage import store
from zermelo.solving.storage.checkpoint_summary import summarise_checkpoint

zermelo = test_cli.zermelo
"""The fixture that runs a command line in this process."""

METHOD = "Method: reachable, acyclic: play does not repeat; the rule `stage` gives the stages."


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def nim(tmp_path_factory):
    """A file with the solution of Nim."""
    path = tmp_path_factory.mktemp("solved") / "nim.zermelo"
    z.solve(z.load("nim"), path)
    return path


def test_help_knows_the_commands(zermelo) -> None:
    for command in ("solve", "probe", "export"):
        assert f"\n  {command} " in zermelo("--help").out


# -- solve -----------------------------------------------------------------------------------------------------------


def test_solve_says_how_and_what(zermelo, folder) -> None:
    answer = zermelo("solve", "tic_tac_toe")
    assert (answer.code, answer.err) == (0, "")
    title, method, value, counts, farthest, took, memory = answer.out.splitlines()
    assert title == "TicTacToe(width=3, height=3, in_a_row=3)"
    assert method == METHOD
    assert value == "Value of the initial state: draw"
    assert counts == "765 states (5,478 positions): 390 win, 151 draw, 224 loss"
    assert re.fullmatch(r"Farthest from the end: \S+, (win|loss) in 5", farthest)
    rates = r"[\d.]+( [kM])? states/s, [\d.]+( [kM])? positions/s"
    assert re.fullmatch(rf"Time: [\d.]+ s, {rates}(; compiling: [\d.]+ s)?", took)
    assert re.fullmatch(r"Memory: [\d.]+ [MG]B", memory)
    assert list(folder.iterdir()) == []  # without -o nothing is written


def test_a_small_game_is_solved_before_it_is_compiled(zermelo, monkeypatch) -> None:
    monkeypatch.setenv(compile_process.TWIN_VARIABLE, "1")
    monkeypatch.setattr(compile_process.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(compile_process, "start_compiling", lambda *_, **__: True)
    monkeypatch.setattr(Kernel, "is_cached", lambda *_: False)
    monkeypatch.setattr(Kernel, "has_code", lambda *_: False)
    lines = zermelo("solve", "tic_tac_toe").out.splitlines()
    assert lines[:3] == ["TicTacToe(width=3, height=3, in_a_row=3)", METHOD, "Value of the initial state: draw"]
    assert re.fullmatch(r"Time: [\d.]+ s, .* states/s, .* positions/s, interpreted", lines[5])
    assert zermelo("solve", "tic_tac_toe", "--json").json["compiling_seconds"] == 0


def test_a_file_and_its_record(zermelo, folder) -> None:
    record = zermelo("solve", "nim", "-o", "nim.zermelo", "--json").json
    assert [path.name for path in folder.iterdir()] == ["nim.zermelo"]
    solution = z.Solution.open("nim.zermelo")
    assert record.items() >= solution.to_dict().items()
    assert record["name"] == "nim"
    assert record["file"] == "nim.zermelo"
    assert record["bytes"] == (folder / "nim.zermelo").stat().st_size
    assert record["seconds"] > 0
    assert record["states_per_second"] == pytest.approx(48 / (record["seconds"] - record["compiling_seconds"]))
    assert record["memory"] > 1 << 20
    answer = zermelo("solve", "nim", "-o", "nim.zermelo", "--wdl", "--threads", "1")  # the same game: it is replaced
    assert re.search(r"\nFile: nim\.zermelo, [\d.]+ kB, [\d.]+ bytes a state\n$", answer.out)
    assert "Farthest" not in answer.out
    assert z.Solution.open("nim.zermelo").header.wdl


@pytest.mark.slow
def test_a_stage_and_what_it_leads_to(zermelo) -> None:
    whole = z.solve(z.load("three_mens_morris"))
    last = max(whole.tables)
    answer = zermelo("solve", "three_mens_morris", "--stage", str(last), "-o", "end.zermelo")
    assert "\nMethod: dense, retrograde: its rules number the states" in answer.out
    assert "Value of the initial state" not in answer.out
    assert f"\n{sum(whole.counts(last).values()):,} states (" in answer.out
    part = z.Solution.open("end.zermelo")
    assert part.counts() == whole.counts(last)
    answer = zermelo("probe", "end.zermelo")
    assert answer.code == 1
    assert "is not among the " in answer.err
    assert answer.err.endswith(" states that were solved.\n")


POINTS = """\
from zermelo import ONGOING, Game
class Points(Game):
    margin, native = True, False
    def initial(self): return (0, 0)
    def moves(self, state): return (1, -2)
    def play(self, state, points): return (state[0] + 1, -state[1] - points)
    def result(self, state): return state[1] if state[0] == 2 else ONGOING
"""


def test_games_that_do_not_compile(zermelo, folder) -> None:
    answer = zermelo("solve", str(BAD / "interpreted.py"))
    assert "\nMethod: interpreted, acyclic: its rules do not compile" in answer.out
    (folder / "points.py").write_text(POINTS)
    answer = zermelo("solve", "points.py")
    # the ends are worth 0, 3 and -3; (1, -1) takes the 0, (1, 2) takes the -3 and has 3, so the start has 0
    assert "\nValue of the initial state: draw\n6 states: " in answer.out
    assert zermelo("solve", "points.py", "--json").json["counts"] == {"-3": 1, "0": 3, "3": 2}


def test_chance_has_the_digits_that_are_proven(zermelo) -> None:
    answer = zermelo("solve", "pig(10)", "--epsilon", "1e-5")
    assert "\nMethod: reachable, intervals: " in answer.out
    exact = z.textbook.value_iteration(z.load("pig(10)")).value.score
    value = re.search(r"\nValue of the initial state: \+(0\.\d{5})\n", answer.out)
    assert value is not None
    assert abs(float(value[1]) - exact) < 2e-5
    assert "\nError of each value: at most 1e-05, proven\n" in answer.out
    assert (
        "epsilon must be a number from 1e-12 up and below 1, not 0.0."
        in zermelo("solve", "pig(10)", "--epsilon", "0").err
    )


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ([], 2, "Name the game to solve."),
        (["nothing"], 2, "There is no game called nothing"),
        (["nim", "--fresh"], 2, "--fresh starts a file again, and no file is named; give it with -o."),
        (["nim", "--epsilon", "0.1"], 2, "--epsilon bounds the error of expectations, and there is no chance in Nim("),
        (["nim", "--sample", "3"], 2, "--sample is for --verify."),
        (["nim", "--verify", "FILE", "--wdl"], 2, "--verify takes a game, --sample, --threads and --json."),
        (["nim", "--threads", "0"], 2, "'--threads': it must be at least 1. See"),
        (["pig(10)", "--wdl"], 1, "wdl keeps wins, draws and losses, and this game counts expectations."),
    ],
)
def test_mistakes_are_sentences(zermelo, args, code, words) -> None:
    answer = zermelo("solve", *args)
    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err
    assert answer.err.count("\n") == 1


def test_what_is_found_out_later(zermelo, folder, monkeypatch) -> None:
    def refused(*args: str) -> str:
        answer = zermelo("solve", *args)
        assert answer.code in (1, 2)
        assert answer.err.count("\n") == 1
        return answer.err

    assert "the rule `result` raised ZeroDivisionError" in refused(str(BAD / "raising_rule.py"))
    assert "there is no `index`" in refused("nim", "--stage", "3")
    assert "cannot be written: there is no folder" in refused("nim", "-o", "missing/nim.zermelo")
    (folder / "taken").mkdir()
    assert "taken cannot be written: it is a folder." in refused("nim", "-o", "taken")
    (folder / "full.zermelo.partial").touch()
    assert "full.zermelo.partial cannot be" in refused("nim", "-o", "full.zermelo")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "cannot be written: no space left on device." in refused("nim", "-o", "nim.zermelo")


def test_a_game_that_does_not_fit(zermelo, monkeypatch) -> None:
    monkeypatch.setattr(memory_budget, "MIN_BUDGET", 1)
    monkeypatch.setattr(memory_budget, "available_memory", lambda: 100)
    answer = zermelo("solve", "nim")
    assert answer.code == 2
    assert re.fullmatch(
        r"solve of Nim\(.*\) would not fit: it takes 48 states, a second, .* of memory and .* of disk, and there are "
        r"75 bytes of memory, and no file to write to; --force tries it anyway\.\n",
        answer.err,
    )
    assert zermelo("solve", "nim", "--force").code == 0


def test_an_estimate_solves_nothing(zermelo, folder) -> None:
    answer = zermelo("solve", "tic_tac_toe", "--estimate")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[:3] == ["TicTacToe(width=3, height=3, in_a_row=3)", METHOD, "Stage, states:"]
    assert lines[-5] == "765 states, counted"
    assert re.fullmatch(r"Time: about a second on \d+ cores?", lines[-4])
    assert re.fullmatch(r"Disk: .* for the file, .* for temporary files", lines[-2])
    record = zermelo("solve", "nim", "--estimate", "--json").json
    assert record.items() >= {"name": "nim", "states": 48, "exact": True, "method": "counted"}.items()
    assert list(folder.iterdir()) == []
    answer = zermelo("solve", "nim", "--estimate", "--force")
    assert (answer.code, answer.out) == (2, "")
    assert "--estimate takes a game, --wdl, --stage, --threads and --json." in answer.err


def test_a_file_of_somebody_else_is_left_alone(zermelo, folder, nim) -> None:
    thesis = folder / "thesis.tex"
    thesis.write_text("\\section{Games}")
    damaged = folder / "damaged.zermelo"
    damaged.write_bytes(nim.read_bytes()[:-1])
    for file, holds in (
        (thesis, "nothing that this Zermelo can read"),
        (damaged, "nothing that this Zermelo can read"),
        (nim, "Nim(piles=(3, 4, 5), misere=False)"),
    ):
        before = file.read_bytes()
        answer = zermelo("solve", "tic_tac_toe", "-o", str(file))
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == f"{file} would be replaced, and it holds {holds}; delete it, or name another file.\n"
        assert file.read_bytes() == before


# -- what an interrupted solve has kept ------------------------------------------------------------------------------


def interrupt(name: str, path: str, phase: str) -> None:
    """Solve until a phase is half done, and leave it there."""

    def listen(progress: Progress) -> None:
        if progress.phase == phase and progress.stage == 6:
            raise SolverStopped

    with pytest.raises(SolverStopped):
        z.solve(z.load(name), path, progress=listen)


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("forward", "26 states found, 0 states solved"),  # stages 0 to 5
        ("backward", "48 states found, 16 states solved"),  # stages 12 to 7
    ],
)
def test_going_on(zermelo, folder, monkeypatch, phase, words) -> None:
    monkeypatch.setattr(store, "SAVE_INTERVAL", 0.0)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    interrupt("nim", "nim.zermelo", phase)
    answer = zermelo("solve", "nim", "-o", "nim.zermelo")
    assert answer.code == 0
    assert re.search(r"\nResuming from nim\.zermelo\.partial: (.*)\.\n", answer.out)[1] == words
    assert "\n48 states: 41 win, 7 loss\n" in answer.out
    assert re.search(r"\nTime: [\d.]+ s for what was left(; compiling: [\d.]+ s)?\n", answer.out)
    assert [path.name for path in folder.iterdir()] == ["nim.zermelo"]
    zermelo("solve", "nim", "-o", "undisturbed")
    assert (folder / "undisturbed").read_bytes() == (folder / "nim.zermelo").read_bytes()


def test_fresh_goes_on_from_nothing(zermelo, monkeypatch) -> None:
    monkeypatch.setattr(store, "SAVE_INTERVAL", 0.0)
    interrupt("nim", "nim.zermelo", "backward")
    record = zermelo("solve", "nim", "-o", "nim.zermelo", "--fresh", "--json").json
    assert record["states_per_second"] is not None
    interrupt("nim", "nim.zermelo", "backward")
    record = zermelo("solve", "nim", "-o", "nim.zermelo", "--json").json
    assert record["states_per_second"] is None


def test_what_another_solve_has_kept_is_left_alone(zermelo, folder, monkeypatch) -> None:
    monkeypatch.setattr(store, "SAVE_INTERVAL", 0.0)
    interrupt("nim", "nim.zermelo", "backward")
    before = sorted(path.name for path in (folder / "nim.zermelo.partial").iterdir())
    answer = zermelo("solve", "tic_tac_toe", "-o", "nim.zermelo")
    assert answer.code == 1
    assert "Resuming" not in answer.out
    assert "nim.zermelo.partial holds another solve: its game is 'Nim(" in answer.err
    answer = zermelo("solve", "nim", "-o", "nim.zermelo", "--wdl")
    assert "nim.zermelo.partial holds another solve: its wdl is False, not True" in answer.err
    assert sorted(path.name for path in (folder / "nim.zermelo.partial").iterdir()) == before
    assert summarise_checkpoint(z.load("tic_tac_toe"), "nim.zermelo") is None


def press_ctrl_c(monkeypatch) -> None:
    """Have Ctrl-C pressed when the first progress of the solve is told, after that of its estimate."""
    listen = ProgressDisplay.__call__

    def pressed(self: ProgressDisplay, progress: Progress) -> None:
        if progress.phase == "estimating":
            return
        if not self.stopped:
            os.kill(os.getpid(), signal.SIGINT)
        while not self.stopped:
            pass
        listen(self, progress)

    monkeypatch.setattr(ProgressDisplay, "__call__", pressed)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c(zermelo, folder, monkeypatch) -> None:
    press_ctrl_c(monkeypatch)
    answer = zermelo("solve", "nim", "-o", "nim.zermelo")
    assert answer.code == 130
    assert answer.err == (
        "Finished work is kept in nim.zermelo.partial; run the same command to resume.\nInterrupted.\n"
    )
    assert [path.name for path in folder.iterdir()] == ["nim.zermelo.partial"]
    answer = zermelo("solve", "nim")
    assert (answer.code, answer.err) == (130, "Interrupted.\n")


# -- verify ----------------------------------------------------------------------------------------------------------


def test_verify(zermelo, nim) -> None:
    answer = zermelo("solve", "--verify", str(nim), "--sample", "10")
    assert (answer.code, answer.err) == (0, "")
    title, found = answer.out.splitlines()
    assert title == f"Nim(piles=(3, 4, 5), misere=False): 48 states in {nim}"
    assert re.fullmatch(
        r"48 entries follow .*; a forward search proved \d+ of \d+ random states, with .* \([\d.]+ s\)", found
    )
    record = zermelo("solve", "nim", "--verify", str(nim), "--sample", "0", "--json").json
    assert record["seconds"] > 0
    assert record.items() >= {"name": "nim", "file": str(nim), "states": 48, "checked": 48, "sampled": 0}.items()


def test_verify_finds_a_wrong_entry(zermelo) -> None:
    solution = z.solve(z.load("nim"))
    entries = solution.tables[5].entries.source.view("uint8")
    other = next(place for place in range(solution.tables[5].length) if entries[place] != entries[0])
    entries[0], entries[other] = entries[other], entries[0]  # so that the counts are right
    solution.save("wrong.zermelo")
    answer = zermelo("solve", "--verify", "wrong.zermelo")
    assert answer.code == 1
    assert "wrong.zermelo is wrong about Nim(piles=(3, 4, 5), misere=False): " in answer.err
    assert answer.err.count("\n") == 1


def test_verify_needs_the_game_and_a_whole_file(zermelo, folder, nim) -> None:
    (folder / "cut").write_bytes(nim.read_bytes()[:-3])
    assert "cut is damaged" in zermelo("solve", "--verify", "cut").err
    assert "cannot be read: no such file" in zermelo("solve", "--verify", "missing").err
    assert "was made for Nim(" in zermelo("solve", "tic_tac_toe", "--verify", str(nim)).err


# -- probe -----------------------------------------------------------------------------------------------------------


def test_probe(zermelo, nim) -> None:
    answer = zermelo("probe", str(nim), "5-5")
    assert (answer.code, answer.err) == (0, "")
    title, value, *moves, line = answer.out.splitlines()
    assert title == "Nim(piles=(3, 4, 5), misere=False), 0 3 4"
    assert value == "Value for the player to move: win in 7"
    assert moves[0] == "  4-1  win in 7"
    assert len(moves) == 7
    assert re.fullmatch(r"Line: 4-1( \d-\d){6}", line)
    over = zermelo("probe", str(nim), "3-3 4-4 5-5")
    assert over.out.splitlines()[1:] == ["Value for the player to move: loss in 0"]
    record = zermelo("probe", str(nim), "--json").json
    assert record["value"]["text"] == "win in 11"
    assert record["best"] == ["5-2"] or record["best"] == ["3-2"]
    assert len(record["line"]) == 11


def test_probe_of_dice(zermelo, folder) -> None:
    assert zermelo("solve", "pig(10)", "-o", "pig").code == 0
    lines = zermelo("probe", "pig", "roll").out.splitlines()
    assert len(lines) == 8
    assert all(line.endswith("  (1/6)") for line in lines[2:])


def test_two_engines_share_one_database(zermelo, nim, monkeypatch) -> None:
    opened, open_file = [], z.Solution.open

    def counted(*args: object) -> z.Solution:
        opened.append(open_file(*args))
        return opened[-1]

    monkeypatch.setattr(z.Solution, "open", counted)
    answer = zermelo("play", "nim", "--database", str(nim), "--first", "engine", "--opponent", "engine")
    assert (answer.code, answer.err, len(opened)) == (0, "", 1)
    assert "depth 0, 0 nodes" in answer.out


def test_probe_of_a_game_of_ones_own(zermelo, folder) -> None:
    mine = test_cli.COUNTDOWN
    assert zermelo("solve", mine, "-o", "mine").code == 0
    answer = zermelo("probe", "mine")
    assert answer.code == 1
    assert "which is not in the catalog; name the game with --game my_game.py:MyGame." in answer.err
    answer = zermelo("plot", "distances", "mine", "-o", "mine.svg")
    assert "which is not in the catalog; name the game with --game my_game.py:MyGame." in answer.err
    answer = zermelo("solve", "--verify", "mine")
    assert "name the game as well: `zermelo solve my_game.py:MyGame --verify FILE`." in answer.err
    answer = zermelo("serve", "--database", "mine")
    assert "name the game as well: `zermelo serve my_game.py:MyGame --database FILE`." in answer.err
    assert zermelo("probe", "mine", "--game", mine).out.startswith("Countdown(")


def test_probe_mistakes(zermelo, folder, nim) -> None:
    (folder / "text").write_text("nothing")
    cut = folder / "cut"
    cut.write_bytes(nim.read_bytes()[:100])
    for args, code, words in (
        (["text"], 1, "text is not a file of Zermelo."),
        (["missing"], 1, "missing cannot be read: no such file or directory."),
        ([str(cut)], 1, "cut is damaged: it was cut short"),
        ([str(nim), "9-9"], 2, "begins with no legal move"),
        ([str(nim), "--game", "tic_tac_toe"], 1, "was made for Nim(piles=(3, 4, 5), misere=False), not for TicTacToe("),
    ):
        answer = zermelo("probe", *args)
        assert (answer.code, answer.out) == (code, ""), args
        assert words in answer.err
        assert answer.err.count("\n") == 1


# -- export ----------------------------------------------------------------------------------------------------------


def test_export(zermelo, folder, nim) -> None:
    answer = zermelo("export", str(nim), "nim.csv", "--best")
    assert (answer.code, answer.err) == (0, "")
    assert re.fullmatch(r"nim\.csv: 48 states, [\d.]+ kB\.\n", answer.out)
    lines = (folder / "nim.csv").read_text().splitlines()
    assert lines[0] == "state,piles_0,piles_1,piles_2,outcome,plies,score,repetition,best"
    assert lines[1] == "3 4 5,3,4,5,win,11,999989,False,3-2"
    assert zermelo("export", str(nim), "nim.parquet").code == 0
    assert (folder / "nim.parquet").read_bytes()[:4] == b"PAR1"


def test_export_mistakes(zermelo, folder, nim) -> None:
    mine = test_cli.COUNTDOWN
    assert zermelo("solve", mine, "-o", "mine").code == 0
    for args, words in (
        ([str(nim), "nim.xlsx"], "nim.xlsx should end in .csv or .parquet, which says how to write it."),
        (["missing", "nim.csv"], "missing cannot be read: no such file or directory."),
        ([str(nim), "none/nim.csv"], "none/nim.csv cannot be written: there is no folder"),
        (["mine", "mine.csv"], "which is not in the catalog; name the game with --game my_game.py:MyGame."),
    ):
        answer = zermelo("export", *args)
        assert (answer.code, answer.out) == (1, ""), args
        assert words in answer.err
        assert answer.err.count("\n") == 1
    assert zermelo("export", "mine", "mine.csv", "--game", mine).code == 0
    assert (folder / "mine.csv").read_text().startswith("state,number,outcome,plies,score,repetition\n")


# -- watching --------------------------------------------------------------------------------------------------------


def told(display: ProgressDisplay, **fields: object) -> str:
    progress = display.progress or Progress()
    for name, value in fields.items():
        setattr(progress, name, value)
    display(progress)
    return display.figures(progress)


def test_what_is_told() -> None:
    display = ProgressDisplay(steady=True)
    assert told(display, phase="forward", stage=0, done=0, total=1).startswith("0 states found, ")
    assert told(display, stage=1, states=1, done=2, total=3).startswith("3 states found, ")
    words = told(display, phase="backward", stage=1, states=4, done=0, total=64)
    assert words.startswith("0 of 4 states solved, ")
    assert "left" not in words  # nothing is known of the speed as yet
    words = told(display, done=32)
    assert words.startswith("1 of 4 states solved, ")
    assert words.endswith(" left")
    assert told(display, done=64, solved=3).startswith("3 of 4 states solved, ")  # counted once, though told twice
    assert told(display, stage=0, done=1, total=64).startswith("3 of 4 states solved, ")
    assert told(display, done=64, solved=4).startswith("4 of 4 states solved, ")


def test_what_is_told_of_a_solve_that_goes_on() -> None:
    display = ProgressDisplay(True, {0: 1, 1: 3, 2: 6}, complete=True, earlier=6)
    words = told(display, phase="backward", stage=1, done=64, total=64, solved=0)
    assert words.startswith("9 of 10 states solved, ")
    display = ProgressDisplay(steady=False)
    assert "left" not in told(display, phase="backward", stage=1, done=32, total=64)  # there will be other passes


def test_states_are_found_of_the_estimated_number(monkeypatch) -> None:
    """Both passes count for the time left, at the rate of the last seconds."""
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    display = ProgressDisplay(steady=True)
    progress = Progress(display)
    progress.expect(1000)
    progress.begin("forward", 0, 100)
    assert progress.seconds_left is None
    now[0] += 2
    progress.advance(100)
    assert (progress.handled, progress.rate, progress.seconds_left) == (100, 50.0, 38.0)  # 1900 of 2000 are left
    words = display.figures(progress)
    assert words.startswith("100 of about 1,000 states found, ")
    assert words.endswith("about 0:38 left")
    progress.states, progress.done = 1200, 0
    assert display.figures(progress).startswith("1,200 of about 1,200 states found, ")  # never more than all
    progress.begin("backward", 3, 10)
    assert progress.expected == 1200  # now they are known
    now[0] += 20
    progress.solved = 600
    progress.report()
    assert progress.rate == 0.0  # what is longer ago than the window is forgotten
    now[0] += 2
    progress.solved = 800
    progress.report()
    assert (progress.rate, progress.seconds_left) == (100.0, 4.0)


def test_machine_code_does_not_count_for_the_rate(monkeypatch) -> None:
    """Ten seconds, of which the compiler takes eight, for four states."""
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    timer = CompileTimer()
    display = ProgressDisplay(timer=timer)
    told(display, phase="forward", stage=0, done=0, total=4)
    timer.begin()
    timer.begin()
    timer.end()
    now[0] += 8
    assert display.picture().plain == "Compiling ..."
    timer.end()
    now[0] += 2
    assert ", 2 states/s" in told(display, done=4)
    cost = solve_command.Cost(z.solve(z.load("nim")), 10, timer.seconds, None, None, resumed=False)
    assert next(cost.lines()) == "Time: 2.00 s, 24 states/s; compiling: 8.00 s"
    assert cost.to_dict().items() >= {"seconds": 10, "compiling_seconds": 8, "states_per_second": 24}.items()


def test_what_a_terminal_shows(monkeypatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(progress_display, "console", lambda stderr: Console(file=out, force_terminal=True, width=100))
    display = ProgressDisplay(steady=True)
    with display.shown():
        told(display, phase="forward", stage=3, done=5, total=10)
    assert "Finding states, stage 3" in out.getvalue()
    assert "50 %" in out.getvalue()
    assert "5 states found" in out.getvalue()


def test_who_is_not_at_a_terminal_gets_a_line_now_and_then(monkeypatch, capsys) -> None:
    monkeypatch.setattr(progress_display, "FIRST_LINE", 0.0)
    display = ProgressDisplay()
    told(display, phase="forward", stage=3, done=5, total=10)
    assert capsys.readouterr().err.startswith("Finding states, stage 3: 5 states found, ")
    display.stop()
    with pytest.raises(SolverStopped):
        told(display, done=6)


def test_a_solver_that_reports_nothing_is_not_silent(monkeypatch, capsys) -> None:
    monkeypatch.setattr(progress_display, "FIRST_LINE", 0.01)
    monkeypatch.setattr(progress_display, "WATCH_INTERVAL", 0.01)
    timer = CompileTimer()
    display = ProgressDisplay(timer=timer)
    with display.shown():
        await_line(capsys, "Preparing")
        timer.begin()
        display.interval = 0.01
        await_line(capsys, "Compiling")
        timer.end()
        told(display, phase="estimating")
        display.interval = 0.01
        await_line(capsys, "Estimating the size")
    assert display.interval < progress_display.LINE_INTERVAL


def await_line(capsys, words: str) -> None:
    """Wait until the error stream has a line of these words and a time, for a minute at most."""
    found, deadline = "", time.monotonic() + 60
    while not re.search(rf"^{words}: \d+:\d\d$", found, re.MULTILINE):
        assert time.monotonic() < deadline, found
        time.sleep(0.01)
        found += capsys.readouterr().err


def test_bounds_that_are_swept_say_how_near_they_are(monkeypatch, capsys) -> None:
    monkeypatch.setattr(progress_display, "FIRST_LINE", 0.0)
    told(ProgressDisplay(), phase="backward", stage=0, total=4000, sweeps=17, gap=0.0312)
    assert capsys.readouterr().err.startswith("Solving, stage 0: sweep 17 of 4,000 states, bounds within 0.031, ")


def test_files_that_are_mapped_are_no_memory_of_the_process(tmp_path) -> None:
    size = 64 << 20
    (tmp_path / "file").write_bytes(bytes(size))
    before = progress_display.memory_now()
    with (tmp_path / "file").open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert sum(mapped[:: mmap.PAGESIZE]) == 0
        assert progress_display.memory_now() - before < size // 2
    held = bytearray(b"1") * size
    assert progress_display.memory_now() - before > size // 2
    del held
