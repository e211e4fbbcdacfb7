"""The command line: what it prints, how it leaves, and that a mistake is a sentence."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from zermelo.app.cli import run

BAD = Path(__file__).parents[1] / "bad_games"
COUNTDOWN = str(BAD / "countdown.py")


class Answer:
    """What a command line gave back."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err
        assert "Traceback" not in out + err

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def zermelo(capsys, monkeypatch):
    """Run a command line in this process, with the lines that a person would type."""
    monkeypatch.delenv("ZERMELO_DEBUG", raising=False)

    def call(*args: str, typed: str = "") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = run(list(args))
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return call


MAIN = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from zermelo.app.cli import main; main()"
)
"""The command in a process of its own, which hears Ctrl-C though the tests themselves may have been told not to."""


KEEPING = "Finishing the compilation for the next run ... (Ctrl-C exits at once)\n"
"""What is said where a machine is so slow, or its cache so empty, that the compiler is still at work in the end."""


@contextlib.contextmanager
def process(*args: str, **options) -> Iterator[subprocess.Popen]:
    """The command as a process, which does not outlive its test."""
    command = [sys.executable, "-c", MAIN, *args]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options) as child:
        try:
            yield child
        finally:
            child.kill()  # which does nothing to one that has ended


# -- help, version, games ------------------------------------------------------------------------------------------


