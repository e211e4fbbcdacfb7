"""`zermelo learn`, and the commands that take its files."""

import json
import subprocess
import sys

import pytest

import zermelo as z
from zermelo.app.cli import run
from zermelo.learning import learn_api
from zermelo.networks.learned_game import network_of
from zermelo.networks.network_file import open_weights, read_weights
from zermelo.networks.weight_files import with_weights
from zermelo.play import Engine
from zermelo.play.own_weights import BETTER, default_weights, own_weights, shipped_files
from zermelo.solving.random_play import random_games


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    path = tmp_path_factory.mktemp("learned") / "w"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learn_api, "CURVE_GAMES", 10)
        assert run(["learn", "tic_tac_toe", "--games", "256", "--tuples", "4", "-o", str(path), "--json"]) == 0
    return path


def test_learn_writes_a_file(weights):
    game = z.load("tic_tac_toe")
    facts = open_weights(weights, game).facts
    assert facts["games"] == 256
    assert facts["options"]["tuples"] == 4
    assert not weights.with_name("w.training").exists()


def test_what_was_learned_is_learned_further(weights, tmp_path):
    """With the same games and steps from other weights; the shape is that of the file."""
    game, options = z.load("tic_tac_toe"), ["--games", "128", "--seed", "2", "--stage", "3", "--json"]
    for file, more in (("more", ["--start", str(weights)]), ("anew", ["--tuples", "4"])):
        assert run(["learn", "tic_tac_toe", *options, *more, "-o", str(tmp_path / file)]) == 0
    begun, more, anew = (open_weights(path, game) for path in (weights, tmp_path / "more", tmp_path / "anew"))
    assert more.shape == begun.shape
    assert more.facts["options"]["start"] == begun.digest
    assert anew.shape.stages == (3,)
    assert 0 < abs(more.weights.astype(int) - begun.weights).max() < 3000
    with pytest.raises(z.GameError, match="start must be a network of this game, or its file"):
        z.learn(z.load("tic_tac_toe(4, 4, 4)"), games=1, start=begun)


def test_analyze_takes_weights(weights, capfd):
    assert run(["analyze", "tic_tac_toe", "--depth", "2", "--weights", str(weights), "--json"]) == 0
    with_weights = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert run(["analyze", "tic_tac_toe", "--depth", "2", "--json"]) == 0
    assert json.loads(capfd.readouterr().out.splitlines()[-1])["value"] != with_weights["value"]


def test_the_learning_curve_is_drawn(weights, tmp_path):
    picture = tmp_path / "curve.svg"
    assert run(["plot", "learning", "tic_tac_toe", str(weights), "-o", str(picture)]) == 0
    assert "against the greedy player" in picture.read_text() or picture.stat().st_size > 1000


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (["analyze", "connect_four", "--weights", "{}"], "was made for TicTacToe"),
        (["analyze", "tic_tac_toe", "--weights", "nowhere"], "nowhere cannot be read"),
        (["analyze", "tic_tac_toe", "--method", "proof", "--weights", "{}"], "no option --weights"),
        (["learn", "tic_tac_toe", "--games", "1", "-o", "no/such/folder"], "no/such/folder cannot be written"),
        (["learn", "tic_tac_toe", "--games", "1", "--kind", "features", "-o", "{}"], "has no `features`"),
    ],
)
def test_errors_are_sentences(weights, capfd, line, sentence):
    assert run([part.format(weights) for part in line]) in (1, 2)
    error = capfd.readouterr().err
    assert sentence in error.replace("\n", " ")
    assert "Traceback" not in error


@pytest.mark.parametrize("name", sorted(shipped_files()))
def test_weights_that_ship_are_those_of_the_game(name):
    """Of its rules as they are now, small, and of evaluations that differ from state to state."""
    game, file = z.load(name), shipped_files()[name]
    learned = read_weights(file.read_bytes(), file.name, game)
    assert len(file.read_bytes()) < 1 << 20
    evaluating = with_weights(game, learned)
    states = [state for states in random_games(game, 2, 30, seed=0) for state, moves in states if moves]
    assert len({round(float(evaluating.evaluate(state)), 6) for state in states}) > len(states) / 4


def test_engines_use_weights_that_ship():
    game = z.load("breakthrough")
    assert default_weights(game) is own_weights(game) is not None
    assert default_weights(z.load("breakthrough(6, 6)")) is None
    assert own_weights(z.load("tic_tac_toe")) is None
    assert sum(len(file.read_bytes()) for file in shipped_files().values()) < 5 << 20
    assert {*BETTER} <= {*shipped_files()}
    assert network_of(Engine(game)._searches.game).digest == own_weights(game).digest
    assert network_of(Engine(game, weights=False)._searches.game) is None


def test_a_game_with_weights_of_its_own_is_learned_by_a_fresh_process(tmp_path):
    """The kernel that updates weights reads no game, and so it has no place for the weights of chess."""
    command = [sys.executable, "-m", "zermelo", "learn", "chess", "--games", "1", "--kind", "features"]
    found = subprocess.run([*command, "-o", str(tmp_path / "w")], capture_output=True, text=True)
    assert (found.returncode, found.stdout.count("w: ")) == (0, 1), found.stderr


LETTERS = """
from typing import NamedTuple
from zermelo import LOSS, ONGOING, Game

class State(NamedTuple):
    turn: int
    cells: str

class Letters(Game):
    native = False
    def initial(self): return State(0, "X" * 200)
    def moves(self, state): raise AssertionError("no rule is asked")
    def play(self, state, move): raise AssertionError("no rule is asked")
    def result(self, state): return ONGOING
"""


def test_a_field_that_is_no_number_is_named_before_anything_is_learned(tmp_path, capfd):
    (tmp_path / "letters.py").write_text(LETTERS)
    assert run(["learn", f"{tmp_path / 'letters.py'}:Letters", "--games", "1", "-o", str(tmp_path / "w")]) == 1
    lines = " ".join(capfd.readouterr().err.split())
    assert f"State.cells of Letters() is '{'X' * 77} …, a str; only whole numbers can be learned from." in lines
    assert "seconds" not in lines
    assert not list(tmp_path.glob("w*"))
