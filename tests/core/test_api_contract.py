"""The public interface: values that compare as they read, names that mean one thing, defaults that are said."""

import inspect
import itertools
import json

import pytest

import taking
import zermelo as z
from zermelo import DRAW, WIN, GameError, Limit, Value
from zermelo.value import DECISIVE, LOWER

VALUES = [
    Value.win(3), Value.win(3).seen_by(0), Value.win(3).seen_by(1), Value.win(5), Value.loss(4), Value.draw(),
    Value.draw(7), Value.draw_by_repetition(), Value.estimate(0), Value.estimate(0.0), Value.estimate(2.5),
    Value.margin(2), Value.expected(2), Value.at_least(0), Value.at_most(0), Value.at_least(DECISIVE), Value.unknown(),
    Value.of(z.win_in(3), exact=False, bound=LOWER), Value.of(z.loss_in(3), exact=False, bound=LOWER),
]  # fmt: skip


class Countdown(taking.Countdown):
    native = False
    start: int = 5

    def evaluate(self, left):
        return 0.25


# -- values --------------------------------------------------------------------------------------------------------


def test_equality_order_and_hash_of_values_agree():
    assert Value.win(3) == Value.win(3).seen_by(0)
    for a, b in itertools.product(VALUES, VALUES):
        if a.bound == b.bound:  # what is proven to a different degree may be neither less nor equal
            assert (a == b) == (not a < b and not a > b)
        assert (a == b) == (a <= b and a >= b)
        assert (a <= b) == (a < b or a == b)
        assert (a >= b) == (a > b or a == b)
        assert a != b or hash(a) == hash(b)
        assert (a < b) == (-b < -a)
    assert len({Value.draw(), Value.draw_by_repetition(), Value.win(3), Value.win(3).seen_by(1)}) == 2
    assert Value.estimate(0) != Value.draw()


def test_a_value_compares_with_values_only():
    assert Value.draw() != 0
    with pytest.raises(TypeError):
        assert Value.draw() < 0


def test_a_value_is_exact_where_its_bound_says_so_and_nowhere_else():
    for value in VALUES:
        record = value.to_dict()
        assert record["exact"] == (record["bound"] == "exact") == value.exact
    estimate = z.search(Countdown(50), limit=Limit(depth=2)).to_dict()["value"]
    assert (estimate["exact"], estimate["bound"], estimate["outcome"]) == (False, "estimate", None)
    proven = z.search(Countdown(5)).to_dict()["value"]
    assert (proven["exact"], proven["bound"], proven["outcome"]) == (True, "exact", "win")
    assert json.loads(json.dumps(Value.unknown().to_dict()))["bound"] == "unknown"


# -- names ---------------------------------------------------------------------------------------------------------


def test_what_calls_return_and_raise_can_be_imported():
    with z.analyze(Countdown()) as analysis:
        assert isinstance(analysis, z.Analysis)
        *_, report = analysis
    assert isinstance(report, z.Report)
    assert all(isinstance(line, z.Line) for line in report.lines)
    with pytest.raises(z.FileError):
        z.Solution.open("no/such/file")
    assert {"Analysis", "FileError", "Line"} <= set(z.__all__)
    assert all(hasattr(z, name) for name in z.__all__ if name != "plots")


def test_a_file_error_is_an_os_error_with_its_number():
    with pytest.raises(OSError) as found:
        z.Solution.open("no/such/file")
    assert isinstance(found.value, GameError)
    assert (found.value.errno, found.value.filename) == (2, "no/such/file")
    assert str(found.value) == "no/such/file cannot be read: no such file or directory."
    with pytest.raises(OSError, match="it is a folder"):
        z.solve(Countdown(), "/")


def test_each_branching_factor_has_its_own_name():
    class Tree(z.RandomTree):
        native = False

    report = z.search(Tree(branching=3, depth=8, seed=1), limit=Limit(depth=4))
    statistics = report.statistics
    assert report.growth == report.rounds[-1] / report.rounds[-2] == statistics.rounds[-1].growth
    assert statistics.branching_factor == 3
    assert statistics.effective_branching_factor == report.rounds[-1] ** (1 / 4)
    for name in ("branching", "effective", "figures"):
        assert not hasattr(report, name)
        assert not hasattr(statistics, name)
    assert "branching" not in report.to_dict()


# -- limits, threads and tables --------------------------------------------------------------------------------------

SEARCHES = (z.search, z.analyze, z.search_many, z.prove, z.monte_carlo)


def default(verb, name):
    return inspect.signature(verb).parameters[name].default


def test_the_default_limit_is_said_where_it_is_taken():
    for verb in SEARCHES:
        assert default(verb, "limit") is None
        assert "Without a limit" in " ".join(verb.__doc__.split())
    for verb in (z.search, z.search_many, z.monte_carlo):
        assert "DEFAULT_LIMIT" in verb.__doc__


