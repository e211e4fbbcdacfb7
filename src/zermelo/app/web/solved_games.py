"""Solutions that visitors have asked for: files in a folder of the server, where all its processes find them."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from zermelo.files import FileError
from zermelo.game import Game
from zermelo.solving.solution import Solution

MAX_SOLVED_GAMES = 8
"""Solutions that are kept; the oldest makes room for another."""


class SolvedGames:
    """The solutions by the names of games. The one who makes the folder removes it."""

    def __init__(self, folder: str | None = None) -> None:
        self._own = tempfile.TemporaryDirectory(prefix="zermelo-solved-") if folder is None else None
        self.folder = Path(self._own.name if self._own is not None else folder or "")
        self._opened: dict[Path, Solution] = {}

    def find(self, name: str, game: Game) -> Solution | None:
        """The solution of a game, if it has been solved here."""
        path = self._path(name)
        if not path.is_file():
            self._opened.pop(path, None)
            return None
        if path not in self._opened:
            try:
                self._opened[path] = Solution.open(path, game)
            except FileError:  # it has just made room for another
                return None
            for oldest in list(self._opened)[:-MAX_SOLVED_GAMES]:  # an open solution holds its file
                self._opened.pop(oldest, None)
        return self._opened.get(path)

    def add(self, name: str, solution: Solution) -> None:
        """Keep a solution, and remove the oldest where there are too many."""
        solution.save(self._path(name))
        kept = sorted(self.folder.glob("*.zermelo"), key=lambda path: path.stat().st_mtime_ns)
        for path in kept[:-MAX_SOLVED_GAMES]:
            path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        """The file of a game; its name may hold anything."""
        return self.folder / f"{hashlib.sha256(name.encode()).hexdigest()[:24]}.zermelo"

    def close(self) -> None:
        """Remove the folder, if it is our own."""
        if self._own is not None:
            self._own.cleanup()
