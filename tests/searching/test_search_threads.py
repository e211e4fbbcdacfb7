"""Threads at one search: the referee's values with any table, and every way to stop them."""

import threading
from types import SimpleNamespace

import pytest
from test_search import Hashed, Points, StuckWins, searchable

import naive
import random_games
import zermelo as z
from broken_games import Countdown
from zermelo import GameError, Limit, bits, rules
from zermelo.app.cli import run
from zermelo.keys import state_key
from zermelo.searching.alphabeta import abdada as abdada
from zermelo.searching.alphabeta import transposition_table as table
from zermelo.searching.runtime import search_driver as driver
from zermelo.searching.runtime import search_threads as threads
from zermelo.value import later


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """Helpers begin at once, since these games are small."""
    monkeypatch.setattr(threads, "HELPER_DELAY", 0)


@pytest.mark.parametrize("megabytes", [0.00004, 0.0005, 1])
@pytest.mark.parametrize("game", [Hashed(), StuckWins(), Points()], ids=repr)
def test_threads_agree_with_the_referee_whatever_the_table(game, megabytes):
    for state in searchable(game, 40):
        truth, best = naive.value(game, state), naive.best_moves(game, state)
        for exact in (False, True):
            report = z.search(game, state, exact=exact, threads=2, table=megabytes)
            assert (report.value.score, report.value.exact) == (truth, True)
            assert report.move in best


@pytest.mark.parametrize("count", [2, 3])
def test_threads_prove_boards_of_connect_four(count):
    # a draw, a loss in 24: Tromp's table of values by width and height
    for width, height, value in [(4, 4, "draw"), (5, 4, "draw"), (6, 4, "loss in 24")]:
        report = z.search(z.games.ConnectFour(width, height), exact=True, threads=count, table=1)
        assert str(report.value) == value
        assert len(report.pv) == (report.value.plies or width * height)


def test_values_are_the_same_with_one_thread_and_with_three():
    game = z.load("connect_four")
    for moves in ("44444222117776", "1234567123456712"):
        state = z.position(game, moves)
        one, three = (z.search(game, state, exact=True, threads=count) for count in (1, 3))
        assert (one.value, one.bounds) == (three.value, three.bounds)
        child = z.search(game, game.play(state, three.move), exact=True)
        assert child.value.score == -later(one.value.score, -1)


@pytest.mark.parametrize("exact", [False, True])
def test_every_line_has_the_value_of_its_move(exact):
    game = Hashed()
    for state in searchable(game, 30):
        moves = list(game.moves(state))
        report = z.search(game, state, exact=exact, lines=len(moves), threads=2)
        for move, value in report.moves.items():
            assert value.score == -naive.one_ply_later(naive.value(game, game.play(state, move)))
            assert value.exact
        assert sorted(report.moves) == sorted(moves)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("game", [Hashed(), Points()], ids=repr)
def test_a_limit_of_nodes_holds_for_all_threads_together(game, exact):
    for state in searchable(game, 4):
        truth, total = naive.value(game, state), z.search(game, state, exact=exact, threads=2).nodes
        for nodes in range(2, total + 2):
            report = z.search(game, state, Limit(nodes=nodes), exact=exact, threads=2)
            assert report.nodes <= nodes + 1  # each has an equal part, rounded up
            assert report.move in list(game.moves(state))
            assert report.bounds[0] <= truth <= report.bounds[1]
            if report.value.exact:
                assert report.value.score == truth


def test_an_interpreted_game_has_one_thread():
    game = random_games.RandomGame(size=16, seed=3)
    one, four = z.search(game), z.search(game, threads=4)
    assert (one.value, one.pv, one.nodes) == (four.value, four.pv, four.nodes)


def test_many_states_are_divided_among_threads():
    game = Hashed()
    states = searchable(game, 100)
    for state, report in zip(states, z.search_many(game, states, threads=3), strict=True):
        assert report.value.score == naive.value(game, state)
        assert report.move in naive.best_moves(game, state)
    assert len(z.search_many(game, states[:2], threads=5)) == 2


