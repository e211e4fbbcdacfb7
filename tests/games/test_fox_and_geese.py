"""Fox and Geese: a referee that counts rows and columns, the values by plain recursion, and who is known to win."""

import functools
import random

import pytest

import zermelo as z
from random_games import random_states
from zermelo import LOSS, WIN, GameError
from zermelo.games.fox_and_geese import FOX, GEESE, FoxAndGeese, State
from zermelo.rules import legal_actions, payoff
from zermelo.textbook import backward_induction

GAMES = [FoxAndGeese(), FoxAndGeese(fox_first=False), FoxAndGeese(4), FoxAndGeese(6, False), FoxAndGeese(10)]

START = (2, 4, 6, 8, 10)
"""The columns in which the geese begin."""


class Slow(FoxAndGeese):
    """Fox and Geese as Python runs it: small boards are solved sooner than compiled."""

    native = False


# -- the referee: squares as (column, row), both counted from 1 at the bottom left -------------------------------------


def squares_of(game, state):
    """Fox and geese as the picture shows them."""
    found = {"F": [], "g": []}
    for i, row in enumerate(game.board(state).cells):
        for column, mark in enumerate(row, 1):
            if mark != ".":
                found[mark].append((column, game.side - i))
    (fox,) = found["F"]
    return fox, frozenset(found["g"])


def steps(side, fox, geese, player):
    """The steps from square to square."""
    rises = (1, -1) if player == FOX else (-1,)
    for column, row in [fox] if player == FOX else sorted(geese):
        for rise in rises:
            for to in ((column - 1, row + rise), (column + 1, row + rise)):
                if 1 <= to[0] <= side and 1 <= to[1] <= side and to not in geese and to != fox:
                    yield (column, row), to


def winner_of(side, fox, geese, player):
    """Who has won, if anybody has."""
    if fox[1] >= max(row for _, row in geese):
        return FOX
    return None if any(steps(side, fox, geese, player)) else 1 - player


def stepped(fox, geese, step):
    from_square, to = step
    return (to, geese) if from_square == fox else (fox, geese - {from_square} | {to})


