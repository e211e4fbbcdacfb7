"""Disguises: what the nodes, moves and chance outcomes of a graph look like to the algorithms.

Anything hashable may be a state, so each disguise is a pool of values that are easily taken for each other: tuples that
differ in their nesting alone, ints that agree in their lowest bits, numbers whose `hash` is the same, floats that are
close together. All values of a pool differ by `==`.
"""

from __future__ import annotations

import enum
import itertools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

PRIME = (1 << 61) - 1
"""Python's hash of a number is taken modulo this."""


class Spot(NamedTuple):
    place: Any
    rest: Any


@dataclass(frozen=True, order=True)
class Card:
    rank: Any


class Suit(enum.Enum):
    CLUBS = 1
    HEARTS = 2


def numbers(count: int) -> list[Any]:
    return list(range(count))


def signed(count: int) -> list[Any]:
    """-1 and -2 have one hash."""
    return list(range(-(count // 2) - 1, count - count // 2 - 1))


def big(count: int) -> list[Any]:
    """Words of more than 64 bits, which agree in the lowest 64 by tens."""
    return [(1 + i % 7) * (1 << 64 + 13 * (i % 7)) + i // 7 for i in range(count)]


def boards(count: int) -> list[Any]:
    """Two bitboards of 81 cells and a player."""
    return [(1 << 80 - i, 1 << i if i < 40 else 0, i % 2) for i in range(count)]


def ragged(count: int) -> list[Any]:
    """Two hands of cards: the same cards in the same order, dealt in another way; then three."""
    cards = tuple(range(1, count // 2 + 2))
    two = [(cards[:i], cards[i:]) for i in range(len(cards) + 1)]
    three = [(cards[:i], (), cards[i:]) for i in range(len(cards) + 1)]
    return (two + three)[:count]


def nested(count: int) -> list[Any]:
    """Ones in every nesting of three, four, ... of them."""
    found: list[Any] = []
    size = 2
    while len(found) < count:
        found += _nestings(size)
        size += 1
    return found[:count]


def _nestings(size: int) -> list[Any]:
    """All tuples that flatten to `count` ones, without a tuple of one tuple."""
    if size < 2:
        return [(1,) * size]
    found = []
    for first in range(1, size):
        heads = [1] if first == 1 else _nestings(first)
        found += [(head, *rest) for head in heads for rest in _nestings(size - first)]
    return found


def bools(count: int) -> list[Any]:
    """Tuples of truth values, of all lengths."""
    found: list[Any] = []
    size = 1
    while len(found) < count:
        found += itertools.product((False, True), repeat=size)
        size += 1
    return found[:count]


def unsigned(count: int) -> list[Any]:
    """Words of NumPy whose hashes agree by threes."""
    return [np.uint64(i // 3 + i % 3 * PRIME) for i in range(count)]


def scalars(count: int) -> list[Any]:
    """Tuples of NumPy's scalars of several kinds."""
    kinds = (np.int64, np.int32, np.int8, np.uint64)
    return [(kinds[i % 4](i), np.bool_(i % 2), np.int64(-1 - i % 2)) for i in range(count)]


def floats(count: int) -> list[Any]:
    """Numbers that differ in their last bits, and some at the ends of the range."""
    edges = [math.inf, -math.inf, 5e-324, -5e-324, 1e308, 0.0]
    close = [1 + i * 2.0**-52 for i in range(max(0, count - len(edges)))]
    return (close + edges)[:count]


def fractions(count: int) -> list[Any]:
    """Pairs of an int and a float close to another."""
    return [(i % 2, 0.5 + (i // 2) * 2.0**-40) for i in range(count)]


def strings(count: int) -> list[Any]:
    return [f"{'ß' * (i % 3)}{i // 3}" for i in range(count)]


def sets(count: int) -> list[Any]:
    """Sets of cells whose coordinates are -1 or -2, which Python's hash does not tell apart."""
    cells = [(row, column) for row in (-1, -2) for column in (-1, -2, 0)]
    found = [frozenset(chosen) for size in range(len(cells) + 1) for chosen in itertools.combinations(cells, size)]
    return [(found[i % len(found)], i // len(found)) for i in range(count)]


def named(count: int) -> list[Any]:
    """NamedTuples with a tuple inside."""
    return [Spot((i // 2, -1 - i % 2), i * PRIME) for i in range(count)]


def mixed(count: int) -> list[Any]:
    """Something of every kind."""
    kinds: list[Callable[[int], Any]] = [
        str, lambda i: Card(-1 - i), lambda i: (i,), lambda i: ((i,),), lambda i: (Suit(1 + i // 10 % 2), i),
        lambda i: frozenset({-1, -2 - i}), lambda i: bytes([i]), lambda i: Spot(i, None), lambda i: (None, -i),
        lambda i: (i, 0.25),
    ]  # fmt: skip
    return [kinds[i % 10](i) for i in range(count)]


STATES: dict[str, Callable[[int], list[Any]]] = {
    pool.__name__: pool
    for pool in (
        numbers, signed, big, boards, ragged, nested, bools, unsigned, scalars, floats, fractions, strings, sets,
        named, mixed,
    )
}  # fmt: skip

UNORDERED = {"nested", "sets", "mixed"}
"""Pools whose values cannot be sorted, so that their symmetry needs a rule of its own."""


def states(name: str, count: int, rng: random.Random) -> list[Any]:
    """States of this pool, for the nodes in order."""
    pool = STATES[name](count)
    assert len(set(pool)) == count
    rng.shuffle(pool)
    return pool


# -- moves and outcomes ------------------------------------------------------------------------------------------------

MOVES: dict[str, Callable[[int, int], Any]] = {
    "places": lambda node, i: i,
    "negative": lambda node, i: -i - node % 3,
    "far": lambda node, i: i * 511 - 7,  # what a table of hints cannot tell apart
    "huge": lambda node, i: (-1) ** i * ((1 << 59 + i % 8) + i),
    "endless": lambda node, i: (-1) ** node * (1 << 70) + i,
    "words": lambda node, i: f"move {i}",
    "pairs": lambda node, i: (i, (node % 4, -i)),
    "halves": lambda node, i: 0.5 + i,
    "numpy": lambda node, i: np.int64(i - 2),
    "any": lambda node, i: (i, f"{i}", (i,), i + 0.5, (), frozenset({i}))[i % 6] if i < 6 else (i, i),
}

OUTCOMES: dict[str, Callable[[int], Any]] = {
    "faces": lambda i: i + 1,
    "rolls": lambda i: (3, 4 + i),
    "signs": lambda i: f"{i + 3}",
    "halves": lambda i: 1.5 + i,
    "huge": lambda i: (1 << 66) + i,
    "any": lambda i: ((i, 4), f"{i}", 1.5 + i, (), frozenset({i}), -i)[i % 6] if i < 6 else (i, i),
}
