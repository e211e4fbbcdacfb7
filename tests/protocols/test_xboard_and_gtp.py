"""XBoard, GTP and NBoard: Zermelo as an engine and as a client, and what they answer to nonsense."""

import re
import sys
import threading
from pathlib import Path

import pytest

import engine_process
import zermelo as z
from engine_process import SlowChess, SlowHex
from zermelo import rules
from zermelo.games.othello import Othello
from zermelo.limits import Limit
from zermelo.play import Engine
from zermelo.protocols.clients import xboard_client
from zermelo.protocols.clients.external_program import ProgramError
from zermelo.protocols.clients.xboard_client import XboardClient
from zermelo.protocols.gtp import GtpProtocol
from zermelo.protocols.nboard import NboardProtocol
from zermelo.protocols.xboard import XboardProtocol


class SlowOthello(Othello):
    native = False


class Dialogue:
    """What is said to an engine, and what it says."""

    def __init__(self, make):
        self.lines = []
        self.heard = threading.Condition()
        self.engine = make(self.write)

    def write(self, line):
        with self.heard:
            self.lines.append(line)
            self.heard.notify_all()

    def say(self, *commands):
        begin = len(self.lines)
        for command in commands:
            assert self.engine.obey(command)
        return self.lines[begin:]

    def wait(self, *commands, until):
        """Say these, and return the first line that begins like this."""
        begin = len(self.lines)
        self.say(*commands)
        with self.heard:
            assert self.heard.wait_for(lambda: self.found(begin, until), 60)
            return self.found(begin, until)[0]

    def found(self, begin, until):
        return [line for line in self.lines[begin:] if line.startswith(until)]


# -- XBoard ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def xboard():
    made = Dialogue(lambda write: XboardProtocol(SlowChess, write))
    made.say("xboard")
    yield made
    made.engine.obey("quit")


def test_features(xboard):
    first, *options, last = xboard.say("protover 2")
    assert first.startswith('feature myname="Zermelo"')
    assert "usermove=1" in first
    assert last == "feature done=1"
    assert all(re.fullmatch(r'feature option="[A-Z][A-Za-z ]* -(spin|check|combo|file|path) .*"', o) for o in options)
    assert 'feature option="Level -spin 10 1 10"' in options
    assert xboard.say("ping 7") == ["pong 7"]


def test_options_of_xboard(xboard, tmp_path):
    """XBoard names a folder of tables though the user has none."""
    said = xboard.say("option Level=3", "option OwnBook=1", "option Book=/my books/b.bin")
    said += xboard.say("egtpath nalimov /tables", f"egtpath syzygy {tmp_path}", "egtpath syzygy /EGT/none")
    values = xboard.engine.options.values
    assert said == []
    assert (values["Level"], values["OwnBook"], values["Book"]) == (3, True, "/my books/b.bin")
    assert values["SyzygyPath"] == str(tmp_path)
    assert xboard.say("option Level=30") == ["telluser The option Level cannot be '30'."]
    assert xboard.say("option Speed=1") == ["telluser There is no option 'Speed'."]
    xboard.say("option Level=10", "option OwnBook=0", "option Book=", "option SyzygyPath=", "option MultiPV=2")
    xboard.say("new", "force", "usermove f2f3", "usermove e7e5", "usermove g2g4", "sd 2", "post")
    assert xboard.wait("go", until="move") == "move d8h4"
    assert {line.split()[4] for line in xboard.lines if line.startswith("2 ")} > {"d8h4"}  # what comes second, too


def test_a_game(xboard):
    """It plays black until `go` makes it play white."""
    assert xboard.wait("new", "sd 1", "usermove e2e4", until="move") != ""
    assert len(xboard.engine.line.words) == 2
    assert xboard.wait("go", until="move").split()[1]
    assert len(xboard.engine.line.words) == 3


def test_mate_is_found_and_claimed(xboard):
    xboard.say("new", "force", "usermove f2f3", "usermove e7e5", "usermove g2g4", "sd 2", "post")
    assert xboard.wait("go", until="move") == "move d8h4"
    assert xboard.lines[-1] == "0-1 {Black mates}"
    posted = [line.split() for line in xboard.lines if line[:1].isdigit() and "{" not in line]
    assert posted[-1][1] == "100001"
    assert len(posted[-1]) >= 5


