"""Checks of arguments: one sentence for each kind of mistake, wherever it is made.

Each check names the call in `where` ("search of Nim()") and takes the arguments by their names:

>>> check_int("search of Nim()", lines=2, seed=7)
>>> check_int("search of Nim()", least=1, lines=0)
Traceback (most recent call last):
    ...
zermelo.game.GameError: search of Nim(): lines must be a whole number above zero, not 0.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from zermelo.formatting import shortened
from zermelo.game import Game, GameError

MAX_THREADS = 1024
"""More threads than a machine has cores, and fewer than a system refuses."""

MAX_MEGABYTES = 1 << 20
"""The largest size of memory that can be asked for, 1 TB."""

MEMORY_SIZE = 'a size of memory up to 1 TB, such as 64 (megabytes), "64MB" or "1GB"'

_UNITS = {"": 1, "K": 1 / 1024, "M": 1, "G": 1024, "T": 1024 * 1024}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:([KMGT])I?B?)?", re.IGNORECASE)


def is_int(value: Any) -> bool:
    """Whether this is a whole number; True and False are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether this is a finite number that fits a float; True and False are not."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def check_int(
    where: str, *, least: int | None = None, most: int | None = None, optional: bool = False, **arguments: Any
) -> None:
    """Raise GameError unless each argument is an int from `least` to `most`, or None if it is `optional`."""
    for name, value in arguments.items():
        good = is_int(value) and (least is None or value >= least) and (most is None or value <= most)
        if not good and not (optional and value is None):
            raise _error(where, name, f"a whole number{_int_range(least, most)}", optional, value)


def check_number(
    where: str,
    *,
    least: float | None = None,
    most: float | None = None,
    below: float | None = None,
    above_zero: bool = False,
    optional: bool = False,
    **arguments: Any,
) -> None:
    """Raise GameError unless each argument is a finite number from `least` to `most`, or None if it is `optional`."""
    for name, value in arguments.items():
        good = is_number(value) and (least is None or value >= least) and (most is None or value <= most)
        good = good and not (above_zero and value <= 0) and (below is None or value < below)
        if not good and not (optional and value is None):
            limits = _number_range(least, most, above_zero) + ("" if below is None else f" and below {below:g}")
            raise _error(where, name, f"a number{limits}", optional, value)


def check_bool(where: str, **arguments: Any) -> None:
    """Raise GameError unless each argument is True or False."""
    for name, value in arguments.items():
        if not isinstance(value, bool):
            raise _error(where, name, "True or False", False, value)


def check_choice(where: str, allowed: Collection[Any], **arguments: Any) -> None:
    """Raise GameError unless each argument is one of those allowed, of the same type: True is not 1."""
    for name, value in arguments.items():
        if not any(type(value) is type(each) and value == each for each in allowed):
            *others, last = (repr(each) for each in allowed)
            raise _error(where, name, f"{', '.join(others)} or {last}" if others else last, False, value)


def check_callable(where: str, **arguments: Any) -> None:
    """Raise GameError unless each argument is a function or None."""
    for name, value in arguments.items():
        if value is not None and not callable(value):
            raise _error(where, name, "a function", False, value)


def checked_path(where: str, path: Any) -> Path:
    """Return the path. Raise GameError unless it is the name of a file."""
    if not isinstance(path, str | Path):
        raise _error(where, "path", "the name of a file", False, path)
    return Path(path)


def checked_game(function: str, game: Any) -> Game:
    """Return the game. Raise GameError, with a hint, if a class, a name or something else was given to `function`."""
    if isinstance(game, Game):
        return game
    if isinstance(game, type) and issubclass(game, Game):
        raise GameError(f"{function} takes a game, not its class: {function}({game.__name__}()).")
    hint = f"; write z.load({game!r})" if isinstance(game, str) else ""
    raise GameError(f"{function} takes a game, not {game!r}{hint}.")


def checked_threads(where: str, threads: int | None) -> int:
    """Return the number of threads; None means all cores.

    >>> checked_threads("search of Nim()", 2)
    2
    """
    check_int(where, least=1, most=MAX_THREADS, optional=True, threads=threads)
    return min(os.cpu_count() or 1, MAX_THREADS) if threads is None else threads


def checked_megabytes(where: str, **argument: Any) -> float:
    """Return a size of memory in megabytes. Raise GameError unless it is a number of them or a text with a unit.

    >>> checked_megabytes("search of Nim()", table="1.5 GB")
    1536.0
    """
    ((name, size),) = argument.items()
    found = megabytes(size)
    if found is None:
        raise _error(where, name, MEMORY_SIZE, False, size)
    return found


def megabytes(size: Any) -> float | None:
    """Return a size of memory in megabytes of 2**20 bytes; None if it is no size, or too large a one.

    >>> [megabytes(size) for size in (64, "64", "64MB", "1GB", "512 KiB", "many", 0, "2TB")]
    [64, 64.0, 64.0, 1024.0, 0.5, None, None, None]
    """
    if isinstance(size, str):
        text = _SIZE.fullmatch(size.strip())
        size = text and float(text[1]) * _UNITS[(text[2] or "").upper()]
    return size if is_number(size) and 0 < size <= MAX_MEGABYTES else None


def _int_range(least: int | None, most: int | None) -> str:
    if most is not None:
        return f" from {least} to {most}" if least is not None else f" up to {most}"
    if least is None:
        return ""
    return " above zero" if least == 1 else f" from {least} up"


def _number_range(least: float | None, most: float | None, above_zero: bool) -> str:
    if above_zero:
        return " above zero" if most is None else f" above zero and at most {most:g}"
    if most is not None:
        return f" from {least:g} to {most:g}" if least is not None else f" up to {most:g}"
    return "" if least is None else f" from {least:g} up"


def _error(where: str, name: str, kind: str, optional: bool, value: Any) -> GameError:
    return GameError(f"{where}: {name} must be {kind}{' or None' if optional else ''}, not {shortened(repr(value))}.")
