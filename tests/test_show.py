"""Text pictures."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import zermelo as z
from zermelo.board import Grid, Piles
from zermelo.games.registry import load, position
from zermelo.show.text import picture, text


class Drawn(z.Game):
    """A game that is only looked at: its picture is its parameter."""

    picture: object = None

    def initial(self):
        return Pair(1, 22)

    def moves(self, state):
        return ()

    def play(self, state, move):
        return state

    def result(self, state):
        return z.DRAW

    def board(self, state):
        return self.picture


class Pair(NamedTuple):
    mine: int
    the_others: int


def drawing(board: object, **options: object) -> str:
    game = Drawn(board)
    return text(game, game.initial(), **options)  # type: ignore[arg-type]


def test_grid_in_ascii() -> None:
    game = load("tic_tac_toe")
    assert text(game, position(game, "b2 a1 c3")) == "3 . . X\n2 . X .\n1 O . .\n  a b c"


def test_grid_in_unicode_has_round_stones_and_a_frame() -> None:
    game = load("connect_four(4, 4)")
    assert text(game, position(game, "1 2 2"), unicode=True).splitlines() == [
        "  ┌─────────┐",
        "  │ · · · · │",
        "  │ · · · · │",
        "  │ · ● · · │",
        "  │ ● ○ · · │",
        "  └─────────┘",
        "    1 2 3 4",
    ]


def test_wide_labels_keep_columns_straight() -> None:
    shown = drawing(Grid((".X", "O."), columns=("9", "10"), rows=("10", "9"))).splitlines()
    assert shown == ["10  .  X", " 9  O  .", "    9 10"]


def test_piles() -> None:
    assert drawing(Piles((1, 3))).split() == ["|", "1", "|", "|", "|", "3"]
    assert drawing(Piles((1, 30), ("you", "the other"))).splitlines()[0].startswith("      you  | ")
    assert drawing(Piles((100, 7), ("a", "b"))) == "a  100\nb  7"


def test_colours_and_the_last_move() -> None:
    game = load("tic_tac_toe")
    state = position(game, "a1")
    styles = {str(span.style) for span in picture(game, state, squares=game.squares(game.initial(), 0)).spans}
    assert "bold red reverse" in styles
    assert "bold red" not in styles


def test_without_a_board_fields_are_named() -> None:
    assert drawing(None) == "mine        1\nthe_others  22"


def test_without_a_board_the_games_own_notation_wins() -> None:
    game = load("game_tree(A(B(2, 3), C(5, 7)))")
    assert "A" in text(game, game.initial())


def test_a_board_of_the_wrong_kind() -> None:
    with pytest.raises(z.GameError, match=r"`board` of \(1, 22\) is a str, not a Grid or Piles"):
        drawing("picture")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Grid(("..", ".")), "different lengths"),
        (lambda: Grid(("..",), columns=("a",)), "columns: 1 labels for 2 places"),
        (lambda: Grid(("..",), rows=("1", "2")), "rows: 2 labels for 1 places"),
        (lambda: Piles((1, 2), ("a",)), "names: 1 labels for 2 places"),
    ],
)
def test_boards_that_do_not_fit_together(make, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


def test_every_game_of_the_catalogue_has_a_picture() -> None:
    for name in ("tic_tac_toe", "connect_four", "nim", "pig", "random_tree(3, 4)"):
        game = load(name)
        assert text(game, game.initial())
        assert text(game, game.initial(), unicode=True)
