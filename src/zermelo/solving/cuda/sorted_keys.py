"""Sets of sorted keys on a GPU, by the sorts and scans of its own library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.native.device.device_platform import arrays


def unique_keys(keys: Any, words: int) -> Any:
    """Return the keys of an array sorted and without repetitions; an empty place, which begins with 0, is none.

    An array of keys of one word is sorted in place.
    """
    xp = arrays()
    if not len(keys):
        return keys
    if words == 1:
        keys.sort()
        keep = xp.empty(len(keys), bool)
        keep[0] = keys[0] != 0
        keep[1:] = keys[1:] != keys[:-1]
        keep &= keys != 0
        return keys[keep]
    rows = keys.reshape(-1, words)
    rows = rows[xp.lexsort(xp.stack([rows[:, word] for word in reversed(range(words))]))]
    keep = rows[:, 0] != 0
    keep[1:] &= (rows[1:] != rows[:-1]).any(axis=1)
    return xp.ascontiguousarray(rows[keep]).reshape(-1)


def union(parts: Sequence[Any], words: int) -> Any:
    """Merge sorted arrays of keys into one, without repetitions."""
    xp = arrays()
    parts = [part for part in parts if len(part)]
    if not parts:
        return xp.zeros(0, xp.int64)
    return parts[0] if len(parts) == 1 else unique_keys(xp.concatenate(parts), words)


def difference(keys: Any, known: Any, words: int) -> Any:
    """Return the sorted keys that are not among the known ones."""
    xp = arrays()
    if not len(keys) or not len(known):
        return keys
    if words == 1:
        places = xp.minimum(xp.searchsorted(known, keys), len(known) - 1)
        return keys[known[places] != keys]
    both = xp.concatenate([known.reshape(-1, words), keys.reshape(-1, words)])
    order = xp.lexsort(xp.stack([both[:, word] for word in reversed(range(words))]))  # stable: a known one is first
    both = both[order]
    keep = order >= len(known) // words
    keep[1:] &= (both[1:] != both[:-1]).any(axis=1)
    return xp.ascontiguousarray(both[keep]).reshape(-1)