def test_help_and_version_load_no_compiler() -> None:
    for option in ("--help", "--version"):
        code = (
            "import sys; from zermelo.app.cli import run; code = run([sys.argv[1]]); "
            "assert not {'numba', 'numpy'} & set(sys.modules); sys.exit(code)"
        )
        done = subprocess.run([sys.executable, "-c", code, option], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "zermelo" in done.stdout
        assert done.stderr == ""


def test_nothing_and_h_are_help(zermelo) -> None:
    for args in ([], ["-h"]):
        answer = zermelo(*args)
        assert (answer.code, answer.err) == (0, "")
        assert answer.out == zermelo("--help").out
    assert zermelo("perft", "-h").code == 0


def test_the_help_of_tree_lists_every_algorithm(zermelo) -> None:
    from zermelo.app.options import ALGORITHMS
    from zermelo.show.trees.tree_search import algorithms

    assert sorted(ALGORITHMS.split(", ")) == sorted(algorithms())
    assert "value_iteration" in zermelo("tree", "--help").out


def test_help_lists_the_commands(zermelo) -> None:
    answer = zermelo("--help")
    assert answer.code == 0
    for command in ("games", "check", "perft", "tree", "analyze", "play", "bench"):
        assert f"\n  {command} " in answer.out
    assert "..." not in answer.out.partition("Commands:")[2]  # no summary is cut short


def test_games(zermelo) -> None:
    answer = zermelo("games")
    assert answer.code == 0
    assert "connect_four(width=7, height=6)  " in answer.out
    record = {entry["name"]: entry for entry in zermelo("games", "--json").json}
    assert record["connect_four"]["parameters"] == {"width": 7, "height": 6}


# -- perft -----------------------------------------------------------------------------------------------------------


def test_perft(zermelo) -> None:
    answer = zermelo("perft", "connect_four", "6")
    assert answer.code == 0
    assert answer.out.startswith("117,649 leaves at depth 6, ")
    assert answer.out.endswith("(compiled)\n")


def test_perft_interpreted_counts_the_same(zermelo) -> None:
    compiled = zermelo("perft", "connect_four", "4", "44", "--json").json
    interpreted = zermelo("perft", "connect_four", "4", "44", "--interpreted", "--json").json
    assert compiled["compiled"] is True
    assert interpreted["compiled"] is False
    assert interpreted["reason"] == "as asked"
    assert compiled["leaves"] == interpreted["leaves"] == 2401


def test_perft_divide(zermelo) -> None:
    answer = zermelo("perft", "tic_tac_toe", "4", "b2", "--divide")
    assert "a1: 210\n" in answer.out
    assert "1,680 leaves at depth 4" in answer.out
    record = zermelo("perft", "tic_tac_toe", "4", "b2", "--divide", "--json").json
    assert sum(record["moves"].values()) == record["leaves"] == 1680
    assert zermelo("perft", "tic_tac_toe", "0", "--divide").code == 1


def test_perft_says_why_a_game_is_interpreted(zermelo) -> None:
    answer = zermelo("perft", str(BAD / "interpreted.py"), "3")
    assert answer.code == 0
    assert "(interpreted: Interpreted.initial: " in answer.out


def test_perft_of_a_game_of_chance(zermelo) -> None:
    assert zermelo("perft", "pig(20)", "2").out.startswith("6 leaves at depth 2")


def test_no_record_tells_where_a_file_lies(zermelo, tmp_path, monkeypatch) -> None:
    (tmp_path / "games").mkdir()
    own = "\n\nclass Own(Countdown):\n    native = False\n"
    (tmp_path / "games" / "own.py").write_text((BAD / "countdown.py").read_text() + own)
    monkeypatch.chdir(tmp_path)
    game = "games/own.py:Own(start=4)"
    for command in (
        ("perft", game, "2"),
        ("check", game),
        ("tree", game),
        ("analyze", game, "--depth", "1"),
        ("solve", game, "-o", "own.zsol"),
        ("solve", game, "--verify", "own.zsol"),
        ("probe", "own.zsol", "--game", game),
        ("play", game, "--first", "engine", "--opponent", "engine", "--depth", "1"),
    ):
        answer = zermelo(*command, "--json")
        assert answer.code == 0, answer.err
        assert str(tmp_path) not in answer.out, command
        assert command[0] == "check" or '": "own.py:Own(start=4)"' in answer.out, command


# -- check and tree --------------------------------------------------------------------------------------------------


def test_check(zermelo) -> None:
    answer = zermelo("check", COUNTDOWN)
    assert answer.code == 0
    assert "Countdown" in answer.out
    assert zermelo("check", COUNTDOWN, "--json").json


def test_check_with_options(zermelo) -> None:
    found = zermelo("check", "tic_tac_toe", "--seconds", "30", "--states", "40", "--games", "3", "--json").json
    assert 40 <= found["states"] < 400
    assert found["play"]["games"] == 3
    answer = zermelo("check", COUNTDOWN, "--seconds", "0")
    assert answer.code == 1
    assert "seconds" in answer.err


def test_tree_of_the_lecture(zermelo) -> None:
    answer = zermelo("tree", "game_tree(A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6))))")
    assert answer.code == 0
    assert "5 >= 3" in answer.out
    assert "1 <= 3" in answer.out
    assert "alphabeta: +3 by B C 2 (11 nodes, 5 leaves, 2 cut-offs)" in answer.out


def test_tree_options(zermelo) -> None:
    game = "game_tree(A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6))))"
    for options in (["--form", "negamax"], ["--fail", "hard"], ["--cut", "beyond"], ["--depth", "3"]):
        record = zermelo("tree", game, *options, "--json").json
        assert record["result"]["value"]["score"] == 3
        assert record["trace"]["tree"]
    record = zermelo("tree", game, "--algorithm", "minimax", "--json").json
    assert record["result"]["leaves"] == 8


LECTURE = "game_tree(A(B(C(2,3),D(5,7)),E(F(0,1),G(4,6))))"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--window", "-1,2"], "alphabeta: >= +2 by B C 1"),
        (["--window", "4,inf"], "alphabeta: <= +3 by B C 2"),
        (["--window", "-inf, 2.5", "--algorithm", "star1"], "star1: >= +3 by B C 2"),
        (["--window", "4,6", "--fail", "hard"], "alphabeta: <= +4 by B C 2"),
        (["--algorithm", "aspiration", "--guess", "3"], "aspiration (2, 4)"),
        (["--algorithm", "aspiration", "--guess", "-5", "--margin", "0.5"], "aspiration (-5.50, -4.50)"),
    ],
)
def test_tree_takes_windows_and_guesses(zermelo, args: list[str], words: str) -> None:
    answer = zermelo("tree", LECTURE, *args)
    assert answer.code == 0, answer.err
    assert words in " ".join(answer.out.split())


