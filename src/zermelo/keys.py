"""Hash keys of states: two 64-bit words, by which transposition tables and repetition checks identify a state.

A state is read as its *shape* (how tuples nest, their lengths, the kind of each part) and its *numbers*, the words w1
to wn. The shape gives two seeds, and each number is mixed into both words (s and t are different bijections):

    k0, c0     from the shape                       key      mix(kn)      selects the bucket of a table; is compared
    ci         t(c(i-1) ^ k(i-1))                   check    mix(cn)      is compared as well
    ki         s(k(i-1) ^ wi)

What is certain. The key distinguishes all states of one 64-bit int, since it is a bijection of w1. Key and check
together distinguish all states of two signed ints: c2 is a bijection of k1 and so determines w1, and the key then
determines w2. A game with a `key` rule promises that this rule distinguishes its states. Then only the key is compared,
no check is computed or stored, and `z.check` looks for two states with one key.

What is probable. Larger states are distinguished by these 128 bits. A table of 2**b buckets compares a state with two
others that already agree with it in b bits, so m probes return a false hit with probability m / 2**(127 - b). An hour's
2**36 probes of a table of 2**26 buckets (4 GB) make that 2**-65, or 3e-20. The table of games with chance stores 41
bits of the check and compares four entries: m / 2**(103 - b), 5e-13 for that hour. Memory itself is far less reliable:
of the DIMMs of a large field study, one in 450 had an error in a year that even ECC could not correct (Schroeder,
Pinheiro and Weber, DRAM errors in the wild, 2009), which is 3e-7 in an hour. Monte Carlo search stores a tree, the
solver stores whole states, and a session compares states: none of them needs a key.

Every part of a state is hashed completely:

    numbers        equal numbers are one: 1, True, 1.0 and np.uint64(1). Other floats by their bits
    ints           beyond 64 bits, by all their words
    text, bytes    by 128 bits of XXH3; None by its kind
    frozensets     by the sum of the keys and checks of their elements
    anything else  by a number from a dict, so that its own `==` decides

Python's `hash` is not used: it is made to be fast, and hash(-1) == hash(-2).
"""

from __future__ import annotations

import itertools
import operator
import struct
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from zermelo import bits
from zermelo.bits import WORD
from zermelo.game import Game, GameError, State
from zermelo.rules import rule_error

TUPLE, NUMBER, LARGE, TEXT, BYTES, NOTHING, SET, OBJECT = range(8)
"""The kinds of parts in a shape; a length follows TUPLE, LARGE and SET."""

ORDINARY, HUGE, FRACTION = range(3)
"""Kinds of numbers that may share a word: signed 64-bit ints; unsigned ones above them; the bits of a float."""

KEY_MULTIPLIER = 0xD6E8FEB86659FD93
CHECK_MULTIPLIER = 0xFF51AFD7ED558CCD
"""The odd multipliers of s and t."""

MAX_NUMBERED_OBJECTS = 1 << 20
"""Objects that are numbered before the dict is cleared. Objects that return later get new numbers, which is safe."""


def key_is_exact(game: Game) -> bool:
    """Whether the key alone distinguishes the states of a game: its author promises that with a `key` rule."""
    return game.has("key")


def state_key(game: Game, state: State) -> int:
    """The key as a signed word: from the game's own `key` rule, or from all parts of the state."""
    if not key_is_exact(game):
        return structural_key(game, state)
    answer = game.key(state)
    try:
        key = operator.index(answer)
    except TypeError:
        raise rule_error(game, "key", state, answer, "a whole number of 64 bits") from None
    if not -1 << 63 <= key < 1 << 64:
        raise GameError(
            f"{game!r}: `key` returned {key} in {game.state_text(state)}, which does not fit 64 bits; without the rule "
            "Zermelo makes keys itself."
        )
    return bits.signed(bits.mix(key))


def state_check(game: Game, state: State) -> int:
    """The check as a signed word; 0 if the key is exact."""
    return 0 if key_is_exact(game) else structural_check(game, state)


def structural_key(game: Game, state: State) -> int:
    """The key from all parts of the state, as if the game had no `key` rule."""
    return bits.signed(key_and_check(state)[0])


