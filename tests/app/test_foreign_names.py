"""No file and no request decides what is imported or executed: from there, only games of the catalogue are loaded."""

import contextlib
import json

import pytest
import test_cli

import zermelo as z
from hostile import interpreted, rewritten
from zermelo.app.web.game_catalog import UnknownGame, open_catalog
from zermelo.games.registry import catalogued
from zermelo.play.books.proven_book import Answer, Book, open_book
from zermelo.play.record import resume

zermelo = test_cli.zermelo

EVIL = """
import pathlib
pathlib.Path({marker!r}).write_text("executed")
from zermelo.games.nim import Nim as Base
class Nim(Base):
    pass
"""


@pytest.fixture
def evil(tmp_path, monkeypatch):
    """A module that leaves a mark when it is executed, in a folder from which modules are imported."""
    folder = tmp_path / "evil"
    folder.mkdir()
    (folder / "evil.py").write_text(EVIL.format(marker=str(tmp_path / "marker")))
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    yield tmp_path
    assert not (tmp_path / "marker").exists()


@pytest.fixture(scope="module")
def nim(tmp_path_factory):
    """A file with the solution of Nim."""
    path = tmp_path_factory.mktemp("solved") / "nim.zermelo"
    z.solve(interpreted("nim"), path)
    return path


NAMES = [
    "{}/evil/evil.py", "{}/evil/evil.py:Nim", "evil.py", "./evil.py:Nim(misere=False)", "evil:Nim", "evil.evil:Nim",
    "~/../{}/evil/evil.py", "open_spiel(nim)", "zermelo.games.nim:Nim", "evil", "../evil/evil.py", "nim;evil:Nim",
    "nim(__import__('evil'))", "nim(piles=evil:Nim)",
]  # fmt: skip


@pytest.fixture(params=NAMES)
def crafted(request, evil, nim):
    """A database whose header names something else than a game of the catalogue."""

    def change(header, sections):
        header["name"] = request.param.format(evil)

    return rewritten(nim, evil / "crafted", change)


def test_a_database_is_no_program(crafted, zermelo):
    with pytest.raises(z.GameError, match=r"crafted was made for Nim\("):
        z.Solution.open(crafted)
    with pytest.raises(z.GameError, match="crafted was made for"):
        z.verify(str(crafted))
    with pytest.raises(z.GameError, match="crafted was made for"):
        open_catalog([], [crafted])
    for command in (("probe", crafted), ("solve", "--verify", crafted), ("plot", "distances", crafted)):
        answer = zermelo(*map(str, command))
        assert answer.code in (1, 2)
        assert "crafted was made for" in answer.err


def test_a_database_of_a_game_that_was_named_is_read_whatever_its_own_name(crafted, zermelo):
    game = z.load("nim")
    assert str(z.Solution.open(crafted, game).value()) == "win in 11"
    assert "win in 11" in zermelo("probe", str(crafted), "--game", "nim").out
    assert open_catalog(["nim"], [crafted]).solutions[0].game == game
    answer = zermelo("analyze", "nim", "--database", str(crafted), "--depth", "2")
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_no_program(name, evil, zermelo):
    record = {"game": name.format(evil), "start": "3 4 5", "seed": 1, "moves": []}
    (evil / "game.json").write_text(json.dumps(record))
    with pytest.raises(z.GameError):
        resume(evil / "game.json")
    with pytest.raises(z.GameError, match="is a game of"):
        resume(evil / "game.json", z.load("nim"))
    assert zermelo("play", "--load", str(evil / "game.json")).code in (1, 2)


@pytest.mark.parametrize("name", NAMES)
def test_a_book_is_no_program(name, evil):
    game = z.load("tic_tac_toe")
    path = evil / "book.json"
    Book(game, {game.initial(): Answer(4, 0)}).save(path)
    path.write_text(path.read_text().replace('"name": "tic_tac_toe"', f'"name": "{name.format(evil)}"'))
    assert open_book(game, path).answers == {game.initial(): (4, 0)}  # the name is for people


@pytest.mark.parametrize("name", NAMES)
def test_a_request_is_no_program(name, evil):
    with pytest.raises((UnknownGame, z.GameError)):
        open_catalog([]).load(name.format(evil))


@pytest.mark.parametrize("name", NAMES)
def test_only_the_catalogue_is_loaded(name, evil):
    with contextlib.suppress(z.GameError):
        assert catalogued(name.format(evil)) is None
