"""Text pictures."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import zermelo as z
from zermelo.board import (
    Dice,
    Fields,
    Grid,
    Hexes,
    Marks,
    Piece,
    Piles,
    Pits,
    Points,
    Scores,
    Tables,
    Tag,
    Together,
    Track,
    piece_at,
)
from zermelo.games.registry import catalog, load, position
from zermelo.show.scene.board_scene import board_of
from zermelo.show.text.board_text import drawn, picture, text
from zermelo.show.value_marks import value_marks


class Drawn(z.Game):
    """A game that is only drawn: its board is its parameter."""

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


def drawing(board: object, *, unicode: bool = False, **marks: object) -> str:
    return drawn(board, Marks(**marks), unicode=unicode).plain  # type: ignore[arg-type]


# -- grids -----------------------------------------------------------------------------------------------------------


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


def test_chessmen_are_letters_in_ascii_and_glyphs_in_unicode() -> None:
    game = load("chess_endgame")
    assert text(game, game.initial()).splitlines()[-2] == "1 K . . . . . . ."
    assert "♔" in text(game, game.initial(), unicode=True)
    assert "♚" in text(game, game.initial(), unicode=True)


def test_places_that_are_no_part_of_the_board_stay_blank() -> None:
    assert drawing(Grid((" X ", "X.X"))).splitlines() == ["    X  ", "  X . X"]


def test_wide_glyphs_keep_columns_straight() -> None:
    board = Grid(("a.",), pieces=(Piece("a", 0, "🏰"),))
    assert drawing(board, unicode=True).splitlines()[1] == "  │ 🏰  · │"


def test_values_and_targets_are_written_on_empty_squares() -> None:
    shown = drawing(Grid(("X.", "..")), values={0: Tag("W1"), 1: Tag("L12", "loss")}, targets=(2,)).splitlines()
    assert shown == ["    X L12", "    +   ."]


def test_colours_and_the_last_move() -> None:
    game = load("tic_tac_toe")
    state = position(game, "a1")
    styles = {str(span.style) for span in picture(game, state, squares=game.squares(game.initial(), 0)).spans}
    assert "bold dodger_blue1 reverse" in styles
    assert "bold dodger_blue1" not in styles


@pytest.mark.parametrize("name", ["chess", "othello"])
def test_white_and_black_in_any_terminal(name: str) -> None:
    """Ink on a ground that is neither, whatever colours the terminal has."""
    game = load(name)
    styles = {str(span.style) for span in picture(game, game.initial()).spans}
    assert {"bold #ffffff on #757575", "bold #000000 on #757575"} <= styles
    assert not any("dodger_blue1" in style or "dark_orange" in style for style in styles)
    assert "● ○" in drawing(Grid(("XO",), sides=("Black", "White")), unicode=True)


def test_coloured_sides_in_a_terminal() -> None:
    board = Grid(("XO",), sides=("Red", "Fox"), colours=("green", "purple"))
    styles = [str(span.style) for span in drawn(board, Marks(), unicode=True).spans]
    assert [style for style in styles if "bold" in style] == ["bold #2c8536", "bold #9456be"]
    assert "● ○" in drawing(board, unicode=True)
    assert "X O" in drawing(board, unicode=False)


# -- other boards ----------------------------------------------------------------------------------------------------


def test_points_with_their_lines_and_labels_at_the_edges() -> None:
    game = load("three_mens_morris(diagonals=True)")
    assert text(game, position(game, "b2 a1")).splitlines()[:6] == [
        "3 .---.---.",
        r"  | \ | / |",
        "2 .---X---.",
        r"  | / | \ |",
        "1 O---.---.",
        "  a   b   c",
    ]


def test_names_of_points_that_have_no_rows() -> None:
    game = load("game_tree(A(B(2, 3), C(5, 7)))")
    shown = text(game, position(game, "B"), unicode=True).splitlines()
    assert shown[0].strip() == "A"
    assert shown[3].split() == ["▼B", "C"]
    assert shown[-1].split() == ["2", "3", "5", "7"]


def test_hexes_lean_to_the_right() -> None:
    assert drawing(Hexes(("X.", ".O"), ("a", "b"), ("1", "2"))).splitlines() == ["  a b", "1 X .", " 2 . O"]


def test_pits_as_the_players_sit() -> None:
    assert drawing(Pits((1, 2), (3, 14), (5, 6)), last=(0,)).splitlines() == [
        "         2  1",
        "second  14  3",
        "    [6]       [5]",
        "first    1  2",
        "         1  2",
    ]
    assert len(drawing(Pits((1, 2), (3, 4))).splitlines()) == 4


SMALL = Tables((-2, 0, 3, 7, 0, -1, 0, 2), bar=(1, 2), off=(0, 12), dice=(6, 0))


def test_tables_as_the_first_player_sits() -> None:
    assert drawing(SMALL).splitlines() == [
        "   5  6  bar   7  8   off",
        "+-------+---+-------+",
        "|  .  O |   |  .  X | [12]",
        "|       |   |     X |",
        "|       |   |       |",
        "|       | O |       |",
        "|       | O |       |",
        "|       |   |[6] [?]|",
        "|  7    | X |       |",
        "|  X    |   |       |",
        "|  X  X |   |       |",
        "|  X  X |   |     O |",
        "|  X  X |   |  .  O | [0]",
        "+-------+---+-------+",
        "   4  3  bar   2  1   off",
    ]
    shown = drawn(SMALL, Marks(), unicode=True).plain
    assert "┌───────┬───┬───────┐" in shown
    assert (shown.count("●"), shown.count("○")) == (10, 5)
    assert drawing(Tables((0,) * 4, names=("a", "b", "c", "d"))).splitlines()[0] == "   c  bar   d   off"


def test_marks_of_tables_stand_before_the_stacks() -> None:
    marks = {"targets": (3, 8, 11), "values": {0: Tag("W12"), 5: Tag("=")}}
    lines = drawing(SMALL, **marks).splitlines()
    assert len(lines) == 17
    assert lines[7] == "|       = | O |         |"
    assert lines[9] == "|   +     | X |     W12 |"
    assert lines[2].endswith("[12] +")
    assert lines[-3].split("|")[2] == " + "  # on the first player's bar
    styles = {str(span.style) for span in drawn(SMALL, Marks(last=(3,)), unicode=True).spans}
    assert "bold dodger_blue1 reverse" in styles


def test_piles() -> None:
    assert drawing(Piles((1, 3))).split() == ["|", "1", "|", "|", "|", "3"]
    assert drawing(Piles((1, 30), ("you", "the other"))).splitlines()[0].startswith("      you  | ")
    assert drawing(Piles((100, 7), ("a", "b"))) == "a  100\nb  7"
    assert drawing(Piles((2,)), values={0: Tag("W1")}).endswith("2  W1")
    assert drawing(Piles((1, 2), room=3), values={3: Tag("W1"), 4: Tag("L2")}).splitlines() == [
        "  |    1",
        "  | |  2  W1  L2",
    ]


def test_a_track_is_its_spots_and_the_piles_beside_them() -> None:
    board = Track("XX..OO", (1, 0), (0, 1), ("1", "2", "3", "4", "5", "6"), ("home", "safety"), (3,))
    lines = drawing(board, values={3: Tag("W"), 7: Tag("W2")}).splitlines()
    assert lines[:2] == ["  X X . W O O", "  1 2 3 4 5 6"]
    assert lines[3].split() == ["first", "home", "|", "1"]
    assert lines[4].split() == ["first", "safety", "0", "W2"]
    assert lines[-1] == "[3]"


def test_scores_are_a_table() -> None:
    lines = drawing(Scores((10, 0), 100, (0, 14), (0,))).splitlines()
    assert lines == ["first player   10", "second player  0", "turn total     14", "target         100", "", "[?]"]


def test_squares_are_numbered_on_from_part_to_part() -> None:
    board = Together((Grid(("..",)), Dice((6, 0)), Piles((1,)), Fields(("turn",), ("first",))))
    assert len(board) == 3
    shown = drawing(board, values={1: Tag("b"), 2: Tag("pile")})
    assert shown == "  . b\n\n[6] [?]\n\n  |  1  pile\n\nturn  first"


# -- games -----------------------------------------------------------------------------------------------------------


def test_without_a_board_fields_are_named() -> None:
    game = Drawn(None)
    assert text(game, game.initial()) == "mine        1\nthe_others  22"


def test_a_board_of_the_wrong_kind() -> None:
    game = Drawn("picture")
    with pytest.raises(z.GameError, match=r"`board` of \(1, 22\) is a str, not a board of zermelo.board"):
        text(game, game.initial())


def test_a_board_that_does_not_fit_together_names_the_game() -> None:
    class Crooked(Drawn):
        def board(self, state):
            return Grid(("..", "."))

    with pytest.raises(z.GameError, match=r"Crooked.*`board` of \(1, 22\): Grid: the rows have different lengths"):
        text(Crooked(), Pair(1, 22))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Grid(("..", ".")), "different lengths"),
        (lambda: Grid(("..",), columns=("a",)), "columns: 1 labels for 2 places"),
        (lambda: Grid(("..",), rows=("1", "2")), "rows: 2 labels for 1 places"),
        (lambda: Hexes(()), "different lengths, or none"),
        (lambda: Points("..", ((0, 0),)), "2 cells for 1 places"),
        (lambda: Points(".", ((0, 0),), ((0, 1),)), "a line ends at no point"),
        (lambda: Points("..", ((0, 0), (0, 0))), "two points lie at the same place"),
        (lambda: Pits((1,), (1, 2)), "1 pits of the first player, 2 of the second"),
        (lambda: Tables((1, 2, 3)), "3 points do not make two edges"),
        (lambda: Tables(()), "0 points do not make two edges"),
        (lambda: Tables((1, 2), bar=(1, -1)), "bar is how many checkers of either player"),
        (lambda: Tables((1, 2), off=(1,)), "off is how many checkers of either player"),
        (lambda: Tables((1, 2), names=("a",)), "names: 1 labels for 2 places"),
        (lambda: Piles((1, 2), ("a",)), "names: 1 labels for 2 places"),
        (lambda: Piles((1, 5), room=4), "room is for the largest pile of matches, not 4"),
        (lambda: Track("X#", (0, 0), (0, 0)), "made of X, O and ., not 'X#'"),
        (lambda: Track("X", (0,), (0, 0)), "homes are a number for either player, not \\(0,\\)"),
        (lambda: Scores((1, 2), 0), "the goal is at least 1, not 0"),
        (lambda: Scores((1, -2), 10), "points are a number for either player, not \\(1, -2\\)"),
        (lambda: Fields(("a",), ()), "names: 1 labels for 0 places"),
        (lambda: Grid(("..",), sides=("White",)), "Grid: sides are the names of the two players"),
        (lambda: Points(".", ((0, 0),), sides=("a", "a")), "Points: sides are the names of the two players"),
        (lambda: Hexes((".",), sides=("a", "")), "Hexes: sides are the names of the two players"),
        (lambda: Piece("ab"), "'ab' is no mark"),
        (lambda: Piece("."), "'.' is no mark"),
        (lambda: Piece("x", 2), "side is 0 or 1"),
        (lambda: Piece(1), r"Piece: mark, glyph, label and shape are texts, not 1 \(str makes"),
        (lambda: Fields(("a",), (5,)), r"Fields: values are texts, not 5 \(str makes"),
        (lambda: Fields(("a",), 5), "Fields: values are texts in a tuple, not 5"),
        (lambda: Fields((1,), ("a",)), "names are texts, not 1"),
        (lambda: Grid(((0, 1), (1, 0))), r"Grid: cells are texts, not \(0, 1\)"),
        (lambda: Grid(("..",), columns=(1, 2)), "columns are texts, not 1"),
        (lambda: Grid(("..",), pieces=(0, 1)), "Grid: pieces are characters or Pieces, not 0"),
        (lambda: Hexes(([0],)), r"Hexes: cells are texts, not \[0\]"),
        (lambda: Points((0,), ((0, 0),)), "Points: cells are texts, not 0"),
        (lambda: Points(".", (0,)), "Points: places are pairs of numbers, not 0"),
        (lambda: Points("..", ((0, 0), (0, "1"))), r"Points: places are pairs of numbers, not \(0, '1'\)"),
        (lambda: Points(".", ((0, 0),), (("a", "b"),)), r"Points: lines are pairs of numbers, not \('a', 'b'\)"),
        (lambda: Pits((1,), ("2",)), "Pits: first, second and stores are ints, not '2'"),
        (lambda: Pits((1,), (2,), (0, 0.5)), "Pits: first, second and stores are ints, not 0.5"),
        (lambda: Tables((1, None)), "Tables: points, bar, off and dice are ints, not None"),
        (lambda: Piles((1, True)), "Piles: counts are ints, not True"),
        (lambda: Piles(3), "Piles: counts are ints in a tuple, not 3"),
        (lambda: Dice(("six",)), "Dice: faces are ints, not 'six'"),
        (lambda: Together((Grid((".",)), "below")), "Together: parts are boards such as a Grid, not 'below'"),
        (lambda: Together(Grid((".",))), "Together: parts are boards in a tuple"),
    ],
)
def test_boards_that_cannot_be_drawn(make, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


def test_characters_belong_to_players_in_their_order() -> None:
    pieces = ("a", Piece("#", None, label="wall"), "b", "c")
    found = [piece_at(pieces, mark) for mark in "ab#c?"]
    assert [piece and piece.side for piece in found] == [0, 1, None, None, None]
    assert found[2].label == "wall"  # type: ignore[union-attr]


@pytest.mark.parametrize("name", [entry.name for entry in catalog()])
def test_every_game_of_the_catalogue_has_a_picture_and_squares_to_click(name: str) -> None:
    game = load(name)
    state, board = game.initial(), board_of(game, game.initial())
    assert game.has("board")
    for unicode in (False, True):
        assert text(game, state, unicode=unicode)
    while game.is_chance(state):  # to where somebody has a choice
        state = game.play(state, next(iter(game.chances(state)))[0])
    touched = {square for move in game.moves(state) for square in game.squares(state, move)}
    assert touched <= set(range(len(board)))
    assert touched


def test_values_lie_where_moves_lead_and_the_best_counts() -> None:
    game = load("chess_endgame")
    state = game.initial()
    king, rook = game.parse_move(state, "Ka2"), game.parse_move(state, "Rb8")
    marks = value_marks(game, state, {king: z.Value.win(5), rook: z.Value.draw()})
    assert {square: tag.text for square, tag in marks.values.items()} == {48: "W5", 1: "="}
    assert marks.arrows == ((56, 48),)
    nim = load("nim")
    moves = dict.fromkeys(nim.moves(nim.initial()), z.Value.loss(3)) | {1: z.Value.win(7)}
    assert value_marks(nim, nim.initial(), moves).values[2].text == "W7"
