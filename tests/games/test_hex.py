"""Hex: a referee that walks from stone to stone by name, known openings, and a board that always has a winner."""

import random

import pytest

import naive
import zermelo as z
from random_games import random_states
from zermelo import LOSS, ONGOING, WIN, GameError
from zermelo.board import Hexes
from zermelo.games.hex import Hex, State
from zermelo.games.support.wide_cells import either
from zermelo.rules import legal_actions

GAMES = [Hex(), Hex(3), Hex(8), Hex(9), Hex(11, swap=True), Hex(4, swap=True), Hex(2, swap=True), Hex(1)]


class Slow(Hex):
    """Hex as Python runs it."""

    native = False


# -- the referee: stones by column and row -----------------------------------------------------------------------------


def joined(stones, side, player):
    """Whether these (column, row) join top and bottom for X, left and right for O: a walk from stone to stone."""
    along = 1 if player == "X" else 0
    seen = [stone for stone in stones if stone[along] == 0]
    for x, y in seen:
        around = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x + 1, y - 1), (x - 1, y + 1)}
        seen += [stone for stone in around & stones if stone not in seen]
    return any(stone[along] == side - 1 for stone in seen)


class Table:
    def __init__(self, side, swap):
        self.side, self.swap, self.player = side, swap, "X"
        self.stones = {"X": set(), "O": set()}

    @property
    def other(self):
        return "O" if self.player == "X" else "X"

    def moves(self):
        if joined(self.stones[self.other], self.side, self.other):
            return []
        cells = [(x, y) for y in range(self.side) for x in range(self.side)]
        texts = [f"{chr(97 + x)}{y + 1}" for x, y in cells if (x, y) not in self.stones["X"] | self.stones["O"]]
        first = self.swap and self.player == "O" and not self.stones["O"] and len(self.stones["X"]) == 1
        return [*texts, "swap"] if first else texts

    def move(self, text):
        if text == "swap":
            self.stones = {"X": set(), "O": {(y, x) for x, y in self.stones["X"]}}
        else:
            self.stones[self.player].add((ord(text[0]) - 97, int(text[1:]) - 1))
        self.player = self.other

    def text(self):
        def mark(cell):
            return "X" if cell in self.stones["X"] else "O" if cell in self.stones["O"] else "."

        rows = ["".join(mark((x, y)) for x in range(self.side)) for y in range(self.side)]
        return f"{'/'.join(rows)} {self.player}"


def compare(game, count, seed=3):
    """Random games beside the referee's; how many swaps there were."""
    dice, swaps = random.Random(seed), 0
    for _ in range(count):
        table, state = Table(game.side, game.swap), game.initial()
        while True:
            assert game.state_text(state) == table.text()
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert list(moves) == table.moves()
            if not moves:
                break
            text = "swap" if "swap" in moves and dice.random() < 0.5 else dice.choice(list(moves))
            swaps += text == "swap"
            table.move(text)
            state = game.play(state, moves[text])
        assert game.result(state) == LOSS
    return swaps


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    assert (compare(game, 30) > 0) == game.swap


class Square(Slow):
    """Eight neighbours for six: a mistake that the referee must see."""

    def neighbours(self, cells):
        return either(super().neighbours(cells), super().neighbours(super().neighbours(cells)))


def test_the_referee_sees_a_mistake():
    with pytest.raises(AssertionError):
        compare(Square(4), 20)


def test_a_full_board_has_one_winner():
    game, dice = Hex(5), random.Random(1)
    for _ in range(100):
        cells = dice.sample(range(25), 25)
        first = sum(1 << cell for cell in cells[:13])
        assert game.joined((first, 0), 0) != game.joined((game.cells[0] ^ first, 0), 1)


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [Hex(4, swap=True), Hex(9), pytest.param(Hex(8), marks=pytest.mark.slow)], ids=repr)
def test_the_contract_holds(game):
    report = z.check(game, states=200, games=4)
    assert report.native, report.native_error


