"""Sessions, the engine, records, and the game in the terminal."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import naive
import zermelo as z
from zermelo.app.cli import run
from zermelo.app.terminal.game_dialogue import EngineOptions, names_of
from zermelo.files import write_text
from zermelo.games.registry import load, position
from zermelo.play import Clock, Engine, Outcome, Session
from zermelo.play.record import resume, save


def played(name: str, moves: str, **options: int) -> Session:
    session = Session(load(name), **options)
    for text in moves.split():
        session.enter(text)
    return session


def test_a_won_game() -> None:
    session = played("tic_tac_toe", "a1 b1 a2 b2")
    assert session.outcome is None
    assert session.player == 0
    session.enter("a3")
    assert session.outcome == Outcome(0)
    assert session.outcome.words(("You", "Zermelo")) == "You win."
    assert session.moves == [] == session.notation
    with pytest.raises(z.GameError, match="not a legal move"):
        session.enter("c3")


class Letters(z.Game):
    """Two moves whose texts differ only by a capital."""

    def initial(self):
        return ""

    def moves(self, word):
        return ("a", "A", "b")

    def play(self, word, letter):
        return word + letter

    def result(self, word):
        return z.DRAW if len(word) == 3 else z.ONGOING


def test_capitals_matter_only_where_they_tell_moves_apart() -> None:
    session = Session(Letters())
    for text in ("A", "a", "B"):
        session.enter(text)
    assert session.state == "Aab"
    with pytest.raises(z.GameError, match="'á' is not a legal move"):
        Session(Letters()).enter("á")


def test_a_drawn_game_and_the_record() -> None:
    moves = "b2 a1 c3 a3 a2 c2 b3 b1 c1"
    session = played("tic_tac_toe", moves, seed=7)
    record = session.record()
    assert session.outcome == Outcome(None, 0)
    assert record["result"] == "Draw."
    assert " ".join(record["moves"]) == moves
    assert record["seed"] == 7
    again = played(record["game"], " ".join(record["moves"]))
    assert again.state == session.state


def test_undo_goes_back_one_ply_at_a_time() -> None:
    session = played("connect_four", "4 4 5")
    before = session.state
    session.enter("3")
    assert session.undo().state == before
    session.undo().undo().undo()
    assert session.state == session.start
    with pytest.raises(z.GameError, match="no move to take back"):
        session.undo()


def test_resigning_and_taking_it_back() -> None:
    session = played("connect_four", "4")
    session.resign()
    assert session.outcome.words() == "First player wins by resignation."
    with pytest.raises(z.GameError, match="nobody can resign"):
        session.resign()
    assert session.undo().outcome is None
    assert len(session.history) == 1


def test_players_are_called_by_the_sides_of_the_board() -> None:
    session = played("chess", "f3 e5 g4 Qh4#")
    assert session.names == ("White", "Black")
    assert session.record()["result"] == "Black wins by checkmate."
    assert names_of(session, ("human", "human")) == ("White", "Black")
    assert names_of(session, ("engine", "human")) == ("Zermelo", "You")
    assert played("connect_four", "4").names == ("First player", "Second player")


def test_losing_on_time() -> None:
    session = played("connect_four", "4")
    session.resign("on time")
    assert session.outcome.words() == "First player wins on time."
    assert session.undo().outcome is None


class Countdown(z.Game):
    """Take one or two; nothing in a state says who is to move."""

    def initial(self):
        return 4

    def moves(self, left):
        return range(1, min(left, 2) + 1)

    def play(self, left, taken):
        return left - taken

    def result(self, left):
        return z.LOSS if left == 0 else z.ONGOING


def test_players_take_turns_where_states_do_not_say_who_moves() -> None:
    session = Session(Countdown())
    movers = []
    for text in ("1", "1", "1"):
        movers.append(session.player)
        session.enter(text)
    assert movers == [0, 1, 0]
    session.enter("1")
    assert session.outcome == Outcome(1)


class Margin(Countdown):
    """The last one taken is worth three points."""

    margin = True

    def result(self, left):
        return -3 if left == 0 else z.ONGOING


def test_points() -> None:
    session = Session(Margin())
    session.enter("2")
    session.enter("2")
    assert session.outcome == Outcome(1, 3, margin=True)
    assert session.outcome.words() == "Second player wins by 3."


class Stuck(Countdown):
    """Nobody takes the last one: who cannot move loses."""

    def moves(self, left):
        return range(1, min(left - 1, 2) + 1)

    def result(self, left):
        return z.ONGOING

    def stuck(self, left):
        return z.LOSS


def test_a_player_who_is_stuck() -> None:
    session = Session(Stuck(), 2)
    session.enter("1")
    assert session.outcome == Outcome(0)


class Round(Countdown):
    """Play that never ends."""

    loops = True

    def moves(self, state):
        return (1,)

    def play(self, state, move):
        return (state + 1) % 2

    def result(self, state):
        return z.ONGOING

    def initial(self):
        return 0


def test_repetition_is_a_draw() -> None:
    session = Session(Round())
    for _ in range(4):
        assert session.outcome is None
        session.enter("1")
    assert session.outcome.words() == "Draw by repetition: the same state 3 times."


# -- chance ------------------------------------------------------------------------------------------------------


def rolls(seed: int, count: int) -> list[int]:
    session = Session(load("pig(100)"), seed=seed)
    faces = []
    while len(faces) < count:
        session.enter("roll")
        assert session.is_chance
        face, probability = session.roll()
        assert probability == pytest.approx(1 / 6)
        faces.append(face)
    return faces


def test_dice_come_from_the_seed() -> None:
    assert rolls(1, 30) == rolls(1, 30)
    assert rolls(1, 30) != rolls(2, 30)
    assert set(rolls(1, 60)) == {1, 2, 3, 4, 5, 6}


def test_taking_back_does_not_change_the_dice() -> None:
    session = played("pig(100)", "roll", seed=3)
    face, _ = session.roll()
    session.undo()
    assert session.roll()[0] == face
    assert [turn.chance for turn in session.history] == [False, True]


# -- the engine --------------------------------------------------------------------------------------------------


def test_the_engine_finds_the_win_and_the_block() -> None:
    game = load("connect_four(4, 4)")
    engine = Engine(game, z.Limit(depth=4))
    assert game.move_text(None, engine.choose(position(game, "1 2 1 2 1 2")).move) == "1"
    assert game.move_text(None, engine.choose(position(game, "1 2 1 2 1")).move) == "1"


def test_two_engines_draw_tic_tac_toe() -> None:
    session = Session(load("tic_tac_toe"))
    engine = Engine(session.game, z.Limit(depth=9))
    while session.outcome is None:
        session.play(engine.choose(session.state).move)
    assert session.outcome.winner is None


def test_the_engine_plays_games_of_chance() -> None:
    session = Session(load("pig(10)"), seed=5)
    engine = Engine(session.game, z.Limit(depth=3))
    while session.outcome is None:
        if session.is_chance:
            session.roll()
        else:
            session.play(engine.choose(session.state).move)
    assert session.outcome.winner in (0, 1)


def test_preparing_in_the_background_never_raises() -> None:
    engine = Engine(Countdown(), z.Limit(depth=3))
    engine.prepare()
    assert engine.choose(4).move == 1


def test_no_clock_runs_while_machine_code_is_made(monkeypatch) -> None:
    gate, asked = threading.Event(), []
    monkeypatch.setattr(
        "zermelo.play.search_preparation.ready", lambda game, state, table: gate.wait() and asked.append(game)
    )
    clock = Clock(60)
    monkeypatch.setattr(clock, "start", lambda: asked.append("clock"))
    engine = Engine(Countdown(), clock)
    engine.prepare()
    assert engine.compiling
    threading.Timer(0.1, gate.set).start()
    engine.choose(4)
    assert asked == [Countdown(), "clock"]


def test_preparing_makes_the_code_that_is_needed(monkeypatch) -> None:
    from zermelo.native import Kernel

    made = []
    monkeypatch.setattr(Kernel, "ready", lambda self, *args: made.append(self.name))
    for name in ("tic_tac_toe", "pig(10)"):
        engine = Engine(load(name))
        engine.prepare()
        while engine.compiling:
            time.sleep(0.01)
    assert made == ["alphabeta", "star2"]


@pytest.mark.parametrize("limit", [z.Limit(nodes=1), z.Limit(seconds=1e-9), Clock(1e-9)])
def test_the_engine_sees_at_least_one_ply(limit) -> None:
    game = load("tic_tac_toe")
    for moves, best in (("b2 a1 c2 a2 b1", "a3"), ("a1 b1 a2 b2", "a3")):
        for style in ("exact", "longest"):
            report = Engine(game, limit, style=style).choose(position(game, moves))
            assert (report.pv_text[0], str(report.value)) == (best, "win in 1")
    pig = load("pig(10)")
    assert Engine(pig, limit).choose(position(pig, "roll 6")).depth >= 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"game": "tic_tac_toe"}, "Engine takes a game, not 'tic_tac_toe'"),
        ({"seed": "x"}, "seed must be a whole number or None, not 'x'"),
        ({"threads": 0}, "threads must be a whole number from 1 to 1024 or None, not 0"),
        ({"threads": 1025}, "threads must be a whole number from 1 to 1024 or None, not 1025"),
        ({"limit": 3}, "limit must be a Limit or a Clock, not 3"),
    ],
)
def test_sentences_for_an_engine_that_cannot_be(options, words) -> None:
    with pytest.raises(z.GameError, match=words):
        Engine(**{"game": load("tic_tac_toe"), **options})


def test_those_who_are_told_hear_the_search_and_can_end_it() -> None:
    game = load("connect_four")
    state, limit = position(game, "4453"), z.Limit(depth=6)
    for player in (Engine(game, limit), Engine(game, Clock(60)), Engine(game, limit, style="trickiest")):
        told: list[z.Report] = []
        report = player.choose(state, told.append)
        assert [each.depth for each in told] == sorted(each.depth for each in told)
        assert told[-1].state == state
        assert report.move in game.moves(state)
    assert Engine(game, limit).choose(state).lines == Engine(game, limit).choose(state, lambda _: None).lines

    class Enough(Exception):
        pass

    def stop(report: z.Report) -> None:
        raise Enough

    with pytest.raises(Enough):
        Engine(game, z.Limit(seconds=600)).choose(state, stop)

    def stop_in_the_replies(report: z.Report) -> None:
        if told and told[-1] is report:  # the same once more: the replies are searched meanwhile
            raise Enough
        told.append(report)

    told.clear()
    with pytest.raises(Enough):
        Engine(load("tic_tac_toe"), z.Limit(depth=9), style="trickiest").choose(
            position(load("tic_tac_toe"), ""), stop_in_the_replies
        )


def test_comparing_values_every_move() -> None:
    game = load("tic_tac_toe")
    state = position(game, "a1 b1 a2")
    report = Engine(game, z.Limit(depth=9)).compare(state)
    expected = {move: -naive.one_ply_later(naive.value(game, game.play(state, move))) for move in game.moves(state)}
    assert {move: value.score for move, value in report.moves.items()} == expected
    assert list(report.moves.values()) == sorted(report.moves.values(), reverse=True)


# -- taking back and playing again -------------------------------------------------------------------------------


def test_redo_plays_what_was_taken_back() -> None:
    session = played("connect_four", "4 4 5")
    there = session.state
    session.undo().undo()
    assert session.redo().redo().state == there
    with pytest.raises(z.GameError, match="no move to play again"):
        session.redo()
    session.undo().enter("1")
    assert session.undone == []


def test_back_and_on_to_a_persons_turn() -> None:
    session = played("pig(100)", "roll", seed=3)
    session.roll()
    session.enter("hold")
    session.enter("roll")
    session.roll()
    texts = [turn.text for turn in session.history]
    assert session.undo_to([0]) == 3
    assert session.undo_to([1]) == 0
    assert session.redo_to([0]) == 3
    assert session.redo_to([0]) == 0
    assert session.undo_to([0, 1]) == 2
    assert session.undo_to([0, 1]) == 1
    assert session.undo_to([0, 1]) == 2
    assert session.redo_to([0, 1]) == 2
    assert session.redo_to([1]) == 1
    session.redo_to([0, 1])
    assert [turn.text for turn in session.history] == texts


# -- records -----------------------------------------------------------------------------------------------------


def test_a_record_brings_the_game_back(tmp_path) -> None:
    game = load("pig(100)")
    session = Session(game, position(game, "roll 5"), seed=9)
    session.enter("roll")
    session.roll()
    save(session, tmp_path / "game.json")
    again = resume(tmp_path / "game.json")
    assert (again.game, again.start, again.state, again.seed) == (game, session.start, session.state, 9)
    assert [turn.chance for turn in again.history] == [False, True]
    assert json.loads((tmp_path / "game.json").read_text()) == session.record()


def test_a_save_that_fails_leaves_the_file_as_it_was(tmp_path, monkeypatch) -> None:
    path = tmp_path / "game.json"
    save(played("tic_tac_toe", "b2"), path)
    before = path.read_text()
    monkeypatch.setattr("zermelo.files.os.replace", lambda *paths: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(z.GameError, match=r"game.json cannot be written: full\."):
        save(played("tic_tac_toe", "b2 a1"), path)
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="links and pipes")
def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    write_text(tmp_path / "link.json", "new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "new"
    reading, writing = os.pipe()
    write_text(Path(f"/dev/fd/{writing}"), "told")
    assert os.read(reading, 9) == b"told"
    for end in (reading, writing):
        os.close(end)


OWN = """
from zermelo import LOSS, ONGOING, Game
class Own(Game):
    def initial(self): return 3
    def moves(self, left): return range(1, left + 1)
    def play(self, left, taken): return left - taken
    def result(self, left): return LOSS if left == 0 else ONGOING
