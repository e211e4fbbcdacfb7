"""What must not delay a report: the background compiler, a table that grows, a long playout."""

import gc
import random
import sys
import threading

import numpy as np
import pytest

import zermelo as z
from zermelo import LOSS, ONGOING, Game, Limit
from zermelo.monte_carlo_settings import MonteCarlo
from zermelo.native.background_compiler import SWITCH_INTERVAL, THREAD_PREFIX, responsive_compilation
from zermelo.searching.alphabeta import transposition_table
from zermelo.searching.mcts.monte_carlo_search import MonteCarloSearch
from zermelo.searching.runtime import background_compilation as compilation_module
from zermelo.searching.runtime import search_driver, search_worker

USUAL = 0.004
"""Seconds between two switches of threads, chosen so that it can be told from Python's own 5 ms."""


@pytest.fixture(autouse=True)
def usual():
    """The state of the process, as a user has set it; what an earlier test still compiles would change it."""
    for thread in threading.enumerate():
        if thread.name.startswith(THREAD_PREFIX):
            thread.join()
    before = sys.getswitchinterval()
    sys.setswitchinterval(USUAL)
    yield
    sys.setswitchinterval(before)
    gc.enable()


def considerate():
    """Whether the settings keep other threads responsive."""
    return not gc.isenabled() and sys.getswitchinterval() == pytest.approx(SWITCH_INTERVAL)


def unchanged():
    return gc.isenabled() and sys.getswitchinterval() == pytest.approx(USUAL)


def test_compiling_in_the_background_keeps_threads_responsive_and_restores_settings():
    with responsive_compilation():
        assert considerate()
    assert unchanged()
    with pytest.raises(ZeroDivisionError), responsive_compilation():
        1 / 0
    assert unchanged()


def test_two_compilations_at_once_end_in_any_order():
    first, second = responsive_compilation(), responsive_compilation()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert considerate()
    second.__exit__(None, None, None)
    assert unchanged()


def test_what_a_user_has_switched_off_stays_off():
    gc.disable()
    sys.setswitchinterval(SWITCH_INTERVAL / 5)
    with responsive_compilation():
        assert sys.getswitchinterval() < SWITCH_INTERVAL / 2
    assert not gc.isenabled()


def test_no_collection_of_all_that_the_compiler_left_follows():
    collected = []
    gc.callbacks.append(lambda phase, info: collected.append(info["generation"]))
    try:
        with responsive_compilation():
            left = [[number] for number in range(10_000)]
        young = gc.get_count()[0]
    finally:
        gc.callbacks.pop()
    assert collected == []
    assert young < len(left)  # those that are old are looked at in a full collection only


def test_a_search_with_a_time_limit_compiles_responsively(monkeypatch):
    seen = []
    monkeypatch.setattr(compilation_module, "_compiled_kinds", {})
    monkeypatch.setattr(search_driver, "ready", lambda *_: seen.append(considerate()))
    z.search(z.load("tic_tac_toe"), limit=Limit(seconds=600, depth=2))
    assert seen == [True]


# -- a table that grows ------------------------------------------------------------------------------------------------


def filled(seed, slots):
    """A small table with some entries, each in its bucket."""
    dice = random.Random(seed)
    words = transposition_table.new_table(0.01)
    for _ in range(slots):
        transposition_table.store(Long(), words, dice.getrandbits(62), dice.getrandbits(62), -1, 1, 3, 1, 7)
    return words


@pytest.mark.parametrize("size", [8, 64, 1 << 20])  # words; a slice holds whole buckets
def test_a_table_grows_in_slices_of_any_size(size, monkeypatch):
    small = filled(size, 200)
    monkeypatch.setattr(transposition_table, "COPY_WORDS", 1 << 30)
    whole = transposition_table.grow_table(Long(), small, 1)
    monkeypatch.setattr(transposition_table, "COPY_WORDS", size)
    assert np.array_equal(transposition_table.grow_table(Long(), small, 1).array, whole.array)
    assert np.count_nonzero(whole.array) == np.count_nonzero(small.array)


def test_a_table_stops_growing_with_the_search(monkeypatch):
    monkeypatch.setattr(transposition_table, "COPY_WORDS", 4)
    small, visits = filled(1, 200), []
    assert transposition_table.grow_table(Long(), small, 1, lambda: len(visits) == 3 or visits.append(None)) is small
    assert len(visits) == 3


def test_a_search_that_is_stopped_while_its_table_grows_ends(monkeypatch):
    """The kernel that waits for the larger table does nothing, and the answer is the one before."""
    stopped_flags = []
    one = z.analyze(z.load("connect_four"), limit=Limit(nodes=10_000_000))

    def growing(game, words, megabytes, stopped):
        one.stop()
        stopped_flags.append(stopped())
        return words

    monkeypatch.setattr(search_worker, "grow_table", growing)
    report = one.last()
    assert stopped_flags == [True]
    assert report.depth >= 3
    assert report.nodes < 1_000_000


# -- a playout that goes on ----------------------------------------------------------------------------------------


class Long(Game):
    """Counts down from 900, one at a time."""

    native = False
    played = []

    def initial(self):
        return 900

    def moves(self, left):
        return (1,)

    def play(self, left, taken):
        self.played.append(left)
        self.heard(left)
        return left - taken

    def heard(self, left):
        """Somebody visits on."""

    def result(self, left):
        return LOSS if left == 0 else ONGOING


def test_a_playout_ends_with_the_search(monkeypatch):
    monkeypatch.setattr(Long, "played", [])
    one = MonteCarloSearch(Long(), 900, Limit(nodes=5), 1, 0, MonteCarlo())
    monkeypatch.setattr(Long, "heard", lambda self, left: one.stop() if len(self.played) == 20 else None)
    report = one.run()
    assert len(Long.played) < 30  # the report plays a few moves itself
    assert report.nodes == 0
    assert report.move == 1
