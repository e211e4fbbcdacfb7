"""Othello: published counts and values, and a referee that walks over a board of letters."""

import random

import pytest

import zermelo as z
from equal_time import points_of_engine
from random_games import random_states
from zermelo import ONGOING, GameError
from zermelo.games.othello import MAX_DISCS_WITH_SYMMETRY, Othello, State
from zermelo.rules import legal_actions

GAMES = [Othello(side) for side in (4, 6, 8)]


class Slow(Othello):
    """Othello as Python runs it."""

    native = False


# -- the referee: a dictionary from names of cells to letters ----------------------------------------------------------


class Table:
    def __init__(self, side):
        self.names = {f"{chr(97 + x)}{y + 1}": (x, y) for y in range(side) for x in range(side)}
        self.at = dict.fromkeys(self.names.values(), ".")
        low, high = side // 2 - 1, side // 2
        self.at |= {(low, low): "O", (high, high): "O", (low, high): "X", (high, low): "X"}
        self.player = "X"

    @property
    def other(self):
        return "O" if self.player == "X" else "X"

    def turned(self, place):
        """What a disc there turns over: walk in eight directions until something other than theirs comes."""
        if self.at[place] != ".":
            return []
        turned = []
        for dx, dy in ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)):
            walked = []
            x, y = place[0] + dx, place[1] + dy
            while self.at.get((x, y)) == self.other:
                walked.append((x, y))
                x, y = x + dx, y + dy
            if self.at.get((x, y)) == self.player:
                turned += walked
        return turned

    def placements(self):
        return [name for name, place in self.names.items() if self.turned(place)]

    def moves(self):
        if here := self.placements():
            return here
        self.player = self.other
        there = self.placements()
        self.player = self.other
        return ["pass"] if there else []

    def move(self, name):
        if name != "pass":
            place = self.names[name]
            for turned in [*self.turned(place), place]:
                self.at[turned] = self.player
        self.player = self.other

    def margin(self):
        discs = list(self.at.values())
        return discs.count(self.player) - discs.count(self.other)

    def text(self, side):
        rows = ["".join(self.at[x, y] for x in range(side)) for y in range(side)]
        return f"{'/'.join(rows)} {self.player}"


def compare(game, count, seed):
    """Random games beside the referee's; how many passes there were."""
    dice, passes = random.Random(seed), 0
    for _ in range(count):
        table, state = Table(game.side), game.initial()
        while True:
            assert game.state_text(state) == table.text(game.side)
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert list(moves) == table.moves()
            if not moves:
                break
            text = dice.choice(list(moves))
            passes += text == "pass"
            table.move(text)
            state = game.play(state, moves[text])
        assert game.result(state) == table.margin()
    return passes


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    assert compare(game, 40, seed=3) > 0


class NoWrap(Othello):
    """Lines that run on from one row into the next: a mistake that the referee must see."""

    native = False

    @property
    def columns(self):
        return self.cells

    inside = columns


def test_the_referee_sees_a_mistake():
    with pytest.raises(AssertionError):
        compare(NoWrap(6), 20, seed=3)


# -- the contract and the numbers --------------------------------------------------------------------------------------

LEAVES = (1, 4, 12, 56, 244, 1396, 8200, 55092, 390216)
"""Move sequences from the start, as many programs have them; the next is 3005288."""


def test_published_counts():
    assert tuple(z.perft(Othello(), depth) for depth in range(9)) == LEAVES


@pytest.mark.slow
def test_published_counts_further_on():
    """At depth 10 the published count is 24571284, with the 228 games that are over after nine plies."""
    assert z.perft(Othello(), 9) == 3005288
    assert z.perft(Othello(), 10) == 24571284 - 228


def test_the_contract_holds():
    report = z.check(Othello(), states=300, games=4, strict=True)
    assert report.native, report.native_error


