"""Keys: the two words by which tables and repetitions know a state again.

A state is read as its *shape* (how tuples nest, how long each is, what kind each part has) and its *numbers*, w1 to wn,
all of them whole. The shape gives two seeds, and each number stirs both words (s and t are different bijections):

    k0, c0     from the shape                       key      mix(kn)      finds the bucket of a table, and is compared
    ci         t(c(i-1) ^ k(i-1))                   check    mix(cn)      is compared as well
    ki         s(k(i-1) ^ wi)

What is certain. The key tells apart all states of one 64-bit int, since it is a bijection of w1; key and check
together tell apart all states of two, with a sign, since c2 is a bijection of k1 and so gives back w1, and the key then
gives back w2. A game with a `key` rule promises that this rule tells its states apart: then the key alone is compared,
nothing of the check is computed or stored, and `z.check` looks for two states with one key.

What is probable. Larger states are told apart by these 128 bits. A table of 2**b buckets compares a state with two
others that already agree with it in b bits; so m questions meet a false answer with a probability of m / 2**(127 - b).
An hour's 2**36 questions to a table of 2**26 buckets (4 GB) make that 2**-65, or 3e-20. The table of games with chance
has room for 41 bits of the check and looks at four entries: m / 2**(103 - b), 5e-13 for that hour. Memory itself is
far less reliable: of the DIMMs of a large field study, one in 450 met an error in a year that even ECC could not mend
(Schroeder, Pinheiro and Weber, DRAM errors in the wild, 2009), which is 3e-7 in an hour. Monte Carlo search keeps a
tree, the solver keeps whole states, and a session compares states: none of them needs a key.

Parts of any kind are read whole:

    numbers        that are equal count as one: 1, True, 1.0 and np.uint64(1). Floats that are not whole, by their bits
    ints           beyond 64 bits, by all their words
    text, bytes    by 128 bits of XXH3; None by its kind
    frozensets     by the sum of the fingerprints of what is in them
    anything else  by the number that a dict gives it, so that its own `==` decides

Python's `hash` has no part in this: it is made to be fast, and hash(-1) == hash(-2).
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from zermelo import bits
from zermelo.bits import WORD
from zermelo.game import Game, GameError, State

TUPLE, NUMBER, LARGE, TEXT, BYTES, NOTHING, SET, OBJECT = range(8)
"""What a shape is made of; a length stands behind TUPLE, LARGE and SET."""

ORDINARY, HUGE, FRACTION = range(3)
"""Kinds of numbers that could be the same word: ints of 64 bits with a sign; without one; bits of a float."""

STIR_KEY = 0xD6E8FEB86659FD93
STIR_CHECK = 0xFF51AFD7ED558CCD
"""The odd multipliers of s and t."""

MOST = 1 << 20
"""Objects that get a number before all are forgotten. What comes again later counts as new, which is never wrong."""


def fits_key(game: Game) -> bool:
    """Whether the key alone tells the states of a game apart, because its author says so with a `key` rule."""
    return game.has("key")


def state_key(game: Game, state: State) -> int:
    """The first of the two words, signed: of the game's own `key`, or of all that the state holds."""
    if not fits_key(game):
        return whole_key(game, state)
    key = game.key(state)
    if not -1 << 63 <= key < 1 << 64:
        raise GameError(
            f"{game!r}: `key` returned {key} in {game.state_text(state)}, which does not fit 64 bits; without the rule "
            "Zermelo makes keys itself."
        )
    return bits.signed(bits.mix(key))


def state_check(game: Game, state: State) -> int:
    """The second word, signed; 0 where the key is enough."""
    return 0 if fits_key(game) else whole_check(game, state)


def whole_key(game: Game, state: State) -> int:
    """The first word of all that the state holds, whatever the game's own `key` says."""
    return bits.signed(fingerprint(state)[0])


def whole_check(game: Game, state: State) -> int:
    """And the second."""
    return bits.signed(fingerprint(state)[1])


@lru_cache(maxsize=1 << 12)  # what was asked for one word is asked for the other
def fingerprint(part: Any) -> tuple[int, int]:
    """Key and check of a state or a part of one, unsigned.

    >>> fingerprint(((1, 2), (3,))) == fingerprint(((1,), (2, 3)))
    False
    >>> fingerprint((1, True)) == fingerprint((1.0, 1))
    True
    """
    parts = Parts()
    parts.read(part)
    key, check = seeds(tuple(parts.shape))
    for word, kind in zip(parts.words, parts.kinds, strict=True):
        check = stir_check(check ^ key, kind)
        key = stir_key(key ^ word)
    return bits.mix(key), bits.mix(check)


