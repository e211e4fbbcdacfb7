"""Sorted keys: kernels that sort the runs of a part and drop repeated keys, and that merge and compare sorted arrays.

Each part is gathered from the chains of all threads, sorted and made unique by one thread, in arrays that fit its
cache. The keys of all parts, one part after the other, are the sorted keys of a stage: the same ones for any number of
threads and parts.
"""

from __future__ import annotations

from zermelo import bits
from zermelo.native.kernel_dispatch import kernel
from zermelo.solving.enumeration.part_runs import copy_run, run_length

DIGIT_BITS = 11
"""Bits by which one pass of the radix sort distributes: 2,048 counters fit the first-level cache."""

SIGN_BIT = -(1 << 63)
"""Words after the first are signed. With this bit reversed, they sort as unsigned ones do."""


def sort_digit(source, sorted_keys, count, words, word, shift, counters):
    """Distribute keys by one digit of one of their words; equal digits keep their order."""
    mask = (1 << DIGIT_BITS) - 1
    for digit in range(mask + 1):
        counters[digit] = 0
    for place in range(count):
        counters[(source[place * words + word] ^ SIGN_BIT) >> shift & mask] += 1
    total = 0
    for digit in range(mask + 1):
        counters[digit], total = total, total + counters[digit]
    if words == 1:  # a loop over one word would take longer than all the rest
        for place in range(count):
            key = source[place]
            digit = (key ^ SIGN_BIT) >> shift & mask
            to = counters[digit]
            counters[digit] = to + 1
            sorted_keys[to] = key
        return
    for place in range(count):
        digit = (source[place * words + word] ^ SIGN_BIT) >> shift & mask
        to = counters[digit]
        counters[digit] = to + 1
        for each in range(words):
            sorted_keys[to * words + each] = source[place * words + each]


def varying_bits(keys, count, words, word):
    """Return the bits of a word in which keys differ."""
    varying = 0
    for place in range(1, count):
        varying |= keys[place * words + word] ^ keys[word]
    return varying


def sort_keys(keys, spare, count, words, counters):
    """Sort keys by a radix sort, last digit first. Return whether they end up in `spare`."""
    swapped = False
    for word in range(words - 1, -1, -1):
        varying = bits.unsigned(varying_bits(spare if swapped else keys, count, words, word))
        shift = 0
        while bits.shift_right(varying, shift) != 0:
            shift += bits.lsb(bits.shift_right(varying, shift))  # a digit begins where keys differ
            if swapped:
                sort_digit(spare, keys, count, words, word, shift, counters)
            else:
                sort_digit(keys, spare, count, words, word, shift, counters)
            swapped = not swapped
            shift += DIGIT_BITS
    return swapped


def drop_equal(keys, count, words):
    """Remove repeated keys from sorted ones, in place. Return how many are left."""
    kept = min(count, 1)
    if words == 1:
        for place in range(1, count):
            keys[kept] = keys[place]
            kept += keys[place] != keys[kept - 1]
        return kept
    for place in range(1, count):
        word = 0
        while word < words and keys[place * words + word] == keys[(kept - 1) * words + word]:
            word += 1
        if word < words:
            for each in range(words):
                keys[kept * words + each] = keys[place * words + each]
            kept += 1
    return kept


@kernel(kinds="words int int int words words")
def merge_parts(game, runs, start, stop, words, counts, scratch):
    """Sort the keys of the parts `start` to `stop`, each in its runs, and drop repeated ones. Return how far it came.

    `counts` gets the number of keys that are left of each part, which then stand first in its runs. `scratch` has room
    for the counters and for the keys of one part twice; if not, `counts` has the number of keys that it must hold.
    """
    counters = scratch.part(0, 1 << DIGIT_BITS)
    half = (len(scratch) - (1 << DIGIT_BITS)) // 2
    keys, spare = scratch.part(1 << DIGIT_BITS, half), scratch.part((1 << DIGIT_BITS) + half, half)
    for part in range(start, stop):
        count = copy_run(runs, part, words, keys, half // words, True)
        if count == half // words:  # there may be more
            counts[part] = run_length(runs, part, words)
            if counts[part] > count:
                return part
        ordered = spare if sort_keys(keys, spare, count, words, counters) else keys
        counts[part] = drop_equal(ordered, count, words)
        copy_run(runs, part, words, ordered, counts[part], False)
    return stop


@kernel(kinds="words int int int words words words")
def collect_parts(game, runs, start, stop, words, counts, offsets, keys):
    """Copy the keys of the parts `start` to `stop` out of their runs, each part to its offset in `keys`."""
    for part in range(start, stop):
        copy_run(runs, part, words, keys.part(offsets[part] * words, counts[part] * words), counts[part], True)
    return stop


# -- sets of sorted keys ----------------------------------------------------------------------------------------------


def is_less(first, at, second, to, words):
    """Return whether one key is before another in the order of keys."""
    for word in range(words):
        one, other = first[at * words + word], second[to * words + word]
        if one != other:
            return one < other
    return False


@kernel(kinds="words words int int int words words words")
def merge_sorted(game, arrays, bounds, start, stop, words, counts, keys, scratch):
    """Merge the slices `start` to `stop` of some sorted arrays, each into one slice of `keys`, without repetitions.

    `arrays` has the address and length of each array. `bounds` has a row for each slice: where it begins in `keys`, and
    where it begins in every array; the next row has where it ends. `counts` gets the number of keys of each slice.
    Return how far it came; where `scratch` is too small, `counts` has the number of keys that it must hold.
    """
    counters = scratch.part(0, 1 << DIGIT_BITS)
    half = (len(scratch) - (1 << DIGIT_BITS)) // 2
    mixed, spare = scratch.part(1 << DIGIT_BITS, half), scratch.part((1 << DIGIT_BITS) + half, half)
    width = 1 + len(arrays) // 2
    for number in range(start, stop):
        here, after = bounds.part(number * width, width), bounds.part((number + 1) * width, width)
        count = after[0] - here[0]
        counts[number] = count
        if count * words > half:
            return number
        done = 0
        for each in range(width - 1):
            array = arrays.follow(2 * each)
            for place in range(here[1 + each] * words, after[1 + each] * words):
                mixed[done] = array[place]
                done += 1
        ordered = spare if sort_keys(mixed, spare, count, words, counters) else mixed
        counts[number] = drop_equal(ordered, count, words)
        for place in range(counts[number] * words):
            keys[here[0] * words + place] = ordered[place]
    return stop


@kernel(kinds="words int int int words")
def drop_known(game, keys, start, stop, words, known):
    """Remove those of the sorted keys `start` to `stop` that are among the sorted `known`. Return the end of the rest.

    The place in `known` is found by steps that double, so few keys are fast to look up among many.
    """
    total = len(known) // words
    low, kept = 0, start
    for place in range(start, stop):
        step = 1
        while low + step < total and is_less(known, low + step, keys, place, words):
            low += step
            step *= 2
        high = min(low + step, total)
        while low < high:  # the first known key that is not less
            middle = (low + high) >> 1
            if is_less(known, middle, keys, place, words):
                low = middle + 1
            else:
                high = middle
        if low == total or is_less(keys, place, known, low, words):
            for word in range(words):
                keys[kept * words + word] = keys[place * words + word]
            kept += 1
    return kept