"""


def test_no_record_has_a_file_executed(tmp_path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    game = load(f"{tmp_path}/own.py")
    session = Session(game)
    session.enter("1")
    save(session, tmp_path / "game.json")
    assert session.record()["game"] == "own.py:Own"  # and not where it lies
    with pytest.raises(z.GameError, match=r"own\.py:Own; name that game to take it up again"):
        resume(tmp_path / "game.json")
    (tmp_path / "moved").mkdir()
    (tmp_path / "own.py").rename(tmp_path / "moved" / "own.py")
    moved = load(f"{tmp_path}/moved/own.py")
    assert resume(tmp_path / "game.json", moved).state == 2
    whole = {**session.record(), "game": f"{tmp_path}/own.py:Own"}
    (tmp_path / "game.json").write_text(json.dumps(whole))
    assert resume(tmp_path / "game.json", moved).state == 2
    with pytest.raises(z.GameError, match=r"own\.py:Own, not of nim"):
        resume(tmp_path / "game.json", load("nim"))


def test_a_record_of_the_page_has_no_seed(tmp_path) -> None:
    (tmp_path / "game.json").write_text('{"game": "nim", "start": "3 4 5", "seed": null, "moves": ["5-1"]}')
    assert resume(tmp_path / "game.json").state == position(load("nim"), "5-1")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"game": "nim", "start": "3 4 5", "moves": []}', "it has no 'seed'"),
        ("{", "is no record of a game: line 1 is no JSON"),
        ("{}\n{}\n", "is no record of a game: it holds more than one, as the record of a match does"),
        ("[]", "is no record of a game: it has no 'game'"),
        ('{"game": "nim", "start": "3 4 5", "seed": 1}', "it has no 'moves'"),
        ('{"game": "nim", "start": "3 4 5", "seed": 1, "moves": [3]}', "its moves are not all text"),
        ('{"game": "nim", "start": "3 4 5", "seed": 1, "moves": ["9-9"]}', "'9-9' is not a legal move in 3 4 5"),
        ('{"game": "nim", "start": "9 9", "seed": 1, "moves": []}', "'9 9' does not describe a state"),
        ('{"game": "nimm", "start": "3 4 5", "seed": 1, "moves": []}', "There is no game called nimm"),
        ("\xff", "is no record of a game: it is no JSON"),
        ("[" * 100_000, "is no record of a game: it is no JSON"),
    ],
)
def test_what_is_no_record(tmp_path, text, words) -> None:
    (tmp_path / "game.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(z.GameError, match=words):
        resume(tmp_path / "game.json")
    with pytest.raises(z.GameError):
        resume(tmp_path / "game.json", load("tic_tac_toe"))


# -- the terminal ------------------------------------------------------------------------------------------------


def terminal(capsys, monkeypatch, *args: str, typed: str) -> str:
    """What a game in the terminal says, with the lines that a person would type."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert run(["play", *args]) == 0
    return capsys.readouterr().out


