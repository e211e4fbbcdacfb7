"""analyze: a stream of reports that may be stopped anywhere; exact searches, time limits, and memory."""

import _thread
import itertools
import resource
import sys
import threading
import time
import traceback
import tracemalloc

import pytest
from test_search import Hashed, Points, searchable

import naive
import random_games
import zermelo as z
from zermelo import Limit
from zermelo.native import Kernel, compile_process
from zermelo.searching.runtime import background_compilation as compilation_module
from zermelo.searching.runtime import search_driver as driver

CONNECT_FOUR = z.load("connect_four")


def searching():
    """The threads that are at a search now. Libraries of other tests keep pools of threads that wait."""
    return [
        thread for thread in threading.enumerate() if thread.name.startswith(("analysis", "search")) or at_batch(thread)
    ]


def at_batch(thread):
    """Whether it is a thread of a pool that calls something of Zermelo's."""
    if not thread.name.startswith("ThreadPool"):
        return False
    frames = traceback.walk_stack(sys._current_frames().get(thread.ident))
    return any(frame.f_globals.get("__name__", "").startswith("zermelo.") for frame, _ in frames)


def wait_until_idle():
    """Wait until no thread is at a search; threads are used again, so they do not end."""
    end = time.monotonic() + 60
    while searching():
        assert time.monotonic() < end
        time.sleep(0.005)


# -- the stream --------------------------------------------------------------------------------------------------------


def test_the_last_report_is_that_of_a_search():
    with z.analyze(CONNECT_FOUR, limit=Limit(depth=8)) as reports:
        stream = list(reports)
    searched = z.search(CONNECT_FOUR, limit=Limit(depth=8))
    last = stream[-1]
    assert (last.value, last.pv, last.nodes, last.rounds) == (
        searched.value, searched.pv, searched.nodes, searched.rounds,
    )  # fmt: skip
    assert {report.depth for report in stream} >= set(range(1, 9))
    assert all(one.depth <= other.depth and one.nodes <= other.nodes for one, other in itertools.pairwise(stream))
    assert all(report.move in range(7) for report in stream)


def test_without_a_limit_it_goes_on_until_the_value_is_proven():
    for state in searchable(Hashed(), 20):
        with z.analyze(Hashed(), state) as reports:
            *_, last = reports
        assert (last.value.score, last.value.exact) == (naive.value(Hashed(), state), True)


def test_leaving_the_block_ends_the_search():
    with z.analyze(CONNECT_FOUR) as reports:
        for report in reports:
            if report.depth >= 4:
                break
    assert not searching()
    assert list(reports) == []
    reports.close()
    assert not searching()


def test_an_exception_in_the_block_ends_the_search():
    with pytest.raises(KeyError), z.analyze(CONNECT_FOUR) as reports:
        raise KeyError(next(reports).depth)
    assert not searching()


def test_nothing_needs_to_be_read():
    with z.analyze(CONNECT_FOUR, exact=True, threads=2, lines=3):
        pass
    assert not searching()


def test_stopping_leaves_the_last_report_to_be_read():
    with z.analyze(CONNECT_FOUR) as reports:
        first = next(reports)
        reports.stop()
        rest = list(reports)
    assert rest
    assert rest[-1].depth >= first.depth
    assert not rest[-1].value.exact


def test_a_reader_in_a_hurry_does_not_wait_for_the_end(monkeypatch):
    """The thread of a search may get no turn for long; its answer is given all the same, and the next search waits."""
    from zermelo.play import Engine
    from zermelo.searching.runtime.search_driver import AlphaBetaSearch

    turn, final = threading.Event(), AlphaBetaSearch._final_report

    def late(search):
        assert turn.wait(60)
        return final(search)

    monkeypatch.setattr(AlphaBetaSearch, "_final_report", late)
    engine = Engine(z.load("tic_tac_toe(4, 4, 4)"), z.Limit(seconds=30))
    for limit in (z.Limit(seconds=30), z.Limit(seconds=0.2)):  # stopped, and at its limit
        engine.limit = limit
        reports = []

        def heard(report, told=reports, stopped=limit.seconds > 1):
            told.append(report)
            if stopped:
                engine.stop()

        begin = time.perf_counter()
        engine.choose(engine.game.initial(), heard)
        assert time.perf_counter() - begin < 20
        assert reports
        threading.Timer(0.1, turn.set).start()
        engine._searches.wait_for_last()
        assert turn.is_set()
        turn.clear()
    turn.set()


