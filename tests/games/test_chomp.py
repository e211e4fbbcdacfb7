"""Chomp: a bar of squares that are eaten one by one as referee, and theorems about who wins."""

import functools
import random
from math import comb

import pytest

import zermelo as z
from random_games import random_states
from zermelo import LOSS, ONGOING, WIN, GameError
from zermelo.games.chomp import Chomp, State
from zermelo.rules import legal_actions
from zermelo.textbook import alphabeta, backward_induction


class Slow(Chomp):
    """Chomp as Python runs it."""

    native = False


# -- the referee: a set of (column, row) that are left, and who eats last loses ----------------------------------------


def whole(game):
    return frozenset((x, y) for x in range(game.width) for y in range(game.height))


def bitten(bar, at):
    return frozenset(square for square in bar if square[0] < at[0] or square[1] < at[1])


@functools.cache
def wins(bar):
    """Whether the player to move wins; with nothing left the other one has eaten the poison."""
    return not bar or any(not wins(bitten(bar, square)) for square in bar)


def bar_of(state):
    return frozenset((x, y) for y, row in enumerate(state.rows) for x in range(row))


@pytest.mark.parametrize("game", [Chomp(), Chomp(7, 3), Chomp(1, 6), Chomp(4, 4)], ids=repr)
def test_play_is_that_of_the_referee(game):
    dice = random.Random(3)
    for _ in range(150):
        state, bar = game.initial(), whole(game)
        while bar:
            assert bar_of(state) == bar
            moves = legal_actions(game, state)
            assert {(move % game.width, move // game.width) for move in moves} == bar
            move = dice.choice(moves)
            state, bar = game.play(state, move), bitten(bar, (move % game.width, move // game.width))
        assert (bar_of(state), game.result(state)) == (bar, WIN)


class OneRow(Chomp):
    """Broken: a bite takes nothing of the rows below."""

    def play(self, state, square):
        row, column = divmod(square, self.width)
        return State((*state.rows[:row], column, *state.rows[row + 1 :]))


def test_the_referee_sees_a_broken_game():
    with pytest.raises(AssertionError):
        test_play_is_that_of_the_referee(OneRow())


@pytest.mark.parametrize("game", [Slow(4, 4), Slow(5, 3), Slow(1, 5), Slow(6, 2), Slow(1, 1)], ids=repr)
def test_values_are_those_of_the_referee(game):
    table = backward_induction(game)
    for state in table:
        if game.result(state) == ONGOING:
            assert (table[state].outcome == WIN) == wins(bar_of(state)), state
            low, high = game.bounds(state)
            assert low <= table[state].score <= high
    assert (table.value.outcome == WIN) == (game.width * game.height > 1)


@pytest.mark.parametrize("sides", [(6, 5), (3, 7), (7, 2), (1, 4), (4, 1)])
def test_what_is_known_of_shapes_is_true(sides):
    game = Slow(*sides)
    table = backward_induction(game)
    ongoing = [state for state in table if game.result(state) == ONGOING]
    known = [state for state in ongoing if game.known(state)]
    assert all(game.known(state) == table[state].outcome for state in known)
    assert 2 * len(known) > len(ongoing)


class Blind(Slow):
    """A twin that estimates nothing."""

    def evaluate(self, state):
        return 0


def right_bites(game, table, depth=2):
    """In how many won states a shallow search of the textbook keeps the win."""
    won = [state for state in table if game.result(state) == ONGOING and table[state].outcome == WIN]
    bites = [alphabeta(game, state, depth=depth).move for state in won]
    kept = [table[game.play(state, bite)].outcome == LOSS for state, bite in zip(won, bites, strict=True)]
    return sum(kept), len(kept)


def test_the_estimate_finds_most_of_the_winning_bites():
    table = backward_induction(Slow(6, 5))
    assert right_bites(Slow(6, 5), table) == (350, 426)
    assert right_bites(Blind(6, 5), table) == (9, 426)


def test_as_many_states_as_ways_round_the_bar():
    """What is left is bounded by a path with a step down for each row and one to the left for each column."""
    for width, height in ((4, 3), (5, 2), (6, 1)):
        assert len(backward_induction(Slow(width, height))) == comb(width + height, height)


def winning(game, value):
    """The first bites that win."""
    start = game.initial()
    moves = [move for move in game.moves(start) if value(game.play(start, move)).outcome != WIN]
    return [game.move_text(start, move) for move in moves]


@pytest.mark.parametrize("side", [2, 3, 4, 5])
def test_a_square_bar_is_won_next_to_the_poison_on_the_diagonal(side):
    """Gale, A curious Nim-type game (1974): an L with equal arms is left, and every bite is answered on the other."""
    game = Slow(side, side)
    table = backward_induction(game)
    assert winning(game, lambda state: table[state]) == ["b2"]


@pytest.mark.slow
def test_two_first_bites_win_on_ten_by_eight():
    """A bite of 4 by 5 squares and one of 5 by 2: Thompson's example (Winning Ways, chapter 18)."""
    game = Chomp(10, 8)
    solution = z.solve(game)
    assert len(solution) == comb(18, 8)
    assert winning(game, solution.value) == ["i4", "f5"]


# -- the contract ------------------------------------------------------------------------------------------------------


def test_the_contract_holds():
    report = z.check(Slow(4, 4), seconds=2, strict=True)
    assert report.solved > 50


def test_perft_compiled_and_interpreted():
    game = Chomp(4, 3)
    assert [z.perft(game, depth) for depth in range(5)] == [z.perft(Slow(4, 3), depth) for depth in range(5)]


def test_texts_and_pictures():
    game = Chomp(4, 3)
    state = z.position(game, "c2")
    assert game.state_text(state) == "4 2 2"
    assert game.board(state).cells == ("!###", "##..", "##..")
    assert game.squares(state, 4) == (4,)
    assert game.board(z.position(game, "a1")).cells == ("....",) * 3
    for state in random_states(game, 60):
        assert game.parse_state(game.state_text(state)) == state
    turned = Chomp(3, 3)
    assert list(turned.symmetries(State((3, 1, 0)))) == [State((2, 1, 1))]
    assert list(game.symmetries(state)) == []


@pytest.mark.parametrize("text", ["4 4", "4 2 3", "5 4 4", "4 x 2", "4 4 4 4"])
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match="none longer than the one above, such as '4 4 4'"):
        Chomp(4, 3).parse_state(text)


@pytest.mark.parametrize("sides", [(0, 3), (3, 21), (True, 3), (3, 2.0)])
def test_sides_that_make_no_bar(sides):
    with pytest.raises(GameError, match="must be a whole number from 1 to 20"):
        Chomp(*sides)
