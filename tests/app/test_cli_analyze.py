"""`zermelo analyze` and the engine's options of `zermelo play`: what they print, and how they end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys

import pytest
import test_cli
from test_cli import BAD, KEEPING, process

import naive
from zermelo.app.commands import analyze_command as analysis
from zermelo.games.registry import load, position

zermelo = test_cli.zermelo
"""The fixture that runs a command line in this process."""

ROW = re.compile(r" *(\d+)  (\S.*?) +([\d,]+) +\S+(?: [kM])? +([\d.]*) +(\S.*)")


def test_a_table_of_rounds(zermelo) -> None:
    answer = zermelo("analyze", "connect_four(4, 4)", "2 2 3", "--depth", "4")
    assert (answer.code, answer.err) == (0, "")
    title, whose, header, *table, best = answer.out.splitlines()
    assert title == "ConnectFour(width=4, height=4), ..../..../.O../.XX."
    assert whose == "Values are for the second player, who is to move."
    assert header.split() == ["depth", "value", "nodes", "nodes/s", "growth", "line"]
    finished = [ROW.fullmatch(row) for row in table if ROW.fullmatch(row)]
    assert [int(row[1]) for row in finished if row[4] or row[1] == "1"][-1] == 4
    assert best == f"Best: {finished[-1][5].split()[0]}, {finished[-1][2]} (estimate)."


def test_a_proof(zermelo) -> None:
    game = load("tic_tac_toe")
    answer = zermelo("analyze", "tic_tac_toe", "a1 b1 a2 c3")
    assert answer.out.endswith("Best: a3, win in 1 (proven).\n")
    assert naive.value(game, position(game, "a1 b1 a2 c3")) == 1_000_000 - 1
    answer = zermelo("analyze", "tic_tac_toe", "b2", "--exact")
    assert answer.out.endswith(", draw (proven).\n")


def test_a_proof_that_goes_on(zermelo) -> None:
    answer = zermelo("analyze", "connect_four(5, 4)", "--exact", "--lines", "2")
    header, *rows, best = answer.out.splitlines()[2:]
    assert header.split() == ["value", "proven", "so", "far", "nodes", "nodes/s", "line"]
    bounds = [row[16:42].strip() for row in rows if row[16:42].strip()]
    assert len(bounds) > 2
    assert bounds[-1] == "0 to 0"
    assert len({row.rindex("  ") for row in rows[-2:]}) == 1  # the lines begin in one column
    assert re.fullmatch(r"Best: \d, draw \(proven\)\.", best)
    answer = zermelo("analyze", "connect_four", "--exact", "--nodes", "200000")
    assert re.search(r"Best: \d, .* \(estimate; proven: loss in \d+ to .*\)\.\n$", answer.out)


def test_lines_are_below_the_first(zermelo) -> None:
    answer = zermelo("analyze", "tic_tac_toe", "a1 b1 a2 b2", "--depth", "9", "--lines", "3")
    rows = answer.out.splitlines()[-4:-1]
    assert rows[0].split()[1:4] == ["win", "in", "1"]
    assert rows[0].endswith("  a3")
    assert rows[1].startswith(" " * 7)
    assert len({row.rindex("  ") for row in rows}) == 1  # the lines begin in one column


def test_json_lines(zermelo) -> None:
    answer = zermelo("analyze", "connect_four(4, 4)", "2 2 3", "--depth", "5", "--lines", "2", "--json")
    records = [json.loads(line) for line in answer.out.splitlines()]
    assert [record["final"] for record in records] == [False] * (len(records) - 1) + [True]
    depths = [record["depth"] for record in records]
    assert depths == sorted(depths)
    last = records[-1]
    assert (last["game"], last["state"], last["depth"]) == ("connect_four(width=4, height=4)", "..../..../.O../.XX.", 5)
    assert {"value", "move", "pv", "lines", "nodes", "seconds", "growth"} <= set(last)
    assert last["move"] == last["pv"][0] == last["lines"][0]["pv"][0]
    assert len(last["lines"]) == 2
    assert records[-2]["value"] == last["value"]


@pytest.mark.parametrize(
    ("args", "options"),
    [
        (["pig(20)", "--depth", "3"], "roll"),  # chance
        (["nim", "5-5"], "4-1"),  # no mover rule
        (["game_tree([[3, 12], [8, 2]])"], "1"),  # points
        ([str(BAD / "interpreted.py"), "--depth", "3"], ""),
        (["tic_tac_toe", "--nodes", "500", "--threads", "2", "--table", "1"], ""),
        (["tic_tac_toe", "--seconds", "0.2"], ""),
    ],
)
def test_any_game_under_any_limit(zermelo, args, options) -> None:
    answer = zermelo("analyze", *args)
    assert answer.code == 0, answer.err
    assert re.search(rf"\nBest: {options}.*, .* \((proven|estimate)\)\.\n$", answer.out)


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["tic_tac_toe", "a1 a2 b1 b2 c1"], 1, "the game is over in"),
        (["pig", "roll"], 1, "chance moves in"),
        (["tic_tac_toe", "z9"], 2, "begins with no legal move"),
        (["pig", "--exact"], 1, "exact search proves values only of games without loops and chance"),
        (["tic_tac_toe", "--exact", "--depth", "3"], 1, "exact search has no depth"),
        (["tic_tac_toe", "--seconds", "0"], 2, "--seconds must be above zero, not 0."),
        (["tic_tac_toe", "--seconds", "inf"], 2, "--seconds must be above zero, not inf."),
        (["tic_tac_toe", "--depth", "-1"], 2, "--depth must be above zero, not -1."),
        (
            ["tic_tac_toe", "--table", "0"],
            2,
            "--table must be a size of memory up to 1 TB",
        ),
        (["tic_tac_toe", "--lines", "0"], 2, "'--lines': it must be at least 1. See"),
        (["tic_tac_toe", "--threads", "two"], 2, "'--threads': it must be a whole number. See"),
        (["tic_tac_toe", "--method", "proof", "--lines", "2"], 2, "--method proof has no option --lines."),
        (
            ["tic_tac_toe", "--table", "inf"],
            2,
            "such as 64MB or 1GB, not 'inf'.",
        ),
        (["tic_tac_toe", "--at-least", "0"], 2, "--method search has no option --at-least."),
        (["tic_tac_toe", "--method", "monte-carlo", "--depth", "3"], 1, "has no depth"),
        (["pig", "--method", "proof"], 1, "has chance"),
        ([str(BAD / "raising_rule.py")], 1, "the rule `result` raised ZeroDivisionError"),
    ],
)
def test_mistakes_are_sentences(zermelo, args, code, words) -> None:
    answer = zermelo("analyze", *args)
    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err
    assert answer.err.count("\n") == 1


UNDRAWN = """
from zermelo import LOSS, ONGOING, Game