def test_undo_and_redo_in_the_terminal(capsys, monkeypatch) -> None:
    said = terminal(
        capsys,
        monkeypatch,
        "tic_tac_toe",
        "--depth",
        "2",
        "--json",
        typed="redo\nb2\nundo\nredo\nundo\nredo\nredo\nq\n",
    )
    assert json.loads(said)["moves"][0] == "b2"
    assert len(json.loads(said)["moves"]) == 2


def test_values_in_the_terminal(capsys, monkeypatch) -> None:
    said = terminal(capsys, monkeypatch, "tic_tac_toe", "a1 b1 a2 b2", "--depth", "9", typed="values\nq\n")
    assert "  a3  win in 1 (proven)\n" in said
    assert "  c1  loss in 2 (proven)\n" in said


A3_WINS = position(load("tic_tac_toe"), "a1 b1 a2 b2")


class Wasteful(type(load("tic_tac_toe"))):
    """Where a3 wins, c3 is no candidate."""

    native = False

    def candidates(self, state):
        return [move for move in self.moves(state) if state != A3_WINS or self.move_text(state, move) != "c3"]


def test_values_name_moves_that_were_not_searched(capsys, monkeypatch) -> None:
    def compare(self: Engine, state: object, on_report: object = None) -> object:
        report = whole(self, state, on_report)
        return replace(report, lines=report.lines[:2])

    whole = Engine.compare
    monkeypatch.setattr(Engine, "compare", compare)
    monkeypatch.setattr("zermelo.app.commands.game_commands.load", lambda text: Wasteful())
    said = terminal(capsys, monkeypatch, "tic_tac_toe", "a1 b1 a2 b2", "--depth", "9", typed="values\nq\n")
    assert re.search(r"  a3  win .*\n  b3  draw .*\n  c1  not searched yet\n  c2  not searched yet\n", said), said
    assert "  c3  not searched, since another is as good\n" in said