def test_an_analysis_that_is_garbage_is_stopped():
    reports = z.analyze(CONNECT_FOUR, exact=True)
    assert next(reports).move in range(7)
    assert len(searching()) == 1
    del reports
    wait_until_idle()


class Broken(random_games.RandomGame):
    """A rule that fails in some states."""

    def play(self, state, move):
        if state > 8:
            raise ZeroDivisionError(f"in {state}")
        return super().play(state, move)


def test_what_the_rules_raise_is_raised_where_reports_are_read():
    with pytest.raises(ZeroDivisionError), z.analyze(Broken(size=16, seed=2)) as reports:
        list(reports)
    with pytest.raises(ZeroDivisionError):
        z.search(Broken(size=16, seed=2))
    assert not searching()


UNLIMITED = [
    lambda: z.search(CONNECT_FOUR, exact=True),
    lambda: z.prove(CONNECT_FOUR),
    lambda: z.monte_carlo(CONNECT_FOUR, limit=Limit(nodes=1 << 60)),
    lambda: z.search_many(CONNECT_FOUR, [CONNECT_FOUR.initial()]),
    lambda: z.search_many(CONNECT_FOUR, [CONNECT_FOUR.initial()] * 40, threads=3),
    lambda: z.search_many(CONNECT_FOUR, [CONNECT_FOUR.initial()] * 3, Limit(nodes=1 << 60)),
]
"""Searches that would take hours."""


def _press(over):
    """Press Ctrl-C once the search runs, and again if nobody hears: Python drops one that meets it in a finalizer."""
    while not searching():
        over.wait(0.01)
    wait = 0.1
    while not over.wait(wait):
        _thread.interrupt_main()
        wait = 20


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("search", UNLIMITED)
def test_ctrl_c_ends_a_search(search):
    warm = [CONNECT_FOUR, z.position(CONNECT_FOUR, "4455"), Limit(nodes=50)]
    for ask in (z.search, z.prove, z.monte_carlo):
        ask(*warm)
    z.search_many(CONNECT_FOUR, [z.position(CONNECT_FOUR, "112233")])
    over = threading.Event()

    def interrupted():
        threading.Thread(target=_press, args=(over,), daemon=True).start()
        try:
            search()
        finally:
            over.set()

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    wait_until_idle()  # no more than a moment's business is left


def test_limits_together():
    report = z.search(CONNECT_FOUR, limit=Limit(seconds=60, depth=5, nodes=10**9))
    assert report.depth == 5
    report = z.search(CONNECT_FOUR, limit=Limit(seconds=60, depth=50, nodes=1000))
    assert report.nodes <= 1000
    report = z.search(CONNECT_FOUR, limit=Limit(seconds=0.1, depth=50, nodes=10**12))
    assert report.depth < 50


# -- exact searches that are stopped, and with lines ----------------------------------------------------------------


@pytest.mark.parametrize("game", [Hashed(), Points()], ids=repr)
def test_an_exact_search_stopped_at_every_node_claims_nothing_false(game):
    for state in searchable(game, 6):
        truth = naive.value(game, state)
        total = z.search(game, state, Limit(nodes=10**9), exact=True, lines=2).nodes
        for nodes in range(1, total + 2):
            report = z.search(game, state, Limit(nodes=nodes), exact=True, lines=2)
            assert report.nodes <= nodes
            assert report.move in list(game.moves(state))
            assert len(report.moves) == len(report.lines)
            assert report.bounds[0] <= truth <= report.bounds[1]
            if report.value.exact:
                assert report.value.score == truth
                assert report.move in naive.best_moves(game, state)
            if report.value.outcome is not None:
                assert (report.value.outcome > 0) == (truth > 0)
                assert (report.value.outcome < 0) == (truth < 0)