def test_perft():
    """Stones go anywhere until a chain is closed, which takes two times the side less one plies."""
    assert [z.perft(Hex(4, swap=True), depth) for depth in range(4)] == [1, 16, 16 * 16, 16 * 15 * 14 + 16 * 15]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_pictures_and_stages(game):
    for state in random_states(game, 60):
        assert game.parse_state(game.state_text(state)) == state
        assert isinstance(game.board(state), Hexes)
        before = "".join(game.board(state).cells)
        for move in legal_actions(game, state):
            child = game.play(state, move)
            after = "".join(game.board(child).cells)
            assert game.stage(child) > game.stage(state)
            assert {i for i in range(len(before)) if before[i] != after[i]} == set(game.squares(state, move))
        for image in game.symmetries(state):
            assert game.canonical(image) == game.canonical(state)


def test_a_swapped_stone_is_mirrored():
    game = Hex(3, swap=True)
    state = z.position(game, "b1 swap")
    assert game.state_text(state) == ".../O../... X"
    assert game.state_text(z.position(game, "b2 swap")) == ".../.O./... X"
    assert game.squares(z.position(game, "b1"), 9) == (1, 3)
    assert game.squares(z.position(game, "b2"), 9) == (4,)
    assert "swap" not in z.divide(game, 1, z.position(game, "b1 a1 c1"), interpreted=True)
    assert state == State((0, 0), (8, 0), 0)


def test_distances():
    game = Hex(4)
    state = z.position(game, "b2 a1")
    assert game.distance(state.mine, state.theirs, 0) == 3
    assert game.distance(state.theirs, state.mine, 1) == 3
    assert game.evaluate(state) == 5
    cut = game.parse_state("..../XXX./OOOO/.X.. X")
    assert game.distance(cut.mine, cut.theirs, 0) == 16


@pytest.mark.parametrize(
    ("text", "words"),
    [(".../...", "one looks like"), ("XX./.../... O", "take turns"), ("X../X../XOO X", "take turns"),
     ("X.O/X.O/X.. X", "take turns"), ("X.O/X.O/XO. X", "has won already")],
)  # fmt: skip
def test_states_that_cannot_be_read(text, words):
    with pytest.raises(GameError, match=words):
        Hex(3).parse_state(text)


@pytest.mark.parametrize("parameters", [(0,), (12,), (True,), (3, 1)])
def test_parameters_that_make_no_game(parameters):
    with pytest.raises(GameError, match="must be"):
        Hex(*parameters)


# -- values ------------------------------------------------------------------------------------------------------------


def openings(game):
    """The first moves that win."""
    start = game.initial()
    return [
        game.move_text(start, move)
        for move in legal_actions(game, start)
        if z.search(game, game.play(start, move), exact=True).value.outcome == LOSS
    ]


def test_the_first_player_wins_on_small_boards():
    for side in (1, 2):
        game = Slow(side)
        assert naive.value(game, game.initial()) == z.search(game, exact=True).value.score
    assert openings(Slow(2)) == ["b1", "a2"]
    assert openings(Slow(3)) == ["c1", "a2", "b2", "c2", "a3"]


def test_with_the_swap_rule_the_second_player_wins():
    for side in (2, 3):
        assert z.search(Slow(side, swap=True), exact=True).value.outcome == LOSS


@pytest.mark.slow
def test_the_winning_openings_of_side_four():
    """The four cells of the short diagonal, and no others."""
    assert openings(Hex(4)) == ["d1", "c2", "b3", "a4"]
    assert z.search(Hex(4), exact=True).value.outcome == WIN


def test_bounds_keep_the_value():
    game = Slow(3)
    for state in random_states(game, 40, seed=2):
        if game.result(state) == ONGOING and game.stage(state) >= 6:
            low, high = game.bounds(state)
            assert low <= naive.value(game, state) <= high
