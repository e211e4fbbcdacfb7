"""64-bit words: arithmetic that gives the same answer interpreted and compiled.

Python's ints are unbounded, the machine's have 64 bits. In compiled code a sum, quotient or comparison of signed and
unsigned numbers can differ from Python's once bit 63 is set. The functions here give the same result in both:

- An argument is taken as a *word*, its lowest 64 bits in two's complement. So -1, 2**64 - 1, `np.int64(-1)` and
  `np.uint64(2**64 - 1)` are one word, and a field of a state may be an `int` (63 bits and a sign) or `np.uint64`.
- A returned word is unsigned: from 0 to 2**64 - 1, a uint64 when compiled. Counts and indices are ordinary ints.
- Every function is defined for every argument: nothing depends on the processor.

The operators `&`, `|`, `^` and `~` are always right in all 64 bits, and `+`, `-`, `*` and `<<` in the lowest 64.
`<`, `==`, `//`, `%` and `>>` depend on the sign: if bit 63 may be set, apply them to `unsigned(x)` or `signed(x)`, or
use the functions. Boards of at most 63 cells never set bit 63.

    index       63 62 61                     2  1  0
    word       | 1| 0| 1| ...              | 1| 0| 0|       msb is 63, lsb is 2
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import SupportsIndex

WORD = (1 << 64) - 1
"""The word of all ones."""


def unsigned(x: SupportsIndex) -> int:
    """The word as a number from 0 to 2**64 - 1.

    >>> unsigned(-1) == 2**64 - 1, unsigned(5)
    (True, 5)
    """
    return index(x) & WORD


def signed(x: SupportsIndex) -> int:
    """The word as a number from -2**63 to 2**63 - 1, which is what an `int` field of a state holds.

    >>> signed(2**64 - 1), signed(5)
    (-1, 5)
    """
    return (index(x) + (1 << 63) & WORD) - (1 << 63)


# -- counting and finding ------------------------------------------------------------------------------------------


def popcount(x: SupportsIndex) -> int:
    """The number of set bits.

    >>> popcount(0b1011), popcount(-1)
    (3, 64)
    """
    return (index(x) & WORD).bit_count()


def lsb(x: SupportsIndex) -> int:
    """The index of the lowest set bit; 64 if there is none.

    >>> lsb(0b1000), lsb(0)
    (3, 64)
    """
    word = index(x) & WORD
    return (word & -word).bit_length() - 1 if word else 64


def msb(x: SupportsIndex) -> int:
    """The index of the highest set bit; -1 if there is none.

    >>> msb(0b1011), msb(-1), msb(0)
    (3, 63, -1)
    """
    return (index(x) & WORD).bit_length() - 1


def ones(x: SupportsIndex) -> Iterator[int]:
    """The indices of the set bits, lowest first.

    >>> list(ones(0b101001))
    [0, 3, 5]
    """
    word = index(x) & WORD
    while word:
        yield (word & -word).bit_length() - 1
        word &= word - 1


def bit(i: int) -> int:
    """The word with bit `i` alone set; the empty word if `i` is not an index from 0 to 63.

    >>> bit(3), bit(64)
    (8, 0)
    """
    return 1 << index(i) if 0 <= i < 64 else 0


def has_bit(x: SupportsIndex, i: int) -> bool:
    """Whether bit `i` is set; no bit outside 0 to 63 is.

    >>> has_bit(0b100, 2), has_bit(0b100, 1), has_bit(-1, 64)
    (True, False, False)
    """
    return 0 <= i < 64 and index(x) >> index(i) & 1 == 1


# -- shifting and reversing -----------------------------------------------------------------------------------------


def shift_left(x: SupportsIndex, count: int) -> int:
    """The word shifted left by `count`, or right if it is negative; bits shifted out are lost.

    >>> shift_left(0b11, 2), shift_left(0b1100, -2), shift_left(-1, 64)
    (12, 3, 0)
    """
    return shift_right(x, -index(count)) if count < 0 else index(x) << min(index(count), 64) & WORD


def shift_right(x: SupportsIndex, count: int) -> int:
    """The word shifted right by `count`, or left if it is negative; zeros are shifted in.

    >>> shift_right(0b1100, 2), shift_right(-1, 63), shift_right(0b11, -2), shift_right(-1, 64)
    (3, 1, 12, 0)
    """
    return shift_left(x, -index(count)) if count < 0 else (index(x) & WORD) >> min(index(count), 64)


def rotate_left(x: SupportsIndex, count: int) -> int:
    """The word rotated left by `count` modulo 64.

    >>> rotate_left(bit(63) | 1, 1), rotate_left(0b11, -1) == bit(63) | 1
    (3, True)
    """
    word, count = index(x) & WORD, index(count) & 63
    return (word << count | word >> 64 - count) & WORD


def byte_swap(x: SupportsIndex) -> int:
    """The eight bytes in reverse order: a chessboard with one byte per rank, flipped vertically.

    >>> hex(byte_swap(0x0102030405060708))
    '0x807060504030201'
    """
    return int.from_bytes((index(x) & WORD).to_bytes(8, "little"), "big")


def reverse(x: SupportsIndex) -> int:
    """The 64 bits in reverse order: bit i becomes bit 63 - i.

    >>> reverse(0b11) == bit(63) | bit(62)
    True
    """
    return int(f"{index(x) & WORD:064b}"[::-1], 2)


# -- arithmetic modulo 2**64 -----------------------------------------------------------------------------------------


def add(a: SupportsIndex, b: SupportsIndex) -> int:
    """The sum of two words, modulo 2**64.

    >>> add(-1, 3)
    2
    """
    return index(a) + index(b) & WORD


def subtract(a: SupportsIndex, b: SupportsIndex) -> int:
    """The difference of two words, modulo 2**64.

    >>> subtract(0, 1) == 2**64 - 1
    True
    """
    return index(a) - index(b) & WORD


def multiply(a: SupportsIndex, b: SupportsIndex) -> int:
    """The product of two words, modulo 2**64.

    >>> multiply(bit(63), 3) == bit(63)
    True
    """
    return index(a) * index(b) & WORD


def remainder(a: SupportsIndex, b: SupportsIndex) -> int:
    """The remainder of two words as unsigned numbers, such as the slot of a hash; 0 if b is 0.

    >>> remainder(-1, 10), remainder(7, 0)
    (5, 0)
    """
    divisor = index(b) & WORD
    return (index(a) & WORD) % divisor if divisor else 0


def mix(x: SupportsIndex) -> int:
    """A bijective hash of a word: the output function of SplitMix64.

    From Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.

    >>> hex(mix(0))
    '0xe220a8397b1dcdaf'
    """
    word = index(x) + 0x9E3779B97F4A7C15 & WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31
