"""The machine layout of a state: the type of each of its parts. No compiler is needed to convert a state."""

from __future__ import annotations

import math
import sys
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo import bits
from zermelo.game import Game, GameError, State

MACHINE_TYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
"""NumPy's names of the types of numbers in a state."""


class LayoutError(GameError):
    """The state has no machine layout: it holds something other than tuples of numbers that fit machine types."""


@dataclass(frozen=True)
class Layout:
    """The layout of one part of a state: a number, or a tuple of parts."""

    name: str  # as the author writes it: `State.mine`
    dtype: str = ""  # the machine type of a number: `int64`, `float64`, `bool`
    cls: type | None = None  # the tuple's class; None for a number
    parts: tuple[Layout, ...] = ()

    @property
    def is_float(self) -> bool:
        return self.dtype.startswith("float")

    def numbers(self) -> Iterator[Layout]:
        """The layouts of all numbers of a state, depth first."""
        if self.cls is None:
            yield self
        for part in self.parts:
            yield from part.numbers()

    def shape(self) -> Any:
        """The types of all numbers, nested as the state is."""
        return self.dtype if self.cls is None else tuple(part.shape() for part in self.parts)

    def to_native(self, part: State) -> Any:
        """Convert a state for compiled code: plain tuples of machine numbers. Raise GameError if it does not fit."""
        if self.cls is not None:
            if not isinstance(part, tuple) or len(part) != len(self.parts):
                raise GameError(f"{self.name} is {part!r} where the initial state has a tuple of {len(self.parts)}")
            return tuple(inner.to_native(value) for inner, value in zip(self.parts, part, strict=True))
        if not _is_number(part):
            raise GameError(f"{self.name} is {part!r}, which is not a number")
        if self.is_float:
            return float(part) if self.dtype == "float64" else _machine_number(self.dtype, part)
        if not isinstance(part, int) and (not math.isfinite(part) or part != int(part)):
            raise GameError(f"{self.name} is {part!r}, which is not a whole number")
        return self._integer(int(part))

    def _integer(self, number: int) -> Any:
        if self.dtype == "bool":
            return bool(number)
        if self.dtype == "int64":
            if not -(1 << 63) <= number < 1 << 63:
                raise GameError(f"{self.name} is {_shown(number)}, which does not fit a 64-bit int; {_wider(number)}")
            return number
        try:
            return _machine_number(self.dtype, number)
        except OverflowError:
            advice = "" if -(1 << 63) <= number < 1 << 64 else f"; {_wider(number)}"
            raise GameError(f"{self.name} is {_shown(number)}, which does not fit {self.dtype}{advice}") from None

    def wrapped(self, part: State) -> State:
        """The state with each 64-bit word in the range of its type: -1 and 2**64 - 1 are one word."""
        if self.cls is not None and isinstance(part, tuple) and len(part) == len(self.parts):
            return tuple(inner.wrapped(value) for inner, value in zip(self.parts, part, strict=True))
        if isinstance(part, int) and -1 << 63 <= part < 1 << 64:
            if self.dtype == "int64":
                return bits.signed(part)
            return bits.unsigned(part) if self.dtype == "uint64" else part
        return part

    def to_python(self, part: Any) -> State:
        """Convert a state from compiled code: the author's classes, Python's numbers."""
        if self.cls is None:
            return part.item() if isinstance(part, _numpy_scalars()) else part
        values = [inner.to_python(value) for inner, value in zip(self.parts, part, strict=True)]
        return tuple(values) if self.cls is tuple else self.cls(*values)


def layout_of(game: Game) -> Layout:
    """The layout of the game's states, from its initial state and the annotations of its classes."""
    state = game.initial()
    found = _layout(state, None, "the state")
    try:
        found.to_native(state)
    except GameError as error:
        raise LayoutError(str(error)) from None
    return found


def _layout(value: Any, hint: Any, name: str) -> Layout:
    if isinstance(value, tuple):
        cls = type(value)
        hints = _hints(cls, hint, len(value))
        labels = [f"{cls.__name__}.{field}" for field in getattr(cls, "_fields", ())]
        labels = labels or [f"{name}[{i}]" for i in range(len(value))]
        parts = tuple(_layout(part, hints[i], labels[i]) for i, part in enumerate(value))
        return Layout(name, "", cls, parts)
    return Layout(name, _number_type(value, hint, name))


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


def _shown(number: int) -> str:
    return str(number) if number.bit_length() <= 128 else f"a number of {number.bit_length()} bits"


def _wider(number: int) -> str:
    """What to write for a number beyond 64 bits with a sign."""
    return "annotate it np.uint64" if 0 <= number < 1 << 64 else "split it into several fields of 64 bits"


def _numpy_scalars() -> tuple[Any, ...]:
    """The class of NumPy's numbers. Where NumPy is not imported, there are none."""
    scalar = getattr(sys.modules.get("numpy"), "generic", None)
    return () if scalar is None else (scalar,)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, *_numpy_scalars()))


def _machine_number(dtype: str, number: Any) -> Any:
    """A number of this type, as NumPy has it."""
    import numpy as np

    return np.dtype(dtype).type(number)


def _number_type(value: Any, hint: Any, name: str) -> str:
    if isinstance(hint, type) and issubclass(hint, _numpy_scalars()):
        import numpy as np

        return _checked(np.dtype(hint), name, value)
    if hint is float and isinstance(value, int | float):
        return "float64"
    if isinstance(value, bool) or (hint is bool and value in (0, 1)):
        return "bool"
    if isinstance(value, _numpy_scalars()):
        return _checked(value.dtype, name, value)
    if isinstance(value, int):
        return "int64"
    if isinstance(value, float):
        return "float64"
    raise _no_number(name, value)


def _checked(dtype: Any, name: str, value: Any) -> str:
    """The name of a NumPy type that a state may hold."""
    if dtype.name not in MACHINE_TYPES:
        raise _no_number(name, value)
    return str(dtype.name)


def _no_number(name: str, value: Any) -> LayoutError:
    return LayoutError(
        f"{name} is {value!r}, a {type(value).__name__}; only numbers, and tuples of them, become machine code"
    )
