"""PettingZoo: environments keep its contract, and pay and show what the rules say."""

import importlib
import random
import sys
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import zermelo as z
from zermelo import rules
from zermelo.game import ONGOING
from zermelo.games.adapters.encoding import observation
from zermelo.games.adapters.pettingzoo import AGENTS, environment

NAMES = ["tic_tac_toe", "connect_four(5, 4)", "nim", "pig(20)", "kalah(3, 3)", "three_mens_morris", "backgammon"]


@pytest.mark.parametrize("name", NAMES)
def test_the_contract_of_pettingzoo(name, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PettingZoo warns of every dict with a mask that is not among its own
        api_test(environment(z.load(name), longest=30), num_cycles=60)
        seed_test(lambda: environment(z.load(name), longest=30), num_cycles=20)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_random_games_follow_the_rules(name):
    """Masks, turns and rewards, against the rules themselves; a state with chance is followed to where it led."""
    game, dice = z.load(name), random.Random(4)
    env = environment(game, longest=30)
    for seed in range(3):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            seen, reward, over, cut, _ = env.last()
            state = env.course.state
            assert np.array_equal(seen["observation"], observation(game, state))
            if over or cut:
                assert not seen["action_mask"].any()
                payoff = rules.payoff(game, state)
                assert (payoff == ONGOING) == cut
                assert reward == (0 if cut else payoff if agent == AGENTS[env.course.player] else -payoff)
                env.step(None)
                continue
            assert reward == 0
            if game.has("mover"):
                assert agent == AGENTS[game.mover(state)]
            legal = np.flatnonzero(seen["action_mask"]).tolist()
            moves = [env.actions.move(state, action) for action in legal]
            assert sorted(map(str, moves)) == sorted(map(str, game.moves(state)))
            other = env.observe(AGENTS[1 - AGENTS.index(agent)])
            assert not other["action_mask"].any()
            env.step(dice.choice(legal))


def test_bits_of_a_state():
    game = z.load("tic_tac_toe")
    bits = observation(game, z.position(game, "a1 b1 c1"))
    assert bits.shape == (2, 64)
    assert np.flatnonzero(bits[0]).tolist() == [1]  # O, who is to move
    assert np.flatnonzero(bits[1]).tolist() == [0, 2]
    assert observation(game, (-1, 1 << 63)).sum(axis=1).tolist() == [64, 1]


def test_actions_are_moves_or_places():
    env = environment(z.load("connect_four"), actions=7, render_mode="ansi")
    env.reset()
    assert env.action_space("player_0").n == 7
    env.step(3)
    assert env.render() == "......./......./......./......./......./...X..."
    with pytest.raises(z.GameError, match=r"7 is not a legal action in"):
        env.step(7)
    assert not environment(z.load("backgammon"), longest=5).actions.are_moves


def test_what_cannot_be_observed():
    with pytest.raises(z.GameError, match="is not made of whole numbers"):
        environment(z.load("open_spiel(tic_tac_toe)"))


def test_more_actions_than_expected():
    from zermelo.games.adapters.encoding import Actions

    game = z.load("connect_four")
    actions = Actions(game)
    actions.count = 5
    with pytest.raises(z.GameError, match="has a move numbered 6, and there are 5 actions"):
        actions.legal(game.initial())


def test_without_pettingzoo(monkeypatch):
    monkeypatch.delitem(sys.modules, "zermelo.games.adapters.pettingzoo")
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(z.GameError, match=r"pip install 'zermelo\[pettingzoo\]'"):
        importlib.import_module("zermelo.games.adapters.pettingzoo")
