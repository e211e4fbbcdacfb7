"""Rules that the package is built with: found without the compiler, unless they or their game have changed."""

import pytest

import taking
from zermelo import LOSS, ONGOING
from zermelo.games.support import build_kernels
from zermelo.native.linking import prebuilt, rule_code, rule_ir

NAMES = ["play", "result", "candidates_into", "loops"]


class Countdown(taking.Countdown):
    """A game that no other test compiles."""


class Edited(Countdown):
    def result(self, left):
        return LOSS if left <= 0 else ONGOING


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """The names of the rules that are compiled, with an empty package and an empty cache."""
    compiled, compile_rule = [], rule_ir.compile_rule
    monkeypatch.setattr(prebuilt, "FOLDER", tmp_path / "package")
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(rule_ir, "compile_rule", lambda game, name: compiled.append(name) or compile_rule(game, name))
    return compiled


def test_built_rules_are_not_compiled_again(compiled):
    files = rule_code.build_rules(Countdown(), NAMES)
    assert sorted(compiled) == ["moves_into", "play", "result"]
    assert {file.split("-")[0] for file in files} == {"rule_moves_into", "rule_play", "rule_result"}
    built = rule_code.linked_rules(Countdown(), NAMES)
    assert rule_code.build_rules(Countdown(), NAMES) == files
    assert len(compiled) == 3
    prebuilt.remove_others([])
    assert len(rule_code.linked_rules(Countdown(), NAMES)) == len(built) == 5
    assert len(compiled) == 6


def test_an_edit_and_other_parameters_are_compiled(compiled, monkeypatch):
    rule_code.build_rules(Countdown(), NAMES)
    compiled.clear()
    rule_code.linked_rules(Edited(), NAMES)
    assert "result" in compiled
    compiled.clear()
    monkeypatch.setattr(rule_code, "versions", lambda: ("another Numba",))
    rule_code.linked_rules(Countdown(), NAMES)
    assert sorted(compiled) == ["moves_into", "play", "result"]


def test_a_damaged_file_is_compiled(compiled):
    (file,) = rule_code.build_rules(Countdown(), ["play"])
    path = prebuilt.FOLDER / file
    path.write_bytes(path.read_bytes()[:-1])
    compiled.clear()
    rule_code.linked_rules(Countdown(), ["play"])
    assert compiled == ["play"]


def test_what_is_out_of_date_is_removed(compiled):
    play, result = rule_code.build_rules(Countdown(), ["play", "result"])
    prebuilt.remove_others([play])
    assert prebuilt.read(play) is not None
    assert prebuilt.read(result) is None


def test_the_games_of_the_build_are_in_the_catalogue(compiled, monkeypatch):
    asked = []
    monkeypatch.setattr(build_kernels, "build_rules", lambda game, names: asked.append((game, names)) or [])
    monkeypatch.setattr(prebuilt, "kernel_code", lambda *_: ({"rules": NAMES}, ""))
    for name in build_kernels.RULES_BUILT:
        assert build_kernels.build_game(name) == []
    assert [type(game).__module__.startswith("zermelo.games.") for game, _ in asked] == [True] * len(asked)
    assert all(names == NAMES for _, names in asked)
