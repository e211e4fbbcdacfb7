"""zermelo cache: show the folder of compiled kernels, prune it, or clear it."""

from __future__ import annotations

import time
import warnings
from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from zermelo.app.output import console, print_json
from zermelo.formatting import size_text
from zermelo.game import GameError
from zermelo.native.cache import cache_maintenance
from zermelo.native.cache.cache_maintenance import Summary
from zermelo.native.cache.private_folder import resolve_private_folder


def show(as_json: bool) -> None:
    """Print the folder, its size and its bound, and its entries by game and version."""
    bound = cache_maintenance.cache_bytes()
    named, folder = _folders()
    found = Summary(named, 0, 0, []) if folder is None else cache_maintenance.summary(folder)
    if as_json:
        print_json({**asdict(found), "bound": bound, "version": cache_maintenance.current_version()})
        return
    console().print(str(found.folder))
    kernels = f"{found.entries:,} {'entry' if found.entries == 1 else 'entries'}"
    console().print(f"{kernels}, {size_text(found.size)} of at most {bound / 2**20:,.0f} MB")
    if found.groups:
        console().print()
        console().print(_table(found))


def prune(megabytes: float | None, as_json: bool) -> None:
    """Delete entries of older versions, and the least recently used ones beyond a size, which is the bound if None."""
    size = cache_maintenance.cache_bytes() if megabytes is None else int(megabytes * 2**20)
    _, folder = _folders()
    _print_deleted((0, 0) if folder is None else cache_maintenance.prune(folder, size), as_json)


def clear(as_json: bool) -> None:
    """Delete every entry."""
    _, folder = _folders()
    _print_deleted((0, 0) if folder is None else cache_maintenance.clear(folder), as_json)


def _folders() -> tuple[Path, Path | None]:
    """The folder as it is named, and the folder itself; None if it does not exist.

    Raise GameError if others can write to it, or the user has no home.
    """
    try:
        named = cache_maintenance.cache_folder()
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            return named, resolve_private_folder(named)
    except RuntimeWarning as problem:
        raise GameError(str(problem)) from None
    except RuntimeError:
        raise GameError("There is no home folder and so no cache; ZERMELO_CACHE names a folder for it.") from None


def _table(found: Summary) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for title, side in (("game", "left"), ("version", "left"), ("entries", "right"), ("size", "right")):
        table.add_column(title, justify=side)  # type: ignore[arg-type]
    table.add_column("last used")
    for group in found.groups:
        game = group.game or ("(shared)" if group.version else "(unknown)")
        version = group.version or "older"
        table.add_row(game, version, f"{group.entries:,}", size_text(group.size), ago(time.time() - group.used))
    return table


def ago(seconds: float) -> str:
    """How long ago something was, in words.

    >>> [ago(seconds) for seconds in (3, 60, 7_000, 100_000, 10_000_000)]
    ['just now', '1 minute ago', '1 hour ago', '1 day ago', '115 days ago']
    """
    for unit, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= unit:
            count = int(seconds // unit)
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return "just now"


def _print_deleted(deleted: tuple[int, int], as_json: bool) -> None:
    count, size = deleted
    if as_json:
        print_json({"deleted": count, "size": size})
    else:
        console().print(f"Deleted {count:,} {'entry' if count == 1 else 'entries'}, {size_text(size)}.")
