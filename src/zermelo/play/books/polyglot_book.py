"""Polyglot books of chess (.bin): each position has moves with weights, under the key that python-chess computes.

key 8 | move 2 | weight 2 | learn 4      bytes of an entry, big-endian; entries are sorted by their keys
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from zermelo.files import FileError, RandomAccessFile
from zermelo.game import Game, GameError, State
from zermelo.games.registry import TextError
from zermelo.games.support.move_reading import legal_move
from zermelo.searching import Line, Report
from zermelo.value import Value

ENTRY = struct.Struct(">QHHI")

MAX_ENTRIES = 256
"""More entries than a position has moves."""

QUEEN = 4
"""The highest code of a promotion, in the highest bits of a move."""


class PolyglotBook:
    """A book of another chess program. Its moves have no value, so that of a level position stands in for it."""

    def __init__(self, game: Game, path: str | Path) -> None:
        """Open a book. Raise FileError if the file is none, GameError for a game other than chess."""
        self._polyglot = chess_module("polyglot", "Polyglot books")
        check_chess(game, "A Polyglot book")
        self.game, self.path, self._file = game, Path(path), RandomAccessFile(Path(path))
        if self._file.length == 0 or self._file.length % ENTRY.size:
            raise FileError(f"{path} is no Polyglot book: its size is no multiple of {ENTRY.size} bytes.")

    def __len__(self) -> int:
        return self._file.length // ENTRY.size

    def report(self, state: State) -> Report | None:
        """The moves of a position, the heaviest first; None if the book has none. Moves that are not legal are not."""
        board = chess_board(self.game, state)
        found = []
        for code, weight in islice(self._entries(self._polyglot.zobrist_hash(board)), MAX_ENTRIES):
            if weight > 0 and (move := _move(board, code)) is not None:
                found.append((weight, legal_move(self.game, state, board.san(move))))
        lines = [Line(Value.estimate(0.0), (move,)) for _, move in sorted(found, key=lambda each: -each[0])]
        return Report(self.game, state, tuple(lines), depth=0, nodes=0, seconds=0.0) if lines else None

    def _entries(self, key: int) -> Iterator[tuple[int, int]]:
        """Yield the moves of a key and their weights."""
        first = bisect_left(range(len(self)), key, key=lambda number: self._entry(number)[0])
        for number in range(first, len(self)):
            found, code, weight, _ = self._entry(number)
            if found != key:
                return
            yield code, weight

    def _entry(self, number: int) -> tuple[int, int, int, int]:
        return ENTRY.unpack(self._file.read(number * ENTRY.size, ENTRY.size))


def _move(board: Any, code: int) -> Any:
    """The legal move of an entry; None if it is none. The king castles by taking its own rook."""
    promotion = code >> 12
    if promotion > QUEEN:
        return None
    try:
        return board.find_move(code >> 6 & 63, code & 63, promotion + 1 if promotion else None)
    except ValueError:
        return None


def chess_module(name: str, what: str) -> Any:
    """A module of python-chess. Raise GameError if it is not installed."""
    import importlib

    try:
        return importlib.import_module(f"chess.{name}")
    except ImportError:
        raise GameError(f"{what} are read by python-chess: pip install 'zermelo[chess]'.") from None


def check_chess(game: Game, what: str) -> None:
    from zermelo.games.chess import Chess

    if not isinstance(game, Chess):
        raise TextError(f"{what} is for chess, not for {game!r}.")


def chess_board(game: Game, state: State) -> Any:
    """The position as python-chess has it."""
    import chess

    return chess.Board(game.state_text(state))
