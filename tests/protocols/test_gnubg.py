"""gnubg: its positions, Zermelo as its external player, and gnubg as a player of a match."""

import random
import re
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import fake_gnubg
import zermelo as z
from fake_gnubg import SlowBackgammon
from zermelo import GameError
from zermelo.app.commands.protocol_command import wait_for_gnubg
from zermelo.games.registry import load
from zermelo.protocols.clients.external_program import ProgramError
from zermelo.protocols.clients.gnubg_client import GnubgClient
from zermelo.protocols.fibs_board import board_text, is_backgammon, read_board
from zermelo.protocols.gnubg_engine import GnubgServer
from zermelo.rules import legal_actions

GNUBG = shutil.which("gnubg", path="/usr/games:/usr/local/bin:/usr/bin")
needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed: apt install gnubg")

# what gnubg 1.07 sends to its player 0, who is to play 21, and after 24/13 of its player 1 before the next roll
FIRST = (
    "board:gnubg:root:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:2:1:2:1:1:1:1:0:1:-1:0:25"
    ":0:0:0:0:0:0:0:1"
)
SECOND = (
    "board:gnubg:root:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:6:0:0:0:-3:0:-5:0:0:0:0:1:0:-1:0:0:0:0:1:1:1:0:1:-1:0:25"
    ":0:0:0:0:0:0:0:1"
)


def test_what_gnubg_sends_is_read():
    game = SlowBackgammon()
    assert read_board(game, FIRST) == (game.play(game.initial(), 21), False)
    state, doubled = read_board(game, SECOND)
    assert game.sides(state)[1] == game.sides(game.initial())[1][:13] + (6,) + (0,) * 10 + (1, 0)
    assert game.is_chance(state)
    assert not doubled
    assert read_board(game, FIRST.replace(":1:1:1:0:1:-1:", ":1:1:1:1:1:-1:")).doubled


def test_positions_are_written_and_read():
    """Both players, checkers on the bar and off; the player to move becomes the first."""
    dice = random.Random(4)
    game = SlowBackgammon()
    bars = 0
    for _ in range(6):
        state = game.initial()
        while game.result(state) == z.ONGOING:
            if state.dice > 1:
                read = read_board(game, board_text(state))
                assert read == (state._replace(player=0), False)
                turned = _seen_by_the_other(board_text(state))
                assert read_board(game, turned) == read
                bars += game.sides(state)[0][25] > 0
            state = game.play(state, dice.choice(legal_actions(game, state)))
    assert bars > 10


def _seen_by_the_other(line):
    """The same position with the other player's checkers above zero, and moving the other way round."""
    fields = line.split(":")
    fields[6:32] = [str(-int(field)) for field in fields[6:32]]
    fields[32] = "-1"
    fields[42] = "1"  # the first player, whose checkers are above zero and who is not to move, goes up
    return ":".join(fields)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hello", "A position is `board` and 52 fields"),
        (FIRST + ":1", "A position is `board` and 52 fields"),
        (FIRST.replace(":5:0:3:", ":five:0:3:"), "a number, not 'five'"),
        (FIRST.replace(":5:0:3:", f":{'9' * 5000}:0:3:"), "a number, not"),
        (FIRST.replace(":5:0:3:", ":15:0:3:"), "more than 15 checkers"),
        (FIRST.replace(":5:0:3:", ":99:0:3:"), "its checkers must be"),
        (FIRST.replace(":2:1:2:1:", ":7:1:7:1:"), "71 is no roll"),
        (FIRST.replace(":2:1:2:1:", ":-2:1:2:1:"), "its dice must be"),
        (FIRST.replace(":1:-1:0:25:", ":0:-1:0:25:"), "1 or -1, not -1, 0 and -1"),
    ],
)
def test_bad_positions_are_refused(line, words):
    with pytest.raises(GameError, match=re.escape(words)):
        read_board(SlowBackgammon(), line)


def test_games_of_gnubg():
    assert is_backgammon(load("backgammon"))
    assert not is_backgammon(load("hypergammon"))
    assert not is_backgammon(load("nim"))


# -- Zermelo as a player of gnubg --------------------------------------------------------------------------------------