def written(step):
    return "-".join(f"{'abcdefghij'[column - 1]}{row}" for column, row in step)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    dice, winners = random.Random(7), set()
    for _ in range(60):
        state = game.initial()
        player = FOX if game.fox_first else GEESE
        fox, geese = (
            (5 if game.side > 6 else 3, 1),
            frozenset((column, game.side) for column in START[: game.side // 2]),
        )
        while True:
            assert squares_of(game, state) == (fox, geese)
            assert game.mover(state) == player
            winner = winner_of(game.side, fox, geese, player)
            if winner is not None:
                assert payoff(game, state) == (WIN if winner == player else LOSS)
                winners.add(winner)
                break
            texts = {written(step): step for step in steps(game.side, fox, geese, player)}
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert moves.keys() == texts.keys()
            text = dice.choice(sorted(texts))
            board = game.board(state)
            names = [column + row for row in board.rows for column in board.columns]
            assert [names[square] for square in game.squares(state, moves[text])] == text.split("-")
            state = game.play(state, moves[text])
            fox, geese = stepped(fox, geese, texts[text])
            player = 1 - player
    assert FOX in winners


class Retreat(FoxAndGeese):
    """Broken: geese may go back."""

    @property
    def below(self):
        below = FoxAndGeese(self.side).below
        for square in range(self.row, len(below)):
            below[square] |= 1 << square - self.row
        return below


class Sluggish(FoxAndGeese):
    """Broken: the fox has to reach the top row."""

    def result(self, state):
        return super().result(state) if state.fox < self.row else z.ONGOING


@pytest.mark.parametrize("broken", [Retreat, Sluggish])
def test_the_referee_sees_a_broken_game(broken):
    with pytest.raises(AssertionError):
        test_play_is_that_of_the_referee(broken())


# -- values ------------------------------------------------------------------------------------------------------------


@functools.cache
def wins(side, fox, geese, player):
    """Who wins with best play."""
    winner = winner_of(side, fox, geese, player)
    if winner is not None:
        return winner
    after = {wins(side, *stepped(fox, geese, step), 1 - player) for step in steps(side, fox, geese, player)}
    return player if player in after else 1 - player


@pytest.mark.parametrize("fox_first", [True, False])
def test_every_value_is_that_of_the_referee(fox_first):
    game = Slow(4, fox_first)
    table = backward_induction(game)
    for state in table:
        winner = wins(4, *squares_of(game, state), state.player)
        assert table[state].outcome == (WIN if winner == state.player else LOSS), game.state_text(state)


@pytest.mark.slow
@pytest.mark.parametrize("fox_first", [True, False])
def test_the_geese_win(fox_first):
    """One fox against four geese on eight by eight (Berlekamp, Conway and Guy, Winning Ways, chapter 20).

    How soon, and of how many states, is not published: it is what docs/games/fox_and_geese.md says.
    """
    solution = z.solve(FoxAndGeese(8, fox_first))
    assert str(solution.value()) == ("loss in 44" if fox_first else "win in 43")
    if fox_first:
        assert len(solution) == 783_184


@pytest.mark.slow
def test_solved_on_six_by_six():
    game = FoxAndGeese(6)
    solution = z.solve(game)
    dice = random.Random(3)
    states = list(solution)
    for state in dice.sample(states, 500):
        winner = wins(6, *squares_of(game, state), state.player)
        assert solution.value(state).outcome == (WIN if winner == state.player else LOSS), game.state_text(state)


# -- the contract ------------------------------------------------------------------------------------------------------


def test_the_contract_holds():
    for game in (Slow(), Slow(6, False)):
        assert not z.check(game, states=150, games=3).notes


@pytest.mark.slow
def test_perft():
    for game in GAMES:
        depths = range(5)
        assert [z.perft(game, depth) for depth in depths] == [z.perft(slow(game), depth) for depth in depths]
    assert [z.perft(FoxAndGeese(), depth) for depth in range(3)] == [1, 2, 14]


def slow(game):
    return Slow(game.side, game.fox_first)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_and_stages(game):
    for state in random_states(game, 200):
        assert game.parse_state(game.state_text(state)) == state
        for move in legal_actions(game, state):
            assert game.stage(game.play(state, move)) == game.stage(state) + 1


def test_a_position_by_its_text():
    game = FoxAndGeese()
    state = game.parse_state("c3 b4,d4,b2,d2 fox")
    assert state == State(21, 1 << 16 | 1 << 17 | 1 << 24 | 1 << 25, FOX)
    assert payoff(game, state) == LOSS
    assert payoff(game, game.parse_state("c5 b4,d4,b2,d2 geese")) == LOSS
    assert payoff(game, game.parse_state("c3 b4,d2,f2,h2 geese")) == z.ONGOING
    assert game.order(game.initial(), 30 | 27 << 6) > game.order(game.initial(), 30 | 31 << 6)


@pytest.mark.parametrize(
    "text",
    [
        "e1 b8,d8,f8 fox",
        "e1 b8,d8,f8,h8",
        "e1 b8,d8,f8,e1 fox",
        "e2 b8,d8,f8,h8 fox",
        "e1 b8,d8,f8,h8 hare",
        "",
        "e1 b8,zz,d8,f8,h8 fox",
        "e1 b8,b8,d8,f8,h8 fox",
        "e1 e1,b8,d8,f8,h8 fox",
        "e1 b8,d8,f8,h8,a7 fox",
    ],
)
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match=r"such as 'e1 b8,d8,f8,h8 fox'"):
        FoxAndGeese().parse_state(text)


@pytest.mark.parametrize("parameters", [(7,), (12,), (True,), (8, 1), ("8",)])
def test_parameters_that_make_no_game(parameters):
    with pytest.raises(GameError, match=r"side must be|must be True or False"):
        FoxAndGeese(*parameters)
