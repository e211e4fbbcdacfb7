"""The page in a real browser: every mode, every way to move, and what happens when something goes wrong."""

import json
import random
import re
import shlex
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Page, expect

import zermelo as z
from browser import PATIENCE, opened, serving
from zermelo.app.web.server import STATIC
from zermelo.games.registry import GAMES
from zermelo.play.record import resume
from zermelo.play.session import Session
from zermelo.show.clicks import Clicks

RESULT = re.compile(r"^(You win|Zermelo wins|First player wins|Second player wins|Draw)")
DECIDE = re.compile(r"Your move|win|Draw")


def square(page: Page, number: int):
    return page.locator(f'.square[data-square="{number}"]')


def moves(page: Page) -> list[str]:
    """The moves in the address."""
    return page.evaluate("(new URLSearchParams(location.search).get('moves') ?? '').split(' ').filter(Boolean)")


def until(page: Page, script: str) -> None:
    """Wait until an expression is true on the page, whose security policy lets no other way to wait for it."""
    for _ in range(PATIENCE // 30):
        if page.evaluate(script):
            return
        page.wait_for_timeout(30)
    pytest.fail(f"{script} did not come true; the status is {page.inner_text('#status')!r}.")


def answered(page: Page, played: int) -> None:
    """Wait until so many moves have been played, or the game is over."""
    until(
        page,
        f"document.querySelectorAll('.played li').length > {played} || document.querySelector('#status.over') !== null",
    )


def drag(page: Page, start: int, end: int) -> None:
    boxes = [square(page, number).bounding_box() for number in (start, end)]
    (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
    page.mouse.move(to_x, to_y)
    page.mouse.up()


# -- play ------------------------------------------------------------------------------------------------------------


def test_a_match_of_two_engines_is_watched(page: Page):
    page.goto("/?game=tic_tac_toe&side=watch&level=1")
    page.locator("#match summary").click()
    page.select_option("#match-first", "10")
    page.select_option("#match-second", "1")
    page.click("#match-start")
    expect(page.locator("#status")).to_contain_text("A match of two engines")  # not that one of them thinks
    score = page.locator("#match-score")
    expect(score).to_have_text(re.compile(r"Game 2 of 2: \d won, \d drawn, 0 lost by the one\..*(wins|Draw)"))
    expect(page.locator("#match-start")).to_have_text("Start the match")


def test_a_whole_game_of_tic_tac_toe_by_clicks(page: Page):
    page.goto("/?game=tic_tac_toe&level=4")
    for _ in range(5):
        expect(page.locator("#status")).to_have_text(DECIDE)
        if RESULT.search(page.inner_text("#status")):
            break
        before = len(moves(page))
        page.locator(".square.open").first.click()
        answered(page, before + 2)
    expect(page.locator("#status")).to_have_text(RESULT)
    assert page.locator("#status").get_attribute("aria-live") == "polite"
    game = z.load("tic_tac_toe")
    assert game.result(z.position(game, " ".join(moves(page)))) != z.ONGOING


def test_a_whole_game_of_connect_four_by_clicks_anywhere_in_a_column(page: Page):
    page.goto("/?game=connect_four&level=2")
    for turn in range(21):
        expect(page.locator("#status")).to_have_text(DECIDE)
        if RESULT.search(page.inner_text("#status")):
            break
        legal = page.eval_on_selector_all("#legal [data-move]", "buttons => buttons.map(button => button.dataset.move)")
        square(page, int(legal[turn % len(legal)]) - 1).click()  # the top square of the column
        answered(page, 2 * turn + 2)
    expect(page.locator("#status")).to_have_text(RESULT)
    game = z.load("connect_four")
    assert game.result(z.position(game, " ".join(moves(page)))) != z.ONGOING


def test_undo_redo_back_and_reload(page: Page):
    page.goto("/?game=tic_tac_toe&level=2")
    square(page, 4).click()
    expect(page.locator(".played li")).to_have_count(3)
    played = moves(page)
    expect(page.locator("#thought")).to_contain_text("Zermelo: ")
    page.click("#undo")
    expect(page.locator(".played [aria-current]")).to_have_text("Start")
    expect(page.locator("#thought")).to_be_empty()  # it was about another position
    expect(square(page, 4)).to_have_attribute("aria-label", "b2: empty")
    page.click("#redo")
    expect(square(page, 4)).to_have_attribute("aria-label", re.compile("b2: X"))
    page.reload()
    expect(square(page, 4)).to_have_attribute("aria-label", re.compile("b2: X"))
    assert moves(page) == played
    page.click("#undo")
    expect(page.locator("#redo")).to_be_enabled()
    page.reload()
    expect(page.locator("#redo")).to_be_enabled()  # what was taken back is in the address as well
    page.go_back()
    expect(square(page, 4)).to_have_attribute("aria-label", re.compile("b2: X"))
    page.click("#new")
    expect(page.locator(".played li")).to_have_count(1)


def test_sides_hint_and_watching(page: Page):
    page.goto("/?game=tic_tac_toe&level=2&side=second")
    expect(page.locator(".played li")).to_have_count(2)  # the engine has begun
    page.select_option("#side", "both")
    page.locator(".square.open").first.click()
    expect(page.locator("#status")).to_contain_text("First player to move")
    page.click("#hint")
    expect(page.locator("#status")).to_contain_text("Hint:")
    expect(page.locator(".overlay .hint")).to_have_count(1)
    page.select_option("#side", "watch")
    expect(page.locator("#status")).to_have_text(RESULT)


def test_letters_press_the_buttons(page: Page):
    page.goto("/?game=chess_endgame(KRK)&side=both")
    expect(page.locator(".square").first).to_be_visible()
    page.locator("#legal [data-move]").first.click()
    expect(page.locator(".played li")).to_have_count(2)
    page.keyboard.press("u")
    expect(page.locator("#redo")).to_be_enabled()
    page.keyboard.press("r")
    expect(page.locator("#redo")).to_be_disabled()
    page.keyboard.press("f")
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("n")
    until(page, "!location.search.includes('moves')")
    page.keyboard.press("h")
    expect(page.locator("#status")).to_contain_text("Hint:")
    expect(page.locator("#hint")).to_have_attribute("title", "Hint (h)")
    page.locator("#game .parameters summary").click()
    page.locator("#game input").first.fill("")
    page.locator("#game input").first.press_sequentially("KRKfun")  # letters that somebody types
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")


def test_the_frame_of_the_keyboard_does_not_follow_the_mouse(page: Page):
    page.goto("/?game=tic_tac_toe&level=2")
    square(page, 4).click()
    expect(page.locator(".played li")).to_have_count(3)  # the start, the move and the answer
    expect(page.locator(".overlay .focus")).to_have_count(0)
    page.keyboard.press("ArrowUp")
    expect(page.locator(".overlay .focus")).to_have_count(1)


def test_a_game_by_keyboard_alone(page: Page):
    page.goto("/?game=tic_tac_toe&level=2")
    expect(page.locator(".square").first).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('square')"):
            break
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(square(page, 4)).to_have_attribute("aria-label", re.compile("b2: X"))
    expect(page.locator(".played li")).to_have_count(3)
    expect(page.locator(".overlay .focus")).to_have_count(1)  # the focus has stayed on the board, and is seen
    for played in (3, 5, 7, 9):
        if page.locator("#status.over").count():
            break
        number = int(page.locator(".square.open").first.get_attribute("data-square"))
        for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft"):
            page.keyboard.press(key)
        for key in ["ArrowDown"] * (number // 3) + ["ArrowRight"] * (number % 3) + ["Enter"]:
            page.keyboard.press(key)
        answered(page, played + 1)
    expect(page.locator("#status")).to_have_text(RESULT)
    page.locator("[role=tab][aria-selected=true]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-analyze")).to_be_focused()
    expect(page.locator("#tab-analyze")).to_have_attribute("aria-selected", "true")


def test_drag_and_two_clicks(page: Page):
    game = z.load("chess_endgame")
    page.goto("/?game=chess_endgame&side=both")
    expect(page.locator(".square.travels").first).to_be_visible()
    for ply, way in enumerate(("drag", "click"), 1):
        state = z.position(game, " ".join(moves(page)))
        move = next(move for move in game.moves(state) if len(game.squares(state, move)) == 2)
        start, end = game.squares(state, move)
        if way == "drag":
            drag(page, start, end)
        else:
            square(page, start).click()
            expect(page.locator(".overlay .dot, .overlay .taken").first).to_be_attached()  # legal targets
            square(page, end).click()
        expect(page.locator(".played li")).to_have_count(ply + 1)  # the address is there before the board
        assert moves(page)[-1] == game.move_text(state, move)


def test_drag_of_a_stone_to_where_it_lands(page: Page):
    page.goto("/?game=connect_four&side=both")
    expect(page.locator(".square").first).to_be_visible()
    drag(page, 0, 5)
    expect(square(page, 40)).to_have_attribute("aria-label", re.compile("red stone"))
    assert moves(page) == ["6"]


def test_a_second_click_is_too_late(page: Page):
    page.goto("/?game=tic_tac_toe&side=both")
    page.route("**/api/position?*", lambda route: (page.wait_for_timeout(200), route.continue_()))
    square(page, 4).dblclick()
    expect(page.locator(".played li")).to_have_count(2)
    assert moves(page) == ["b2"]
    expect(page.locator("#notice")).to_be_hidden()


def test_several_moves_with_the_same_squares_are_chosen_from(page: Page):
    page.goto("/?game=nim((5,31))&side=both")
    square(page, 0).click()
    expect(page.locator(".chooser button")).to_have_text(["5-1", "5-2", "5-3", "5-4", "5-5"])
    page.click(".chooser button >> nth=2")
    expect(page.locator(".played li")).to_have_count(2)
    assert moves(page) == ["5-3"]


@pytest.mark.parametrize("touch", [False, True])
def test_a_match_is_clicked_to_take_it_and_those_right_of_it(chromium, server, touch: bool):
    with opened(chromium, server, viewport={"width": 360, "height": 740}, has_touch=touch) as page:
        page.goto("/?game=nim&side=both")
        match = square(page, 2 * 5 + 3)
        if touch:
            match.tap()
        else:
            match.hover()
            faded = [square(page, number).locator(".zb-match") for number in (12, 13, 14)]
            opacities = [part.evaluate("part => getComputedStyle(part).opacity") for part in faded]
            assert opacities == ["1", "0.3", "0.3"]
            match.click()
        expect(square(page, 2 * 5 + 4)).to_have_count(0)
        assert moves(page) == ["5-2"]
        second_of_two_threes = square(page, 5)
        second_of_two_threes.tap() if touch else second_of_two_threes.click()
        expect(page.locator(".played li")).to_have_count(3)
        assert moves(page) == ["5-2", "3-3"]


def test_a_click_that_leads_nowhere_gets_a_word(page: Page):
    page.goto("/?game=tic_tac_toe&moves=b2+a1&side=both")
    square(page, 4).click()
    expect(page.locator("#status")).to_have_text("No move touches b2.")
    page.goto("/?game=chess_endgame&side=both")
    game = z.load("chess_endgame")
    legal = [game.squares(game.initial(), move) for move in game.moves(game.initial())]
    starts = {start for start, _ in legal}
    ends = {end for _, end in legal} - starts
    start, wrong = next((start, end) for start in starts for end in ends if (start, end) not in legal)
    square(page, wrong).click()
    expect(page.locator("#status")).to_contain_text("No move begins at")
    square(page, start).click()
    expect(page.locator("#status")).to_contain_text("to move")  # as before
    square(page, wrong).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("Choose a square that is marked.")


def test_after_two_clicks_every_third_square_is_marked(chromium, workshop):
    """Where it came from, among them."""
    with opened(chromium, workshop) as page:
        page.goto("/?game=frost&side=both")
        square(page, 0).click()
        expect(page.locator(".overlay .dot")).to_have_count(2)
        square(page, 1).click()
        expect(page.locator(".overlay .dot")).to_have_count(1)
        expect(page.locator(".overlay .taken")).to_have_count(1)  # on the square of the first click
        inner, outer = (page.locator(f".overlay .ring.{kind}").first.bounding_box() for kind in ("taken", "chosen"))
        assert outer["x"] < inner["x"]
        assert inner["x"] + inner["width"] < outer["x"] + outer["width"]
        square(page, 0).click()
        expect(page.locator(".played li")).to_have_count(2)
        assert moves(page) == ["a1-b1/a1"]


def test_clicks_become_moves(page: Page):
    """The squares clicked so far, one more, and what that means: promotion, en passant, columns and second thoughts."""
    page.goto("/")
    asked = """async ([squares, board, chosen, square]) => {
        const { clicked } = await import("/board/clicks.js");
        const legal = Object.entries(squares).map(([text, squares]) => ({ text, squares }));
        const { chosen: now, ready, playable } = clicked(legal, board, chosen, square);
        return [now, ready.map((move) => move.text), playable];
    }"""
    plain = {"drop": False, "columns": None}
    men = {"a8=Q": [8, 0], "a8=R": [8, 0], "b6": [8, 2, 10], "Kb1": [57, 56], "resign": []}
    assert page.evaluate(asked, [men, plain, [], 8]) == [[8], [], False]
    assert page.evaluate(asked, [men, plain, [8], 0]) == [[8, 0], ["a8=Q", "a8=R"], False]
    assert page.evaluate(asked, [men, plain, [8], 2]) == [[8, 2], ["b6"], True]  # what it takes need not be clicked
    assert page.evaluate(asked, [men, plain, [8], 57]) == [[57], [], False]
    assert page.evaluate(asked, [men, plain, [8], 8]) == [[], [], False]
    assert page.evaluate(asked, [men, plain, [], 57]) == [[57], [], False]  # a piece with one move still has to go
    drop = {"drop": True, "columns": 3}
    assert page.evaluate(asked, [{"1": [3], "2": [7]}, drop, [], 1]) == [[7], ["2"], True]
    assert page.evaluate(asked, [{"1": [3], "2": [7]}, drop, [], 2]) == [[], [], False]  # a full column


def test_a_play_of_backgammon_by_clicks_from_the_lower_checker_on(page: Page):
    page.goto("/?game=backgammon&moves=31&side=both")
    for number in (5, 4):
        square(page, number).click()
    expect(page.locator(".overlay .arrow")).to_have_count(1)
    assert moves(page) == ["31"]
    square(page, 7).click()
    expect(page.locator(".overlay .ring.taken")).to_have_count(1)  # the only goal is the point of the first step
    square(page, 4).click()
    expect(page.locator(".played li")).to_have_count(4)  # the roll, the play, and the other player's roll
    assert moves(page)[:3] == ["31", "8/5", "6/5"]


def test_the_cube_is_turned_by_buttons(page: Page):
    page.goto("/?game=cube_backgammon&moves=31 8/5 6/5&side=both")
    page.click("[data-move=double]")
    expect(page.locator(".cube")).to_have_text(re.compile("2, offered by second player2"))
    page.click("[data-move=take]")
    expect(page.locator(".cube")).to_have_text(re.compile("2, owned by first player2"))
    assert moves(page)[:5] == ["31", "8/5", "6/5", "double", "take"]


def test_checkers_are_dragged_one_after_the_other(page: Page):
    page.goto("/?game=backgammon&moves=31+8/5+6/5+66&side=both&flip=1")  # from the second player's side
    expect(square(page, 0)).to_have_attribute("aria-label", "point 24: 2 checkers of the second player")
    box, far = square(page, 0).bounding_box(), square(page, 12).bounding_box()
    assert box["x"] < far["x"]
    assert box["y"] < far["y"]
    first, last = (page.locator(f'[data-square="0"] .zb-stone1 >> nth={i}').bounding_box() for i in (0, 1))
    assert abs(first["y"] - box["y"]) < 5  # stacks grow from the edge on this side too
    assert last["y"] > first["y"]
    for start, end in ((11, 17), (11, 17), (0, 6), (0, 6)):
        assert len(moves(page)) == 4
        drag(page, start, end)
    expect(page.locator(".played li").nth(4)).to_be_visible()
    assert moves(page)[4:6] == ["24/18(2)", "13/7(2)"]


def test_a_pass_is_a_button(page: Page):
    closed = "-------------------bbbbbbA:0:0:1:66:0:0:0:0:10"
    page.goto(f"/?game=backgammon&start={closed}&side=both")
    page.click("[data-move=pass]")
    expect(page.locator(".played li").nth(1)).to_be_visible()


def test_the_page_reads_clicks_on_tables_as_the_terminal_does(page: Page):
    """The same squares chosen, the same goals, the same move, after any clicks."""
    game, chance = z.load("backgammon"), random.Random(8)
    rolls = ["31", "31 8/5 6/5 66", "31 8/5 6/5 65", "bb----D-C---dD---c-d-----B:0:0:1:43:0:0:0:0:10"]
    asked, wanted = [], []
    for text in [
        *rolls,
        "-AAB----------------b-aa--:0:0:1:61:0:0:0:0:10",
        "------------------a-a-a-A-:0:0:1:65:0:0:0:0:10",
    ]:
        state = z.position(game, text)
        plays = list(game.moves(state))
        legal = [{"text": game.move_text(state, move), "squares": game.squares(state, move)} for move in plays]
        for _ in range(12):
            clicks, chosen = Clicks.on(game, state, plays), []
            for _ in range(9):
                likely = clicks.targets if clicks.targets and chance.random() < 0.8 else range(28)
                number = chance.choice(list(likely))
                asked.append([legal, chosen, number])
                clicks = clicks.click(number)
                move = clicks.move
                wanted.append([
                    list(clicks.squares), [] if move is None else [game.move_text(state, move)],
                    clicks.targets if clicks.squares and move is None else [],
                ])  # fmt: skip
                chosen = list(clicks.squares)
                if move is not None:
                    break
    page.goto("/")
    found = page.evaluate(
        """async (asked) => {
            const { clicked, targets } = await import("/board/clicks.js");
            const board = { steps: true, drop: false, columns: null };
            return asked.map(([legal, before, square]) => {
                const { chosen, ready, playable } = clicked(legal, board, before, square);
                const next = chosen.length && !playable ? [...targets(legal, board, chosen).keys()] : [];
                return [chosen, playable ? ready.map((move) => move.text) : [], next.sort((one, two) => one - two)];
            });
        }""",
        asked,
    )
    assert found == wanted
    assert sum(bool(played) for _, played, _ in wanted) > 20


def test_dice_are_rolled(page: Page):
    page.emulate_media(reduced_motion="no-preference")
    page.goto("/?game=pig&side=both")
    page.click("[data-move=roll]")
    expect(page.locator(".dice")).to_be_visible()
    expect(page.locator("#status")).to_contain_text("Rolled")
    played = moves(page)
    assert played[0] == "roll"
    assert played[1] in "123456"


def test_the_die_of_pig_is_clicked_to_roll_and_the_own_score_to_hold(page: Page):
    page.emulate_media(reduced_motion="reduce")
    page.goto("/?game=pig&side=both&moves=roll+4")
    expect(page.locator(".die[data-face='4']")).to_have_count(1)
    page.locator(".picture .die").click(force=True)
    expect(page.locator(".played li")).to_have_count(5)
    assert moves(page)[:3] == ["roll", "4", "roll"]
    page.goto("/?game=pig&side=both&moves=roll+4")
    square(page, 1).click()
    expect(page.locator("#status")).to_have_text("No move touches second player.")
    square(page, 0).click()
    expect(square(page, 0)).to_have_attribute("aria-label", "first player: 4 of 100")
    assert moves(page) == ["roll", "4", "hold"]


def test_dominoes_have_the_colours_of_their_players(page: Page):
    page.goto("/?game=domineering(4,4)&side=both&moves=b1-b2+c2-d2")
    expect(square(page, 1).locator(".zb-stone0")).to_have_count(1)
    expect(square(page, 7).locator(".zb-stone1")).to_have_count(1)
    upper, lower = square(page, 1).locator(".zb-half"), square(page, 5).locator(".zb-half")
    for _ in range(2):  # a flipped board shows whole dominoes, too
        one, two = upper.bounding_box(), lower.bounding_box()
        gap = max(one["y"], two["y"]) - min(one["y"] + one["height"], two["y"] + two["height"])
        assert gap <= 0
        page.click("#flip")


def test_chance_is_drawn_by_its_probabilities(page: Page):
    page.goto("/")
    drawn = page.evaluate("""async () => {
        const { draw } = await import("/board/dice.js");
        const outcomes = [{ probability: 0.75 }, { probability: 0.25 }, { probability: 0 }];
        const counts = [0, 0, 0];
        for (let i = 0; i < 4000; i++) counts[outcomes.indexOf(draw(outcomes))]++;
        return counts;
    }""")
    assert drawn[2] == 0
    assert 2800 < drawn[0] < 3200  # 3000 expected; seven standard deviations


def test_the_record_leaves_the_page_and_comes_back(page: Page, tmp_path: Path):
    page.goto("/?game=connect_four(width=5,height=4)&moves=3+3+2&side=both")
    expect(page.locator(".played li")).to_have_count(4)
    page.click("#exchange")
    with page.expect_download() as downloading:
        page.click("#save")
    page.keyboard.press("Escape")
    record = json.loads(Path(downloading.value.path()).read_text())
    assert record["game"] == "connect_four(width=5, height=4)"
    assert record["moves"] == ["3", "3", "2"]
    assert record["result"] == "unfinished"
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    assert len(resume(file).history) == 3  # `zermelo play --load` takes it up
    file.write_text(json.dumps({**record, "moves": ["3", "3", "2", "4"]}))
    page.click("#new")
    page.set_input_files("#file", file)
    expect(page.locator(".played li")).to_have_count(5)
    file.write_text("no record")
    page.set_input_files("#file", file)
    expect(page.locator("#notice")).to_contain_text("no record of a game")


def test_a_record_of_the_terminal_is_taken_up_where_its_game_is_served(chromium, workshop, tmp_path: Path):
    file = tmp_path / "game.json"
    record = {"game": "", "start": "9", "seed": 4, "moves": ["2", "1"]}

    def loaded(name: str) -> None:
        file.write_text(json.dumps({**record, "game": name}))
        page.set_input_files("#file", file)

    with opened(chromium, workshop) as page:
        for name in ("countdown.py:Countdown(start=9)", "/home/ada/my games/countdown.py:Countdown(start=9)"):
            page.goto("/?game=tic_tac_toe&side=both")
            expect(page.locator(".square")).to_have_count(9)
            loaded(name)
            expect(page.locator(".played li")).to_have_count(3)
            assert page.evaluate("new URLSearchParams(location.search).get('game')") == "countdown(start=9)"
        before = page.url
        for name, words in (
            ("/home/ada/ice.py:Ice(n=3)", 'record of ice.py:Ice(n=3), which is not served here; zermelo serve "ice'),
            ("croquet", "zermelo serve croquet serves it"),
            ("countdown.py:Countdown(finish=9)", "Unknown parameter finish"),
        ):
            loaded(name)
            expect(page.locator("#notice")).to_contain_text(words)
            assert page.url == before
            assert "/home" not in page.inner_text("#notice")
        expect(page.locator(".played li")).to_have_count(3)
        page.click("#exchange")
        with page.expect_download() as downloading:
            page.click("#save")
        saved = Path(downloading.value.path())
        assert json.loads(saved.read_text())["game"] == "countdown.py:Countdown(start=9)"


def test_a_game_is_chosen_with_its_parameters(page: Page):
    page.goto("/?game=nim")
    page.select_option("#game-name", "connect_four")
    page.click(".parameters summary")
    page.fill("input[name=width]", "5")
    page.click("#game form button")
    expect(page.locator(".square")).to_have_count(30)
    assert "connect_four(width=5)" in page.evaluate("new URLSearchParams(location.search).get('game')")
    page.select_option("#game-name", "tic_tac_toe")
    expect(page.locator(".square")).to_have_count(9)


def test_the_rules_are_read_and_an_example_plays_itself(page: Page):
    page.goto("/?game=tic_tac_toe&side=both&moves=a1")
    page.get_by_text("How to play").click()
    expect(page.locator("#rules")).to_contain_text("Three in a row")
    page.click("#example")
    expect(page.locator("#status")).to_contain_text("Example")
    expect(page.locator("#status")).to_contain_text("First player wins.")
    expect(page.locator(".square.open")).to_have_count(0)
    page.click("#end-preview")
    expect(page.locator(".square.open")).to_have_count(8)  # the game is as it was
    assert moves(page) == ["a1"]


def test_every_game_has_rules_and_an_example_that_can_be_played():
    found = json.loads((STATIC / "lib" / "game_rules.json").read_text())
    assert list(found) == list(GAMES)
    for name, told in found.items():
        assert len(" ".join(told["rules"])) > 60, name
        session = Session(z.load(name))
        for text in told["example"]:
            session.enter(text)
        assert session.history, name


def test_flip_turns_the_board_and_clicks_follow(page: Page):
    page.goto("/?game=tic_tac_toe&side=both&flip=1")
    corner = square(page, 0).bounding_box()
    far = square(page, 8).bounding_box()
    assert corner["x"] > far["x"]
    assert corner["y"] > far["y"]
    square(page, 0).click()
    expect(page.locator(".played li")).to_have_count(2)
    assert moves(page) == ["a3"]


def test_flip_turns_all_parts_of_a_board(page: Page):
    """The hands of dobutsu shogi change places; the table of morris stays as it reads."""
    page.goto("/?game=dobutsu_shogi&side=both&flip=1")
    theirs, board, mine = (square(page, number).bounding_box() for number in (0, 6, 18))
    assert mine["y"] < board["y"] < theirs["y"]
    found = []
    for flip in ("", "&flip=1"):
        page.goto(f"/?game=nine_mens_morris&side=both{flip}")
        expect(page.locator(".zb-field")).to_have_count(2)
        words = [page.get_by_text(f"{name} player's hand") for name in ("first", "second")]
        found.append([each.bounding_box() for each in (*words, *page.locator(".zb-field").all())])
    plain, turned = found
    assert turned[0]["y"] < plain[0]["y"]
    for way in ("x", "y"):
        away = [[round(box[way] - boxes[0][way]) for box in boxes] for boxes in found]
        assert away[0] == away[1]


def test_labels_of_a_flipped_board_stay_off_its_squares(page: Page):
    page.goto("/?game=checkers&side=both&flip=1")
    expect(page.locator(".picture")).to_have_class(re.compile("turned"))
    label, edge = page.get_by_text("29-32", exact=True).bounding_box(), square(page, 56).bounding_box()
    assert label["x"] >= edge["x"] + edge["width"]


RED_AND_BLUE = """
from zermelo import DRAW, ONGOING, Game
from zermelo.board import Grid

class Fill(Game):
    native = False

    def initial(self):
        return ".."

    def moves(self, cells):
        return [number for number, mark in enumerate(cells) if mark == "."]

    def play(self, cells, number):
        return cells[:number] + "XO"[2 - cells.count(".")] + cells[number + 1 :]

    def result(self, cells):
        return DRAW if "." not in cells else ONGOING

    def squares(self, cells, number):
        return (number,)

    def board(self, cells):
        return Grid((cells,), sides=("Red", "Blue"))
"""


SCHEMES = {"light": ["rgb(198, 40, 40)", "rgb(31, 90, 166)"], "dark": ["rgb(210, 60, 60)", "rgb(53, 118, 204)"]}
"""Red and blue in either theme."""


def test_sides_named_after_colours_have_them(chromium, tmp_path):
    """On the board, in the sentence that says who moves, and in both themes."""
    (tmp_path / "fill.py").write_text(RED_AND_BLUE, "utf-8")
    painted = "(element) => getComputedStyle(element).backgroundColor"
    filled = "(element) => getComputedStyle(element).fill"
    with serving("fill.py:Fill", folder=tmp_path) as address:
        for scheme, colours in SCHEMES.items():
            with opened(chromium, address, color_scheme=scheme) as page:
                for moves, name, colour in (("", "Red", colours[0]), ("0", "Blue", colours[1])):
                    page.goto(f"/?side=both&moves={moves}")
                    expect(page.locator("#status")).to_have_text(f"{name} to move.")
                    assert page.locator("#status .stone").evaluate(painted) == colour
                page.goto("/?side=both&moves=0+1")
                for side, colour in enumerate(colours):
                    assert page.locator(f"#board .zb-stone{side}").first.evaluate(filled) == colour


def test_white_and_black_are_said_and_seen(page: Page):
    page.goto("/?game=chess&side=both&moves=f3+e5+g4")
    expect(page.locator("#status")).to_have_text("Black to move.")
    assert page.locator("#side option").all_inner_texts()[:2] == ["White", "Black"]
    painted = "(element) => getComputedStyle(element).backgroundColor"
    assert page.locator("#status .stone").evaluate(painted) == "rgb(42, 45, 51)"
    filled = "(element) => getComputedStyle(element).fill"
    assert page.locator(".zb-man0").first.evaluate(filled) == "rgb(255, 254, 251)"
    for side, words in (
        ("both", "Checkmate. Black wins."),
        ("first", "Checkmate. Zermelo wins."),
        ("second", "Checkmate. You win."),
    ):
        page.goto(f"/?game=chess&side={side}&moves=f3+e5+g4+Qh4%23")
        expect(page.locator("#status")).to_have_text(words)
    page.goto("/?game=othello&moves=d3&mode=explore")
    expect(page.locator("#status")).to_have_text("White to move.")
    assert page.locator(".zb-stone0").first.evaluate(filled) == "rgb(42, 45, 51)"


def test_several_win_and_are_ahead(page: Page):
    """A side whose name is plural, and its pieces in the colour of its stone beside the sentence."""
    moves = "c1-b2+b4-c3+b2-a1+c3-b2"
    for side, words in (("both", "Geese win."), ("first", "Zermelo wins."), ("second", "You win.")):
        page.goto(f"/?game=fox_and_geese(4)&side={side}&moves={moves}")
        expect(page.locator("#status")).to_have_text(words)
    page.goto("/?game=hare_and_hounds&mode=analyze")
    expect(page.locator("#status .stone")).to_be_visible()
    expect(page.locator("#eval-bar")).to_have_attribute("aria-label", re.compile("^Evaluation: Hounds are "))
    painted = page.locator("#status .stone").evaluate("(element) => getComputedStyle(element).backgroundColor")
    filled = page.locator("#board .zb-stone0").first.evaluate("(element) => getComputedStyle(element).fill")
    assert painted == filled


def test_a_bar_of_chocolate_that_is_eaten_leaves_its_outline(page: Page):
    page.goto("/?game=chomp(2, 2)&side=both&moves=a1")
    expect(page.locator(".square:not([data-piece])")).to_have_count(4)
    drawn = "(element) => [getComputedStyle(element).stroke, getComputedStyle(element).strokeOpacity]"
    stroke, opacity = page.locator(".zb-cell").first.evaluate(drawn)
    assert stroke != "none"
    assert float(opacity) > 0.2


def test_the_board_of_quarto_has_half_of_the_width(page: Page):
    page.goto("/?game=quarto&side=both")
    board, picture = square(page, 0), page.locator(".picture svg")
    assert 4 * board.bounding_box()["width"] > 0.45 * picture.bounding_box()["width"]
    square(page, 16 + 0xD).click()
    expect(page.locator(".played li")).to_have_count(2)
    assert moves(page) == ["D"]


# -- analyze and explore -----------------------------------------------------------------------------------------------


def test_analyze_until_a_value_is_proven(page: Page):
    page.goto("/?game=tic_tac_toe&moves=b2&mode=analyze")
    expect(page.locator("#proof")).to_have_text("proven")
    expect(page.locator("#value")).to_have_text("draw")
    expect(page.locator(".overlay .value")).to_have_count(8)
    expect(page.locator(".overlay .value.win")).to_have_count(4)  # the second player's four mistakes
    expect(page.locator("#legal .tag.draw")).to_have_count(4)
    expect(page.locator("#eval-bar")).to_be_visible()
    page.locator(".lines .step").nth(1).click()  # two moves along the best line
    page.click("#play-preview")
    expect(page.locator(".played [aria-current]")).to_contain_text("3")
    expect(page.locator("#proof")).to_have_text("proven")
    page.click("#whole")
    expect(page.locator("#whole")).to_have_text("Find the mistakes")
    until(page, "document.querySelectorAll('.graph circle').length >= 4")
    assert page.locator(".graph text").all_text_contents() == ["First is better", "level", "Second is better"]


def test_analyze_where_dice_are_rolled(page: Page):
    page.goto("/?game=pig&moves=roll+4+hold+roll&mode=analyze")
    expect(page.locator("#mode")).to_contain_text("choose one")
    expect(page.locator("#toggle")).to_be_disabled()
    page.click("#whole")
    until(page, "document.querySelectorAll('.graph circle').length >= 3")  # each decision, and no roll
    expect(page.locator("#whole")).to_have_text("Find the mistakes")
    expect(page.locator("#notice")).to_be_hidden()
    page.click("[data-move='5']")
    expect(page.locator("#value")).to_be_visible()


def test_a_search_is_stopped_and_goes_on(page: Page):
    page.goto("/?game=connect_four&mode=analyze")
    expect(page.locator("#value")).to_be_visible()
    page.click("#toggle")
    expect(page.locator("#toggle")).to_have_text("Go")
    still = page.inner_text(".figures")
    page.wait_for_timeout(400)
    assert page.inner_text(".figures") == still
    page.click("#toggle")
    expect(page.locator("#toggle")).to_have_text("Stop")


def test_controls_can_be_held_while_reports_come(page: Page):
    """A list that was opened closed with the next report, and a button that was drawn anew missed its click."""
    page.goto("/?game=connect_four(8,7)&mode=analyze")  # a game without a book
    expect(page.locator("#value")).to_be_visible()
    page.evaluate("window.held = document.querySelector('#lines')")
    page.locator("#toggle").hover()
    page.mouse.down()
    seen = page.inner_text(".figures")
    until(page, f"document.querySelector('.figures').innerText !== {json.dumps(seen)}")
    page.mouse.up()
    expect(page.locator("#toggle")).to_have_text("Go")
    assert page.evaluate("held.isConnected")


COUNTDOWN = """
from zermelo import LOSS, ONGOING, Game

class Countdown(Game):
    '''Say one or two less; who says nought wins.'''

    start: int = 7

    def initial(self):
        return self.start

    def moves(self, state):
        return range(1, min(state, 2) + 1)

    def play(self, state, move):
        return state - move

    def result(self, state):
        return LOSS if state == 0 else ONGOING

    def parse_state(self, text):
        return int(text)
"""

FROST = """
from zermelo import LOSS, ONGOING, Game
from zermelo.board import Grid

class Frost(Game):
    '''One king on three squares: it goes to another and freezes one that is left; who cannot move loses.'''

    native = False

    def initial(self):
        return (0, -1)

    def moves(self, state):
        free = [square for square in range(3) if square not in state]
        return [(to, ice) for to in free for ice in range(3) if ice not in (to, state[1])]

    def play(self, state, move):
        return move

    def result(self, state):
        return ONGOING if list(self.moves(state)) and state[1] < 0 else LOSS

    def board(self, state):
        return Grid(("".join("X" if square == state[0] else "." for square in range(3)),))

    def squares(self, state, move):
        return (state[0], *move)

    def move_text(self, state, move):
        return f"{'abc'[state[0]]}1-{'abc'[move[0]]}1/{'abc'[move[1]]}1"
"""

VERBOSE = """
from zermelo import LOSS, ONGOING, Game

class Verbose(Game):
    '''Say a number <b>below</b> 220, at great length & without a board; the fortieth one loses.'''

    def initial(self):
        return ""

    def moves(self, state):
        return range(220)

    def play(self, state, move):
        return state + f"<b>{move}</b>"

    def result(self, state):
        return LOSS if state.count("</b>") == 40 else ONGOING

    def move_text(self, state, move):
        return f"{move}:" + "<i>well,well</i>" * 14

    def parse_state(self, text):
        return text
"""


INTERPRETED = Path(__file__).parents[1] / "bad_games" / "interpreted.py"


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    """A server of a game that somebody has just written, without any board, and of a database of tic-tac-toe."""
    folder = tmp_path_factory.mktemp("workshop")
    (folder / "countdown.py").write_text(COUNTDOWN)
    (folder / "frost.py").write_text(FROST)
    (folder / "verbose.py").write_text(VERBOSE)
    z.solve(z.load("tic_tac_toe")).save(folder / "solved.zermelo")
    named = {"countdown": "Countdown", "frost": "Frost", "verbose": "Verbose"}
    games = [*(f"{folder / file}.py:{name}" for file, name in named.items()), INTERPRETED]
    with serving(*games, "--database", folder / "solved.zermelo") as address:
        yield address


def test_a_game_from_a_file_without_any_board(chromium, workshop):
    with opened(chromium, workshop) as page:
        page.goto("/?game=countdown")
        expect(page.locator("#game-name")).to_have_value("countdown")
        for played in (1, 3, 5, 7):
            if page.locator("#status.over").count():
                break
            page.click("[data-move='1']")
            answered(page, played + 1)
        expect(page.locator("#status")).to_have_text(RESULT)
        page.click("#new")
        page.click("#tab-analyze")
        expect(page.locator("#proof")).to_have_text("proven")
        expect(page.locator("#value")).to_have_text("First player wins in 5")


def test_many_long_moves_of_a_game_without_a_board_fit_on_a_small_screen(chromium, workshop):
    with opened(chromium, workshop, viewport={"width": 360, "height": 740}) as page:
        text = "{}:" + "<i>well,well</i>" * 14
        page.goto("/?game=verbose&side=both&moves=" + quote(" ".join(map(text.format, range(35)))))
        expect(page.locator("#legal [data-move]")).to_have_count(220)
        for mode in ("play", "analyze"):
            page.click(f"#tab-{mode}")
            expect(page.locator(f"#mode #{'level' if mode == 'play' else 'value'}")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, mode
        assert page.locator("#table :is(b, i)").count() == 0  # no text is taken for tags
        page.locator("#legal [data-move]").nth(3).click()
        expect(page.locator("#notice")).to_contain_text("A game has 1000 moves and 8000 letters at most here")
        expect(page.locator(".played li")).to_have_count(2)


def test_the_page_says_that_rules_are_interpreted_and_why(chromium, workshop):
    words = (
        "The rules are interpreted, which is far slower than compiled. Interpreted.initial: the state is 'abcde', a str"
    )
    with opened(chromium, workshop) as page:
        page.goto("/?game=interpreted&mode=analyze")
        expect(page.locator("#interpreted")).to_contain_text(words)
        page.goto("/?game=interpreted")
        page.click("[data-move='1']")
        answered(page, 2)
        expect(page.locator("#thought")).to_contain_text(words)
        page.goto("/?game=countdown&mode=analyze")
        expect(page.locator("#proof")).to_have_text("proven")
        expect(page.locator("#interpreted")).to_have_count(0)


def test_explore_a_database(chromium, workshop):
    with opened(chromium, workshop) as page:
        page.goto("/?game=tic_tac_toe&moves=b2&mode=explore")
        expect(page.locator("#value")).to_have_text("draw")
        expect(page.locator(".values .best")).to_have_count(4)
        expect(page.locator(".overlay .value.win")).to_have_count(4)  # for the first player, who is not to move
        page.locator(".pv .step").last.click()  # to the end of the perfect line
        page.click("#play-preview")
        expect(page.locator("#status")).to_have_text("Draw.")
        page.click("#statistics summary")
        expect(page.get_by_role("heading", name="Farthest from the end")).to_be_visible()
        page.locator(".cards.solved .card").first.click()
        expect(page.locator("#value")).to_contain_text("wins in")


def test_explore_says_an_expectation_once(chromium, workshop):
    def probe(route) -> None:
        found = route.fetch().json()
        for move in found["moves"]:
            move["value"] |= {"outcome": None, "score": 0.05, "tone": "estimate"}
        route.fulfill(json=found)

    with opened(chromium, workshop) as page:
        page.route("**/api/probe?*", probe)
        page.goto("/?game=tic_tac_toe&mode=explore")
        row = page.locator(".values tr").first
        expect(row.locator(".tag")).to_have_text("+0.05")
        assert row.inner_text().count("0.05") == 1


def test_what_explore_says_to_type_can_be_typed(chromium, workshop, tmp_path):
    with opened(chromium, workshop) as page:
        page.goto("/?game=countdown(start=9)&mode=explore")
        expect(page.locator("#mode")).to_contain_text("in the folder of countdown.py")
        page.get_by_text("Solve a larger game").click()
        solving, serve = (shlex.split(line) for line in page.inner_text("#mode code").splitlines())
    (tmp_path / "countdown.py").write_text(COUNTDOWN)
    assert solving[0] == "zermelo"
    subprocess.run([sys.executable, "-m", *solving], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    assert serve[:2] == ["zermelo", "serve"]
    with serving(*serve[2:], folder=tmp_path) as address, opened(chromium, address) as page:
        page.goto("/?mode=explore")
        expect(page.locator("#value")).to_have_text("Second player wins in 6")


def test_what_a_database_says_is_not_called_a_search(chromium, workshop):
    with opened(chromium, workshop) as page:
        page.goto("/?game=tic_tac_toe&moves=b2&mode=analyze")
        expect(page.locator("#source")).to_have_text("From the database.")
        page.goto("/?game=tic_tac_toe")
        square(page, 4).click()
        expect(page.locator("#thought")).to_have_text("Zermelo: draw, from the database")
        page.goto("/?game=tic_tac_toe&level=1")
        square(page, 4).click()
        expect(page.locator("#thought")).to_contain_text(re.compile("depth [12]"))  # a lapse of a beginner, or none


# -- looks -------------------------------------------------------------------------------------------------------------

CONTRAST = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = numbers(colour).map((c) => linear(c / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if ((numbers(colour)[3] ?? 1) === 1) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const faults = [];
  for (const element of document.body.querySelectorAll(":not(svg *, option, :disabled, [hidden] *)")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if ((!own && element.tagName !== "SELECT") || !element.checkVisibility() || element.closest(":disabled")) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faults.push(`${element.textContent.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return faults;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast(page: Page, scheme: str):
    page.emulate_media(color_scheme=scheme)
    for mode in ("play", "analyze", "explore"):
        page.goto(f"/?game=tic_tac_toe&moves=b2+a1&side=both&mode={mode}")
        expect(page.locator("#mode > *").first).to_be_visible()
        if mode == "analyze":
            expect(page.locator(".lines")).to_be_visible()
        assert page.evaluate(CONTRAST) == []


def test_the_theme_is_the_systems_or_ones_own(page: Page):
    ground = """[getComputedStyle(document.body).backgroundColor,
                 getComputedStyle(document.querySelector(".zb-page")).fill]"""
    page.emulate_media(color_scheme="dark")
    page.goto("/?game=tic_tac_toe")
    expect(page.locator(".zb-page")).to_be_attached()
    dark = page.evaluate(ground)
    page.select_option("#theme", "light")
    light = page.evaluate(ground)
    assert all(one != two for one, two in zip(dark, light, strict=True))
    page.reload()
    expect(page.locator(".zb-page")).to_be_attached()
    assert page.evaluate(ground) == light
    page.select_option("#theme", "dark")
    page.emulate_media(color_scheme="light")
    assert page.evaluate(ground) == dark


def test_what_the_status_is_about_stands_beside_it_on_a_small_screen(page: Page):
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto("/?game=pig&mode=analyze&moves=roll")
    expect(page.locator("#status")).to_contain_text("Chance is to move")
    stone, status = page.locator("#status .stone").bounding_box(), page.locator("#status").bounding_box()
    middle = stone["y"] + stone["height"] / 2
    assert abs(middle - (status["y"] + status["height"] / 2)) < 3, "the stone stands on a line of its own"


def test_no_dot_of_the_graph_covers_a_word(page: Page):
    page.goto("/?game=tic_tac_toe&mode=analyze&moves=a1 b2")
    expect(page.locator("#proof")).to_have_text("proven")
    boxes = [page.locator(f".graph {part}").bounding_box() for part in (".here", "text:nth-of-type(2)")]
    dot, word = boxes
    assert dot["x"] + dot["width"] <= word["x"]


def test_a_screen_of_360_pixels(page: Page):
    page.set_viewport_size({"width": 360, "height": 640})
    for query in ("game=connect_four&moves=4+4+5+5", "game=tic_tac_toe&moves=b2&mode=analyze", "game=nim&mode=explore",
                  "game=kalah", "game=nine_mens_morris", "game=chess_endgame", "game=pig&moves=roll+4",
                  "game=backgammon&moves=31"):  # fmt: skip
        page.goto(f"/?{query}&side=both")
        expect(page.locator(".picture svg")).to_be_visible()
        expect(page.locator("#mode > *").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, query
    page.goto("/?game=connect_four&side=both")
    square(page, 3).click()
    expect(page.locator(".played li")).to_have_count(2)
    page.locator("#copy-link").scroll_into_view_if_needed()
    expect(page.locator("#board")).to_be_in_viewport(ratio=0.95)  # it stays while what is below it is read
    page.set_viewport_size({"width": 640, "height": 360})  # the telephone lies on its side
    board, lists = page.locator("#board").bounding_box(), page.locator("aside").bounding_box()
    assert board["x"] + board["width"] <= lists["x"]
    assert board["height"] < 300


def test_the_assets_are_small_and_scripts_stand_in_files():
    files = {file.relative_to(STATIC).as_posix(): file for file in STATIC.rglob("*") if file.is_file()}
    html = (STATIC / "index.html").read_text()
    first = set(re.findall(r'(?:src|href)="(\w[\w./]*)"', html)) | {"index.html"}  # what the first board needs
    first.remove("board/theme.css")  # which the server writes
    assert sum(files[name].stat().st_size for name in first) < 200_000
    assert sum(file.stat().st_size for file in files.values()) < 350_000  # with all modes, which come when needed
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|javascript:", html)
    assert set(re.findall(r'(?:src|href)="(\w[\w./]*)"', html)) <= set(files) | {"board/theme.css"}


# -- when something goes wrong -----------------------------------------------------------------------------------------


def test_a_mistake_in_the_address_is_a_sentence_and_the_page_goes_on(page: Page):
    page.goto("/?game=tic_tac_toe&moves=b2 a1 z9 c3&mode=analyze")
    expect(page.locator("#proof")).to_have_text("proven")
    expect(page.locator("#notice")).to_contain_text("z9")  # which the analysis does not take away
    expect(page.locator("#notice")).to_have_text("'z9' is not a legal move in this position.")  # no state, no Python
    expect(page.locator(".played li")).to_have_count(3)  # the position before the bad move
    assert moves(page) == ["b2", "a1"]
    page.goto("/?game=tic_tac_toe&moves=b2 z9")
    expect(page.locator(".played li")).to_have_count(3)  # Zermelo has replied
    expect(page.locator("#notice")).to_be_visible()  # which the reply does not take away
    page.click(".square:not([data-piece]) >> nth=0")
    expect(page.locator("#notice")).to_be_hidden()
    page.goto("/?game=tic_tac_to")
    expect(page.locator("#notice")).to_contain_text("did you mean tic_tac_toe?")
    page.click("#meant")
    expect(page.locator(".square")).to_have_count(9)
    page.goto("/?game=croquet")
    expect(page.locator("#notice")).to_contain_text("There is no game called croquet")
    page.click("#gallery .card[data-game=tic_tac_toe]")
    expect(page.locator(".square")).to_have_count(9)
    expect(page.locator("#notice")).to_be_hidden()


def test_settings_of_the_address_that_cannot_be_read_are_named_and_ignored(page: Page):
    page.goto("/?game=tic_tac_toe&mode=chat&level=guru&clock=soon&side=third&at=x&flip=yes&moves=b2")
    expect(page.locator(".square")).to_have_count(9)
    notice = page.locator("#notice")
    for said in ("mode=chat", "level=guru", "clock=soon", "side=third", "at=x", "flip=yes"):
        expect(notice).to_contain_text(f"The address has {said}, which is ignored; it may be ")
    expect(page.locator("#tab-play")).to_have_attribute("aria-selected", "true")
    assert moves(page)[0] == "b2"
    page.goto("/?game=tic_tac_toe&start=nonsense&mode=explore")
    expect(page.locator(".square")).to_have_count(9)  # the game's own start
    expect(notice).to_contain_text("nonsense")
    assert "start" not in page.url
    page.goto("/?game=tic_tac_toe&mode=explore&flip=1")
    expect(page.locator(".square")).to_have_count(9)
    expect(notice).to_be_hidden()


def test_an_address_without_a_game_that_can_be_read_has_a_way_out(page: Page):
    for mode in ("play", "analyze", "explore"):
        page.goto(f"/?game=croquet(9&mode={mode}")
        expect(page.locator("#notice")).to_contain_text("croquet")
        assert "croquet" in page.url  # for the reader to correct
        page.click("#gallery .card[data-game=connect_four]")
        expect(page.locator("#board .square")).to_have_count(42)
        expect(page.locator("#notice")).to_be_hidden()
    page.goto("/?game=tic_tac_toe&moves=z9")
    page.click("#new")
    expect(page.locator(".square")).to_have_count(9)


def test_what_cannot_be_shown_leaves_page_and_address_as_they_are(page: Page):
    page.goto("/?game=connect_four&side=both")
    page.click(".parameters summary")
    page.fill("input[name=width]", "5000")
    before = page.url
    page.click("#game form button")
    expect(page.locator("#notice")).to_contain_text("goes beyond 1000")
    assert page.url == before
    square(page, 3).click()
    expect(page.locator(".played li")).to_have_count(2)


def test_a_wrong_address_leads_back(page: Page):
    assert page.goto("/no/such").status == 404
    page.get_by_role("link", name="All games").click()
    expect(page.locator("#gallery")).to_be_visible()


def test_a_busy_server_is_asked_again(page: Page):
    refusals = []

    def busy(route):
        if refusals:
            return route.continue_()
        refusals.append(1)
        return route.fulfill(status=503, headers={"Retry-After": "1"}, json={"detail": "Busy."})

    page.route("**/api/move?*", busy)
    page.goto("/?game=tic_tac_toe&level=2")
    square(page, 0).click()
    expect(page.locator("#notice")).to_contain_text("busy")
    expect(page.locator(".played li")).to_have_count(3)
    expect(page.locator("#notice")).to_be_hidden()


def test_a_server_that_is_gone_can_be_tried_again(page: Page):
    page.goto("/?game=tic_tac_toe&level=2&side=both")
    expect(square(page, 0)).to_be_visible()
    page.route(re.compile(r"/api/position\?|/icon.svg"), lambda route: route.abort())
    square(page, 0).click()
    expect(page.locator("#notice")).to_contain_text("does not answer")
    expect(page.locator(".square")).to_have_count(9)
    square(page, 1).click()  # the board is alive all the same
    expect(page.locator("#notice")).to_contain_text("does not answer")
    assert moves(page) == []
    page.click("#notice button")
    expect(page.locator("#notice button")).to_be_visible()
    page.unroute_all()  # the page sees by itself that the server is back
    expect(square(page, 1)).to_have_attribute("aria-label", re.compile("X"))
    expect(page.locator("#notice")).to_be_hidden()
    assert moves(page) == ["b3"]


def test_an_error_that_names_the_command_is_not_tried_again_by_itself(page: Page):
    """A server that came back without its database answers: only the reader asks again."""
    asked = []

    def refused(route):
        asked.append(route.request.url)
        detail = "No database of nim is open here; `zermelo serve --database` opens one."
        route.fulfill(status=404, json={"detail": detail})

    def with_database(route):
        found = route.fetch().json()
        route.fulfill(json=found | {"database": True})

    page.add_init_script("const wait = setInterval; window.setInterval = (run, time) => wait(run, Math.min(time, 20))")
    page.route("**/api/position?*", with_database)
    page.route("**/api/probe?*", refused)
    page.goto("/?game=tic_tac_toe&mode=explore")
    expect(page.locator("#notice")).to_contain_text("`zermelo serve --database` opens one.")
    page.wait_for_timeout(200)
    assert len(asked) == 1
    page.click("#notice button")
    expect(page.locator("#notice")).to_be_visible()
    assert len(asked) == 2


def test_two_tabs_play_different_games(page: Page):
    page.goto("/?game=tic_tac_toe&level=2")
    other = page.context.new_page()
    other.goto("/?game=connect_four&level=3&side=both")
    for tab in (page, other):
        expect(square(tab, 0)).to_be_visible()
    other.goto("/?game=tic_tac_toe&side=both&moves=a1+b1+a2+b2+a3")
    expect(other.locator("#status .stone.side0")).to_be_visible()  # that of the winner
    other.goto("/?game=connect_four&level=3&side=both")
    expect(square(other, 41)).to_be_visible()
    square(page, 4).click()
    square(other, 3).click()
    answered(page, 2)
    expect(other.locator(".played li")).to_have_count(2)
    played = [moves(tab) for tab in (page, other)]
    for tab in (page, other):
        tab.reload()
        expect(tab.locator(".played [aria-current]")).to_be_visible()
    assert [moves(tab) for tab in (page, other)] == played
    assert (page.input_value("#level"), other.input_value("#level")) == ("2", "3")
    page.click("#browse")
    expect(page.locator("#recent .card")).to_have_count(2)


def test_an_analysis_tells_a_busy_server_from_one_that_is_gone(chromium):
    with ExitStack() as server, ExitStack() as other:
        address = server.enter_context(serving("connect_four", "--threads", 1))
        first = other.enter_context(opened(chromium, address))
        first.goto("/?game=connect_four&mode=analyze")
        expect(first.locator("#value")).to_be_visible()
        with opened(chromium, address) as page:
            page.goto("/?game=connect_four&mode=analyze&moves=4")
            expect(page.locator("#notice")).to_contain_text("busy")
            other.close()  # whose search had the one place
            expect(page.locator("#value")).to_be_visible()
            server.close()
            expect(page.locator("#notice")).to_contain_text("cannot be reached")
            expect(page.locator("#toggle")).to_have_text("Stop")
            with serving("connect_four", "--port", urlsplit(address).port):
                expect(page.locator("#notice")).to_be_hidden()
                expect(page.locator("#value")).to_be_visible()


@pytest.mark.parametrize(
    ("query", "said"), [("game=pig&moves=roll", "The dice roll."), ("game=twenty48", "Chance moves.")]
)
def test_only_a_board_with_dice_says_that_they_roll(page: Page, query: str, said: str):
    def first(route) -> None:
        if not asked:
            route.continue_()
        asked.append(route.request.url)  # the next position never comes

    asked: list[str] = []
    page.route("**/api/position?*", first)
    page.goto(f"/?{query}&side=both")
    expect(page.locator("#status")).to_have_text(said)


def test_parts_of_the_page_that_cannot_be_loaded_leave_the_rest_usable(page: Page):
    for code, button, there in (
        ("home/home.js", "#browse", "#gallery"),
        ("page/exchange.js", "#exchange", "#exchange-dialog"),
        ("modes/explore.js", "#tab-explore", "#solve"),
    ):
        page.goto("/?game=tic_tac_toe&side=both")
        expect(page.locator(".square.open")).to_have_count(9)  # before a position is shown, there is none to go back to
        page.route(f"**/{code}", lambda route: route.abort())
        page.click(button)
        expect(page.locator("#notice")).to_contain_text("This part of the page could not be loaded")
        page.click("#legal button")
        expect(page.locator(".played li")).to_have_count(2)
        page.click("#new")
        page.unroute(f"**/{code}")
        page.click(button)
        expect(page.locator(there)).to_be_visible()
    page.goto("/?game=tic_tac_toe&side=both")
    page.route("**/game_rules.json", lambda route: route.abort())
    page.click("#rules summary")
    expect(page.locator(".rules-text")).to_have_text("The rules could not be loaded; open them again to try once more.")
    page.unroute("**/game_rules.json")
    page.click("#rules summary")
    page.click("#rules summary")
    expect(page.locator("#example")).to_be_visible()


def test_a_game_that_is_longer_than_a_request_goes_on_from_its_last_position(page: Page):
    turns = " ".join(["roll 2 hold"] * 333)
    page.goto(f"/?game=pig(target=700)&side=both&mode=analyze&moves={turns} roll")
    expect(page.locator("#legal [data-move='3']")).to_be_visible()
    page.click("#legal [data-move='3']")
    expect(page.locator("#notice")).to_have_text(
        "A game has 1000 moves and 8000 letters at most here: the rest goes on from this position."
    )
    expect(page.locator(".played li")).to_have_count(2)
    page.click("#legal [data-move='hold']")
    expect(page.locator(".played li")).to_have_count(3)
    expect(page.locator("#board")).to_contain_text("335")  # 166 turns of two points, and one of three


def test_an_engine_that_is_gone_or_finds_the_game_over_leaves_the_board_usable(page: Page):
    over = {"status": 422, "json": {"detail": "The game is over."}}
    for answer, words in (
        (lambda route: route.fulfill(**over), "is over"),
        (lambda route: route.abort(), "not answer"),
    ):
        page.goto("/?game=tic_tac_toe&level=2&clock=5%2B3")
        page.route("**/api/move?*", answer)
        square(page, 4).click()
        expect(page.locator("#notice")).to_contain_text(words)
        expect(page.locator("#status")).to_have_text("No move has come.")  # nobody thinks any more
        expect(page.locator(".clock.running")).to_have_count(0)
        page.click("#undo")
        expect(page.locator("#status")).to_have_text("Your move.")
        page.unroute("**/api/move?*")
        square(page, 0).click()
        expect(page.locator(".played > li:not(.variation)")).to_have_count(3)
        expect(page.locator(".played .variation")).to_have_count(1)  # what was taken back


@pytest.mark.parametrize(("compiling", "said"), [(False, "Zermelo is thinking"), (True, "Preparing the fast engine")])
def test_the_engine_stops_thinking_when_the_position_changes(page: Page, compiling: bool, said: str):
    """How long the machine compiles is of no matter: the status says so, or that the engine thinks."""
    page.route("**/api/engine?*", lambda route: route.fulfill(json={"compiling": compiling}))
    page.route("**/api/move?*", lambda _: None)  # an answer that never comes, however busy the machine is
    page.goto("/?game=tic_tac_toe(width=6,height=6,in_a_row=5)&clock=30%2B0")  # a game without a book
    with page.expect_request("**/api/move?*"):
        square(page, 14).click()
    expect(page.locator("#status")).to_contain_text(said)
    with page.expect_event("requestfailed", lambda request: "/api/move" in request.url):
        page.click("#undo")
    expect(page.locator("#status")).to_contain_text("Your move")