def stir_key(word: int) -> int:
    """The bijection s."""
    word = (word ^ word >> 32) * STIR_KEY & WORD
    return word ^ word >> 29


def stir_check(word: int, kind: int) -> int:
    """The bijection t, another one for each kind of number.

    Its shifts are not those of s: a difference in bits 63 and 31 always passes s as one in 63 and 34, and would pass t.
    """
    word = (word ^ word >> 29) + kind & WORD
    word = word * STIR_CHECK & WORD
    return word ^ word >> 31


@lru_cache(maxsize=1 << 16)
def seeds(shape: tuple[int, ...]) -> tuple[int, int]:
    """The two words of a shape, with which those of its states begin."""
    key, check = 0, WORD
    for mark in shape:
        key = bits.mix(key ^ mark)
        check = bits.mix(check * STIR_CHECK ^ mark)
    return key, check


class Parts:
    """What a state is made of, read from left to right."""

    def __init__(self) -> None:
        self.shape: list[int] = []
        self.words: list[int] = []
        self.kinds: list[int] = []

    def read(self, part: Any) -> None:
        kind = type(part)
        (READERS.get(kind) or _reader(kind))(self, part)

    def read_tuple(self, part: tuple[Any, ...]) -> None:
        self.shape += (TUPLE, len(part))
        for inner in part:
            self.read(inner)

    def read_int(self, part: int) -> None:
        number = int(part)
        if -1 << 63 <= number < 1 << 64:
            self._add_number(number & WORD, ORDINARY if number < 1 << 63 else HUGE)
            return
        length = number.bit_length() // 64 + 1
        self.shape += (LARGE, length)
        self._add(*(number >> 64 * i & WORD for i in range(length)))

    def read_float(self, part: float) -> None:
        number = float(part)
        if number.is_integer() and abs(number) < 2.0**63:
            self._add_number(int(number) & WORD, ORDINARY)
        else:
            self._add_number(int.from_bytes(struct.pack("<d", number), "little"), FRACTION)

    def read_none(self, part: None) -> None:
        self.shape.append(NOTHING)

    def read_text(self, part: str) -> None:
        self._read_bytes(TEXT, part.encode("utf-8", "surrogatepass"))

    def read_bytes(self, part: bytes) -> None:
        self._read_bytes(BYTES, part)

    def read_set(self, part: frozenset[Any]) -> None:
        """Sums do not depend on the order. The key goes into both, because the check of one number is no word of it."""
        first = second = 0
        for inner in part:
            key, check = fingerprint(inner)
            first += bits.mix(key ^ check * STIR_KEY)
            second += bits.mix(check ^ key * STIR_CHECK)
        self.shape += (SET, len(part))
        self._add(first & WORD, second & WORD)

    def read_object(self, part: Any) -> None:
        self.shape.append(OBJECT)
        if len(_numbers) >= MOST:
            _numbers.clear()
        self._add(_numbers.setdefault((type(part), part), next(_counter)))

    def _read_bytes(self, mark: int, content: bytes) -> None:
        from xxhash import xxh3_128_intdigest

        digest = xxh3_128_intdigest(content)
        self.shape.append(mark)
        self._add(digest & WORD, digest >> 64)

    def _add_number(self, word: int, kind: int) -> None:
        self.shape.append(NUMBER)
        self.words.append(word)
        self.kinds.append(kind)

    def _add(self, *words: int) -> None:
        self.words += words
        self.kinds += [ORDINARY] * len(words)


_numbers: dict[Any, int] = {}
_counter = itertools.count()

READERS: dict[type, Callable[[Parts, Any], None]] = {
    int: Parts.read_int,
    bool: Parts.read_int,
    float: Parts.read_float,
    tuple: Parts.read_tuple,
    str: Parts.read_text,
    bytes: Parts.read_bytes,
    frozenset: Parts.read_set,
    type(None): Parts.read_none,
}
"""How each type is read; others are added when they are met."""


def _reader(kind: Any) -> Callable[[Parts, Any], None]:
    """How to read a type: as the one it inherits its `==` from, where it is one of the above."""
    import numpy as np

    READERS[kind] = Parts.read_object
    for known, read in (
        (np.bool_, Parts.read_int),
        (np.integer, Parts.read_int),
        (np.float64, Parts.read_float),
        (np.float32, Parts.read_float),
        (np.float16, Parts.read_float),
        *READERS.items(),
    ):
        if issubclass(kind, known) and (kind.__eq__ is known.__eq__ or issubclass(kind, np.generic)):
            READERS[kind] = read
            break
    return READERS[kind]
