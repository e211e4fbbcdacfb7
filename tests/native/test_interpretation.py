"""An interpreted search or solve warns once, with the reason; a game that is interpreted on purpose does not."""

import json
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, Game
from zermelo.native import interpretation


class Letters(Game):
    """Take one or two letters; the player who takes the last one wins."""

    word: str = "abcde"

    def initial(self):
        return self.word

    def moves(self, word):
        return range(1, min(len(word), 2) + 1)

    def play(self, word, taken):
        return word[taken:]

    def result(self, word):
        return ONGOING if word else LOSS


class Sliced(Game):
    """The same with a tuple, whose `play` does not compile."""

    def initial(self):
        return (1, 1, 1)

    def moves(self, cells):
        for i in range(3):
            if cells[i]:
                yield i

    def play(self, cells, i):
        return (*cells[:i], 0, *cells[i + 1 :])

    def result(self, cells):
        return LOSS if sum(cells) == 0 else ONGOING


class Silent(Letters):
    native = False


@pytest.fixture(autouse=True)
def _nothing_said_yet(monkeypatch):
    monkeypatch.setattr(interpretation, "_reasons", {})


WAYS = [
    z.search,
    z.solve,
    z.prove,
    lambda game: z.search(game, limit=z.Limit(seconds=60, depth=2)),
    lambda game: z.search_many(game, [game.initial()]),
    lambda game: z.monte_carlo(game, limit=z.Limit(nodes=10), seed=1),
    lambda game: list(z.analyze(game, limit=z.Limit(depth=2))),
]
NAMES = ["search", "solve", "prove", "limit", "search_many", "monte_carlo", "analyze"]


@pytest.mark.parametrize("way", WAYS, ids=NAMES)
def test_a_search_or_solve_warns_once(way):
    with pytest.warns(z.InterpretedWarning) as found:
        _ = way(Letters()), way(Letters())
    assert len(found) == 1
    said = str(found[0].message)
    assert said.startswith("Letters(word='abcde') is interpreted, which is far slower than compiled. Letters.initial: ")
    assert said.endswith("To interpret it without this warning, set native = False.")
    assert found[0].filename == __file__


def test_the_reason_is_known_afterwards():
    assert interpretation.why_interpreted(Letters()) is None
    z.solve(Letters())
    z.solve(Silent())
    assert interpretation.why_interpreted(Letters()) == Letters().native_error
    assert interpretation.why_interpreted(Letters("ab")) is None
    assert interpretation.why_interpreted(Silent()) is None


def test_each_game_is_warned_of():
    with pytest.warns(z.InterpretedWarning) as found:
        _ = z.solve(Letters("ab")), z.solve(Letters("abc"))
    assert len(found) == 2


def test_the_place_is_the_rule_that_does_not_compile():
    assert Sliced().native_error is not None
    with pytest.warns(z.InterpretedWarning, match=r"Sliced\.play, line \d+: .*tuples\.replace") as found:
        z.solve(Sliced())
    assert (found[0].filename, found[0].lineno) == (__file__, Sliced.play.__code__.co_firstlineno + 1)


def test_fractions_are_solved_interpreted_though_the_rules_compile():
    class Half(Game):
        def initial(self):
            return 1.0

        def moves(self, left):
            return range(1)

        def play(self, left, taken):
            return left - 0.5

        def result(self, left):
            return LOSS if left <= 0 else ONGOING

    with pytest.warns(z.InterpretedWarning, match="its states hold floats"):
        z.solve(Half())


@pytest.mark.parametrize("way", WAYS, ids=NAMES)
def test_a_game_that_is_interpreted_on_purpose_is_not_warned_of(way):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        way(Silent())


def test_nothing_is_said_where_the_compiler_is_turned_off(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        z.solve(Letters())


@pytest.mark.parametrize("command", [("solve",), ("analyze", "--depth", "2")], ids=lambda command: command[0])
def test_the_command_line_says_it_in_a_sentence(command):
    name, *options = command
    game = Path(__file__).parents[1] / "bad_games" / "interpreted.py"
    line = [sys.executable, "-m", "zermelo", name, str(game), *options, "--json"]
    answer = subprocess.run(line, capture_output=True, text=True, check=True)
    assert answer.stderr.startswith(
        "Interpreted() is interpreted, which is far slower than compiled. Interpreted.initial: "
    )
    assert answer.stderr.count("\n") == 1
    assert json.loads(answer.stdout if name == "solve" else answer.stdout.splitlines()[-1])
