"""Every combination of the search's options, on hundreds of random games: noise, null moves, tables, lines, threads."""

import functools
import random

import pytest

import naive
import zermelo as z
from option_games import FEW, FORCING, NOISE, TWICE, Daring, Optional, Round, nodes, places
from zermelo import ONGOING, Limit
from zermelo.native import Kernel
from zermelo.searching.alphabeta import quiescence
from zermelo.searching.alphabeta.root_search import alphabeta
from zermelo.searching.alphabeta.transposition_table import new_table
from zermelo.searching.runtime import search_threads as threads
from zermelo.searching.runtime.thread_memory import MAX_NODES, new_memory
from zermelo.value import DECISIVE, INFINITY, WIN_SCORE

UNIT = 1000
"""The evaluation unit of these games: their evaluations are floats."""

MODES = range(16)
TREES = [mode for mode in MODES if not mode & FEW]
TINY, SMALL, LARGE = 0.00004, 0.0005, 1.0  # megabytes; four entries, 32, and more than there are states


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """Helpers begin at once, since these games are small."""
    monkeypatch.setattr(threads, "HELPER_DELAY", 0)


# -- to a given depth --------------------------------------------------------------------------------------------------


def plain(game, state, depth, ply, nominal, leaves=None):
    """What a search to `depth` plies is to find, by walking the whole tree.

    A forcing state is searched a ply deeper, up to twice the ply that the search was sent to. At the horizon the mover
    takes the static evaluation or a noisy move, the better one, and so on, while there are leaves to share.
    """
    payoff = game.result(state)
    if payoff != ONGOING:
        return (WIN_SCORE - ply) * payoff
    moves = list(game.moves(state))
    if leaves is None:
        leaves = quiescence.MAX_QUIESCENCE_LEAVES
    forced = game.forcing(state) and ply < 2 * nominal and (depth > 0 or leaves > 1)
    if depth > 0:
        return max(step(game, state, move, depth - 1 + forced, ply, nominal) for move in moves)
    if forced:
        return max(step(game, state, move, 0, ply, nominal, leaves // (len(moves) + 1)) for move in moves)
    noisy = [move for move in moves if game.noisy(state, move)]
    share = leaves // (len(noisy) + 1)
    static_eval = int(game.evaluate(state) * UNIT)
    return max([static_eval, *(step(game, state, move, 0, ply, nominal, share) for move in noisy if share)])


def step(game, state, move, depth, ply, nominal, leaves=None):
    child = game.play(state, move)
    score = plain(game, child, depth, ply + 1, nominal, leaves)
    return score if game.mover(child) == game.mover(state) else -score


@pytest.mark.parametrize("megabytes", [TINY, LARGE])
def test_the_kernel_keeps_its_promise_for_every_window(megabytes):
    """Exact inside the window, else a bound on the side it fell, with an empty table and with one it has filled."""
    game, rng, memory = Optional(), random.Random(1), new_memory()
    memory[MAX_NODES] = 1 << 60
    for state in nodes(120, *TREES):
        for depth in range(7):
            value, table = plain(game, state, depth, 1, 1 + depth), new_table(megabytes)
            anywhere = rng.randrange(-6000, 6000)
            for low, high in [
                (value - 1, value), (value, value + 1), (anywhere, anywhere + rng.choice((1, 500, 3000))),
                (-INFINITY, INFINITY),
            ]:  # fmt: skip
                score = alphabeta(game, state, depth, 1, low, high, float(UNIT), table, memory)
                if low < value < high:
                    assert score == value
                else:
                    assert high <= score <= value or value <= score <= low


def test_depth_limited_values_and_their_moves():
    """Rounds, aspiration windows and null windows find what a walk through the tree finds.

    NOISE and FORCING apart: together, a state beyond the horizon is searched one ply deep in more than one round, and
    what an earlier round kept of it counts, although that was sent less far.
    """
    game, jumps = Optional(), 0
    for state in nodes(120, 0, NOISE, FORCING, TWICE, TWICE + NOISE, TWICE + FORCING):
        moves, before = list(game.moves(state)), 0
        for depth in range(1, 7):
            scores = {move: step(game, state, move, depth - 1, 0, depth) for move in moves}
            best = max(scores.values())
            for megabytes in (TINY, LARGE):
                report = z.search(game, state, Limit(depth=depth), table=megabytes)
                assert round(scaled(report.value.score)) == best
                assert scores[report.move] == best
            report = z.search(game, state, Limit(depth=depth), lines=len(moves))
            assert {move: round(scaled(value.score)) for move, value in report.moves.items()} == scores
            jumps += depth > 3 and UNIT / 2 < abs(best - before) < DECISIVE
            before = best
    assert jumps > 10  # the window of a round was too narrow, and the round was searched again


def scaled(score):
    """A reported score in the numbers of the kernel."""
    return score if abs(score) >= DECISIVE else score * UNIT


# -- claims ------------------------------------------------------------------------------------------------------------


@functools.cache
def truth(game, state):
    """What the referee says, asked once."""
    return naive.value(game, state)


def assert_true(game, state, report):
    """The move is legal, and all that the report says to be proven is so."""
    true, value = truth(game, state), report.value
    assert report.move in list(game.moves(state))
    assert report.bounds[0] <= true <= report.bounds[1]
    if value.exact:
        assert value.score == true
    elif abs(value.score) >= DECISIVE:  # won or lost, perhaps sooner than that
        assert true >= value.score > 0 or true <= value.score < 0
    for line in report.lines:
        at = state
        for move in line.pv:
            assert move in list(game.moves(at))
            at = game.play(at, move)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("megabytes", [TINY, SMALL, LARGE])
@pytest.mark.parametrize("game", [Optional(), Daring()], ids=repr)
def test_exact_values_are_true(game, megabytes, count):
    """Null moves and reductions may mislead an estimate, but prove nothing; nor do transpositions of any depth."""
    for number, state in enumerate(nodes(112, *MODES)):
        lines = 1 + number % 3
        report = z.search(game, state, Limit(depth=1 + number % 8), lines=lines, table=megabytes, threads=count)
        assert_true(game, state, report)
        assert len(report.lines) <= lines


@pytest.mark.parametrize("game", [Optional(), Daring()], ids=repr)
def test_a_search_that_reaches_every_end_still_tells_estimates_from_proofs(game):
    """Where no horizon is in sight, a null move or an entry of the table may be the only heuristic leaf of the tree."""
    for number, node in enumerate(nodes(280, FEW, FEW + NOISE, FEW + FORCING, FEW + NOISE + FORCING)):
        state = node._replace(left=4 + number % 9)
        for depth in (state.left - 1, state.left + 2):
            for megabytes in (SMALL, LARGE):
                report = z.search(game, state, Limit(depth=depth), table=megabytes)
                assert_true(game, state, report)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("megabytes", [TINY, SMALL, LARGE])
@pytest.mark.parametrize("game", [Optional(), Daring()], ids=repr)
def test_exact_search_proves_the_value(game, megabytes, count):
    """In spite of reductions, null moves, wrong evaluations and tables that lose entries; every line of it."""
    for number, state in enumerate(nodes(64, *MODES)):
        lines = 1 + number % 3
        report = z.search(game, state, exact=True, lines=lines, table=megabytes, threads=count)
        assert report.value.exact
        assert_true(game, state, report)
        assert report.move in naive.best_moves(game, state)
        for move, value in report.moves.items():
            child = game.play(state, move)
            score = naive.one_ply_later(truth(game, child))
            assert value.score == (score if child.player == state.player else -score)


@pytest.mark.parametrize("megabytes", [TINY, LARGE])
def test_deepening_ends_with_the_value(megabytes):
    game = Optional()
    for state in nodes(96, *MODES):
        report = z.search(game, state, table=megabytes)
        assert report.value.exact
        assert_true(game, state, report)


@pytest.mark.parametrize("noise", [0, 1])
@pytest.mark.parametrize("megabytes", [TINY, LARGE])
def test_play_that_goes_round(megabytes, noise):
    """A state that is met again counts as a draw, which depends on the way to it and is never called proven."""
    game, won = Round(), 0
    for number, state in enumerate(places(60, noise)):
        for depth in (2 + number % 3, 5 + number % 7):
            report = z.search(game, state, Limit(depth=depth), table=megabytes, threads=1 + number % 2)
            assert_true(game, state, report)
            won += report.value.exact and report.value.outcome != z.DRAW
    assert won > 20


@pytest.mark.parametrize("game", [Optional(), Daring(), Round()], ids=repr)
def test_stopping_at_every_node(game):
    states = [*places(6, 0), *places(3, 1)] if game.loops else nodes(16, *MODES)
    for state in states:
        total = z.search(game, state, Limit(depth=5)).nodes
        for limit in range(1, min(total, 250) + 1):
            report = z.search(game, state, Limit(depth=5, nodes=limit), table=SMALL)
            assert report.nodes <= limit
            assert_true(game, state, report)


# -- compiled and interpreted ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [Optional(), Daring(), Round()], ids=repr)
def test_compiled_and_interpreted_are_the_same_search(game, monkeypatch):
    states = [*places(40, 0), *places(40, 1)] if game.loops else nodes(96, *MODES)
    options = [
        {"limit": Limit(depth=3 + number % 6), "table": (TINY, LARGE)[number % 2], "lines": 1 + number % 5 // 4}
        for number in range(len(states))
    ]
    compiled = [told(game, state, options) for state, options in zip(states, options, strict=True)]
    monkeypatch.setattr(Kernel, "__call__", lambda self, game, *args: self.interpreted(game, *args))
    assert game.native_error is None
    assert [told(game, state, options) for state, options in zip(states, options, strict=True)] == compiled


def told(game, state, options):
    """What a search says, down to the number of nodes."""
    report = z.search(game, state, **options)
    return report.nodes, report.depth, [(line.value, line.pv) for line in report.lines]
