"""Completion in bash, zsh and fish: the script that a shell sources, and the answers to its questions.

Typer has the scripts. Such a script runs `zermelo` at each press of Tab, with the words of the line in environment
variables, and shows what it prints. Where nothing is printed, the shell completes names of files.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

VARIABLE = "_ZERMELO_COMPLETE"
"""The environment variable by which the script of a shell asks for completions."""


class Shell(StrEnum):
    """The shells that have a script."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


def script(shell: Shell) -> str:
    """The script that makes a shell complete the command `zermelo`."""
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    found: str = get_completion_script(prog_name="zermelo", complete_var=VARIABLE, shell=shell.value)
    return found


def answer() -> int | None:
    """Print the completions that a shell asks for, and return the exit code; None if no shell asks."""
    question = os.environ.get(VARIABLE)
    if not question:
        return None
    import typer.main
    from typer.completion import completion_init, shell_complete  # type: ignore[attr-defined]

    from zermelo.app.cli import application

    completion_init()
    try:
        return shell_complete(typer.main.get_command(application()), {}, "zermelo", VARIABLE, question)
    except SystemExit as left:  # how fish is told whether there are any
        return left.code if isinstance(left.code, int) else 1
    except Exception:  # a line that cannot be read, or half of one: there is nothing to complete
        return 1


def games(incomplete: str) -> list[str]:
    """The games of the catalogue, and the Python files, whose names begin like this.

    >>> games("conn")
    ['connect_four', 'connect_k']
    """
    from zermelo.games.registry import GAMES

    found = [name for name in GAMES if name.startswith(incomplete)]
    return found + sorted(path.name for path in _python_files() if incomplete and path.name.startswith(incomplete))


def _python_files() -> list[Path]:
    try:
        return [path for path in Path().iterdir() if path.suffix == ".py"]
    except OSError:  # a folder that cannot be read, or is gone
        return []


def one_of(names: str) -> Callable[[str], list[str]]:
    """The completion of an option that takes one of these names, with commas between them.

    >>> one_of("minimax, negamax, alphabeta")("m")
    ['minimax']
    """
    return lambda incomplete: [name for name in names.split(", ") if name.startswith(incomplete)]
