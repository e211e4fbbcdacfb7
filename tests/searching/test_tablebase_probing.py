"""Search meets database: what a solution knows is not searched, and what a search says agrees with it."""

import gc
import random
import threading

import pytest

import zermelo as z
from zermelo import DRAW, LOSS, ONGOING, Game, GameError, Limit
from zermelo.play import Engine
from zermelo.rules import payoff
from zermelo.searching.runtime import background_compilation
from zermelo.searching.runtime.tablebase_probing import with_tablebase
from zermelo.simulation.perft_divide import count_leaves


class Countdown(Game):
    """Take one to three from a heap; with a pass, play cycles. Words as states: interpreted."""

    native = False
    loops = True

    def initial(self):
        return "IIIIIIII"

    def moves(self, heap):
        return range(min(3, len(heap)) + 1) if len(heap) > 5 else range(1, min(3, len(heap)) + 1)

    def play(self, heap, taken):
        return heap[taken:]

    def result(self, heap):
        return LOSS if not heap else ONGOING


@pytest.fixture(scope="module")
def four():
    return z.solve(z.load("connect_four(4, 4)"))


def some_states(solution, count, seed=1):
    """Unfinished states, drawn at random."""
    states = random.Random(seed).choices(list(solution), k=4 * count)
    return [state for state in states if payoff(solution.game, state) == ONGOING][:count]


@pytest.mark.slow
def test_search_says_what_the_database_says(four):
    for state in some_states(four, 60):
        alone = z.search(four.game, state, exact=True)
        probed = z.search(four.game, state, exact=True, database=four)
        assert repr(probed.value) == repr(alone.value) == repr(four.value(state))
        assert probed.nodes <= alone.nodes
        assert probed.game is four.game
        assert probed.move in four.best(state)
        every = z.search(four.game, state, Limit(depth=1), lines=4, database=four)
        assert {move: value.score for move, value in every.moves.items()} == {
            move: value.score for move, value in four.moves(state).items()
        }


def test_many_states_and_a_file(four, tmp_path):
    path = tmp_path / "four"
    four.save(path)
    states = some_states(four, 40, seed=2)
    found = z.search_many(four.game, states, database=str(path))
    assert [repr(report.value) for report in found] == [repr(four.value(state)) for state in states]


def test_a_part_of_a_game_is_enough(four):
    """The later stages alone: a search from the start reaches them, and proves what the whole would say."""
    later = {stage: table for stage, table in four.tables.items() if stage >= 6}
    part = z.Solution(four.game, four.header, later)
    found, alone = z.search(four.game, exact=True, database=part), z.search(four.game, exact=True)
    assert repr(found.value) == repr(alone.value)
    assert found.nodes < alone.nodes


def test_outcomes_without_distance(four):
    wdl = z.solve(four.game, wdl=True)
    for state in some_states(four, 20, seed=3):
        assert z.search(four.game, state, Limit(depth=2), database=wdl).value.outcome in (
            four.value(state).outcome,
            None,
        )


@pytest.mark.slow
def test_loops_are_proven_where_the_database_has_them():
    game = z.load("three_mens_morris")
    solution = z.solve(game)
    with pytest.raises(GameError, match="has loops"):
        z.search(game, exact=True)
    report = z.search(game, exact=True, database=solution)
    assert (str(report.value), report.move) == ("win in 9", solution.best()[0])


def test_chance():
    solution = z.solve(z.load("pig(10)"))
    report = z.search(solution.game, limit=Limit(depth=2), database=solution)
    assert report.value.score == pytest.approx(solution.value().score, abs=1e-8)
    assert report.move in solution.best()


def test_rules_that_do_not_compile():
    game = Countdown()
    solution = z.solve(game)
    for state in some_states(solution, 5):
        report = z.search(game, state, Limit(depth=1), database=solution)
        if solution.value(state).outcome != DRAW:
            assert report.value.score == solution.value(state).score


def test_a_game_that_alone_is_not_compiled_stays_so_with_a_database():
    game = z.load("tic_tac_toe")
    object.__setattr__(game, "native", False)
    assert with_tablebase(game, z.solve(game)).native is False


def test_an_engine_with_a_database_plays_perfectly(four):
    engine = Engine(four.game, Limit(depth=1), database=four)
    for state in some_states(four, 15, seed=4):
        assert engine.choose(state).move in four.best(state)


def test_databases_of_another_game_are_errors(four):
    with pytest.raises(GameError, match="the database is one of ConnectFour"):
        z.search(z.load("connect_four(4, 3)"), database=four)
    with pytest.raises(GameError, match="database must be a Solution or its file, not 5"):
        z.search(four.game, database=5)


class Waiting:
    """A search whose kernel is compiled at once."""

    finished = True
    kernel = count_leaves

    def __init__(self, game):
        self.game, self.lock, self.wake = game, threading.RLock(), threading.Event()

    def compile(self):
        return True

    def pause(self):
        pass

    def resume(self):
        pass

    def interpret(self):
        pass

    def seconds_left(self, part=1):
        return 600 * part


def test_machine_code_with_a_database_is_found_again_and_keeps_no_class_alive(monkeypatch):
    class Passing(Countdown):
        pass

    game, registry = Passing(), type(background_compilation._compiled_kinds)()
    monkeypatch.setattr(background_compilation, "_compiled_kinds", registry)
    solution = z.solve(game)
    assert background_compilation.compile_while_searching(Waiting(with_tablebase(game, solution)))
    monkeypatch.setattr(
        background_compilation, "BackgroundCompilation", None
    )  # it would be needed if the code were not at hand
    assert background_compilation.compile_while_searching(Waiting(with_tablebase(game, solution)))
    with pytest.raises(TypeError):
        background_compilation.compile_while_searching(Waiting(game))  # without the database it is other code
    assert len(registry) == 1
    del game, solution, Passing
    gc.collect()
    assert len(registry) == 0
