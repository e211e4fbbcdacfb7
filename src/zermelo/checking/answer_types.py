"""Types of answers, Python's and NumPy's, without importing NumPy; and their text in messages."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

from zermelo import arguments
from zermelo.formatting import plain_repr

MAX_VALUE_TEXT = 160
"""Letters of a value in a message."""


def is_int(value: Any) -> bool:
    """Whether this is an integer, but not a bool."""
    return arguments.is_int(value) or _numpy_kind(value) in ("i", "u")


def is_bool(value: Any) -> bool:
    return isinstance(value, bool) or _numpy_kind(value) == "b"


def is_number(value: Any) -> bool:
    """Whether this is a finite real number, but not a bool."""
    return (is_int(value) or isinstance(value, float) or _numpy_kind(value) == "f") and math.isfinite(value)


def is_hashable(value: Any) -> bool:
    if not isinstance(value, Hashable):
        return False
    try:
        hash(value)
    except TypeError:  # a tuple with a list inside
        return False
    return True


def same(one: Any, other: Any) -> bool:
    """Whether two answers are equal. NaN counts as equal to itself."""
    try:
        return bool(one == other) or repr(one) == repr(other)
    except ValueError:  # arrays compare part by part
        return repr(one) == repr(other)


def close(one: Any, other: Any) -> bool:
    """Whether two answers are equal up to rounding, part by part."""
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(close(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return bool(one == other)


def first_difference(one: Any, other: Any) -> tuple[str, str, str]:
    """Two different answers as text, and where they differ: for long lists, the first difference.

    >>> first_difference([1, 2], [1, 3]), first_difference([*range(99)], [*range(98), 0])
    (('[1, 2]', '[1, 3]', ''), ('98', '0', ' as number 99 of the list'))
    """
    if not isinstance(one, list | tuple) or not isinstance(other, list | tuple) or _short(one, other):
        return shown(one), shown(other), ""
    for number, (part, twin) in enumerate(zip(one, other, strict=False), 1):
        if not close(part, twin):
            return shown(part), shown(twin), f" as number {number} of the {type(one).__name__}"
    return f"{len(one)} things", f"{len(other)}", " (the first ones are the same)"


def exceeds_64_bits(value: Any) -> bool:
    """Whether the value holds an int that does not fit a signed 64-bit word."""
    if isinstance(value, list | tuple):
        return any(map(exceeds_64_bits, value))
    return isinstance(value, int) and not -(1 << 63) <= value < 1 << 63


def _short(*values: Any) -> bool:
    return all(len(plain_repr(value)) <= MAX_VALUE_TEXT for value in values)


def described(value: Any) -> str:
    """A wrong answer as text: its value and its type.

    >>> described(0.5), described(None)
    ('0.5, a float', 'None (is a `return` missing?)')
    """
    if value is None:
        return "None (is a `return` missing?)"
    kind = type(value).__name__
    return f"{shown(value)}, {'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def shown(value: Any, width: int = MAX_VALUE_TEXT) -> str:
    """The `repr` of a value, on one line of bounded length."""
    text = " ".join(plain_repr(value).split())
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _numpy_kind(value: Any) -> str:
    """The kind letter of a NumPy scalar; empty for anything else."""
    return str(value.dtype.kind) if hasattr(value, "dtype") and getattr(value, "shape", None) == () else ""