def test_what_a_helper_raises_is_raised_when_all_have_ended():
    ended = []

    def job(search, worker):
        if worker == "second":
            raise MemoryError("no more")
        ended.append(worker)

    search = SimpleNamespace(workers=["first", "second", "third"], finish=lambda: None)
    with pytest.raises(MemoryError, match="no more"):
        threads.run_on_workers(search, job)
    assert sorted(ended) == ["first", "third"]


def test_a_mark_is_seen_until_it_is_removed_and_never_taken_for_an_entry():
    kernels = abdada.mark_searching, abdada.is_searching, abdada.unmark_searching
    mark_searching, is_searching, unmark_searching = (each.interpreted for each in kernels)
    store, probe = table.store.interpreted, table.probe.interpreted
    for game in (z.load("connect_four"), z.load("nim")):  # entries of two words and of three
        words = table.new_table(0.001)
        for key in (bits.signed(bits.mix(seed)) for seed in range(1, 200)):
            store(game, words, key, ~key, -3, 5, 4, 1, 7)
            entry = probe(game, words, key, ~key)
            assert not is_searching(game, words, key)
            mark_searching(game, words, key)
            assert is_searching(game, words, key)
            assert probe(game, words, key, ~key) in (entry, 0)
            unmark_searching(game, words, key)
            assert not is_searching(game, words, key)


def test_a_search_that_is_stopped_leaves_no_mark_behind():
    game, shared = z.load("connect_four(5,4)"), table.TranspositionTable(1)
    root = game.initial()
    for nodes in (10, 100, 1000, 10_000):
        driver.AlphaBetaSearch(game, root, Limit(nodes=nodes), shared, exact=True, threads=2).run()
        for state in (root, *(game.play(root, move) for move in game.moves(root))):
            assert not abdada.is_searching.interpreted(
                game, shared.words, state_key(game, rules.canonical(game, state))
            )


@pytest.mark.parametrize("count", [0, -1, 1.5, True, "2"])
def test_errors_for_invalid_options(count):
    game = z.load("tic_tac_toe")
    with pytest.raises(GameError, match="threads must be a whole number from 1 to 1024 or None"):
        z.search(game, threads=count)
    with pytest.raises(GameError, match="lines must be a whole number above zero"):
        z.analyze(game, lines=count)
    with pytest.raises(GameError, match="threads must be a whole number from 1 to 1024 or None"):
        z.search_many(game, [], threads=count)


def test_more_threads_than_any_machine_has_are_an_error(capfd):
    game = z.load("tic_tac_toe")
    for ask in (z.search, z.analyze, lambda game, **options: z.search_many(game, [], **options), z.solve):
        with pytest.raises(GameError, match="threads must be a whole number from 1 to 1024 or None, not 1025"):
            ask(game, threads=1025)
    with pytest.raises(GameError, match="verify: threads must be a whole number from 1 to 1024 or None, not 1025"):
        z.verify("nothing", threads=1025)
    for command in ("analyze nim", "solve nim", "play nim", "serve nim"):
        assert run([*command.split(), "--threads", "1025"]) == 2
        assert "'--threads': it must be at most 1024" in capfd.readouterr().err


@pytest.mark.parametrize("megabytes", [0, -1, float("nan"), "64 bytes", True, None, "2TB"])
def test_a_table_of_no_size_is_an_error(megabytes):
    with pytest.raises(GameError, match="table must be a size of memory up to 1 TB"):
        z.search(z.load("tic_tac_toe"), table=megabytes)


def test_a_game_is_looked_into_while_another_is_compiled():
    jobs = [lambda: z.perft(Countdown(901), 3), lambda: Countdown(902).native_error, lambda: z.perft(Countdown(903), 3)]
    workers = [threading.Thread(target=job, daemon=True) for job in jobs]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=300)
    assert not any(worker.is_alive() for worker in workers)  # they would wait for each other for ever
