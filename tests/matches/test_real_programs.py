"""Real programs and real kills: GNU Chess, Stockfish, XBoard, SIGKILL. A test whose program is missing is skipped."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import zermelo as z
from zermelo.games.registry import load
from zermelo.matches.match_record import read_games
from zermelo.play.record import replayed

sys.path.append(str(Path(__file__).parents[2] / "bench"))
import programs

PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])


def program(name):
    """Where a program is; without it the test is skipped."""
    found = shutil.which(name, path=PATH)
    if found is None:
        pytest.skip(f"{name} is not installed; Debian has it")
    return found


GNU_FAULT = re.compile(r"(GNU|gnuchess-uci) (has ended with exit code -6|does not answer within 30 s)\.")
"""GNU Chess 6.2 hangs in some of its starts, and ends by itself in some games."""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Programs write files where they are started."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_stockfish_plays_by_uci():
    weak = f"option.UCI_LimitStrength=true,option.UCI_Elo=1400,name=Stockfish,uci:{program('stockfish')}"
    result = z.match(load("chess"), "zermelo", weak, games=4, limit=z.Limit(seconds=0.1))
    assert result.faults == []
    assert {record["players"][0] for record in result.games} == {"zermelo", "Stockfish"}


@pytest.mark.slow
def test_fairy_max_plays_by_xboard():
    fairy = f"name=Fairy-Max,xboard:{program('fairymax')}"
    zermelo = f"name=Zermelo,uci:{sys.executable} -m zermelo uci"
    result = z.match(load("chess"), zermelo, fairy, games=4, clock="5s+0.1")
    assert result.faults == []


@pytest.mark.slow
def test_gnu_chess_plays_by_xboard():
    gnu = f"name=GNU,xboard:{program('gnuchess')} --xboard"
    zermelo = f"name=Zermelo,uci:{sys.executable} -m zermelo uci"
    result = z.match(load("chess"), zermelo, gnu, games=4, clock="5s+0.1")
    assert [fault for fault in result.faults if not GNU_FAULT.fullmatch(fault)] == []


@pytest.mark.slow
def test_a_match_of_the_bench_plays_games_at_once_and_ends_in_time(tmp_path):
    program("gnuchess")
    file = tmp_path / "result.json"
    options = ["--games", "60", "--seconds", "0.01", "--concurrency", "2", "--budget", "0.1", "--json", str(file)]
    code = programs.main(["gnuchess-uci", *options])
    result = json.loads(file.read_text())["gnuchess-uci"]
    assert code == bool(result["faults"])
    assert [fault for fault in result["faults"] if not GNU_FAULT.fullmatch(fault)] == []
    assert result["stopped"]
    assert 1 <= result["games"] < 60


SLOWLY = """
import subprocess, sys, time
program = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
for line in sys.stdin.buffer:
    program.stdin.write(line)
    program.stdin.flush()
    time.sleep(0.1)
program.stdin.close()
"""
"""Tells a program one line at a time: GNU Chess 6.2 overlooks the second of two lines that come together."""


@pytest.mark.slow
def test_xboard_shows_a_game_of_two_engines(tmp_path):
    """XBoard is the referee: it ends a game in which an engine makes an illegal move or exceeds its time."""
    display = subprocess.Popen(
        [program("Xvfb"), "-displayfd", "1", "-screen", "0", "800x600x24"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        number = display.stdout.readline().strip()
        file, slowly = tmp_path / "game.pgn", tmp_path / "slowly.py"
        slowly.write_text(SLOWLY)
        command = [
            program("xboard"), "-fcp", f"{sys.executable} {slowly} {program('gnuchess')} --xboard",
            "-scp", f"{sys.executable} -m zermelo xboard",
            "-mode", "TwoMachines", "-firstPlaysBlack", "true",
            "-matchGames", "1", "-timeControl", "0:10", "-timeIncrement", "0.1",
            "-saveGameFile", str(file),
        ]  # fmt: skip
        environment = {**os.environ, "HOME": str(tmp_path), "DISPLAY": f":{number}"}
        board = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 300
        while time.monotonic() < end and board.poll() is None and not file.exists():
            time.sleep(0.1)
        time.sleep(1)  # it writes the game at its end, and stays
        board.terminate()
        board.wait()
    finally:
        display.terminate()
        display.wait()
    (game,) = z.read_records(file, load("chess"))
    assert any(player.startswith("Zermelo") for player in game.players)
    assert game.finished
    text = file.read_text()
    assert not any(word in text for word in ("illegal", "forfeit", "flag", "exited", "disconnect"))


MATCH = """
import sys
from zermelo.app.cli import run
sys.exit(run(["match", "zermelo", "seconds=0.01,style=trickiest,name=B", "--game", "connect_four", "--games", "200",
              "--seconds", "0.01", "--concurrency", "2", "-o", sys.argv[1]]))
"""


@pytest.mark.slow
def test_two_hundred_games_killed_five_times(tmp_path):
    file = tmp_path / "match.jsonl"
    command = [sys.executable, "-c", MATCH, str(file)]
    for kill in (11, 48, 90, 133, 181):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        while process.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < kill):
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert len(read_games(file)) < 200
    subprocess.run(command, check=True, timeout=500, stdout=subprocess.DEVNULL)
    games = read_games(file)
    assert sorted(game["number"] for game in games) == list(range(200))
    rules = load("connect_four")
    for game in games:
        assert not game["fault"], game["result"]
        assert replayed(rules, game).outcome.winner == game["winner"]
