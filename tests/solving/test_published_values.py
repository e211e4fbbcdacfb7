"""solve against what is known: numbers that others have published, or theorems."""

from functools import reduce
from itertools import combinations_with_replacement
from operator import xor

import pytest

import zermelo as z
from connect_four_counts import counts_by_ply, published_counts
from zermelo import LOSS, ONGOING, WIN
from zermelo.games.connect_four import ConnectFour
from zermelo.games.kalah import Kalah
from zermelo.games.nim import Nim
from zermelo.games.pig import Pig
from zermelo.games.tic_tac_toe import TicTacToe

# -- Connect Four ----------------------------------------------------------------------------------------------------

POSITIONS = {
    "1x1": 2, "2x1": 5, "3x1": 13, "4x1": 35, "5x1": 96,
    "1x2": 3, "2x2": 18, "3x2": 116, "4x2": 741, "5x2": 4688,
    "1x3": 4, "2x3": 58, "3x3": 869, "4x3": 12031, "5x3": 158911,
    "1x4": 5, "2x4": 179, "3x4": 6000, "4x4": 161029, "5x4": 3945711,
    "1x5": 6, "2x5": 537, "3x5": 38310, "4x5": 1706255, "5x5": 69763700,
}  # fmt: skip
"""How many positions can be reached on a board of so many columns and rows, mirror images counted.

Tromp, tromp.github.io/c4/c4.html; Boeck, arXiv:2507.05267 (2025).
"""

RESULTS = {
    (5, 3): (26192, 123840, 8879), (6, 3): (314728, 1453129, 319468), (7, 3): (7559263, 15823482, 4059211),
    (4, 4): (36499, 90120, 34410), (5, 4): (1372788, 1303636, 1269287), (4, 5): (553837, 712421, 439997),
    (4, 6): (5591943, 5267176, 4976564),
}  # fmt: skip
"""In how many positions the first player wins, draws and loses, by an independent count of each layer.

All these boards are drawn (Tromp, as above).
"""

ENDED = {(5, 3): 11348, (6, 3): 173115, (4, 4): 26740, (5, 4): 845332, (4, 5): 357814}
"""How many positions are over, by the same count."""


class SlowFour(ConnectFour):
    native = False


def size(board):
    return tuple(map(int, board.split("x")))


TINY = [board for board, positions in POSITIONS.items() if positions < 5000]
MIDDLING = ["4x3", "5x3", "3x4", "5x4", "4x5"]


@pytest.mark.parametrize("board", TINY)
def test_positions_of_connect_four_interpreted(board):
    assert z.solve(SlowFour(*size(board))).positions == POSITIONS[board]


@pytest.mark.slow
@pytest.mark.parametrize("board", ["3x5"])
def test_positions_of_connect_four(board):
    assert z.solve(ConnectFour(*size(board))).positions == POSITIONS[board]


@pytest.mark.slow
@pytest.mark.parametrize("board", MIDDLING)
def test_positions_of_more_boards_of_connect_four(board):
    assert z.solve(ConnectFour(*size(board))).positions == POSITIONS[board]


@pytest.mark.slow
def test_the_strong_solution_of_connect_four_on_five_columns_and_rows():
    solution = z.solve(ConnectFour(5, 5), wdl=True)
    assert solution.positions == POSITIONS["5x5"]
    assert counts_by_ply(solution) == published_counts("5x5")
    assert str(solution.value()) == "draw"


def first_players_results(solution):
    """Positions in which the first player wins, draws and loses."""
    won = drawn = lost = 0
    for stage in range(solution.game.width * solution.game.height + 1):
        counts = solution.counts(stage, positions=True)
        mine, theirs = ("win", "loss") if stage % 2 == 0 else ("loss", "win")
        won, lost, drawn = won + counts.get(mine, 0), lost + counts.get(theirs, 0), drawn + counts.get("draw", 0)
    return won, drawn, lost


def ended(solution):
    full = solution.game.width * solution.game.height
    lost = solution.distances(positions=True)["loss", 0]
    return lost + solution.counts(full, positions=True).get("draw", 0)


def check_results(columns, rows):
    solution = z.solve(ConnectFour(columns, rows))
    assert first_players_results(solution) == RESULTS[columns, rows]
    assert str(solution.value()) == "draw"
    if (columns, rows) in ENDED:
        assert ended(solution) == ENDED[columns, rows]


def test_results_of_connect_four_on_four_columns_and_rows():
    check_results(4, 4)


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [board for board in RESULTS if board != (4, 4)])
def test_results_of_connect_four(columns, rows):
    check_results(columns, rows)


# -- tic-tac-toe and nim ---------------------------------------------------------------------------------------------


def test_tic_tac_toe():
    """5478 positions, 958 of them over; 765 and 138 up to symmetry; 626 won by the first player, 316 by the other."""
    game = TicTacToe()
    solution = z.solve(game)
    assert (solution.positions, len(solution), str(solution.value())) == (5478, 765, "draw")
    over = [state for state in solution if game.result(state) != ONGOING]
    images = {state: len({state, *game.symmetries(state)}) for state in over}
    assert (len(over), sum(images.values())) == (138, 958)
    lost = [state for state in over if game.result(state) == LOSS]
    by = [sum(images[state] for state in lost if game.mover(state) == 1 - player) for player in (0, 1)]
    assert by == [626, 316]


