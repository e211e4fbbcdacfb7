"""Polyglot books of chess (.bin), read by python-chess: each position has moves with weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.files import FileError, file_errors
from zermelo.game import Game, GameError, State
from zermelo.games.registry import TextError
from zermelo.games.support.move_reading import legal_move
from zermelo.searching import Line, Report
from zermelo.value import Value

ENTRY_BYTES = 16


class PolyglotBook:
    """A book of another chess program. Its moves have no value, so that of a level position stands in for it."""

    def __init__(self, game: Game, path: str | Path) -> None:
        """Open a book. Raise FileError if the file is none, GameError for a game other than chess."""
        polyglot = chess_module("polyglot", "Polyglot books")
        check_chess(game, "A Polyglot book")
        with file_errors(path, "read"):
            size = Path(path).stat().st_size
            if size == 0 or size % ENTRY_BYTES or not Path(path).is_file():
                raise FileError(f"{path} is no Polyglot book: its size is no multiple of {ENTRY_BYTES} bytes.")
            self._reader = polyglot.open_reader(str(path))
        self.game, self.path, self._size = game, Path(path), size

    def __len__(self) -> int:
        return self._size // ENTRY_BYTES

    def report(self, state: State) -> Report | None:
        """The moves of a position, the heaviest first; None if the book has none. Moves that are not legal are not."""
        board = chess_board(self.game, state)
        found = []
        for entry in self._reader.find_all(board, minimum_weight=1):
            if entry.move in board.legal_moves:
                found.append((entry.weight, legal_move(self.game, state, board.san(entry.move))))
        lines = [Line(Value.estimate(0.0), (move,)) for _, move in sorted(found, key=lambda each: -each[0])]
        return Report(self.game, state, tuple(lines), depth=0, nodes=0, seconds=0.0) if lines else None


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
