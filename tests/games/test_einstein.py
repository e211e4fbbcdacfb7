"""EinStein würfelt nicht: a referee on a dictionary of cells, and values by an expectation of its own."""

import functools
import random
import re

import pytest

import zermelo as z
from random_games import random_states
from zermelo import LOSS, ONGOING, GameError
from zermelo.games.einstein import EinStein
from zermelo.rules import legal_actions

GAMES = [EinStein(), EinStein(3, 3), EinStein(4, 6), EinStein(4, 2, (2, 1)), EinStein(6, 5, second=(5, 3, 1, 2, 4))]


class Slow(EinStein):
    """The game as Python runs it."""

    native = False


# -- the referee: a dictionary from (row, column) to (player, number) --------------------------------------------------


class Table:
    def __init__(self, game):
        self.side, self.stones, self.player = game.side, game.stones, 0
        cells = sorted(((r, c) for r in range(self.side) for c in range(self.side)), key=lambda cell: (sum(cell), cell))
        corner = sorted(cells[: game.stones])
        numbers = tuple(range(1, game.stones + 1))
        self.cells = {cell: (0, number) for cell, number in zip(corner, game.first or numbers, strict=True)}
        far = self.side - 1
        for (row, column), number in zip(corner, game.second or numbers, strict=True):
            self.cells[far - row, far - column] = (1, number)

    def left(self, player):
        return sorted(number for owner, number in self.cells.values() if owner == player)

    def movable(self, die):
        left = self.left(self.player)
        if die in left:
            return [die]
        below, above = [n for n in left if n < die], [n for n in left if n > die]
        return below[-1:] + above[:1]

    def moves(self, die):
        """Pairs of a stone's number and the cell it goes to."""
        ahead = 1 if self.player == 0 else -1
        found = set()
        for (row, column), (owner, number) in self.cells.items():
            if owner == self.player and number in self.movable(die):
                for down, right in ((0, ahead), (ahead, 0), (ahead, ahead)):
                    if 0 <= row + down < self.side and 0 <= column + right < self.side:
                        found.add((number, (row + down, column + right)))
        return found

    def move(self, number, to):
        origin = next(cell for cell, stone in self.cells.items() if stone == (self.player, number))
        self.cells[to] = self.cells.pop(origin)
        self.player = 1 - self.player

    def lost(self):
        """Whether the player to move has lost."""
        goal = (self.side - 1,) * 2 if self.player == 1 else (0, 0)
        return self.cells.get(goal, (self.player, 0))[0] != self.player or not self.left(self.player)

    def text(self, die):
        rows = [[self.cells.get((row, column)) for column in range(self.side)] for row in range(self.side)]
        marks = ["".join("." if s is None else str(s[1]) if s[0] == 0 else chr(96 + s[1]) for s in row) for row in rows]
        return f"{'/'.join(marks)} {('first', 'second')[self.player]} {die}"


def read(game, text):
    """The stone and the cell of a move's text, such as 3xb4."""
    return int(text[0]), (game.side - int(text[3]), "abcdefghi".index(text[2]))


def agrees(game, seed):
    dice = random.Random(seed)
    here, state = Table(game), game.initial()
    while not here.lost():
        if game.state_text(state) != here.text(0) or game.result(state) != ONGOING:
            return False
        die = dice.randint(1, game.stones)
        state = game.play(state, die)
        moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
        if {read(game, text) for text in moves} != here.moves(die) or len(moves) != len(here.moves(die)):
            return False
        text = dice.choice(sorted(moves))
        if ("x" in text) != (read(game, text)[1] in here.cells):
            return False
        here.move(*read(game, text))
        state = game.play(state, moves[text])
    return game.state_text(state) == here.text(0) and game.result(state) == LOSS


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    assert all(agrees(game, seed) for seed in range(40))


def rows_of(spiel):
    """The board of open_spiel as Zermelo writes it: b1 is stone 1 of the first player, w1 stone a of the second."""
    rows = [re.findall(r"\|(..)\|", line) for line in str(spiel).splitlines()]
    marks = {"_": lambda _: ".", "b": str, "w": lambda number: chr(96 + int(number))}
    return "/".join("".join(marks[kind](number) for kind, number in row) for row in rows if row)


