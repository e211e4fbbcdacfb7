"""A picture of every game's board, in light and dark: a gallery, and one at the top of each game's page."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import zermelo as z
from zermelo.app.web.gallery import opened
from zermelo.board import Marks
from zermelo.games.registry import GAMES, Entry
from zermelo.show.laid_tiles import tiles_laid

PAGES = Path(__file__).parents[1] / "games"
SHARED_PAGES = {"pop_out": "connect_k"}
"""Games that are described on the page of another one, which their module does not say."""


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
    session = opened(z.load(name))
    game, state = session.game, session.state
    return z.picture(game, state, marks=Marks(laid=tiles_laid(game, game.board(state), session.history))).svg()


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
