"""Three Musketeers: a referee that moves marks about on a grid, values by plain recursion, and who is known to win."""

import functools
import random

import pytest

import zermelo as z
from random_games import random_states
from zermelo import LOSS, ONGOING, WIN, GameError
from zermelo.games.three_musketeers import ENEMY, MUSKETEERS, State, ThreeMusketeers
from zermelo.rules import legal_actions, payoff
from zermelo.value import loss_in, win_in

PLAYER_NAMES = ("musketeers", "enemy")
START = "ooooM/ooooo/ooMoo/ooooo/Moooo"


class Slow(ThreeMusketeers):
    """Three Musketeers as Python runs it."""

    native = False


# -- the referee: a dictionary of marks by column and row --------------------------------------------------------------


def grid_of(text):
    """The marks of a board, by names such as a1."""
    names = [f"{column}{row}" for row in range(5, 0, -1) for column in "abcde"]
    return dict(zip(names, text.replace("/", ""), strict=True))


def text_of(grid):
    return "/".join("".join(grid[f"{column}{row}"] for column in "abcde") for row in range(5, 0, -1))


def steps(grid, player):
    """The moves as they are written."""
    mover, goal, sign = ("M", "o", "x") if player == MUSKETEERS else ("o", ".", "-")
    for from_cell, mark in grid.items():
        for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            to = f"{chr(ord(from_cell[0]) + right)}{int(from_cell[1]) + up}"
            if mark == mover and grid.get(to) == goal:
                yield f"{from_cell}{sign}{to}"


def stepped(grid, step):
    return {**grid, step[3:]: grid[step[:2]], step[:2]: "."}


def winner_of(grid, player):
    """Who has won, if anybody has."""
    musketeers = [name for name, mark in grid.items() if mark == "M"]
    if any(len({name[i] for name in musketeers}) == 1 for i in (0, 1)):
        return ENEMY
    return None if any(steps(grid, player)) else MUSKETEERS


def compare(game, dice):
    """A random game, played by both; who has won it, and how."""
    state, grid, player = game.initial(), grid_of(START), MUSKETEERS
    while True:
        assert game.state_text(state) == f"{text_of(grid)} {PLAYER_NAMES[player]}"
        winner = winner_of(grid, player)
        if winner is not None:
            assert payoff(game, state) == (WIN if winner == player else LOSS)
            return winner, player
        texts = sorted(steps(grid, player))
        moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
        assert sorted(moves) == texts
        text = dice.choice(texts)
        assert [list(grid)[square] for square in game.squares(state, moves[text])] == [text[:2], text[3:]]
        state, grid, player = game.play(state, moves[text]), stepped(grid, text), 1 - player


def play_games(game):
    """Many random games: who has won them, and who was to move then."""
    dice = random.Random(5)
    return {compare(game, dice) for _ in range(200)}


def test_play_is_that_of_the_referee():
    assert play_games(Slow()) == {(ENEMY, ENEMY), (MUSKETEERS, MUSKETEERS), (MUSKETEERS, ENEMY)}


class Sliding(Slow):
    """Broken: a row goes on in the next one."""

    @property
    def neighbours(self):
        return tuple(
            1 << cell + 1 | 1 << cell + 5 | (1 << cell - 1 if cell else 0) | 1 << cell >> 5 for cell in range(25)
        )


class Passive(Slow):
    """Broken: the musketeers lose if they cannot move."""

    def stuck(self, state):
        return LOSS


class Columns(Slow):
    """Broken: one row is no line."""

    def result(self, state):
        columns = {cell % 5 for cell in range(25) if state.musketeers >> cell & 1}
        return super().result(state) if len(columns) == 1 else ONGOING


@pytest.mark.parametrize("broken", [Sliding, Passive, Columns])
def test_the_referee_sees_a_broken_game(broken):
    with pytest.raises(AssertionError):
        play_games(broken())


def test_an_enemy_who_cannot_move_has_lost():
    game = Slow()
    penned = game.parse_state("oM.../M..../...../...../....M enemy")
    assert not legal_actions(game, penned)
    assert payoff(game, penned) == LOSS
    assert payoff(game, penned._replace(player=MUSKETEERS)) == ONGOING
    assert payoff(game, game.parse_state("..o../M..../..M../...../...oM musketeers")) == ONGOING
    assert payoff(game, game.parse_state("..o../M..../..M../...../.o..M musketeers")) == WIN
    assert payoff(game, game.parse_state("..o../M..../M..../...../M.o.. enemy")) == WIN
    assert payoff(game, State(1 << 5 | 1 << 10 | 1 << 20, 1 << 2, MUSKETEERS)) == LOSS
    assert payoff(game, game.parse_state("...../M.MoM/...../...../..o.. enemy")) == WIN


