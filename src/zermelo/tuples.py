"""Functions on tuples inside a state, such as a row of pits or piles. Their length is fixed, so they compile."""

from __future__ import annotations


def replace(parts: tuple[int, ...], i: int, part: int) -> tuple[int, ...]:
    """The tuple with part `i` replaced; `i` counts from 0 and must be inside.

    >>> replace((3, 4, 5), 1, 0)
    (3, 0, 5)
    """
    if not 0 <= i < len(parts):
        raise IndexError("tuples.replace: the index is outside the tuple")
    return (*parts[:i], part, *parts[i + 1 :])
