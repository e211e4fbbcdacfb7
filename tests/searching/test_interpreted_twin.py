"""The interpreted twin of a search without a time limit, which runs while another process compiles its kernel."""

import threading

import pytest

import taking
import zermelo as z
from zermelo import Limit
from zermelo.native import compile_process
from zermelo.native.kernel_dispatch import Kernel
from zermelo.searching.alphabeta.transposition_table import TranspositionTable
from zermelo.searching.runtime import background_compilation
from zermelo.searching.runtime.search_driver import AlphaBetaSearch

SEARCHES = [
    ("tic_tac_toe", {}),
    ("tic_tac_toe", {"limit": Limit(depth=4), "lines": 3}),
    ("tic_tac_toe", {"limit": Limit(nodes=700)}),
    ("tic_tac_toe", {"exact": True}),
    ("nim", {}),
    ("pig(10)", {"limit": Limit(depth=2)}),
    ("connect_four", {"limit": Limit(depth=4)}),
]


@pytest.fixture
def beside(monkeypatch):
    """Twins are allowed, no process is started, and a compilation lasts until the event is set. Count the twins."""
    compiled, twins, new_twin = threading.Event(), [], AlphaBetaSearch._new_twin

    def wait_for(game, kernel, is_done):
        while not (is_done() or compiled.wait(0.001)):
            pass

    def counted(search):
        twin = new_twin(search)
        twins.extend([] if twin is None else [twin])
        return twin

    monkeypatch.setenv(compile_process.TWIN_VARIABLE, "1")
    monkeypatch.setattr(compile_process.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(compile_process, "start_compiling", lambda *_, **__: True)
    monkeypatch.setattr(background_compilation, "wait_for", wait_for)
    monkeypatch.setattr(Kernel, "is_cached", lambda *_: False)
    monkeypatch.setattr(AlphaBetaSearch, "_new_twin", counted)
    return compiled, twins


def known(report):
    """A report without its time."""
    return report.value, report.lines, report.depth, report.nodes, report.rounds, report.bounds


@pytest.mark.parametrize(("name", "options"), SEARCHES, ids=str)
def test_the_report_is_the_same_whoever_answers(name, options, beside, monkeypatch):
    compiled, twins = beside
    first = z.search(z.load(name), **options)
    assert len(twins) == 1
    assert not twins[0].workers[0].compiled
    compiled.set()
    second = z.search(z.load(name), **options)
    monkeypatch.setenv(compile_process.TWIN_VARIABLE, "0")
    assert known(first) == known(second) == known(z.search(z.load(name), **options))
    assert len(twins) == 2


def searched_in_turn(compiled, compiled_from):
    """Reports of searches that share a table; those from a number on are answered by the compiled kernel."""
    game, table, reports = z.load("tic_tac_toe"), z.TranspositionTable(1), []
    for number, (text, depth) in enumerate((("", 6), ("b2", 4), ("", 5), ("b2 a1", 5))):
        (compiled.set if number >= compiled_from else compiled.clear)()
        reports.append(known(z.search(game, z.position(game, text), Limit(depth=depth), table=table)))
    return reports


def test_a_table_that_searches_share_does_not_tell_who_has_answered(beside, monkeypatch):
    compiled, twins = beside
    by_twins, first_by_a_twin, compiled_ones = (searched_in_turn(compiled, number) for number in (9, 1, 0))
    assert len(twins) == 12
    monkeypatch.setenv(compile_process.TWIN_VARIABLE, "0")
    assert searched_in_turn(compiled, 0) == compiled_ones == first_by_a_twin == by_twins
    game = z.load("tic_tac_toe")
    assert z.search(game, limit=Limit(depth=5)).nodes > by_twins[2][3]  # which found what the others had left


def test_reports_go_on_where_the_twin_ended(beside):
    compiled, twins = beside
    depths = []
    with z.analyze(z.load("connect_four"), limit=Limit(depth=8)) as reports:
        for report in reports:
            depths.append(report.depth)
            if report.depth == 3:
                compiled.set()
    assert len(twins) == 1
    assert twins[0].paused
    assert depths == sorted(depths)
    assert depths[-1] == 8


def test_a_search_that_is_stopped_answers_with_its_twin(beside):
    _, twins = beside
    with z.analyze(z.load("connect_four"), limit=Limit()) as reports:
        for report in reports:
            if report.depth == 2:
                reports.stop()
    assert twins[0].stopped
    assert report.depth >= 2
    assert report.pv


def test_a_proof_between_rounds_is_left_to_the_compiled_search(beside):
    """Interpreted searches have none, so one that comes to them does not answer."""
    search = AlphaBetaSearch(game := z.load("tic_tac_toe"), game.initial(), Limit(), TranspositionTable(0.01))
    search.proof.between_rounds, search.over = True, True
    search._prepare(compiled=False)
    search.deepening.depth = 12
    assert search.equals_compiled
    search.deepening.depth = 13
    assert not search.equals_compiled


class Countdown(taking.Countdown):
    start: int = 9


class Insists(Countdown):
    native = True


class Raises(Countdown):
    def play(self, state, take):
        if state == 3:
            raise ValueError("three")
        return state - take


def test_several_threads_and_games_that_insist_have_no_twin(beside):
    _, twins = beside
    z.search(Insists())
    z.search(Countdown(), threads=2)
    assert twins == []
    assert z.search(Countdown()).value == z.search(Insists()).value
    assert len(twins) == 1


def test_an_exception_of_a_rule_is_that_of_the_compiled_search(beside):
    _, twins = beside
    with pytest.raises(ValueError, match="three"):
        z.search(Raises())
    assert len(twins) == 1
