"""z.estimate: counts that are exact, estimates against known counts, and what they say."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import zermelo as z
from broken_games import Countdown
from connect_four_counts import published_counts
from zermelo import rules
from zermelo.game import ONGOING, Game, GameError
from zermelo.solving.estimation import size_estimate
from zermelo.solving.estimation.capture_recapture import states_of_random_games
from zermelo.solving.estimation.size_estimate import Estimate, TooLarge
from zermelo.solving.estimation.solve_cost import GPU_MEMORY, numbered_cost, reachable_cost
from zermelo.solving.estimation.stage_sampling import (
    QUICK,
    Effort,
    SeenKeys,
    StageSweep,
    distinct_states,
    draw_lineages,
)
from zermelo.solving.memory_budget import MemoryBudget
from zermelo.solving.plan import Plan, plan_if_compiled
from zermelo.solving.solve_api import _check_fit


def counted(game: Game) -> Counter[int]:
    """The states of each stage, found the slow and obvious way."""
    seen, waiting = set(), [game.canonical(game.initial())]
    while waiting:
        state = waiting.pop()
        if state not in seen:
            seen.add(state)
            waiting += [game.canonical(game.play(state, move)) for move in rules.legal_actions(game, state)]
    return Counter(game.stage(state) for state in seen)


def test_keys_that_were_seen_are_kept_in_few_runs():
    chance, seen, all_keys = random.Random(4), SeenKeys(np.array([7])), {7}
    for _ in range(2000):
        keys = np.array(sorted({chance.randrange(3000) for _ in range(3)}))
        assert seen.unseen(keys, keys).tolist() == [key for key in keys.tolist() if key not in all_keys]
        all_keys.update(keys.tolist())
    assert len(seen.runs) < 12
    assert sorted(np.concatenate(seen.runs).tolist()) == sorted(all_keys)


@pytest.mark.parametrize("name", ["tic_tac_toe", "nim", "connect_four(3,4)", "chomp(4,4)", "kalah(2,2)", "pig(4)"])
def test_small_games_are_counted(name):
    game = z.load(name)
    found = z.estimate(game)
    assert found.stages == counted(game)
    assert found.exact
    assert found.method == "counted"
    assert found.states == len(z.solve(game))


def test_states_that_several_numbers_of_plies_lead_to_are_counted_once():
    found = z.estimate(Countdown(99))
    assert (found.states, found.exact) == (100, True)
    assert len(found.stages) == 100
    assert sum(found.stages.values()) > 2000


def test_random_games_that_meet_again_are_one_sample():
    assert 80 <= states_of_random_games(Countdown(99), compiled=False) <= 101


class Web(Game):
    """A random graph in layers: each state leads to some of the next layer, or of the one after it."""

    seed: int = 0
    native = False

    def initial(self):
        return (0, 0)

    def moves(self, state):
        chooser = random.Random(f"{self.seed} {state}")
        return sorted({chooser.randrange(60) for _ in range(chooser.randrange(4))}) if state[0] < 12 else []

    def play(self, state, move):
        return (state[0] + 1 + move % 3 // 2, move % 20)

    def stage(self, state):
        return state[0]

    def result(self, state):
        return ONGOING if state[0] < 12 else z.DRAW

    def stuck(self, state):
        return z.DRAW


@pytest.mark.parametrize("seed", range(10))
def test_random_games_are_counted(seed):
    game = Web(seed)
    assert z.estimate(game).stages == counted(game)


@pytest.mark.parametrize("seed", range(3))
def test_samples_of_stages_are_near_the_count(seed):
    """Every stage is thinned to a sixth or less of its states, which the bounds do not take for exact."""

    class Wide(Web):
        def moves(self, state):
            chooser = random.Random(f"{self.seed} {state}")
            return sorted({chooser.randrange(3000) for _ in range(4)}) if state[0] < 8 else []

        def play(self, state, move):
            return (state[0] + 1, move)

        def result(self, state):
            return ONGOING if state[0] < 8 else z.DRAW

    game = Wide(seed)
    sweep = StageSweep(game, 0, Effort(1000, 1000))
    assert not sweep.count()
    assert sweep.thin()
    assert sweep.lowest_rate < 0.2
    assert sum(sweep.sizes.values()) == pytest.approx(sum(counted(game).values()), rel=0.1)


def test_distinct_states_of_random_graphs():
    """Moves to random ones of 10,000 states: a tenth of the moves is enough to tell how many all of them reach."""
    chooser = np.random.default_rng(1)
    moves = chooser.integers(0, 10_000, 40_000)
    part = moves[:4_000]
    truth = len(np.unique(moves))
    assert distinct_states(len(np.unique(part)), len(part), 0.1) == pytest.approx(truth, rel=0.1)
    assert distinct_states(5, 9, 1.0) == 5


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("connect_four(5,4)", 1_974_174),
        ("connect_four(5,5)", 69_763_700 // 2),
        ("hex(4)", 4_693_575),
        ("y(5)", 557_907),
    ],
)
def test_lineages_agree_with_known_counts(name, states):
    found = z.estimate(z.load(name), quick=True)
    assert found.method == "lineages"
    assert not found.exact
    assert found.low < states < found.high
    assert states / 2 < found.states < 2 * states


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "positions"), [("connect_four(6,5)", 2_818_972_642), ("connect_four(7,6)", 4_531_985_219_092)]
)
def test_large_boards_are_within_a_factor_of_two(name, positions):
    """Published counts are of positions, nearly two for each state."""
    found = z.estimate(z.load(name))
    assert positions / 4 < found.states < positions
    assert found.low < positions / 2 < found.high


def test_lineages_are_not_believed_where_they_miss_predecessors():
    """Seeds that are sown in another order come out elsewhere: the search along a lineage finds few predecessors."""
    game = z.load("kalah(3,3)")
    sweep = StageSweep(game, 0, Effort(30_000, 5_000))
    assert not sweep.count()
    assert draw_lineages(game, 0, sweep.sure, QUICK, 1) is None


def test_threads_change_nothing():
    game = z.load("connect_four(5,4)")
    one, two = (z.estimate(game, quick=True, threads=threads) for threads in (1, 2))
    assert one.stages == two.stages
    assert one.threads == 1


@pytest.mark.parametrize(("name", "states"), [("three_mens_morris", 540), ("six_mens_morris", 3_101_822)])
def test_numbered_states(name, states):
    found = z.estimate(z.load(name))
    assert found.method == "numbered"
    assert found.states == pytest.approx(states, rel=0.01)
    assert found.low <= states <= found.high


def test_every_stage_that_can_be_reached_is_found():
    game = z.load("three_mens_morris")
    assert set(z.estimate(game).stages) == set(z.solve(game).tables)
    last = max(z.estimate(game).stages)
    assert set(z.estimate(game, stage=last).stages) == {last}


def test_a_game_that_repeats_and_is_large_has_a_lower_estimate():
    found = z.estimate(z.load("dobutsu_shogi"), quick=True)
    assert found.method == "random games"
    assert found.high is None
    assert found.states_text.startswith("at least about ")
    assert found.states > states_of_random_games(z.load("tic_tac_toe"), compiled=True) > 500


def test_mistakes_are_sentences():
    with pytest.raises(GameError, match="there is no `index`"):
        z.estimate(z.load("nim"), stage=3)
    with pytest.raises(GameError, match="there is no stage 99999"):
        z.estimate(z.load("three_mens_morris"), stage=99999)
    with pytest.raises(GameError, match="quick must be True or False"):
        z.estimate(z.load("nim"), quick=3)
    with pytest.raises(GameError, match="estimate takes a game, not 'nim'"):
        z.estimate("nim")


def test_what_an_estimate_says():
    found = z.estimate(z.load("tic_tac_toe"), threads=1)
    lines = str(found).splitlines()
    assert lines[0] == "Stage, states:"
    assert lines[1:4] == ["  0    1", "  1    3", "  2   12"]
    assert lines[-5] == "765 states, counted"
    assert re.fullmatch(r"Time: about a second on 1 core", lines[-4])
    assert lines[-1] == "A GPU or a cluster would help little: the solve takes seconds."
    record = found.to_dict()
    assert record["stages"]["2"] == 12
    assert record["memory"] == found.memory > 765


def large_estimate():
    """An estimate of Connect Four 6x6 with the published states of each ply; a core expands a million a second."""
    stages = {ply: sum(row) / 2 for ply, row in enumerate(published_counts("6x6"))}
    game, states = z.load("connect_four(6, 6)"), round(sum(stages.values()))
    method = plan_if_compiled(game)
    cost = reachable_cost(method, stages, 1, 1e6, 2)
    return Estimate(game, method, states, states, states, {}, "counted", 2, cost)


def test_what_a_gpu_would_take():
    """bench/gpu.py connect_four_6x6: 92 s on an H200, and 81 GB of the host's memory."""
    found = large_estimate()
    gpu = found.cost.on_gpu
    assert gpu.device < GPU_MEMORY < found.memory
    assert 75e9 < gpu.resident < 90e9
    assert found.needs("cuda") == (0, gpu.resident)
    assert found.needs("cpu") == (found.memory, found.cost.resident)
    assert "A GPU (an NVIDIA H200) would take about " in found.elsewhere
    assert "so that stages stay in the memory of the host" not in found.elsewhere
    small = replace(found, cost=replace(found.cost, on_gpu=replace(gpu, device=2 * GPU_MEMORY)))
    assert "so that stages stay in the memory of the host" in small.elsewhere
    assert found.to_dict()["gpu"]["device"] == gpu.device


