"""Two minutes of the fuzzer, from fixed seeds, in code as users have it: `make fuzz` goes on from where they end."""

from collections import Counter

import pytest

from mutations import FAULTS, SOURCE
from random_graphs import KINDS, made
from run import CHECKS, tried

GAMES = 30

pytestmark = pytest.mark.usefixtures("optimised")

EXPECTED = {
    "acyclic": "exact", "free": "exact", "cyclic": "won lines", "free_cyclic": "won lines", "points": "exact",
    "points_cyclic": "paid lines", "chance": "exact", "chance_cyclic": "solved",
}  # fmt: skip
"""What of a kind must be met often, so that the checks have something to check."""


def assert_all_hold(kind, seeds, checks):
    """No check of any of these games fails; what was counted."""
    total, failures = Counter(), []
    for seed in seeds:
        counts, failed = tried(kind, seed, checks)
        total += counts
        failures += failed
    assert not failures, "\n".join(failures)
    return total


@pytest.mark.parametrize("first", [0, GAMES])
@pytest.mark.parametrize("kind", KINDS)
def test_random_games(kind, first):
    total = assert_all_hold(kind, range(first, first + GAMES), tuple(CHECKS))
    assert total["games"] == GAMES
    assert total[EXPECTED[kind]] > GAMES // 2


COMPILED = [
    ("steps", ("search", "proofs", "analyze", "twins"), 150, "exact"),
    ("rounds", ("search", "prove", "monte_carlo", "twins"), 150, "won lines"),
    ("rounds", ("solve",), 15, "solved"),
    ("tallies", ("solve",), 15, "paid lines"),
    ("scores", ("search", "proofs"), 150, "exact"),
    ("rings", ("solve",), 150, "paid lines"),
    ("throws", ("search",), 150, "exact"),
    ("picks", ("search",), 100, "exact"),
]


@pytest.mark.parametrize("part", [0, 1])
@pytest.mark.parametrize(("family", "checks", "games", "met"), COMPILED)
def test_compiled_random_games(family, checks, games, met, part):
    total = assert_all_hold(family, range(part * games, (part + 1) * games), checks)
    assert total[met] > games // 4


ONCE_WRONG = [
    # a shared table knew the root's score, and the line was that of a smaller one
    ("points", 500047, "many"), ("free", 500121, "many"), ("acyclic", 500197, "many"), ("free", 500201, "many"),
    ("acyclic", 883939260, "proofs"),  # the line of a proven loss stopped short, for want of nodes
    ("leaps", 900198, "proofs"),  # reductions, and as many plies as the graph has nodes
    ("rounds", 500134, "solve"),  # an exact search that cannot know when, with a database that knows who wins
]  # fmt: skip


@pytest.mark.parametrize(("kind", "seed", "check"), ONCE_WRONG)
def test_games_that_once_failed(kind, seed, check):
    assert_all_hold(kind, [seed], (check,))


def test_a_game_is_what_its_kind_and_seed_make_it():
    for kind in KINDS:
        first, again = made(kind, 7), made(kind, 7)
        assert vars(first) == vars(again)
        assert vars(first) != vars(made(kind, 8))


def test_mutations_fit_the_source():
    """Each fault replaces a text that stands once in its file; `make mutations` takes too long to notice in time."""
    sources = {fault.file: (SOURCE / "zermelo" / fault.file).read_text() for fault in FAULTS}
    assert [(fault.file, fault.old) for fault in FAULTS if sources[fault.file].count(fault.old) != 1] == []
