"""Sorted keys among sorted keys, as a kernel: where the successors of one part are in another."""

from __future__ import annotations

from zermelo.native.kernel_dispatch import kernel
from zermelo.solving.enumeration.part_sorting import is_less


@kernel(kinds="words int int int words words")
def find_places(game, keys, start, stop, words, known, places):
    """Write the places of the sorted keys `start` to `stop` among the sorted `known` ones.

    Return how far it came: not to `stop` if a key is not known. A place is found by steps that double, so it does not
    matter which of the two are more.
    """
    total = len(known) // words
    low = 0
    for place in range(start, stop):
        step = 1
        while low + step < total and is_less(known, low + step, keys, place, words):
            low += step
            step *= 2
        high = min(low + step, total)
        while low < high:
            middle = (low + high) >> 1
            if is_less(known, middle, keys, place, words):
                low = middle + 1
            else:
                high = middle
        if low == total or is_less(keys, place, known, low, words):
            return place
        places[place] = low
    return stop
