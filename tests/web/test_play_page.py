"""Playing in a real browser: clocks, draw offers, how games end, and what follows."""

import re

from playwright.sync_api import Page, expect

from browser import opened
from zermelo.play.levels import LEVEL_NAMES

CLOCKED = "/?game=tic_tac_toe&side=both&clock=5%2B3"


def times(page: Page) -> list[str]:
    return page.locator(".clock time").all_inner_texts()


def test_clocks_run_for_the_player_to_move_and_add_the_increment(page: Page):
    page.clock.install()
    page.goto(CLOCKED)
    expect(page.locator(".clock")).to_have_count(2)
    page.clock.fast_forward(30_000)
    assert times(page) == ["5:00", "5:00"]  # nobody has moved yet
    page.click("#legal [data-move='b2']")
    expect(page.locator(".clock.running")).to_have_attribute("data-player", "1")
    page.clock.fast_forward(60_000)
    expect(page.locator(".clock time").nth(1)).to_have_text(re.compile(r"^(4:00|3:5\d)$"))
    page.click("#legal [data-move='a1']")
    expect(page.locator(".clock.running")).to_have_attribute("data-player", "0")
    expect(page.locator(".clock time").nth(1)).to_have_text(re.compile(r"^(4:03|4:0[0-2]|3:5\d)$"))
    left = times(page)[1]
    page.reload()
    expect(page.locator(".clock time").nth(1)).to_have_text(left)  # a reload gives no time back
    page.clock.fast_forward(301_000)
    expect(page.locator("#status")).to_have_text("Time is up. Second player wins.")
    expect(page.locator(".square.open")).to_have_count(0)
    expect(page.locator("#review")).to_be_visible()
    page.click("#rematch")
    expect(page.locator(".clock time")).to_have_text(["5:00", "5:00"])
    page.select_option("#clock", "")
    expect(page.locator("#clocks")).to_be_hidden()


def test_the_engine_thinks_within_its_clock(page: Page):
    asked = []
    page.on("request", lambda request: "/api/move" in request.url and asked.append(request.url))
    page.goto("/?game=tic_tac_toe&clock=1%2B0")
    page.click("#legal [data-move='b2']")
    expect(page.locator(".played li")).to_have_count(3)
    assert len(asked) == 1
    assert 1 < float(re.search(r"seconds=([\d.]+)", asked[0]).group(1)) <= 2  # a thirtieth of a minute, not ten seconds


def test_two_players_agree_to_a_draw_and_the_engine_judges_one(page: Page):
    page.goto("/?game=tic_tac_toe&side=both&moves=b2")
    page.click("#draw")
    expect(page.locator("#status")).to_have_text("Draw by agreement.")
    page.goto("/?game=tic_tac_toe&moves=b2 a1")  # a draw by best play
    page.click("#draw")
    expect(page.locator("#status")).to_have_text("Draw by agreement.")
    expect(page.locator("#draw")).to_be_hidden()
    page.goto("/?game=tic_tac_toe&side=second&moves=b2 b1 a1 a2 c1")  # Zermelo wins
    page.click("#draw")
    expect(page.locator("#status")).to_have_text("Zermelo declines the draw. Your move.")


def test_endings_have_their_names(page: Page):
    page.goto("/?game=chess&moves=f3 e5 g4 Qh4%23&side=second")
    expect(page.locator("#status")).to_have_text("Checkmate. You win.")
    page.goto("/?game=chess&moves=f3 e5 g4 Qh4%23&side=both&mode=analyze")
    expect(page.locator("#status")).to_have_text("Checkmate. Black wins.")
    page.goto("/?game=chess&start=7k/8/5KQ1/8/8/8/8/8 w - - 0 1&moves=Qf7&side=both")
    expect(page.locator("#status")).to_have_text("Stalemate. Draw.")
    shuttle = " ".join(["Nf3 Nf6 Ng1 Ng8"] * 2)
    page.goto(f"/?game=chess&moves={shuttle}&side=both")
    expect(page.locator("#status")).to_contain_text("Draw by repetition")


