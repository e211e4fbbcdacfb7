"""Pages of the site that are files outside docs/: the documents in the root, and source files that pages link to.

A page links to `../../src/zermelo/games/pig.py`, which works on a code host. In the site the link leads to a page with
the text of that file. Links to folders become plain text.
"""

from __future__ import annotations

import os.path
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
DOCUMENTS = {
    "README.md": "readme.md",
    "ARCHITECTURE.md": "architecture/index.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
}
"""Documents in the root of the repository, and where the site has them."""

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LANGUAGES = {".py": "python", ".js": "javascript", ".css": "css", ".toml": "toml", ".ipynb": "json", ".json": "json"}


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the documents of the root, and a page for each file of the repository that some page links to."""
    for name, uri in DOCUMENTS.items():
        files.append(File.generated(config, uri, content=(ROOT / name).read_text()))
    linked = {path for file in files.documentation_pages() for path in _linked_files(file)}
    for path in sorted(linked):
        files.append(File.generated(config, f"source/{path}.md", content=_source_page(path)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links into the repository into links into the site."""
    here = page.file.src_uri

    def moved(link: re.Match[str]) -> str:
        mark, text, target, anchor = link[1], link[2], link[3], link[4] or ""
        if _is_external(target):
            return link[0]
        path = _repository_path(here, target)
        if (ROOT / path).is_dir():
            return text
        return f"{mark}[{text}]({os.path.relpath(_site_uri(path), os.path.dirname(here) or '.')}{anchor})"

    return _outside_code(markdown, lambda text: LINK.sub(moved, text))


def _outside_code(markdown: str, change) -> str:
    """The text with `change` applied to everything but fenced blocks."""
    return "".join(part if part.startswith("```") else change(part) for part in FENCED.split(markdown))


def _linked_files(file: File) -> set[str]:
    """The files outside docs/ that a page links to, as paths in the repository."""
    found: set[str] = set()

    def look(text: str) -> str:
        for _, _, target, _ in LINK.findall(text):
            path = "" if _is_external(target) else _repository_path(file.src_uri, target)
            if path and path not in DOCUMENTS and not path.startswith("docs/") and (ROOT / path).is_file():
                found.add(path)
        return text

    _outside_code(file.content_string, look)
    return found


def _is_external(target: str) -> bool:
    return target.startswith(("http://", "https://", "mailto:"))


def _repository_path(uri: str, target: str) -> str:
    """The path in the repository that a link means, given the page of the site it stands on."""
    home = next((name for name, place in DOCUMENTS.items() if place == uri), f"docs/{uri}")
    return os.path.normpath(os.path.join(os.path.dirname(home), target))


def _site_uri(path: str) -> str:
    """The page or file of the site that holds a file of the repository."""
    if path in DOCUMENTS:
        return DOCUMENTS[path]
    return path.removeprefix("docs/") if path.startswith("docs/") else f"source/{path}.md"


def _source_page(path: str) -> str:
    """A page that shows a source file. Search leaves it out: the reference has the names."""
    language = LANGUAGES.get(Path(path).suffix, "text")
    text = (ROOT / path).read_text()
    return f"---\nhide: [navigation, toc]\nsearch:\n  exclude: true\n---\n# {path}\n\n````{language}\n{text}````\n"