def structural_check(game: Game, state: State) -> int:
    """The check from all parts of the state."""
    return bits.signed(key_and_check(state)[1])


@lru_cache(maxsize=1 << 12)  # the key and the check of a state are requested in turn
def key_and_check(part: Any) -> tuple[int, int]:
    """Key and check of a state or of a part of one, unsigned.

    >>> key_and_check(((1, 2), (3,))) == key_and_check(((1,), (2, 3)))
    False
    >>> key_and_check((1, True)) == key_and_check((1.0, 1))
    True
    """
    parts = StateReader()
    parts.read(part)
    key, check = seeds(tuple(parts.shape))
    for word, kind in zip(parts.words, parts.kinds, strict=True):
        check = mix_check(check ^ key, kind)
        key = mix_key(key ^ word)
    return bits.mix(key), bits.mix(check)


def mix_key(word: int) -> int:
    """The bijection s."""
    word = (word ^ word >> 32) * KEY_MULTIPLIER & WORD
    return word ^ word >> 29


def mix_check(word: int, kind: int) -> int:
    """The bijection t, a different one for each kind of number.

    Its shifts differ from those of s: a difference in bits 63 and 31 always leaves s as one in 63 and 34, and would
    leave t the same way.
    """
    word = (word ^ word >> 29) + kind & WORD
    word = word * CHECK_MULTIPLIER & WORD
    return word ^ word >> 31


@lru_cache(maxsize=1 << 16)
def seeds(shape: tuple[int, ...]) -> tuple[int, int]:
    """The seeds of key and check for states of a shape."""
    key, check = 0, WORD
    for mark in shape:
        key = bits.mix(key ^ mark)
        check = bits.mix(check * CHECK_MULTIPLIER ^ mark)
    return key, check


class StateReader:
    """Reads the shape and the numbers of a state from left to right."""

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
        """Sums do not depend on the order. Key and check go into both: the check of a single number is constant."""
        first = second = 0
        for inner in part:
            key, check = key_and_check(inner)
            first += bits.mix(key ^ check * KEY_MULTIPLIER)
            second += bits.mix(check ^ key * CHECK_MULTIPLIER)
        self.shape += (SET, len(part))
        self._add(first & WORD, second & WORD)

    def read_object(self, part: Any) -> None:
        self.shape.append(OBJECT)
        if len(_numbers) >= MAX_NUMBERED_OBJECTS:
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

Reader = Callable[[StateReader, Any], None]

READERS: dict[type, Reader] = {
    int: StateReader.read_int,
    bool: StateReader.read_int,
    float: StateReader.read_float,
    tuple: StateReader.read_tuple,
    str: StateReader.read_text,
    bytes: StateReader.read_bytes,
    frozenset: StateReader.read_set,
    type(None): StateReader.read_none,
}
"""The reader of each type; readers of other types are added on first use."""


def _reader(kind: Any) -> Reader:
    """The reader of a type: that of the type from which it inherits `==`, if it is in READERS."""
    READERS[kind] = StateReader.read_object
    scalars, readers = _numpy_readers()
    for known, read in (*readers, *READERS.items()):
        if issubclass(kind, known) and (kind.__eq__ is known.__eq__ or issubclass(kind, scalars)):
            READERS[kind] = read
            break
    return READERS[kind]


def _numpy_readers() -> tuple[tuple[type, ...], list[tuple[type, Reader]]]:
    """NumPy's class of numbers, and the readers of those below it. Where NumPy is not imported, there are none."""
    numpy = sys.modules.get("numpy")
    if not hasattr(numpy, "float16"):
        return (), []
    whole, real = (numpy.bool_, numpy.integer), (numpy.float64, numpy.float32, numpy.float16)  # type: ignore[union-attr]
    # A time has a unit beside its number, and counts as an integer in NumPy.
    readers: list[tuple[type, Reader]] = [(numpy.timedelta64, StateReader.read_object)]  # type: ignore[union-attr]
    readers += [(kind, StateReader.read_int) for kind in whole] + [(kind, StateReader.read_float) for kind in real]
    return (numpy.generic,), readers  # type: ignore[union-attr]