class Undrawn(Game):
    native = False

    def initial(self):
        return 5, 0

    def mover(self, state):
        return state[1]

    def moves(self, state):
        return range(1, min(state[0], 2) + 1)

    def play(self, state, taken):
        return state[0] - taken, 1 - state[1]

    def result(self, state):
        return LOSS if state[0] == 0 else ONGOING

    def board(self, state):
        raise ValueError(state)
"""


def test_a_board_that_cannot_be_drawn_hinders_no_analysis(zermelo, tmp_path) -> None:
    path = tmp_path / "undrawn.py"
    path.write_text(UNDRAWN, encoding="utf-8")
    assert "Values are for the first player, who is to move." in zermelo("analyze", str(path), "--depth", "5").out


def test_other_methods(zermelo) -> None:
    won = ("analyze", "connect_four(4, 4)", "2 2 3 3 4", "--method", "proof")
    game = load("connect_four(4, 4)")
    assert naive.value(game, position(game, "2 2 3 3 4")) == 0
    assert zermelo(*won).out.endswith("\nNo, proven: the player to move does not win.\n")
    yes = zermelo(*won, "--at-least", "0").out
    assert re.search(r"\nYes, proven: the player to move reaches at least a draw, by [1-4]\.\n$", yes)
    unknown = zermelo(*won, "--nodes", "1").out
    assert re.search(r"\nNot proven within the limit: .* can win; most promising is [1-4]\.\n$", unknown)
    points = zermelo("analyze", "game_tree([[3, 12], [8, 2]])", "--method", "proof", "--at-least", "4").out
    assert points.endswith("\nNo, proven: the player to move does not get at least +4.\n")
    args = ("analyze", "tic_tac_toe", "--method", "monte-carlo", "--nodes", "200", "--seed", "3", "--json")
    first, second = (zermelo(*args, "--lines", "4").out.splitlines() for _ in range(2))
    assert len(first) == len(second) == 2
    assert json.loads(first[1])["lines"] == json.loads(second[1])["lines"]
    assert len(json.loads(first[1])["lines"]) == 4


def test_control_c_ends_it_with_the_last_answer() -> None:
    with process("analyze", "connect_four", "--json") as analysis:
        for _ in range(6):
            json.loads(analysis.stdout.readline())
        analysis.send_signal(signal.SIGINT)
        out, err = analysis.communicate(timeout=300)
    assert (analysis.returncode, err.count("\n")) == (0, "Keeping" in err)
    last = json.loads(out.splitlines()[-1])
    assert last["final"]
    assert last["move"] in "1234567"
    assert not last["value"]["exact"]


SLOW_COMPILER = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from zermelo.searching.runtime import search_driver
search_driver.ready = lambda *arguments: sys.stdin.readline() and None
from zermelo.app.cli import main
main()
"""
"""A compiler that is at work until it is typed to."""