SMALL = "connect_four(6, 5)"
"""A game that is searched from its first move on: there is no book of it."""


@contextlib.contextmanager
def no_compiler(monkeypatch) -> Iterator[threading.Event]:
    """A compiler that does not come to an end within the block; who waits for it all the same hears so in the end."""
    from zermelo.native import Kernel

    over = threading.Event()

    def ready(*_: object) -> bool:
        over.wait()
        raise z.GameError("The compiler was waited for.")

    monkeypatch.setattr(Kernel, "ready", ready)
    monkeypatch.setattr("zermelo.app.terminal.game_dialogue.MAX_COMPILE_WAIT", 0.05)
    watchdog = threading.Timer(300, over.set)
    watchdog.start()
    yield over
    watchdog.cancel()
    over.set()


@pytest.mark.parametrize("limit", [(), ("--depth", "30"), ("--nodes", "100000000"), ("--clock", "5+3")])
def test_the_first_move_does_not_wait_for_the_compiler(limit, capsys, monkeypatch) -> None:
    with no_compiler(monkeypatch) as over:
        said = terminal(capsys, monkeypatch, SMALL, "--first", "engine", *limit, typed="q\n")
        assert not over.is_set(), "somebody waited for the compiler"
    assert re.search(r"^Zermelo plays \d: .*; still compiling$", said, re.MULTILINE)


