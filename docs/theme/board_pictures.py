"""A picture of every game's board, in light and dark: a gallery, and one at the top of each game's page."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import zermelo as z
from zermelo.games.registry import GAMES, Entry

PAGES = Path(__file__).parents[1] / "games"
SHARED_PAGES = {"pop_out": "connect_k"}
"""Games that are described on the page of another one, which their module does not say."""

OPENINGS = {
    "tic_tac_toe": "b2 a1 c1",
    "connect_four": "4 4 4 3 3 5",
    "connect_k": "4 4 4 3 3 5",
    "pop_out": "4 4 4 3 3 5",
    "gomoku": "h8 i9 h9 h7 i8",
    "hex": "d4 c5 e3 c3",
    "y": "c3 d2 b4",
    "domineering": "b1-b2 d3-e3 c5-c6",
    "dots_and_boxes": "b1b2 c3c4 c1d1 b2c2 a2a3",
    "sim": "ad ce ef ac",
    "quarto": "4 c1 5 b2 9 c3 E",
    "teeko": "c3 b3 d3 c2",
    "three_mens_morris": "b2 a1 c3",
    "six_mens_morris": "e1 b4 b2 c5",
    "nine_mens_morris": "d2 f4 g7 d6",
    "lasker_morris": "d2 f4 g7 d6",
    "twelve_mens_morris": "d2 f4 g7 d6",
    "2048": "a4:2 b4:2 left d1:2 up b2:4 left c3:2",
    "twenty48": "b2:2 b1:2 up a1:2",
    "drop48": "b2:2 b1:2 up a1:2",
}
"""Moves from the start, for boards that are empty then. Other games are drawn in their initial position."""


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pictures and the gallery."""
    for entry in z.catalog():
        picture = drawing(entry.name)
        for theme in ("light", "dark"):
            content = picture.replace("<svg ", f'<svg data-theme="{theme}" ', 1)
            files.append(File.generated(config, f"boards/{entry.name}-{theme}.svg", content=content))
    files.append(File.generated(config, "games/index.md", content=gallery()))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the pictures of its games below the title of a page."""
    names = [name for name in GAMES if page.file.src_uri == f"games/{page_of(name)}.md"]
    if not names:
        return markdown
    captions = names if len(names) > 1 else [""]
    figures = "\n".join(_figure(name, caption) for name, caption in zip(names, captions, strict=True))
    return re.sub(r"^(# .*)$", lambda title: f"{title[1]}\n\n{figures}\n", markdown, count=1, flags=re.MULTILINE)


def drawing(name: str) -> str:
    """The board of a game as SVG."""
    game = z.load(name)
    return z.picture(game, z.position(game, OPENINGS.get(name, ""))).svg()


def page_of(name: str) -> str:
    """The name of the page that describes a game: its own, or that of its module or folder."""
    *_, folder, module = GAMES[name].partition(":")[0].split(".")
    for candidate in (name, SHARED_PAGES.get(name), module, folder):
        if candidate and (PAGES / f"{candidate}.md").exists():
            return candidate
    raise LookupError(f"No page of docs/games describes {name}.")


def gallery() -> str:
    """The page that shows all boards."""
    return "\n".join(
        ["# Games", "", '<div class="boards" markdown>', "", *(_card(entry) for entry in z.catalog()), "</div>", ""]
    )


def _card(entry: Entry) -> str:
    said = f"[**{entry.name}**]({page_of(entry.name)}.md): {entry.description}"
    return f"<figure markdown>\n{_images(entry.name)}\n<figcaption markdown>{said}</figcaption>\n</figure>\n"


def _figure(name: str, caption: str) -> str:
    said = f"\n<figcaption>{caption}</figcaption>" if caption else ""
    return f'<figure class="board" markdown>\n{_images(name)}{said}\n</figure>\n'


def _images(name: str) -> str:
    alt = f"The board of {name}"
    return "".join(f"![{alt}](../boards/{name}-{theme}.svg#only-{theme})" for theme in ("light", "dark"))