@pytest.mark.parametrize("leave", [False, True], ids=["stay", "leave"])
def test_staying_for_the_compiler_is_said_and_ctrl_c_leaves(leave: bool) -> None:
    command = [sys.executable, "-c", SLOW_COMPILER, "analyze", "tic_tac_toe", "--seconds", "0.2"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, text=True, **pipes) as analysis:
        said = analysis.stderr.readline()
        if leave:
            analysis.send_signal(signal.SIGINT)
            analysis.wait(300)
        out, err = analysis.communicate("\n" if not leave else None, timeout=300)
    assert said == KEEPING
    assert (analysis.returncode, err) == (0, "")
    assert "Best: " in out


def test_a_game_that_is_left_does_not_stay_for_the_compiler() -> None:
    endless = SLOW_COMPILER.replace("sys.stdin.readline() and None", "threading.Event().wait()")
    command = [sys.executable, "-c", f"import threading{endless}", "play", "tic_tac_toe", "--seconds", "0.2"]
    left = subprocess.run(command, input="hint\nquit\n", capture_output=True, text=True, timeout=300)
    assert "Hint: " in left.stdout
    assert left.stdout.endswith("Good-bye.\n")
    assert (left.returncode, left.stderr) == (0, "")


def test_whose_the_values_are() -> None:
    chess = load("chess")
    assert analysis._title(chess, position(chess, "e4"))[1] == "Values are for Black, who is to move."
    geese = load("fox_and_geese")
    assert analysis._title(geese, position(geese, "e1-d2"))[1] == "Values are for Geese, who are to move."


def test_a_live_table_in_a_terminal() -> None:
    text = in_a_terminal("analyze", "tic_tac_toe", "--depth", "4", "--lines", "2")
    assert "\x1b[" in text  # the table is redrawn in its place
    assert "Values are for the first player, who is to move." in text
    assert "Best: b2, " in text


def test_a_proof_shows_its_nodes_while_it_goes_on() -> None:
    text = in_a_terminal("analyze", "connect_four", "--exact", "--seconds", "4")
    nodes = {row[44:57] for row in re.findall(r"[^\r\n\x1b]+", text) if " to win" in row[16:42]}
    assert len(nodes) > 3  # more than there are answers in so short a time


def in_a_terminal(*args: str) -> str:
    """What the command writes to a terminal until it ends well."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    env = {**os.environ, "COLUMNS": "100", "LINES": "24", "TERM": "xterm"}
    with subprocess.Popen([sys.executable, "-m", "zermelo", *args], stdout=theirs, stderr=theirs, env=env) as analysis:
        os.close(theirs)
        out = b""
        while part := read(ours):
            out += part
    os.close(ours)
    assert analysis.returncode == 0
    return out.decode()


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # how Linux says that the other end is closed
        return b""


# -- play ------------------------------------------------------------------------------------------------------------


def test_playing_on_a_clock(zermelo) -> None:
    args = ("play", "tic_tac_toe", "--first", "engine", "--opponent", "engine", "--clock", "1+1")
    answer = zermelo(*args)
    assert answer.code == 0
    assert len(re.findall(r"plays .. *: value .* \((?:proven|estimate)\), depth .* \(\d:\d\d left\)", answer.out)) == 9
    assert answer.out.rstrip().endswith("Draw.")


def test_styles_and_seeds_at_the_table(zermelo) -> None:
    args = ("play", "tic_tac_toe", "b2 a1", "--first", "engine", "--opponent", "engine", "--depth", "9", "--json")
    for style in ("exact", "longest", "trickiest"):
        seeds = (1, 1, 2) if style == "exact" else (1,)
        games = [zermelo(*args, "--style", style, "--seed", str(seed)).json for seed in seeds]
        if style == "exact":
            assert games[0]["moves"] == games[1]["moves"] != games[2]["moves"]
        assert {game["result"] for game in games} == {"Draw."}


def test_a_fallen_flag_loses(zermelo, monkeypatch) -> None:
    monkeypatch.setattr("zermelo.play.clock.Clock.stop", lambda clock: clock.spend(1000))
    answer = zermelo("play", "tic_tac_toe", "--first", "engine", "--clock", "1", typed="")
    assert answer.out.rstrip().endswith("You win on time.")
