"""ARCHITECTURE.md and the pages of docs/architecture name every module, and every module that they name exists.

A heading names a folder, as in "## Alpha-beta: `searching/alphabeta/`". A row of its table begins with the name of a
module in that folder. Folders are those of src/zermelo, or of the repository.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "zermelo"
PAGES = [ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs" / "architecture").glob("*.md"))]
MODULE = r"`([\w/.]+\.(?:py|js))`"


def folder_of(heading):
    """The folder that a heading names; None if it names none."""
    named = re.search(r"`([\w/]+/)`", heading)
    if named is None:
        return None
    return next(folder for folder in (PACKAGE / named[1], ROOT / named[1]) if folder.is_dir())


def sections(page):
    """The folder that each section of a page is about, and its text."""
    for section in re.split(r"^(?=#+ )", page.read_text(), flags=re.MULTILINE):
        heading, _, text = section.partition("\n")
        yield folder_of(heading), text


def listed(page):
    """The modules in the first column of the tables of a page."""
    for folder, text in sections(page):
        for row in re.findall(rf"^\| {MODULE} \|", text, re.MULTILINE) if folder else ():
            yield folder / row


def modules():
    """Every module that must be named; a package is named by the heading of its folder."""
    beside = [path for folder in ("tests/helpers", "tests/fuzz", "bench") for path in (ROOT / folder).glob("*.py")]
    return {path for path in (*PACKAGE.rglob("*.[pj][ys]"), *beside) if path.name != "__init__.py"}


def test_every_module_is_named_once():
    named = [module for page in PAGES for module in listed(page)]
    assert not texts(modules() - set(named)), "No page names these."
    assert not texts({module for module in named if named.count(module) > 1}), "Pages name these more than once."


def texts(paths):
    """Paths as text, one in a line."""
    return "\n".join(sorted(path.relative_to(ROOT).as_posix() for path in paths))


def test_every_package_has_a_heading():
    headings = {folder.resolve() for page in PAGES for folder, _ in sections(page) if folder}
    packages = {path.parent for path in PACKAGE.rglob("__init__.py")}
    assert not texts(packages - headings)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_named_module_exists(page):
    """In tables and in sentences, where a module may be named from its section, its package or the repository."""
    missing = []
    for folder, text in sections(page):
        for name in re.findall(MODULE, text):
            homes = (folder, PACKAGE, ROOT, *(home for home, _ in sections(page)))
            if not any(home and (home / name).is_file() for home in homes):
                missing.append(name)
    assert not "\n".join(missing)


def test_every_page_is_linked():
    text = PAGES[0].read_text()
    assert [page.name for page in PAGES[1:] if f"(docs/architecture/{page.name}" not in text] == []


def test_recipes_name_files_that_exist():
    """CONTRIBUTING.md names what to touch; files of the reader's own are called your_something."""
    names = re.findall(r"`([\w./]*/[\w./]*)`", (ROOT / "CONTRIBUTING.md").read_text())
    assert len(names) > 20
    homes = (ROOT, PACKAGE)
    assert [name for name in names if "your_" not in name and not any((home / name).exists() for home in homes)] == []
