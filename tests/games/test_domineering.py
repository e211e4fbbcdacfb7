"""Domineering: who wins on every small board, and a referee that keeps a set of free cells."""

import random

import pytest

import naive
import zermelo as z
from random_games import random_states
from zermelo import LOSS, ONGOING, WIN, GameError
from zermelo.games.domineering import Domineering, State
from zermelo.rules import legal_actions, payoff

GAMES = [Domineering(), Domineering(3, 4), Domineering(7, 9), Domineering(1, 5), Domineering(5, 1)]


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


@pytest.mark.parametrize("sizes", [(0, 3), (3, 0), (8, 8), (1, 27), (True, 3), (3, "3")])
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