@pytest.mark.parametrize("game", [Hashed(), Points()], ids=repr)
def test_exact_lines_have_the_values_of_their_moves(game):
    for state in searchable(game, 40):
        moves = list(game.moves(state))
        report = z.search(game, state, exact=True, lines=len(moves))
        assert sorted(report.moves) == sorted(moves)
        for line in report.lines:
            child = game.play(state, line.pv[0])
            turned = naive.player_after(game, naive.player_at(game, state), child) != naive.player_at(game, state)
            assert line.value.score == naive.one_ply_later(naive.value(game, child)) * (-1 if turned else 1)
            assert line.value.exact


@pytest.mark.parametrize("look", [20_000, 30_000], ids="{:_} nodes of deepening".format)
def test_an_exact_stream_closes_in_on_the_value(monkeypatch, look):
    monkeypatch.setattr(driver, "FIRST_LOOK_NODES", look)
    game = z.load("connect_four(5,4)")
    with z.analyze(game, exact=True) as reports:
        stream = list(reports)
    lows, highs = zip(*(report.bounds for report in stream), strict=True)
    assert list(lows) == sorted(lows)
    assert list(highs) == sorted(highs, reverse=True)
    assert stream[-1].bounds == (0, 0)
    assert stream[-1].value.exact


def test_a_stopped_proof_leaves_a_better_move_than_the_first():
    # three in the middle of the bottom row: only column 1 or 5 blocks, and the first of them comes last here
    game = z.load("connect_four")
    state = z.position(game, "273747")
    assert game.move_text(state, z.search(game, state, Limit(nodes=3000), exact=True).move) in "15"


class Promising(z.Game):
    """Thirty plies without transpositions, in which the last of three moves promises most and none loses soon."""

    native = False

    def initial(self):
        return ()

    def moves(self, played):
        return range(3)

    def play(self, played, move):
        return (*played, move)

    def result(self, played):
        return z.DRAW if len(played) == 30 else z.ONGOING

    def evaluate(self, played):
        promise = 5 if played[:1] == (2,) else 0
        return -promise if len(played) % 2 else promise


def test_a_stopped_proof_keeps_the_move_that_looks_best_as_long_as_it_supports_it():
    report = z.search(Promising(), limit=Limit(nodes=22_000), exact=True)
    assert report.bounds[0] > z.loss_in(6)  # by any move
    assert (report.move, report.value.score) == (2, 5)


class Detour(z.Game):
    """A win in one is tried last, after a longer win that transposes into what is known."""

    native = False

    def initial(self):
        return 0

    def moves(self, n):
        return range(2)

    def play(self, n, move):
        return n + 1 + move

    def result(self, n):
        return z.ONGOING if n < 7 else z.LOSS

    def evaluate(self, n):
        return 0.5


@pytest.mark.parametrize("depth", range(1, 9))
def test_a_win_is_called_exact_only_where_nothing_shorter_can_be_left(depth):
    truth = naive.value(Detour())
    report = z.search(Detour(), limit=Limit(depth=depth))
    if report.value.exact:
        assert report.value.score == truth
    if depth >= 7:
        assert report.value.exact


# -- time limits -----------------------------------------------------------------------------------------------------


@pytest.fixture
def compiler(monkeypatch):
    """A compiler that waits to be let go."""
    gate, make = threading.Event(), driver.ready
    kernel = Kernel.ready

    def slow(*arguments):
        gate.wait()
        return make(*arguments)

    monkeypatch.setattr(compilation_module, "_compiled_kinds", {})  # other tests have made it
    monkeypatch.setattr(driver, "ready", slow)
    monkeypatch.setattr(Kernel, "ready", lambda self, *arguments: gate.wait() and kernel(self, *arguments))
    yield gate
    gate.set()


