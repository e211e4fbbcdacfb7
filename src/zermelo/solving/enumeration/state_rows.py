"""States as rows of an array: their numbers, depth first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from zermelo import rules
from zermelo.bits import signed
from zermelo.game import Game, State


def row_width(game: Game) -> int:
    """The number of numbers in a state."""
    return sum(1 for _ in rules.numbers(rules.initial_state(game)))


def state_maker(game: Game) -> Callable[[Sequence[int]], State]:
    """Return a function that makes a state of its numbers; much faster than `state_from_words` for most states.

    >>> import zermelo as z
    >>> state_maker(z.load("connect_four"))([0, 1])
    State(mine=0, mask=1)
    """
    first = rules.initial_state(game)
    if not all(type(number) is int for number in rules.numbers(first)):
        return lambda row: rules.state_from_words(game, row)
    if not isinstance(first, tuple):
        return lambda row: row[0]
    if any(isinstance(part, tuple) for part in first):
        return lambda row: rules.state_from_words(game, row)
    make: Callable[[Sequence[int]], State] = tuple if type(first) is tuple else getattr(type(first), "_make")  # noqa: B009
    return make


def state_rows(game: Game, states: Sequence[State]) -> Any:
    """Return the numbers of the states as an int64 array, a row each; None if they are not such as the initial one.

    A number beyond 63 bits stands as the signed one with the same bits, as in compiled code.
    """
    first = rules.initial_state(game)
    if not states or {type(first)} != set(map(type, states)):
        return None
    flat: Sequence[Any] = states
    if isinstance(first, tuple):
        nested = any(isinstance(part, tuple) for part in first)
        flat = [tuple(rules.numbers(state)) for state in states] if nested else states
        if set(map(len, flat)) != {row_width(game)}:
            return None
    rows = _int_array(flat)
    return None if rows is None else rows.reshape(len(states), -1)


def _int_array(flat: Sequence[Any]) -> Any:
    try:
        array = np.array(flat)
    except ValueError:  # a tuple in place of a number
        return None
    if array.dtype.kind in "bi":
        return array.astype(np.int64)
    numbers = list(chain.from_iterable(flat)) if isinstance(flat[0], tuple) else list(flat)
    if not all(isinstance(number, int | np.integer) and -1 << 63 <= number < 1 << 64 for number in numbers):
        return None
    return np.array([signed(int(number)) for number in numbers], np.int64)
