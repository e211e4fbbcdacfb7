"""2048 for points: sixteen cells by a referee on rows of numbers, points, and expectations by the definition."""

import random
import sys
from functools import cache
from math import tanh
from pathlib import Path

import pytest
from test_twenty48 import slide, slides

import zermelo as z
from zermelo.checking.compiled_rules import ask_compiled
from zermelo.games.points_2048 import MOST_POINTS, Points2048
from zermelo.networks.network_file import open_weights
from zermelo.networks.weight_files import with_weights
from zermelo.rules import legal_actions, payoff

sys.path.append(str(Path(__file__).parents[2] / "bench"))
import tiles

GAME = Points2048()


def rows_of(state, game=GAME):
    tiles = [state.tiles >> 4 * cell & 15 for cell in range(game.cells)]
    return [
        [1 << tile if tile else 0 for tile in tiles[row * game.width :][: game.width]] for row in range(game.height)
    ]


def points_of(rows):
    return sum((number.bit_length() - 2) * number for row in rows for number in row if number)


def test_slides_are_those_of_the_referee():
    """Sixteen cells fill a word with its sign; two of the largest tiles do not merge."""
    dice = random.Random(1)
    for _ in range(300):
        rows = [[dice.choice((0, 0, 2, 4, 8, 256, 512, 16384)) for _ in range(4)] for _ in range(4)]
        text = " / ".join(" ".join(str(tile or ".") for tile in row) for row in rows)
        state = GAME.parse_state(f"{text} | 0")
        assert -(1 << 63) <= state.tiles < 1 << 63
        assert rows_of(state) == rows
        assert [GAME.move_text(state, move) for move in GAME.moves(state)] == slides(rows)
        for move in GAME.moves(state):
            after = GAME.play(state, move)
            assert rows_of(after) == slide(rows, GAME.move_text(state, move))
            assert -(1 << 63) <= after.tiles < 1 << 63
    largest = GAME.parse_state("32768 32768 . . / . . . . / . . . . / . . . . | 0")
    assert rows_of(GAME.play(largest, 3))[0] == [0, 0, 32768, 32768]


def test_machine_code_is_the_rules():
    """With tiles on the last cell that set the sign of the word."""
    for text in (". . . . / . . . . / . . . . / 2 . 256 32768 | 0", "2 4 2 4 / . . 4 4 / 8 8 . . / . 2 2 512 | 1"):
        state = GAME.parse_state(text)
        for rule in ("moves", "evaluate", "stage", "is_chance"):
            [found] = ask_compiled(GAME, (rule,), state)
            wanted = getattr(GAME, rule)(state)
            assert found == (list(wanted) if rule == "moves" else wanted)
        for move in list(GAME.moves(state)):
            [found] = ask_compiled(GAME, ("play",), state, move)
            assert tuple(found) == GAME.play(state, move)


def test_a_game_ends_with_its_points():
    for seed in range(5):
        dice, state = random.Random(seed), GAME.initial()
        while moves := legal_actions(GAME, state):
            state = GAME.play(state, dice.choice(moves))
        assert payoff(GAME, state) == points_of(rows_of(state)) > 100
        assert not slides(rows_of(state))
    assert GAME.points(-1) == MOST_POINTS


def test_the_expectation_is_that_of_the_definition():
    """On two by two cells, over boards as rows of numbers."""

    @cache
    def best(rows):
        ends = [tuple(map(tuple, slide([list(row) for row in rows], name))) for name in slides([*map(list, rows)])]
        return max(map(fall, ends)) if ends else float(points_of(rows))

    @cache
    def fall(rows, coming=1):
        if coming == 0:
            return best(rows)
        free = [(y, x) for y in range(2) for x in range(2) if not rows[y][x]]
        expected = 0.0
        for y, x in free:
            for new, odds in ((2, 0.9), (4, 0.1)):
                board = [list(row) for row in rows]
                board[y][x] = new
                expected += odds / len(free) * fall(tuple(map(tuple, board)), coming - 1)
        return expected

    assert z.solve(Points2048(2, 2)).value().score == pytest.approx(fall(((0, 0), (0, 0)), 2))


@pytest.mark.parametrize("large", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_networks_begin_with_the_points_of_a_board(large, tmp_path):
    """Up to rounding, and the tanh of evaluations. The large one tells 8192 from 16384, and fits a file."""
    path = tmp_path / "2048.weights"
    tiles.first_network(GAME, large).save(path)
    network, dice = open_weights(path, GAME), random.Random(3)
    searched = with_weights(GAME, network)
    for _ in range(20):
        powers = [dice.choice((0, 0, 1, 2, 5, 9, 10, 11)) for _ in range(14)] + [13, 14]
        dice.shuffle(powers)
        marks = [str(1 << power) if power else "." for power in powers]
        state = GAME.parse_state(" / ".join(" ".join(marks[i : i + 4]) for i in range(0, 16, 4)) + " | 0")
        points = GAME.points(state.tiles)
        assert searched.evaluate(state) == pytest.approx(tanh(points / MOST_POINTS) * MOST_POINTS, abs=130)
    assert network.weights.size == (4 * 15**6 if large else 5 * 16**4 + 16)


def test_a_measured_game_counts_as_people_count():
    """A game without weights: 4 less for each 4 that came."""
    score, slides, largest = tiles.play(GAME, GAME, 0)
    assert 100 < score < 20_000
    assert slides > 50
    assert largest >= 32


def test_names():
    assert z.load("2048") == GAME
    assert repr(z.load("2048(3, 3)")) == "Points2048(width=3, height=3)"
    with pytest.raises(z.GameError, match="2 to 16 cells"):
        Points2048(4, 5)
