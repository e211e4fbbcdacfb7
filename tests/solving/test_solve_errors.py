"""Errors that a solve reports: wrong rules, wrong arguments, files in the way."""

import dataclasses
import subprocess
import sys
from typing import NamedTuple

import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, WIN, Game, GameError


class Ladder(Game):
    """Chance climbs a rung or stays; the top wins. Every rung is a stage of its own."""

    rungs: int = 60
    stay: float = 0.5
    native = False
    loops = True

    def initial(self):
        return 0

    def moves(self, rung):
        return range(0)

    def is_chance(self, rung):
        return rung < self.rungs

    def chances(self, rung):
        yield 0, self.stay
        yield 1, 1 - self.stay

    def play(self, rung, step):
        return rung + step

    def result(self, rung):
        return WIN if rung == self.rungs else ONGOING

    def mover(self, rung):
        return 0

    def stage(self, rung):
        return rung


class FastLadder(Ladder):
    """The same, compiled."""

    native = True


@pytest.mark.parametrize("game", [Ladder(), Ladder(4, 0.99), FastLadder(), FastLadder(4, 0.995)], ids=repr)
def test_errors_of_many_stages_stay_within_epsilon(game):
    assert z.solve(game).value().score == pytest.approx(1, abs=1e-9)


class Counting(Game):
    """Add one or two up to five; who gets there wins. Number 4 has a state, and `holed` says it has none."""

    holed: bool = False

    def initial(self):
        return 0

    def moves(self, total):
        return range(1, min(2, 5 - total) + 1)

    def play(self, total, added):
        return total + added

    def result(self, total):
        return LOSS if total == 5 else ONGOING

    def stage(self, total):
        return total if self.holed else 0

    def size(self, stage):
        return 6

    def index(self, total):
        return total

    def at(self, stage, index):
        return 0 if index == 4 and self.holed else index


@pytest.mark.slow
def test_a_number_that_no_state_has_is_no_draw():
    assert str(z.solve(Counting()).value()) == "win in 3"
    with pytest.raises(GameError, match="which `at` finds no state"):
        z.solve(Counting(holed=True))


class Ring(NamedTuple):
    place: int
    player: int


class Walk(Game):
    """Step left or right on a ring of seven; who reaches 3 wins."""

    forgetful: bool = False
    loops = True

    def initial(self):
        return Ring(0, 0)

    def mover(self, state):
        return state.player

    def moves(self, state):
        return (1, 6)

    def play(self, state, step):
        return Ring((state.place + step) % 7, 1 - state.player)

    def result(self, state):
        return LOSS if state.place == 3 else ONGOING

    def size(self, stage):
        return 14

    def index(self, state):
        return 2 * state.place + state.player

    def at(self, stage, index):
        return Ring(index // 2, index % 2)

    def predecessors(self, state):
        for step in (1, 6):
            before = (state.place - step) % 7
            if before != 3 and not (self.forgetful and step == 6):
                yield Ring(before, 1 - state.player)


@pytest.mark.slow
def test_a_forgotten_predecessor_is_noticed():
    assert z.solve(Walk()).value().repetition
    with pytest.raises(GameError, match="`index`, `at` or `predecessors` must be wrong"):
        z.solve(Walk(forgetful=True))


def test_files_of_others_are_not_replaced(tmp_path):
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("all of it")
    solution = z.solve(Ladder(3))
    for write in (lambda: z.solve(Ladder(3), thesis), lambda: solution.save(thesis)):
        with pytest.raises(GameError, match="would be replaced, and it holds nothing that this Zermelo can read"):
            write()
    solution.save(tmp_path / "three")
    with pytest.raises(GameError, match="it holds Ladder"):
        z.solve(Ladder(4), tmp_path / "three")
    assert thesis.read_text() == "all of it"


class Wide(Game):
    """Far too many states, and rules that do not compile."""

    native = False

    def initial(self):
        return ""

    def moves(self, text):
        return "abcd"

    def play(self, text, letter):
        return text + letter

    def result(self, text):
        return LOSS if len(text) == 30 else ONGOING


def test_interpreted_games_that_do_not_fit_are_refused():
    with pytest.raises(GameError, match="would not fit"):
        z.solve(Wide())


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: z.solve(Walk(), stage="x"), "stage must be a whole number"),
        (lambda: z.solve(z.load("three_mens_morris"), stage=99), "there is no stage 99"),
        (lambda: z.solve(Walk(), 5), "path must be the name of a file"),
        (lambda: z.solve(Walk(), "/nowhere/at/all"), "there is no folder"),
        (lambda: z.solve(Walk(), progress=3), "progress must be a function"),
        (lambda: z.solve(Walk(), epsilon=1e-15), "epsilon must be a number from 1e-12 up and below 1"),
        (lambda: z.verify(3), "path must be the name of a file"),
        (lambda: z.verify(z.solve(Ladder(3)), sample=-1), "sample must be a whole number from 0 up"),
    ],
)
def test_odd_requests_are_sentences(call, sentence):
    with pytest.raises(GameError, match=sentence):
        call()


