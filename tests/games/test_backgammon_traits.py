"""Traits of backgammon positions, against plain sets of points and against the rules."""

import random

import pytest

from zermelo.games.backgammon import backgammon_traits as traits
from zermelo.games.backgammon.backgammon_checkers import BAR, points_held
from zermelo.games.backgammon.backgammon_notation import counts
from zermelo.games.backgammon.backgammon_rules import Backgammon, State

GAME = Backgammon()
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def positions(number, seed=1):
    """States of random games, before a roll."""
    dice, found, state = random.Random(seed), [], GAME.initial()
    while len(found) < number:
        moves = [move for move, _ in GAME.chances(state)] if GAME.is_chance(state) else list(GAME.moves(state))
        state = GAME.play(state, dice.choice(moves))
        if GAME.result(state) != -1000 and GAME.stage(state) > 2 * GAME.checkers:
            state = GAME.initial()
        elif state.dice == 0 and dice.random() < 0.3:
            found.append(state)
    return found


def sets(state):
    """The mover's places, and the points that are closed and those with blots, as plain sets."""
    mine, theirs = counts(state.near, state.far), counts(state.their_near, state.their_far)
    held = {place for place in range(1, BAR + 1) if mine[place]}
    closed = {BAR - place for place in range(1, BAR) if theirs[place] > 1}
    return held, closed, {BAR - place for place in range(1, BAR) if theirs[place] == 1}


def words(state):
    held, made, _ = traits.outlines(state.near, state.far)
    theirs = [traits.reversed_places(each) for each in traits.outlines(state.their_near, state.their_far)[:2]]
    return held, made, theirs[1] & traits.ON_BOARD, theirs[0] & ~theirs[1] & traits.ON_BOARD


def test_outlines_are_the_places_with_checkers():
    for state in positions(40):
        held, _, _ = sets(state)
        found, made, pips = traits.outlines(state.near, state.far)
        mine = counts(state.near, state.far)
        assert {place for place in range(26) if found >> place & 1} == held
        assert {place for place in range(26) if made >> place & 1} == {p for p in held if mine[p] > 1}
        assert pips == sum(place * mine[place] for place in range(26))
        assert words(state)[2] == points_held(state.their_near, state.their_far, 2, 15)
        assert traits.reversed_places(traits.reversed_places(found)) == found


def test_shots_and_escapes_are_those_of_plain_sets():
    for state in positions(60):
        held, closed, blots = sets(state)
        hits = loss = 0
        for high, low in ROLLS:
            ways = [(high,), (low,), (high, low), (low, high)]
            found = set()
            for place in held:
                for way in ways:
                    stops = [place - sum(way[: i + 1]) for i in range(len(way))]
                    if stops[-1] in blots and not any(stop in closed for stop in stops):
                        found.add(stops[-1])
            weight = 1 if high == low else 2
            hits += weight * bool(found)
            loss += weight * max(found, default=0)
        mine, _, their_points, their_blots = words(state)
        assert traits.shots(mine, their_points, their_blots) == (hits, loss)
        for place in (max(held), 25):
            rolls = [
                (high, low) for high, low in ROLLS
                if place - high - low not in closed and not {place - high, place - low} <= closed
            ]  # fmt: skip
            assert traits.escapes(their_points, place) == sum(1 if high == low else 2 for high, low in rolls)
        fewest = min(traits.escapes(their_points, place) for place in range(19, 26))
        assert traits.fewest_escapes(their_points) == fewest


def test_every_hit_of_the_rules_is_a_shot():
    """Of two different numbers, where nobody is on the bar."""
    tried = 0
    for state in positions(40, seed=3):
        mine, _, their_points, their_blots = words(state)
        if mine >> BAR & 1:
            continue
        for high, low in ROLLS:
            if high == low:
                continue
            rolled = state._replace(dice=10 * high + low)
            hit = any(GAME.play(rolled, move).far >> 48 > state.their_far >> 48 for move in GAME.moves(rolled))
            reach = [mine >> high & ~their_points, mine >> low & ~their_points]
            shot = (reach[0] | reach[1] | reach[0] >> low | reach[1] >> high) & their_blots
            tried += hit
            assert not hit or shot
    assert tried > 50


@pytest.mark.parametrize(("made", "length"), [(0, 0), (0b100, 1), (0b1110110, 3), (0b11111100, 6)])
def test_the_longest_prime(made, length):
    assert traits.longest_prime(made) == length


def test_both_players_have_the_same_traits():
    """With the sides exchanged, what was mine is theirs; without contact, nobody hits or is blocked."""
    for state in positions(30, seed=5):
        found = GAME.features(state)
        other = GAME.features(State(state.their_near, state.their_far, state.near, state.far, 0, 0))
        assert found[1:15] == other[15:]
        assert found[15:] == other[1:15]
        assert len(found) == len(GAME.weights)
        held, _, closed, blots = words(state)
        hits, loss = traits.shots(held, closed, blots)
        assert found[9:11] == (hits / 36, loss / 900)
    race = Backgammon("6(5) 5(4) 4(3) 2(3)").initial()
    assert GAME.features(race)[9:14] == (0.0, 0.0, 1.0, 0.0, 0.0)