def test_force_take_back_and_set_board(xboard):
    xboard.say("new", "force", "usermove e2e4", "usermove e7e5")
    assert xboard.engine.line.words == ["e2e4", "e7e5"]
    xboard.say("undo")
    assert xboard.engine.line.words == ["e2e4"]
    xboard.say("remove", "remove")
    assert xboard.engine.line.words == []
    xboard.say("setboard 7k/5ppp/8/8/8/8/8/R6K w - - 0 1", "sd 1")
    assert xboard.wait("go", until="move") == "move a1a8"


def test_forced_while_it_thinks_it_says_no_move(xboard):
    xboard.say("new", "st 60", "usermove e2e4", "force")
    assert not any(line.startswith("move") for line in xboard.lines)
    assert xboard.engine.line.words == ["e2e4"]


@pytest.mark.parametrize(
    "command", ["new", "force", "undo", "setboard 7k/5ppp/8/8/8/8/8/R6K w - - 0 1", "usermove d7d5"]
)
def test_a_move_that_is_no_longer_wanted_is_not_said(xboard, command):
    xboard.say("new", "st 60", "usermove e2e4", command)
    search = xboard.engine._search
    xboard.say("force")
    search.join()
    assert not any(line.startswith("move") for line in xboard.lines)


def test_it_moves_at_once_when_told_to(xboard):
    xboard.say("new", "st 60", "usermove e2e4")
    assert xboard.wait("?", until="move")
    assert len(xboard.engine.line.words) == 2


def test_it_plays_on_its_clock(xboard):
    xboard.say("new", "level 40 0:05 0", "time 300", "otim 300")
    assert xboard.wait("usermove e2e4", until="move")


def test_analysis_follows_the_moves(xboard):
    xboard.say("new")
    assert xboard.wait("analyze", until="1 ")
    xboard.say("usermove e2e4")
    with xboard.heard:  # until it thinks about a move of black
        assert xboard.heard.wait_for(lambda: [*xboard.lines[-1].split(), "", "", "", "", "  "][4][1] in "78", 60)
    xboard.say("undo", "exit")
    assert not any(line.startswith("move") for line in xboard.lines)


def test_what_xboard_cannot_say(xboard):
    xboard.say("new", "force")
    assert xboard.say("usermove e2e5") == ["Illegal move: e2e5"]
    assert xboard.say("setboard nonsense")[0].startswith("tellusererror Illegal position")
    assert xboard.say("fly away") == ["Error (unknown command): fly"]
    assert "level needs" in xboard.say("level soon")[0]
    assert "whole number" in xboard.say("st soon")[0]
    assert "cannot be" in xboard.say("memory lots")[0]
    assert xboard.say("result 1-0 {White wins}", "hard", "") == []
    assert xboard.engine.line.words == []


# -- GTP ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def gtp():
    return Dialogue(lambda write: GtpProtocol(lambda: SlowHex(3), write, version="1.0"))


def test_about_the_engine(gtp):
    assert gtp.say("protocol_version", "1 name", "version") == ["= 2\n", "=1 Zermelo\n", "= 1.0\n"]
    commands = gtp.say("list_commands")[0].removeprefix("= ").split()
    assert {"boardsize", "clear_board", "genmove", "play", "quit", "undo"} <= set(commands)
    assert all(gtp.say(f"known_command {name}") == ["= true\n"] for name in commands)
    assert gtp.say("known_command fly") == ["= false\n"]


def test_a_game_of_hex(gtp):
    """The first player of Hex wins on a board of three by three; it does so against any play."""
    assert gtp.say("boardsize 3", "clear_board", "komi 6.5") == ["= \n"] * 3
    cells = [f"{file}{rank}" for rank in "123" for file in "ABC"]
    answered = True
    while answered:
        gtp.say("genmove b")
        answered = any(gtp.say(f"play white {cell}")[0].startswith("=") for cell in cells)
    assert gtp.say("final_score") == ["= B+1\n"]
    assert gtp.say("5 genmove w") == ["=5 resign\n"]


