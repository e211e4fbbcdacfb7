"""zermelo book: opening books, made position by position."""

from __future__ import annotations

from pathlib import Path

from zermelo.app.commands.game_commands import open_game
from zermelo.app.output import console, say
from zermelo.files import check_writable
from zermelo.play.book import Book, make_book, open_book
from zermelo.searching import DEFAULT_MEGABYTES
from zermelo.searching.runtime.search_threads import in_background


def book(text: str, file: Path, plies: int, nodes: int, table: float | None) -> None:
    """Make a book, or extend the one in the file, which is saved after each position."""
    game = open_game(text)
    check_writable(file)
    found = open_book(game, file) if file.exists() else Book(game)
    if found.answers:
        say(f"{file} has {_positions(found)}; going on.")
    try:
        in_background(lambda: _fill(file, found, plies, nodes, table))
    except KeyboardInterrupt:
        say(f"Stopped; {file} has {_positions(found)}. The same command goes on." if found.answers else "Nothing yet.")
        raise
    console().print(f"{file}: {_positions(found)}.")


def _fill(file: Path, found: Book, plies: int, nodes: int, table: float | None) -> None:
    here = -1
    for ply, _ in make_book(found.game, plies, nodes, found, table or DEFAULT_MEGABYTES):
        found.save(file)  # a proof may take an hour; what came before is not to be lost
        if ply != here:
            say(f"Ply {ply}: {_positions(found)} so far.")
            here = ply
    found.save(file)


def _positions(found: Book) -> str:
    return f"{len(found):,} position{'' if len(found) == 1 else 's'}"
