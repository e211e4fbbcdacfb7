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
        bool, typer.Option("--prune", help="Delete the kernels of older versions, then the least recently used.")
    ] = False,
    size: Annotated[
        Any, typer.Option(parser=_size, metavar="SIZE", help="The size that --prune leaves; by default the size limit.")
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Delete all compiled kernels.")] = False,
    json: Json = False,
) -> None:
    """Show, prune or clear the cache of compiled kernels.

    Without an option, list the contents of its folder by game and version. ZERMELO_CACHE names another folder.
    ZERMELO_CACHE_SIZE sets the size limit, such as 200MB; the default is 1GB. When the folder grows beyond the limit,
    the kernels that were not used for the longest time are deleted.
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
    """Print the script for shell completion.

    With the script, the shell completes commands, options, games and files.

    bash: put `eval "$(zermelo completion bash)"` into ~/.bashrc. zsh: put `eval "$(zermelo completion zsh)"` into
    ~/.zshrc, after compinit. fish: run `zermelo completion fish > ~/.config/fish/completions/zermelo.fish`.
    """
    print(shell_completion.script(shell))
