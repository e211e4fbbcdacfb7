"""Documents run: every Python block, every `$ zermelo` command and every docstring does what it says.

A Python block that begins with a comment naming a file (`# my_game.py`) is saved under that name and run; others run
in the order of the page, sharing their names; `>>>` blocks are doctests. In a `console` block, each `$ zermelo ...`
line is run in the folder of those files, and its output must match the lines below it, `...` standing for anything.
"""

import doctest
import importlib
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo
from zermelo.game import REQUIRED

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = sorted(module.name for module in pkgutil.walk_packages(zermelo.__path__, "zermelo."))


def blocks(page, *languages):
    """The fenced blocks of a page in these languages, as (language, line number, text)."""
    text = page.read_text()
    for block in re.finditer(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if block[1] in languages:
            yield block[1], text[: block.start()].count("\n") + 2, block[2]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    names = {"__name__": "__page__"}
    for language, line, text in blocks(page, "python", "console"):
        if language == "console":
            for command, expected in commands(text):
                check_command(page, line, command, expected, tmp_path)
        elif ">>>" in text:
            check_doctest(page, line, text, names)
        else:
            run_block(page, line, text, names, tmp_path)


def run_block(page, line, text, names, folder):
    """Run a block; save it first where its first line names a file."""
    where = f"{page.name}:{line}"
    if found := re.match(r"# (\w+\.py)\n", text):
        (folder / found[1]).write_text(text)
        where = str(folder / found[1])
    exec(compile(text, where, "exec"), names)


def check_doctest(page, line, text, names):
    test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), line)
    report = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append, clear_globs=False)
    assert result.failed == 0, "".join(report)
    names.update(test.globs)


def commands(text):
    """Each `$ zermelo` command of a console block with the output that the page shows."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        if command.startswith("zermelo "):
            yield command, expected


SLOW = re.compile(
    r"Finishing the compilation for the next run \.\.\. \(Ctrl-C exits at once\)\n|\d+ of \d+ positions evaluated\.\n"
)
"""What commands say only where the compiler, or the machine, is slow."""


def check_command(page, line, command, expected, folder):
    process = subprocess.run(
        [sys.executable, "-m", "zermelo", *shlex.split(command)[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "120", "NO_COLOR": "1"},
    )
    got = process.stdout + SLOW.sub("", process.stderr)
    assert doctest.OutputChecker().check_output(expected, got, FLAGS), f"{page.name}:{line} $ {command}\n{got}"


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    if name.endswith("__main__"):
        return
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=FLAGS)
    assert result.failed == 0


def test_there_is_something_to_run():
    assert PAGES[0].exists()
    assert any(blocks(PAGES[0], "python"))
    assert any(blocks(PAGES[0], "console"))


def test_the_table_of_rules_names_every_rule():
    page = (ROOT / "docs" / "your-own-game.md").read_text()
    table = page.partition("## Rules you may add\n")[2].partition("\n## ")[0]
    rules = {name for name, member in vars(zermelo.Game).items() if callable(member) and name[0] != "_"}
    listed = set(re.findall(r"`(\w+)\(", table))
    assert rules - {*REQUIRED, "has"} <= listed