def test_what_gtp_cannot_do(gtp):
    assert gtp.say("fly") == ["? unknown command\n"]
    assert gtp.say("play b z9") == ["? illegal move\n"]
    assert gtp.say("3 play w a1") == ["?3 illegal move: it is the turn of black\n"]
    assert gtp.say("play b")[0].startswith("? syntax error")
    assert gtp.say("undo") == ["? cannot undo\n"]
    assert gtp.say("boardsize 99")[0].startswith("? unacceptable size")
    assert gtp.say("boardsize many")[0].startswith("? syntax error")
    assert gtp.say("final_score")[0].startswith("? cannot score")
    assert gtp.say("time_left b soon 3")[0].startswith("? syntax error")
    assert gtp.say("# a comment", "", "   ") == []
    assert gtp.say("play b a1", "play b a2")[1].startswith("? illegal move")
    assert not gtp.engine.obey("9 quit")
    assert gtp.lines[-1] == "=9 \n"


def test_take_back_and_time(gtp):
    gtp.say("play b B2", "undo", "time_settings 60 0 0", "time_left b 55 0")
    assert gtp.engine.line.words == []
    assert gtp.say("reg_genmove b")[0].startswith("= ")
    assert gtp.engine.line.words == []
    assert "..." in gtp.say("showboard")[0]


def test_another_size(gtp):
    gtp.say("boardsize 4")
    assert gtp.engine.game == SlowHex(4)
    assert gtp.say("play b d4") == ["= \n"]
    othello = Dialogue(lambda write: GtpProtocol(SlowOthello, write))
    assert othello.say("boardsize 6", "clear_board") == ["= \n"] * 2
    assert othello.engine.game == SlowOthello(6)


# -- as clients --------------------------------------------------------------------------------------------------------

ENGINE = f"{sys.executable} {Path(engine_process.__file__)}"


def first_move(game, state):
    return rules.legal_actions(game, state)[0]


def test_a_match_by_gtp():
    """Hex on three by three is won for the first player, who is the program in one game of the pair."""
    result = z.match(SlowHex(3), f"gtp:{ENGINE} gtp", first_move, games=2, openings=0)
    assert result.faults == []
    assert result.counts[0] >= 1


def test_a_match_by_xboard():
    """One game of the pair has the program with black, one with white."""
    result = z.match(SlowChess(), f"depth=1,xboard:{ENGINE} xboard", first_move, games=2, openings=2, max_plies=12)
    assert result.faults == []
    assert len(result.games) == 2
    assert all(len(game["moves"]) == 12 or game["winner"] is not None for game in result.games)


FEATURE = "print('feature usermove=1 done=1', flush=True);"
READ = "import sys; lines = iter(sys.stdin.readline, '');"
BAD = {
    ("xboard", "resigns"): f"{READ}{FEATURE}[print('resign', flush=True) for line in lines if line == 'go\\n']",
    ("xboard", "no legal move"): f"{READ}{FEATURE}[print('move e9', flush=True) for line in lines if line == 'go\\n']",
    ("xboard", "exit code 4"): "import sys; sys.exit(4)",
    ("gtp", "resigns"): f"{READ}[print('= resign\\n', flush=True) for line in lines]",
    ("gtp", "refuses 'name'"): f"{READ}[print('? no\\n', flush=True) for line in lines]",
    ("gtp", "no legal move"): f"{READ}[print('= z99\\n', flush=True) for line in lines]",
    ("gtp", "does not end its answer"): f"{READ}[print('= a\\n' + 'b\\n' * 2000, flush=True) for line in lines]",
}


@pytest.mark.parametrize(("protocol", "words"), BAD)
def test_a_bad_program_loses(protocol, words, tmp_path):
    (tmp_path / "bad.py").write_text(BAD[protocol, words].replace("\\\\", "\\"))
    game = SlowHex(3) if protocol == "gtp" else SlowChess()
    result = z.match(game, f"{protocol}:{sys.executable} -S {tmp_path / 'bad.py'}", first_move, games=1, openings=0)
    assert result.counts == (0, 0, 1)
    assert words in result.games[0]["result"]
    assert bool(result.faults) == (words != "resigns")  # which a player may do


OVERHEARING = """
import select, sys, time
heard = time.monotonic()
for line in iter(sys.stdin.readline, ""):
    if time.monotonic() - heard < 0.2:
        continue  # what comes while it starts is overheard
    if line.startswith("ping"):
        print("pong " + line[5:], flush=True)
    elif line == "protover 2\\n":
        print('feature ping=1 usermove=1 myname="Deaf" done=1', flush=True)
    elif line == "go\\n":
        print("move e2e4" if len(told) == 0 else "move d2d4", flush=True)
    if line == "new\\n":
        told = []
    if line.startswith("usermove"):
        told.append(line)
    print("#", line, file=open(sys.argv[1], "a"), end="")
"""


