"""Quick code: the same answers as optimised code, and only until that is there."""

import pytest

import zermelo as z
from zermelo.native.compilability import to_native
from zermelo.native.linking import linked_kernel
from zermelo.native.linking.linked_kernel import LinkedKernel
from zermelo.native.linking.opaque_state import OPAQUE_STATE, keeps_states_whole
from zermelo.simulation.perft_divide import count_leaves
from zermelo.solving.plan import solve_kernels
from zermelo.word_arrays import Words

GAMES = ("tic_tac_toe", "pig(8)", "kalah(2,2)", "hexapawn(3,3)")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    tmp_path.chmod(0o700)
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    return tmp_path


def leaves(kernel, game):
    found = kernel.load(game)
    return [found(to_native(game, game.initial()), depth, Words.zeros(4096)) for depth in range(2, 6)]


def fresh():
    return LinkedKernel("count_leaves", count_leaves.python, count_leaves.kinds)


def answers(text):
    game = z.load(text)
    report = z.search(game, limit=z.Limit(depth=5), threads=1)
    solution = z.solve(game, threads=1)
    return report.value, report.nodes, report.lines, len(solution), solution.value(), solution.outcomes()


@pytest.mark.parametrize("text", GAMES)
def test_quick_code_answers_as_optimised_code_does(text, monkeypatch):
    found = []
    for quick in "01":
        monkeypatch.setenv("ZERMELO_QUICK_CODE", quick)
        found.append(answers(text))
    assert found[0] == found[1]


def test_quick_code_is_used_until_another_process_has_optimised_the_kernel(cache, optimised, monkeypatch):
    game, busy = z.load("nim"), True
    monkeypatch.setattr(linked_kernel, "is_compiling", lambda *_: busy)
    monkeypatch.setattr(linked_kernel, "LOOK_SECONDS", 0.0)
    kernel, other = fresh(), fresh()
    kernel.compile_quickly(game)
    first = kernel.load(game)
    assert (kernel.hits, kernel.misses) == (1, 0)
    assert kernel.load(game) is first
    assert not kernel.is_cached(game)
    busy = False
    counted = leaves(other, game)  # nobody else optimises it, so quick code will not do
    assert (other.hits, other.misses) == (0, 1)
    assert kernel.load(game) is not first
    assert kernel.is_cached(game)
    assert leaves(kernel, game) == counted
    assert len([*cache.glob("count_leaves-*.kernel")]) == 2


def test_quick_code_that_a_process_left_behind_is_not_used(cache, optimised):
    game = z.load("nim")
    fresh().compile_quickly(game)
    kernel = fresh()
    kernel.load(game)
    assert (kernel.hits, kernel.misses) == (0, 1)


def test_quick_code_where_everything_is_quick(cache, monkeypatch):
    monkeypatch.setenv("ZERMELO_QUICK_CODE", "1")
    game = z.load("nim")
    fresh().load(game)
    kernel = fresh()
    assert kernel.is_cached(game)
    kernel.load(game)
    assert (kernel.hits, kernel.misses) == (1, 0)
    monkeypatch.setenv("ZERMELO_QUICK_CODE", "0")
    assert not kernel.is_cached(game)


def test_states_of_the_kernels_of_a_solve_are_whole():
    for kernel in solve_kernels(z.load("nim")):
        ir = kernel._linked._kernel_ir()[1]
        assert keeps_states_whole(ir)
        assert (OPAQUE_STATE in ir) == ("state" in kernel.name or kernel._linked.reads_game)
