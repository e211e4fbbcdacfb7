"""Which pieces are a player's, in words, for the games of the catalogue."""

import pytest

from zermelo.board import Dice, Fields, Grid, Hexes, Tables
from zermelo.games.registry import load
from zermelo.show.text.side_words import signs_of, whose

WORDS = {
    "backgammon": ("You are ● and move from 24 to 1, and then off.", "You are ○ and move from 24 to 1, and then off."),
    "nannon": ("You are ● and move to the right, into safety.", "You are ○ and move to the left, into safety."),
    "checkers": ("You are Black (●, ◉).", "You are White (○, ◎)."),
    "chess": ("You are White.", "You are Black."),
    "awari": ("Yours is the lower row.", "Yours is the upper row."),
    "tic_tac_toe": ("You are X.", "You are O."),
    "nim": ("", ""),
    "game_tree": ("", ""),
    "random_tree": ("", ""),
}


@pytest.mark.parametrize("name", WORDS)
def test_whose_pieces_they_are(name):
    game = load(name)
    board = game.board(game.initial())
    assert (whose(board, 0, unicode=True), whose(board, 1, unicode=True)) == WORDS[name]


def test_the_checkers_of_backgammon_are_those_that_are_drawn():
    assert signs_of(Tables((2, -2)), 1, unicode=False) == "O"
    assert whose(Tables((2, -2)), 0, unicode=True) == "You are ●."
    assert signs_of(Hexes(("..",)), 1, unicode=True) == "○"
    assert [signs_of(board, 0, unicode=True) for board in (Dice((6,)), Fields(("n",), ("1",)), None)] == [""] * 3


def test_a_piece_that_both_players_move_is_nobodys():
    assert whose(Grid(("..R",)), 0, unicode=True) == ""
    assert whose(Grid(("..O",)), 0, unicode=True) == "You are X."


def test_courses_are_two():
    with pytest.raises(ValueError, match="courses are where the pieces of the two players go"):
        Grid(("..",), courses=("up",))
