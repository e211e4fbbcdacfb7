"""Breakthrough: a referee that knows cells by name, and values by exhaustive search."""

import random

import pytest

import naive
import zermelo as z
from random_games import random_states
from zermelo import LOSS, ONGOING, GameError
from zermelo.games.breakthrough import Breakthrough
from zermelo.rules import legal_actions
from zermelo.value import loss_in, win_in

GAMES = [Breakthrough(), Breakthrough(3, 4), Breakthrough(6, 5), Breakthrough(2, 6), Breakthrough(5, 8)]


class Slow(Breakthrough):
    """Breakthrough as Python runs it."""

    native = False


# -- the referee: men by column and row, both players seen from the first player's side --------------------------------


class Table:
    def __init__(self, width, height):
        self.width, self.height, self.player = width, height, "X"
        self.men = {(x, y): "X" for x in range(width) for y in (1, 2)}
        self.men |= {(x, y): "O" for x in range(width) for y in (height - 1, height)}

    def over(self):
        sides = set(self.men.values())
        goal = any(self.men.get((x, self.height)) == "X" or self.men.get((x, 1)) == "O" for x in range(self.width))
        return goal or len(sides) < 2

    def moves(self):
        up = 1 if self.player == "X" else -1
        found = {}
        for (x, y), man in self.men.items():
            for aside in (-1, 0, 1) if man == self.player and not self.over() else ():
                to = (x + aside, y + up)
                there = self.men.get(to)
                if 0 <= to[0] < self.width and (there is None or (aside and there != man)):
                    found[f"{chr(97 + x)}{y}{'x' if there else '-'}{chr(97 + to[0])}{to[1]}"] = ((x, y), to)
        return found

    def move(self, origin, to):
        self.men[to] = self.men.pop(origin)
        self.player = "O" if self.player == "X" else "X"

    def text(self):
        rows = ["".join(self.men.get((x, y), ".") for x in range(self.width)) for y in range(self.height, 0, -1)]
        return f"{'/'.join(rows)} {self.player}"


def compare(game, count, seed=3):
    dice = random.Random(seed)
    for _ in range(count):
        table, state = Table(game.width, game.height), game.initial()
        while True:
            assert game.state_text(state) == table.text()
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            expected = table.moves()
            assert sorted(moves) == sorted(expected)
            if not moves:
                break
            text = dice.choice(sorted(moves))
            table.move(*expected[text])
            state = game.play(state, moves[text])
        assert game.result(state) == LOSS
        assert table.over()


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    compare(game, 30)


class Wrapping(Slow):
    """Men that go around the edge: a mistake that the referee must see."""

    left = 0


def test_the_referee_sees_a_mistake():
    with pytest.raises(AssertionError):
        compare(Wrapping(3, 5), 10)


# -- the contract and the numbers --------------------------------------------------------------------------------------


def leaves(table, depth):
    if depth == 0:
        return 1
    total = 0
    for origin, to in table.moves().values():
        child = Table(table.width, table.height)
        child.men, child.player = dict(table.men), table.player
        child.move(origin, to)
        total += leaves(child, depth - 1)
    return total


def test_perft_is_that_of_the_referee():
    game = Breakthrough()
    assert [z.perft(game, depth) for depth in range(4)] == [leaves(Table(8, 8), depth) for depth in range(4)]
    assert z.perft(game, 1) == 22


def test_the_contract_holds():
    report = z.check(Breakthrough(), states=300, games=4)
    assert report.native, report.native_error


def test_the_contract_holds_on_a_small_board():
    z.check(Slow(3, 4), states=150, games=4)


def check_texts_pictures_and_stages(game, states):
    """On a number of random states; Hexapawn's too."""
    for state in random_states(game, states):
        assert game.parse_state(game.state_text(state)) == state
        before = "".join(game.board(state).cells)
        for move in legal_actions(game, state):
            child = game.play(state, move)
            after = "".join(game.board(child).cells)
            origin, goal = game.squares(state, move)
            assert (before[origin], after[origin], after[goal]) == (before[origin], ".", before[origin])
            assert game.noisy(state, move) == (before[goal] != ".") == ("x" in game.move_text(state, move))
            assert game.stage(child) > game.stage(state)
        for image in game.symmetries(state):
            assert game.canonical(image) == game.canonical(state)


def check_bounds(game, states):
    """Bounds never leave out the value."""
    for state in random_states(game, states, seed=4):
        if game.result(state) == ONGOING:
            low, high = game.bounds(state)
            assert low <= naive.value(game, state) <= high


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_pictures_and_stages(game):
    check_texts_pictures_and_stages(game, 120)


@pytest.mark.parametrize("sizes", [(2, 4), (2, 5)])
def test_bounds_keep_the_value(sizes):
    check_bounds(Slow(*sizes), 20)


def test_bounds_know_the_last_moves():
    game = Breakthrough(3, 5)
    assert game.bounds(game.parse_state(".../X../.../.O./... X")) == (win_in(1), win_in(1))
    assert game.bounds(game.parse_state("OOO/.../..X/O../.X. X"))[1] == win_in(3)
    assert game.bounds(game.parse_state("OOO/.../..X/O../X.. X")) == (loss_in(2), loss_in(2))
    assert game.bounds(game.parse_state("OOO/.../..X/O.O/.X. X")) == (loss_in(2), loss_in(2))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("OOO/OOO/XXX X", "one looks like"),
        ("OOO/OOX/OXX/XXX X", None),
        ("X.O/OOO/XX./XXX X", "has won already"),
        ("OOO/OXX/XXX/XXX O", "more than 6 men"),
    ],
)
def test_states_that_cannot_be_read(text, words):
    game = Breakthrough(3, 4)
    if words is None:
        assert game.state_text(game.parse_state(text)) == text
        return
    with pytest.raises(GameError, match=words):
        game.parse_state(text)


@pytest.mark.parametrize("sizes", [(1, 8), (8, 3), (9, 8), (17, 4), (True, 8), ("8", 8)])
def test_sizes_that_make_no_game(sizes):
    with pytest.raises(GameError, match="must be"):
        Breakthrough(*sizes)


# -- values ------------------------------------------------------------------------------------------------------------

VALUES = {(2, 4): -1, (3, 4): -1, (2, 5): -1, (2, 6): 1}


@pytest.mark.parametrize("sizes", VALUES, ids=str)
def test_small_boards(sizes):
    """By the engine and by plain minimax."""
    game = Slow(*sizes)
    found = z.search(game, exact=True).value
    assert (found.exact, found.outcome) == (True, VALUES[sizes])
    assert found.score == naive.value(game, game.initial())


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(4, 5)])
def test_larger_boards(sizes):
    assert z.search(Breakthrough(*sizes), exact=True).value.outcome == -1