def test_tree_takes_order_and_symmetric(zermelo) -> None:
    plain, ordered = (
        zermelo("tree", "tic_tac_toe", "--depth", "3", "--max-nodes", "5000", "--json", *order).json["result"]
        for order in ([], ["--order"])
    )
    assert ordered["nodes"] < plain["nodes"]
    assert ordered["value"] == plain["value"]
    args = ("tree", "tic_tac_toe", "a1 b2 c3", "--algorithm", "backward_induction", "--max-nodes", "5000", "--json")
    assert zermelo(*args, "--symmetric").json["result"]["nodes"] < zermelo(*args).json["result"]["nodes"]


def test_a_loop_names_the_options_of_the_command_line(zermelo) -> None:
    answer = zermelo("tree", "pig(5)", "--algorithm", "expectiminimax")
    assert answer.code == 1
    assert answer.err.endswith(
        "repeats ply 0; use --algorithm value_iteration, which copes with loops, or --repetition draw, or a --depth.\n"
    )


def test_tree_with_every_algorithm(zermelo) -> None:
    from zermelo.show.trees.tree_search import algorithms

    names = set(algorithms())
    assert {"minimax", "negamax", "alphabeta", "aspiration", "iterative_deepening"} <= names
    assert {"expectiminimax", "star1", "star2"} <= names
    for name in names:
        answer = zermelo("tree", "game_tree([[3, 12], [8, 2]])", "--algorithm", name)
        if name == "retrograde":  # knows wins and losses, and says so
            assert answer.code == 1
        else:
            assert answer.code == 0, answer.err
            assert f"{name}: " in answer.out


def test_a_tree_in_ascii(zermelo) -> None:
    game = "game_tree([[3, 12], [2, 8]])"
    plain = zermelo("tree", game, "--ascii").out
    assert plain.isascii()
    assert "`- 2 min <= 2  x alpha cut-off" in plain
    assert " 1 enter root (max)   -inf    inf\n" in plain
    assert len(plain.split("\n")[1]) == len(zermelo("tree", game).out.split("\n")[1])


def test_a_terminal_without_unicode_gets_its_tree_in_ascii() -> None:
    with process("tree", "game_tree([[3, 12], [2, 8]])", env={**os.environ, "PYTHONIOENCODING": "ascii"}) as tree:
        out, _ = tree.communicate(timeout=300)
    assert "|- 1 min 3" in out
    assert "?" not in out


def test_depth_limits_iterative_deepening(zermelo) -> None:
    record = zermelo("tree", "tic_tac_toe", "--algorithm", "iterative_deepening", "--depth", "2", "--json").json
    assert record["result"]["depth"] == 2


def test_tree_of_a_position(zermelo) -> None:
    record = zermelo("tree", "tic_tac_toe", "a1 b1 a2 b2", "--depth", "1", "--json").json
    assert record["result"]["value"]["text"] == "win in 1"


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["tree", "tic_tac_toe"], 1, "the tree has more than 1000 nodes; give a smaller --depth"),
        (["tree", "tic_tac_toe", "--depth", "2", "--max-nodes", "5"], 1, "more than 5 nodes"),
        (["tree", "tic_tac_toe", "--algorithm", "alfabeta"], 2, "did you mean alphabeta?"),
        (["tree", "tic_tac_toe", "--algorithm", "minimax", "--fail", "hard"], 2, "minimax has no option --fail"),
        (["tree", "tic_tac_toe", "--fail", "often"], 2, "often"),
        (["tree", "tic_tac_toe", "--window", "3"], 2, "'3' is not two numbers LOW,HIGH, such as -1,1 or 0,inf"),
        (["tree", "tic_tac_toe", "--window", "a,3"], 2, "'a' is not a number"),
        (["tree", "tic_tac_toe", "--window", "nan,3"], 2, "'nan' is not a number"),
        (["tree", "tic_tac_toe", "--window", "3,3"], 1, "alpha must be below beta in window=(3, 3)"),
        (["tree", "tic_tac_toe", "--guess", "3"], 2, "alphabeta has no option --guess"),
        (["tree", "tic_tac_toe", "--symmetric"], 2, "alphabeta has no option --symmetric"),
        (["tree", "tic_tac_toe", "--algorithm", "minimax", "--order"], 2, "minimax has no option --order"),
        (
            ["tree", "game_tree", "--algorithm", "aspiration", "--margin", "0"],
            1,
            "margin must be a number above zero",
        ),
    ],
)
def test_trees_that_are_refused(zermelo, args: list[str], code: int, words: str) -> None:
    answer = zermelo(*args)
    assert answer.code == code
    assert words in answer.err