def test_xboard_programs_are_told_what_they_do_not_know(tmp_path):
    """A program that overhears the greeting is greeted again, and each move is told once."""
    (tmp_path / "deaf.py").write_text(OVERHEARING.replace("\\\\", "\\"))
    game, log = SlowChess(), tmp_path / "log"
    client = XboardClient([sys.executable, "-S", str(tmp_path / "deaf.py"), str(log)], game)
    try:
        assert client.name == "Deaf"
        client.new_game()
        start = state = game.initial()
        moves = [client.choose(start, [], Limit(depth=1))]
        state = game.play(state, moves[0])
        moves.append(game.parse_move(state, "e5"))
        assert game.move_text(game.play(state, moves[1]), client.choose(start, moves, Limit(depth=1))) == "d4"
        client.choose(start, [], Limit(depth=1))  # another line: from the beginning
    finally:
        client.close()
    told = [line[2:].strip() for line in log.read_text().splitlines()]
    assert [line for line in told if line.startswith(("new", "usermove", "go"))] == [
        "new", "go", "usermove e7e5", "go", "new", "go"
    ]  # fmt: skip


SLOW_TO_START = """
import os, sys, time
time.sleep(2)
waiting = os.read(0, 1 << 16).decode().split("\\n")
if len(waiting) > 16:
    sys.exit("too much waits")
print("feature done=1", flush=True)
sys.stdin.read()
"""


def test_a_program_that_is_slow_to_start_is_not_swamped(tmp_path, monkeypatch):
    """GNU Chess ends where some twenty lines wait for its start, which takes seconds on a busy machine."""
    monkeypatch.setattr(xboard_client, "NUDGE_SECONDS", 0.02)
    (tmp_path / "slow.py").write_text(SLOW_TO_START)
    XboardClient([sys.executable, "-S", str(tmp_path / "slow.py")], SlowChess()).close()


SECOND_START = """
import os, sys
if os.path.exists(sys.argv[1]):
    print("feature done=0", flush=True)
    print('feature myname="Second" done=1', flush=True)
open(sys.argv[1], "w").close()
sys.stdin.read()
"""


def test_a_program_that_hangs_is_started_again(tmp_path, monkeypatch):
    """GNU Chess hangs in some of its starts, whatever it is told."""
    monkeypatch.setattr(xboard_client, "STARTS", ((0, 0.5), (0, 10)))
    (tmp_path / "hangs.py").write_text(SECOND_START)
    client = XboardClient([sys.executable, "-S", str(tmp_path / "hangs.py"), str(tmp_path / "mark")], SlowChess())
    client.close()
    assert client.name == "Second"


SLOW_TO_PONG = """
import sys, time
posts = False
for line in iter(sys.stdin.readline, ""):
    word = line.split()[0]
    if word == "protover":
        print("feature ping=1 usermove=1 done=1", flush=True)
    elif word in ("post", "nopost"):
        posts = word == "post"
    elif word == "ping":
        time.sleep(1)
        print("pong 1", flush=True)
    elif word == "go":
        print(("9 35 10 2000 e2e4\\n" if posts else "") + "move e2e4", flush=True)
"""


def test_a_slow_program_says_what_it_thinks(tmp_path):
    """One that is nudged while a new game takes it long still shows its thinking."""
    (tmp_path / "slow.py").write_text(SLOW_TO_PONG)
    game = SlowChess()
    client = XboardClient([sys.executable, "-S", str(tmp_path / "slow.py")], game)
    try:
        client.new_game()
        client.choose(game.initial(), [], Limit(depth=1))
    finally:
        client.close()
    assert str(client.value) == "+0.35"


LATE = """
import sys
asked = False
for line in iter(sys.stdin.readline, ""):
    word = line.split()[0]
    if word == "protover":
        print("feature usermove=1 ping=1 done=1", flush=True)
    elif word == "ping":
        print(2 * line.replace("ping", "pong") + asked * "move e2e4\\n", end="", flush=True)
    elif word == "go":
        asked = True
        print("resign", flush=True)
"""


def test_a_program_that_resigned_is_started_anew(tmp_path):
    """GNU Chess resigns, and says its move nevertheless, after the next game has begun."""
    (tmp_path / "late.py").write_text(LATE)
    late = f"xboard:{sys.executable} -S {tmp_path / 'late.py'}"
    result = z.match(SlowChess(), late, first_move, games=2, openings=0)
    assert [(len(game["moves"]), game["result"][-8:]) for game in result.games] == [(0, "resigns."), (1, "resigns.")]