def test_without_a_limit_an_estimate_takes_the_default_and_a_proof_as_long_as_it_takes(monkeypatch):
    """A game that is far too large for the default limit, and is proven without one."""
    from zermelo.searching import search_api

    class Moderate(Countdown):
        start: int = 16

    monkeypatch.setattr(search_api, "DEFAULT_LIMIT", Limit(nodes=10))
    assert not z.search(Moderate()).value.exact
    assert z.monte_carlo(Moderate()).nodes <= 20
    assert z.search(Moderate(), exact=True).value.exact
    assert z.search(Moderate(), limit=Limit()).value.exact
    assert z.prove(Moderate()).value.outcome == WIN
    with z.analyze(Moderate()) as reports:
        *_, last = reports
    assert last.value.exact
    assert z.search_many(Moderate(), [16])[0].value.exact
    assert not z.search_many(Moderate(), [16], exact=False)[0].value.exact


def test_an_engine_has_its_limit_in_its_signature():
    from zermelo.play import Engine

    assert default(Engine, "limit") == Limit(seconds=1)
    with pytest.raises(GameError, match="limit must be a Limit or a Clock, not None"):
        Engine(Countdown(), None)


def test_threads_are_one_where_more_change_the_report_and_all_cores_where_they_do_not():
    from zermelo.play import Engine

    for verb in (z.search, z.analyze, z.search_many, Engine):
        assert default(verb, "threads") == 1
    for verb in (z.solve, z.verify):
        assert default(verb, "threads") is None
    assert z.search(Countdown(), threads=None).value == Value.win(3)
    assert z.search_many(Countdown(), [5], threads=None)[0].value == Value.win(3)
    assert Engine(Countdown(), threads=None).threads >= 1
    for verb in (z.search, z.search_many, z.solve, z.verify):
        assert "all cores" in " ".join(verb.__doc__.split())


@pytest.mark.parametrize("table", [1, 0.5, "1MB", "1 MB", "512KB", "0.001GB"])
def test_a_table_has_a_size_in_megabytes_or_with_its_unit(table):
    assert z.search(Countdown(), table=table).value.exact
    assert z.prove(Countdown(), table=table).value.outcome == WIN
    assert z.monte_carlo(Countdown(), 5, Limit(nodes=50), table=table).nodes > 0
    assert z.search_many(Countdown(), [5], table=table)[0].value.exact


@pytest.mark.parametrize("verb", SEARCHES)
def test_a_table_of_no_size_is_a_sentence_in_every_verb(verb):
    states = [[5]] if verb is z.search_many else []
    with pytest.raises(GameError, match=f"^{verb.__name__} of Countdown.*: table must be a size of memory"):
        verb(Countdown(), *states, table="64 bits")


# -- solutions -----------------------------------------------------------------------------------------------------


def test_a_solution_is_a_mapping_of_states_to_values():
    from collections.abc import Mapping

    solution = z.solve(Countdown(5))
    assert isinstance(solution, Mapping)
    assert sorted(solution) == sorted(solution.keys()) == [0, 1, 2, 3, 4, 5]
    assert len(solution) == len(solution.items()) == len(list(solution.values())) == 6
    assert str(solution[3]) == "loss in 2"
    assert solution[3] == solution.value(3)
    assert dict(solution.items())[4] == solution[4] == solution.get(4)
    assert 5 in solution
    assert 6 not in solution
    assert None not in solution
    assert solution.get(6) is None
    assert solution.get(6, Value.draw()) == Value.draw()
    for missing in (6, None, "three"):
        with pytest.raises(KeyError):
            solution[missing]
    with pytest.raises(GameError, match=r"^Countdown\(start=5\): 6 is not among the 6 states that were solved\.$"):
        solution[6]
    assert solution == solution
    assert solution != z.solve(Countdown(5))
    assert hash(solution) == hash(solution)


def test_an_equivalent_state_is_found_and_one_of_them_is_listed():
    class Interpreted(z.games.TicTacToe):
        native = False

    solution = z.solve(Interpreted())
    corner = z.position(solution.game, "a1")
    other = z.position(solution.game, "c3")
    assert corner in solution
    assert other in solution
    assert solution[corner] == solution[other]
    assert [state in (corner, other) for state in solution].count(True) == 1
    assert solution[corner].outcome == DRAW


# -- the command line ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [["--seconds", "20"], ["--time", "20"], ["--time=20"], ["--table", "1MB"]])
def test_seconds_are_called_so_and_the_old_name_is_read(capfd, options):
    from zermelo.app.cli import run

    assert run(["analyze", f"{taking.__file__}:Countdown(start=5)", "--json", *options]) == 0
    last = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert (last["final"], last["value"]["text"], last["value"]["bound"]) == (True, "win in 3", "exact")


def test_the_old_name_is_not_shown(capfd):
    from zermelo.app.cli import run

    for command in (["analyze"], ["plot", "progress"], ["play"]):
        run([*command, "--help"])
        text = capfd.readouterr().out
        assert "--seconds" in text
        assert "--time" not in text


def test_a_decisive_bound_is_a_bound_and_not_an_estimate():
    value = Value.of(z.win_in(3), exact=False, bound=LOWER)
    assert value == Value.at_least(z.win_in(3))
    assert value.to_dict()["bound"] == "lower"
    assert str(value) == ">= win in 3"


def test_numbers_beyond_floats_are_refused():
    with pytest.raises(ValueError, match="seconds"):
        Limit(seconds=10**400)


def test_an_epsilon_of_one_proves_nothing():
    with pytest.raises(GameError, match=r"epsilon must be a number from 1e-12 up and below 1, not 1"):
        z.solve(z.load("pig(8)"), epsilon=1)