def test_play_is_that_of_open_spiel():
    """Where chance places the stones, and White may begin."""
    pyspiel = pytest.importorskip("pyspiel")
    dice, game, positions = random.Random(5), EinStein(), 10_000
    while positions > 0:
        spiel = pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state()
        for _ in range(2):
            spiel.apply_action(dice.choice(spiel.legal_actions()))
        while not spiel.is_terminal():
            die = dice.randint(1, 6)
            spiel.apply_action(spiel.legal_actions()[die - 1])
            player = {"B": "first", "W": "second"}[spiel.action_to_string(spiel.legal_actions()[0])[0]]
            state = game.parse_state(f"{rows_of(spiel)} {player} {die}")
            theirs = {rows_of(spiel.child(action)): action for action in spiel.legal_actions()}
            ours = {"/".join(game.rows(after)): after for after in (game.play(state, m) for m in game.moves(state))}
            assert ours.keys() == theirs.keys()
            rows = dice.choice(sorted(ours))
            spiel.apply_action(theirs[rows])
            assert game.result(ours[rows]) == (LOSS if spiel.is_terminal() else ONGOING)
            positions -= 1


class Spared(EinStein):
    """A twin in which one's own stones are not taken."""

    def play(self, state, move):
        after = super().play(state, move)
        if state.die == 0:
            return after
        spared = [before if now == -1 else now for now, before in zip(after.theirs, state.mine, strict=True)]
        return after._replace(theirs=tuple(spared))


class Higher(EinStein):
    """A twin in which only the next higher stone stands in for one that is gone."""

    def moves(self, state):
        best = [move for move in super().moves(state) if move // 3 >= state.die - 1]
        return best or list(super().moves(state))


@pytest.mark.parametrize("twin", [Spared(), Higher()], ids=repr)
def test_the_referee_notices_a_broken_twin(twin):
    assert not all(agrees(twin, seed) for seed in range(40))


# -- the contract ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_contract_holds():
    assert z.check(EinStein(), states=300, games=10, strict=True).native


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_are_read_back_and_stages_rise(game):
    for state in random_states(game, 150):
        assert game.parse_state(game.state_text(state)) == state
        for move in legal_actions(game, state):
            assert game.stage(game.play(state, move)) > game.stage(state)


def test_a_stone_that_is_gone_lets_its_neighbours_move():
    """Bonnet and Viennot's example: of stones 1, 5 and 6, a roll of 2, 3 or 4 moves stone 1 or stone 5."""
    game = EinStein()
    state = game.parse_state("1.5../..6../...../...../....a first 3")
    assert {game.move_text(state, move)[0] for move in game.moves(state)} == {"1", "5"}
    assert {game.move_text(state._replace(die=6), move)[0] for move in game.moves(state._replace(die=6))} == {"6"}


@pytest.mark.parametrize("text", ["", "1.a/.../...", "12a/.../..b third 1", "11a/.../..b first 0", "1../.../..b first"])
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match="does not describe a state"):
        EinStein(3, 2).parse_state(text)


@pytest.mark.parametrize("sizes", [(1, 1), (5, 0), (5, 10), (3, 5), (4, 2, (1, 1)), (4, 2, (), (3, 1)), (True, 1)])
def test_sizes_that_make_no_game(sizes):
    with pytest.raises(GameError, match=r"must|do not fit"):
        EinStein(*sizes)


# -- values ------------------------------------------------------------------------------------------------------------


def expected(game):
    """The payoff that the first player can expect, by the definition and the referee alone."""

    @functools.cache
    def value(cells, player):
        here = Table(game)
        here.cells, here.player = dict(cells), player
        if here.lost():
            return -1.0
        total = 0.0
        for die in range(1, game.stones + 1):
            best = -1.0
            for number, to in here.moves(die):
                there = Table(game)
                there.cells, there.player = dict(cells), player
                there.move(number, to)
                best = max(best, -value(tuple(sorted(there.cells.items())), there.player))
            total += best / game.stones
        return total

    return value(tuple(sorted(Table(game).cells.items())), 0)


@pytest.mark.parametrize("game", [Slow(2, 1), Slow(3, 1), Slow(3, 2), Slow(4, 1)], ids=repr)
def test_small_values_by_two_methods(game):
    assert z.textbook.backward_induction(game).value.score == pytest.approx(expected(game))


@pytest.mark.slow
@pytest.mark.parametrize("game", [EinStein(3, 3), EinStein(4, 1)], ids=repr)
def test_values_by_the_solver(game):
    assert z.solve(game).value().score == pytest.approx(expected(game), abs=1e-12)
