"""The reference: a page for each group of public names, made from their docstrings."""

from __future__ import annotations

import ast
import importlib
from collections import defaultdict
from inspect import ismodule
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import zermelo
from zermelo.games.registry import Entry

GROUPS = {
    "game": "rules",
    "value": "rules",
    "limits": "searching",
    "searching": "searching",
    "monte_carlo_settings": "searching",
    "solving": "solving",
    "simulation": "simulation",
    "learning": "learning",
    "files": "solving",
    "checking": "checking",
    "games": "catalog",
    "native": "native",
    "show": "pictures",
    "matches": "matches",
    "records": "records",
    "design": "design",
}
"""The page of a name of `zermelo`, by the part of the package that defines it; zermelo.textbook has its own page."""

TITLES = {
    "rules": "Games and values",
    "searching": "Searching",
    "solving": "Solving",
    "simulation": "Random games and counting",
    "learning": "Learning",
    "checking": "Checking",
    "catalog": "The catalogue",
    "native": "Compiling",
    "pictures": "Pictures",
    "matches": "Matches",
    "records": "Game records",
    "design": "Game design",
}

MODULES = {
    "textbook": ("The textbook algorithms", ["zermelo.textbook"]),
    "play": ("Playing", ["zermelo.play"]),
    "board": ("Boards", ["zermelo.board"]),
    "arithmetic": ("Words and tuples", ["zermelo.bits", "zermelo.tuples"]),
    "plots": ("Plots", ["zermelo.show.plots"]),
    "adapters": (
        "Adapters",
        [f"zermelo.games.adapters.{name}" for name in ("open_spiel", "pettingzoo", "python_chess", "encoding")],
    ),
}
"""Pages for whole modules: their public names."""

PACKAGES = ("zermelo.textbook", "zermelo.play")
"""Those that import their names from elsewhere: documented name by name."""


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages of the reference."""
    for name, content in pages().items():
        files.append(File.generated(config, f"api/{name}.md", content=content))
    return files


def pages() -> dict[str, str]:
    """Every page of the reference, as Markdown."""
    groups = _grouped()
    contents = {group: (title, groups[group]) for group, title in TITLES.items()} | MODULES
    listed = "".join(f"- [{title}]({group}.md)\n" for group, (title, _) in contents.items())
    return {
        "index": f"# Reference\n\n{zermelo.__doc__}\n\n{listed}- [Classes of the games](games.md)\n",
        **{group: _page(title, [_entry(name) for name in names]) for group, (title, names) in contents.items()},
        "games": _page("Classes of the games", [_game_entry(entry) for entry in zermelo.catalog()]),
    }


def _grouped() -> dict[str, list[str]]:
    """The names of `zermelo` that are no modules, by page."""
    imported = _imported_names(Path(zermelo.__file__))
    found = defaultdict(list)
    for name in zermelo.__all__:
        value = getattr(zermelo, name)
        if ismodule(value):
            continue
        module = imported.get(name) or value.__module__
        part = module.split(".")[1]
        if part != "textbook":
            found[GROUPS[part]].append(f"zermelo.{name}" if name in imported else f"{module}.{name}")
    return {group: sorted(names, key=_is_constant) for group, names in found.items()}


def _is_constant(name: str) -> bool:
    return name.rpartition(".")[2].isupper()


def _imported_names(path: Path) -> dict[str, str]:
    """The names that a module imports, those for type checkers included, with the modules they come from."""
    imports = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name: node.module or "" for node in imports for alias in node.names}


def _page(title: str, entries: list[str]) -> str:
    """A page in Markdown. It comes after the guide and the tutorial where a search finds all of them."""
    return f"---\nsearch:\n  boost: 0.2\n---\n# {title}\n\n" + "\n".join(entries)


def _entry(name: str, **options: bool) -> str:
    """The directive that documents a name: a function, a class with its methods, or a module with its names."""
    if name in PACKAGES:
        return "\n".join(_entry(f"{name}.{each}") for each in importlib.import_module(name).__all__)
    lines = (f"      {key}: {str(on).lower()}" for key, on in {"show_root_full_path": True, **options}.items())
    return "\n".join([f"::: {name}", "    options:", *lines, ""])


def _game_entry(entry: Entry) -> str:
    """A class of the catalogue, and how it is loaded."""
    given = ", ".join(f"{name}={default!r}" for name, default in entry.parameters.items())
    directive = _entry(f"zermelo.games.{entry.game.__name__}", members=False)
    return f"{directive}\n```python\nz.load({f'{entry.name}({given})' if given else entry.name!r})\n```\n"
