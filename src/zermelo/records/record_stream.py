"""Files of games, cut into the texts of single games as they are read. Nothing is trusted: lines and games end."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from zermelo.files import FileError, file_errors
from zermelo.formatting import size_text

MAX_GAME_LENGTH = 4 << 20
"""Letters of one game; the longest that people annotate have some ten thousand."""

BLOCK = 1 << 16


def blocks(path: str | Path) -> Iterator[str]:
    """Yield the text of a file in parts. Raise FileError for a pipe, a device or a folder. Bad bytes become signs."""
    with file_errors(path, "read"):
        flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        handle = os.open(path, os.O_RDONLY | flags)
    with file_errors(path, "read"), open(handle, encoding="utf-8-sig", errors="replace", newline=None) as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise FileError(f"{path} cannot be read: it is not a file.")
        while block := file.read(BLOCK):
            yield block


def lines(parts: Iterator[str]) -> Iterator[str]:
    """Yield the lines of a text, without their ends."""
    rest = ""
    for part in parts:
        *whole, rest = (rest + part).split("\n")
        yield from whole
        _check(rest)
    if rest:
        yield rest


def games_by_lines(parts: Iterator[str], begins: Callable[[str, str], bool]) -> Iterator[str]:
    """Yield the text of each game, where `begins(line, last)` says that a line begins another; `last` was the last
    line before it that is not empty.
    """
    game: list[str] = []
    length, last = 0, ""
    for line in lines(parts):
        if game and last and begins(line, last):
            yield "\n".join(game)
            game, length = [], 0
        if line.strip():
            last = line
        game.append(line)
        length += len(line) + 1
        _check_length(length)
    if any(line.strip() for line in game):
        yield "\n".join(game)


def games_by_brackets(parts: Iterator[str]) -> Iterator[str]:
    """Yield the text of each game of SGF or GGF: from a bracket to the one that closes it, outside of values."""
    game: list[str] = []
    depth = length = 0
    inside = escaped = False
    for part in parts:
        begin = 0
        for at, letter in enumerate(part):
            if escaped:
                escaped = False
            elif inside:
                escaped, inside = letter == "\\", letter != "]"
            elif depth and letter == "[":
                inside = True
            elif letter == "(":
                if depth == 0:
                    begin = at
                depth += 1
            elif letter == ")" and depth:
                depth -= 1
                if depth == 0:
                    yield "".join([*game, part[begin : at + 1]])
                    game, length = [], 0
        if depth:
            game.append(part[begin:])
            length += len(part) - begin
            _check_length(length)
    if depth:
        yield "".join(game)  # its reader says that it does not end


def _check(rest: str) -> None:
    _check_length(len(rest))


def _check_length(length: int) -> None:
    if length > MAX_GAME_LENGTH:
        raise FileError(f"one of its games has more than {size_text(MAX_GAME_LENGTH)}.")
