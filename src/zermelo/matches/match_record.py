"""The record of a match: a file with a line for the match and one for each game, written as it ends.

Every line is JSON. A game's line is a record as `zermelo play --load` reads it, with the players, the number of the
game and of its pair. A match that was killed goes on from its file: a line that was not finished is cut off, and the
games that are there are not played again.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from zermelo.arguments import is_int
from zermelo.files import Damaged, FileError, check_writable, file_errors, sync_folder
from zermelo.game import GameError
from zermelo.records.game_record import GameRecord, of_json

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

MATCH_FORMAT = "zermelo match 1"
MAX_LINE_BYTES = 1 << 22
"""Bytes of one line; a game of a thousand moves has some ten thousand."""


def _is_number(value: Any) -> bool:
    return is_int(value) and value >= 0


def _is_pair_of(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and len(value) == 2 and all(type(each) is kind for each in value)


GAME_FIELDS: dict[str, Callable[[Any], bool]] = {
    "start": lambda value: isinstance(value, str),
    "seed": is_int,
    "moves": lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
    "number": _is_number,
    "pair": _is_number,
    "seats": _is_pair_of(int),
    "players": _is_pair_of(str),
    "winner": lambda value: value is None or (is_int(value) and value in (0, 1)),
    "result": lambda value: isinstance(value, str),
}
"""What every game has; results count on it."""


class MatchRecord:
    """A file of games that only grows. One process has it at a time."""

    def __init__(self, path: str | Path, header: dict[str, Any]) -> None:
        """Open the record of a match, or begin one. Raise FileError if it is of another match, or in use."""
        self.path = check_writable(path)
        self.games: list[dict[str, Any]] = []
        self._numbers: set[int] = set()
        with file_errors(path, "written"):
            self._file: BinaryIO = open(self.path, "a+b", buffering=0)  # noqa: SIM115
        try:
            self._lock()
            self._read({"format": MATCH_FORMAT, **header})
        except BaseException:
            self._file.close()
            raise

    def fileno(self) -> int:
        return self._file.fileno()

    def append(self, game: dict[str, Any]) -> None:
        """Write a game; when this returns, it is on the disk."""
        self._write(game)
        self.games.append(game)

    def close(self) -> None:
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        rest = memoryview(_line(line))
        with file_errors(self.path, "written"):
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())

    def _lock(self) -> None:
        try:
            if sys.platform == "win32":
                msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise FileError(f"{self.path} is in use: another match writes to it.") from None

    def _read(self, header: dict[str, Any]) -> None:
        """Read what is there, and write the header of a new file."""
        self._file.seek(0)
        end = number = 0
        while line := self._file.readline(MAX_LINE_BYTES):
            if not line.endswith(b"\n"):
                break  # it was not finished
            number += 1
            if number == 1:
                self._compare(_json(self.path, number, line), header)
            else:
                self._take(number, _json(self.path, number, line))
            end += len(line)
        if line and len(line) >= MAX_LINE_BYTES:
            raise Damaged(f"{self.path} is no record of a match: line {number + 1} is too long.")
        if not number and not _line(header).startswith(line):
            raise FileError(f"{self.path} is no record of a match; it is left as it is.")
        with file_errors(self.path, "written"):
            self._file.truncate(end)
            self._file.seek(0, os.SEEK_END)
        if not number:
            self._write(header)
            sync_folder(self.path.parent)

    def _compare(self, found: dict[str, Any], header: dict[str, Any]) -> None:
        """Raise FileError unless the file is one of this match."""
        if found.get("format") != MATCH_FORMAT:
            raise FileError(f"{self.path} is no record of a match; it is left as it is.")
        wanted = json.loads(json.dumps(header))
        for name, value in wanted.items():
            if found.get(name) != value:
                raise FileError(
                    f"{self.path} is the record of another match: its {name} is {found.get(name)!r}, not {value!r}; "
                    "name another file."
                )

    def _take(self, number: int, game: dict[str, Any]) -> None:
        for name, is_right in GAME_FIELDS.items():
            if name not in game or not is_right(game[name]):
                raise Damaged(f"{self.path} is damaged: line {number} is no game, for it has no {name!r}.")
        if game["number"] in self._numbers:
            raise Damaged(f"{self.path} is damaged: line {number} is game {game['number']} again.")
        self._numbers.add(game["number"])
        self.games.append(game)


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _json(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        kind = "is no record of a match" if number == 1 else f"is damaged: line {number} is no game"
        raise Damaged(f"{path} {kind}.")
    return found


def recorded(game: dict[str, Any]) -> GameRecord:
    """A game of a match as a record that can be written in other formats.

    >>> game = {"game": "chess", "start": "", "moves": ["f3"], "winner": 1, "result": "A resigns.", "number": 0}
    >>> record = recorded(game | {"players": ["A", "B"], "fault": False})
    >>> record.tags, record.moves[0].comment
    ({'Event': 'Zermelo match', 'Round': '1'}, 'A resigns.')
    """
    record = of_json(game)
    tags = {"Event": "Zermelo match", "Round": str(game["number"] + 1)}
    if game.get("fault"):
        tags["Termination"] = "rules infraction"
    last = tuple(replace(move, comment=record.result) for move in record.moves[-1:])
    return replace(record, tags=tags, moves=(*record.moves[:-1], *last))


def read_games(path: str | Path) -> list[dict[str, Any]]:
    """The games of a record, in the order in which they ended. Raise GameError if the file is none."""
    games: list[dict[str, Any]] = []
    with file_errors(path, "read"), open(path, "rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES), b""), 1):
            if line.endswith(b"\n"):
                games.append(_json(Path(path), number, line))
    if not games or games[0].get("format") != MATCH_FORMAT:
        raise GameError(f"{path} is no record of a match.")
    return games[1:]