def test_a_wrong_epoch_is_noticed_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(GameError, match="SOURCE_DATE_EPOCH must be a number of seconds"):
        z.solve(Ladder(3), tmp_path / "three")


def test_counts_that_are_not_those_of_the_entries_are_noticed():
    solution = z.solve(Walk())
    first, *others = solution.header.counts
    counts = (first._replace(states=first.states + 1), *others)
    solution.header = dataclasses.replace(solution.header, counts=counts)
    with pytest.raises(GameError, match="what it counts in stage 0 is not what it holds"):
        z.verify(solution, sample=0)


RULES = """
from zermelo import LOSS, ONGOING, Game

class Count(Game):
    def initial(self): return 0
    def moves(self, n): return (1, 2)
    def play(self, n, more): return n + more
    def result(self, n): return LOSS if n >= {end} else ONGOING
    def stage(self, n): return {stage}
"""


@pytest.mark.slow
def test_a_failed_solve_leaves_nothing_in_the_way(tmp_path):
    """A rule that is corrected: the same command goes through."""
    file = tmp_path / "count.py"
    command = [sys.executable, "-m", "zermelo", "solve", f"{file}:Count", "-o", str(tmp_path / "count")]
    file.write_text(RULES.format(end=9, stage="-n"))
    assert "goes back" in subprocess.run(command, capture_output=True, text=True, check=False).stderr
    file.write_text(RULES.format(end=9, stage="n"))
    assert subprocess.run(command, capture_output=True, text=True, check=False).returncode == 0


@dataclasses.dataclass(frozen=True)
class Heap:
    left: int


class Unwritten(z.Game):
    """The state is a class that no literal stands for; `play` is not reached where that matters."""

    native = False
    reached = ()

    def initial(self):
        return Heap(3)

    def moves(self, heap):
        return (1,)

    def play(self, heap, taken):
        if "play" in self.reached:
            raise AssertionError("the solve has begun")
        return Heap(heap.left - taken)

    def result(self, heap):
        return z.LOSS if heap.left == 0 else z.ONGOING


class Stopped(Unwritten):
    reached = ("play",)


def test_states_that_cannot_be_written_are_refused_before_the_solve(tmp_path):
    words = (
        r"Heap\(left=3\) cannot be written as a literal, so the solution cannot be saved; make the state a NamedTuple"
    )
    with pytest.raises(z.GameError, match=words):
        z.solve(Stopped(), tmp_path / "heap.zermelo")
    assert z.solve(Unwritten())[Heap(3)] == z.Value.win(3)
    (note,) = [note for note in z.check(Unwritten(), games=1).notes if "no solution can be saved" in note]
    assert note.startswith("`initial` returns Heap(left=3), a Heap, which cannot be written as a literal")


class Staying(Ladder):
    """The same, but it does not say that one may stay."""

    loops = False


class Around(Counting):
    """Count in a circle."""

    native = False

    def play(self, state, step):
        return (state + step) % 3


@pytest.mark.parametrize(("game", "place"), [(Staying(rungs=3), 0), (Around(), 2)])
def test_an_interpreted_solve_says_that_loops_are_not_declared(game, place):
    with pytest.raises(GameError) as caught:
        z.solve(game)
    said = f"solve of {game!r}: play repeats {place}, although the game does not say loops = True."
    assert str(caught.value) == said
