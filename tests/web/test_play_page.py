"""Playing in a real browser: clocks, draw offers, how games end, and what follows."""

import re

from playwright.sync_api import Page, expect

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
    assert times(page) == ["5:00", "5:00"]
    page.select_option("#clock", "")
    expect(page.locator("#clocks")).to_be_hidden()


def test_the_engine_thinks_within_its_clock(page: Page):
    asked = []
    page.on("request", lambda request: "/api/move" in request.url and asked.append(request.url))
    page.goto("/?game=tic_tac_toe&level=s10&clock=1%2B0")
    page.click("#legal [data-move='b2']")
    expect(page.locator(".played li")).to_have_count(3)
    assert len(asked) == 1
    assert 1 < float(re.search(r"seconds=([\d.]+)", asked[0]).group(1)) <= 2  # a thirtieth of a minute, not ten seconds


def test_two_players_agree_to_a_draw_and_the_engine_judges_one(page: Page):
    page.goto("/?game=tic_tac_toe&side=both&moves=b2")
    page.click("#draw")
    expect(page.locator("#status")).to_have_text("Draw by agreement.")
    page.goto("/?game=tic_tac_toe&level=s1&moves=b2 a1")  # a draw by best play
    page.click("#draw")
    expect(page.locator("#status")).to_have_text("Draw by agreement.")
    expect(page.locator("#draw")).to_be_hidden()
    page.goto("/?game=tic_tac_toe&level=s1&side=second&moves=b2 b1 a1 a2 c1")  # Zermelo wins
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
    page.goto("/?game=tic_tac_toe&level=d3")
    names = page.locator("#level option").all_inner_texts()
    assert names[0] == "Beginner: looks 1 ply ahead"
    assert names[-1] == "looks 3 plies ahead"  # of a link, and of no level
    assert not any("Perfect" in name for name in names)  # that needs a solution
