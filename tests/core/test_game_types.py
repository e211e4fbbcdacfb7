"""Type checkers check a game: mypy and pyright accept those of the documents, and find the line of a mistake."""

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
    "result_of_play": ("return Pile(pile.left - taken)", "return pile.left - taken"),
    "move_of_play": ("pile: Pile, taken: int", "pile: Pile, taken: str"),
    "moves": ("-> Iterator[int]", "-> Iterator[Pile]"),
    "field": ("if pile.left == 0", "if pile.rest == 0"),
    "initial": ("def initial(self) -> Pile:", "def initial(self) -> int:"),
}
"""Lines of the typed game, and the same with a mistake."""

WORDS = {
    "mypy": {
        "result_of_play": "Incompatible return value type",
        "move_of_play": 'supertype "zermelo.game.Game"',
        "moves": 'supertype "zermelo.game.Game"',
        "field": '"Pile" has no attribute "rest"',
        "initial": 'supertype "zermelo.game.Game"',
    },
    "pyright": {
        "result_of_play": 'Type "int" is not assignable to return type "Pile"',
        "move_of_play": 'Method "play" overrides class "Game" in an incompatible manner',
        "moves": 'Method "moves" overrides class "Game" in an incompatible manner',
        "field": 'Cannot access attribute "rest" for class "Pile"',
        "initial": 'Method "initial" overrides class "Game" in an incompatible manner',
    },
}
"""What each checker says of each mistake."""

USE = """
reveal_type(TakeAway(start=3).play(Pile(3), 1))
reveal_type(list(TakeAway().moves(Pile(3))))
TakeAway(start="three")
TakeAway().start = 4
"""

INTERFACE = """
import numpy as np
import zermelo as z
from zermelo.play import Clock, Engine, Session

print(z.bits.popcount(np.uint64(3)), z.bits.shift_left(np.int64(3), 2), list(z.bits.ones(np.uint64(5))))
game = TakeAway(start=5)
state = z.position(game, "1 2")
report = z.search(game, state, limit=z.Limit(seconds=1, depth=3), threads=2)
print(report.value.exact, report.moves, report.pv_text, z.check(game), z.perft(game, 3) + 1, z.divide(game, 2)["1"])
with z.analyze(game, state) as reports:
    for each in reports:
        print(each.value)
print([each.value for each in z.search_many(game, [state])], z.prove(game).value, z.monte_carlo(game).value)
solution = z.solve(game)
print(len(solution), solution.value(state), solution.moves(state), solution.save("game.zermelo"), z.verify(solution))
print(z.picture(game), z.widget(game), z.plots.distances(solution), z.load("nim"), z.catalog()[0].usage)
print(z.textbook.alphabeta(game, depth=2, trace=z.Trace()).value, z.GameTree("A(1,2)"), z.bits.popcount(3))
print(Engine(game, Clock.parse("5+3"), style="trickiest", seed=1).choose(state).value, Session(game), z.win_in(3))
"""
"""The public functions, as a program that is checked strictly may use them."""

FACT = """
    @property
    def payoff_bounds(self) -> tuple[int, int]:  # type: ignore[override]
        return -self.start, self.start
"""
"""A fact that depends on a parameter."""

UNKNOWN_NAME = "import zermelo\n\nzermelo.serach\n"

RULES_WITHOUT_TYPES = "# mypy: allow-untyped-defs, allow-incomplete-defs, check-untyped-defs\n"

FILES = {
    "readme": README + RULES_WITHOUT_TYPES,
    "readme_mistake": README.replace("return State(0, 0)", "return State(0)") + RULES_WITHOUT_TYPES,
    "typed": TYPED,
    "used": TYPED + USE,
    "interface": TYPED + INTERFACE,
    "fact": TYPED + FACT,
    "unknown_name": UNKNOWN_NAME,
    **{name: TYPED.replace(right, wrong) for name, (right, wrong) in MISTAKES.items()},
}

MYPY = ["mypy", "--config-file=", "--strict", "--follow-imports=silent", "--cache-dir=cache"]
PYRIGHT = ["pyright", "--pythonpath", sys.executable]
STRICT = "# pyright: strict\n"


@pytest.fixture(scope="module", params=["mypy", "pyright"])
def said(request, tmp_path_factory):
    """The checker, and what it says of each file; all are checked in one run."""
    folder = tmp_path_factory.mktemp("typed")
    for name, text in FILES.items():
        first = "" if name.startswith("readme") else STRICT
        (folder / f"{name}.py").write_text(text + first, "utf-8")
    command = MYPY if request.param == "mypy" else PYRIGHT
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    found = subprocess.run(
        [sys.executable, "-m", *command, *(f"{name}.py" for name in FILES)],
        capture_output=True, text=True, env=environment, cwd=folder,
    )  # fmt: skip
    assert found.returncode in (0, 1), found.stderr
    lines = [re.sub(r"^\s*(\S*/)?(?=\w+\.py:)", "", line) for line in found.stdout.splitlines()]
    return request.param, {name: [line for line in lines if line.startswith(f"{name}.py:")] for name in FILES}


@pytest.mark.parametrize("name", ["readme", "typed", "interface", "fact"])
def test_the_games_of_the_documents_and_the_interface_pass(said, name):
    assert said[1][name] == []


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_in_its_line(said, name):
    checker, lines = said
    right, _ = MISTAKES[name]
    assert TYPED.count(right) == 1
    number = TYPED[: TYPED.index(right)].count("\n") + 1
    found = [line for line in lines[name] if re.match(rf"{name}\.py:{number}:.*error: ", line)]
    assert any(WORDS[checker][name] in line for line in found), lines[name]


def test_a_mistake_in_a_game_without_types_is_found(said):
    assert any("theirs" in line and "error" in line for line in said[1]["readme_mistake"]), said[1]["readme_mistake"]


def test_a_name_that_the_package_lacks_is_found(said):
    assert any("serach" in line and "error" in line for line in said[1]["unknown_name"]), said[1]["unknown_name"]


def test_parameters_are_checked_and_rules_are_called(said):
    """The class is a dataclass to a type checker too, and a move is of the type that the class names."""
    text = "\n".join(said[1]["used"])
    assert re.search(r'(Revealed type|Type of ".*") is ".*\bPile\b.*"', text)
    assert re.search(r'(Revealed type|Type of ".*") is "(builtins\.)?list\[(builtins\.)?int\]"', text)
    assert re.search(
        r'incompatible type "str"; expected "int"|cannot be assigned to parameter "start" of type "int"', text
    )
    assert re.search(r'"start" defined in "TakeAway" is read-only|Cannot assign to attribute "start"', text)


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