def test_a_program_that_cannot_begin_in_the_middle():
    """Fairy-Max announces no `setboard`."""
    fake = "for _ in iter(input, 'quit'): print('feature myname=\"Max\" reuse=0 done=1', flush=True)"
    client = XboardClient([sys.executable, "-c", fake], SlowChess())
    assert not client.reusable
    start = SlowChess().parse_state("7k/5ppp/8/8/8/8/8/R6K w - - 0 1")
    with pytest.raises(ProgramError, match="cannot begin in the middle of a game"):
        client.choose(start, [], Limit(seconds=1))
    client.close()


def test_features_count_though_their_end_is_not_announced(monkeypatch):
    monkeypatch.setattr(xboard_client, "FEATURE_SECONDS", 0.05)
    fake = "for _ in iter(input, 'quit'): print('feature myname=\"Max\" reuse=0', flush=True)"
    client = XboardClient([sys.executable, "-S", "-c", fake], SlowChess())
    client.close()
    assert (client.name, client.reusable) == ("Max", False)


# -- NBoard ------------------------------------------------------------------------------------------------------------

START = f"{'-' * 27}O*------*O{'-' * 27} *"
GGF = f"(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[8 {START}]B[F5]W[F6]B[D3//1];)"


@pytest.fixture
def nboard():
    made = Dialogue(lambda write: NboardProtocol(SlowOthello, write, "Zermelo"))
    yield made
    made.engine.obey("quit")


def test_a_game_in_nboard(nboard):
    """The engine names a move and does not play it; NBoard does."""
    assert nboard.say("nboard 2") == ["set myname Zermelo"]
    assert nboard.say("set depth 2", f"set game {GGF}", "ping 7") == ["pong 7"]
    game = SlowOthello()
    state = z.position(game, "f5 f6 d3")
    assert nboard.engine.line.state == state
    cell, evaluation, seconds = nboard.wait("go", until="===").removeprefix("=== ").split("/")
    report = Engine(game, z.Limit(depth=2)).choose(state)
    assert game.parse_move(state, cell.lower()) == report.move
    assert float(evaluation) == pytest.approx(report.value.score, abs=0.01)
    assert float(seconds) >= 0
    assert nboard.engine.line.state == state
    nboard.say(f"move {cell}/{evaluation}/{seconds}")
    after = game.play(state, report.move)
    assert nboard.engine.line.state == after
    nboard.say(game.move_text(after, rules.legal_actions(game, after)[0]).upper())  # as old versions do
    assert len(nboard.engine.line.words) == 5


def test_hints_of_nboard(nboard):
    nboard.say("nboard 2", "set depth 1", f"set game {GGF}")
    nboard.wait("hint 3", until="nodestats")
    assert nboard.say("ping 1")[-1] == "pong 1"
    hints = [line.split() for line in nboard.lines if line.startswith("search")]
    game, state = SlowOthello(), nboard.engine.line.state
    legal = {game.move_text(state, move).upper() for move in rules.legal_actions(game, state)}
    assert len({pv[:2] for _, pv, *_ in hints} & legal) == 3
    assert all(float(evaluation) <= 64 and zero == "0" and int(depth) == 1 for _, _, evaluation, zero, depth in hints)
    assert nboard.say("learn") == ["learned"]


def test_a_pass_in_nboard(nboard):
    nboard.say("set depth 1", f"set game (;GM[Othello]TY[8]BO[8 *O{'-' * 62} O];)")
    assert nboard.wait("go", until="===").startswith("=== PA/")
    nboard.say("move PA")
    assert nboard.engine.line.words == ["pass"]


@pytest.mark.parametrize(
    "line",
    ["set game nonsense", "set game (;GM[Chess];)", "move z9", "move", "set depth many", "hint -1", "hint 1 2"],
)
def test_what_nboard_may_not_say(nboard, line):
    nboard.say("nboard 2", "set depth 1")
    before = nboard.engine.line.state
    assert nboard.say(line)[0].startswith("status ")
    assert nboard.engine.line.state == before
    assert nboard.wait("go", until="===")


def test_unknown_commands_of_nboard_are_ignored(nboard):
    assert nboard.say("set contempt 5", "analyze", "xyzzy", "__class__", "") == []