def test_what_a_gpu_does_not_solve():
    chance = Plan("reachable", "intervals", "chance", True, "")
    assert reachable_cost(chance, {0: 1e9}, 1, 1e6, 2).on_gpu is None
    assert numbered_cost({0: 10**9}, 1e6, 2, wdl=False, linked=False, values="chance").on_gpu is None
    points = numbered_cost({0: 10**9}, 1e6, 2, wdl=False, linked=False, values="points").on_gpu
    assert points.device == 8 * 10**9
    solved = numbered_cost({0: 10**9, 1: 10**8}, 1e6, 2, wdl=False, linked=False, values="outcomes").on_gpu
    assert (solved.device, solved.memory, solved.resident) == (4 * 10**9, 0, 11 * 10**8)


def test_a_game_that_only_a_gpu_has_room_for(monkeypatch):
    """124 GiB are available, of which a solve takes three quarters, and no file is written."""
    found = large_estimate()
    monkeypatch.setattr(size_estimate, "estimate", lambda game, **options: found)
    budget = MemoryBudget(93 << 30)
    assert _check_fit(found.game, False, None, None, 2, budget, "cuda") is found
    with pytest.raises(TooLarge, match=r"of memory and .* of disk, and there are"):
        _check_fit(found.game, False, None, None, 2, budget, "cpu")
    with pytest.raises(TooLarge, match=r"it takes 34,586,514,392 states and 8\d GB of memory, and there are"):
        _check_fit(found.game, False, None, None, 2, MemoryBudget(64 << 30), "cuda")


