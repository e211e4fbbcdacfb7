"""Sim: a referee that knows lines as pairs of names, and the published value."""

import random
from itertools import combinations, permutations

import pytest

import naive
import zermelo as z
from random_games import random_states
from zermelo import DRAW, LOSS, ONGOING, WIN, GameError
from zermelo.games.sim import Sim
from zermelo.rules import legal_actions
from zermelo.show.clicks import Clicks


class Slow(Sim):
    """Sim as Python runs it."""

    native = False


GAMES = [Slow(), Slow(3), Slow(4), Slow(5)]

# -- the referee: lines as pairs of names ------------------------------------------------------------------------------


def has_triangle(lines):
    names = sorted(set("".join(lines)))
    return any({a + b, a + c, b + c} <= lines for a, b, c in combinations(names, 3))


def compare(game, count, seed=3):
    """Random games beside the referee's; the results that were seen."""
    dice, results = random.Random(seed), set()
    every = ["".join(pair) for pair in combinations("abcdef"[: game.points], 2)]
    for _ in range(count):
        state, lines, player = game.initial(), (set(), set()), 0
        while not has_triangle(lines[1 - player]) and len(lines[0] | lines[1]) < len(every):
            assert game.result(state) == ONGOING
            moves = {game.move_text(state, move): move for move in legal_actions(game, state)}
            assert list(moves) == [line for line in every if line not in lines[0] | lines[1]]
            safe = [game.move_text(state, move) for move in game.candidates(state)]
            assert safe == ([line for line in moves if not has_triangle(lines[player] | {line})] or list(moves))
            line = dice.choice(safe if dice.random() < 0.7 else list(moves))
            (square,) = game.squares(state, moves[line])
            assert game.board(state).names[square] == line
            state = game.play(state, moves[line])
            lines[player].add(line)
            player = 1 - player
            board = game.board(state)
            drawn = {name: mark for name, mark in zip(board.names, board.cells, strict=True) if mark != "."}
            assert drawn == dict.fromkeys(lines[0], "X") | dict.fromkeys(lines[1], "O")
        assert game.result(state) == (WIN if has_triangle(lines[1 - player]) else DRAW)
        results.add(game.result(state))
    return results


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_play_is_that_of_the_referee(game):
    assert compare(game, 40) >= {3: {DRAW}, 4: {WIN, DRAW}, 5: {WIN}, 6: {WIN}}[game.points]


def test_a_pentagon_and_the_star_inside_it_are_a_draw():
    game = Slow(5)
    state = z.position(game, "ab ac bc ce cd be de bd ae ad")
    assert (game.result(state), game.state_text(state)) == (DRAW, "XOOX/XOO/XO/X X")
    assert game.result(z.position(game, "ab de bc cd ac")) == WIN


class Corners(Slow):
    """Two lines from the last point close nothing: a mistake that the referee must see."""

    def closing(self, lines):
        return super().closing(lines & (1 << 8 * (self.points - 1)) - 1)


def test_the_referee_sees_a_mistake():
    with pytest.raises(AssertionError):
        compare(Corners(), 20)


def test_a_click_on_a_line_draws_it():
    game = Slow()
    state = z.position(game, "ab cd")
    clicks = Clicks.on(game, state, legal_actions(game, state))
    for square, name in enumerate(game.board(state).names):
        move = clicks.click(square).move
        assert (move is None) == (name in ("ab", "cd", *"abcdef"))
        assert move is None or game.move_text(state, move) == name


# -- the contract ------------------------------------------------------------------------------------------------------


def test_the_contract_holds():
    assert not z.check(Slow(4), states=80, games=3).notes


@pytest.mark.slow
def test_the_contract_holds_compiled():
    report = z.check(Sim(), states=300, games=6)
    assert report.native, report.native_error
    assert [z.perft(Sim(), depth) for depth in range(6)] == [z.perft(Slow(), depth) for depth in range(6)]


def test_perft():
    """Lines go anywhere until a triangle is closed, by the fifth line at the earliest."""
    assert [z.perft(Slow(), depth) for depth in range(5)] == [1, 15, 15 * 14, 15 * 14 * 13, 15 * 14 * 13 * 12]


def test_every_order_of_the_points_is_the_same():
    """The least state is found among all orders, which the referee goes through by names."""
    game, dice = Slow(4), random.Random(2)
    for state in random_states(game, 25):
        images = {game.canonical(image) for image in game.symmetries(state)}
        marks = dict(zip(game.pairs, game.marks(state), strict=True))
        texts = set()
        for order in permutations(range(4)):
            renamed = {tuple(sorted((order[a], order[b]))): mark for (a, b), mark in marks.items()}
            row = "".join(renamed[pair] for pair in game.pairs)
            texts.add(f"{row[:3]}/{row[3:5]}/{row[5]} {'XO'[state.player]}")
        everyone = [game.parse_state(text) for text in texts]
        assert images == {min(everyone)} == {game.canonical(dice.choice(everyone))}


@pytest.mark.parametrize("points", [3, 4, 5, 6])
def test_swaps_go_through_all_orders(points):
    order, seen = list(range(points)), set()
    for swap in (*Slow(points).swaps, 0):
        seen.add(tuple(order))
        order[swap], order[swap + 1] = order[swap + 1], order[swap]
    assert seen == set(permutations(range(points)))


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_texts_and_stages(game):
    for state in random_states(game, 60):
        assert game.parse_state(game.state_text(state)) == state
        for move in legal_actions(game, state):
            assert game.stage(game.play(state, move)) > game.stage(state)
    assert len(set(game.board(game.initial()).places)) == game.points * (game.points + 1) // 2


@pytest.mark.parametrize(
    ("text", "words"),
    [("...../..../.../.. X", "one looks like"), ("...../...../.../../. X", "one looks like"),
     ("XX.../..../.../../. X", "take turns"), ("XX.../X.../OO./../O X", "has lost already"),
     ("XX.../OX../.../../. O", "take turns")],
)  # fmt: skip
def test_states_that_cannot_be_read(text, words):
    with pytest.raises(GameError, match=words):
        Sim().parse_state(text)


@pytest.mark.parametrize("points", [2, 7, True, 6.0])
def test_parameters_that_make_no_game(points):
    with pytest.raises(GameError, match="points must be a whole number from 3 to 6"):
        Sim(points)


# -- values ------------------------------------------------------------------------------------------------------------


def test_with_fewer_points_it_is_a_draw():
    for points in (3, 4, 5):
        assert z.search(Slow(points), exact=True).value.outcome == DRAW
    assert naive.value(Slow(4)) == DRAW


def test_bounds_keep_the_value():
    game = Slow(5)
    for state in random_states(game, 60, seed=2):
        if game.result(state) == ONGOING and game.stage(state) >= 8:
            low, high = game.bounds(state)
            assert low <= naive.value(game, state) <= high


@pytest.mark.slow
def test_the_second_player_wins():
    """Mead, Rosa and Huang, The game of Sim, Mathematics Magazine 47, 1974: found with a computer."""
    solution = z.solve(Sim())
    assert solution.value().outcome == LOSS
    assert str(solution.value()) == str(z.search(Sim(), exact=True).value) == "loss in 15"
    assert len(solution) == 3729
