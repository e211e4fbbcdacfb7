"""Hexapawn: a referee that knows cells by name, and the published value of the board of three by three."""

import random

import pytest
from test_breakthrough import check_bounds, check_texts_pictures_and_stages

import naive
import zermelo as z
from zermelo import LOSS, GameError
from zermelo.games.hexapawn import Hexapawn
from zermelo.rules import legal_actions, payoff
from zermelo.value import loss_in, win_in


class Slow(Hexapawn):
    """Hexapawn as Python runs it."""

    native = False


GAMES = [Slow(), Slow(1, 4), Slow(4, 4), Slow(8, 8), Slow(5, 3), Slow(16, 4)]

# -- the referee: pawns by column and row, both players seen from the first player's side ------------------------------


class Table:
    def __init__(self, width, height):
        self.width, self.height, self.player = width, height, "X"
        self.pawns = {(x, 1): "X" for x in range(width)} | {(x, height): "O" for x in range(width)}

    def through(self):
        """Who has reached the other side."""
        goals = {"X": self.height, "O": 1}
        return {pawn for (_, y), pawn in self.pawns.items() if y == goals[pawn]}

    def moves(self):
        up = 1 if self.player == "X" else -1
        found = {}
        for (x, y), pawn in self.pawns.items():
            if pawn != self.player or self.through():
                continue
            if (x, y + up) not in self.pawns:
                found[f"{chr(97 + x)}{y}-{chr(97 + x)}{y + up}"] = ((x, y), (x, y + up))
            for to in ((x - 1, y + up), (x + 1, y + up)):
                if self.pawns.get(to, pawn) != pawn:
                    found[f"{chr(97 + x)}{y}x{chr(97 + to[0])}{to[1]}"] = ((x, y), to)
        return found

    def move(self, origin, to):
        self.pawns[to] = self.pawns.pop(origin)
        self.player = "O" if self.player == "X" else "X"

    def text(self):
        rows = ["".join(self.pawns.get((x, y), ".") for x in range(self.width)) for y in range(self.height, 0, -1)]
        return f"{'/'.join(rows)} {self.player}"


def compare(game, count, seed=3):
    """Random games beside the referee's; in how many ways they ended."""
    dice, ends = random.Random(seed), set()
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
        assert payoff(game, state) == LOSS
        assert table.player not in table.through()
        ends.add(len(table.through()))
    return ends


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    assert compare(game, 30) >= {(3, 3): {0, 1}, (4, 4): {0, 1}, (1, 4): {0}}.get((game.width, game.height), {1})


class Free(Slow):
    """Pawns that go diagonally: a mistake that the referee must see."""

    def moves(self, state):
        return super(Hexapawn, self).moves(state)


def test_the_referee_sees_a_mistake():
    with pytest.raises(AssertionError):
        compare(Free(), 10)


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [(3, 3), (4, 5)])
def test_the_contract_holds(sizes):
    assert not z.check(Slow(*sizes), states=150, games=4).notes


@pytest.mark.slow
def test_the_contract_holds_compiled():
    report = z.check(Hexapawn(8, 8), states=300, games=6)
    assert report.native, report.native_error
    assert [z.perft(Hexapawn(4, 5), depth) for depth in range(8)] == [z.perft(Slow(4, 5), depth) for depth in range(8)]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_pictures_and_stages(game):
    check_texts_pictures_and_stages(game, 80)


@pytest.mark.parametrize("sizes", [(3, 3), (3, 4)])
def test_bounds_keep_the_value(sizes):
    check_bounds(Slow(*sizes), 40)


def test_bounds_know_the_last_move():
    game = Slow()
    assert game.bounds(game.parse_state(".../OX./..X X")) == (win_in(1), win_in(1))
    assert game.bounds(game.parse_state("OO./X.O/.XX X")) == (win_in(1), win_in(1))
    assert game.bounds(game.parse_state("O../X../... X")) == (loss_in(0), loss_in(0))


@pytest.mark.parametrize(
    ("text", "words"),
    [("OOO/XXX X", "one looks like"), ("X../.OO/..X X", "has won already"), ("OOO/OX./.XX O", "more than 3 men")],
)
def test_states_that_cannot_be_read(text, words):
    with pytest.raises(GameError, match=words):
        Hexapawn().parse_state(text)


@pytest.mark.parametrize("sizes", [(0, 3), (3, 2), (9, 8), (17, 3), (True, 3), (3, "3")])
def test_sizes_that_make_no_game(sizes):
    with pytest.raises(GameError, match="must be"):
        Hexapawn(*sizes)


# -- values ------------------------------------------------------------------------------------------------------------

VALUES = {
    (1, 3): "win in 1", (2, 3): "loss in 2", (3, 3): "loss in 6", (4, 3): "win in 5", (5, 3): "win in 7",
    (3, 4): "loss in 8", (4, 4): "win in 11", (3, 5): "win in 11",
}  # fmt: skip


def test_the_second_player_wins_on_three_by_three():
    """Gardner, Mathematical Games, Scientific American, March 1962."""
    assert z.textbook.backward_induction(Slow()).value.outcome == LOSS
    assert naive.value(Slow()) == z.search(Slow(), exact=True).value.score == loss_in(6)


@pytest.mark.parametrize("sizes", VALUES, ids=str)
def test_small_boards(sizes):
    assert str(z.search(Slow(*sizes), exact=True).value) == VALUES[sizes]


@pytest.mark.slow
def test_solved():
    solution = z.solve(Hexapawn())
    table = z.textbook.backward_induction(Slow())
    assert str(solution.value()) == "loss in 6"
    for state in table:
        assert str(solution.value(state)) == str(table[state])


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "value"), [((5, 4), "loss in 14"), ((4, 5), "loss in 16"), ((8, 3), "win in 11")])
def test_larger_boards(sizes, value):
    assert str(z.search(Hexapawn(*sizes), exact=True).value) == value
