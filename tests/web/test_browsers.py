"""The page in Chromium and in Firefox: on every width, with mouse and finger, by axe in both themes, and its weight."""

import re
from collections.abc import Iterator
from importlib.resources import files
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from browser import PATIENCE, opened
from firefox import Firefox, firefox

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RUN_AXE = """axe.run({resultTypes: ["violations"]}).then(
    ({violations}) => violations.map(({id, nodes}) => [id, nodes.map(({html}) => html)]))"""
MODES = ("play", "analyze", "explore", "learn")
WIDTHS = (360, 768, 1280, 1920)
GAMES = (
    "connect_four",
    "othello",
    "backgammon",
    "kalah",
    "chess",
    "nine_mens_morris",
    "dobutsu_shogi",
    "pig",
    "sim",
    "quarto",
)
LESSONS = ("quiz=mixed", "lecture=1&step=14", "quiz=branches", "lecture=1&quiz=cut")
"""What Learn has beside the steps of a search."""
SHOWN = {  # what is there once a mode has settled
    "home": "document.querySelector('#gallery .card svg')",
    "play": "document.querySelector('#mode #level')",
    "analyze": "document.querySelector('#mode .verdict') ?? document.querySelector('#status.over')",
    "explore": "document.querySelector('#mode #solve, #mode .values')",
    "learn": "document.querySelector('#learn .tree, #learn svg')",
}


@pytest.fixture(scope="module")
def fox() -> Iterator[Firefox]:
    with firefox() as window:
        yield window
        assert not window.errors


def until(page: Page, script: str) -> None:
    for _ in range(PATIENCE // 50):
        if page.evaluate(f"Boolean({script})"):
            return
        page.wait_for_timeout(50)
    said = [page.inner_text(part) for part in ("#status", "#notice")]
    pytest.fail(f"{script} did not come true at {page.url}; the page says {said}.")


def check(page: Page, mode: str) -> None:
    """axe finds nothing on the page, and nothing is wider than the window."""
    until(page, SHOWN[mode])
    page.evaluate(AXE)
    assert page.evaluate(RUN_AXE) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_any_mode(chromium, server, theme):
    with opened(chromium, server, color_scheme=theme, reduced_motion="reduce") as page:
        for mode in MODES:
            page.goto(f"/?game=tic_tac_toe&moves=b2 a1 c3&side=both&mode={mode}")
            check(page, mode)
        for query in LESSONS[:2]:  # every width has all of them
            page.goto(f"/?game=game_tree&mode=learn&{query}")
            check(page, "learn")
        page.goto("/?game=tic_tac_toe&moves=b2 a1 c3 b1 a3 c1 b3&side=both")  # over
        page.click("#exchange")
        expect(page.locator("#moves-text")).to_have_value(re.compile("b2 a1"))
        page.evaluate(AXE)
        assert page.evaluate(RUN_AXE) == []
        page.goto("/")
        expect(page.locator("#recent .card svg").first).to_be_visible()
        expect(page.locator("#gallery .card svg").first).to_be_visible()
        page.evaluate(AXE)
        assert page.evaluate(RUN_AXE) == []


def test_firefox_plays_with_mouse_and_finger(fox, server):
    for width, touch in ((1280, False), (360, True)):
        fox.resize(width, 800)
        fox.goto(f"{server}?game=tic_tac_toe&level=1")
        fox.click('.square[data-square="4"]', touch=touch)
        fox.until("document.querySelectorAll('.played li').length === 3")
        assert fox.evaluate("document.documentElement.scrollWidth <= innerWidth")
    fox.goto(f"{server}?game=tic_tac_toe&moves=b2&mode=analyze")
    fox.until("document.querySelector('#proof')?.textContent === 'proven'")
    fox.run(AXE)
    assert fox.evaluate(RUN_AXE) == []
    fox.press("Home")
    fox.until("document.querySelector('[aria-current=step]')?.textContent === 'Start'")


def test_firefox_gives_a_lecture_and_a_quiz(fox, server):
    fox.resize(1280, 720)
    fox.goto(f"{server}?game=tic_tac_toe&moves=b2+a1+c3&mode=learn&lecture=1")
    fox.until("document.querySelector('.code li')")
    fox.press("PageDown", "PageDown")
    fox.until("document.querySelector('.code .lit')?.textContent.startsWith('function max_value')")
    fox.goto(f"{server}?game=game_tree&mode=learn&quiz=value&lecture=1")
    fox.until("document.querySelectorAll('.choices button').length === 4")
    fox.press("PageDown")
    fox.until("document.querySelector('.choices .right')?.textContent.endsWith('exactly 3')")
    fox.run(AXE)
    assert fox.evaluate(RUN_AXE) == []


def test_the_first_board_is_light_and_nothing_comes_from_elsewhere(chromium, server):
    sizes, hosts = [], set()

    def weigh(request: Request) -> None:
        hosts.add(urlsplit(request.url).netloc)
        sizes.append(request.sizes()["responseBodySize"])

    with opened(chromium, server) as page:
        page.on("requestfinished", weigh)
        page.goto("/?game=connect_four")
        expect(page.locator(".square").first).to_be_visible()
        page.wait_for_load_state("networkidle")
    assert hosts == {urlsplit(server).netloc}
    assert len(sizes) > 30
    assert sum(sizes) < 200_000, sum(sizes)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_width_in_chromium(chromium, server, width, theme):
    touch = width < 1000
    with opened(
        chromium,
        server,
        viewport={"width": width, "height": 900},
        has_touch=touch,
        color_scheme=theme,
        reduced_motion="reduce",
    ) as page:
        page.goto("/")
        check(page, "home")
        for game in GAMES:
            page.goto(f"/?game={game}&side=both")
            check(page, "play")
            page.locator("#legal [data-move]").first.click()
            until(page, "document.querySelectorAll('.played li').length > 1")
        for mode in MODES:
            page.goto(f"/?game=connect_four&moves=4 4 3&mode={mode}")
            check(page, mode)
        for query in LESSONS:
            page.goto(f"/?game=game_tree&mode=learn&{query}")
            check(page, "learn")
        page.goto("/?game=tic_tac_toe&side=both")
        square = page.locator('.square[data-square="4"]')
        square.tap() if touch else square.click()
        until(page, "document.querySelectorAll('.played li').length === 2")


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_every_width_in_firefox(fox, server, width):
    fox.resize(width, 900)
    for game in GAMES:
        fox.goto(f"{server}?game={game}&side=both")
        fox.until(SHOWN["play"])
        assert fox.evaluate("document.documentElement.scrollWidth <= innerWidth"), game
        fox.click("#legal [data-move]", touch=width < 1000)
        fox.until("document.querySelectorAll('.played li').length > 1")
    for theme in ("light", "dark"):
        for mode in MODES:
            fox.goto(f"{server}?game=connect_four&moves=4+4+3&mode={mode}")
            fox.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            fox.until(SHOWN[mode])
            fox.run(AXE)
            assert fox.evaluate(RUN_AXE) == [], (mode, theme)
