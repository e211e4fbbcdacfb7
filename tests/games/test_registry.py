"""Games by their text, files of authors, positions."""

from __future__ import annotations

import contextlib
import inspect
import pickle
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as z
from zermelo.games.registry import TextError, catalog, entry_of, load, name_of, position
from zermelo.games.support import game_spec
from zermelo.games.support.position_text import NoState

BAD = Path(__file__).parents[1] / "bad_games"
COUNTDOWN = str(BAD / "countdown.py")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("connect_four", "ConnectFour(width=7, height=6)"),
        ("connect_four()", "ConnectFour(width=7, height=6)"),
        (" connect_four (5, 4) ", "ConnectFour(width=5, height=4)"),
        ("connect_four(width=5,height=4)", "ConnectFour(width=5, height=4)"),
        ("connect_four(5, height=4)", "ConnectFour(width=5, height=4)"),
        ("nim(piles=(2,2),misere=True)", "Nim(piles=(2, 2), misere=True)"),
        ("nim([2, 2])", "Nim(piles=(2, 2), misere=False)"),
        ("tic_tac_toe(4, 3, 3)", "TicTacToe(width=4, height=3, in_a_row=3)"),
        ("zermelo.games.connect_four:ConnectFour(4, 4)", "ConnectFour(width=4, height=4)"),
        (f"{COUNTDOWN}:Countdown(start=3)", "Countdown(start=3)"),
        (f"{COUNTDOWN}(3)", "Countdown(start=3)"),
        (COUNTDOWN, "Countdown(start=5)"),
    ],
)
def test_load_and_back(text: str, shown: str) -> None:
    game = load(text)
    assert repr(game) == shown
    assert load(name_of(game)) == game


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("f(KRK)", ("KRK",)),
        ("f('KRK', -1, 2.5, None)", ("KRK", -1, 2.5, None)),
        ("f(A(B(2, 3), C(5, 7)))", ("A(B(2, 3), C(5, 7))",)),
        ("f(R[1/2: 3, 1/2: S(1, 2)])", ("R[1/2: 3, 1/2: S(1, 2)]",)),
        ("f([[3, 12], [8, 2]])", ([[3, 12], [8, 2]],)),
        ('f(["A", ["B", 1, 2], 3])', (["A", ["B", 1, 2], 3],)),
        ("f((a, b), [c])", (("a", "b"), ["c"])),
    ],
)
def test_arguments_are_literals_and_bare_words(text: str, values: tuple[object, ...]) -> None:
    assert game_spec.parse(text).args == values


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("conect_four", "no game called conect_four; did you mean connect_four or connect_k?"),
        ("ConnectFour", "did you mean connect_four or connect_k?"),
        ("zzz", "the games are tic_tac_toe, connect_four"),
        ("", "names no game"),
        ("connect_four(5", "brackets do not match"),
        ("connect_four(1 + 1)", "cannot be read"),
        ("connect_four(**x)", "cannot be read"),
        ("connect_four(*x)", "cannot be read"),
        ("connect_four(width=5, width=6)", "cannot be read"),
        ("connect_four(wdth=5)", "unknown parameter wdth; its parameters are width, height"),
        ("connect_four(5, width=5)", "width is given twice"),
        ("connect_four(1, 2, 3)", "3 parameters are too many; its parameters are width, height"),
        ("connect_four(five)", "width must be of type int, not 'five'"),
        ("connect_four(True)", "width must be of type int, not True"),
        ("nim((1, x))", "piles must be of type tuple[int, ...], not (1, 'x')"),
        ("nim(misere=yes)", "misere must be True or False, not 'yes'"),
        ("path/to/nowhere.py", "There is no file path/to/nowhere.py"),
        ("\0.py", r"'\x00.py' cannot be the name of a file: embedded null byte"),
        ("~nobody-of-that-name/game.py", "'~nobody-of-that-name/game.py' cannot be the name of a file"),
        ("path/to/game.txt:Game", "a game file ends in .py"),
        ("game.py:", "nothing follows the colon; write game.py or game.py:MyGame"),
        (str(BAD), "a game file ends in .py"),
        (f"{COUNTDOWN}:Countup", "has no class Countup; its games are Countdown"),
        (f"{COUNTDOWN}:LOSS", "LOSS in"),
        ("no_such_package.x:Game", "there is no module no_such_package.x"),
        ("json:JSONDecoder", "is not a Game class"),
        (str(BAD / "two_games.py"), "defines several games (One, Two); say which"),
    ],
)
def test_text_that_names_no_game(text: str, words: str) -> None:
    with pytest.raises(TextError) as caught:
        load(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("no_game.py", "defines no Game class"),
        ("import_error.py", "import_error.py, line 3: an import fails: No module named 'no_such_module_anywhere'"),
        ("missing_rule.py", "Unplayable has no `play` rule"),
    ],
)
def test_files_that_are_wrong(file: str, words: str) -> None:
    with pytest.raises(z.GameError) as caught:
        load(str(BAD / file))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1\ndef f(:\n", "game.py, line 2: invalid syntax: def f(:"),
        ("\nx = 1 / 0\n", "game.py, line 2: running the file raises ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit(3)\n", "game.py, line 2: running the file raises SystemExit: 3"),
        ("x = '\0'\n", "null bytes"),
    ],
)
def test_files_that_do_not_run(tmp_path: Path, source: str, words: str) -> None:
    (tmp_path / "game.py").write_text(source)
    with pytest.raises(z.GameError) as caught:
        load(str(tmp_path / "game.py"))
    assert words in str(caught.value)


