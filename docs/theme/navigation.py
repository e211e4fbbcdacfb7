"""The order of the pages: that of their links in docs/index.md and ARCHITECTURE.md, and games by title."""

from __future__ import annotations

import re
from pathlib import Path

import api_reference
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

DOCS = Path(__file__).parents[1]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the navigation."""
    pages = _linked(DOCS / "index.md")
    config.nav = [
        {"Home": "index.md"},
        {"Overview": "readme.md"},
        {"Guide": [page for page in pages if "/" not in page]},
        {"Tutorial": [page for page in pages if page.startswith("tutorial/")]},
        {"Games": ["games/index.md", *_games()]},
        {"Reference": [f"api/{name}.md" for name in api_reference.pages()]},
        {"Architecture": ["architecture/index.md", *_architecture()]},
        {"Project": ["project/contributing.md", "project/changelog.md"]},
    ]
    return config


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Leave the list of neighbours out where there are none, and link the gallery, which no document names."""
    if page.file.src_uri in ("index.md", "readme.md"):
        page.meta["hide"] = ["navigation"]
    if page.file.src_uri == "index.md":
        markdown = markdown.replace("## Games\n", "## Games\n\n[The gallery](games/index.md) shows every board.\n", 1)
    return markdown


def _games() -> list[str]:
    titles = {page.name: page.read_text().partition("\n")[0] for page in (DOCS / "games").glob("*.md")}
    return [f"games/{name}" for name in sorted(titles, key=titles.__getitem__)]


def _architecture() -> list[str]:
    linked = _linked(DOCS.parent / "ARCHITECTURE.md")
    return [page.removeprefix("docs/") for page in linked if page.startswith("docs/architecture/")]


def _linked(document: Path) -> list[str]:
    """The Markdown files that a document links to, each once, in order."""
    return list(dict.fromkeys(re.findall(r"\]\(([\w/.-]+\.md)(?:#[\w-]*)?\)", document.read_text())))
