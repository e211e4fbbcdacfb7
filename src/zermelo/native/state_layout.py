"""The machine layout of a state: the type of each of its parts."""

from __future__ import annotations

import math
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.core.errors import TypingError

from zermelo import bits
from zermelo.game import Game, GameError, State


class LayoutError(GameError):
    """The state has no machine layout: it holds something other than numbers and tuples of numbers."""


@dataclass(frozen=True)
class Layout:
    """The layout of one part of a state: a number, or a tuple of parts."""

    name: str  # as the author writes it: `State.mine`
    type: Any  # the Numba type
    cls: type | None = None  # the tuple's class; None for a number
    parts: tuple[Layout, ...] = ()

    def cast_expression(self, given: Any, name: str, scope: dict[str, Any]) -> str:
        """An expression that casts the variable `name` of Numba type `given` to this layout."""
        if self.cls is None:
            return self._cast_number(given, name, scope)
        if not isinstance(given, types.BaseTuple) or len(given) != len(self.parts):
            raise TypingError(f"{self.name} is {_type_text(given)} where the initial state has {len(self.parts)} parts")
        inside = [part.cast_expression(given[i], f"{name}[{i}]", scope) for i, part in enumerate(self.parts)]
        if self.cls is tuple:
            return "(" + "".join(f"{text}, " for text in inside) + ")"
        scope[f"cls{id(self.cls)}"] = self.cls
        return f"cls{id(self.cls)}({', '.join(inside)})"

    def _cast_number(self, given: Any, name: str, scope: dict[str, Any]) -> str:
        whole = isinstance(self.type, types.Integer | types.Boolean)
        if not isinstance(given, types.Number | types.Boolean) or (whole and isinstance(given, types.Float)):
            raise TypingError(
                f"{self.name} is {_type_text(given)} where the initial state and its annotation have {self.type}"
            )
        scope[str(self.type)] = self.type
        return f"{self.type}({name})"

    def row_expression(self, numbers: Iterator[int]) -> str:
        """An expression that reads this layout from consecutive items of `row`."""
        if self.cls is None:
            return f"row[{next(numbers)}]"
        return "(" + "".join(f"{part.row_expression(numbers)}, " for part in self.parts) + ")"

    def to_native(self, part: State) -> Any:
        """Convert a state for compiled code: plain tuples of machine numbers. Raise GameError if it does not fit."""
        if self.cls is not None:
            if not isinstance(part, tuple) or len(part) != len(self.parts):
                raise GameError(f"{self.name} is {part!r} where the initial state has a tuple of {len(self.parts)}")
            return tuple(inner.to_native(value) for inner, value in zip(self.parts, part, strict=True))
        if not isinstance(part, int | float | np.generic):
            raise GameError(f"{self.name} is {part!r}, which is not a number")
        if isinstance(self.type, types.Float):
            return float(part) if self.type == types.float64 else np.dtype(str(self.type)).type(part)
        if not math.isfinite(part) or part != int(part):
            raise GameError(f"{self.name} is {part!r}, which is not a whole number")
        return self._integer(int(part))

    def _integer(self, number: int) -> Any:
        if self.type == types.boolean:
            return bool(number)
        if self.type == types.int64:
            if not -(1 << 63) <= number < 1 << 63:
                raise GameError(f"{self.name} is {number}, which does not fit a 64-bit int; annotate it np.uint64")
            return number
        try:
            return np.dtype(str(self.type)).type(number)
        except OverflowError:
            raise GameError(f"{self.name} is {number}, which does not fit {self.type}") from None

    def wrapped(self, part: State) -> State:
        """The state with each 64-bit word in the range of its type: -1 and 2**64 - 1 are one word."""
        if self.cls is not None and isinstance(part, tuple) and len(part) == len(self.parts):
            return tuple(inner.wrapped(value) for inner, value in zip(self.parts, part, strict=True))
        if isinstance(part, int) and -1 << 63 <= part < 1 << 64:
            if self.type == types.int64:
                return bits.signed(part)
            return bits.unsigned(part) if self.type == types.uint64 else part
        return part

    def to_python(self, part: Any) -> State:
        """Convert a state from compiled code: the author's classes, Python's numbers."""
        if self.cls is None:
            return part.item() if isinstance(part, np.generic) else part
        values = [inner.to_python(value) for inner, value in zip(self.parts, part, strict=True)]
        return tuple(values) if self.cls is tuple else self.cls(*values)


def layout_of(game: Game) -> Layout:
    """The layout of the game's states, from its initial state and the annotations of its classes."""
    return _layout(game.initial(), None, "the state", repr(game))


def _layout(value: Any, hint: Any, name: str, game: str) -> Layout:
    if isinstance(value, tuple):
        cls = type(value)
        hints = _hints(cls, hint, len(value))
        labels = [f"{cls.__name__}.{field}" for field in getattr(cls, "_fields", ())]
        labels = labels or [f"{name}[{i}]" for i in range(len(value))]
        parts = tuple(_layout(part, hints[i], labels[i], game) for i, part in enumerate(value))
        return Layout(name, _tuple_type(cls, parts), cls, parts)
    return Layout(name, _number_type(value, hint, name, game))


def _hints(cls: type, hint: Any, length: int) -> list[Any]:
    """The annotation of each part of a tuple."""
    if hasattr(cls, "_fields"):
        try:
            found = typing.get_type_hints(cls)
        except (NameError, TypeError, SyntaxError):  # annotations that cannot be evaluated here
            found = {}
        return [found.get(field) for field in cls._fields]
    inside = typing.get_args(hint)
    if len(inside) == 2 and inside[1] is Ellipsis:
        return [inside[0]] * length
    return list(inside) if len(inside) == length else [None] * length


def _tuple_type(cls: type, parts: tuple[Layout, ...]) -> Any:
    inside = [part.type for part in parts]
    same = len(set(inside)) == 1
    if cls is tuple:
        return types.UniTuple(inside[0], len(inside)) if same else types.Tuple(inside)
    return types.NamedUniTuple(inside[0], len(inside), cls) if same else types.NamedTuple(inside, cls)


def _number_type(value: Any, hint: Any, name: str, game: str) -> Any:
    if isinstance(hint, type) and issubclass(hint, np.generic):
        return from_dtype(np.dtype(hint))
    if hint is float and isinstance(value, int | float):
        return types.float64
    if isinstance(value, bool | np.bool_) or (hint is bool and value in (0, 1)):
        return types.boolean
    if isinstance(value, np.generic):
        return from_dtype(value.dtype)
    if isinstance(value, int):
        return types.int64
    if isinstance(value, float):
        return types.float64
    raise LayoutError(
        f"{name} is {value!r}, a {type(value).__name__}; only numbers, and tuples of them, become machine code"
    )


def _type_text(given: Any) -> str:
    return f"a tuple of {len(given)} parts" if isinstance(given, types.BaseTuple) else f"of type {given}"
