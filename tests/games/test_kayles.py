"""Kayles and Dawson's Kayles: published nim-values, and the theory of octal games as referee."""

import functools
import random
from math import comb

import pytest

import zermelo as z
from random_games import random_states
from zermelo import LOSS, ONGOING, WIN, GameError
from zermelo.games.kayles import DawsonsKayles, Kayles, State
from zermelo.rules import legal_actions
from zermelo.textbook import backward_induction

KAYLES = (
    0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8, 5, 4, 7, 2, 1, 8, 6, 7, 4, 1, 2,
    3,
)  # fmt: skip
DAWSON = (
    0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5, 2, 7, 4, 0, 1, 1, 2,
    0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 4, 5, 5, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5, 3, 7, 4, 8,
)  # fmt: skip
"""Nim-values of 0, 1, 2, ... pins: Guy and Smith, The G-values of various games (1956); OEIS A002186 and A002187."""


class Slow(Kayles):
    """As Python runs it: small games are solved sooner than compiled."""

    native = False


class SlowDawson(DawsonsKayles):
    native = False


# -- the referee: octal games -----------------------------------------------------------------------------------------


@functools.cache
def nim_value(code, heap):
    """Of a heap in the octal game 0.abc...: digit d of removing k says whether it may leave no, one or two heaps."""
    options = set()
    for removed, digit in enumerate(code, 1):
        rest = heap - removed
        if digit & 1 and rest == 0:
            options.add(0)
        if digit & 2 and rest > 0:
            options.add(nim_value(code, rest))
        if digit & 4:
            options |= {nim_value(code, part) ^ nim_value(code, rest - part) for part in range(1, rest)}
    return next(value for value in range(len(options) + 1) if value not in options)


CODES = {Kayles: (7, 7), DawsonsKayles: (0, 7), Slow: (7, 7), SlowDawson: (0, 7)}


def groups(state):
    """How many pins stand together, as one reads them."""
    return tuple(sorted(len(group) for group in f"{state.pins:b}".split("0") if group))


def total(game, state):
    value = 0
    for group in groups(state):
        value ^= nim_value(CODES[type(game)], group)
    return value


def test_published_nim_values_are_those_of_the_octal_games():
    assert tuple(nim_value((7, 7), heap) for heap in range(len(KAYLES))) == KAYLES
    assert tuple(nim_value((0, 7), heap) for heap in range(len(DAWSON))) == DAWSON


def test_periods():
    """Guy and Smith: 12 from 71 on, and 34 from 53 on."""
    for code, period, start in (((7, 7), 12, 71), ((0, 7), 34, 53)):
        values = [nim_value(code, heap) for heap in range(240)]
        assert values[start:-period] == values[start + period :]
        assert values[start - 1] != values[start - 1 + period]


@pytest.mark.parametrize("game", [Slow((9,)), Slow((2, 3, 3)), SlowDawson((13,)), SlowDawson((5, 4, 2))], ids=repr)
def test_lost_if_and_only_if_the_nim_values_cancel_out(game):
    table = backward_induction(game)
    for state in table:
        assert (table[state].outcome == LOSS) == (total(game, state) == 0), state


@pytest.mark.slow
@pytest.mark.parametrize("game", [Kayles((30,)), DawsonsKayles((44,))], ids=repr)
def test_the_same_of_long_rows(game):
    solution = z.solve(game)
    lost = 0
    for state in random_states(game, 3000):
        value = solution.value(state).outcome
        assert (value == LOSS) == (total(game, state) == 0), state
        lost += value == LOSS
    assert lost > 100
    for pins in range(1, max(game.rows) - 1):
        lane = State((1 << pins) - 1)
        assert (solution.value(lane).outcome == LOSS) == (nim_value(CODES[type(game)], pins) == 0)


def test_misere():
    """A row of this many pins is lost for the player to move, found by hand: one is, two are not."""
    lost = [pins for pins in range(1, 10) if backward_induction(Slow((pins,), misere=True)).value.outcome == LOSS]
    assert lost == [pins for pins in range(1, 10) if not wins_misere((pins,))] == [1, 4, 9]


@pytest.mark.parametrize("game", [Slow((11,)), Slow((2, 3, 4)), SlowDawson((14,)), SlowDawson((5, 4, 3))], ids=repr)
def test_the_estimate_is_the_theory_of_nim_values(game):
    assert game.nim_values == (KAYLES if game.single else DAWSON)[: game.longest + 1]
    table = backward_induction(game)
    for state in table:
        if game.result(state) == ONGOING:
            assert (game.evaluate(state) > 0) == (table[state].outcome == WIN), state


