"""The site that `make docs` builds: no warning, no broken link, a picture of every game, and search from the disk."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import expect

import zermelo as z
from browser import opened

ROOT = Path(__file__).parents[2]


def test_site(tmp_path, chromium):
    """One test, since building takes seconds: the site is built once, then looked at in several ways."""
    site = tmp_path / "site"
    built(site)
    check_links(site)
    check_pictures(site)
    check_reference(site)
    check_nothing_is_fetched(site)
    check_search_from_disk(site, chromium)


def built(site):
    process = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert process.returncode == 0, process.stderr
    assert "WARNING" not in process.stderr, process.stderr


class Links(HTMLParser):
    """The addresses that a page names, and the anchors that it has."""

    def __init__(self, path):
        super().__init__()
        self.addresses, self.anchors = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.addresses += [found[name] for name in ("href", "src") if found.get(name)]
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}


def check_links(site):
    """Every relative link leads to a file of the site, and every fragment of a link to an anchor of its page."""
    pages = {path: Links(path) for path in site.rglob("*.html") if path.name != "404.html"}
    broken = []
    for path, links in pages.items():
        for address in links.addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file() or not found(parts.fragment, target, pages):
                broken.append(f"{path.relative_to(site)}: {address}")
    assert not broken, "\n".join(broken)


def found(fragment, target, pages):
    """Whether a page has an anchor; fragments of pictures are for style sheets."""
    return not fragment or target not in pages or unquote(fragment) in pages[target].anchors


def check_pictures(site):
    """The gallery shows every game of the catalogue in light and dark, and so does the page of each."""
    gallery = (site / "games" / "index.html").read_text()
    pages = "".join(path.read_text() for path in (site / "games").glob("*.html") if path.name != "index.html")
    for entry in z.catalog():
        for theme in ("light", "dark"):
            picture = f"boards/{entry.name}-{theme}.svg"
            assert f"../{picture}" in gallery, picture
            assert f"../{picture}" in pages, picture
            assert f'data-theme="{theme}"' in (site / picture).read_text()


def check_reference(site):
    """Every public name has its place in the reference."""
    pages = "".join(path.read_text() for path in (site / "api").glob("*.html"))
    anchors = set(re.findall(r'id="(zermelo[\w.]*)"', pages))
    for module in (z, z.textbook, z.games):
        names = [name for name in module.__all__ if not isinstance(getattr(module, name), type(z))]
        missing = [name for name in names if not any(anchor.endswith(f".{name}") for anchor in anchors)]
        assert not missing, (module.__name__, missing)
    assert {"zermelo.play.Engine", "zermelo.board.Grid", "zermelo.bits", "zermelo.tuples"} <= anchors


def check_nothing_is_fetched(site):
    """Scripts, style sheets and pictures are local."""
    for path in site.rglob("*.html"):
        text = path.read_text()
        assert not re.search(r'<(?:script|img|iframe)[^>]*\ssrc="(?:https?:)?//', text), path
        assert not re.search(r'<link[^>]*rel="(?:stylesheet|preconnect)"[^>]*href="(?:https?:)?//', text), path


def check_search_from_disk(site, chromium):
    """The index is there, and the box finds a page where the site was opened from a file, without any request."""
    assert (site / "search" / "search_index.js").stat().st_size > 100_000
    asked = []
    with opened(chromium, site.as_uri()) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{site.as_uri()}/games/chess.html")
        page.locator(".md-search__input").click()
        page.keyboard.type("retrograde")
        expect(page.locator(".md-search-result__item").first).to_contain_text(re.compile("retrograde", re.IGNORECASE))
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:"))] == []
