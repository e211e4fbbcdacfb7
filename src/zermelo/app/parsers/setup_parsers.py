"""The parsers of `zermelo cache` and `completion`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from zermelo.app import shell_completion
from zermelo.app.options import Json
from zermelo.arguments import megabytes


def _size(text: str) -> float:
    """The megabytes of --size; 0 is a size too."""
    found = 0.0 if text.strip() == "0" else megabytes(text)
    if found is None:
        raise typer.BadParameter(f"--size must be a size such as 200MB or 1GB, not {text!r}.")
    return found


def cache(
    prune: Annotated[
        bool, typer.Option("--prune", help="Delete what older versions left, and what was not used for longest.")
    ] = False,
    size: Annotated[
        Any, typer.Option(parser=_size, metavar="SIZE", help="What --prune leaves; the bound of the cache by default.")
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Delete all compiled kernels.")] = False,
    json: Json = False,
) -> None:
    """Show the folder of compiled kernels and what it holds, by game and version; prune or clear it.

    ZERMELO_CACHE names another folder, and ZERMELO_CACHE_SIZE another bound, such as 200MB; by default it is 1GB. When
    the folder grows beyond its bound, kernels that were not used for the longest time are deleted.
    """
    from zermelo.app.commands import cache_command

    if prune and clear:
        raise typer.BadParameter("--prune and --clear exclude each other.")
    if size is not None and not prune:
        raise typer.BadParameter("--size is for --prune.")
    if prune:
        cache_command.prune(size, json)
    elif clear:
        cache_command.clear(json)
    else:
        cache_command.show(json)


def completion(
    shell: Annotated[shell_completion.Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> None:
    """Print the script that makes a shell complete commands, options, games and files.

    bash: put `eval "$(zermelo completion bash)"` into ~/.bashrc. zsh: put `eval "$(zermelo completion zsh)"` into
    ~/.zshrc, after compinit. fish: run `zermelo completion fish > ~/.config/fish/completions/zermelo.fish`.
    """
    print(shell_completion.script(shell))
