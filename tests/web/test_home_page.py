"""The home of the page: the gallery of games, what was played last, and one's own game first."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

import zermelo as z
from browser import opened, serving
from zermelo.games.registry import GAMES

COUNTDOWN = """
from zermelo import LOSS, ONGOING, Game

class Countdown(Game):
    '''Say one or two less; who says nought wins.'''

    def initial(self):
        return 7

    def moves(self, state):
        return range(1, min(state, 2) + 1)

    def play(self, state, move):
        return state - move

    def result(self, state):
        return LOSS if state == 0 else ONGOING
"""


def test_the_page_begins_with_a_gallery_of_all_games(page: Page):
    page.goto("/")
    expect(page.locator("#gallery .card[data-game=tic_tac_toe] svg")).to_be_visible()
    assert sorted(page.locator("#gallery .card").evaluate_all("all => all.map(one => one.dataset.game)")) == sorted(
        GAMES
    )
    expect(page.locator("#table")).to_be_hidden()
    expect(page.locator("#gallery section").first).to_have_attribute("aria-label", "In a row")
    expect(page.locator("#gallery .card[data-game=connect_four] .badge")).to_have_text("book")
    expect(page.locator("#gallery .card[data-game=pig] .badge")).to_have_text("dice")
    page.click("#gallery .card[data-game=tic_tac_toe]")
    expect(page.locator("#board .square")).to_have_count(9)
    expect(page.locator("#home")).to_be_empty()
    page.go_back()
    expect(page.locator("#gallery")).to_be_visible()
    assert page.url.endswith("/")
    assert page.title() == "Zermelo"


def test_games_are_searched_for_and_sorted_out_by_their_kind(page: Page):
    page.goto("/")
    cards = page.locator("#gallery .card")
    page.fill("#find-game", "roll")
    expect(page.locator("#gallery .card[data-game=pig]")).to_be_visible()
    page.fill("#find-game", "croquet")
    expect(page.locator("#gallery")).to_contain_text("No game is called croquet.")
    page.get_by_role("button", name="Show all games").click()
    expect(cards).to_have_count(len(GAMES))
    page.get_by_role("button", name="Mills", exact=True).click()
    expect(page.get_by_role("button", name="Mills", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(cards).to_have_count(5)
    page.fill("#find-game", "connect")
    expect(page.locator("#gallery")).to_contain_text("No game in Mills is called connect.")
    page.get_by_role("button", name="All", exact=True).click()
    expect(cards.first).to_have_attribute("data-game", "connect_four")
    page.locator("#find-game").press("Enter")  # the first of what is found
    expect(page.locator("#board .square")).to_have_count(42)


def test_a_game_is_gone_on_with_where_it_was_left(page: Page):
    page.goto("/?game=tic_tac_toe&side=both&moves=b2 a1&mode=analyze")
    expect(page.locator("#value")).to_be_visible()
    page.click("#browse")
    recent = page.locator("#recent .card")
    expect(recent).to_have_count(1)
    expect(recent).to_contain_text("2 moves")
    expect(recent.locator("[data-piece]")).to_have_count(2)  # its own position
    expect(page.locator("#tab-analyze")).to_have_attribute("aria-selected", "true")
    page.click("#gallery .card[data-game=nim]")  # in the mode that is chosen
    expect(page.locator("#value")).to_be_visible()
    assert "mode=analyze" in page.url
    page.click("#home-link")
    expect(recent).to_have_count(2)
    recent.nth(1).click()
    expect(page.locator(".played li")).to_have_count(3)
    expect(page.locator("#tab-analyze")).to_have_attribute("aria-selected", "true")
    page.reload()
    expect(page.locator(".played li")).to_have_count(3)


def test_ones_own_game_comes_first(chromium, tmp_path):
    (tmp_path / "countdown.py").write_text(COUNTDOWN)
    with serving(f"{tmp_path / 'countdown.py'}:Countdown", "kalah") as address, opened(chromium, address) as page:
        page.goto("/")
        expect(page.locator("#gallery section").first).to_have_attribute("aria-label", "Your games")
        expect(page.locator("#gallery .card").first).to_have_attribute("data-game", "countdown")
        expect(page.locator("#gallery .card").first.locator("svg .zb-label")).to_be_visible()  # its state in words
        page.locator("#gallery .card").first.click()
        expect(page.locator("#legal [data-move]")).to_have_count(2)


def test_ones_own_game_leaves_as_text_and_comes_back(chromium, tmp_path):
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "countdown.py").write_text(COUNTDOWN)
    with (
        serving("private/countdown.py:Countdown", "nim", folder=tmp_path) as address,
        opened(chromium, address) as page,
    ):
        page.goto("/?game=countdown&side=both&moves=2 1")
        page.click("#exchange")
        text = page.locator("#moves-text")
        expect(text).to_have_value(re.compile(r"1\. 2 1 \*"))
        assert '[Game "countdown.py:Countdown"]' in text.input_value()  # where it lies is nobody's business
        page.fill("#pasted", text.input_value().replace("2 1 *", "1 1 *"))
        page.click("#load-text")
        expect(page.locator("#exchange-dialog")).to_have_count(0)
        expect(page.locator(".played button").nth(1)).to_contain_text("1")
        assert "moves=1+1" in page.url


def test_a_server_of_one_game_shows_it_at_once(chromium):
    with serving("nim") as address, opened(chromium, address) as page:
        page.goto("/")
        expect(page.locator("#game-name")).to_have_value("nim")
        expect(page.locator("#home")).to_be_hidden()


def test_learn_begins_with_the_tree_of_the_lectures(page: Page):
    page.goto("/")
    page.click("#tab-learn")
    expect(page.locator(".stepper .tree svg")).to_be_visible()
    page.click("#home-link")
    expect(page.locator("#gallery")).to_be_visible()
    page.click("#gallery .card[data-game=game_tree]")  # which is there to be learnt from
    expect(page.locator("#tab-learn")).to_have_attribute("aria-selected", "true")


def test_a_game_that_needs_a_parameter_asks_for_it(chromium, tmp_path):
    source = COUNTDOWN.replace(
        "def initial(self):\n        return 7", "start: int\n\n    def initial(self):\n        return self.start"
    )
    (tmp_path / "countdown.py").write_text(source)
    with (
        serving(f"{tmp_path / 'countdown.py'}:Countdown(start=5)", "nim") as address,
        opened(chromium, address) as page,
    ):
        page.goto("/")
        page.click("#gallery .card[data-game=countdown]")
        page.fill("#chosen input[name=start]", "9")
        page.click("#chosen button.primary")
        expect(page.locator("#legal [data-move]")).to_have_count(2)
        assert "countdown(start=9)" in page.evaluate("new URLSearchParams(location.search).get('game')")


def test_the_gallery_leaves_the_places_of_compiled_games_to_those_in_play(chromium):
    """A server compiles so many games; pictures of all games took the places, and chess was interpreted."""
    with serving() as address, opened(chromium, address, viewport={"width": 1280, "height": 6000}) as page:
        page.goto("/")
        expect(page.locator("#gallery .thumbnail svg")).to_have_count(len(GAMES))
        page.goto("/?game=hexapawn&mode=analyze")
        expect(page.locator("#value")).to_be_visible()
        expect(page.locator("#interpreted")).to_have_count(0)


UNSEEN_PIECES = """() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = (colour) => {
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = parts(colour).map((part) => linear(part / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const opaque = (colour) => colour !== "none" && parts(colour)[3] !== 0;
  const GROUNDS = ".zb-cell, .zb-bright, .zb-dark, .zb-hole, .zb-hex, .zb-pit, .zb-store";
  const PIECES = ["stone", "man", "walls", "tile", "pin", "seed", "match", "cross", "ring",
    "owned", "sign", "skull"];
  const ground = (square, board) => { // of a square, of the table, of the board, of the card
    const found = [square.querySelector(GROUNDS), board.querySelector(".zb-felt"), board.querySelector(".zb-page")];
    const fill = found.filter(Boolean).map((one) => getComputedStyle(one).fill).find(opaque);
    return fill ?? getComputedStyle(board.closest(".card")).backgroundColor;
  };
  const [seen, faults] = [new Set(), new Set()];
  for (const board of document.querySelectorAll("#gallery .card svg")) {
    const { game } = board.closest(".card").dataset;
    for (const square of board.querySelectorAll(".square")) {
      const piece = square.querySelector(PIECES.map((name) => `[class^=zb-${name}]`).join());
      if (!piece || getComputedStyle(piece).opacity === "0") continue;
      seen.add(game);
      const [under, { fill, stroke, strokeWidth }] = [ground(square, board), getComputedStyle(piece)];
      const filled = opaque(fill) && !piece.matches(".zb-match"); // which is a line
      const edged = opaque(stroke) && parseFloat(strokeWidth) > 0;
      const [body, edge] = [filled ? contrast(fill, under) : 0, edged ? contrast(stroke, under) : 0];
      const hole = filled && edged && luminance(fill) < luminance(under) && luminance(under) < luminance(stroke);
      const clear = hole ? body : Math.max(body, edge);
      const name = `${game}: ${piece.getAttribute("class")} ${fill} ${stroke} on ${under}`;
      if (clear < 3) faults.add(`${name}: ${clear.toFixed(2)}`);
    }
  }
  return [[...seen], [...faults]];
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_piece_differs_from_its_square_in_both_themes(chromium, server, theme):
    """A contrast of three, of the piece itself where its edge would make a ring of it, in the colours of each game."""
    with opened(chromium, server, color_scheme=theme, viewport={"width": 1280, "height": 6000}) as page:
        page.goto("/")
        expect(page.locator("#gallery .thumbnail svg")).to_have_count(len(GAMES))
        expect(page.locator("#gallery .waiting")).to_have_count(0)
        seen, faults = page.evaluate(UNSEEN_PIECES)
        assert len(seen) > 35, seen  # the others have no pieces
        assert faults == []


def test_a_picture_that_a_slow_machine_gives_up_is_asked_for_again(page: Page):
    refused = []

    def slow(route) -> None:
        if refused:
            return route.continue_()
        refused.append(route.request.url)
        return route.fulfill(status=422, json={"detail": "What was asked had not ended after 5 seconds."})

    page.route("**/api/picture?game=tic_tac_toe", slow)
    page.goto("/")
    expect(page.locator("#gallery .card[data-game=tic_tac_toe] svg")).to_be_visible()
    assert refused


def test_moves_of_chess_are_numbered_by_pairs(page: Page):
    page.goto("/?game=chess&side=both&moves=e4 e5 Nf3&line=e4 e5 Nf3&line=e4 c5 Nf3")
    expect(page.locator(".played.pairs")).to_be_visible()
    said = page.locator(".played button").all_inner_texts()
    assert [re.sub(r"\s+", " ", text).strip() for text in said] == ["Start", "1. e4", "e5", "1… c5", "2. Nf3", "2. Nf3"]
    white, black = (page.get_by_role("button", name=name, exact=True).bounding_box() for name in ("1. e4", "e5"))
    assert white["y"] == black["y"]
    assert white["x"] < black["x"]
    page.goto("/?game=chess&side=both&start=4k3/8/8/8/8/8/4p3/K7 b - - 0 1&moves=Kd7 Ka2")
    expect(page.locator(".played button")).to_have_text(["Start", re.compile(r"1…\s+Kd7"), re.compile(r"2\.\s+Ka2")])
    page.goto("/?game=connect_four&side=both&moves=4 4")
    expect(page.locator(".played button")).to_have_text(["Start", re.compile(r"1\.\s+4"), re.compile(r"2\.\s+4")])


def test_rolls_of_dice_have_no_number(page: Page):
    page.goto("/?game=backgammon&side=both&moves=31 8/5 6/5 66&mode=analyze")
    expect(page.locator(".played button")).to_have_text(["Start", "31", re.compile(r"1\.\s+8/5 6/5"), "66"])


def test_lines_of_sim_have_the_colours_of_their_owners_in_trees_too(page: Page):
    page.goto("/?game=sim&side=both&moves=ab cd&mode=learn&depth=1&nodes=boards")
    expect(page.locator(".stepper .tree .zb-owned0").first).to_be_attached()
    expect(page.locator(".stepper .tree .zb-owned1").first).to_be_attached()
    assert page.locator(".stepper .tree .zb-stone0").count() == 0


GAME_SHOWN = """() => [
  [...document.querySelectorAll(".played button")].map(
    (one) => [...one.childNodes].filter((part) => part.nodeType === 3).map((part) => part.data).join("")),
  [...document.querySelectorAll(".square")].map((one) => one.getAttribute("aria-label").split(",")[0])]"""
"""The moves of the list, without what is known of them, and what stands on the squares."""


@pytest.fixture(scope="module")
def worth_of_b2():
    """The values of all moves where a newcomer will play b2, a blunder of more than eight discs."""
    game = z.load("othello")
    before = z.position(game, "c4 c5 f6 c3 b6 f5")
    found = z.search(game, before, z.Limit(depth=6), lines=len(list(game.moves(before))))
    values = {game.move_text(before, each.pv[0]): each.value.score for each in found.lines}
    assert max(values.values()) - values["b2"] > 8  # the corner is gone
    return values


@pytest.mark.parametrize(("width", "finger"), [(360, True), (1280, False)])
def test_a_newcomer_plays_takes_back_finds_the_blunder_and_shares_it(chromium, server, worth_of_b2, width, finger):
    """Othello from the first page on, by what is seen alone; the engine's replies are given, and b2 is a blunder."""
    replies = {"c4": "c5", "f6": "c3", "b6": "f5", "b2": "a1"}

    def reply(route) -> None:
        last = parse_qs(urlsplit(route.request.url).query)["moves"][0].split()[-1]
        found = route.fetch(url=f"{route.request.url}&seconds=0.05").json()
        route.fulfill(json={**found, "move": replies.get(last, found["move"])})  # to what is taken back, any move

    def press(role: str, name: str | re.Pattern[str]) -> None:
        touch(page.get_by_role(role, name=name))

    def touch(control) -> None:
        control.tap() if finger else control.click()

    screen = {"viewport": {"width": width, "height": 740}, "has_touch": finger, "is_mobile": finger}
    with opened(chromium, server, permissions=["clipboard-read", "clipboard-write"], **screen) as page:
        page.route("**/api/move?*", reply)
        page.goto("/")
        press("button", "Othello")
        for number, move in enumerate(replies, 1):
            expect(page.locator("#status")).to_have_text("Your move.")
            if number == 3:  # a slip, taken back before the answer
                press("button", re.compile("^d6: empty"))
                expect(page.locator(".played li")).to_have_count(6)
                press("button", "Undo")
                expect(page.locator("#status")).to_have_text("Your move.")
            press("button", re.compile(f"^{move}: empty"))
            expect(page.locator(".played > li:not(.variation)")).to_have_count(2 * number + 1)
        if finger:
            press("button", "Resign")
            expect(page.locator("#status")).to_have_text("You resign. Zermelo wins.")
        else:
            press("tab", "Analyze")
        press("button", "Find the mistakes")
        expect(page.locator("#looking")).to_have_count(0, timeout=120_000)
        blunder = page.locator("#mistakes li").filter(has=page.get_by_role("img", name="blunder"))
        expect(blunder).to_have_count(1)
        expect(blunder).to_be_in_viewport()
        expect(blunder.get_by_role("button").first).to_contain_text("7. b2")
        better = blunder.locator("small").inner_text().removeprefix("better: ")
        assert worth_of_b2[better] - worth_of_b2["b2"] > 8
        touch(blunder.get_by_role("button").first)
        expect(page.locator("[aria-current=step]")).to_contain_text("b2")
        expect(page.locator("#board")).to_be_in_viewport(ratio=0.9)
        press("button", "Share link")
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        link = page.evaluate("navigator.clipboard.readText()")
        shown = page.evaluate(GAME_SHOWN)
        assert len(shown[0]) == 10  # the start, eight moves, and what was taken back
    with opened(chromium, server) as friend:
        friend.goto(link)
        expect(friend.locator("[aria-current=step]")).to_contain_text("b2")
        expect(friend.locator(".played .variation")).to_have_count(1)  # what was taken back
        assert friend.evaluate(GAME_SHOWN) == shown
