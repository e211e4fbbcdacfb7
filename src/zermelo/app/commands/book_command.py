"""zermelo book: opening books, made position by position."""

from __future__ import annotations

import time
from pathlib import Path

from zermelo.app.commands.game_commands import open_game
from zermelo.app.output import console, say
from zermelo.files import check_writable
from zermelo.formatting import count_text
from zermelo.limits import Limit
from zermelo.play.books.drop_out_expansion import expand
from zermelo.play.books.learned_book import LearnedBook, open_learned
from zermelo.play.books.proven_book import Book, make_book, open_book
from zermelo.records.records_api import read_records
from zermelo.searching import DEFAULT_MEGABYTES
from zermelo.searching.runtime.search_threads import in_background

SAVE_SECONDS = 20.0
"""Seconds between two saves of a learned book."""


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


def learned_book(text: str, file: Path, records: list[Path], positions: int, limit: Limit, plies: int) -> None:
    """Make a learned book, or extend the one in the file: from recorded games, then by search."""
    game = open_game(text)
    check_writable(file)
    found = open_learned(game, file) if file.exists() else LearnedBook(game)
    games = 0
    for source in records:
        for record in read_records(source, game):
            if record.finished:
                session = record.session(game)
                found.learn(session.start, [turn.move for turn in session.history], record.winner, plies)
                games += 1
    if records:
        say(f"{count_text(games, 'finished game')}: {_positions(found)}.")
        found.save(file)
    try:
        in_background(lambda: _expand(file, found, positions, limit))
    except KeyboardInterrupt:
        say(f"Stopped; {file} has {_positions(found)}. The same command goes on.")
        raise
    console().print(f"{file}: {_positions(found)}.")


def _expand(file: Path, found: LearnedBook, positions: int, limit: Limit) -> None:
    """Evaluate more positions; the file is saved now and then, since each takes as long as a move."""
    saved = time.monotonic()
    for number, _ in enumerate(expand(found, positions, limit), 1):
        if time.monotonic() - saved > SAVE_SECONDS:
            say(f"{number} of {positions} positions evaluated.")
            found.save(file)
            saved = time.monotonic()
    found.save(file)


def _fill(file: Path, found: Book, plies: int, nodes: int, table: float | None) -> None:
    here = -1
    for ply, _ in make_book(found.game, plies, nodes, found, table or DEFAULT_MEGABYTES):
        found.save(file)  # a proof may take an hour; what came before is not to be lost
        if ply != here:
            say(f"Ply {ply}: {_positions(found)} so far.")
            here = ply
    found.save(file)


def _positions(found: Book | LearnedBook) -> str:
    return f"{len(found):,} position{'' if len(found) == 1 else 's'}"