@pytest.mark.slow
@pytest.mark.parametrize("side", [4, 6])
def test_the_contract_holds_on_small_boards(side):
    report = z.check(Othello(side), states=500, games=30, strict=True)
    assert report.native, report.native_error


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_move_raises_the_stage(game):
    for state in random_states(game, 150):
        for move in legal_actions(game, state):
            assert game.stage(game.play(state, move)) > game.stage(state)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_pictures_and_bounds(game):
    for state in random_states(game, 150):
        assert game.parse_state(game.state_text(state)) == state
        before = "".join(game.board(state).cells)
        assert abs(game.evaluate(state)) <= game.side**2
        for move in legal_actions(game, state):
            after = "".join(game.board(game.play(state, move)).cells)
            placed = [i for i in range(len(before)) if before[i] == "." != after[i]]
            assert list(game.squares(state, move)) == placed  # one click
            assert len(placed) == (move != game.passing)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_images_are_played_alike(game):
    for state in random_states(game, 60):
        for image in game.symmetries(state):
            assert len(legal_actions(game, image)) == len(legal_actions(game, state))
            assert game.canonical(image) == game.canonical(state)
        other = state._replace(player=1 - state.player)
        assert game.canonical(other) == game.canonical(state)
        discs = sum(mark != "." for row in game.board(state).cells for mark in row)
        assert len(list(game.symmetries(state))) == (3 if discs <= MAX_DISCS_WITH_SYMMETRY else 0)


def test_corners_come_first_and_the_cells_beside_them_last():
    game = Othello()
    state = game.parse_state("......../.O....../..X...../...OX.../...XO.../......../......../........ X")
    assert sorted(legal_actions(game, state), key=lambda move: -game.order(state, move))[0] == 0
    assert game.evaluate(game.play(state, 0)) < 0  # the opponent's view


def test_a_pass_is_a_move_where_there_is_no_other():
    game = Othello(4)
    state = game.parse_state("XO../XO../XO../.... O")
    assert [game.move_text(state, move) for move in legal_actions(game, state)] == ["pass"]
    assert game.squares(state, 16) == ()
    passed = game.play(state, 16)
    assert passed == State(state.theirs, state.mine, 0)
    assert "c1" in z.divide(game, 1, passed, interpreted=True)
    assert game.result(game.parse_state("XX../XX../..../.... O")) == -4


@pytest.mark.parametrize("text", ["....", "..../.OX./.XO./....", "..../.OX./.XO./...Z X", "..../.OX./.XO./.... Z"])
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match=r"one looks like '\.\.\.\./\.OX\./\.XO\./\.\.\.\. X'"):
        Othello(4).parse_state(text)


@pytest.mark.parametrize("side", [2, 5, 10, True, "8"])
def test_sides_that_make_no_game(side):
    with pytest.raises(GameError, match="side must be 4, 6 or 8"):
        Othello(side)


# -- values ------------------------------------------------------------------------------------------------------------


def test_the_second_player_wins_on_the_smallest_board():
    """3 discs to 11, as every complete search has found."""
    value = z.search(Slow(4), exact=True).value
    assert (value.score, value.exact) == (-8, True)


@pytest.mark.slow
def test_the_smallest_board_solved():
    """58533 positions can be reached, as another program counts them too: who is black does not matter."""
    solution = z.solve(Othello(4))
    assert (solution.value().score, solution.positions) == (-8, 58533)


@pytest.mark.slow
def test_late_positions_of_the_middle_board_are_solved():
    """Two ways to one value, of positions with ten cells left."""
    game, dice = Othello(6), random.Random(5)
    for _ in range(3):
        state = game.initial()
        while game.result(state) == ONGOING and bin(state.mine | state.theirs).count("1") < 26:
            state = game.play(state, dice.choice(legal_actions(game, state)))
        assert z.search(game, state, exact=True).value.score == z.textbook.alphabeta(Slow(6), state).value.score


@pytest.mark.slow
def test_the_engine_beats_minimax_at_equal_time():
    z.warm_up(Othello())
    assert points_of_engine(Othello(), Slow(), depth=3, games=6) > 6 / 2