# -- values ------------------------------------------------------------------------------------------------------------


@functools.cache
def plies(text, player):
    """The score with best play: who wins, and how soon."""
    grid = grid_of(text)
    winner = winner_of(grid, player)
    if winner is not None:
        return win_in(0) if winner == player else loss_in(0)
    best = max(-plies(text_of(stepped(grid, step)), 1 - player) for step in steps(grid, player))
    return best - (best > 0) + (best < 0)


def endings(count, men):
    """Positions with so few enemies that everything can be tried, where nobody has won yet."""
    dice = random.Random(9)
    for _ in range(count):
        cells = dice.sample(range(25), 3 + men)
        marks = ["M" if cell in cells[:3] else "o" if cell in cells else "." for cell in range(25)]
        rows = "/".join("".join(marks[row * 5 :][:5]) for row in range(5))
        player = dice.choice((MUSKETEERS, ENEMY))
        if winner_of(grid_of(rows), player) is None:
            yield rows, player


def test_bounds_hold():
    """In random endings, against the referee."""
    game, outcomes = Slow(), set()
    for text, player in endings(60, 2):
        state = game.parse_state(f"{text} {PLAYER_NAMES[player]}")
        low, high = game.bounds(state)
        score = plies(text, player)
        assert low <= score <= high, game.state_text(state)
        outcomes.add(score > 0)
    assert outcomes == {True, False}


@pytest.mark.slow
def test_searched_endings():
    """The value of random endings, compiled, is that of the referee."""
    game, outcomes = ThreeMusketeers(), set()
    for text, player in endings(40, 4):
        state = game.parse_state(f"{text} {PLAYER_NAMES[player]}")
        value = z.search(game, state, exact=True).value
        assert value.score == plies(text, player), game.state_text(state)
        outcomes.add((value.outcome, player))
    assert len(outcomes) == 4


@pytest.mark.slow
def test_the_enemy_wins():
    """The enemy, who moves second, wins (Johannes Laire, 2009). The search proves it long before it knows how soon."""
    with z.analyze(ThreeMusketeers(), limit=z.Limit(nodes=2_000_000_000), exact=True, table=256) as reports:
        decided = next(report for report in reports if report.value.outcome is not None)
    assert decided.value.outcome == LOSS
    assert decided.value.plies is None


# -- the contract ------------------------------------------------------------------------------------------------------


def test_the_contract_holds():
    assert not z.check(Slow(), states=100, games=2).notes


@pytest.mark.slow
def test_perft():
    game = ThreeMusketeers()
    assert [z.perft(game, depth) for depth in range(5)] == [z.perft(Slow(), depth) for depth in range(5)]
    assert [z.perft(game, depth) for depth in range(3)] == [1, 8, 16]


def test_texts_images_and_stages():
    game = Slow()
    for state in random_states(game, 150):
        assert game.parse_state(game.state_text(state)) == state
        grid = grid_of(game.state_text(state).split()[0])
        images = {tuple(image) for image in game.symmetries(state)} | {tuple(state)}
        assert {game.state_text(state._make(image)).split()[0] for image in images} == turned(grid)
        assert {game.canonical(state._make(image)) for image in images} == {game.canonical(state)}
        for move in legal_actions(game, state):
            assert game.stage(game.play(state, move)) == game.stage(state) + 1


def turned(grid):
    """The board turned and turned over, in all eight ways."""
    found, rows = set(), text_of(grid).split("/")
    for _ in range(4):
        rows = ["".join(row) for row in zip(*rows[::-1], strict=True)]
        found |= {"/".join(rows), "/".join(rows[::-1])}
    return found


@pytest.mark.parametrize(
    "text", [START, f"{START} fox", f"{START[1:]} enemy", f"{START.replace('M', 'o', 1)} enemy", ""]
)
def test_states_that_cannot_be_read(text):
    with pytest.raises(GameError, match=r"such as 'ooooM/ooooo/ooMoo/ooooo/Moooo musketeers'"):
        ThreeMusketeers().parse_state(text)


@pytest.mark.parametrize("board", ["MMM../o..../...../...../.....", "M..../o..../M..../...../M...."])
def test_the_musketeers_are_never_to_move_in_one_line(board):
    game = Slow()
    with pytest.raises(GameError, match="cannot arise, since the game is over once the musketeers have moved into one"):
        game.parse_state(f"{board} musketeers")
    assert payoff(game, game.parse_state(f"{board} enemy")) == WIN