def test_values_and_hints_do_not_wait_for_the_compiler(capsys, monkeypatch) -> None:
    with no_compiler(monkeypatch) as over:
        said = terminal(capsys, monkeypatch, SMALL, "--depth", "30", typed="values\nhint\nq\n")
        assert not over.is_set(), "somebody waited for the compiler"
    assert "Hint: " in said


def test_two_engines_wait_for_the_compiler_where_the_game_can_be_played_again() -> None:
    for limit, clock, waits in (
        (z.Limit(depth=4), None, True), (z.Limit(nodes=100), None, True), (z.Limit(seconds=1, depth=4), None, False),
        (z.Limit(seconds=1), "5+3", False),
    ):  # fmt: skip
        options = EngineOptions(limit, clock)
        assert (options.max_wait(("engine", "engine")) is None) == waits
        assert options.max_wait(("human", "engine")) is not None


def test_save_and_load_in_the_terminal(capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    two = ("--opponent", "human", "--ascii")
    said = terminal(capsys, monkeypatch, "tic_tac_toe", *two, typed="b2\nsave\nsave game.json\nsave no/such\nq\n")
    assert "Name a file: save game.json" in said
    assert "game.json: 1 move saved." in said
    assert "no/such cannot be written: no such file or directory." in said
    said = terminal(capsys, monkeypatch, "tic_tac_toe", *two, typed="a1\nload game.json\na3\nload nothing\nload .\nq\n")
    assert "game.json: 1 move loaded." in said
    assert "nothing cannot be read: no such file or directory." in said
    assert ". cannot be read: is a directory." in said
    assert "3 O . .\n2 . X .\n1 . . ." in said
    said = terminal(capsys, monkeypatch, "--load", "game.json", *two, "--json", typed="a1\nq\n")
    assert json.loads(said)["moves"] == ["b2", "a1"]


def test_loading_what_does_not_fit(capsys, monkeypatch, tmp_path) -> None:
    path = str(tmp_path / "game.json")
    save(played("tic_tac_toe", "b2"), path)
    assert run(["play", "connect_four", "--load", path]) == 1
    assert "is a game of tic_tac_toe, not of connect_four" in capsys.readouterr().err
    assert run(["play", "tic_tac_toe", "a1", "--load", path]) == 1
    assert "has its own moves; it cannot go on from 'a1'" in capsys.readouterr().err
    assert run(["play", "--load", str(tmp_path / "none.json")]) == 1
    assert "none.json cannot be read: no such file or directory." in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_the_thinking_line_in_a_real_terminal() -> None:
    import pty

    leader, follower = pty.openpty()
    code = "from zermelo.app.cli import main; main()"
    args = ["play", "connect_four", "4453", "--first", "engine", "--opponent", "engine", "--nodes", "40000"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen(
        [sys.executable, "-c", code, *args], stdin=follower, stdout=follower, stderr=follower, env=environment
    ) as child:
        os.close(follower)
        said = b""
        try:
            while said.count(b"nodes, ") < 3 or b" plays " not in said:
                said += os.read(leader, 65536)
        finally:
            child.kill()
    os.close(leader)
    assert b" M/s: " in said


# -- repetition ------------------------------------------------------------------------------------------------------


class Fork(z.Game):
    """From the middle to the left or to the right, and back; nobody wins."""

    left: int = 0
    right: int = 0

    loops = True
    native = False

    def initial(self):
        return ("middle", 0)

    def moves(self, state):
        return ("left", "right") if state[0] == "middle" else ("middle",)

    def play(self, state, place):
        return (place, 1 - state[1])

    def mover(self, state):
        return state[1]

    def result(self, state):
        return z.ONGOING

    def evaluate(self, state):
        """What the places are worth to the first player."""
        worth = {"left": self.left, "right": self.right}.get(state[0], 0)
        return worth if state[1] == 0 else -worth


@pytest.mark.parametrize(
    ("left", "right", "alone", "told"), [(5, 3, "left", "right"), (-5, -3, "right", "left"), (5, -3, "left", "left")]
)
def test_a_draw_by_repetition_is_worth_a_draw(left, right, alone, told):
    """Ahead, the engine keeps away from it; behind, it seeks it. Left would come a third time."""
    engine = Engine(Fork(left, right), z.Limit(depth=1))
    middle, away = ("middle", 0), ("left", 1)
    history = [middle, away] * 2
    assert engine.choose(middle).move == alone
    report = engine.choose(middle, history=history)
    assert report.move == told
    assert str(report.value) == ("draw by repetition" if told == "left" else f"{right:+}")


def test_a_session_ends_where_a_state_comes_again():
    session = Session(Fork())
    for place in ("left", "middle") * 2:
        session.play(place)
    assert session.outcome is not None
    assert session.outcome.words() == "Draw by repetition: the same state 3 times."


def test_replies_are_searched_after_the_state_to_move_in(monkeypatch):
    """A style that compares replies searches states that come after the root, which was played too then."""
    seen = []

    def noted(game, state, limit, **options):
        seen.append((state, [*options["history"]]))
        return z.search(game, state, limit, **options)

    monkeypatch.setattr("zermelo.play.move_search.search", noted)
    game = load("tic_tac_toe")
    before = [game.initial()]
    root = game.play(game.initial(), 4)
    engine = Engine(game, z.Limit(depth=9), style="trickiest", book=False)
    engine.choose(root, history=before)
    children = [game.play(root, move) for move in game.moves(root)]
    assert seen[0] == (root, before)
    assert len(seen) > 1
    assert all(state in children and history == [*before, root] for state, history in seen[1:])
