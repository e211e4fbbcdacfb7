"""Matches: pairs, faults of players, records that survive a kill, and results."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest

import match_games
import zermelo as z
from match_games import Countdown, Endless, Perfect, Rolling, Turning, drawing_lots
from zermelo import GameError
from zermelo.files import FileError
from zermelo.matches.match_record import MatchRecord, read_games
from zermelo.matches.openings import openings_of_file, random_openings
from zermelo.matches.player_spec import player_spec
from zermelo.play.books.learned_book import LearnedBook
from zermelo.play.books.proven_book import Answer, Book, make_book
from zermelo.play.record import replayed
from zermelo.value import Value

FAKE = Path(match_games.__file__).with_name("fake_program.py")


def program(how):
    return f"ugi:{sys.executable} -S {FAKE} {how}"


# -- pairs and results -------------------------------------------------------------------------------------------------


def test_the_stronger_player_wins():
    result = z.match(Countdown(), Perfect, drawing_lots, games=20, openings=2, seed=3)
    wins, draws, losses = result.counts
    assert (wins + losses, draws) == (20, 0)
    assert wins > 15
    assert result.elo > 100
    assert result.interval[0] > 0
    assert result.faults == []
    assert "20: " in str(result)
    assert "Perfect against drawing_lots" in str(result)


def test_each_opening_is_played_twice_with_colours_swapped():
    result = z.match(Countdown(), "depth=2", "random", games=8, openings=3, concurrency=2)
    by_pair = {}
    for game in result.games:
        by_pair.setdefault(game["pair"], []).append(game)
    assert sorted(game["number"] for game in result.games) == list(range(8))
    for one, other in by_pair.values():
        assert one["moves"][:3] == other["moves"][:3]
        assert one["seats"] == other["seats"][::-1]
    assert sum(result.pairs) == 4


def test_both_games_of_a_pair_have_the_same_dice():
    result = z.match(Rolling(), drawing_lots, drawing_lots, games=6, openings=2)
    games = {game["number"]: game for game in result.games}
    assert all(games[2 * pair]["moves"] == games[2 * pair + 1]["moves"] for pair in range(3))
    assert len({tuple(game["moves"]) for game in result.games}) > 1


def test_a_match_repeats():
    """Two workers finish in any order; the games are the same."""
    results = [z.match(Countdown(), drawing_lots, "random", games=6, concurrency=n, seed=4) for n in (1, 2)]
    first, second = ([game["moves"] for game in sorted(r.games, key=lambda g: g["number"])] for r in results)
    assert first == second


def test_openings_are_new_and_not_decided():
    game = Countdown(9)
    openings = random_openings(game, plies=2, seed=1)
    lines = [next(openings).moves for _ in range(5)]
    left = [9 - sum(map(int, moves)) for moves in lines]
    assert lines == [opening.moves for opening, _ in zip(random_openings(game, 2, 1), range(5), strict=False)]
    # 7, 6, 5 are won at once or by a short search, 4 is lost; so all are decided, and are taken in the end
    assert all(3 <= each <= 7 for each in left)
    longer = random_openings(Countdown(40), plies=2, seed=1)
    assert len({sum(map(int, next(longer).moves)) for _ in range(5)}) == 5


def test_openings_of_a_file(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("# places\n9\n\n1 2 3\n")
    assert [opening.start for opening in islice(openings_of_file(Countdown(), file), 3)] == ["9", "15", "9"]
    result = z.match(Countdown(), Perfect, drawing_lots, games=4, openings=file)
    assert {game["start"] for game in result.games} == {"9", "15"}
    file.write_text("9\nnonsense\n")
    with pytest.raises(GameError, match="line 2"):
        openings_of_file(Countdown(), file)
    file.write_text("0\n")
    with pytest.raises(GameError, match="over"):
        openings_of_file(Countdown(), file)


def test_openings_of_recorded_games(tmp_path):
    """The beginnings of games, each once, without the move that ended one; none of a game that was over."""
    file = tmp_path / "games.jsonl"
    played = [{"game": "match_games:Countdown", "start": "6", "moves": moves} for moves in (["1", "3", "2"], ["2"])]
    played.insert(1, {**played[0], "start": "0", "moves": []})
    file.write_text("".join(json.dumps(game) + "\n" for game in [*played, played[0]]))
    openings = [(opening.start, opening.moves) for opening in islice(openings_of_file(Countdown(), file), 3)]
    assert openings == [("6", ("1", "3")), ("6", ("2",)), ("6", ("1", "3"))]
    file.write_text("")
    with pytest.raises(GameError, match="holds no games"):
        next(openings_of_file(Countdown(), file))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
@pytest.mark.parametrize("name", ["openings.txt", "games.pgn", "book.bin"])
def test_a_pipe_holds_no_openings(name, tmp_path):
    """Nobody writes to it, and it was waited for."""
    os.mkfifo(tmp_path / name)
    with pytest.raises(GameError, match=r"is not a file|is for chess"):
        next(openings_of_file(Countdown(), tmp_path / name))


def test_openings_of_a_learned_book(tmp_path):
    """A line of good moves as far as the book goes; the bad first move of 3 is not played."""
    game = Countdown(21)
    book = LearnedBook(game)
    for first, winner in ((1, 0), (2, 0), (3, 1)):
        for _ in range(40):
            book.learn(21, [first, 3], winner)
    book.save(tmp_path / "book.json")
    lines = {opening.moves for opening in islice(openings_of_file(game, tmp_path / "book.json"), 20)}
    assert lines == {("1", "3"), ("2", "3")}
    LearnedBook(game).save(tmp_path / "empty.json")
    with pytest.raises(GameError, match="has no move in 21"):
        next(openings_of_file(game, tmp_path / "empty.json"))


def test_openings_of_a_proven_book(tmp_path):
    """Its draws."""
    game = z.load("tic_tac_toe")
    for _, book in make_book(game, plies=3, nodes=50):  # noqa: B007  the last one counts
        pass
    book.save(tmp_path / "book.json")
    drawn = [opening.start for opening in islice(openings_of_file(game, tmp_path / "book.json", 1), 5)]
    assert drawn
    for text in drawn:
        assert z.search(game, z.position(game, text)).value == Value.draw()
    Book(game, {game.initial(): Answer(4, 1)}).save(tmp_path / "won.json")
    with pytest.raises(GameError, match="no position that is a draw"):
        openings_of_file(game, tmp_path / "won.json")


class Tilted(z.Game):
    """The first move decides whether one player is ahead; all others change nothing."""

    native = False

    def initial(self):
        return (0, False, 0)

    def moves(self, state):
        return (0, 1, 2)

    def play(self, state, move):
        plies, ahead, total = state
        return (plies + 1, move == 1 if plies == 0 else ahead, total + move)

    def mover(self, state):
        return state[0] % 2

    def result(self, state):
        return z.DRAW if state[0] == 60 else z.ONGOING

    def evaluate(self, state):
        plies, ahead, _ = state
        return 5 * ahead * (1 - 2 * (plies % 2))


def test_random_openings_are_balanced():
    """Those after which one player is ahead by far are left out, as long as there are others."""
    assert {opening.moves[0] for opening in islice(random_openings(Tilted(), 5, 1), 8)} == {"0", "2"}
    assert {opening.moves[0] for opening in islice(random_openings(Tilted(), 5, 1, False), 8)} == {"0", "1", "2"}


def test_a_test_ends_the_match():
    result = z.match(Countdown(), Perfect, drawing_lots, games=400, openings=2, sprt=(0, 200))
    assert result.verdict == "accepted"
    assert len(result.games) < 100
    turned = z.match(Countdown(), drawing_lots, Perfect, games=400, openings=2, sprt=(0, 200))
    assert turned.verdict == "rejected"


def test_on_game_sees_each_game():
    seen = []
    z.match(Countdown(), Perfect, "random", games=4, on_game=lambda game, result: seen.append(len(result.games)))
    assert seen == [1, 2, 3, 4]


def test_a_notebook_shows_the_result():
    def red(game, state):
        return 1

    red.__name__ = "<b>red</b>"
    shown = z.match(Countdown(), red, "random", games=2)._repr_html_()
    assert "Elo difference" in shown
    assert "&lt;b&gt;red" in shown
    assert "<b>red" not in shown


def test_evaluations_are_compared():
    class Judged(Countdown):
        def evaluate(self, left):
            return -1 if left % 4 == 0 else 1

    result = z.match(Countdown(101), {"evaluation": Judged(101), "depth": 1}, {"depth": 1}, games=8)
    assert result.counts[0] > result.counts[2]


# -- the referee -------------------------------------------------------------------------------------------------------


def test_repetition_and_the_longest_game_are_draws():
    for game, word in ((Turning(), "repetition"), (Endless(), "40 plies")):
        result = z.match(game, drawing_lots, "random", games=2, max_plies=40)
        assert result.counts == (0, 2, 0)
        assert all(word in each["result"] for each in result.games)


def test_a_database_ends_games(tmp_path):
    z.solve(Countdown()).save(tmp_path / "countdown.zdb")
    result = z.match(Countdown(), drawing_lots, "random", games=2, openings=2, database=tmp_path / "countdown.zdb")
    for game in result.games:
        assert "by the database" in game["result"]
        assert len(game["moves"]) == 2
        left = 21 - sum(map(int, game["moves"]))
        assert game["winner"] == (0 if left % 4 else 1)


def test_a_clock_is_kept():
    quick = z.match(Countdown(), Perfect, "random", games=2, clock="0.5+1")
    assert quick.faults == []
    late = z.match(Countdown(), match_games.slow, Perfect, games=2, clock="0.001", margin=0.0)
    assert late.counts == (0, 0, 2)
    assert all("loses on time" in fault or "does not answer" in fault for fault in late.faults)


# -- faults ------------------------------------------------------------------------------------------------------------

FAULTS = {
    "raising": "raising raises KeyError: 'no such thing'.",
    "lying": "lying answers 'nine', which is no legal move",
    "leaving": "leaving ends its process, with exit code 7.",
    "hanging": "hanging does not answer within 0.3 s.",
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_bad_player_loses_and_the_match_goes_on(name, monkeypatch):
    monkeypatch.setattr("zermelo.matches.worker_processes.GRACE", 0.1)
    player = getattr(match_games, name)
    patience = 0.3 if name == "hanging" else 60
    result = z.match(Countdown(), player, "random", games=3, openings=1, patience=patience, concurrency=2)
    assert result.counts == (0, 0, 3)
    assert [FAULTS[name] in fault for fault in result.faults] == [True] * 3


def test_a_class_that_cannot_be_made_loses():
    class Broken:
        def __init__(self, game):
            raise OSError("no licence")

    class Empty:
        def __init__(self, game): ...

    for player, words in ((Broken, "no licence"), (Empty, "no method choose")):
        result = z.match(Countdown(), player, Perfect, games=2)
        assert result.counts == (0, 0, 2)
        assert words in result.faults[0]


PROGRAMS = {
    "good": "",
    "crash": "has ended with exit code 3",
    "dying": "has ended with exit code 9",
    "silent": "does not answer within",
    "hanging": "does not answer within",
    "garbage": "does not answer within|no legal move",
    "long": "line of more than 65536 bytes",
    "illegal": "'bestmove 17', which is no legal move in",
    "empty": "'bestmove', which is no legal move in",
    "binary": "no legal move in",
}


@pytest.mark.parametrize("how", PROGRAMS)
def test_a_bad_program_loses_and_the_match_goes_on(how, monkeypatch):
    monkeypatch.setattr("zermelo.protocols.clients.protocol_client.HANDSHAKE_SECONDS", 0.5 if how == "silent" else 30)
    patience, opponent = (0.3, "random") if how in ("hanging", "garbage") else (60, drawing_lots)
    result = z.match(Countdown(), program(how), opponent, games=2, openings=1, patience=patience)
    if how == "good":
        assert result.counts == (2, 0, 0)
        assert result.faults == []
        return
    assert result.counts == (0, 0, 2)
    assert any(word in result.faults[0] for word in PROGRAMS[how].split("|"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no empty name"),
        ("sepp", "'sepp' in the player 'sepp' is no setting"),
        ("depth=many", "depth must be a number"),
        ("depth=0", "depth must be"),
        ("depth=3,depth=4", "depth twice"),
        ("hight=3", "no setting 'hight'"),
        ("random,style=exact", "no setting 'style'"),
        ("style=wild", "style must be one of"),
        ("level=11", "level must be a whole number from 1 to 10, not 11"),
        ("level=3,style=longest", "style longest is for level 10"),
        ("ugi:/no/such/program", "there is no program '/no/such/program'"),
        ("ugi:", "there is no program"),
        ("ugi:'", "cannot be read"),
        ("uci:python", "uci is for chess"),
        ("no_file.py:Player", "no file no_file.py"),
        ("weights=1:2", "no `features`"),
    ],
)
def test_texts_that_name_no_player(text, words):
    with pytest.raises(GameError, match=words):
        z.match(Countdown(), text, "random", games=2)
    with pytest.raises(GameError, match="is no player"):
        z.match(Countdown(), 7, "random", games=2)


def test_a_game_is_no_player():
    with pytest.raises(GameError, match=r"Countdown is a game, not a player: write z.match\(Countdown\(\), "):
        z.match(Countdown(), Countdown, "random", games=2)
    here = str(Path(match_games.__file__))
    for text in (f"{here}:Countdown(5)", "connect_four", "nim(piles=(1, 2))", "depth=2,hex"):
        with pytest.raises(GameError, match=r"is a game, not a player\. .* --game.* write evaluation="):
            z.match(Countdown(), text, "random", games=2)
    with pytest.raises(GameError, match=r"names no class; the player in a file is written .*match_games.py:MyPlayer"):
        z.match(Countdown(), here, "random", games=2)


def test_players_that_lost_every_game_by_a_fault_are_named():
    result = z.match(Countdown(), match_games.raising, Perfect, games=2, openings=1)
    assert result.failed == result.to_dict()["failed"] == ["raising"]
    assert str(result).endswith("raising lost every game by a fault, so this says nothing of its strength")
    result = z.tournament(Countdown(), [Perfect, match_games.raising, drawing_lots], games=2, openings=1)
    assert result.failed == result.to_dict()["failed"] == ["raising"]
    assert "raising lost every game by a fault" in str(result)
    assert z.match(Countdown(), Perfect, drawing_lots, games=2).failed == []


def test_texts_that_name_players():
    spec = player_spec("name=Old, my_player.py:Player(n=(1, 2), m=3)")
    assert (spec.kind, spec.name, spec.target) == ("class", "Old", "my_player.py:Player(n=(1, 2), m=3)")
    assert player_spec("monte_carlo,nodes=50,seed=2").settings == {"seed": 2}
    assert player_spec("zermelo").limit is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"games": 0}, "games must be"),
        ({"games": 1 << 70}, "games must be"),
        ({"clock": 1.5}, "clock must be a Clock or a text"),
        ({"clock": "soon"}, "not a clock"),
        ({"clock": "1+1", "limit": z.Limit(depth=2)}, "excludes a limit"),
        ({"limit": 3}, "limit must be a Limit"),
        ({"concurrency": 0}, "concurrency must be"),
        ({"openings": -1}, "openings must be"),
        ({"sprt": (5, 0)}, "elo0 must be below"),
        ({"sprt": 5}, "sprt must be two Elo differences"),
        ({"sprt": (5,)}, "sprt must be two Elo differences"),
        ({"openings": "nowhere.txt"}, "nowhere.txt cannot be read"),
    ],
)
def test_bad_options(options, words):
    with pytest.raises(GameError, match=words):
        z.match(Countdown(), Perfect, "random", **options)


# -- records -----------------------------------------------------------------------------------------------------------

MATCH = """
import sys, time
sys.path.insert(0, sys.argv[1])
import match_games, zermelo as z
def patient(game, state):
    time.sleep(0.002)
    return match_games.drawing_lots(game, state)
