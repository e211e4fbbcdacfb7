"""Take the screenshots of the web page for the documentation: `python docs/pictures/make.py`.

The script starts a server and uses the same browser as the tests.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "tests" / "helpers"))

from playwright.sync_api import Browser, Page, expect  # noqa: E402

import zermelo as z  # noqa: E402
from browser import launched, opened, serving  # noqa: E402

GAME = "4 4 4 4 4 3 3 2 3 5 5 5 2 2".replace(" ", "+")
BLUNDER = "5"  # 3 wins
WIDE = {"width": 1040, "height": 700}
TALL = {"width": 1040, "height": 860}
SHEET = {"width": 1240, "height": 3000}
SHEET_STYLE = "#gallery :is(.badges, .told) { display: none; }"
PHONE = {"width": 360, "height": 960}


def main() -> None:
    """Write home.png, play.png, analyze.png, learn.png, explore.png and the sheets of all boards beside this file."""
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        solved = Path(folder) / "solved.zermelo"
        z.solve(z.load("tic_tac_toe")).save(solved)
        with serving("connect_four", "--database", solved) as address:
            play(browser, address)
            analyze(browser, address)
            learn(browser, address)
            explore(browser, address)
        with serving() as address:
            home(browser, address)
            for theme in ("light", "dark"):
                boards(browser, address, theme)


def home(browser: Browser, address: str) -> None:
    with opened(browser, address, viewport=TALL, color_scheme="light") as page:
        page.goto("/?game=othello&moves=d3+c3+c4+e3+f4&side=both")
        expect(page.locator(".square").first).to_be_visible()
        page.click("#browse")
        expect(page.locator("#recent svg")).to_be_visible()
        expect(page.locator("#gallery section").first.locator(".waiting")).to_have_count(0)
        taken(page, "home")


def boards(browser: Browser, address: str, theme: str) -> None:
    """All boards on one sheet, as the gallery of the page shows them."""
    with opened(browser, address, viewport=SHEET, color_scheme=theme) as page:
        page.goto("/")
        page.add_style_tag(content=SHEET_STYLE)
        expect(page.locator("#gallery .card").first).to_be_visible()
        count = page.locator("#gallery .card").count()
        expect(page.locator("#gallery .card .thumbnail svg")).to_have_count(count)  # all of them are in view
        page.locator("#gallery").screenshot(path=HERE / f"boards-{theme}.jpg", type="jpeg", quality=82)


def play(browser: Browser, address: str) -> None:
    with opened(browser, address, viewport=WIDE, color_scheme="light") as page:
        page.goto(f"/?game=connect_four&moves={GAME}")
        page.click("#hint")
        expect(page.locator("#status")).to_contain_text("Hint:")
        taken(page, "play")


def analyze(browser: Browser, address: str) -> None:
    with opened(browser, address, viewport=TALL, color_scheme="dark") as page:
        page.goto(f"/?game=connect_four&moves={GAME}+{BLUNDER}&mode=analyze")
        page.click("#whole")
        expect(page.locator(".graph circle")).to_have_count(16)
        expect(page.locator("#looking")).to_have_count(0)
        taken(page, "analyze")


def learn(browser: Browser, address: str) -> None:
    with opened(browser, address, viewport=TALL, color_scheme="light") as page:
        page.goto("/?game=game_tree&mode=learn")
        page.locator(".stepper .tree").focus()
        for _ in range(25):
            page.keyboard.press("ArrowRight")
        taken(page, "learn")


def explore(browser: Browser, address: str) -> None:
    with opened(browser, address, viewport=PHONE, color_scheme="dark") as page:
        page.goto("/?game=tic_tac_toe&moves=b2&mode=explore")
        expect(page.locator(".values")).to_be_visible()
        taken(page, "explore")


def taken(page: Page, name: str) -> None:
    """Take the picture, with the pointer and the focus out of the way."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")
    page.screenshot(path=HERE / f"{name}.png")


if __name__ == "__main__":
    main()
