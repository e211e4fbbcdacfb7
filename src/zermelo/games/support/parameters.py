"""Checks of a game's parameters: their types, by the annotations, and their ranges."""

from __future__ import annotations

import types
import typing
from dataclasses import fields
from typing import Any

from zermelo.arguments import check_int
from zermelo.formatting import shortened
from zermelo.game import Game, GameError

TYPE_WORDS = {int: "a whole number", bool: "True or False", float: "a number", str: "a text"}


def check_types(game: Game) -> None:
    """Raise GameError if a parameter is not of its annotated type. For `__post_init__`, before other checks.

    >>> class Countdown(Game):
    ...     start: int = 4
    ...     def __post_init__(self):
    ...         check_types(self)
    ...     def initial(self): return self.start
    ...     def moves(self, left): return (1,)
    ...     def play(self, left, taken): return left - taken
    ...     def result(self, left): return left
    >>> Countdown("four")
    Traceback (most recent call last):
        ...
    zermelo.game.GameError: Countdown(start='four'): start must be a whole number, not 'four'.
    """
    hints = hints_of(type(game))
    for field in fields(game):  # type: ignore[arg-type]
        value, hint = getattr(game, field.name), hints.get(field.name, Any)
        if not fits(value, hint):
            raise GameError(f"{game!r}: {field.name} must be {_in_words(hint)}, not {shortened(repr(value))}.")


def check_whole(game: Game, **ranges: tuple[int, int]) -> None:
    """Raise GameError if one of these parameters is not a whole number in its range.

    >>> from zermelo.games.registry import load
    >>> check_whole(load("connect_four"), width=(1, 9), height=(1, 5))
    Traceback (most recent call last):
        ...
    zermelo.game.GameError: ConnectFour(width=7, height=6): height must be a whole number from 1 to 5, not 6.
    """
    for name, (least, most) in ranges.items():
        check_int(repr(game), least=least, most=most, **{name: getattr(game, name)})


def hints_of(cls: type[Game]) -> dict[str, Any]:
    """Return the types of a game's fields."""
    try:
        return typing.get_type_hints(cls)
    except Exception:  # annotations that cannot be resolved here: then the class checks for itself
        return {}


def fits(value: Any, hint: Any) -> bool:
    """Return whether a value fits an annotation; unusual annotations accept everything.

    >>> fits(3, int), fits(True, int), fits((1, 2), tuple[int, ...]), fits([1, 2], tuple[int, ...])
    (True, False, True, False)
    """
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, each) for each in inside)
    if hint in (int, float) and isinstance(value, bool):
        return False
    if hint is float:
        return isinstance(value, int | float)
    if hint is None or hint is type(None):
        return value is None
    if origin is tuple and inside and isinstance(value, tuple):
        if inside[-1] is Ellipsis:
            return all(fits(part, inside[0]) for part in value)
        return len(value) == len(inside) and all(map(fits, value, inside))
    kind = origin or hint
    return not (isinstance(kind, type) and kind.__module__ == "builtins") or kind is object or isinstance(value, kind)


def type_words(hint: Any) -> str:
    """Return an annotation as it is written."""
    return hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint).replace("typing.", "")


def _in_words(hint: Any) -> str:
    if hint == tuple[int, ...]:
        return "a tuple of whole numbers"
    return TYPE_WORDS.get(hint, f"of type {type_words(hint)}")
