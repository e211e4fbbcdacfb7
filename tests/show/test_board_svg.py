"""SVG pictures: well formed, the same each time, and saying in words what they show."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import zermelo as z
from zermelo.board import (
    PALETTE,
    SHAPES,
    Board,
    Cube,
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
)
from zermelo.games.registry import GAMES, catalog, load, position
from zermelo.play.session import Session
from zermelo.show.laid_tiles import tiles_laid
from zermelo.show.scene import board_scene
from zermelo.show.scene.board_scene import board_of, scene
from zermelo.show.scene.cell_layout import grid_scene
from zermelo.show.svg import piece_shapes, theme
from zermelo.show.svg.board_svg import board_svg, svg

SPACE = "{http://www.w3.org/2000/svg}"
NASTY = "<b>&\"'\x00\x1b]]>"

BOARDS: dict[str, Board] = {
    "grid": Grid(("X.", " O"), ("a", "b"), ("2", "1")),
    "drop": Grid(("..", "XO"), ("1", "2"), drop=True),
    "checkered": Grid(("k.", ".K"), pieces=(Piece("K", 0, "♔", "white king"), Piece("k", 1, "♚", "black king"))),
    "points": Points("X.O", ((0, 0), (1, 0), (2, 1)), ((0, 1), (1, 2)), ("a1", "b1", "there")),
    "hexes": Hexes(("X.", " O"), ("a", "b"), ("1", "2"), edges=True),
    "pits": Pits((4, 0, 40), (1, 2, 3), (7, 0)),
    "pits without stores": Pits((4, 0), (1, 2)),
    "tables": Tables((2, 0, -7, 0, 1, -1), (1, 9), (0, 15), (NASTY, "2", "3", "4", "5", "6"), (6, 0)),
    "cube": Tables((1, -1), cube=Cube(4, 1), scores=(NASTY, "0/5")),
    "small tables": Tables((1, -1), off=(40, 1)),
    "piles": Piles((3, 0, 5), ("left", "", "right")),
    "bars": Piles((300, 20)),
    "single matches": Piles((3, 0, 4), room=4),
    "dice": Dice((1, 6, 0, 20)),
    "track": Track("X..O", (1, 14), (0, 2), (NASTY, "2", "3", "4"), (NASTY, "away"), (3,)),
    "bare track": Track(".", (0, 0), (1, 0)),
    "scores": Scores((0, 105), 100, (3, 0), (0, 6)),
    "long scores": Scores((1, 0), 2_000_000_000),
    "fields": Fields((NASTY, "b"), ("x" * 200, NASTY)),
    "nasty": Grid(("ab<",), (NASTY, "b", "c"), pieces=(Piece("a", 0, NASTY, NASTY), Piece("b", None), Piece("<", 1))),
    "nothing": Piles(()),
    "together": Together((Grid(("..",)), Tables((0, 3)), Dice((2,)), Pits((1,), (1,)), Piles((1,)))),
}


def squares(text: str) -> dict[int, ElementTree.Element]:
    found = [each for each in ElementTree.fromstring(text).iter(f"{SPACE}g") if each.get("class") == "square"]
    return {int(each.attrib["data-square"]): each for each in found}


def titles(text: str) -> list[str]:
    return [square.findtext(f"{SPACE}title", "") for square in squares(text).values()]


def everything(board: Board) -> Marks:
    """Marks on every square."""
    every = tuple(range(len(board)))
    kinds = (Tag("W7", "win"), Tag("=", "draw"), Tag("L12", "loss"), Tag("+0.35"))
    tags = {square: kinds[square % 4] for square in every}
    return Marks(every, every, tuple((0, square) for square in every), tags)


# -- documents -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("interactive", [False, True])
def test_every_board_is_well_formed_with_any_marks(name: str, interactive: bool) -> None:
    board = BOARDS[name]
    nasty = Marks(values={0: Tag(NASTY, "loss", NASTY)}, last=(99,), arrows=((0, 99),))
    for marks in (Marks(), everything(board), nasty):
        drawn = board_svg(board, marks, title=NASTY, interactive=interactive)
        root = ElementTree.fromstring(drawn)
        assert root.tag == f"{SPACE}svg"
        assert drawn == board_svg(board, marks, title=NASTY, interactive=interactive)
        assert set(squares(drawn)) <= set(range(len(board)))
        assert "nan" not in drawn
        assert "inf" not in re.sub("<title>.*?</title>", "", drawn)


@pytest.mark.parametrize("name", BOARDS)
def test_all_places_lie_inside_and_apart(name: str) -> None:
    laid = scene(BOARDS[name])
    for place in laid.places:
        assert place.x - place.width / 2 + 0.01 >= 0
        assert place.x + place.width / 2 <= laid.width
        assert place.y - place.height / 2 + 0.01 >= 0
        assert place.y + place.height / 2 <= laid.height
    centres = [(place.x, place.y) for place in laid.places]
    assert len(set(centres)) == len(centres)


@pytest.mark.parametrize("name", [entry.name for entry in catalog()])
def test_every_game_of_the_catalogue_is_drawn_with_all_the_squares_of_its_moves(name: str) -> None:
    game = load(name)
    state = game.initial()
    drawn = squares(svg(game, state, interactive=True))
    for move in game.moves(state):
        assert set(game.squares(state, move)) <= set(drawn)
    for square in drawn.values():
        assert square.get("aria-label")
        assert square.get("role") == "button"
        assert float(square.attrib["data-size"]) > 0


def test_a_game_without_a_board_shows_its_fields() -> None:
    class Bare(z.Game):
        def initial(self):
            return (1, 2)

        def moves(self, state):
            return range(2)

        def play(self, state, move):
            return state

        def result(self, state):
            return z.ONGOING

    shown = "".join(ElementTree.fromstring(svg(Bare(), (1, 2))).itertext())
    assert "(1, 2)" in shown


# -- what it says ----------------------------------------------------------------------------------------------------


def test_titles_name_squares_and_what_stands_there() -> None:
    game = load("tic_tac_toe")
    said = titles(svg(game, position(game, "b2 a1"), Marks(values={0: Tag("W3", "win", "win in 3")})))
    assert said[0] == "a3: empty, win in 3"
    assert said[4] == "b2: X"
    chess = load("chess_endgame")
    assert "a1: white king" in titles(svg(chess, chess.initial()))
    kalah = load("kalah(2, 3)")
    assert titles(svg(kalah, kalah.initial()))[2:4] == ["first player's store: 0", "second player's pit 1: 3"]
    nim = load("nim")
    assert titles(svg(nim, nim.parse_state("0 0 2"))) == ["match 1 of pile 3: one of 2", "match 2 of pile 3: one of 2"]
    assert titles(board_svg(Piles((3, 4)))) == ["pile 1: 3", "pile 2: 4"]


def test_checkers_are_stacked_from_their_edge() -> None:
    game = load("backgammon")
    drawn = svg(game, position(game, "61"))
    found = squares(drawn)
    assert titles(drawn)[4:6] == ["point 5: empty", "point 6: 5 checkers of the first player"]
    assert titles(drawn)[23:26] == [
        "point 24: 2 checkers of the first player", "first player's bar: empty", "second player's bar: empty"
    ]  # fmt: skip
    lower, upper = found[5], found[12]
    for square, way in ((lower, -1), (upper, 1)):
        assert square.attrib["data-stack"] == "5"
        heights = [float(stone.attrib["cy"]) for stone in square.iter(f"{SPACE}circle")]
        assert heights == sorted(heights, reverse=way < 0)
        assert heights[-1] == float(square.attrib["data-top"])
        middle, reach = (float(square.attrib[f"data-{name}"]) for name in ("y", "height"))
        assert all(abs(height - middle) < reach / 2 for height in heights)
    strip = lower.find(f"{SPACE}rect")
    assert strip is not None
    assert strip.attrib["height"] == lower.attrib["data-height"]  # all of the point can be clicked
    tall = squares(board_svg(Tables((5, 8), off=(0, 13))))
    assert [square.findtext(f".//{SPACE}text") for square in tall.values()] == [None, "8", *[None] * 4]
    assert len(tall[1].findall(f".//{SPACE}circle")) == 5
    assert len(tall[5].findall(f"{SPACE}rect")) == 1 + 13  # each that is off is seen


def test_points_are_named_as_the_player_to_move_counts_them() -> None:
    game = load("backgammon")
    assert titles(svg(game, position(game, "31 8/5 6/5 66")))[0] == "point 24: 2 checkers of the second player"


def test_a_square_says_where_it_is() -> None:
    game = load("connect_four")
    square = squares(svg(game, game.initial()))[8]
    x, y, size = (float(square.attrib[f"data-{name}"]) for name in ("x", "y", "size"))
    place = scene(game.board(game.initial())).places[8]
    assert (x, y, size) == (place.x, place.y, 60)
    assert square.attrib["data-name"] == "column 2, row 2"


def test_pieces_are_told_apart_by_shape() -> None:
    crossed = board_svg(Grid(("XO",)))
    assert 'class="zb-cross"' in crossed
    assert 'class="zb-ring"' in crossed
    stones = squares(board_svg(Grid(("XO",), drop=True)))
    assert [len(stone.findall(f"{SPACE}circle")) for stone in stones.values()] == [2, 3]  # the second has a ring on it
    lettered = board_svg(Grid(("M",), pieces=("M",)))
    assert ">M</text>" in lettered


def test_marks_are_drawn_on_their_squares_alone() -> None:
    drawn = squares(board_svg(Grid(("...",)), Marks((0,), (1,), (), {2: Tag("L4", "loss")})))
    inside = [ElementTree.tostring(square, "unicode") for square in drawn.values()]
    for number, sign in enumerate(("zb-last", "zb-target", 'data-tone="loss"')):
        assert [sign in text for text in inside] == [square == number for square in range(3)]


def test_squares_of_parts_are_numbered_on() -> None:
    drawn = squares(board_svg(Together((Grid(("..",)), Dice((2,)), Piles((1, 4))))))
    assert sorted(drawn) == [0, 1, 2, 3]
    heights = [float(drawn[number].attrib["data-y"]) for number in range(4)]
    assert heights[0] == heights[1] < heights[2] < heights[3]


def test_dice_show_their_pips() -> None:
    dice = [each for each in ElementTree.fromstring(board_svg(Dice((5, 0)))).iter() if each.get("class") == "die"]
    assert len(dice[0].findall(f"{SPACE}circle")) == 5
    assert [die.findtext(f"{SPACE}title") for die in dice] == ["die: 5", "a die to be rolled"]


# -- colours ---------------------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [theme.BOARD_LIGHT, theme.BOARD_DARK], ids=["light", "dark"])
def test_text_can_be_read_and_the_sides_differ_in_lightness(colours: dict[str, str]) -> None:
    text = [("ink", "page"), ("soft", "page"), ("ink", "cell"), ("ink", "felt"), ("on-second", "second")]
    text += [("on-tone", tone) for tone in ("win", "draw", "loss", "estimate")]
    for ink, ground in text:
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    signs = [("first", "cell"), ("second-ink", "cell"), ("line", "page"), ("target", "hole"), ("on-first", "first")]
    for sign, ground in signs:
        assert contrast(colours[sign], colours[ground]) >= 3, (sign, ground)
    assert contrast(colours["first"], colours["second"]) >= 2.2
    for ground in ("felt", "spike", "spike-by", "frame"):  # a checker has an edge, so that it need not differ itself
        for side in ("first", "second"):
            seen = max(contrast(colours[sign], colours[ground]) for sign in (side, f"{side}-edge"))
            assert seen >= 3, (side, ground)


@pytest.mark.parametrize("colours", [theme.BOARD_LIGHT, theme.BOARD_DARK], ids=["light", "dark"])
def test_white_and_black_are_seen_on_every_square_and_differ_in_lightness_alone(colours: dict[str, str]) -> None:
    assert contrast(colours["white"], colours["black"]) >= 10  # to whatever eye
    for side in ("white", "black"):
        assert contrast(colours[f"on-{side}"], colours[side]) >= 4.5
        for ground in ("bright", "dark", "last"):
            seen = max(contrast(colours[sign], colours[ground]) for sign in (side, f"{side}-edge"))
            assert seen >= 3, (side, ground)
    for side in ("white", "black"):
        assert contrast(colours[side], colours["dark"]) >= 2.2  # the ground of cells, by the stone itself


@pytest.mark.parametrize("colours", [theme.BOARD_LIGHT, theme.BOARD_DARK], ids=["light", "dark"])
@pytest.mark.parametrize("colour", PALETTE)
def test_stones_of_every_colour_are_seen_on_every_ground_and_texts_on_them_are_read(colours, colour) -> None:
    assert contrast(colours[f"on-{colour}"], colours[colour]) >= 4.5
    for ground in ("page", "cell", "hole", "plate", "dark", "last", "felt"):
        if ground == "cell" and colour in theme.WHITE_AND_BLACK:
            continue  # their cells have another ground
        seen = max(contrast(colours[sign], colours[ground]) for sign in (colour, f"{colour}-edge"))
        assert seen >= 3, ground
    assert max(contrast(colours[sign], colours["bright"]) for sign in (colour, f"{colour}-edge")) >= 2


@pytest.mark.parametrize("colours", [theme.BOARD_LIGHT, theme.BOARD_DARK], ids=["light", "dark"])
def test_no_two_colours_look_alike(colours) -> None:
    def parts(name):
        return [int(colours[name][i : i + 2], 16) for i in (1, 3, 5)]

    for one, other in itertools.combinations(PALETTE, 2):
        assert math.dist(parts(one), parts(other)) >= 40, (one, other)


def matches(selector: str, sides: str) -> bool:
    """Whether a selector of the style sheet chooses a picture with this `data-sides`; "" if it has none."""
    found = re.fullmatch(r'\.zermelo-board(?:\[data-sides(?P<how>[\^$*]?)="(?P<text>[^"]*)"\])?', selector)
    if found is None:
        return False
    kinds = {"^": sides.startswith, "$": sides.endswith, "*": sides.__contains__, "": sides.__eq__}
    return found["text"] is None or kinds[found["how"]](found["text"])


def resolved(style: str, sides: str, name: str) -> str:
    """The colour that a variable stands for in a picture with these sides: that of the last rule that matches."""
    found = ""
    for selectors, rules in re.findall(r"^([^{}\n]+)\{([^}]*)\}", style, re.MULTILINE):
        given = re.search(rf"--zb-{name}:var\(--zb-([\w-]+)\)", rules)
        if given and any(matches(selector, sides) for selector in selectors.split(",")):
            found = given[1]
    return found


@pytest.mark.parametrize(
    ("options", "said", "stones", "men", "ground"),
    [
        ({}, "", ("first", "second"), ("white", "black"), "cell"),
        ({"sides": ("Fox", "Geese")}, "", ("first", "second"), ("white", "black"), "cell"),
        ({"sides": ("White", "Black")}, "white black", ("white", "black"), ("white", "black"), "dark"),
        ({"sides": ("Black", "White")}, "black white", ("black", "white"), ("black", "white"), "dark"),
        ({"sides": ("Red", "Blue")}, "red blue", ("red", "blue"), ("red", "blue"), "cell"),
        ({"sides": ("GRAY", "white")}, "grey white", ("grey", "white"), ("grey", "white"), "dark"),
        ({"sides": ("Fox", "Blue")}, "second blue", ("second", "blue"), ("second", "blue"), "cell"),
        ({"sides": ("Orange", "Fox")}, "orange first", ("orange", "first"), ("orange", "first"), "cell"),
        ({"sides": ("Red", "Fox")}, "red second", ("red", "second"), ("red", "second"), "cell"),
        ({"sides": ("Grey", "Gray")}, "grey second", ("grey", "second"), ("grey", "second"), "cell"),
        ({"colours": ("green", "Pink")}, "green pink", ("green", "pink"), ("green", "pink"), "cell"),
        (
            {"sides": ("White", "Black"), "colours": ("red", "blue")},
            "red blue",
            ("red", "blue"),
            ("red", "blue"),
            "cell",
        ),
    ],
)
def test_sides_have_the_colours_that_the_board_gives_or_that_they_are_named_after(
    options, said, stones, men, ground
) -> None:
    drawn = board_svg(Together((Dice((1,)), Grid(("AO",), pieces=(Piece("A", 0, "●"), "O"), **options))))
    assert re.findall(r'data-sides="([^"]*)"', drawn.split(">")[0]) == ([said] if said else [])
    style = theme.style()
    assert tuple(resolved(style, said, f"side{side}") for side in (0, 1)) == stones
    assert tuple(resolved(style, said, f"man{side}") for side in (0, 1)) == men
    assert tuple(resolved(style, said, f"side{side}-edge") for side in (0, 1)) == tuple(
        f"{each}-edge" for each in stones
    )
    assert resolved(style, said, "ground") == ground


@pytest.mark.parametrize(
    "colours", [("red",), ("red", "red"), ("grey", "Gray"), ("red", "mauve"), ("red", 7), ("", "red")]
)
def test_colours_that_are_none_are_refused(colours) -> None:
    for board in (
        lambda: Grid(("..",), colours=colours),
        lambda: Points(".", ((0, 0),), colours=colours),
        lambda: Hexes((".",), colours=colours),
    ):
        with pytest.raises(ValueError, match=r"colours are two of white, black, red, .*, not "):
            board()


def test_the_page_has_the_colours_of_the_pictures() -> None:
    """Its style sheets are files of their own: every colour is there, in both themes, for either side."""
    static = Path(z.__file__).parent / "app" / "web" / "static"
    page, board = ((static / name).read_text("utf-8") for name in ("lib/page.css", "board/board.css"))
    for colour in (*theme.DEFAULT_SIDES, *PALETTE):
        assert f"--{colour}: light-dark({theme.BOARD_LIGHT[colour]}, {theme.BOARD_DARK[colour]});" in page
        assert f'#table[data-sides^="{colour} "] {{ --side0: var(--{colour}); }}' in board
        assert f'#table[data-sides$=" {colour}"] {{ --side1: var(--{colour}); }}' in board


def test_x_and_o_of_coloured_sides_are_stones_and_the_second_has_a_ring() -> None:
    drawn = board_svg(Grid(("XO",), sides=("Red", "Blue")))
    assert titles(drawn) == ["column 1, row 1: red stone", "column 2, row 1: blue stone"]
    assert [drawn.count(f'class="zb-{kind}"') for kind in ("stone0", "stone1", "ring1", "cross", "ring")] == [
        1,
        1,
        1,
        0,
        0,
    ]


def test_the_edges_of_hexagons_have_a_rim_that_is_seen_on_the_page() -> None:
    drawn = board_svg(Hexes(("..", ".."), edges=True, sides=("White", "Red")))
    for side in (0, 1):
        rims, edges = (re.findall(rf'class="zb-{kind}{side}" points="([^"]*)"', drawn) for kind in ("rim", "edge"))
        assert rims == edges != []


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        ("chess", "white black"), ("chess_endgame", "white black"), ("breakthrough", "white black"),
        ("hexapawn", "white black"), ("fanorona", "white black"), ("checkers", "black white"),
        ("othello", "black white"), ("dobutsu_shogi", "black white"),
    ],
)  # fmt: skip
def test_games_of_white_and_black(name: str, sides: str) -> None:
    """Every piece is told as white or black, and belongs to the player of that name."""
    game = load(name)
    drawn = svg(game, game.initial())
    assert f'data-sides="{sides}"' in drawn
    for said, square in zip(titles(drawn), squares(drawn).values(), strict=True):
        colour = re.search(": (white|black) ", said)
        kinds = " ".join(part.get("class", "") for part in square.iter())
        side = re.search(r"zb-(?:stone|man)([01])", kinds)
        assert (colour is None) == (side is None), said
        assert colour is None or sides.split()[int(side[1])] == colour[1], said


def test_x_and_o_of_white_and_black_are_stones_and_discs_have_nothing_on_them() -> None:
    for board in (
        Grid(("XO",), sides=("Black", "White")),
        Grid(("ab",), pieces=(Piece("a", 0, "●"), Piece("b", 1, "○"))),
    ):
        drawn = board_svg(board)
        assert [f'class="zb-stone{side}"' in drawn for side in (0, 1)] == [True, True]
        assert "</text>" not in drawn
        assert 'class="zb-cross"' not in drawn
    assert titles(board_svg(Grid(("XO",), sides=("Black", "White"))))[0] == "column 1, row 1: black stone"


def test_a_king_of_checkers_is_a_crowned_stone() -> None:
    game = load("checkers")
    drawn = squares(svg(game, position(game, "B:WK30:B1,K5")))
    kinds = [[part.get("class") for part in drawn[square]] for square in (1, 8, 58)]
    assert kinds == [[None, "zb-dark", "zb-stone0"], [None, "zb-dark", "zb-stone0", "zb-on0"],
                     [None, "zb-dark", "zb-stone1", "zb-on1"]]  # fmt: skip


def test_signs_of_nobody_stay_within_their_cells() -> None:
    signs = ("●", "●●", "64", "1024", "16384")
    drawn = [board_svg(Grid(("a",), pieces=(Piece("a", None, sign),))) for sign in signs]
    sizes = [float(re.search(r'zb-sign"[^>]*font-size:([\d.]+)px', each)[1]) for each in drawn]
    assert sizes[0] == 30
    assert [size * width <= 50 for size, width in zip(sizes[1:], (2, 1.24, 2.48, 3.1), strict=True)] == [True] * 4


def test_words_of_a_table_know_its_middle() -> None:
    """So that a board that is turned round turns the table as a whole."""
    drawn = ElementTree.fromstring(board_svg(Together((Grid(("...",)), Fields(("a", "b"), ("1", "2"))))))
    words = [each for each in drawn.iter(f"{SPACE}text") if each.get("data-x")]
    assert [word.text for word in words] == ["a", "1", "b", "2"]
    assert len({(word.get("data-x"), word.get("data-y")) for word in words}) == 1
    assert float(words[0].get("data-x")) == float(drawn.get("viewBox").split()[2]) / 2
    assert float(words[0].get("y")) < float(words[0].get("data-y")) < float(words[2].get("y"))


def test_the_style_has_both_themes_and_can_be_overridden() -> None:
    style = theme.style()
    assert set(theme.BOARD_LIGHT) == set(theme.BOARD_DARK)
    assert "prefers-color-scheme:dark" in style
    assert '[data-theme="dark"] .zermelo-board' in style
    used = set(re.findall(r"var\(--zb-([\w-]+)\)", style))
    assert set(theme.BOARD_LIGHT) <= used <= set(re.findall(r"--zb-([\w-]+):", style))


def test_an_arrow_stays_between_its_ends() -> None:
    for end in ((100.0, 0.0), (10.0, 10.0), (0.0, -300.0), (0.0, 0.0)):
        for x, y in piece_shapes.arrow((0.0, 0.0), end, 7):
            assert abs(x) <= abs(end[0]) + 11
            assert abs(y) <= abs(end[1]) + 11


# -- pictures --------------------------------------------------------------------------------------------------------


def test_a_picture_can_be_printed_shown_and_saved(tmp_path: Path) -> None:
    game = z.load("tic_tac_toe")
    shown = z.picture(game, z.position(game, "b2"), last=(4,), values={0: z.Value.draw()})
    assert str(shown) == "3 . . .\n2 . X .\n1 = . .\n  a b c"
    assert "zb-last" in squares(shown._repr_svg_())[4][2].attrib["class"]
    assert shown._repr_html_() == shown.svg()
    assert shown.save(tmp_path / "board.svg").read_text("utf-8") == shown.svg()
    assert "│" in shown.save(str(tmp_path / "board.txt")).read_text("utf-8")
    assert z.picture(game).state == game.initial()
    with pytest.raises(z.GameError, match=r"TicTacToe.* is saved as .svg or .txt, not as 'board.png'"):
        shown.save(tmp_path / "board.png")
    with pytest.raises(z.GameError, match=r"board.svg cannot be written: no such file or directory\."):
        shown.save(tmp_path / "nowhere" / "board.svg")


def test_a_notebook_shows_a_report_on_its_board() -> None:
    game = z.load("tic_tac_toe")
    report = z.search(game, z.position(game, "a1 b2 c3 a3"), z.Limit(depth=9))
    shown = report._repr_html_() or ""
    assert str(report.value) in shown
    board = shown[shown.index("<svg") : shown.index("</svg>") + len("</svg>")]
    goal = game.squares(report.state, report.move)[0]
    assert 'data-tone="win"' in ElementTree.tostring(squares(board)[goal], "unicode")


def test_a_notebook_shows_the_counts_of_a_solution() -> None:
    shown = z.solve(z.load("tic_tac_toe"))._repr_html_() or ""
    ElementTree.fromstring(shown.replace("&emsp;", " "))
    assert "390 win" in shown
    assert "win: 390 (51.0 %)" in shown
    assert "765 (5,478 positions)" in shown


# -- shapes, stones in hand, highlights --------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_drawn(shape: str) -> None:
    plain = board_svg(Grid(("a",), pieces=(Piece("a", 0, "A", "piece"),)))
    drawn = board_svg(Grid(("a",), pieces=(Piece("a", 0, "A", "piece", shape),)))
    assert ">A</text>" in plain
    assert ">A</text>" not in drawn
    assert "<path" in drawn


def test_the_sixteen_tokens_of_quarto_look_different() -> None:
    game = z.load("quarto")
    pieces = [board_svg(Grid((piece.mark,), pieces=(piece,))) for piece in game.marks]
    looks = {re.sub(r'data-piece="."|aria-label="[^"]*"|<title>.*?</title>', "", one) for one in pieces}
    assert len(looks) == 16


def test_a_hand_and_a_pile_with_owners_are_stones() -> None:
    hands = board_svg(Fields(("mine", "yours"), ("3", "0"), owners=(0, 1)))
    assert (hands.count('class="zb-stone0"'), hands.count('class="zb-stone1"')) == (3, 0)
    piles = board_svg(Piles((2, 1), owners=(0, 1)))
    assert (piles.count('class="zb-stone0"'), piles.count('class="zb-stone1"')) == (2, 1)
    assert "zb-match" in board_svg(Piles((2, 1)))
    for value in ("3", "10"):
        found = scene(Fields(("mine",), (value,), owners=(0,)))
        number = next(label for label in found.labels if label.text == value)
        assert found.hands[0].x - 7 > number.x + 10 * len(value)  # they do not touch
        assert found.hands[0].x + 12 * 17 < found.width


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Piece("a", shape="dragon"), "'dragon' is no shape; lion, elephant"),
        (lambda: Fields(("a",), ("two",), owners=(0,)), "numbers of stones, not \\('two',\\)"),
        (lambda: Piles((1, 2), owners=(0,)), "owners are a player for each value"),
        (lambda: Piles((1,), owners=(2,)), "owners are a player for each value"),
    ],
)
def test_shapes_and_owners_that_are_none(make, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize(
    ("name", "moves", "squares"),
    [
        ("connect_four", "1 2 1 2 1 2 1", (14, 21, 28, 35)),
        ("connect_k(5, 4, in_a_row=3)", "1 2 1 2 1", (5, 10, 15)),
        ("pop_out", "1 2 1 2 1 2 1", (14, 21, 28, 35)),
        ("gomoku", "a1 a2 b1 b2 c1 c2 d1 d2 e1", (210, 211, 212, 213, 214)),
        ("hex(3)", "a1 b1 a2 b2 a3", (0, 3, 6)),
        ("quarto(side=2, attributes=2)", "0 a1 1 b1", (0, 1)),
        ("sim", "ab de ac df bc", (6, 7, 11)),
        ("sim", "ab de ac df", ()),
        ("chess", "f3 e5 g4 Qh4#", (60,)),
        ("chess_endgame", "", ()),
    ],
)
def test_games_point_out_what_decides(name: str, moves: str, squares: tuple[int, ...]) -> None:
    game = z.load(name)
    state = z.position(game, moves)
    assert game.highlights(state) == squares
    drawn = z.picture(game, state).svg()
    assert drawn.count('class="zb-highlight"') + drawn.count('class="zb-highline"') == len(squares)
    assert game.highlights(game.initial()) == ()


def test_the_cube_lies_at_the_side_of_its_owner() -> None:
    def cube(value: int, owner: int | None = None, offered: bool = False) -> tuple[float, float, str, str]:
        drawn = board_svg(Tables((0,) * 24, cube=Cube(value, owner, offered), scores=("1/5", "4/5")))
        found = next(
            each for each in ElementTree.fromstring(drawn).iter(f"{SPACE}g") if "cube" in each.get("class", "")
        )
        words = found.findtext(f"{SPACE}title", "")
        return float(found.attrib["data-x"]), float(found.attrib["data-y"]), found.findtext(f"{SPACE}text", ""), words

    x, middle, *told = cube(1)
    assert told == ["1", "cube: 1, in the middle"]
    assert cube(4, 0)[0] == cube(4, 1)[0] == x
    assert cube(4, 1)[1] < middle < cube(4, 0)[1]
    offered_x, offered_y, *told = cube(2, 1, offered=True)
    assert offered_x > x
    assert offered_y == middle
    assert told == ["2", "cube: 2, offered by first player"]
    crawford = board_svg(Tables((0,) * 24, cube=Cube(0)))
    assert ">Crawford game</text>" in crawford
    assert "cube: none in Crawford&#x27;s game" in crawford
    with pytest.raises(ValueError, match="Cube: an offered cube needs its owner, the player 0 or 1"):
        Cube(2, offered=True)
    with pytest.raises(ValueError, match="Cube: the owner is player 0 or 1, or None in the middle, not 2"):
        Cube(2, 2)


SQUARE = ((0, 0), (2, 0), (2, 2), (0, 2))
RING = ((0, 1), (1, 2), (2, 3), (3, 0))
CORNERS = ("north-west", "north-east", "south-east", "south-west")


@pytest.mark.parametrize(
    "board",
    [
        Points("....", SQUARE, RING, CORNERS),
        Points("......", (*SQUARE, (1, 3), (1, -1)), RING, (*CORNERS, "south, below all", "north, above all")),
        Grid(("." * 19,) * 19, rows=tuple(f"row {19 - row}" for row in range(19))),
        Hexes(("." * 14,) * 14, rows=tuple(f"row {14 - row}" for row in range(14))),
        Points("." * 17, tuple((row, row) for row in range(17)), names=tuple(f"a{number}" for number in range(17))),
        Points(
            "." * 17,
            tuple((3 * row % 17, row) for row in range(17)),
            names=tuple(f"{letter * 3}{number + 100000}" for number, letter in enumerate("abcdefghijklmnopq")),
        ),
    ],
    ids=["square", "around", "rows", "hexagons", "diagonal", "edges"],
)
def test_labels_lie_inside_the_picture(board: Board) -> None:
    laid = scene(board)
    for label in laid.labels:
        width = 0.6 * 14 * label.scale * len(label.text)
        left = label.x - {"start": 0, "middle": 0.5, "end": 1}[label.anchor] * width
        assert left >= 0, label
        assert left + width <= laid.width, label


def test_names_grow_away_from_the_board() -> None:
    laid = scene(Points("....", SQUARE, RING, CORNERS))
    assert [label.anchor for label in laid.labels] == ["end", "start", "start", "end"]
    lone = Points("." * 5, ((0, 0), (2, 0), (1, 1), (4, 0), (4, 1)), ((0, 1), (1, 2), (2, 0), (3, 4)), tuple("abcde"))
    assert scene(lone).labels[0].anchor == "end"  # there is a loop beside a lone line
    tree = Points("...", ((0, 0), (-1, 1), (1, 1)), ((0, 1), (1, 0), (0, 2)), tuple("abc"))
    assert [label.anchor for label in scene(tree).labels] == ["start", "middle", "middle"]


def test_each_part_of_a_board_is_laid_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = []
    monkeypatch.setattr(board_scene, "grid_scene", lambda board: laid.append(board) or grid_scene(board))
    assert len(scene(Together((Grid(("..",)), Fields(("n",), ("1",))))).labels) == 2
    assert len(laid) == 1


def test_a_score_of_two_digits_each_fits_into_its_column() -> None:
    laid = scene(Tables((0,) * 24, cube=Cube(1), scores=("15/15", "10/15")))
    column = next(plate for plate in laid.plates if plate.kind == "felt" and plate.x < 100)
    digits, slash = 25 * 0.7, 25 * 0.37  # the widths of DejaVu Sans Bold, a wide letter
    for sign in laid.signs[:2]:
        assert abs(sign.x - (column.x + column.width / 2)) < 1
    assert 4 * digits + slash + 8 < column.width


LETTERS = {"field": 16, "tip": 22, "count": 16}
"""The sizes of letters in the style sheet; others have 14."""


@pytest.mark.parametrize("name", GAMES)
def test_letters_can_be_read_where_a_page_makes_the_board_fit(name: str) -> None:
    game = z.load(name)
    laid = scene(board_of(game, game.initial()))
    shrunk = min(560 / laid.width, 648 / laid.height)
    for label in laid.labels:
        assert shrunk * label.scale * LETTERS.get(label.kind, 14) >= 11, label.text


def test_the_frame_of_the_last_move_lies_within_its_cell_and_gives_way_to_the_winning_row() -> None:
    def frames(**marks: tuple[int, ...]) -> list[float]:
        found = squares(board_svg(Grid(("X.",)), Marks(**marks)))[0].iter(f"{SPACE}rect")
        return [float(each.attrib["width"]) for each in found if "zb-last" in each.attrib["class"].split()]

    assert frames(last=(0,)) == [57.0]
    assert frames(last=(0,), highlights=(0,)) == []


@pytest.mark.parametrize("name", ["sim", "mu_torere"])
def test_names_around_a_board_lie_beyond_its_points(name: str) -> None:
    game = z.load(name)
    laid = scene(board_of(game, game.initial()))
    points = [place for place in laid.places if not place.ends]
    middle = (sum(place.x for place in points) / len(points), sum(place.y for place in points) / len(points))
    for label in laid.labels:
        place = next(place for place in points if place.name == label.text)
        far = math.dist((place.x, place.y), middle)
        if far > 1:
            assert math.dist((label.x, label.y), middle) > far + 20
        assert 10 < label.x < laid.width - 10
        assert 10 < label.y < laid.height - 10


# -- races -----------------------------------------------------------------------------------------------------------


def test_a_score_is_a_bar_as_long_as_its_share_of_the_goal() -> None:
    drawn = squares(board_svg(Scores((50, 0), 100, (0, 25), (0,))))
    widths = {
        each.get("class"): float(each.attrib["width"])
        for square in (drawn[0], drawn[1])
        for each in square.iter(f"{SPACE}rect")
        if each.get("rx")
    }
    assert widths["zb-stone0"] / widths["zb-cell"] == pytest.approx(0.5)
    assert widths["zb-stake1"] / widths["zb-cell"] == pytest.approx(0.25)
    assert "zb-stone1" not in widths
    told = ["first player: 50 of 100", "second player: 0 of 100, 25 at stake", "the dice: to be rolled"]
    assert [square.attrib["aria-label"] for square in drawn.values()] == told


def test_the_square_of_the_dice_lies_upon_them() -> None:
    text = board_svg(Scores((0, 0), 100, dice=(0, 0)))
    assert text.rindex('class="die"') < text.index('data-square="2"')
    dice, square = scene(Scores((0, 0), 100, dice=(0, 0))).dice, scene(Scores((0, 0), 100, dice=(0, 0))).places[2]
    assert all(abs(die.x - square.x) + die.size / 2 < square.width / 2 for die in dice)


def test_homes_and_goals_lie_at_the_ends_of_a_track() -> None:
    places = scene(Track("X....O", (1, 2), (0, 0), dice=(3,))).places
    assert [place.name for place in places[6:]] == [
        "first player's home", "first player's goal", "second player's home", "second player's goal",
    ]  # fmt: skip
    home, goal, other_home, other_goal = places[6:]
    assert home.x == other_goal.x < goal.x == other_home.x
    assert home.y < places[0].y < other_home.y
    assert [place.count for place in places[6:]] == [1, 0, 2, 0]
    widths = {scene(Track(cells, homes, goals)).width for cells, homes, goals in WALKS}
    assert len(widths) == 1


WALKS = [("X....O", (4, 3), (0, 1)), ("......", (0, 1), (5, 4)), ("XXXXX.", (0, 5), (0, 0))]
"""Five checkers of each player on their way."""


def test_a_hand_of_the_second_player_has_its_pattern() -> None:
    assert board_svg(Piles((2, 1), owners=(0, 1)), styled=False).count("zb-ring1") == 1


# -- tiles -----------------------------------------------------------------------------------------------------------


def test_a_tile_that_was_laid_is_whole_and_has_the_colour_of_its_player() -> None:
    board = Grid(("#..", "###"), pieces=(Piece("#", None, "■", "covered", "tile"),))
    drawn = squares(board_svg(board, Marks(laid=((0, (0, 3)), (1, (4, 5))))))
    halves = {
        number: (half.get("class"), half.get("transform"))
        for number, square in drawn.items()
        for half in square.iter(f"{SPACE}path")
    }
    assert halves == {
        0: ("zb-stone0 zb-half", "rotate(90)"), 3: ("zb-stone0 zb-half", "rotate(270)"),
        4: ("zb-stone1 zb-half", "rotate(0)"), 5: ("zb-stone1 zb-half", "rotate(180)"),
    }  # fmt: skip
    assert drawn[4].attrib["aria-label"].endswith("covered by the second player")
    assert "zb-half" not in board_svg(board, Marks(laid=((0, (1, 2)),)))  # nothing lies there
    assert board_svg(board).count('class="zb-tile"') == 4  # a state alone does not say whose they are


def test_only_tiles_have_an_owner_by_history() -> None:
    session = Session(load("tic_tac_toe"))
    session.play(4)
    assert tiles_laid(session.game, session.game.board(session.state), session.history) == ()


# -- matches ---------------------------------------------------------------------------------------------------------


def test_matches_that_are_squares_stand_in_groups_and_keep_their_numbers() -> None:
    board = Piles((3, 0, 2), room=5)
    root = ElementTree.fromstring(board_svg(board))
    heaps = [each for each in root.iter(f"{SPACE}g") if each.get("class") == "heap"]
    assert [[int(square.attrib["data-square"]) for square in heap] for heap in heaps] == [[0, 1, 2], [10, 11]]
    laid = scene(board)
    assert scene(Piles((1, 0, 0), room=5)).width == laid.width  # a board does not shrink with its piles
    assert [place.x for place in laid.places[:2]] == [place.x for place in laid.places[3:]]
    assert laid.places[1].x - laid.places[0].x == laid.places[0].width  # no gap between them takes no click
