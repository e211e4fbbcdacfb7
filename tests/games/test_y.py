"""Y: a referee that walks from stone to stone by name, published numbers of positions, and values up to side six."""

import random
from itertools import pairwise

import pytest

import naive
import zermelo as z
from random_games import random_states
from zermelo import LOSS, ONGOING, WIN, GameError
from zermelo.bits import ones
from zermelo.board import Hexes
from zermelo.games.y import Y
from zermelo.rules import legal_actions


class Slow(Y):
    """Y as Python runs it."""

    native = False


GAMES = [Slow(), Slow(1), Slow(2), Slow(3), Slow(5), Slow(8)]

# -- the referee: cells by name ----------------------------------------------------------------------------------------


def sides_of(name, side):
    """Which of the three sides a cell lies on: the top, the left, the right."""
    column, row = ord(name[0]) - 97, int(name[1:]) - 1
    return {
        side for side, there in (("top", row == 0), ("left", column == 0), ("right", column + row == side - 1)) if there
    }


def around(name):
    column, row = ord(name[0]) - 97, int(name[1:])
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
    return {f"{chr(97 + column + x)}{row + y}" for x, y in steps}


def joins(stones, side):
    """Whether one chain touches all sides: every chain is gone through from stone to stone."""
    left = set(stones)
    while left:
        chain = [left.pop()]
        for name in chain:
            chain += around(name) & left
            left -= around(name)
        if len(set().union(*(sides_of(name, side) for name in chain))) == 3:
            return True
    return False


def compare(game, count, seed=3):
    """Random games beside the referee's; how many each player won."""
    dice, wins = random.Random(seed), [0, 0]
    names = [f"{chr(97 + column)}{row + 1}" for row in range(game.side) for column in range(game.side - row)]
    for _ in range(count):
        state, stones, player = game.initial(), (set(), set()), 0
        while not joins(stones[1 - player], game.side):
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert list(moves) == [name for name in names if name not in stones[0] | stones[1]]
            name = dice.choice(list(moves))
            state = game.play(state, moves[name])
            stones[player].add(name)
            player = 1 - player
            marks = ["X" if name in stones[0] else "O" if name in stones[1] else "." for name in names]
            assert game.state_text(state).replace("/", "") == f"{''.join(marks)} {'XO'[player]}"
        assert game.result(state) == LOSS
        wins[1 - player] += 1
    return wins


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    assert min(compare(game, 25)) > 0 or game.side < 3


class Bridged(Slow):
    """Reduced in another way, so that cells with a gap between them touch: a mistake that the referee must see."""

    def joined(self, stones):
        return super().joined(stones | stones >> 1 & self.cells)


def test_the_referee_sees_a_mistake():
    with pytest.raises(AssertionError):
        compare(Bridged(5), 20)


def test_a_full_board_has_one_winner():
    game, dice = Slow(6), random.Random(1)
    for _ in range(200):
        first = sum(1 << cell for cell in z.bits.ones(game.cells) if dice.random() < 0.5)
        assert game.joined(first) != game.joined(game.cells ^ first)


# -- the contract ------------------------------------------------------------------------------------------------------


def test_the_contract_holds():
    assert not z.check(Slow(4), states=150, games=4).notes


@pytest.mark.slow
def test_the_contract_holds_compiled():
    report = z.check(Y(8), states=300, games=6)
    assert report.native, report.native_error
    assert [z.perft(Y(4), depth) for depth in range(9)] == [z.perft(Slow(4), depth) for depth in range(9)]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_pictures_and_images(game):
    for state in random_states(game, 40):
        assert game.parse_state(game.state_text(state)) == state
        board = game.board(state)
        assert isinstance(board, Hexes)
        before = "".join(board.cells)
        assert before.count(" ") == game.side * (game.side - 1) // 2
        for move in legal_actions(game, state):
            after = "".join(game.board(game.play(state, move)).cells)
            assert [i for i in range(len(before)) if before[i] != after[i]] == list(game.squares(state, move))
        images = {state, *game.symmetries(state)}
        assert {game.canonical(image) for image in images} == {min(images)}
        assert {game.result(image) for image in images} == {game.result(state)}
        assert {game.evaluate(image) for image in images} == {game.evaluate(state)}