def test_a_clock_does_not_wait_for_the_compiler(compiler):
    for exact in (False, True):
        report = z.search(CONNECT_FOUR, limit=Limit(seconds=0.3), exact=exact, lines=2)
        assert report.move in range(7)
        assert report.nodes < 100_000
        report = z.search(CONNECT_FOUR, limit=Limit(seconds=600, nodes=200), exact=exact, lines=2)
        assert report.depth >= 1
        assert report.nodes <= 200


@pytest.mark.timeout(300)
def test_nor_does_it_on_a_busy_machine(compiler, monkeypatch):
    """The first interpreted search gets nowhere, and three quarters of the limit would be 450 seconds."""
    monkeypatch.setattr(compile_process, "start_compiling", lambda *_, **__: False)
    monkeypatch.setattr(compilation_module, "MAX_FIRST_SECONDS", 0.0)
    monkeypatch.setattr(compilation_module, "MAX_ALONE_SECONDS", 0.1)
    report = z.search(CONNECT_FOUR, limit=Limit(seconds=600, nodes=200))
    assert report.depth >= 1
    assert report.nodes <= 200


@pytest.mark.parametrize("ask", [z.prove, z.monte_carlo])
def test_nor_do_proofs_and_playouts(ask, compiler):
    report = ask(CONNECT_FOUR, limit=Limit(seconds=0.3))
    assert report.move in range(7)
    assert report.nodes < 100_000
    assert ask(CONNECT_FOUR, limit=Limit(seconds=600, nodes=20)).nodes > 0
    state = z.position(CONNECT_FOUR, "112233")
    assert str(ask(CONNECT_FOUR, state, Limit(seconds=600)).value) == "win"


@pytest.mark.parametrize("ask", [z.prove, z.monte_carlo])
def test_machine_code_takes_over_from_proofs_and_playouts(ask, compiler):
    state = z.position(CONNECT_FOUR, "444444222")
    threading.Timer(0.3, compiler.set).start()
    report = ask(CONNECT_FOUR, state, Limit(seconds=600, nodes=20_000))
    compiled = ask(CONNECT_FOUR, state, Limit(nodes=20_000))
    assert report.nodes == compiled.nodes
    assert report.value.bound == compiled.value.bound
    if ask is z.monte_carlo:
        assert report.lines == compiled.lines  # a seed and a number of playouts give one report


def test_machine_code_takes_over_when_it_is_ready(compiler):
    with z.analyze(CONNECT_FOUR, limit=Limit(seconds=600, depth=11), threads=2) as reports:
        first = next(reports)
        compiler.set()
        *_, last = reports
    assert last.depth == 11
    assert last.nodes > first.nodes
    assert last.value == z.search(CONNECT_FOUR, limit=Limit(depth=11)).value


def test_a_proof_while_the_compiler_works_is_a_proof(compiler):
    for state in searchable(Hashed(), 10):
        report = z.search(Hashed(), state, Limit(seconds=600))
        assert (report.value.score, report.value.exact) == (naive.value(Hashed(), state), True)


def test_leaving_does_not_wait_for_the_compiler(compiler):
    with z.analyze(CONNECT_FOUR) as reports:
        assert next(reports).move in range(7)
    assert not searching()


# -- memory ------------------------------------------------------------------------------------------------------------


def peak(nodes):
    tracemalloc.start()
    z.search(CONNECT_FOUR, limit=Limit(nodes=nodes), table=1)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def test_memory_does_not_grow_with_the_nodes():
    peak(1000)
    assert peak(1_000_000) - peak(20_000) < 1 << 18
    assert peak(1_000_000) < 6 << 20


@pytest.mark.slow
def test_a_minute_of_search_stays_within_the_table_and_a_small_constant():
    z.search(CONNECT_FOUR, limit=Limit(depth=6), table=32)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = z.search(CONNECT_FOUR, limit=Limit(seconds=60), table=32, threads=2)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert report.nodes > 10_000_000
    assert after - before < (32 + 16) << 10  # kilobytes
