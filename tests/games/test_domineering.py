"""Domineering: who wins on every small board, and a referee that keeps a set of free cells."""

import pickle
import random

import pytest

import naive
import zermelo as z
from random_games import random_states
from zermelo import LOSS, ONGOING, WIN, GameError
from zermelo.games.domineering import Domineering, LargeDomineering, LargeState, State
from zermelo.games.registry import name_of
from zermelo.rules import legal_actions, payoff

GAMES = [
    Domineering(), Domineering(3, 4), Domineering(7, 9), Domineering(1, 5), Domineering(5, 1), Domineering(8, 8),
    Domineering(10, 10), Domineering(11, 11), Domineering(64, 1), Domineering(5, 25), Domineering(9, 14),
    LargeDomineering(4, 3),
]  # fmt: skip


class Slow(Domineering):
    """Domineering as Python runs it."""

    native = False


# -- the referee: free cells by name -----------------------------------------------------------------------------------


def name(x, y):
    return f"{chr(97 + x)}{y + 1}"


def rooms(free, player, height, width):
    """The dominoes that fit, as they are written."""
    right, down = (1, 0) if player else (0, 1)
    pairs = [(name(x, y), name(x + right, y + down)) for y in range(height) for x in range(width)]
    return [f"{one}-{two}" for one, two in pairs if {one, two} <= free]


def compare(game, count, seed=3):
    dice = random.Random(seed)
    for _ in range(count):
        free = {name(x, y) for x in range(game.width) for y in range(game.height)}
        state, player = game.initial(), 0
        while True:
            assert game.mover(state) == player
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert list(moves) == rooms(free, player, game.height, game.width)
            if not moves:
                break
            text = dice.choice(list(moves))
            free -= set(text.split("-"))
            state, player = game.play(state, moves[text]), 1 - player
        assert (game.result(state), payoff(game, state)) == (ONGOING, LOSS)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    compare(game, 20)


class Wrapping(Slow):
    """Dominoes that lie around the edge: a mistake that the referee must see."""

    last_column = 0


def test_the_referee_sees_a_mistake():
    with pytest.raises(AssertionError):
        compare(Wrapping(4, 3), 10)


# -- boards of two words -----------------------------------------------------------------------------------------------


class SlowLarge(LargeDomineering):
    """The same in two words, as Python runs it."""

    native = False


def as_large(state):
    """A small state in the words of a large one."""
    return LargeState(state.covered, 0)


@pytest.mark.parametrize(("height", "width"), [(4, 4), (3, 5), (6, 6), (7, 9)])
def test_two_words_give_the_answers_of_one(height, width):
    small, large = Slow(height, width), SlowLarge(height, width)
    for state in random_states(small, 60, seed=4):
        same = as_large(state)
        assert large.state_text(same) == small.state_text(state)
        moves = list(legal_actions(small, state))
        assert list(legal_actions(large, same)) == moves
        assert (large.mover(same), large.stage(same)) == (small.mover(state), small.stage(state))
        assert (large.evaluate(same), large.bounds(same)) == (small.evaluate(state), small.bounds(state))
        assert [large.order(same, move) for move in moves] == [small.order(state, move) for move in moves]
        assert [large.play(same, move) for move in moves] == [as_large(small.play(state, move)) for move in moves]
        assert list(large.symmetries(same)) == [as_large(image) for image in small.symmetries(state)]
        assert large.canonical(same) == as_large(small.canonical(state))


def test_two_words_are_searched_as_one():
    small, large = (z.search(kind(4, 4), exact=True) for kind in (Slow, SlowLarge))
    assert (large.value, large.nodes, large.pv_text) == (small.value, small.nodes, small.pv_text)


@pytest.mark.parametrize("size", [pytest.param((8, 8), marks=pytest.mark.slow), (9, 14)])
def test_compiled_words_are_those_of_python(size):
    report = z.check(Domineering(*size), states=300, games=4, strict=True)
    assert report.native, report.native_error


def test_a_board_of_two_words_is_found_by_its_name():
    game = z.load("domineering(8, 8)")
    assert type(game) is LargeDomineering
    assert game == Domineering(8, 8)
    assert (name_of(game), repr(game)) == ("domineering(height=8, width=8)", "Domineering(height=8, width=8)")
    assert z.load(name_of(game)) == pickle.loads(pickle.dumps(game)) == game
    assert type(Domineering(7, 9)) is Domineering