def test_levels_are_named_from_beginner_up(page: Page):
    asked = []
    page.on("request", lambda request: "/api/move" in request.url and asked.append(request.url))
    page.goto("/?game=tic_tac_toe&level=3")
    expect(page.locator("#level")).to_have_value("3")
    names = page.locator("#level option").all_inner_texts()
    assert names[:-1] == [f"{number} {name}" for number, name in enumerate(LEVEL_NAMES[:-1], 1)]
    assert names[-1] == "10 Full strength"  # perfect only where a solution is open
    page.select_option("#level", "1")
    page.click("#legal [data-move='b2']")
    expect(page.locator(".played li")).to_have_count(3)
    assert [re.search(r"level=(\d+)", url).group(1) for url in asked] == ["1"]
    assert "level=1" in page.url
    page.goto("/?game=tic_tac_toe&level=d3")  # no level
    expect(page.locator("#level")).to_have_value("10")


# -- boards ------------------------------------------------------------------------------------------------------------


def test_the_winning_line_and_a_check_are_pointed_out(page: Page):
    def pointed_out() -> list[str]:
        return page.locator(".square:has(.zb-highlight)").evaluate_all("all => all.map(one => one.dataset.name)")

    page.goto("/?game=tic_tac_toe&side=both&moves=a1 b1 a2 b2 a3")
    expect(page.locator(".zb-highlight")).to_have_count(3)
    assert sorted(pointed_out()) == ["a1", "a2", "a3"]
    page.goto("/?game=chess&side=both&moves=e4 f6 d4 g5 Qh5%23")
    expect(page.locator(".zb-highlight")).to_have_count(1)
    assert pointed_out() == ["e8"]
    page.goto("/?game=chess&side=both&moves=e4 f6 d4")
    expect(page.locator(".square").first).to_be_visible()
    assert pointed_out() == []


def test_a_stone_is_popped_by_a_click_on_it_and_dropped_by_one_elsewhere(page: Page):
    page.goto("/?game=pop_out&side=both&moves=1 2")
    page.locator('.square[data-square="0"]').click()  # the top of the first column: a drop
    expect(page.locator(".played button").last).to_contain_text("1")
    page.click("#legal [data-move='2']")
    expect(page.locator(".played button").last).to_contain_text("4.")  # the board is that of the first player again
    page.locator('.square[data-square="35"]').click()  # the first player's own stone at the bottom
    expect(page.locator(".played button").last).to_contain_text("p1")


def test_a_line_of_sim_is_clicked_anywhere_along_it(page: Page):
    page.goto("/?game=sim&side=both")
    expect(page.locator(".square .zb-along")).to_have_count(15)
    ends = [page.locator(f'.square[data-name="{name}"]').bounding_box() for name in "ab"]
    (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in ends)
    page.mouse.click(x + 0.28 * (to_x - x), y + 0.28 * (to_y - y))  # far from its middle
    expect(page.locator(".played button").last).to_contain_text("ab")
    expect(page.locator(".zb-owned0")).to_have_count(1)


def test_moves_are_animated_unless_motion_is_reduced_and_sound_is_off_until_it_is_switched_on(chromium, server):
    with opened(chromium, server, reduced_motion="no-preference") as page:
        page.add_init_script("""
            window.animated = []; window.tones = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (frames, timing) {
                window.animated.push(Object.keys(frames).join());
                return animate.call(this, frames, timing);
            };
            const start = OscillatorNode.prototype.start;
            OscillatorNode.prototype.start = function (...when) { window.tones++; return start.apply(this, when); };
        """)
        page.goto("/?game=othello&side=both")
        page.click("#legal [data-move='d3']")
        expect(page.locator(".played li")).to_have_count(2)
        assert sorted(page.evaluate("animated")) == ["scale", "scale,opacity"]  # one disc turned, one placed
        assert page.evaluate("tones") == 0
        page.click("#sound")
        expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
        before = page.evaluate("tones")
        page.click("#legal [data-move='c3']")
        expect(page.locator(".played li")).to_have_count(3)
        assert page.evaluate("tones") > before > 0
        page.reload()
        expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")  # this browser remembers it
        page.emulate_media(reduced_motion="reduce")
        page.goto("/?game=othello&side=both")
        page.click("#legal [data-move='d3']")
        expect(page.locator(".played li")).to_have_count(2)
        assert page.evaluate("animated") == []