@pytest.mark.parametrize("game", [Slow((12,), True), SlowDawson((16,), True)], ids=repr)
def test_the_estimate_is_a_rule_of_thumb_in_the_misere_game(game):
    table = backward_induction(game)
    ongoing = [state for state in table if game.result(state) == ONGOING]
    right = [(game.evaluate(state) > 0) == (table[state].outcome == WIN) for state in ongoing]
    assert 0.9 * len(right) < sum(right) < len(right)


@functools.cache
def wins_misere(heaps):
    options = set()
    for i, heap in enumerate(heaps):
        for removed in (1, 2):
            for left in range(heap - removed + 1):
                parts = (*heaps[:i], *heaps[i + 1 :], left, heap - removed - left)
                options.add(tuple(sorted(part for part in parts if part)))
    return not options or any(not wins_misere(option) for option in options)


# -- play --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [Kayles((7, 5)), DawsonsKayles((7, 5)), Kayles((1, 2, 1), True), DawsonsKayles((12,), True)], ids=repr
)
def test_play_is_that_of_a_list_of_pins(game):
    dice = random.Random(1)
    for _ in range(100):
        state, lane = game.initial(), ".".join("i" * row for row in game.rows)
        while True:
            assert game.state_text(state) == lane
            assert game.parse_state(lane) == state
            hits = [[place] for place in range(len(lane)) if game.single]
            hits += [[place, place + 1] for place in range(len(lane) - 1)]
            hits = [hit for hit in hits if all(lane[place] == "i" for place in hit)]
            names = {"-".join(str(place + 1) for place in hit): hit for hit in hits}
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert set(moves) == set(names)
            if not names:
                assert game.result(state) == (WIN if game.misere else LOSS)
                break
            text = dice.choice(sorted(names))
            assert list(game.squares(state, moves[text])) == names[text]
            state = game.play(state, moves[text])
            lane = "".join("." if place in names[text] else pin for place, pin in enumerate(lane))


class Bridged(Kayles):
    """Broken: there is no gap between rows."""

    def initial(self):
        return State((1 << self.places) - 1)


def test_the_referee_sees_a_broken_game():
    with pytest.raises(AssertionError):
        test_play_is_that_of_a_list_of_pins(Bridged((3, 4)))


@pytest.mark.parametrize("game", [Kayles((12,)), DawsonsKayles((6, 5, 4)), Kayles((4, 1, 3))], ids=repr)
def test_only_the_groups_matter(game):
    seen = {}
    for state in random_states(game, 2000):
        chosen = game.canonical(state)
        kept = tuple(group for group in groups(state) if game.single or group > 1)
        assert groups(chosen) == kept
        assert game.stage(chosen) == game.stage(state)
        assert seen.setdefault(kept, chosen) == chosen


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [Slow((4, 3)), SlowDawson((9,), misere=True)], ids=repr)
def test_the_contract_holds(game):
    assert z.check(game, seconds=2, strict=True).solved > 10


def test_perft():
    """Every order in which pins fall one at a time is a game of as many plies as pins; compiled and interpreted."""
    game = Kayles((6,))
    assert [z.perft(game, depth) for depth in range(8)] == [z.perft(Slow((6,)), depth) for depth in range(8)]
    assert z.perft(Slow((6,)), 6) == 720
    assert z.perft(SlowDawson((6,)), 3) == 6
    assert z.perft(Slow((6,)), 1) == comb(6, 1) + 5


def test_texts_and_ends():
    game = Kayles((3, 4))
    state = z.position(game, "2 5-6")
    assert game.board(state).cells == ("i.i...ii",)
    assert game.state_text(game.canonical(state)) == "ii.i.i.."
    assert game.result(State(0)) == LOSS
    assert DawsonsKayles((3,)).result(State(0b101)) == LOSS
    assert Kayles((3,)).result(State(0b101)) == ONGOING


@pytest.mark.parametrize("text", ["iii.iii", "iii", "iix.iiii"])
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match=r"one looks like 'iii\.iiii'"):
        Kayles((3, 4)).parse_state(text)


@pytest.mark.parametrize("rows", [(), (0,), (61,), (3, True), 5, (30, 30)])
def test_rows_that_make_no_game(rows):
    with pytest.raises(GameError, match="rows must be"):
        Kayles(rows)