def test_a_domino_across_the_border_of_the_words():
    """On 8x8, cell 62 is g8 and cell 63 is h8: the last of the low word and the first of the high one."""
    game = Domineering(8, 8)
    assert z.position(game, "a1-a2 g8-h8") == LargeState(1 << 0 | 1 << 8 | 1 << 62, 1)
    assert z.position(game, "h7-h8") == LargeState(1 << 55, 1)


def test_perft():
    """Upright on 30 places, then lying on those of 30 that the first domino leaves."""
    game = Domineering()
    lying = [len(legal_actions(game, game.play(game.initial(), move))) for move in legal_actions(game, game.initial())]
    assert (z.perft(game, 1), z.perft(game, 2)) == (30, sum(lying))


# -- the contract ------------------------------------------------------------------------------------------------------


def test_the_contract_holds():
    report = z.check(Domineering(), states=300, games=4, strict=True)
    assert report.native, report.native_error


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_pictures_and_symmetry(game):
    for state in random_states(game, 60):
        assert game.parse_state(game.state_text(state)) == state
        before = "".join(game.board(state).cells)
        for move in legal_actions(game, state):
            after = "".join(game.board(game.play(state, move)).cells)
            assert game.squares(state, move) == tuple(i for i in range(len(before)) if before[i] != after[i])
        for image in game.symmetries(state):
            assert game.canonical(image) == game.canonical(state)
            assert len(legal_actions(game, image)) == len(legal_actions(game, state))


def test_bounds_keep_the_value():
    game, settled = Slow(4, 4), 0
    for state in random_states(game, 80, seed=2):
        if state.covered and legal_actions(game, state):
            low, high = game.bounds(state)
            assert low <= naive.value(game, state) <= high
            settled += low > 0 or high < 0
    assert settled > 10


@pytest.mark.parametrize(
    ("text", "words"),
    [("../..", "one looks like '.../...'"), ("#../...", "covers two cells"), ("X../X..", "one looks")],
)
def test_states_that_cannot_be_read(text, words):
    with pytest.raises(GameError, match=words):
        Domineering(2, 3).parse_state(text)


@pytest.mark.parametrize("sizes", [(0, 3), (3, 0), (13, 10), (1, 27), (3, 27), (-8, -8), (True, 3), (3, "3")])
def test_sizes_that_make_no_game(sizes):
    with pytest.raises(GameError, match="must be"):
        Domineering(*sizes)


def test_a_domino_covers_two_cells():
    game = Domineering(2, 3)
    assert z.position(game, "b1-b2") == State(0b010010)
    assert game.state_text(z.position(game, "a1-a2 b1-c1")) == "###/#.."


# -- values ------------------------------------------------------------------------------------------------------------

WINNERS = ("2HHHHH", "V11HV1", "V11HHH", "VVV1V1", "VHVH2H", "V1V1V1")
"""The winner by rows and columns: upright, lying, or the first or second to move; computed twice."""


def winner(upright_first, lying_first):
    """From who wins if either begins."""
    if upright_first == lying_first:
        return "1" if upright_first else "2"
    return "V" if upright_first else "H"


def begins_and_wins(kind, height, width):
    """Whether the upright player wins, moving first."""
    game = kind(height, width)
    return height > 1 and z.search(game, exact=True).value.outcome == WIN


def test_who_wins_on_small_boards():
    """If the lying player begins, it is the board turned by a quarter on which the upright one does."""
    sizes = [(height, width) for height in range(1, 7) for width in range(1, 7) if height * width <= 18]
    wins = {size: begins_and_wins(Slow, *size) for size in sizes}
    for height, width in sizes:
        assert winner(wins[height, width], wins[width, height]) == WINNERS[height - 1][width - 1]


@pytest.mark.slow
@pytest.mark.parametrize("side", [5, 6])
def test_who_wins_on_squares(side):
    won = begins_and_wins(Domineering, side, side)
    assert winner(won, won) == WINNERS[side - 1][side - 1]


@pytest.mark.slow
def test_who_wins_on_seven_by_seven():
    """Whoever moves first (Uiterwijk, 11 x 11 Domineering is solved, 2016, who gives all squares up to that)."""
    assert str(z.search(Domineering(7, 7), exact=True, table=1024).value) == "win in 23"


@pytest.mark.slow
@pytest.mark.parametrize(("height", "width"), [(4, 5), (4, 6), (5, 6)])
def test_who_wins_on_larger_boards(height, width):
    wins = begins_and_wins(Domineering, height, width), begins_and_wins(Domineering, width, height)
    assert winner(*wins) == WINNERS[height - 1][width - 1]