def test_parameters_out_of_range_are_the_games_own_sentence() -> None:
    with pytest.raises(z.GameError, match=r"width \* \(height \+ 1\) at most 64"):
        load("connect_four(99, 99)")


def test_an_author_whose_checks_raise(tmp_path: Path) -> None:
    source = (BAD / "countdown.py").read_text()
    check = "start: int = 5\n\n    def __post_init__(self):\n        [][self.start]"
    (tmp_path / "odd.py").write_text(source.replace("start: int = 5", check))
    with pytest.raises(z.GameError, match=r"Countdown cannot be made: IndexError: list index out of range"):
        load(str(tmp_path / "odd.py"))


def test_a_constant_that_should_be_a_parameter(tmp_path: Path) -> None:
    source = (BAD / "countdown.py").read_text()
    (tmp_path / "odd.py").write_text(source.replace("start: int = 5", "start = 5"))
    with pytest.raises(TextError, match=r"start is a class constant; write `start: int = 5` to make it a parameter\."):
        load(f"{tmp_path / 'odd.py'}(start=3)")


def test_an_author_who_writes_init(tmp_path: Path) -> None:
    source = (BAD / "countdown.py").read_text()
    init = "def __init__(self, start=5):\n        self.start = start\n"
    (tmp_path / "odd.py").write_text(source.replace("start: int = 5", init))
    for arguments in ("", "(start=3)", "(3)"):
        with pytest.raises(z.GameError, match=r"parameters are annotated class fields, as in `n: int = 5`\."):
            load(f"{tmp_path / 'odd.py'}{arguments}")


def test_a_file_without_its_ending_is_suggested(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "strip.py").write_text("")
    with pytest.raises(TextError, match=r"There is no game called strip; did you mean strip\.py\?"):
        load("strip")


def test_a_home_folder_in_a_path(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "mine.py").write_text((BAD / "countdown.py").read_text())
    assert repr(load("~/mine.py")) == "Countdown(start=5)"


def test_a_file_runs_once_for_each_content(tmp_path: Path) -> None:
    source = (BAD / "countdown.py").read_text()
    path = tmp_path / "my game (1).py"
    path.write_text(source + "\nprint('executed')\n")
    first = load(f"{path}:Countdown(2)")
    assert type(load(str(path))) is type(first)
    path.write_text(source.replace("start: int = 5", "start: int = 9"))
    second = load(str(path))
    assert type(second) is not type(first)
    assert repr(second) == "Countdown(start=9)"
    assert "start: int = 9" in inspect.getsource(type(second))


