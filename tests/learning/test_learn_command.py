"""`zermelo learn`, and the commands that take its files."""

import json

import pytest

import zermelo as z
from zermelo.app.cli import run
from zermelo.learning import learn_api
from zermelo.networks.network_file import open_weights
from zermelo.play.own_weights import own_weights, shipped_files


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


def test_weights_that_ship_are_those_of_the_game():
    for name in shipped_files():
        found = own_weights(z.load(name))
        assert found.game == z.load(name)
    assert own_weights(z.load("tic_tac_toe")) is None