# -- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["perft"], "Missing argument 'GAME'. See `zermelo perft --help`."),
        (["perft", "connect_four", "six"], "Invalid value for 'depth': it must be a whole number. See"),
        (["perft", "connect_four", "1" * 30], "Invalid value for 'depth': it must be at most 500. See"),
        (["perft", "connect_four", "3", "4", "5"], "takes (5); a position of several moves is one argument, in"),
        (["play", "connect_four", "--first", "x"], "'--first': 'x' is not one of 'human', 'engine'. See"),
        (["plai"], "Did you mean 'play'? See `zermelo --help`."),
        (["tree", "tic_tac_toe", "--algorithm", ""], "There is no algorithm called ''; there are "),
        (["tree", "tic_tac_toe", ".../..."], "one looks like '.../.../...'."),
        (["perft", "connect_four", "3", "--depht"], "No such option: --depht"),
        (["frobnicate"], "No such command 'frobnicate'"),
        (["perft", "conect_four", "3"], "did you mean connect_four or connect_k?"),
        (["perft", "connect_four(wdth=3)", "3"], "its parameters are width, height"),
        (["perft", "connect_four", "3", "99"], "begins with no legal move"),
        (["play", "connect_four", "--seconds", "-1"], "--seconds must be above zero, not -1"),
        (["play", "connect_four", "--level", "11"], "'--level': it must be at most 10. See"),
        (["play", "connect_four", "--level", "3", "--style", "longest"], "--style longest is for level 10"),
        (["play", "connect_four", "--style", "x"], "'x' is not one of 'exact', 'longest', 'trickiest'. See"),
        (["play", "connect_four", "--clock", "5:3"], "'5:3' is not a clock; write minutes+seconds, such as 5+3, or"),
        (["play", "connect_four", "--clock", "5+3", "--depth", "3"], "it excludes --seconds, --depth and --nodes"),
        (["play", "connect_four", "--threads", "0"], "'--threads': it must be at least 1. See"),
        (["perft", "nowhere/game.py", "3"], "There is no file nowhere/game.py."),
    ],
)
def test_a_command_line_that_cannot_be_read(zermelo, args: list[str], words: str) -> None:
    answer = zermelo(*args)
    assert answer.code == 2
    assert words in answer.out + answer.err


BROKEN = [
    ("missing_rule.py", "Unplayable has no `play` rule"),
    ("import_error.py", "line 3: an import fails: No module named 'no_such_module_anywhere'"),
    ("no_game.py", "defines no Game class"),
    ("list_state.py", "ListState(): `initial` return"),
    ("raising_rule.py", "ZeroDivisionError"),
    ("raising_compiled.py", "ZeroDivisionError"),
]


COMMANDS = [["perft", "{}", "4"], ["check", "{}"], ["play", "{}", "--first", "engine", "--depth", "3"]]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("file", "words"), BROKEN)
def test_broken_games_get_their_sentence(zermelo, command: list[str], file: str, words: str) -> None:
    answer = zermelo(*[part.format(BAD / file) for part in command])
    assert answer.code == 1
    assert words in " ".join(answer.err.split())


LATER = [["perft", "{}", "1", "0"], ["perft", "{}", "2", "0", "--interpreted"], ["perft", "{}", "1", "0 1"]]
LATER += [["tree", "{}"], ["tree", "{}", "0", "--algorithm", "retrograde"]]


@pytest.mark.parametrize("command", LATER)
def test_a_later_state_that_cannot_be_stored_gets_its_sentence(zermelo, command: list[str]) -> None:
    answer = zermelo(*[part.format(BAD / "list_later.py") for part in command])
    assert answer.code == 1
    assert answer.out == ""
    assert answer.err == (
        "ListLater(): `play` returned [0, 1] in (0, 2), which cannot be a state (unhashable type: 'list'); "
        "use tuples in place of lists.\n"
    )