def test_the_source_stays_what_was_executed(tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    path.write_text((BAD / "countdown.py").read_text())
    game = load(str(path))
    path.write_text("# edited while the game is played\n")
    assert "return left - taken" in inspect.getsource(type(game).play)


def test_a_game_loaded_before_its_file_was_edited_keeps_its_rules(tmp_path: Path) -> None:
    """Machine code is made of the rules that were executed, not of the lines that stand in the file by now."""
    path = tmp_path / "edited_and_loaded.py"
    source = (BAD / "countdown.py").read_text()
    old_moves = source[source.index("    def moves") : source.index("    def play")]
    moves = "    def moves(self, left):\n        for taken in range(1, min(left, {}) + 1):\n            yield taken\n\n"
    games = []
    for most in (1, 3):
        path.write_text(source.replace(old_moves, moves.format(most)))
        games.append(load(f"{path}(start=9)"))
    for game, leaves in zip(games, (1, 27), strict=True):
        assert z.perft(game, 3) == z.perft(game, 3, interpreted=True) == leaves


def test_games_of_files_can_be_pickled() -> None:
    game = load(f"{COUNTDOWN}(start=3)")
    assert pickle.loads(pickle.dumps(game)) == game


def test_a_file_may_import_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_a_game.py").write_text("START = 8\n")
    source = (BAD / "countdown.py").read_text().replace("start: int = 5", "start: int = START")
    (tmp_path / "game.py").write_text("from neighbour_of_a_game import START\n" + source)
    assert repr(load(str(tmp_path / "game.py"))) == "Countdown(start=8)"


def test_catalogue() -> None:
    entries = {entry.name: entry for entry in catalog()}
    assert {"tic_tac_toe", "connect_four", "nim", "pig", "game_tree", "random_tree"} <= set(entries)
    assert entries["connect_four"].usage == "connect_four(width=7, height=6)"
    assert entries["connect_four"].parameters == {"width": 7, "height": 6}
    assert all(entry.description.endswith(".") for entry in entries.values())
    assert z.games.ConnectFour is entries["connect_four"].game


def test_a_class_without_a_docstring_has_no_description():
    class Plain(z.Game):
        start: int = 3

    class Told(z.Game):
        """Count down."""

    assert [entry_of("name", cls).description for cls in (Plain, Told)] == ["", "Count down."]


def test_every_game_without_required_parameters_loads_by_its_usage() -> None:
    for entry in catalog():
        if "=" in entry.usage or "(" not in entry.usage:
            assert type(load(entry.name)) is entry.game


# -- positions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["4453", "4 4 5 3", "4,4,5,3", "44, 53", " 44 5,3 "])
def test_positions_by_moves(text: str) -> None:
    game = load("connect_four")
    expected = game.initial()
    for column in (3, 3, 4, 2):
        expected = game.play(expected, column)
    assert position(game, text) == expected


def test_positions_by_state_text() -> None:
    game = load("connect_four")
    state = position(game, "4453")
    assert position(game, game.state_text(state)) == state
    assert position(game, "") == position(game, "  ") == game.initial()
    count = load(COUNTDOWN)
    assert position(count, "1 2") == 2
    assert position(count, "4") == 4  # no move takes four, so it is a state


class Pair(NamedTuple):
    mine: int
    theirs: tuple[int, ...]


class Pairs(z.Game):
    """States as Python prints them."""

    def initial(self):
        return Pair(0, (1, 2))

    def moves(self, state):
        return (7,)

    def play(self, state, move):
        return state

    def result(self, state):
        return z.ONGOING


@pytest.mark.parametrize("text", ["(3, (4,))", "Pair(mine=3, theirs=(4,))", "Pair(3, theirs=(4,))", "Pair(3, (4,))"])
def test_states_as_python_prints_them(text: str) -> None:
    state = position(Pairs(), text)
    assert state == Pair(3, (4,))
    assert type(state) is Pair


@pytest.mark.parametrize("text", ["Other(3, (4,))", "Pair(mine=3)", "Pair(3, (4,), x=1)", "Pair(3, f())", "Pair(*x)"])
def test_states_that_are_not_read(text: str) -> None:
    with pytest.raises(TextError, match="describes no state"):
        position(Pairs(), text)


class Worded(Pairs):
    """A game with words of its own for a text that is no state, or a wrong one."""

    def parse_state(self, text):
        if text == "wrong":
            raise z.GameError("Worded: this does not describe what can be.")
        raise NoState("Worded: no.")


def test_a_text_that_is_no_state_is_known_by_its_error_and_not_by_its_words() -> None:
    with pytest.raises(TextError, match=r"^Worded: this does not describe what can be\.$"):
        position(Worded(), "wrong")
    with pytest.raises(TextError, match=r"cannot be read as moves, because .*, and describes no state; one looks like"):
        position(Worded(), "other")


@pytest.mark.parametrize("name", ["nim", "chess", "checkers", "hex", "connect_four", "quarto", "backgammon", "pig"])
def test_of_a_text_that_is_no_state_both_readings_are_told(name: str) -> None:
    game = load(name)
    with pytest.raises(TextError, match=r"cannot be read as moves, because .*, and describes no state; one looks like"):
        position(game, "?!")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("backgammon", "-b----E-C---eE---c-e----B-:0:0:1:70", "70 is no roll"),
        ("chess", "k6R/8/8/8/8/8/8/K7 w - - 0 1", "the player to move could take the king"),
        ("awari", "4 4 4 4 4 4 [1] 4 4 4 4 4 4 [0] first 0", "has not 48 seeds"),
        ("hex(3)", "XX./.../... X", "the players take turns"),
    ],
)
def test_a_state_that_cannot_be_is_refused_in_the_words_of_the_game(name: str, text: str, words: str) -> None:
    with pytest.raises(TextError, match=words):
        position(load(name), text)