class SlowNim(Nim):
    native = False


def bouton(piles, misere):
    """Who wins, by Bouton's theorem (Annals of Mathematics 3, 1902)."""
    if misere and max(piles) <= 1:
        return WIN if sum(piles) % 2 == 0 else LOSS
    return WIN if reduce(xor, piles) else LOSS


@pytest.mark.parametrize(
    "game", [pytest.param(Nim((7,) * 5), marks=pytest.mark.slow), SlowNim((7,) * 5, misere=True)], ids=repr
)
def test_nim_is_as_bouton_says(game):
    solution = z.solve(game)
    assert len(solution) == 792
    for piles in combinations_with_replacement(range(8), 5):
        assert solution.value((piles,)).outcome == bouton(piles, game.misere)


# -- Pig -------------------------------------------------------------------------------------------------------------

FIRST_WINS = {20: 0.615558549805, 50: 0.546150844167, 100: 0.530592725274}
"""How likely the first player wins at Pig.

Neller and Presser, Optimal play of the dice game Pig (The UMAP Journal 25, 2004) give 0.5306 to the target 100. More
digits, and the smaller targets, by value iteration in an independent program.
"""


def check_pig(target):
    solution = z.solve(Pig(target))
    assert solution.header.error <= 1e-6
    assert (1 + solution.value().score) / 2 == pytest.approx(FIRST_WINS[target], abs=1e-9)
    assert solution.value().player == 0


@pytest.mark.slow
def test_pig_to_20():
    check_pig(20)


@pytest.mark.slow
@pytest.mark.parametrize("target", [50, 100])
def test_pig(target):
    check_pig(target)


# -- Kalah -----------------------------------------------------------------------------------------------------------

IRVING = {1: (0, -2, 6, -2, 2, 0), 2: (2, -2, -2, -12, 6, 8), 3: (0, 4, 2, 2, 6, -10), 4: (2, 6, 8)}
"""By how much the first player wins with so many pits and 1, 2, ... seeds, if an empty pit is captured too.

Irving, Donkers and Uiterwijk, Solving Kalah (ICGA Journal 23, 2000), who say who wins; the margins, and the table for
the standard rule, were computed twice by independent programs.
"""

STANDARD = {1: (0, -2, 6, -2, 2, 0), 2: (2, -2, -2, -10, 6, 8), 3: (0, 4, 2, 2, 6, -8), 4: (2, 6, 6)}
TABLES = {True: IRVING, False: STANDARD}
BOARDS = [(pits, seeds, rule) for rule in TABLES for pits in IRVING for seeds in range(1, len(IRVING[pits]) + 1)]


class SlowKalah(Kalah):
    native = False


@pytest.mark.parametrize(("pits", "seeds", "rule"), [board for board in BOARDS if board[0] * board[1] <= 5])
def test_kalah_interpreted(pits, seeds, rule):
    assert z.solve(SlowKalah(pits, seeds, rule)).value().score == TABLES[rule][pits][seeds - 1]


def test_kalah():
    assert z.solve(Kalah(2, 4)).value().score == -10


@pytest.mark.slow
@pytest.mark.parametrize(("pits", "seeds", "rule"), [board for board in BOARDS if board[0] * board[1] > 5])
def test_more_boards_of_kalah(pits, seeds, rule):
    assert z.solve(Kalah(pits, seeds, rule)).value().score == TABLES[rule][pits][seeds - 1]


# Source: one other program, placements without symmetry; flying with three stones, closing a mill takes one stone.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("stones", "counts", "farthest"),
    [
        ((3, 3), {"win": 2232160, "draw by repetition": 4112, "loss": 455648}, {("win", 25), ("loss", 26)}),
        ((4, 3), {"win": 2830896, "draw by repetition": 21347664, "loss": 48720}, {("loss", 32), ("win", 33)}),
        ((4, 4), {"win": 2456, "draw by repetition": 51480175, "loss": 339}, {("loss", 8), ("win", 9)}),
        ((5, 3), {"win": 9371800, "draw by repetition": 72848336, "loss": 152616}, {("loss", 2), ("win", 31)}),
    ],
)
def test_nine_mens_morris_subspaces(stones, counts, farthest):
    game = z.load("nine_mens_morris")
    stage = game.stage_of(*stones)
    solution = z.solve(game, stage=stage)
    assert solution.counts(stage, positions=True) == counts
    distances = solution.distances(stage, positions=True)
    longest = {(name, max(plies for other, plies in distances if other == name)) for name in ("win", "loss")}
    assert longest == farthest


@pytest.mark.slow
def test_six_mens_morris_is_drawn():
    assert z.solve(z.load("six_mens_morris")).value().outcome == z.DRAW
