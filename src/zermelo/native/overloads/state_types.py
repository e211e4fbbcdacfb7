"""The Numba type of a state, and casts of values to it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from numba import types
from numba.core.errors import TypingError

from zermelo.native.state_layout import Layout


@functools.lru_cache(maxsize=1 << 10)
def state_type(layout: Layout) -> Any:
    """The Numba type of a part of a state."""
    if layout.cls is None:
        return types.boolean if layout.dtype == "bool" else getattr(types, layout.dtype)
    inside = [state_type(part) for part in layout.parts]
    same = len(set(inside)) == 1
    if layout.cls is tuple:
        return types.UniTuple(inside[0], len(inside)) if same else types.Tuple(inside)
    return types.NamedUniTuple(inside[0], len(inside), layout.cls) if same else types.NamedTuple(inside, layout.cls)


def cast_expression(layout: Layout, given: Any, name: str, scope: dict[str, Any]) -> str:
    """An expression that casts the variable `name` of Numba type `given` to a layout."""
    if layout.cls is None:
        return _cast_number(layout, given, name, scope)
    if not isinstance(given, types.BaseTuple) or len(given) != len(layout.parts):
        raise TypingError(f"{layout.name} is {_type_text(given)} where the initial state has {len(layout.parts)} parts")
    inside = [cast_expression(part, given[i], f"{name}[{i}]", scope) for i, part in enumerate(layout.parts)]
    if layout.cls is tuple:
        return "(" + "".join(f"{text}, " for text in inside) + ")"
    scope[f"cls{id(layout.cls)}"] = layout.cls
    return f"cls{id(layout.cls)}({', '.join(inside)})"


def _cast_number(layout: Layout, given: Any, name: str, scope: dict[str, Any]) -> str:
    wanted = state_type(layout)
    if not isinstance(given, types.Number | types.Boolean) or (not layout.is_float and isinstance(given, types.Float)):
        raise TypingError(
            f"{layout.name} is {_type_text(given)} where the initial state and its annotation have {wanted}"
        )
    scope[str(wanted)] = wanted
    return f"{wanted}({name})"


def nested_expression(layout: Layout, expressions: Iterator[str]) -> str:
    """A nested tuple of this layout whose numbers are the next of these expressions."""
    if layout.cls is None:
        return next(expressions)
    return "(" + "".join(f"{nested_expression(part, expressions)}, " for part in layout.parts) + ")"


def _type_text(given: Any) -> str:
    return f"a tuple of {len(given)} parts" if isinstance(given, types.BaseTuple) else f"of type {given}"
