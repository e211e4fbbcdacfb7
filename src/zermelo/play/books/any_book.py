"""Books of any kind: which one a player uses, and what a file holds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from zermelo.files import RandomAccessFile
from zermelo.game import Game, GameError
from zermelo.games.registry import GAMES, load, name_of
from zermelo.play.books.learned_book import LEARNED_FORMAT, LearnedBook, is_learned, open_learned
from zermelo.play.books.opening_lines import SUFFIX, OpeningLines, open_lines
from zermelo.play.books.polyglot_book import PolyglotBook
from zermelo.play.books.proven_book import FORMAT, FORMAT_WITHOUT_CHECKSUM, Book, open_book, own_book, own_file

AnyBook = Book | LearnedBook | OpeningLines | PolyglotBook
"""Books by what their moves rest on: proofs, games and searches, people, or another chess program."""


def chosen_book(game: Game, book: AnyBook | str | Path | bool | None) -> AnyBook | None:
    """The book that an argument names: one of this game, its file, True for the game's own, False or None for none."""
    if book is None or isinstance(book, bool):
        proven = own_book(game) if book else None
        return own_lines(game) if book and proven is None else proven
    if not isinstance(book, AnyBook | str | Path):
        raise GameError(f"Engine of {game!r}: book must be a Book, its file, True or False, not {book!r}.")
    found = book if isinstance(book, AnyBook) else open_any_book(game, book)
    if found.game != game:
        raise GameError(f"Engine of {game!r}: the book is one of {found.game!r}.")
    return found


def open_any_book(game: Game, path: str | Path) -> AnyBook:
    """Open a book of any kind. Raise FileError if the file is none, or one of other rules."""
    if Path(path).suffix.lower() == ".bin":
        return PolyglotBook(game, path)
    if Path(path).suffix.lower() == SUFFIX:
        return open_lines(game, path)
    return open_learned(game, path) if is_learned(path) else open_book(game, path)


def own_lines(game: Game) -> OpeningLines | None:
    """The opening lines that come with a game of Zermelo's own; None where there are none."""
    name = name_of(game, folder="")
    return _own_lines(name) if name in GAMES else None  # with other parameters it is another game


@cache
def _own_lines(name: str) -> OpeningLines | None:
    file = own_file(name, SUFFIX)
    return None if file is None else OpeningLines(load(name), file.read_text(encoding="utf-8"), file.name)


def is_book(path: str | Path) -> bool:
    """Whether a file is a book of some kind, by the end of its name or by how it begins."""
    if Path(path).suffix.lower() in (".bin", SUFFIX):
        return True
    file = RandomAccessFile(Path(path))  # a pipe is none, and must not be waited for
    head = file.read(0, min(100, file.length))
    return any(name.encode() in head for name in (FORMAT, FORMAT_WITHOUT_CHECKSUM, LEARNED_FORMAT))
