"""Type checkers check a game: mypy accepts those of the documents, and finds the line of a mistake."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def block(page, first_line):
    """The code of a document that begins with this line."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return next(text for text in blocks if text.startswith(first_line))


README = block("README.md", "# my_game.py")
TYPED = block("docs/your-own-game.md", "# typed.py")

MISTAKES = {
    "result_of_play": ("return Pile(pile.left - taken)", "return pile.left - taken", "Incompatible return value type"),
    "move_of_play": ("pile: Pile, taken: int", "pile: Pile, taken: str", 'supertype "zermelo.game.Game"'),
    "moves": ("-> Iterator[int]", "-> Iterator[Pile]", 'supertype "zermelo.game.Game"'),
    "field": ("if pile.left == 0", "if pile.rest == 0", '"Pile" has no attribute "rest"'),
    "initial": ("def initial(self) -> Pile:", "def initial(self) -> int:", 'supertype "zermelo.game.Game"'),
}

USE = """
reveal_type(TakeAway(start=3).play(Pile(3), 1))
reveal_type(list(TakeAway().moves(Pile(3))))
TakeAway(start="three")
TakeAway().start = 4
"""

RULES_WITHOUT_TYPES = "# mypy: allow-untyped-defs, allow-incomplete-defs, check-untyped-defs\n"


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What mypy --strict says of each file, all of them checked in one run."""
    folder = tmp_path_factory.mktemp("typed")
    files = {"readme": README + RULES_WITHOUT_TYPES, "typed": TYPED, "used": TYPED + USE}
    for name, (right, wrong, _) in MISTAKES.items():
        assert TYPED.count(right) == 1
        files[name] = TYPED.replace(right, wrong)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file=",
        "--strict",
        "--follow-imports=silent",
        "--cache-dir=cache",
    ]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    found = subprocess.run(
        [*command, *(f"{name}.py" for name in files)], capture_output=True, text=True, env=environment, cwd=folder
    )
    assert found.returncode in (0, 1), found.stderr
    lines = found.stdout.splitlines()
    return {name: [line for line in lines if line.startswith(f"{name}.py:")] for name in files}


@pytest.mark.parametrize("name", ["readme", "typed"])
def test_the_games_of_the_documents_pass(said, name):
    assert said[name] == []


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_in_its_line(said, name):
    right, _, words = MISTAKES[name]
    number = TYPED[: TYPED.index(right)].count("\n") + 1
    assert any(line.startswith(f"{name}.py:{number}: error: ") and words in line for line in said[name]), said[name]


def test_parameters_are_checked_and_rules_are_called(said):
    """The class is a dataclass to a type checker too, and a move is of the type that the class names."""
    text = "\n".join(said["used"])
    assert re.search(r'Revealed type is ".*\bused\.Pile\b.*"', text)
    assert re.search(r'Revealed type is "(builtins\.)?list\[(builtins\.)?int\]"', text)
    assert 'Argument "start" to "TakeAway" has incompatible type "str"; expected "int"' in text
    assert 'Property "start" defined in "TakeAway" is read-only' in text


def test_the_types_are_nothing_to_the_compiler():
    """A class that names its types has the members and the fingerprint of one that does not."""
    from zermelo import Game
    from zermelo.native.fingerprints import author_members, rules_fingerprint

    def rules():
        return {
            "initial": lambda self: 3,
            "moves": lambda self, left: range(1, left + 1),
            "play": lambda self, left, taken: left - taken,
            "result": lambda self, left: -1,
        }

    plain = type("Plain", (Game,), rules())
    typed = Game[int, int].__mro_entries__(())[0]
    assert typed is Game

    class Typed(Game[int, int]):
        initial, moves, play, result = rules().values()

    assert dict(author_members(Typed)).keys() == dict(author_members(plain)).keys() == rules().keys()
    assert rules_fingerprint(Typed()) == rules_fingerprint(plain())
    assert Typed() == Typed()
    assert repr(Typed()).endswith("Typed()")