def test_a_position_that_cannot_be_stored_gets_its_sentence(zermelo) -> None:
    answer = zermelo("tree", str(BAD / "list_later.py"), "9+9")
    assert answer.code == 1
    assert "`parse_state` returned [9, 9], which cannot be a state" in answer.err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_rule_that_cannot_be_typed_is_an_error_where_the_game_insists(command: list[str]) -> None:
    with process(*[part.format(BAD / "untypable_rule.py") for part in command], stdin=subprocess.DEVNULL) as game:
        out, err = game.communicate(timeout=300)
    assert game.returncode == 1
    assert "Untypable() says native = True, but its rules do not compile. Untypable.moves, line 1" in err
    assert "Traceback" not in out + err


def test_a_rule_that_raises_is_named_with_its_line_and_state(zermelo) -> None:
    answer = zermelo("perft", str(BAD / "raising_rule.py"), "4")
    assert answer.err == (
        "Raising(): the rule `result` raised ZeroDivisionError: integer division or modulo by zero "
        "(raising_rule.py, line 26) in (3, 'pile').\n"
    )


def test_a_compiled_rule_that_raises_is_named_too(zermelo) -> None:
    answer = zermelo("perft", str(BAD / "raising_compiled.py"), "4")
    assert "play" in answer.err
    assert "3" in answer.err


RULES = """
from zermelo import Game, LOSS, ONGOING
class A(Game):
    def initial(self): return 3
    def moves(self, left): return (1,)
    def play(self, left, taken): return left - taken
    def result(self, left): return LOSS if left == 0 else ONGOING
"""

MISTAKES = [
    ("return LOSS if left == 0 else ONGOING", "return LOSS if left == 0 else None", "`result` returns None (is a `ret"),
    ("return LOSS if left == 0 else ONGOING", "pass", "in the initial state 3, `result` returns None (is a `return`"),
    ("return left - taken", "left - taken", "in the initial state 3, `play` (1) returns None (is a `return` missing?)"),
    ("result(self, left)", "result(left)", "`result` takes (left), but is called with (self, state) (is `self` m"),
    ("return (1,)", "return 1", "`moves` returns 1, where several things are expected"),
]


@pytest.mark.parametrize("command", [["perft", "{}", "3"], ["tree", "{}"], ["play", "{}", "--depth", "2"]])
@pytest.mark.parametrize(("right", "wrong", "words"), MISTAKES)
def test_mistakes_in_rules_are_not_zermelos(zermelo, tmp_path: Path, command, right, wrong, words) -> None:
    path = tmp_path / "mistake.py"
    path.write_text(RULES.replace(right, wrong))
    answer = zermelo(*[part.format(path) for part in command], typed="1\n1\n1\n")
    assert answer.code == 1
    assert words in answer.err
    assert "inside Zermelo" not in answer.err


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["tree", "{}"], "A(): `result` returned None (is a `return` missing?) in 1, not a whole"),
        (["play", "{}", "--depth", "2"], "A(): `result` returned None (is a `return` missing?) in 1, not a whole"),
    ],
)
def test_a_mistake_far_from_the_start_is_found(zermelo, tmp_path: Path, command, words) -> None:
    path = tmp_path / "late.py"
    path.write_text(RULES.replace("else ONGOING", "else ONGOING if left > 1 else None"))
    answer = zermelo(*[part.format(path) for part in command], typed="1\n1\n1\n")
    assert answer.code == 1
    assert answer.err.startswith(words)


def test_an_error_that_check_does_not_explain_names_the_game(monkeypatch) -> None:
    from zermelo.app import error_messages
    from zermelo.games.registry import load

    def work(game):
        raise AttributeError("odd")

    monkeypatch.setattr(error_messages, "_check_finding", lambda game: None)
    with pytest.raises(AttributeError) as caught:
        work(load("nim((2, 2))"))
    assert (
        "try `zermelo check 'nim(piles=(2, 2))'`; ZERMELO_DEBUG=1"
        in error_messages.describe_error(caught.value).sentence
    )


