"""What a search does beyond its limit, and beside its table: extending its lines, and path-independent searches."""

from contextlib import contextmanager

import pytest
from test_exact_lines import Head

from zermelo import LOSS, ONGOING, Game, Limit
from zermelo.searching.alphabeta.transposition_table import TranspositionTable, new_table
from zermelo.searching.runtime import search_worker as worker_module
from zermelo.searching.runtime.search_driver import AlphaBetaSearch
from zermelo.searching.runtime.search_worker import Worker
from zermelo.searching.runtime.thread_memory import NODES, ROOT_MOVES
from zermelo.value import INFINITY


class Ways(Head):
    """The same, where visits of states are counted."""

    visits = 0
    alarm = staticmethod(lambda: None)

    def result(self, state):
        type(self).visits += 1
        type(self).alarm()
        return Head.result(self, state)


GRACE = 20
"""Looks after which the clock of these tests says that the grace is over."""


@pytest.fixture
def by_looks(monkeypatch):
    """Time counted in visits: run a search that is stopped, and return how many visits it took after that."""

    @contextmanager
    def deadline(seconds, stop):
        end = Ways.visits + GRACE
        Ways.alarm = staticmethod(lambda: stop() if Ways.visits == end else None)
        yield

    monkeypatch.setattr(worker_module, "deadline", deadline, raising=False)

    def stopped(at, **options):
        search = AlphaBetaSearch(Ways(), Ways().initial(), Limit(depth=7), TranspositionTable(0.1), 9, **options)
        Ways.visits = 0
        Ways.alarm = staticmethod(lambda: search.stop() if Ways.visits == at else None)
        return search.run(), Ways.visits - at

    yield stopped
    Ways.alarm = staticmethod(lambda: None)


@pytest.mark.parametrize("tell", [None, lambda report: None])
def test_all_lines_together_get_a_moment_once_the_clock_has_run_out(by_looks, tell):
    whole = by_looks(0, tell=tell)[1]
    cut = 0
    for at in range(1, whole, 23):
        report, late = by_looks(at, tell=tell)
        assert late <= GRACE + 2
        for line in report.lines:
            assert not line.value.exact or (str(line.value), line.pv[1:]) == ("win in 5", line.pv[1:5])
            cut += line.value.exact and len(line.pv) < 5
    assert cut  # some were stopped while they were followed, or there is nothing to see here


class Ring(Game):
    """Steps on a ring, towards its end or away from it."""

    native = False
    loops = True

    def initial(self):
        return 9

    def moves(self, place):
        return (1, 2, -1)

    def play(self, place, step):
        return (place - step) % 40

    def result(self, place):
        return LOSS if place == 0 else ONGOING


def megabytes(table):
    return len(table) * 8 / (1 << 20)


def test_no_table_grows_beyond_the_limit():
    worker = Worker(Ring(), 9, new_table(0.001), compiled=False, nodes=1 << 40, max_megabytes=1)
    worker.memory[NODES] = 100_000
    with worker.uncounted(1000):
        worker.score_of_move(1, 2, -1, 1)
        with worker.path_free():
            worker.score_of_move(1, 2, -1, 1)
    assert megabytes(worker.table) <= 0.001
    worker.score_of_move(1, 2, -1, 1)
    assert megabytes(worker.table) > 0.5


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_path_independent_tables_of_all_threads_take_a_quarter(threads):
    search = AlphaBetaSearch(Ring(), 9, Limit(depth=9), TranspositionTable(16), threads=threads)
    search.pool.start(compiled=True)
    for worker in search.workers:
        worker.compiled = False  # its rules are plain Python
        with worker.path_free():
            worker.memory[NODES] = 10_000_000
            worker.score_of_move(1, 2, -1, 1)
    assert sum(megabytes(worker.path_free_table) for worker in search.workers) == 4


def test_a_path_independent_table_grows_with_its_own_searches_alone():
    worker = Worker(Ring(), 9, new_table(1), compiled=False, nodes=1 << 40, max_megabytes=64)
    sizes = []
    for path_free, ordinary in [(1, 10_000_000), (1, 1), (10_000_000, 1)]:
        with worker.path_free():
            worker.memory[NODES] += path_free
            worker.score_of_move(1, 2, -1, 1)
        sizes.append((megabytes(worker.table), megabytes(worker.path_free_table)))
        worker.memory[NODES] += ordinary
        worker.score_of_move(1, 2, -1, 1)
    assert sizes == [(1, 1), (64, 1), (64, 16)]


def test_the_root_is_searched_by_few_calls_and_as_every_node():
    """The best score is that of a search of the root as a state, and each move has its nodes."""
    game = Ring()
    worker = Worker(game, 9, new_table(1), compiled=False, nodes=1 << 40)
    moves, tried, best = worker.moves, 0, -INFINITY
    while tried < len(moves):
        before = tried
        tried, score = worker.score_of_moves(moves, tried, 5, best, INFINITY)
        assert before < tried
        best = max(best, score)
    assert best == Worker(game, 9, new_table(1), compiled=False, nodes=1 << 40).score(9, 5, 0, -INFINITY, INFINITY)
    assert all(worker.nodes_of_move[move] > 0 for move in moves)
    assert sum(worker.nodes_of_move.values()) == worker.nodes
    assert worker.memory[ROOT_MOVES] == 0


def test_a_root_with_more_moves_than_a_row_holds():
    worker = Worker(Ring(), 9, new_table(1), compiled=False, nodes=1 << 40)
    moves = worker.moves * 100
    tried, score = worker.score_of_moves(moves, 0, 3, -INFINITY, INFINITY)
    assert tried == 1
    assert worker.score_of_moves(moves, tried, 3, score, INFINITY) == (len(moves), score)