z.match(match_games.Countdown(), patient, patient, games=40, openings=2, concurrency=2, record=sys.argv[2])
"""


def test_a_killed_match_loses_no_game_and_repeats_none(tmp_path):
    file = tmp_path / "match.jsonl"
    command = [sys.executable, "-c", MATCH, str(FAKE.parent), str(file)]
    for kill in (3, 11, 24):
        process = subprocess.Popen(command)
        while process.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < kill):
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    with file.open("ab") as torn:
        torn.write(b'{"game": "Countdown", "moves": ["1", ')
    before = [game["number"] for game in read_games(file)]
    assert len(before) < 40
    subprocess.run(command, check=True, timeout=60)
    games = read_games(file)
    assert sorted(game["number"] for game in games) == list(range(40))
    assert [game["number"] for game in games][: len(before)] == before
    for game in games:
        session = replayed(Countdown(), game)
        assert session.outcome.winner == game["winner"]


def test_a_record_belongs_to_one_match(tmp_path):
    file = tmp_path / "match.jsonl"
    z.match(Countdown(), Perfect, drawing_lots, games=2, record=file)
    kept = file.read_bytes()
    for change in ({"seed": 5}, {"openings": 3}, {"max_plies": 9}):
        with pytest.raises(FileError, match="record of another match"):
            z.match(Countdown(), Perfect, drawing_lots, games=2, record=file, **change)
    with pytest.raises(FileError, match="players"):
        z.match(Countdown(), drawing_lots, Perfect, games=2, record=file)
    with pytest.raises(FileError, match="game"):
        z.match(Countdown(22), Perfect, drawing_lots, games=2, record=file)
    assert file.read_bytes() == kept
    longer = z.match(Countdown(), Perfect, drawing_lots, games=6, record=file)
    assert len(longer.games) == 6
    assert file.read_bytes().startswith(kept)


def test_bad_records_are_refused_and_left_as_they_are(tmp_path):
    file = tmp_path / "match.jsonl"
    z.match(Countdown(), Perfect, drawing_lots, games=2, record=file)
    header, first, second = file.read_text().splitlines(keepends=True)
    bad = {
        "hello\n": "no record of a match",
        "notes of one line": "no record of a match; it is left as it is",
        header[:-20] + "7": "no record of a match; it is left as it is",
        "[]\n": "no record of a match",
        '{"format": "other"}\n': "no record of a match",
        header + first + first: "game 0 again",
        header + "{}\n": "no game",
        header + "[[[\n" + second: "line 2 is no game",
        header + json.dumps({**json.loads(first), "moves": 3}) + "\n": "no 'moves'",
    }
    for text, words in bad.items():
        file.write_text(text)
        with pytest.raises(FileError, match=words):
            z.match(Countdown(), Perfect, drawing_lots, games=2, record=file)
        assert file.read_text() == text


def test_two_matches_do_not_write_to_one_record(tmp_path):
    header = {"event": "match"}
    record = MatchRecord(tmp_path / "match.jsonl", header)
    with pytest.raises(FileError, match="in use"):
        MatchRecord(tmp_path / "match.jsonl", header)
    record.close()
    MatchRecord(tmp_path / "match.jsonl", header).close()
    with pytest.raises(FileError, match="no folder"):
        MatchRecord(tmp_path / "nowhere" / "match.jsonl", header)


# -- the command -------------------------------------------------------------------------------------------------------


INTERRUPTED = """
import signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from zermelo.app.cli import run
def interrupt():
    while not open(sys.argv[2]).read().count("number") > 2:
        time.sleep(0.01)
    signal.raise_signal(signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
game = sys.argv[1]
line = ["match", game + ":slow", "random", "--game", game + ":Countdown", "--games", "900", "-o", sys.argv[2]]
sys.exit(run(line))
"""


def test_ctrl_c_ends_a_match_with_the_result_so_far(tmp_path):
    file = tmp_path / "m.jsonl"
    file.touch()
    (tmp_path / "mine.py").write_text(Path(match_games.__file__).read_text().replace("0.3", "0.001"))
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path / "mine.py"), str(file)]
    process = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert process.returncode == 130
    assert "mine.py:slow against random, unfinished" in process.stdout
    assert "Traceback" not in process.stderr
    assert 3 <= len(read_games(file)) < 900


def test_the_command(tmp_path, monkeypatch, capsys):
    from zermelo.app.cli import run

    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(Path(match_games.__file__).read_text())
    line = ["match", "mine.py:Perfect", "random", "--game", "mine.py:Countdown(30)", "--games", "4", "-o", "m.jsonl"]
    assert run([*line, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["draws"]) == (4, 0)
    assert len(read_games("m.jsonl")) == 4
    assert str(tmp_path) not in Path("m.jsonl").read_text()  # folders are private
    assert run([line[0], str(tmp_path / "mine.py:Perfect"), *line[2:]]) == 0
    assert "mine.py:Perfect against random" in capsys.readouterr().out
    assert run(["match", "depth=1", "nobody", "--game", "nim"]) == 2
    assert "nobody" in capsys.readouterr().err
    assert run(["match", "mine.py:raising", *line[2:5], "--games", "2"]) == 1
    assert "raising lost every game by a fault" in capsys.readouterr().out
    assert run(["match", "mine.py:Countdown", *line[2:]]) == 2
    assert "is a game, not a player" in capsys.readouterr().err
    assert run(["match", "nim", "depth=2", "random"]) == 2
    assert "(random); a match is between two players, and its game is given by --game." in capsys.readouterr().err