def test_a_syntax_error(zermelo, tmp_path: Path) -> None:
    path = tmp_path / "my_game.py"
    path.write_text("from zermelo import Game\n\nclass MyGame(Game)\n    pass\n")
    answer = zermelo("check", f"{path}:MyGame")
    assert answer.code == 1
    assert "my_game.py, line 3: expected ':': class MyGame(Game)" in answer.err


def test_debugging_shows_the_traceback(monkeypatch) -> None:
    monkeypatch.setenv("ZERMELO_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run(["perft", str(BAD / "raising_rule.py"), "4", "--interpreted"])


# -- play ------------------------------------------------------------------------------------------------------------


def test_a_whole_game_between_two_people(zermelo) -> None:
    answer = zermelo("play", "tic_tac_toe", "--opponent", "human", "--ascii", typed="a1\nb1\na2\nb2\na3\n")
    assert answer.code == 0
    assert "3 X . .\n2 X O .\n1 X O .\n  a b c" in answer.out
    assert answer.out.rstrip().endswith("First player (X) wins.")


def test_a_whole_game_against_the_engine(zermelo) -> None:
    """The engine sees to depth 9 and does not lose, whatever is typed; here it wins."""
    typed = "b1\na2\n" + "\n".join(["c2", "c1", "a3", "b3", "c3", "a1", "b2"]) + "\n"
    answer = zermelo("play", "tic_tac_toe", "--first", "engine", "--depth", "9", typed=typed)
    assert answer.code == 0
    assert "Zermelo plays " in answer.out
    assert answer.out.rstrip().endswith(("Zermelo wins.", "Draw."))


def test_a_game_of_connect_four_with_every_command(zermelo) -> None:
    typed = "?\nmoves\nhint\n9\n\n1\nundo\nboard\n1\n2\nresign\n"
    answer = zermelo("play", "connect_four(4, 4)", "--depth", "4", "--json", typed=typed)
    assert answer.code == 0
    assert answer.json["result"] == "Second player wins by resignation."
    assert answer.json["moves"][0] == "1"
    for words in ("Moves: 1 2 3 4", "Hint: ", "'9' is not a legal move here", "undo", "Zermelo wins by resignation."):
        assert words in answer.err


@pytest.mark.parametrize("error", ["IndexError", "KeyError", "ValueError", "TypeError"])
def test_a_legal_move_is_not_called_illegal_because_play_raises(zermelo, tmp_path: Path, error: str) -> None:
    path = tmp_path / "raises.py"
    path.write_text(RULES.replace("return left - taken", f"raise {error}('oops')"))
    answer = zermelo("play", str(path), typed="1\n")
    assert answer.code == 1
    assert "not a legal move" not in answer.out
    assert f"A(): the rule `play` raised {error}: " in answer.err
    assert "(raises.py, line 6) in 3." in answer.err


def test_moves_in_capitals_and_q(zermelo) -> None:
    answer = zermelo("play", "tic_tac_toe", "--opponent", "human", "--json", typed="B2\n?\nq\n")
    assert answer.json["moves"] == ["b2"]
    assert ", for example a1 or b1, or\n" in answer.err


def test_the_value_is_said_for_somebody(zermelo) -> None:
    answer = zermelo("play", "tic_tac_toe", "a1 b1 a2 b2", "--depth", "9", typed="hint\nq\n")
    assert "Hint: a3: value win in 1 for you (proven), depth " in answer.out


def test_undo_at_the_start(zermelo) -> None:
    answer = zermelo("play", "tic_tac_toe", "--first", "engine", "--depth", "2", typed="undo\nquit\n")
    assert "There is no move of yours to take back." in answer.out
    assert "Good-bye." in answer.out


def test_undo_takes_back_the_engines_answer_too(zermelo) -> None:
    answer = zermelo("play", "tic_tac_toe", "--depth", "2", "--json", typed="b2\nundo\n")
    assert answer.json["moves"] == []
    assert answer.json["result"] == "unfinished"


@pytest.mark.parametrize("typed", ["", "b2\n", "quit\n"])
def test_the_end_of_input_is_a_polite_end(zermelo, typed: str) -> None:
    answer = zermelo("play", "tic_tac_toe", "--depth", "2", typed=typed)
    assert answer.code == 0
    assert answer.out.rstrip().endswith("Good-bye.")
    assert answer.err == ""


def test_the_engine_against_itself(zermelo) -> None:
    answer = zermelo("play", "tic_tac_toe", "--first", "engine", "--opponent", "engine", "--depth", "9")
    assert answer.code == 0
    assert answer.out.rstrip().endswith("Draw.")
    assert "value draw (proven), depth 9" in answer.out


def test_the_cube_at_the_table(zermelo) -> None:
    moves, typed = "31 8/5 6/5", "moves\ndouble\nmoves\nTake\nq\n"
    answer = zermelo("play", "cube_backgammon", moves, "--opponent", "human", "--seed", "1", typed=typed)
    assert "Moves: roll double\n" in answer.out
    assert "2, offered by second player" in answer.out
    assert "Moves: take pass\n" in answer.out
    assert "2, owned by first player" in answer.out


def test_dice_at_the_table(zermelo) -> None:
    args = ("play", "pig(6)", "--opponent", "human", "--seed", "1")
    typed = "roll\nhold\n" * 40
    answer = zermelo(*args, typed=typed)
    assert "Chance: " in answer.out
    assert "(1/6)" in answer.out
    assert answer.out == zermelo(*args, typed=typed).out
    assert answer.out.rstrip().endswith("player wins.")


def test_play_from_a_position_and_from_an_end(zermelo) -> None:
    answer = zermelo("play", "tic_tac_toe", "a1 b1 a2 b2", "--opponent", "human", typed="a3\n")
    assert answer.out.rstrip().endswith("First player (X) wins.")
    assert zermelo("play", "tic_tac_toe", "a1 b1 a2 b2 a3").out.rstrip().endswith("You win.")


# -- leaving ---------------------------------------------------------------------------------------------------------


def test_the_command_as_a_process() -> None:
    with process("play", "tic_tac_toe", "--depth", "2", stdin=subprocess.PIPE) as game:
        out, err = game.communicate("b2\n", timeout=300)
    assert game.returncode == 0
    assert out.rstrip().endswith("Good-bye.")
    assert err in ("", KEEPING)


def test_a_reader_that_goes_away() -> None:
    with process("tree", "tic_tac_toe", "--depth", "3", "--algorithm", "minimax") as game:
        game.stdout.readline()
        game.stdout.close()
        err = game.stderr.read()
        game.wait(300)
    assert err == ""


def test_a_person_is_told_which_pieces_are_theirs(zermelo) -> None:
    out = zermelo("play", "nannon", "--depth", "1", "--seed", "1", typed="board\nquit\n").out
    assert "\n\nYou are X and move to the right, into safety.\n\n" in out.replace("●", "X")
    out = zermelo("play", "tic_tac_toe", "--opponent", "human", typed="quit\n").out
    assert "First player (X), your move: " in out
    assert "You are" not in out


def test_a_process_is_gone_after_its_test() -> None:
    started = []
    with pytest.raises(ZeroDivisionError), process("perft", "connect_four", "40", "--interpreted") as game:
        started.append(game) or 1 / 0
    assert started[0].poll() == -signal.SIGKILL


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="looks into the process as Linux allows")
@pytest.mark.parametrize("inherited", [signal.SIG_DFL, signal.SIG_IGN], ids=["heard", "ignored"])
def test_control_c_during_compiled_work(inherited: signal.Handlers) -> None:
    """Depth 40 would take centuries; the count runs as machine code, which does not listen.

    A shell that starts the tests in the background has them ignore Ctrl-C, and what they start inherits that.
    """
    listen = partial(signal.signal, signal.SIGINT, inherited)
    with process("perft", "connect_four", "40", preexec_fn=listen) as game:
        while game.poll() is None and "llvmlite" not in Path(f"/proc/{game.pid}/maps").read_text():
            time.sleep(0.1)
        time.sleep(2)
        assert game.poll() is None
        game.send_signal(signal.SIGINT)
        _, err = game.communicate(timeout=300)
    assert game.returncode == 130
    assert err == "Interrupted.\n"