def test_a_position_is_a_text_of_a_game() -> None:
    game = load("connect_four")
    with pytest.raises(TextError, match=r"a position is given as text, not as \[4, 4\]; write '4 4'\."):
        position(game, [4, 4])
    with pytest.raises(z.GameError, match=r"position takes a game, not 'nim'; write z\.load\('nim'\)\."):
        position("nim", "1")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("44x", "after 4 4 'x' begins with no legal move (1, 2, 3, 4, 5, 6, 7)"),
        ("4444444", "after 4 4 4 4 4 4 '4' begins with no legal move (1, 2, 3, 5, 6, 7)"),
        ("12121211", "after 1 2 1 2 1 2 1 the game is over and '1' cannot be played"),
    ],
)
def test_positions_that_cannot_be_read(text: str, words: str) -> None:
    with pytest.raises(TextError) as caught:
        position(load("connect_four"), text)
    assert words in str(caught.value)
    assert "ConnectFour(width=7, height=6)" in str(caught.value)


@given(st.lists(st.integers(0, 6), max_size=20))
def test_any_line_of_moves_reads_back(columns: list[int]) -> None:
    game = load("connect_four")
    state, texts = game.initial(), []
    for column in columns:
        if game.result(state) == z.ONGOING and column in game.moves(state):
            texts.append(game.move_text(state, column))
            state = game.play(state, column)
    assert position(game, "".join(texts)) == position(game, " ".join(texts)) == state


@given(st.text(max_size=12))
def test_any_text_is_a_game_or_a_sentence(text: str) -> None:
    with contextlib.suppress(z.GameError):  # any other error would be a traceback
        load(text)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("cube", "did you mean cube_backgammon?"),
        ("gammon", "backgammon or hypergammon or cube_backgammon?"),
        ("dice", "did you mean cant_stop?"),
        ("poker", "the games are tic_tac_toe, "),
    ],
)
def test_games_that_are_perhaps_meant(text, hint):
    with pytest.raises(TextError, match=f"There is no game called {text}; .*{re.escape(hint)}"):
        load(text)


@pytest.mark.parametrize("text", ["cube_backgammon(match=99)", "cube_backgammon(match=3.5)", "nim(piles=(-1,))"])
def test_parameters_that_a_game_refuses_are_mistakes_of_usage(text):
    with pytest.raises(TextError):
        load(text)


def test_a_game_that_is_wrong_without_parameters_is_no_mistake_of_usage(tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text("from zermelo import Game\n\n\nclass Wrong(Game):\n    n: int = 3\n")
    with pytest.raises(z.GameError, match="Wrong has no `initial`") as found:
        load(f"{file}:Wrong(4)")
    assert not isinstance(found.value, TextError)
