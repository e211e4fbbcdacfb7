"""The machine types of a state: what is said of numbers that do not fit them."""

from typing import NamedTuple

import numpy as np
import pytest

import zermelo as z
from zermelo.native.state_layout import layout_of


class Board(NamedTuple):
    mine: int
    theirs: np.uint64


class Boards(z.Game):
    """A board as large as one says."""

    mine: int = 0
    theirs: int = 0

    def initial(self):
        return Board(self.mine, self.theirs)

    def moves(self, state):
        return (0, 1)

    def play(self, state, move):
        return Board(state.mine // 2**20, state.theirs)

    def result(self, state):
        return z.ONGOING if state.mine else z.DRAW


SPLIT = "split it into several fields of 64 bits"


@pytest.mark.parametrize(
    ("mine", "theirs", "problem"),
    [
        (1 << 63, 0, f"Board.mine is {1 << 63}, which does not fit a 64-bit int; annotate it np.uint64"),
        (1 << 64, 0, f"Board.mine is {1 << 64}, which does not fit a 64-bit int; {SPLIT}"),
        (-(1 << 63) - 1, 0, f"Board.mine is {-(1 << 63) - 1}, which does not fit a 64-bit int; {SPLIT}"),
        (10**5000, 0, f"Board.mine is a number of 16610 bits, which does not fit a 64-bit int; {SPLIT}"),
        (0, -1, "Board.theirs is -1, which does not fit uint64"),
        (0, 1 << 64, f"Board.theirs is {1 << 64}, which does not fit uint64; {SPLIT}"),
    ],
    ids=["2**63", "2**64", "-2**63-1", "huge", "negative", "wide"],
)
def test_numbers_that_do_not_fit_say_what_to_write(mine, theirs, problem):
    with pytest.raises(z.GameError) as caught:
        layout_of(Boards()).to_native(Board(mine, theirs))
    assert str(caught.value) == problem


@pytest.mark.parametrize("game", [Boards(mine=10**30), Boards(mine=1 << 63), Boards(theirs=-1, mine=1)], ids=repr)
def test_a_game_that_begins_with_a_number_that_does_not_fit_is_interpreted(game):
    with pytest.raises(z.GameError) as caught:
        layout_of(Boards()).to_native(game.initial())
    assert game.native_error == f"Boards.initial: {caught.value}"
    report = z.check(game, games=2)
    assert (report.native, report.native_error, report.compared) == (False, game.native_error, 0)
    assert z.search(game, limit=z.Limit(depth=2)).value.score == 0
    assert z.solve(game).value().score == 0