@pytest.fixture
def server():
    with GnubgServer(("127.0.0.1", 0), SlowBackgammon, z.Limit(depth=1)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_it_answers_at_a_socket(server):
    """Two connections at once; nonsense is answered by an error, which gnubg shows."""
    game = SlowBackgammon()
    best = z.search(game, game.play(game.initial(), 21), z.Limit(depth=1)).move
    play = game.move_text(game.play(game.initial(), 21), best)
    with (
        socket.create_connection(server.server_address, 30) as one,
        socket.create_connection(server.server_address, 30) as two,
    ):
        for peer in (one, two):
            lines = peer.makefile()
            for sent, answer in (
                (FIRST, play),
                (SECOND, "roll"),
                ("nonsense", "Error: A position is"),
                (FIRST.replace(":2:1:2:1:", ":9:1:9:1:"), "Error: "),
                (FIRST, play),
            ):
                peer.sendall(f"{sent}\n\0".encode())
                assert lines.readline().startswith(answer)
        one.sendall(b"\xff\xfe" * 1000 + b"\n")
        assert one.makefile().readline().startswith("Error: ")


def line(checkers, dice_and_cube):
    """A position with these checkers of the player to move, and below zero those of the other, by points."""
    places = ":".join(str(checkers.get(place, 0)) for place in range(26))
    return f"board:a:b:0:0:0:{places}:1:{dice_and_cube}:1:-1:0:25:0:0:0:0:0:0:0:1"


def test_it_answers_the_cube(server):
    """It takes at the start, drops what is as good as lost, and has an answer where nothing can move."""
    double = FIRST.replace(":2:1:2:1:1:1:1:0:", ":0:0:0:0:2:1:1:1:")
    lost = line({1: 2, 24: -15}, "0:0:0:0:2:1:1:1")  # two checkers are left to bear off, and all of the others
    dancing = line({25: 1, **dict.fromkeys(range(19, 25), -2)}, "6:6:6:6:1:1:1:0")
    with socket.create_connection(server.server_address, 60) as peer:
        lines = peer.makefile()
        for sent, answer in ((double, "take"), (lost, "drop"), (dancing, "")):
            peer.sendall(f"{sent}\n\0".encode())
            assert lines.readline() == f"{answer}\n"


# -- gnubg as a player -------------------------------------------------------------------------------------------------

FAKES = {
    "good": "",
    "illegal": "answers '1/off(4)', which is no legal move in",
    "empty": "answers '', which is no legal move in",
    "closing": "has closed its connection",
    "long": "line of more than 65536 bytes",
    "silent": "does not answer within 0.3 s",
}


@pytest.mark.parametrize("how", FAKES)
def test_a_bad_gnubg_loses_its_game(how):
    player = f"name=Fake,gnubg:{sys.executable} {fake_gnubg.__file__} {how}"
    patience = 0.3 if how == "silent" else 60
    result = z.match(SlowBackgammon(), player, "random", games=1, openings=0, patience=patience)
    assert len(result.games) == 1
    assert [FAKES[how] in fault for fault in result.faults] == [True] * (how != "good")


def test_a_program_that_does_not_listen(monkeypatch):
    monkeypatch.setattr("zermelo.protocols.clients.gnubg_client.HANDSHAKE_SECONDS", 0.2)
    with pytest.raises(ProgramError, match="does not listen at its port"):
        GnubgClient([sys.executable, fake_gnubg.__file__, "deaf"], SlowBackgammon())


def test_gnubg_plays_backgammon_only():
    with pytest.raises(GameError, match="gnubg is for backgammon, not for Nim"):
        z.match(load("nim"), "gnubg:python", "random", games=2)


def test_a_port_that_is_taken_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(GameError, match=f"`zermelo gnubg` cannot listen at 127.0.0.1, port {port}: "):
            wait_for_gnubg("127.0.0.1", port, z.Limit(depth=1))


@needs_gnubg
@pytest.mark.slow
def test_a_match_against_gnubg():
    result = z.match(load("backgammon"), "depth=1", f"option.plies=0,gnubg:{GNUBG}", games=4, openings=0)
    assert result.faults == []
    assert len(result.games) == 4


@needs_gnubg
@pytest.mark.slow
def test_gnubg_plays_against_it(tmp_path: Path):
    """gnubg itself keeps the record, and every play in it is legal here."""
    with GnubgServer(("127.0.0.1", 0), lambda: load("backgammon"), z.Limit(depth=1)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        commands = [
            f"set player 0 external 127.0.0.1:{server.server_address[1]}", "set player 1 gnubg", "set cube use off",
            "set automatic roll on", "set automatic game off", "set seed 3", "new session", "new game",
            f"export match mat {tmp_path / 'games.mat'}", "quit", "y",
        ]  # fmt: skip
        done = subprocess.run(
            [GNUBG, "-t", "-q", "-r"], input="\n".join(commands), text=True, capture_output=True, timeout=300
        )
        server.shutdown()
    games = list(z.read_records(tmp_path / "games.mat", load("backgammon")))
    assert len(games) == 2, done.stdout
    assert all(len(game.moves) > 40 for game in games)