def test_many_stages_are_shown_in_ranges():
    found = z.estimate(z.load("nim((20,20,20))"))
    rows = found.stage_ranges()
    assert len(found.stages) == 61
    assert len(rows) == 31
    assert rows[0][0] == "0-1"
    assert sum(states for _, states in rows) == found.states


def test_a_solve_is_refused_by_the_better_estimate_only(monkeypatch):
    """A rough estimate never refuses a game."""
    asked = []
    careful = size_estimate.estimate

    def estimate(game, *, quick, **options):
        asked.append(quick)
        return careful(game, quick=quick, **options)

    monkeypatch.setattr(size_estimate, "estimate", estimate)
    z.solve(z.load("nim"))
    assert asked == [True]
    monkeypatch.setattr("zermelo.solving.memory_budget.MIN_BUDGET", 1)
    monkeypatch.setattr("zermelo.solving.memory_budget.available_memory", lambda: 100)
    with pytest.raises(size_estimate.TooLarge, match="48 states"):
        z.solve(z.load("nim"))
    assert asked == [True, True, False]


class Words(z.Game):
    """Append letters: states are texts, so the rules do not compile."""

    letters = 3
    native = False

    def initial(self):
        return ""

    def moves(self, text):
        return "ab"

    def play(self, text, letter):
        return text + letter

    def result(self, text):
        return z.LOSS if len(text) == self.letters else z.ONGOING


def test_states_that_are_no_numbers():
    found = z.estimate(Words())
    assert (found.states, found.exact, found.method) == (15, True, "counted")
    assert len(z.solve(Words())) == 15
    many = z.estimate(type("Many", (Words,), {"letters": 40})())
    assert not many.exact
    assert many.states > 20_000
