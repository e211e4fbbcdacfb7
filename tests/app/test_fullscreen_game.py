"""The full-screen game, played by mouse and keys through Textual's pilot; and what it rests on, clicks and mosaics."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

import zermelo as z
from awaited import awaited
from zermelo.app.terminal.game_dialogue import EngineOptions
from zermelo.board import Dice, Fields, Grid, Hexes, Marks, Piece, Piles, Pits, Points, Tables, Tag, Together
from zermelo.play import Engine, Session
from zermelo.play.record import resume
from zermelo.show.clicks import Clicks
from zermelo.show.svg import theme
from zermelo.show.text.mosaic import Look, Mosaic

pytest.importorskip("textual")

from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from zermelo.app.terminal.board_view import BoardView
from zermelo.app.terminal.fullscreen_game import FullScreen


def played(
    game: z.Game,
    script: Callable[[Pilot, FullScreen], Awaitable[None]],
    *,
    sides=("human", "human"),
    moves="",
    size=(110, 34),
) -> FullScreen:
    """Play a game by a script; the table as it was left."""
    table = FullScreen(Session(game, z.position(game, moves), 1), sides, EngineOptions(z.Limit(depth=4)))

    async def run() -> None:
        async with table.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot, table)

    awaited(run())
    return table


async def click(pilot: Pilot, table: FullScreen, *squares: int) -> None:
    for square in squares:
        await pilot.click(BoardView, offset=table.query_one(BoardView).middle_of(square))
        await pilot.pause()


async def until(pilot: Pilot, condition: Callable[[], bool]) -> None:
    """Wait for a thread; a test that waits in vain fails."""
    for _ in range(1200):
        if condition():
            await pilot.pause()
            return
        await pilot.pause(0.05)
    raise AssertionError("it does not come to that")


def texts(table: FullScreen) -> str:
    return " ".join(turn.text for turn in table.session.history)


def said(table: FullScreen, where: str) -> str:
    return str(table.query_one(where, Static).content)


# -- games -----------------------------------------------------------------------------------------------------------


def test_a_whole_game_by_mouse():
    async def script(pilot, table):
        await click(pilot, table, 4, 0, 2, 6, 3, 5, 1, 7, 8)
        assert said(table, "#status") == "Draw."
        assert said(table, "#history").split() == [
            "1",
            "b2",
            "a3",
            "2",
            "c3",
            "a1",
            "3",
            "a2",
            "c2",
            "4",
            "b3",
            "b1",
            "5",
            "c1",
        ]

    assert played(z.load("tic_tac_toe"), script).session.outcome.winner is None


def test_a_stone_falls_wherever_its_column_is_clicked():
    async def script(pilot, table):
        await click(pilot, table, 3, 3 + 7, 38)

    assert texts(played(z.load("connect_four"), script)) == "4 4 4"


def test_the_engine_answers_and_a_win_is_announced():
    async def script(pilot, table):
        await click(pilot, table, 3)
        await until(pilot, lambda: len(table.session.history) == 2)
        assert said(table, "#thinking").startswith("Zermelo: ")
        assert said(table, "#status") == "Your move."

    table = played(z.load("connect_four"), script, sides=("human", "engine"))
    assert texts(table).startswith("4 ")

    async def win(pilot, table):
        await click(pilot, table, 0)
        assert said(table, "#status") == "You win."
        assert table.query_one(OptionList).option_count == 0

    played(z.load("tic_tac_toe"), win, sides=("human", "engine"), moves="a1 b1 a2 b2")


def test_a_person_does_not_wait_for_machine_code(monkeypatch):
    waited = []
    monkeypatch.setattr(Engine, "prepare", lambda engine, max_wait=None: waited.append(max_wait))

    async def script(pilot, table):
        assert len(waited) == 3
        assert None not in waited

    played(z.load("tic_tac_toe"), script, sides=("human", "engine"))


def test_undo_redo_new_game_and_sides():
    async def script(pilot, table):
        await click(pilot, table, 4, 0)
        await pilot.press("u", "u")
        assert texts(table) == ""
        await pilot.press("u")
        assert "no move of yours" in said(table, "#thinking")
        await pilot.press("r")
        assert texts(table) == "b2"
        await pilot.press("n")
        assert texts(table) == ""
        table.sides = ("human", "engine")
        await pilot.press("f")
        await until(pilot, lambda: len(table.session.history) == 1)
        assert said(table, "#status") == "Your move."
        assert table.sides == ("engine", "human")

    played(z.load("tic_tac_toe"), script)


def notices(table: FullScreen) -> list[str]:
    return [notice.message for notice in table._notifications]


def test_a_game_is_saved_and_no_other_file_is_lost(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tic_tac_toe.json").write_text("another game")

    async def script(pilot, table):
        await click(pilot, table, 4)
        await pilot.press("s")
        assert notices(table)[-1] == f"1 move saved: tic_tac_toe_2.json in {tmp_path}."
        await click(pilot, table, 0)
        await pilot.press("s")
        assert notices(table)[-1] == "2 moves saved: tic_tac_toe_2.json, in place of what was saved before."
        await pilot.press("n", "s")
        assert "0 moves saved: tic_tac_toe_3.json" in notices(table)[-1]

    played(z.load("tic_tac_toe"), script)
    assert (tmp_path / "tic_tac_toe.json").read_text() == "another game"
    assert [turn.text for turn in resume("tic_tac_toe_2.json").history] == ["b2", "a3"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"tic_tac_toe{n}.json" for n in ("", "_2", "_3")]


def test_a_game_that_cannot_be_saved_goes_on(monkeypatch):
    monkeypatch.setattr("zermelo.app.terminal.fullscreen_game.file_for", lambda _: Path("no/such/[folder]/game.json"))

    async def script(pilot, table):
        await pilot.press("s")
        assert notices(table)[-1] == "no/such/[folder]/game.json cannot be written: no such file or directory."
        await click(pilot, table, 4)
        assert texts(table) == "b2"

    played(z.load("tic_tac_toe"), script)


def test_every_key_is_in_the_footer_of_an_ordinary_terminal():
    async def script(pilot, table):
        words = [str(key.render()) for key in table.query("FooterKey")]
        assert any("Save" in word for word in words)
        assert all(key.region.right <= 80 for key in table.query("FooterKey"))

    played(z.load("tic_tac_toe"), script, size=(80, 24))


def test_hints_and_values():
    async def script(pilot, table):
        await pilot.press("h")
        await until(pilot, lambda: said(table, "#thinking").startswith("Hint: a3, value win in 1"))
        await pilot.press("v")
        await until(pilot, lambda: bool(table.values))
        options = table.query_one(OptionList)
        listed = [str(options.get_option_at_index(i).prompt) for i in range(options.option_count)]
        assert "a3  win in 1" in listed
        assert any(line.startswith("c1  loss in 2") for line in listed)
        assert "W1" in table.query_one(BoardView).mosaic.text.plain
        await click(pilot, table, 0)
        assert table.values == {}

    played(z.load("tic_tac_toe"), script, moves="a1 b1 a2 b2")


def test_keys_alone():
    async def script(pilot, table):
        board = table.query_one(BoardView)
        assert (board.cursor, board.mosaic.look.cursor) == (4, 4)  # seen before the first key
        await pilot.press("right", "left", "enter")
        assert texts(table) == "b2"
        await pilot.press("down", "left", "space")
        assert texts(table) == "b2 a1"
        await pilot.press("tab", "down", "enter")

    assert texts(played(z.load("tic_tac_toe"), script)).startswith("b2 a1 ")


def test_a_move_of_two_squares_shows_where_it_can_go():
    async def script(pilot, table):
        await click(pilot, table, 49)
        assert table.clicks.squares == (49,)
        assert "◆" in table.query_one(BoardView).mosaic.text.plain
        await click(pilot, table, 49)
        assert table.clicks.squares == ()
        await click(pilot, table, 49)
        await pilot.press("escape")
        assert table.clicks.squares == ()
        assert "◆" not in table.query_one(BoardView).mosaic.text.plain
        await click(pilot, table, 49, 1)
        assert texts(table) == "Rb8"

    played(z.load("chess_endgame(KRK)"), script)


def test_moves_with_the_same_squares_are_chosen_from_the_list():
    async def script(pilot, table):
        await click(pilot, table, 0)
        assert said(table, "#status") == "Which one?"
        assert table.query_one(OptionList).option_count == 5
        assert table.focused is table.query_one(OptionList)
        await pilot.press("down", "enter")

    assert texts(played(z.load("nim((5, 31))"), script)) in ("5-1", "5-2")


def test_a_match_is_clicked_to_take_it_and_those_behind_it():
    async def script(pilot, table):
        await click(pilot, table, 10 + 3)
        await click(pilot, table, 5 + 2)  # of two piles of three and one of four, the second pile

    assert texts(played(z.load("nim"), script, moves="5-1 4-1")) == "4-1 3-1"


def test_the_own_score_of_pig_is_clicked_to_hold():
    async def script(pilot, table):
        await click(pilot, table, 0)

    assert texts(played(z.load("pig"), script, moves="roll 4")) == "hold"


def test_a_second_enter_on_the_list_is_too_late():
    async def script(pilot, table):
        await pilot.press("tab", "down")
        options = table.query_one(OptionList)
        options.action_select()
        options.action_select()
        await pilot.pause()

    assert len(played(z.load("nim"), script).session.history) == 1


def test_dice_are_rolled(monkeypatch):
    in_the_air = []
    monkeypatch.setattr(FullScreen, "set_timer", lambda table, seconds, roll: in_the_air.append(roll))

    async def script(pilot, table):
        await pilot.press("tab", "down", "enter")
        assert said(table, "#status") == "The dice are rolling ..."
        in_the_air.pop()()
        assert len(table.session.history) == 2
        assert said(table, "#thinking").startswith("Chance: ")
        await pilot.press("tab", "down", "down", "enter", "u")
        in_the_air.pop()()  # a move that was taken back meanwhile
        assert len(table.session.history) == 2

    played(z.load("pig"), script)


class Countdown(z.Game):
    """A game without a board."""

    def initial(self):
        return 4

    def moves(self, left):
        return range(1, min(left, 2) + 1)

    def play(self, left, taken):
        if left == 2 and taken == 1:
            raise ZeroDivisionError("oops")
        return left - taken

    def result(self, left):
        return z.LOSS if left == 0 else z.ONGOING


def test_a_game_without_a_board_is_played_from_the_list():
    async def script(pilot, table):
        assert "4" in table.query_one(BoardView).mosaic.text.plain
        await pilot.press("tab", "down", "down", "enter")
        assert texts(table) == "2"

    played(Countdown(), script)


def test_the_screen_says_that_a_game_is_interpreted_and_why():
    async def script(pilot, table):
        await pilot.press("tab", "down", "enter")
        await until(pilot, lambda: len(table.session.history) == 2)
        assert "\nInterpreted, which is far slower than compiled. Interpreted.initial: " in said(table, "#thinking")

    game = z.load(str(Path(__file__).parents[1] / "bad_games" / "interpreted.py"))
    played(game, script, sides=("human", "engine"))


def test_a_rule_that_raises_ends_the_game_and_is_told():
    async def script(pilot, table):
        table.query_one(OptionList).focus()
        await pilot.press("down", "enter")

    assert isinstance(played(Countdown(), script, moves="2").failure, ZeroDivisionError)
    answered = played(
        Countdown(),
        lambda pilot, table: until(pilot, lambda: table.failure is not None),
        sides=("engine", "human"),
        moves="2",
    )
    assert isinstance(answered.failure, ZeroDivisionError)


@pytest.mark.parametrize("name", [entry.name for entry in z.catalog()])
def test_every_game_can_be_shown(name):
    """And a click on each square of its first move, or the list, plays a move."""

    async def script(pilot, table):
        await until(pilot, lambda: bool(table.clicks.moves))  # dice may come first
        before, squares = len(table.session.history), table.clicks.moves[0][1]
        await click(pilot, table, *squares)
        if len(table.session.history) == before:
            table.query_one(OptionList).focus()
            await pilot.press("down", "enter")
        assert len(table.session.history) > before  # dice may follow

    played(z.load(name), script, size=(80, 24))


def test_a_play_of_backgammon_is_clicked_from_the_lower_checker_on():
    async def script(pilot, table):
        await click(pilot, table, 5)
        assert table.query_one(BoardView).look.marks.targets == [1, 2, 4]
        await click(pilot, table, 4, 7)
        assert texts(table) == ""
        await click(pilot, table, 4)
        assert texts(table).startswith("8/5 6/5")

    played(z.load("backgammon"), script, moves="31")


# -- the command -----------------------------------------------------------------------------------------------------


def test_sentences_of_the_command(monkeypatch, capsys):
    from zermelo.app.cli import run

    assert run(["play", "tic_tac_toe", "--full-screen", "--ascii"]) == 1
    assert "--ascii is for the game without it" in capsys.readouterr().err
    assert run(["play", "tic_tac_toe", "--full-screen"]) == 1
    assert "--full-screen needs a terminal" in capsys.readouterr().err
    for name in [
        name
        for name in sys.modules
        if name.startswith(("textual", "zermelo.app.terminal.fullscreen_game", "zermelo.app.terminal.board_view"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "textual", None)
    assert run(["play", "tic_tac_toe", "--full-screen"]) == 1
    assert "pip install 'zermelo[terminal]'" in capsys.readouterr().err


# -- clicks ----------------------------------------------------------------------------------------------------------


def clicks(*moves: tuple[int, ...], board=None) -> Clicks:
    return Clicks(board, tuple((f"m{number}", squares) for number, squares in enumerate(moves)))


def test_a_click_that_leads_nowhere_begins_anew():
    first = clicks((1, 2), (3, 4)).click(1)
    assert (first.squares, first.targets, first.move) == ((1,), [2], None)
    assert first.click(3).squares == (3,)
    assert first.click(9).squares == ()
    assert first.click(1).squares == ()


def test_two_squares_are_enough_where_no_other_move_begins_so():
    assert clicks((1, 2, 7), (1, 3)).click(1).click(2).move == "m0"
    assert clicks((1, 1, 7), (1, 3)).click(1).click(1).move == "m0"  # a king that takes its way round
    assert clicks((1, 2, 7, 9), (1, 2, 8)).click(1).click(2).click(7).move == "m0"
    mills = clicks((1, 2, 7), (1, 2, 8)).click(1).click(2)
    assert (mills.move, mills.targets, mills.choices) == (None, [7, 8], [])
    assert mills.click(8).move == "m1"


def test_promotions_are_a_choice():
    promoted = clicks((1, 2), (1, 2), (3, 4)).click(1).click(2)
    assert (promoted.move, promoted.choices) == (None, ["m0", "m1"])


def test_a_move_without_squares_is_only_in_the_list():
    passing = clicks((), (1,))
    assert (passing.candidates, passing.move, passing.targets) == (["m0", "m1"], None, [1])
    assert passing.click(1).move == "m1"


def test_columns_after_another_part_of_the_board():
    board = Together((Grid(("..",)), Grid(("..", ".."), drop=True)))
    assert clicks((4,), (5,), board=board).click(3).move == "m1"


def test_steps_are_clicked_in_any_order():
    """All of them, where a move is made of steps; the rest is as on other boards."""
    board = Together((Dice((2, 1)), Tables((0,) * 8)))
    plays = clicks((7, 5, 6, 5), (7, 5, 5, 4), (6, 4, 6, 5), (), board=board)
    assert plays.targets == [6, 7]  # nothing stands on 5 yet
    second = plays.click(6).click(5)
    assert second.candidates == ["m0", "m2"]
    assert second.targets == [6, 7]
    assert second.click(7).move is None
    assert second.click(7).click(5).move == "m0"
    assert plays.click(7).targets == [4, 5]
    assert plays.click(7).click(4).move == "m1"
    assert plays.click(7).click(5).click(5).click(4).move == "m1"
    assert plays.click(6).click(6).squares == ()
    assert second.click(3).squares == ()
    assert clicks((7, 5, 6, 5)).click(6).squares == ()  # on any other board in their order


# -- mosaics ---------------------------------------------------------------------------------------------------------

BOARDS = [
    Grid(("X.O", "...", ". ."), columns=("a", "b", "c"), rows=("3", "2", "1")),
    Grid(
        ("kK.", "Pp."),
        pieces=(Piece("K", 0, "♔"), Piece("k", 1, "♚"), Piece("P", 0, "P"), Piece("p", 1, "p")),
        checkered=True,
    ),
    Grid(("..", "XO"), drop=True),
    Points("X.O.", ((0, 0), (2, 0), (2, 2), (0, 2)), ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2))),
    Hexes(("X..", ".O.", "..."), edges=True),
    Pits((4, 0, 13), (1, 2, 40), (7, 19)),
    Tables((-2, 0, 0, 0, 0, 9) + (0,) * 17 + (3,), (1, 7), (0, 15), dice=(6, 0)),
    Tables((1, -1)),
    Piles((3, 0, 5)),
    Piles((120, 7), ("ada", "bob")),
    Together((Grid(("X.",)), Dice((6, 0, 9)), Fields(("a name", "b"), ("1", "two words")))),
]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: type(board).__name__)
@pytest.mark.parametrize("size", [(90, 40), (40, 14), (1, 1)])
@pytest.mark.parametrize("dark", [True, False])
def test_every_square_can_be_hit(board, size, dark):
    look = Look(Marks(last=(0,), targets=(1,), values={0: Tag("W3", "win")}), clicked=(1,), cursor=0)
    mosaic = Mosaic(board, look, size=size, dark=dark)
    there = {square for row in mosaic.squares for square in row} - {None}
    missing = {8 - 1} if board is BOARDS[0] else set()
    assert there == set(range(len(board))) - missing
    assert len(mosaic.text.plain.split("\n")) == mosaic.height


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("name", ["othello", "dobutsu_shogi", "chess", "checkers"])
def test_white_and_black_of_a_mosaic(name, dark):
    """Both are seen on the squares, which are the same in every such game; no blue, no orange."""
    game = z.load(name)
    mosaic = Mosaic(game.board(game.initial()), size=(90, 60), dark=dark)
    colours = theme.BOARD_DARK if dark else theme.BOARD_LIGHT
    inks = {style.color.name for row in mosaic.styles for style in row if style.color}
    assert {colours["white"], colours["black"]} <= inks
    assert not {colours["first"], colours["second"]} & inks
    grounds = {
        style.bgcolor.name for row, squares in zip(mosaic.styles, mosaic.squares, strict=True)
        for style, square in zip(row, squares, strict=True) if square is not None
    }  # fmt: skip
    assert grounds <= {colours[name] for name in ("bright", "dark", "white", "black")}


@pytest.mark.parametrize("dark", [True, False])
def test_coloured_sides_of_a_mosaic(dark):
    """Stones in their colours, of which the second has a hole; the squares change for white and black alone."""
    colours = theme.BOARD_DARK if dark else theme.BOARD_LIGHT
    usual = Mosaic(Grid(("..",)), size=(90, 60), dark=dark).shades
    for names, shades in ((("Red", "Blue"), usual), (("Red", "White"), (colours["bright"], colours["dark"]))):
        mosaic = Mosaic(Grid(("XO",), sides=names), size=(90, 60), dark=dark)
        inks = {style.color.name for row in mosaic.styles for style in row if style.color}
        assert inks == {colours[name.lower()] for name in names}
        assert mosaic.shades == shades
        assert "▐████▌▐█▌▐█▌" in mosaic.text.plain


def test_a_king_of_checkers_wears_a_crown_in_a_mosaic():
    game = z.load("checkers")
    mosaic = Mosaic(game.board(z.position(game, "B:WK30:B1,K5")), size=(90, 60))
    assert mosaic.text.plain.count("♛") == 2


def test_stacks_of_a_mosaic():
    """Checkers one by one as far as there is room, else their number; all of a point can be clicked."""
    board = Tables((9, 0, 0, -3), bar=(0, 1), off=(0, 2))
    big, small = (Mosaic(board, size=size) for size in ((90, 60), (20, 16)))
    assert big.text.plain.count("▝▀▀▘") == 6 - 1 + 3 + 1
    assert "9" in big.text.plain
    assert small.text.plain.count("▄▄") == 3
    assert small.text.plain.count("▗▖") == 3 + 1 + 2
    rows = [row for row, squares in enumerate(big.squares) if 3 in squares]
    assert len(rows) == 13
    first, second = ([row for row, squares in enumerate(big.squares) if bar in squares] for bar in (4, 5))
    assert max(second) < min(first)


def test_what_a_mosaic_says():
    big = Mosaic(BOARDS[-1], size=(90, 40)).text.plain
    assert "a name  1" in big
    assert "two words" in big
    assert big.count("●") == 6
    assert "?" in big
    assert Mosaic(Grid(("XO",), drop=True), size=(1, 1)).text.plain.replace(" ", "").strip() == "●○"
