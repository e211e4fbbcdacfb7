"""No command replaces a file that holds something else than what the command writes."""

import pytest
import test_cli

import zermelo as z
from zermelo.files import check_replaceable, no_such_content
from zermelo.networks.feature_weights import FeatureWeights
from zermelo.networks.network_file import check_weights_output, save_weights

zermelo = test_cli.zermelo
"""The fixture that runs a command line in this process."""

SOURCE = "class Nip:\n    pass\n"

COMMANDS = [
    ("learn tic_tac_toe --games 1 -o", "mine", "no weights that this Zermelo can read"),
    ("report tic_tac_toe --minutes 0.001 -o", "mine.py", "no page"),
    ("match random random --game chess --games 2 --pgn", "mine.py", "no PGN"),
    ("tournament random random --game chess --games 2 --pgn", "mine.py", "no PGN"),
    ("tree tic_tac_toe --depth 1 --svg", "mine.py", "no picture"),
    ("tree tic_tac_toe --depth 1 --html", "mine.py", "no page"),
    ("plot nodes tic_tac_toe --depth 1 -o", "mine.svg", "no picture"),
    ("convert game.json", "mine.jsonl", "no JSON lines that can be read"),
    ("solve nim -o", "mine.py", "nothing that this Zermelo can read"),
]


@pytest.mark.parametrize(("command", "file", "holds"), COMMANDS)
def test_a_file_of_another_kind_is_refused_before_the_work_begins(zermelo, tmp_path, monkeypatch, command, file, holds):
    monkeypatch.chdir(tmp_path)
    (tmp_path / file).write_text(SOURCE)
    (tmp_path / "game.json").write_text('{"game": "tic_tac_toe", "start": ".../.../...", "moves": ["b2"]}')
    answer = zermelo(*command.split(), file)
    assert answer.code != 0
    assert answer.out == ""
    assert answer.err == f"{file} would be replaced, and it holds {holds}; delete it, or name another file.\n"
    assert (tmp_path / file).read_text() == SOURCE


def test_a_file_of_the_same_kind_and_an_empty_one_are_replaced(zermelo, tmp_path):
    kept = tmp_path / "kept"
    for option in ("--svg", "--html"):
        kept.write_text("")
        for depth in ("1", "2"):
            before = kept.read_text()
            assert zermelo("tree", "tic_tac_toe", "--depth", depth, option, str(kept)).code == 0
            assert kept.read_text() != before
    with pytest.raises(z.FileError, match="it holds no letter;"):
        check_replaceable(kept, no_such_content("letter", b"Dear"))


def test_play_saves_over_records_alone(zermelo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(SOURCE)
    typed = "b2\nsave game.json\na1\nsave game.json\nsave mine.py\nq\n"
    said = zermelo("play", "tic_tac_toe", "--opponent", "human", "--ascii", typed=typed).out
    assert "game.json: 1 move saved." in said
    assert "game.json: 2 moves saved." in said
    assert "mine.py would be replaced, and it holds no record of a game; delete it, or name another file." in said
    assert (tmp_path / "mine.py").read_text() == SOURCE


def test_weights_replace_those_of_the_same_game_alone(tmp_path):
    path, game = tmp_path / "weights", z.load("nim")
    save_weights(FeatureWeights(game, (1.0,), {}), path)
    check_weights_output(game, path)
    with pytest.raises(z.FileError, match=r"it holds weights of Nim\("):
        check_weights_output(z.load("tic_tac_toe"), path)
