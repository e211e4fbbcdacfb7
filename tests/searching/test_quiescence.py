"""Quiescence search has an end in every game, and finds what its definition says, however few leaves it may have."""

import pytest
from test_search_options import UNIT, plain

import zermelo as z
from ataxx import Ataxx, InterpretedAtaxx, InterpretedNoisyAtaxx, NoisyAtaxx, Stones
from option_games import FORCING, NOISE, TWICE, Optional, nodes
from zermelo.searching.alphabeta import pvs, quiescence
from zermelo.searching.alphabeta.root_search import alphabeta
from zermelo.searching.alphabeta.transposition_table import new_table
from zermelo.searching.runtime.thread_memory import MAX_NODES, NODES, new_memory
from zermelo.value import INFINITY


class InterpretedOptional(Optional):
    native = False


def set_leaves(monkeypatch, leaves):
    """Set the bound for interpreted searches."""
    for scope in (vars(quiescence), pvs.search_state.interpreted.__globals__, pvs.search_node.interpreted.__globals__):
        monkeypatch.setitem(scope, "MAX_QUIESCENCE_LEAVES", leaves)


def searched(game, state, depth, low=-INFINITY, high=INFINITY, unit=1.0):
    """The score of a state, and the nodes that it took."""
    memory = new_memory(200)
    memory[MAX_NODES] = 1_000_000
    return alphabeta(game, state, depth, 0, low, high, unit, new_table(1.0), memory), memory[NODES]


def test_captures_that_go_back_and_forth_have_an_end():
    """Without a bound, ten million nodes do not finish a search two plies deep."""
    quiet = z.search(InterpretedAtaxx(), limit=z.Limit(depth=3, nodes=30_000))
    noisy = z.search(InterpretedNoisyAtaxx(), limit=z.Limit(depth=3, nodes=30_000))
    assert (quiet.depth, noisy.depth) == (3, 3)
    assert quiet.nodes < noisy.nodes < 10 * quiet.nodes


@pytest.mark.parametrize("leaves", [1, 2, 17, 300, 1024])
def test_no_more_leaves_than_allowed(monkeypatch, leaves):
    """Each visited state may stand pat, so that it has a leaf of its own: there are no more states than leaves."""
    set_leaves(monkeypatch, leaves)
    game, state = InterpretedNoisyAtaxx(), Stones(16389, 471312, 0)  # sixteen moves are noisy
    nodes = [searched(game, state, 0, alpha, alpha + 1)[1] for alpha in range(-12, 12)]
    assert max(nodes) <= leaves
    assert max(nodes) == 1 if leaves < 17 else max(nodes) >= 17  # and noisy moves are searched where leaves suffice


@pytest.mark.parametrize("leaves", [1, 2, 4, 9, 40])
def test_a_bounded_search_finds_what_its_definition_says(monkeypatch, leaves):
    set_leaves(monkeypatch, leaves)
    game, bounded = InterpretedOptional(), 0
    for state in nodes(60, NOISE, NOISE + TWICE, NOISE + FORCING):
        for depth in range(4):
            assert searched(game, state, depth, unit=float(UNIT))[0] == plain(game, state, depth, 0, depth)
        bounded += plain(game, state, 0, 0, 0) != plain(game, state, 0, 0, 0, 1 << 50)
    assert bounded > 5 or leaves == 40


def test_nothing_is_proven_by_standing_pat(monkeypatch):
    """Each state that stands pat, by choice or for want of leaves, counts as a heuristic leaf."""
    for leaves in (1, 3, 1024):
        set_leaves(monkeypatch, leaves)
        report = z.search(InterpretedNoisyAtaxx(), limit=z.Limit(depth=2, nodes=30_000))
        assert not report.value.exact


def test_compiled_as_interpreted():
    for game, other in ((Ataxx(), InterpretedAtaxx()), (NoisyAtaxx(), InterpretedNoisyAtaxx())):
        reports = [z.search(each, limit=z.Limit(depth=2)) for each in (game, other)]
        assert reports[0].nodes == reports[1].nodes
        assert reports[0].lines == reports[1].lines
