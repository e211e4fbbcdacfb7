"""Names in the package: each stands for one thing, and no folder is too long to read."""

import ast
import importlib
import inspect
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import zermelo

SOURCE = Path(zermelo.__file__).parent
PACKAGES = sorted({path.parent for path in SOURCE.rglob("__init__.py")})
MODULES = sorted(path for path in SOURCE.rglob("*.py") if not path.stem.startswith("__"))

MAX_MODULES = 17
"""In one folder. games/ may have more, since it has a file for each game; a game's constants are its own."""


def folder_name(folder: Path) -> str:
    return ".".join(folder.relative_to(SOURCE.parent).parts)


@pytest.mark.parametrize("folder", PACKAGES, ids=folder_name)
def test_no_function_has_the_name_of_a_submodule(folder):
    package = importlib.import_module(folder_name(folder))
    paths = [path for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    submodules = {path.stem for path in paths} - {"__init__", "__main__"}
    found = {name: getattr(package, name) for name in submodules if hasattr(package, name)}
    assert [name for name, member in found.items() if not inspect.ismodule(member)] == []


def test_module_names_are_unique():
    names = Counter(path.stem for path in MODULES)
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("folder", [folder for folder in PACKAGES if folder != SOURCE / "games"], ids=folder_name)
def test_a_folder_is_short_enough_to_read(folder):
    assert len([path for path in MODULES if path.parent == folder]) <= MAX_MODULES


@pytest.mark.parametrize("folder", [folder for folder in PACKAGES if folder != SOURCE / "games"], ids=folder_name)
def test_a_constant_has_one_value_in_a_folder(folder):
    values = defaultdict(lambda: defaultdict(list))
    for path in MODULES:
        if path.parent == folder:
            for name, value in constants(path):
                values[name][value].append(path.name)
    assert {name: dict(by_value) for name, by_value in values.items() if len(by_value) > 1} == {}


def constants(path):
    """The public UPPER_CASE names that a module assigns, each with the text of its value."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        else:
            targets = statement.targets if isinstance(statement, ast.Assign) else []
        for target in targets:
            for name, value in assigned(target, statement.value):
                if name.isupper() and not name.startswith("_"):
                    yield name, value


def assigned(target, value):
    """Each name of an assignment with its value; names of a tuple with theirs."""
    if isinstance(target, ast.Name):
        yield target.id, "" if value is None else ast.unparse(value)
    elif isinstance(target, ast.Tuple):
        parts = value.elts if isinstance(value, ast.Tuple) else None
        for number, name in enumerate(target.elts):
            text = ast.unparse(parts[number]) if parts else f"{ast.unparse(value)}[{number}]"
            yield from [(name.id, text)] if isinstance(name, ast.Name) else []