def test_images_of_a_corner_a_side_and_the_centre():
    game = Slow(4)
    found = {}
    for text in ("a1", "b1", "b2"):
        state = z.position(game, text)
        found[text] = {game.state_text(image) for image in (state, *game.symmetries(state))}
    assert found["a1"] == {"X.../.../../. O", "...X/.../../. O", "..../.../../X O"}
    assert len(found["b1"]) == 6
    assert found["b2"] == {"..../.X./../. O"}


def test_neighbours_are_those_of_the_referee():
    game = Slow(5)
    for cell in z.bits.ones(game.cells):
        names = {game.move_text(game.initial(), other) for other in z.bits.ones(int(game.neighbours[cell]))}
        every = {game.move_text(game.initial(), other) for other in z.bits.ones(game.cells)}
        assert names == around(game.move_text(game.initial(), cell)) & every


@pytest.mark.parametrize(
    ("text", "words"),
    [(".../..", "one looks like"), (".../.../... X", "one looks like"), ("XX./../. O", "take turns"),
     ("XO./XO/X X", "take turns"), ("XXO/OX/O X", "has won already")],
)  # fmt: skip
def test_states_that_cannot_be_read(text, words):
    with pytest.raises(GameError, match=words):
        Y(3).parse_state(text)


@pytest.mark.parametrize("side", [0, 9, True, 3.0])
def test_parameters_that_make_no_game(side):
    with pytest.raises(GameError, match="side must be a whole number from 1 to 8"):
        Y(side)


# -- values ------------------------------------------------------------------------------------------------------------

POSITIONS = {1: 2, 2: 13, 3: 257, 4: 16505, 5: 3337584}
"""How many there are, finished ones included: counts that go round without a source to name, and are counted here."""


def test_bounds_keep_the_value():
    game = Slow(3)
    for state in random_states(game, 40, seed=2):
        if game.result(state) == ONGOING:
            low, high = game.bounds(state)
            assert low <= naive.value(game, state) <= high


def test_small_sides():
    for side, count in list(POSITIONS.items())[:3]:
        game = Slow(side)
        assert naive.value(game) == z.search(game, exact=True).value.score == z.win_in(2 * side - 1)
        assert len(naive.reachable(game)) == count


@pytest.mark.slow
@pytest.mark.parametrize("side", [2, 3, 4, 5])
def test_the_first_player_wins_and_positions_are_counted(side):
    game = Y(side) if side > 3 else Slow(side)
    solution = z.solve(game)
    assert solution.positions == POSITIONS[side]
    assert str(solution.value()) == f"win in {2 * side - 1}"
    assert z.search(game, exact=True).value == solution.value()


@pytest.mark.slow
def test_side_six():
    value = z.search(Y(6), exact=True).value
    assert (value.exact, value.outcome, str(value)) == (True, WIN, "win in 11")


def test_openings():
    """On side three every opening wins but the corners."""
    game = Slow(3)
    report = z.search(game, exact=True, lines=6)
    won = {game.move_text(game.initial(), move) for move, value in report.moves.items() if value.outcome == WIN}
    assert won == {"b1", "a2", "b2"}


def test_stones_are_added_one_by_one():
    game = Slow(4)
    stages = [game.stage(z.position(game, " ".join(["b2", "a2", "b1", "c2"][:count]))) for count in range(5)]
    assert [later - earlier for earlier, later in pairwise(stages)] == [1] * 4


@pytest.mark.parametrize("game", [Slow(3), Slow(5), Slow()])
def test_the_chain_that_has_won_is_pointed_out(game):
    """It joins the sides by itself, is connected, and no other stone touches it."""
    dice = random.Random(7)
    for _ in range(20):
        state = game.initial()
        while game.result(state) == ONGOING:
            assert game.highlights(state) == ()
            state = game.play(state, dice.choice(legal_actions(game, state)))
        chain = set(game.highlights(state))
        assert chain <= set(ones(state.theirs))
        assert game.joined(sum(1 << cell for cell in chain))
        around = set().union(*(ones(int(game.neighbours[cell])) for cell in chain))
        assert around & set(ones(state.theirs)) <= chain
        reached = {min(chain)}
        while more := {other for cell in reached for other in ones(int(game.neighbours[cell]))} & chain - reached:
            reached |= more
        assert reached == chain
